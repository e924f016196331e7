// What the files that make events of asynchronous operations share: async.c, wgmma.c and tensor.c.
#ifndef PTXLITMUS_PROGRAM_THREAD_ASYNC_H
#define PTXLITMUS_PROGRAM_THREAD_ASYNC_H

#include "program/expr/value_set.h"
#include "program/thread/access.h"
#include "program/thread/shapes.h"

// A tile of a tensor: in the tensor of this shape, the box that begins at these coordinates; of
// four rows, the four boxes that begin in one column, in each of four rows; in im2col mode, a
// column of pixels.
struct tile {
    const struct tensor *tensor;
    bool four_rows;
    int64_t begin[FOUR_ROWS_COORDINATES]; // as the instruction has them
    int64_t offsets[IM2COL_RANK_MAX];     // of im2col mode, likewise
    struct value base;                    // the address of the tensor, as the tensormap says
};

// A copy that is being added, or another operation.
struct copy {
    struct thread_builder *thread;
    const struct instruction *instruction;
    unsigned issue;              // its EVENT_ISSUE
    uint64_t size;               // bytes that are written
    uint64_t taken;              // bytes that are read; zeros are written for the others
    unsigned part;               // bytes of each event
    uint64_t mask;               // of .cp_mask: which bytes of each 16 are copied
    uint64_t left, right;        // bytes at the ends that are ignored
    const struct value *ignored; // a predicate: nothing is read, and zeros are written; or NULL
    unsigned aligned;            // bytes to which the addresses are aligned
    const struct tile *tile;     // of a tensor copy; else NULL
    unsigned target;             // of a multicast: 1 + the rank of the CTA at hand; else 0
    // Of a tcgen05 operation of a pair of CTAs, while it is at the peer: 1 + the first thread of
    // that; else 0.
    unsigned peer;
};

// Whether a thread may start asynchronous operations here. Reports why not.
bool async_check_thread(const struct thread_builder *thread, const struct instruction *instruction);

// Whether an instruction is a bulk copy that completes on an mbarrier, and not in a group.
bool async_is_load(const struct instruction *instruction);

// Adds what a copy does once it is issued and knows its size and parts: its reads and writes, their
// fences, and where it is complete.
void async_transfer(struct copy *copy);

// Adds an EVENT_ISSUE or an EVENT_ASYNC_WAIT. Returns its index, or that of no event.
unsigned async_add_event(struct thread_builder *thread, const struct instruction *instruction,
                         enum event_kind kind, enum async_step step, const struct expr *group);

// Makes all events from `first` on events of a step of the operation.
void async_mark(struct copy *copy, size_t first, enum async_step step, enum state_space space);

// Returns the bytes of each event of a copy, whose size is known: of a reduction those of an
// element, else its parts' (memory/memory.h).
unsigned async_part_of(const struct copy *copy);

// Whether the address of an operand is aligned as the copy needs it, as far as it is in the text.
// Reports where it is not.
bool async_check_alignment(const struct copy *copy, const struct operand *address);

// Returns the space in which an operation writes, where nothing says so, too.
enum state_space async_destination_of(const struct instruction *instruction);

// Adds what is written for each part, in the CTA at hand: of a reduction, a read and a write that
// are one atomic operation.
void async_add_writes(struct copy *copy, const struct value *values);

// Adds the implicit fence between the generic and the async proxy (PTX ISA 9.7.9.25.2).
void async_add_fence(struct copy *copy, enum async_step step);

// Adds what an operation does to its mbarrier when it is complete. Returns the index of its first
// event.
size_t async_add_completion(struct copy *copy, const struct operand *object, enum state_space space,
                            unsigned arrivals, uint64_t bytes, enum scope scope);

// Lets all events of the operation that is issued at `issue` be complete at these.
void async_complete_at(struct copy *copy, size_t first, unsigned issue);

// Sets what the thread has counted, where the instruction is executed.
void async_count(struct thread_builder *thread, enum async_sequence sequence,
                 const struct expr *count);

// --- ignored.c ---------------------------------------------------------------------------------

// Finds how many bytes at the ends of its source a copy ignores. Returns false after an error.
bool ignored_find(struct copy *copy);

// Whether the copy ignores a part.
bool ignored_has(const struct copy *copy, unsigned part);

// Whether a part of the source, which is at `address`, is where its other bytes are.
bool ignored_is_there(const struct copy *copy, struct value address, unsigned part);

// --- tile.c ------------------------------------------------------------------------------------

// Sets the offsets of a tile whose tensor and coordinates are there. Returns false after an error,
// also one in these.
bool tile_begin(struct thread_builder *thread, const struct instruction *instruction,
                struct tile *tile, const struct operand *coordinates);

// Returns the bytes of a tile in shared memory, those outside of the tensor included.
uint64_t tile_bytes(const struct tile *tile);

// Finds where a byte of the tile is, counted from the beginning of the tensor. Returns false where
// it is outside.
bool tile_offset(const struct tile *tile, uint64_t byte, uint64_t *offset);

// --- coordinates.c -----------------------------------------------------------------------------

enum { CHOICES_MAX = 16 };

// The coordinates of a copy: each has one value or several, on which memory decides.
struct tile_coordinates {
    struct value values[FOUR_ROWS_COORDINATES];
    struct value_set sets[FOUR_ROWS_COORDINATES]; // of those that are not constants
    unsigned count;
    unsigned choices; // how many combinations there are, at most CHOICES_MAX
};

// Finds the coordinates of a copy. Returns false after an error, and where their values are being
// looked for.
bool coordinates_find(struct thread_builder *thread, const struct operand *operand,
                      struct tile_coordinates *found);

// Sets where a tile begins in the choice of this number. Returns that it is this one (one bit).
const struct expr *coordinates_choose(const struct thread_builder *thread,
                                      const struct tile_coordinates *found, unsigned choice,
                                      struct tile *tile);

// --- tensormap.c -------------------------------------------------------------------------------

// Finds the tensormap that an operand names or whose address it has, relative to a space. Returns
// false after an error.
bool tensormap_find(struct thread_builder *thread, const struct operand *operand,
                    enum state_space space, struct map_place *map);

// Finds out in which CTAs asynchronous operations take place, and which of them have their mbarrier
// in another CTA than what they write, which PTX does not define. After addresses are resolved.
void async_find_places(struct builder *builder);

// --- multicast.c -------------------------------------------------------------------------------

enum { MULTICAST_CTAS = 32 }; // those that a mask can name

// Whether the CTA of a rank is in the cluster of the thread, as far as the test has it.
bool multicast_has_rank(const struct thread_builder *thread, unsigned rank);

// The first thread of the CTA that forms a pair with that of the thread: "any 2 CTAs within the
// cluster whose %cluster_ctarank differs by the last bit only" (PTX ISA 9.7.16.5.1). -1: the
// cluster has none.
int multicast_find_peer(const struct thread_builder *thread);

// The ranks of the CTAs that the mask at operand `place` names, one bit for each. Returns false
// after an error: the mask depends on memory, or names a CTA that the cluster does not have.
bool multicast_find_ranks(struct thread_builder *thread, const struct instruction *instruction,
                          unsigned place, uint64_t *ranks);

// --- multimem.c --------------------------------------------------------------------------------

// A multimem address.
struct multimem {
    int first;       // the variable that it is, at the first of the variables to which it points
    int64_t offset;  // in it
    unsigned copies; // to how many it points
};

// Finds the address to which an instruction writes; `shape` has it as a value. Returns false, after
// an error, where it is none or depends on memory.
bool multimem_find(struct thread_builder *thread, const struct instruction *instruction,
                   const struct access_shape *shape, struct multimem *found);

// Returns the address as that of one of the variables, the first of which is 0.
struct value multimem_address(struct thread_builder *thread, const struct multimem *multimem,
                              unsigned copy);

// --- cancel.c ----------------------------------------------------------------------------------

// What a clusterlaunchcontrol.try_cancel answers.
struct cancellation {
    const struct place *place;     // of the thread that asks
    unsigned number;               // from 1 on
    const struct expr *asked;      // one bit: the request is executed
    const struct expr *is_success; // one bit
    const struct expr *bits;       // 128 bits, the upper 96 of which say which CTA
    struct cancellation *next;
};

// Finds the threads whose CTAs may be cancelled: those of a launch with requests. Before all
// threads are run.
void cancel_find_threads(struct builder *builder);

// Returns whether the CTA of a thread is cancelled, so that the thread executes nothing (one bit).
const struct expr *cancel_of_thread(struct builder *builder, int thread);

// Sets program->given: a CTA is cancelled by a request that is executed, and a request cancels one.
// After all threads have been run.
void cancel_set_given(struct builder *builder);

// --- chosen.c ----------------------------------------------------------------------------------

// By thread, in the order in which they are met.
struct chosen_number {
    int thread;
    const struct expr *bits;
    struct value_set values;
};

struct chosen_numbers {
    struct arena *arena;
    struct chosen_number *items;
    size_t count;
    bool sought; // they are being looked for
};

// Finds the values of all such coordinates of a test, by running its threads. Returns NULL where it
// has no tensor copies; the result is in the arena of the setup.
struct chosen_numbers *chosen_find(const struct build_plan *plan, struct arena *arena);

#endif
