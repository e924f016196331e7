// Events, and what is asked of them.
#ifndef PTXLITMUS_PROGRAM_EVENT_H
#define PTXLITMUS_PROGRAM_EVENT_H

#include "litmus/instruction.h"
#include "program/cells.h"
#include "program/event_parts.h"

enum event_kind {
    EVENT_INIT, // IW: the initial write of a whole object; thread is -1
    EVENT_READ,
    EVENT_WRITE,
    EVENT_FENCE, // restricted ones too: event_is_restricted_fence
    EVENT_PROXY_FENCE,
    EVENT_BARRIER,      // one arrival or one wait: see struct phase_pair
    EVENT_ISSUE,        // where a thread starts an asynchronous operation: see struct event_async
    EVENT_ASYNC_WAIT,   // where it waits for groups of them, or for grids before its own
    EVENT_WGMMA_FENCE,  // what is before it is before the products of matrices that come after it
    EVENT_TENSOR_FENCE, // tcgen05.fence of either kind, .alloc, .dealloc, .relinquish_alloc_permit
    EVENT_GRID_LAUNCH,  // griddepcontrol.launch_dependents of a grid that has dependents
    EVENT_PRECONDITION, // an instruction that touches nothing, and that PTX does not define for all
                        // values of its operands
};

// An event has what its kind has, and is complete when program_build returns.
struct event {
    unsigned id; // index into program->events
    enum event_kind kind;
    int thread;        // index into test->threads, or -1
    unsigned position; // program order: see program_po. Elements of one vector access share a
                       // position
    const struct instruction *instruction; // its place in the text; NULL for EVENT_INIT
    enum access_order order;               // of a proxy fence with one direction: that
    enum scope scope;                      // volatile and mmio: SCOPE_SYS; weak: SCOPE_NONE
    enum proxy proxy;                      // PROXY_FENCE: its kind
    const struct expr *executes;           // one bit
    struct dependency_list addr, data, ctrl;
    // Reads of other threads that it depends on in one of these ways: threads have passed on what
    // they return.
    struct dependency_list passed;
    // Where it may be in memory: accesses, initial writes, and proxy fences that name a range of
    // 128 bytes. Others have no candidates.
    unsigned size;              // bytes
    const struct expr *address; // 64 bits; constant when static. INIT: NULL
    struct candidate *candidates;
    size_t candidate_count;          // one when the address is static
    struct event_access *access;     // of READ and WRITE, else NULL. INIT: program_initial_value
    enum state_space space;          // of FENCE and PROXY_FENCE: what it is about; GENERIC: all
    struct event_barrier *barrier;   // of BARRIER, else NULL
    struct event_mbarrier *mbarrier; // of READs and WRITEs of operations on mbarriers, else NULL
    bool from_source;          // the read of a tensormap.cp_fenceproxy, in the space of the source
    struct event_async *async; // of asynchronous operations, and of waits for them; else NULL
    struct event_columns *columns; // of tcgen05.alloc and .dealloc, else NULL
    const struct expr *broken;     // of PRECONDITION, one bit: PTX does not define it; else NULL
    // Of an access to tensor memory and of a tcgen05.dealloc: the tcgen05.alloc of the CTA, each on
    // the condition that it is about columns of these.
    struct dependency_list allocations;
    // Of an access to the shared memory of another CTA: itself and the events of the threads of
    // that CTA, on the condition that all of these come to their end.
    struct dependency_list outlives;
    // Of an access of an asynchronous operation to the shared memory of the CTA that has started
    // it: the same.
    struct dependency_list underway;
};

// Whether an event is done by an asynchronous operation, and not by its thread: it is in no program
// order.
static inline bool event_is_detached(const struct event *event) {
    return event->async != NULL && event->async->step != ASYNC_ISSUE &&
           event->async->step != ASYNC_WAIT;
}

// Whether an event accesses memory through a multimem address: of a copy to one, what it writes.
static inline bool event_is_multimem(const struct event *event) {
    return instruction_is_multimem(event->instruction) ||
           (event->instruction->copy.to_copies && event->async != NULL &&
            event->async->step == ASYNC_WRITE);
}

// Whether an event is where a thread starts a product of matrices, a wgmma or a tcgen05.mma.
static inline bool event_is_product(const struct event *event) {
    return event->kind == EVENT_ISSUE && opcode_has(event->instruction->opcode, TRAIT_PRODUCT);
}

// Whether an event is where a thread starts an operation of a family.
static inline bool event_starts(const struct event *event, enum opcode_family family) {
    return event->kind == EVENT_ISSUE && opcode_family(event->instruction->opcode) == family;
}

// Whether an event is where a thread starts an operation of this opcode.
static inline bool event_issues(const struct event *event, enum opcode opcode) {
    return event->kind == EVENT_ISSUE && event->instruction->opcode == opcode;
}

// Whether an event is an access to tensor memory.
static inline bool event_is_in_tensor_memory(const struct event *event) {
    return event->async != NULL && event->access != NULL && event->async->space == SPACE_TENSOR;
}

// Whether an event is where a thread allocates tensor memory.
static inline bool event_allocates(const struct event *event) {
    return event->kind == EVENT_TENSOR_FENCE &&
           opcode_has(event->instruction->opcode, TRAIT_ALLOCATES);
}

// Whether an event is where a thread gives tensor memory back.
static inline bool event_deallocates(const struct event *event) {
    return event->kind == EVENT_TENSOR_FENCE && opcode_has(event->instruction->opcode, TRAIT_FREES);
}

// Whether an event is where a thread executes a tcgen05 instruction of a pair of CTAs.
static inline bool event_is_of_pair(const struct event *event) {
    return (event->kind == EVENT_ISSUE || event->kind == EVENT_TENSOR_FENCE) &&
           event->instruction->of_pair && instruction_has_cta_group(event->instruction);
}

// Whether two tcgen05.mma have the same kind and shape.
static inline bool event_same_shape(const struct event *a, const struct event *b) {
    return event_starts(a, FAMILY_TENSOR) && event_is_product(a) &&
           event_starts(b, FAMILY_TENSOR) && event_is_product(b) &&
           a->async->shape == b->async->shape &&
           a->instruction->tensor.kind == b->instruction->tensor.kind;
}

// Whether two arrivals are of different threads of a warp of a launch, by different instructions,
// one of which is aligned: all threads of the warp have to execute the same (PTX ISA 9.7.13.1,
// 9.7.13.3). Each thread of a test represents only itself.
bool event_comes_apart(const struct test *test, const struct event *a, const struct event *b);

// Whether an event is a griddepcontrol.wait.
static inline bool event_is_grid_wait(const struct event *event) {
    return event->kind == EVENT_ASYNC_WAIT &&
           opcode_family(event->instruction->opcode) == FAMILY_GRID;
}

// Returns the thread in whose place an event is: its own, or one of the CTA that an asynchronous
// operation writes to (place of asynchronous work).
static inline int event_place(const struct event *event) {
    return event_is_detached(event) ? event->async->place : event->thread;
}

// Whether two events of threads are done by one thread, or by one asynchronous operation.
static inline bool event_same_thread(const struct event *a, const struct event *b) {
    unsigned x = event_is_detached(a) ? a->async->issue + 1 : 0;
    unsigned y = event_is_detached(b) ? b->async->issue + 1 : 0;
    return a->thread == b->thread && x == y;
}

// Returns the state space in which an instruction says that an access of it is.
static inline enum state_space event_state_space(const struct event *event) {
    if (event->from_source)
        return event->instruction->copy.source_space;
    return event->async != NULL ? event->async->space : event->instruction->space;
}

// Whether an event is a read or a write of a thread.
static inline bool event_is_access(const struct event *event) {
    return event->kind == EVENT_READ || event->kind == EVENT_WRITE;
}

// Whether an event is a read or a write of an operation of this kind on an mbarrier.
static inline bool event_is_mbarrier(const struct event *event, enum mbarrier_kind kind) {
    return event->mbarrier != NULL && event->mbarrier->kind == kind;
}

// Whether an event is an access of .b128, which is larger than the scalars that the model is about
// (PTX ISA 8.2.4; torn accesses).
static inline bool event_is_wide(const struct event *event) {
    return event_is_access(event) && event->size > 8;
}

// Whether an event is a fence.release.sync_restrict::shared::cta or a
// fence.acquire.sync_restrict::shared::cluster, which affect the objects in the shared memory of
// their CTA or cluster (event->space).
static inline bool event_is_restricted_fence(const struct event *event) {
    return event->kind == EVENT_FENCE && event->space != SPACE_GENERIC;
}

// Whether an event is a fence.mbarrier_init, which affects initialisations of mbarriers alone.
static inline bool event_is_init_fence(const struct event *event) {
    return event->kind == EVENT_FENCE && event->instruction->fence.is_init;
}

// Whether an event is an arrival at a barrier.
static inline bool event_is_arrival(const struct event *event) {
    return event->kind == EVENT_BARRIER && event->barrier->is_arrival;
}

// Whether an arrival synchronises with the waits of its phase: those of bar and barrier do, unless
// they are relaxed.
static inline bool event_arrival_orders(const struct event *event) {
    return event->order != ORDER_RELAXED && !event->barrier->exchanges;
}

// Whether an event is a wait at a barrier.
static inline bool event_is_wait(const struct event *event) {
    return event->kind == EVENT_BARRIER && event->barrier->is_wait;
}

// Whether an event is the read or write of an atom or red.
static inline bool event_is_atomic(const struct event *event) {
    return event_is_access(event) && event->access->rmw >= 0;
}

#endif
