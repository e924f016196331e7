// Every path of every thread: a thread is run with every value that its reads may return.
#ifndef PTXLITMUS_ORACLE_PATHS_H
#define PTXLITMUS_ORACLE_PATHS_H

#include "tests/oracle/influence.h"
#include "tests/oracle/parts.h"
#include "tests/oracle/show.h"
#include "tests/oracle/thread.h"

// What a read may take from several writes (memory-model: torn accesses).
enum tearing {
    TEARING_NONE, // the pieces into which all accesses of the test cut its memory
    TEARING_BYTES // each byte
};

// Which dependencies count (memory-model: semantic dependencies).
enum dependencies { DEPENDENCIES_SEMANTIC, DEPENDENCIES_SYNTACTIC, DEPENDENCIES_NONE };

// Ways to come by a value: each a set of the writes that it takes, one inside the other left out.
// An empty set among them is the only one.
enum { WAYS_MAX = 64 };
struct ways {
    uint64_t sets[WAYS_MAX];
    unsigned count;
};

// The write of an instruction, whatever its value: a member of such sets, by its index.
struct writer {
    int thread;
    unsigned instruction, turn, element;
    struct spot spot; // where it writes, and what, in the path that was seen first
    struct value value;
};

// Which of a store's bytes and values some path writes.
struct chunk {
    int thread;
    struct spot spot;
    unsigned size;
    struct value value;
    enum access_order order;
    enum scope scope;
    enum proxy proxy;
    bool detached; // written by an asynchronous operation
    struct ways ways;
};

// A path, with what the search asks of it first.
struct candidate_path {
    struct path path;
    size_t need_count;
    uint64_t **needs;   // each a set of chunks of which one has to be written
    uint64_t *provides; // the chunks that it writes
    uint64_t *depends;  // by step, the steps that it depends on
    bool cancelled;     // its CTA does not start: the path is empty
};

struct path_list {
    struct candidate_path **paths;
    size_t count;
    uint64_t *provides; // what some path of the thread writes
};

// Answers what a thread asks in one execution; returns false where that is not known.
struct path_guide {
    void *context;
    bool (*answer)(void *context, size_t thread, const struct path *path, enum question question,
                   struct value *value);
};

// What some path of a thread gives to the other lanes of its warp: at its `number`-th arrival
// there, which is one of the phase of that number, since no thread of the mask that goes on is left
// out of one.
struct gift {
    int thread;
    uint64_t id;
    unsigned number;
    struct value value;
};

struct paths {
    const struct memory *memory;
    const struct path_guide *guide; // NULL: every path
    enum tearing tearing;
    enum dependencies dependencies;
    struct thread_options options;
    // What a thread reads of memory that it alone accesses is what it wrote there last: so where
    // base causality orders what it does (not under 6.0).
    bool reads_own_last;
    size_t limit; // paths of a thread; more are too many
    bool **cuts;  // by object and byte: whether some access begins or ends there
    struct chunk *chunks;
    size_t chunk_count, chunk_capacity;
    struct writer writers[64];
    unsigned writer_count;
    int *owners; // by object: the only thread that accesses it, -1 for several, -2 for none
    struct influence *influence; // by thread
    struct path_list *threads;
    bool too_many;
    bool bounded; // some path goes beyond the bound of a loop
    struct gift *gifts;
    size_t gift_count;
    struct value *guesses; // under DEPENDENCIES_NONE, what may come out of thin air
    size_t guess_count;
    bool varies;          // some write has not the same value and address in all paths
    bool open_predicates; // some thread arrives at a bar.red with an unknown predicate
    bool grew;
    struct parts parts;
};

// Finds the paths of all threads. The caller releases them with paths_free.
void paths_find(struct paths *paths);
void paths_free(struct paths *paths);

// The number of words of a set of chunks.
size_t paths_words(const struct paths *paths);

// The end of the unit of memory that begins at a byte of an object.
unsigned paths_unit_end(const struct paths *paths, int object, unsigned offset, unsigned end);

// The same for what a step reads.
unsigned paths_unit_end_of(const struct paths *paths, const struct step *step, unsigned offset,
                           unsigned end);

// Whether a request of one thread may cancel the launch of another one's cluster.
bool paths_may_cancel(const struct test *test, int asking, int thread);

// Returns the numbers of the first CTA of the cluster of a thread, by which an answer names it, of
// 32 bits in each dimension, x in the lowest ones.
u128 paths_first_cta(const struct test *test, int thread);

#endif
