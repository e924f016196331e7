// A random litmus test while it is made, as pieces of text.
#ifndef PTXLITMUS_ORACLE_SAMPLE_H
#define PTXLITMUS_ORACLE_SAMPLE_H

#include "tests/oracle/random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    SAMPLE_THREADS = 4,
    SAMPLE_LINES = 80,
    SAMPLE_LINE = 160,
    SAMPLE_LOCATIONS = 3,
    SAMPLE_LOADS = 12,
    SAMPLE_DECLARATIONS = 12,
    SAMPLE_SHOWN = 8,
    SAMPLE_NESTING = 4,
    SAMPLE_FENCES = 8,
    SAMPLE_EXCHANGES = 4,
    SAMPLE_ORDERS = 6,
};

// What a test is made of: shapes, anything, or both; or what one part of the program can do.
enum sample_kind {
    SAMPLE_MIXED,
    SAMPLE_SHAPES,
    SAMPLE_FREE,
    SAMPLE_PROXIES,    // accesses through proxies and aliases, proxy fences
    SAMPLE_BRANCHES,   // branches, exits, loops
    SAMPLE_SIZES,      // accesses of several sizes to common bytes, vectors
    SAMPLE_BARRIERS,   // barriers of CTAs, clusters and warps
    SAMPLE_RESTRICTED, // restricted fences, shared memory of several CTAs
    SAMPLE_FLOATS,     // floating-point atomics, packed ones and vectors
    SAMPLE_VALUES,     // what instructions compute, and unknown values
    SAMPLE_SECTIONS,   // counters and locks of many sections
    SAMPLE_MBARRIERS,  // mbarriers
    SAMPLE_ASYNC,      // asynchronous copies
    SAMPLE_WARPS,      // values between lanes of a warp
    SAMPLE_GRIDS,      // grids that are launched one after the other
    SAMPLE_MULTIMEM,   // multimem addresses and the variables to which they point
    SAMPLE_TENSOR,     // tensor memory
    SAMPLE_LATER,      // what PTX 9.2 and 9.3 add
    SAMPLE_PRODUCTS,   // forms of products and of accesses to tensor memory
    SAMPLE_KINDS
};

struct sample_options {
    uint64_t seed;
    enum sample_kind kind;
    bool before_9_1; // no cluster scope, no one-directional fences
    uint64_t cap;    // candidates that a test may have at most, by sample_cost
};

// What is open in a thread: a branch's other side, a branch's end, or a loop.
struct sample_block {
    char label[8];
    char counter[16], limit[16]; // of a loop
};

struct sample_thread {
    unsigned cta, cluster, gpu, grid;
    bool has_cluster;
    char line[SAMPLE_LINES][SAMPLE_LINE]; // statements without ';'
    unsigned line_count;
    char loaded[SAMPLE_LOADS][16]; // registers that hold what was read, in order
    unsigned loaded_count;
    char seen[SAMPLE_LOADS][16]; // the same, of other widths than sample->bits
    unsigned seen_count;
    unsigned next_register;
    unsigned next_label;
    unsigned exchanges; // with the other lanes, so far
    unsigned filled;    // set of buffers of the collector that the thread has filled
    char pending[16];   // labels that the next statement carries
    char predicate[8];  // one that every path sets
    struct sample_block open[SAMPLE_NESTING];
    unsigned open_count;
};

struct sample {
    enum sample_kind kind;
    char name[32];
    const char *version; // of its .version directive, or NULL
    struct sample_thread thread[SAMPLE_THREADS];
    unsigned thread_count;
    unsigned bits;                      // width of every variable and register of the test
    const char *type[SAMPLE_LOCATIONS]; // of each variable: "u32"
    unsigned initial[SAMPLE_LOCATIONS];
    unsigned location_count;
    bool is_array;                     // the locations are elements of one array
    unsigned writes[SAMPLE_LOCATIONS]; // so far
    unsigned reads[SAMPLE_LOCATIONS];
    unsigned sc_fences;
    // Of the kinds for a part:
    char declaration[SAMPLE_DECLARATIONS][80]; // instead of that of `x`
    unsigned declaration_count;
    char shown[SAMPLE_SHOWN][16]; // instead of `x`
    unsigned shown_count;
    unsigned uncertain; // the last ones of these, and locations, may be unknown: no condition asks
    bool aliased[SAMPLE_LOCATIONS]; // has a generic alias, `yg`
    bool ignores;                   // bulk copies may ignore bytes: no access has these and others
    bool is_pair;                   // of the kinds tensor and products: two CTAs that are a pair
    bool is_open;                   // of both: what loads give may not be known
    const char *kept_kind; // also: that of all products, where a collector is used, or NULL
    bool initialised;      // loaded registers have a value on all paths
    unsigned repeats;      // how often the statement at hand may happen: in loops
    struct sample_proxies {
        unsigned source, destination; // the usual aliases of `x`
        bool shared;                  // in shared memory
        unsigned used;                // set of aliases
        struct sample_fence {
            char text[80];
            unsigned slot; // the place for fences where it is
        } fence[SAMPLE_FENCES];
        unsigned fence_count, slot, slots;
    } proxies;
    struct sample_restricted {
        bool is_apart; // in several clusters
        bool is_global[SAMPLE_LOCATIONS];
        unsigned home[SAMPLE_LOCATIONS]; // the CTA in whose shared memory a location is
        unsigned mapped[SAMPLE_THREADS]; // set of locations of which the thread has the address
    } restricted;
    struct sample_barriers {
        bool counted;      // most instructions say how many threads they want
        unsigned count;    // usually this many
        unsigned arrivals; // so far
    } barriers;
    char grid_order[SAMPLE_ORDERS][40]; // declarations
    unsigned grid_order_count;
    struct sample_warps {
        unsigned kind[SAMPLE_EXCHANGES]; // of a thread's exchanges, one after the other
        unsigned source;                 // decides which lane a shfl copies from
    } warps;
    struct sample_sizes {
        unsigned unit;  // bytes: no access is smaller or begins in between; of SAMPLE_FLOATS, the
                        // format
        bool has_alias; // `xg`
        unsigned stores;
        unsigned reads[4], writes[4]; // by unit
    } sizes;
};

// Makes the `index`-th test of a seed: always the same one.
void sample_make(struct sample *sample, const struct sample_options *options, uint64_t index);

// An upper estimate of the candidate executions: rf times orders of writes and of fence.sc.
uint64_t sample_cost(const struct sample *sample);

// Adds a statement to a thread; printf.
void sample_line(struct sample_thread *thread, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// The same, before all others.
void sample_first_line(struct sample_thread *thread, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Adds a label before the next statement, and ends a thread that ends with one.
void sample_label(struct sample_thread *thread, const char *label);
void sample_end(struct sample_thread *thread);

// Writes the whole test: declarations, threads in table or block form, a condition over every
// loaded register. Which form and which condition is up to `random`.
void sample_print(const struct sample *sample, struct random *random, FILE *file);

// --- Between the files of the generator ---------------------------------------------------------

// What a test leans to, so that tests are not all equally mixed.
struct sample_mood {
    unsigned strong;  // percent of accesses that are strong
    unsigned release; // percent of strong accesses that acquire or release
    unsigned atomic;  // percent of accesses that are atom or red
    unsigned fence;   // percent of gaps with a fence
    unsigned sc;      // percent of fences that are sc
    unsigned depend;  // percent of accesses that depend on an earlier load
    unsigned scope;   // the usual scope, an index into scopes; most accesses use it
    bool before_9_1;
};

// A part of a shape that only one kind knows. `location` is -1 where none is named.
typedef void sample_special(struct sample *sample, struct sample_thread *thread, char letter,
                            int location, const struct sample_mood *mood, struct random *random);

// How many threads a shape has.
unsigned sample_shape_threads(const char *shape);

// Makes the threads of a shape; see the shapes in sample.c. `special` makes the letters that are
// not known there.
void sample_shape(struct sample *sample, const char *shape, const struct sample_mood *mood,
                  sample_special *special, struct random *random);

// The kinds for a part: each makes declarations and threads.
void sample_proxies(struct sample *sample, const struct sample_mood *mood, struct random *random);
void sample_branches(struct sample *sample, const struct sample_mood *mood, struct random *random);
void sample_sizes(struct sample *sample, const struct sample_mood *mood, struct random *random);
void sample_barriers(struct sample *sample, const struct sample_mood *mood, struct random *random);
void sample_restricted(struct sample *sample, const struct sample_mood *mood,
                       struct random *random);
void sample_floats(struct sample *sample, const struct sample_mood *mood, struct random *random);
void sample_values(struct sample *sample, const struct sample_mood *mood, struct random *random);
void sample_mbarriers(struct sample *sample, const struct sample_mood *mood, struct random *random);
void sample_async(struct sample *sample, const struct sample_mood *mood, struct random *random);
void sample_warps(struct sample *sample, const struct sample_mood *mood, struct random *random);
void sample_sections(struct sample *sample, const struct sample_mood *mood, struct random *random);
void sample_multimem(struct sample *sample, const struct sample_mood *mood, struct random *random);
void sample_tensor(struct sample *sample, const struct sample_mood *mood, struct random *random);
void sample_later(struct sample *sample, const struct sample_mood *mood, struct random *random);
void sample_products(struct sample *sample, const struct sample_mood *mood, struct random *random);
void sample_grids(struct sample *sample, const struct sample_mood *mood, struct random *random);

// The letters of branches and, with them, of barriers, and with these of tensor memory; and a
// predicate on what was read, into `predicate`.
sample_special sample_branch;
sample_special sample_barrier;
sample_special sample_tensor_step;

// Begins a test of tensor memory: its threads by their shape, words of 32 bits, and the first two
// threads in two CTAs of a cluster if they are a pair (sample_tensor.c).
void sample_tensor_place(struct sample *sample, const char *shape, struct random *random);

// Adds a register of 32 bits to which a thread may load. The condition asks for its value if that
// is always known; else it is shown alone. Returns its number.
unsigned sample_word(struct sample *sample, struct sample_thread *thread, bool known);

// Adds a register that the condition can ask for where there may be no other.
void sample_one(struct sample *sample);

void sample_predicate(struct sample *sample, struct sample_thread *thread, char *predicate,
                      size_t size, const struct sample_mood *mood, struct random *random);

// Places the threads: together in a CTA, in a cluster, on a GPU, on several GPUs, or anyhow, as
// `pattern` from 0 to 4 says.
void sample_place(struct sample *sample, unsigned pattern, bool before_9_1, struct random *random);

// A register that holds what was read; the thread has one.
const char *sample_loaded(const struct sample_thread *thread, struct random *random);

// ".relaxed.gpu", ".weak" or ""; `stronger` is the one-directional order of the access.
void sample_order(char *text, size_t size, const char *stronger, const struct sample_mood *mood,
                  struct random *random);
const char *sample_scope(const struct sample_mood *mood, struct random *random);

enum sample_direction { SAMPLE_READ, SAMPLE_WRITE, SAMPLE_RED };

// Adds one access (a load or an atom to read, a store, an atom or a red to write) or one fence to a
// thread.
void sample_access(struct sample *sample, struct sample_thread *thread,
                   enum sample_direction direction, unsigned location,
                   const struct sample_mood *mood, struct random *random);
void sample_fence(struct sample *sample, struct sample_thread *thread,
                  const struct sample_mood *mood, struct random *random);

#endif
