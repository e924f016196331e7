// Tensor memory and its instructions: tcgen05 (PTX ISA 9.7.16).
#ifndef PTXLITMUS_LAUNCH_TENSOR_H
#define PTXLITMUS_LAUNCH_TENSOR_H

#include "launch/internal.h"

// Operations by what waits for them: a tcgen05.wait::ld, a tcgen05.wait::st, or a tcgen05.commit.
enum tensor_group { TENSOR_LOADS, TENSOR_STORES, TENSOR_COMMITTED, TENSOR_GROUPS };

// Operations by the pipelines that they form (PTX ISA 9.7.16.6.2).
enum tensor_kind {
    TENSOR_IS_PRODUCT,
    TENSOR_IS_COPY,
    TENSOR_IS_SHIFT,
    TENSOR_KINDS,
    TENSOR_IS_LOAD = TENSOR_KINDS,
    TENSOR_IS_STORE,
};

// Which of the thread's own operations that commits track are before something: by kind, the last
// one. All earlier ones of that kind are, too.
struct tensor_reach {
    uint32_t before[TENSOR_KINDS];
};

// What a thread has of tensor memory. Its operations have numbers from 1 on, for each group.
struct lane_tensor {
    uint32_t issued[TENSOR_GROUPS];
    uint32_t waited[TENSOR_GROUPS]; // loads and stores for which it has waited
    struct clock *resumed; // what it had heard at its last fence::after_thread_sync, or NULL
    struct tensor_reach reach[TENSOR_KINDS]; // what is before some operation of a kind
    // The same of other operations, when the last one that commits track was started:
    struct clock *resumed_then;
    uint32_t waited_then[TENSOR_GROUPS];
};

// An operation that a thread starts.
struct tensor_operation {
    struct machine *machine;
    struct lane *lane;
    const struct instruction *instruction;
    struct block *blocks[2]; // in which it takes place: that of the thread, and its peer
    unsigned block_count;
    enum tensor_group group;
    enum tensor_kind kind;
    uint32_t number;            // of its thread and group
    uint32_t shape;             // of a product
    uint32_t accumulator;       // the same: the address of D
    struct tensor_reach before; // its thread's operations that it comes after
};

// Cells of tensor memory, 32 bits in each column of each lane.
struct tensor_cells {
    unsigned lane, lanes;
    unsigned column, columns;
    bool are_rough; // more than what is accessed
};

// --- tensor.c: operations ------------------------------------------------------------------------

// Runs an instruction of tensor memory.
bool run_tensor(struct machine *machine, struct lane *lane, const struct instruction *instruction);

// Adds the actors of such operations to those of the machine. Needs the blocks.
void tensors_start(struct machine *machine);

// Frees what they have.
void tensors_free(struct machine *machine);

// Notes that all that a thread has started is done.
void tensor_finish(const struct machine *machine, const struct lane *lane, struct clock *clock);

// Whether a thread waits for others of its warp.
bool tensor_is_awaited(const struct lane *lane);

// --- tensor_memory.c: cells, and their allocation
// -------------------------------------------------

// Notes that an operation accesses cells of a block's tensor memory. Returns false when the run is
// over.
bool tensor_touch(const struct tensor_operation *operation, struct block *block,
                  const struct tensor_cells *cells, bool writes);

// Looks whether the lanes of a warp that come to an instruction together give the same address and
// the same number of columns: else it is undefined (PTX ISA 9.7.16.7.1, 9.7.16.8.3, 9.7.16.8.4).
// Returns false when the run is over.
bool tensor_lanes_agree(struct machine *machine, struct lane **lanes, unsigned count);

// Runs tcgen05.alloc, .dealloc or .relinquish_alloc_permit, for all lanes of a warp.
bool tensor_run_allocation(struct machine *machine, struct lane *lane,
                           const struct instruction *instruction);

// Ends the run where tensor memory is allocated, and nothing deallocates it. Asked when all threads
// have ended.
bool tensor_is_returned(struct machine *machine);

// Finds the address of tensor memory at an operand [t]: in a launch, lane << 16 | column; in a test
// that no launch makes, the column. Returns false after giving up.
bool tensor_address(struct machine *machine, struct lane *lane,
                    const struct instruction *instruction, const struct operand *operand,
                    uint32_t *address);

// --- tensor_order.c: what comes before what ------------------------------------------------------

// Where the clocks have their parts for tensor memory: after all others, one for each group.
// Handed over: what a fence::before_thread_sync or a commit has handed over, on its way to where a
// fence::after_thread_sync takes it over. Done: what has been waited for, whatever the fences.
enum tensor_clock { TENSOR_HANDED_OVER, TENSOR_DONE, TENSOR_PARTS };

// How many parts clocks have for tensor memory.
enum { TENSOR_CLOCK_PARTS = TENSOR_PARTS * TENSOR_GROUPS };

// Notes that an operation starts: what comes before it, in `operation->before`.
void tensor_start(struct tensor_operation *operation);

// Whether an operation of a thread, of its group, kind and number, comes before another one.
bool tensor_is_before(const struct tensor_operation *later, const struct lane *lane,
                      enum tensor_group group, enum tensor_kind kind, uint32_t number);

// Whether a thread knows that an operation is complete, as a deallocation must.
bool tensor_is_done(const struct lane *lane, const struct lane *by, enum tensor_group group,
                    uint32_t number);

// Waits for all loads, or all stores, of a thread.
void tensor_end_wait(struct lane *lane, enum tensor_group group);

// Executes a fence::before_thread_sync.
void tensor_hand_over(struct machine *machine, struct lane *lane);

// Executes a fence::after_thread_sync.
void tensor_resume(struct lane *lane);

// Adds to a clock that no one else knows what comes after it in execution, whatever it acquires.
void tensor_pass_on(const struct lane *lane, struct clock *clock);

// Makes what a clock has of it be known to a thread, and no more.
void tensor_hear(struct lane *lane, const struct clock *clock);

// Adds to a clock that no one else knows what a commit of the thread hands over.
void tensor_commit_to(const struct lane *lane, struct clock *clock);

#endif
