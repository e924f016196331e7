// A test unrolled into events: what the solver encodes and what the oracle enumerates.
//
// Threads have become straight lines of guarded events (if-conversion): each event has the
// condition under which it executes, and its address and value are expressions over the values of
// reads. Memory is cut into cells so that every access covers whole cells, and where a read can be
// seen to take its bytes from several writes, they are in cells of their own. (memory-model
// sections 1 and 2, D41)
#ifndef PTXLITMUS_PROGRAM_H
#define PTXLITMUS_PROGRAM_H

#include "program/expr/expr.h"
#include "litmus/test.h"

struct arena;
struct diagnostics;

// A variable in memory: one per program, CTA or thread as its state space says (D13).
struct object {
    const char *name;  // as the test spells it; instances of .shared share it
    unsigned variable; // index into test->variables of the physical variable
    enum state_space space;
    int instance;  // .shared: index of a thread of its CTA; .local: of its thread; else -1
    uint64_t size; // bytes
};

// A virtual address range of an object. Every object has one for itself (of the generic proxy);
// each variable declared `aliases` adds another. Different virtual addresses are not morally strong
// to each other (D4) but share the object's memory (D5).
struct virtual_range {
    unsigned object;
    unsigned variable; // index into test->variables of the name
    uint64_t address;  // base, generic; ranges ascend and do not overlap
};

// A piece of an object of which a read takes all bytes from one write. Cells of one object ascend
// and do not overlap, and cover what some access or the condition names.
struct cell {
    unsigned object;
    uint64_t offset;
    unsigned size; // bytes, 1 to 16
};

// One place that an access may touch.
struct candidate {
    unsigned range;  // index into virtual_ranges
    unsigned object; // of that range
    uint64_t offset;
    unsigned first_cell, cell_count;
    const struct expr *condition; // one bit: the address is this one; constant 1 when static
};

// A dependency from a read of the same thread (D7, D42).
struct dependency {
    unsigned event;               // the read
    const struct expr *condition; // one bit: the path on which it holds; constant 1 nearly always
};

struct dependency_list {
    struct dependency *items;
    size_t count;
};

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

// What reads and writes have.
struct event_access {
    bool is_red;              // of a red, or of an atom without a result
    int rmw;                  // the other event of an atom or red, or -1
    const struct expr *value; // what it writes, 8*size bits; of a read: its own EXPR_READ
    const struct expr *undef; // one bit: that value depends on an unknown initial value
};

// Operations on mbarriers (PTX ISA 9.7.13.15): reads and writes of the state of the object, which
// is its 64 bits here (mbarrier_state.h). Those that change it are a read and a write, as an
// atomic operation is.
enum mbarrier_kind {
    MBARRIER_KIND_INIT,     // a write
    MBARRIER_KIND_INVAL,    // a write
    MBARRIER_KIND_ARRIVE,   // a read and a write
    MBARRIER_KIND_TX,       // expect_tx, complete_tx: both
    MBARRIER_KIND_RAISE,    // of cp.async.mbarrier.arrive: one more arrival is pending: both
    MBARRIER_KIND_COMPLETE, // what an asynchronous operation does when it is complete: both
    MBARRIER_KIND_WAIT,     // test_wait, try_wait: a read
    MBARRIER_KIND_LOOK,     // check_layout: a read
};

// What their events have.
struct event_mbarrier {
    enum mbarrier_kind kind;
    const struct expr *phase;     // that the operation finds; of an init, that it begins
    const struct expr *passed;    // of a wait (one bit): its result, else NULL
    const struct expr *undefined; // one bit: PTX does not define it in the state that it finds
    const struct expr *asked;     // of a wait: the parity, or the state, for which it asks
    // Of a wait that asks by a state: the writes of the arrivals that return states, each with the
    // condition (one bit) that the state is that one's.
    struct dependency_list states;
    unsigned number;   // of the write of an arrival that returns a state: which one, from 1 on
    unsigned arrivals; // that an operation makes
    bool plain;        // and it does no more than that
    bool changes;      // it changes how many the phase at hand or later ones expect
    // Of a wait, one bit: threads that the launch leaves out could complete the phase that it
    // finds. Else NULL.
    const struct expr *completable;
    // Of a wait: the writes of arrivals and of other operations that signal, each with the
    // condition (one bit) that the wait's result is 1 and the write's phase was the one before the
    // phase that the wait finds.
    struct dependency_list phases;
    // Of the write of an arrival: itself, on the condition that it is in a phase after the first
    // one, and the waits, each on the condition that its result is 1 and it finds the arrival's
    // phase.
    struct dependency_list waited;
    // Of the write of an arrival: threads that the launch leaves out may wait for the phase before
    // its own, so that `waited` says nothing.
    bool others_wait;
};

// Asynchronous operations (PTX ISA 8.9.1.1, memory-model section 16). Where a thread starts one
// it has an EVENT_ISSUE, in program order, which touches no memory. The work is done by a thread of
// its own, as it were: its events are in the place of the issuing thread and in no program order.
// They come one after the other as their steps do; those of one step are in no order.
enum async_step {
    ASYNC_ISSUE,      // the EVENT_ISSUE itself
    ASYNC_MAP,        // the tensormap
    ASYNC_READ,       // a part of the source
    ASYNC_READ_FENCE, // the implicit proxy fence for what was read
    ASYNC_WRITE,      // a part of the destination
    ASYNC_FENCE,      // the implicit proxy fence for what was written
    ASYNC_COMPLETE,   // the operation on the mbarrier that says that it is complete
    ASYNC_WAIT,       // an EVENT_ASYNC_WAIT
};

// What events of asynchronous operations have.
struct event_async {
    enum async_step step;
    unsigned issue; // the EVENT_ISSUE of the operation; of a WAIT: itself
    int place;      // the thread in whose CTA it takes place (D18)
    // Of what a multicast does for one of its CTAs: the rank of that and 1; of its reads: 0.
    unsigned target;
    enum state_space space; // of a part: the space that the instruction names for it
    // Of an ISSUE, 32 bits: the number of its group in its thread, for operations that are in one.
    const struct expr *group;
    // Of an ISSUE of a product of matrices, one bit: its registers are used as PTX does not define
    // (thread/uses.c). Else NULL.
    const struct expr *undefined;
    // Of the first write of an answer of clusterlaunchcontrol.try_cancel, one bit: it says that
    // nothing was cancelled. Else NULL.
    const struct expr *failed;
    // Of an ISSUE of clusterlaunchcontrol.try_cancel in a launch: its number, from 1 on. Else 0.
    unsigned request;
    bool of_a;     // the read of a tcgen05.mma of its A in shared memory
    bool of_shape; // of a tensor copy, for one of several shapes that its map may have
    // Of an ISSUE of a tcgen05.mma: the rows of D, and in the upper half its columns. Else 0.
    unsigned shape;
    // Of a COMPLETE and of a WAIT: the reads, writes and fences of operations that are complete
    // then, each with the condition (one bit) on which it is one.
    struct dependency_list done;
};

// What tcgen05.alloc and .dealloc have.
struct event_columns {
    const struct expr *first; // 32 bits: the first column
    unsigned count;
};

// What arrivals at barriers and waits have.
struct left_lanes;
struct event_barrier {
    bool is_arrival, is_wait; // one of them
    unsigned group;           // the CTA, cluster or warp: below barrier_group_count
    int instance;             // of Dat3M's dialect, else 0
    const struct expr *id;    // 32 bits; the mask of a bar.warp.sync; else 0
    const struct expr *count; // 32 bits: threads of a phase
    bool quorum;              // of Dat3M's dialect with a count: no phases
    bool exchanges;           // values between lanes of a warp, without an order of memory
    // Of one that exchanges: all lanes come to it together, as to the exchanges before it; which of
    // these it is, and 1. Else 0.
    unsigned together;
    bool never_blocks; // and nothing before it can keep one of them from coming
    // Of one that exchanges: lanes that the launch leaves out and that may change results, else
    // NULL; program_build alone looks at it.
    struct left_lanes *others;
    // Of an arrival:
    bool of_all;       // at a barrier of all threads that share it: no thread count, or theirs
    bool may_be_short; // `count` does not leave out threads that have exited
    // Threads that share the barrier and that the launch leaves out: how many there are, and how
    // many of them may be in a phase besides arrivals that are events. 0 where `of_all` says that
    // `count` is of modelled threads alone.
    unsigned left_out, may_join;
    // At a barrier all of whose phases are of all threads: which arrival of its thread it is there,
    // 32 bits, the same for all arrivals of a phase. Else NULL.
    const struct expr *rank;
    // Of a bar.red, one bit; of one that exchanges, the value that is given; else NULL.
    const struct expr *predicate, *predicate_undef;
    struct dependency_list given; // what that value depends on as written: reads, and waits
    // Of a wait:
    int arrival;             // its own thread's, for whose phase it waits; or -1
    const struct expr *lane; // of a shfl, from which it takes its value, 32 bits; else NULL
    // Of the wait of a bar.red, or of one that exchanges, else NULL: what it computes (1 or 32
    // bits), its own EXPR_REDUCED, and that as an expression over EXPR_PHASE_PAIR and the
    // predicates of arrivals.
    const struct expr *result, *result_undef;
    const struct expr *reduced, *reduced_undef;
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
           (event->instruction->to_copies && event->async != NULL &&
            event->async->step == ASYNC_WRITE);
}

// Whether an event is where a thread starts a product of matrices.
static inline bool event_is_product(const struct event *event) {
    return event->kind == EVENT_ISSUE && event->instruction->opcode == OP_WGMMA;
}

// Whether an event is where a thread starts an operation of this opcode.
static inline bool event_issues(const struct event *event, enum opcode opcode) {
    return event->kind == EVENT_ISSUE && event->instruction->opcode == opcode;
}

// Whether an event is where a thread executes an instruction of this opcode that PTX may not
// define.
static inline bool event_may_break(const struct event *event, enum opcode opcode) {
    return event->kind == EVENT_PRECONDITION && event->instruction->opcode == opcode;
}

// Whether an event is an access to tensor memory.
static inline bool event_is_in_tensor_memory(const struct event *event) {
    return event->async != NULL && event->access != NULL && event->async->space == SPACE_TENSOR;
}

// Whether an event is this synchronous tcgen05 instruction: a fence, or one about allocation.
static inline bool event_is_tensor(const struct event *event, enum opcode opcode) {
    return event->kind == EVENT_TENSOR_FENCE && event->instruction->opcode == opcode;
}

// Whether an event is where a thread executes a tcgen05 instruction of a pair of CTAs.
static inline bool event_is_of_pair(const struct event *event) {
    return (event->kind == EVENT_ISSUE || event->kind == EVENT_TENSOR_FENCE) &&
           event->instruction->of_pair && instruction_has_cta_group(event->instruction);
}

// Whether two tcgen05.mma have the same kind and shape.
static inline bool event_same_shape(const struct event *a, const struct event *b) {
    return event_issues(a, OP_TENSOR_MMA) && event_issues(b, OP_TENSOR_MMA) &&
           a->async->shape == b->async->shape &&
           a->instruction->matrix_kind == b->instruction->matrix_kind;
}

// Whether an event is a griddepcontrol.wait.
static inline bool event_is_grid_wait(const struct event *event) {
    return event->kind == EVENT_ASYNC_WAIT && event->instruction->opcode == OP_GRID_WAIT;
}

// Returns the thread in whose place an event is: its own, or one of the CTA that an asynchronous
// operation writes to (D18).
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
        return event->instruction->source_space;
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
// (PTX ISA 8.2.4, D41).
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
    return event->kind == EVENT_FENCE && event->instruction->is_init_fence;
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

// Barriers (memory-model section 6). A `bar.sync`, `.red` or `bar.warp.sync` is an arrival and a
// wait at consecutive positions; `bar.arrive` and `barrier.cluster.arrive` are arrivals, and
// `barrier.cluster.wait` is a wait: one event for each arrival that may be the thread's latest, at
// one position, of which at most one executes.
//
// A barrier is what events with equal `group`, `instance` and `id` share. Some of
// its executed arrivals make up completed phases:
// - the arrivals of a phase are of different threads, have equal `count`s, and there are that
//   many of them; or, with `may_be_short`, fewer, where `count` is at most the number of
//   threads that share the barrier, and all threads that share it and have no arrival in the phase
//   have exited, with all of their arrivals at the barrier in earlier phases (D43). Up to
//   `may_join` arrivals of a phase are not events, and `left_out` threads that share the barrier
//   are not threads of the test (section 13);
// - the phases of a barrier are in an order. When an arrival is in one, so are all earlier ones of
//   its thread at this barrier, in earlier phases.
// An executed wait passes (EXPR_PASSES) when its `arrival` is in a completed phase, so never when
// that is -1. A phase pair holds (EXPR_PHASE_PAIR) when its wait passes and its arrival is in the
// phase of the wait's `arrival`; the wait's own arrival makes such a pair with it too.
//
// With `quorum` there are no phases: a wait passes when at least `count` of its pairs
// hold. One set of executed arrivals, chosen by the solver, makes up the pairs of all waits of the
// barrier that pass and do not precede them in program order, whether or not the waits' own
// arrivals are in the set.
//
// Whatever passes does so for a reason: program order, the phase pairs that hold (arrival before
// wait) and the exits that take place (each wait of the thread before `released`) together have no
// cycle.
//
// Events after a wait in program order execute only if it passes: their `executes` say so. An
// execution is complete when every executed wait passes; only complete ones have outcomes. The
// others show that a hang is possible, provided that they are stuck, which means that no further
// phase can complete: each thread's first executed arrival at a barrier that is in no phase is one
// of too few with its count, even with `may_join` others, and they do not make up a short phase
// either, unless `left_out` threads would have to exit for that. And a wait with
// `quorum` that does not pass has fewer than `count` executed arrivals in its pairs.
struct phase_pair {
    unsigned arrival, wait; // events of one barrier that may be of one phase: all such pairs
};

// A barrier does not wait for threads that have exited (PTX ISA, exit). If all phases of a barrier
// are of all threads, `count` leaves out those that have exited; else phases may be short. So
// a wait may pass because another thread has exited, which by then has passed all of its own waits.
// An exit takes place where `condition` (one bit) holds, `released` executes and passes and, with
// `may_be_short`, its phase has fewer arrivals than its count says, and none of the thread.
struct barrier_exit {
    int thread;        // that exits
    unsigned released; // a wait of another thread
    const struct expr *condition;
    // Its value says whether, or how often, the thread comes to the barrier; it is all ones where
    // the thread stays in a spin loop.
    const struct expr *decision;
    unsigned *reads; // of the thread, by which it decides so (D48)
    size_t read_count;
};

// A way in which a thread never leaves a loop: it goes round for ever, as in the last round that it
// is unrolled to. A round that writes or meets other threads at barriers is there twice: what a
// round finds is what the one before it has left.
struct stay {
    int thread;
    size_t instruction;           // of the thread: where a round begins
    const struct expr *condition; // one bit: the thread stays, after these rounds
    // Events: the last round is from `middle` to `end`, the one before it from `first`, where first
    // is not middle. Each has the same events in the same order, but for those that are known not
    // to execute.
    size_t first, middle, end;
};

// What becomes of the threads of a program that is built to ask whether it ends: each comes to its
// end, stays in a loop, is blocked at a barrier, or, in one built with starving threads, goes no
// further since the schedule leaves it out. By thread (one bit each):
struct endings {
    struct stay *stays;
    size_t stay_count;
    const struct expr **ends;    // it comes to its end
    const struct expr **starts;  // it has begun
    const struct expr **starved; // it goes no further, somewhere after its beginning
    // One bit: some thread goes on to rounds that are not unrolled, so that the execution is not
    // known to its end; or one traps, which ends it. Where that is the bound of a loop,
    // bound_reached holds, too; else all loops that write are unrolled to so many rounds that more
    // of them are taken to show nothing new.
    const struct expr *beyond;
};

// A value that a state shows, in the order in which it is shown.
struct observed {
    const char *log_name;  // herd's spelling: "1:r0", "[x]", "x[1]", "[s_cta1]"
    const char *json_name; // the test's spelling: "P1:%r0", "x"
    const struct expr *value;
    const struct expr *undef; // one bit
    unsigned width;
    bool is_signed;
    const struct term *term; // where the test names it
};

// Which dependencies count (D42): those by which the read has influence, all as written, or none.
enum dependencies { DEPENDENCIES_SEMANTIC, DEPENDENCIES_SYNTACTIC, DEPENDENCIES_NONE };

// Steps of building that make a program smaller and change nothing that it shows: no verdict, no
// flag, no state. tests/metamorphic leaves them out, one at a time, and compares.
enum program_step {
    STEP_PRIVATE = 1 << 0,   // accesses to memory that a thread alone has go (memory/known.c)
    STEP_EXCHANGES = 1 << 1, // what lanes in lockstep exchange is known (barrier/lockstep.c)
    STEP_UNWRITTEN = 1 << 2, // so is what reads of bytes return that nothing writes
                             // (memory/unwritten.c)
    STEP_UNREACHED = 1 << 3, // events go that never execute (unreached.c)
};

struct program_options {
    enum dependencies dependencies;
    // Bound of loops (D16), except for those that end by counting after more rounds and are small.
    unsigned unroll;
    bool async_destination; // --async-place=destination (D18)
    bool whole_accesses;    // --tearing=none: no cells but those of accesses (D41)
    bool no_timeouts;       // no wait gives up by a clock, as if the test said so
    // --multimem=variable: accesses through multimem addresses are at those of the variables (D39).
    bool multimem_variables;
    unsigned left_out; // a set of enum program_step
    // Executions that rely on what is taken for granted of threads that a launch leaves out, or
    // found what these may have stored, do not count (section 13).
    bool certain;
    bool no_thin_air; // under the model, no value depends on itself (section 4); else more
                      // cells are told apart than can be seen
};

struct program {
    const struct test *test;
    struct program_options options; // with which it was built
    struct arena *arena;
    struct expr_pool *pool;
    struct object *objects;
    size_t object_count;
    struct virtual_range *virtual_ranges;
    size_t virtual_range_count;
    struct cell *cells; // sorted by object, then offset
    size_t cell_count;
    bool tears; // some are smaller than the accesses to them, or accesses are wide (D41)
    struct event
        *events;        // EVENT_INITs first (one per object that is accessed or observed), then the
    size_t event_count; // threads in order, each in program order
    size_t init_count;
    // What tensormaps may say of their tensors: a map whose number, above the address of its
    // tensor, is not 0 says what is at that number and -1.
    const struct tensor **map_tensors;
    bool async_reaches_out; // an asynchronous operation writes to the shared memory of another CTA
    struct observed *observed;
    size_t observed_count;
    const struct expr *condition;   // one bit, over EXPR_READ and EXPR_FINAL
    const struct expr *filter;      // one bit, constant 1 when there is none
    const struct expr *relies;      // one bit: see program_options' `certain`
    struct phase_pair *phase_pairs; // sorted by wait, then arrival
    size_t phase_pair_count;
    struct barrier_exit *exits;
    size_t exit_count;
    unsigned barrier_group_count;
    const bool *barrier_members;     // by group, then thread: it shares the barriers of the group
    const struct expr **thread_ends; // by thread: it comes to its end (one bit)
    // One bit: executions in which it is 0 do not count. Spin loops are one iteration, the last
    // one (and one before it where that may take part in a race), and this says that they are left
    // after it. Constant 1 without spin loops.
    const struct expr *assumption;
    // One bit: where it is 0, the program has no such execution. It says which CTAs of a launch are
    // cancelled: those that a request names which is executed, each by one.
    const struct expr *given;
    // By thread: the number of the request that cancels the launch of its CTA, or 0, where one may;
    // NULL of other threads. NULL where none may be cancelled.
    const struct expr **cancelled_by;
    // By event: the constant that a read returns in all executions that count, by the assumption;
    // NULL where it says none.
    const struct expr **assumed_values;
    // Executions that the program does not describe (one bit each, nearly always the constant 0):
    // some loop would go on past the bound (D16); some access that executes is outside of every
    // variable.
    const struct expr *bound_reached;
    const struct expr *out_of_bounds;
    // A thread ends by a trap, and the launch with it (one bit): such executions have no outcome,
    // and are not described after it.
    const struct expr *trapped;
    // The first instruction of a loop that may go on past it, and whether others may, too.
    const struct instruction *bound_loop;
    bool has_other_bound_loop;
    // A bound with which no loop goes on, where bound_reached is not 0; 0 when none is known.
    unsigned enough_rounds;
    // The same test with executions in which threads stay in spin loops: its assumption is 1. Such
    // executions have no outcome, but they may pass the bound of another loop, for whose end the
    // spin loops wait (memory-model D47): its bound_reached says so, and this program's does
    // not. The same is true of `trapped`. NULL where the assumption is 1 or both are 0: then this
    // program's say all.
    const struct program *spinning;
    // Threads of launches that have no events, and cost the solver nothing: what they access, no
    // other thread does.
    size_t idle_threads;
    // Of a program that program_build_endless has built; else NULL.
    struct endings *endings;
    // The first access whose address depends on a load, or NULL. Its places were found from what
    // loads can return when no value depends on itself: under no thin air (memory-model section
    // 4), and with dependencies. They are dropped where program_options say so; some are open where
    // it could not be decided whether they are there, and are left out too.
    const struct instruction *computed_access;
    bool dependencies_dropped, dependencies_open;
    // Some dependency as written is left out since the read has no influence (D42), and with it
    // some execution may have been ruled out.
    bool dependencies_left_out;
    bool clocks_stopped; // some thread reads a clock that shows one time, always: no wait gives up
    // What is taken for granted of threads that a launch leaves out, as sentences; those that the
    // threads' code shows are not among them.
    const char **assumptions;
    size_t assumption_count;
    const struct expr **initial_values; // by cell: use program_initial_value
    const struct expr **initial_undefs;
};

// The most events that a program may have, initial writes included: more is an error of the test.
enum { PROGRAM_MAX_EVENTS = 4096 };
// The most places that one access may touch.
enum { PROGRAM_MAX_CANDIDATES = 4096 };

// Returns the generic address at which the window of a state space begins; that of .global is 0.
// The address of a variable, as an instruction with a state space takes it, is relative to it.
uint64_t program_window(enum state_space space);

// Where the eight bytes of a tensormap have the address of the tensor, and above it a number.
enum { PROGRAM_MAP_ADDRESS_BITS = 56 };
#define PROGRAM_WINDOW_SIZE (UINT64_C(1) << 42)

// Addresses of tensor memory count columns, each of which is a cell of 32 bits in the lane at hand.
enum { TENSOR_CELL_BYTES = 4 };

// Builds the program of a test into `arena`; the test must live as long. Returns NULL after errors
// in `diagnostics` (an access outside of every variable, a register read before it was written,
// ...).
struct program *program_build(struct arena *arena, const struct test *test,
                              const struct program_options *options,
                              struct diagnostics *diagnostics);

// Builds a program of the same test in which threads may stay in loops for ever, after
// `rounds` rounds (2 to 4) or one that leaves nothing behind, and, with `starve`, may be left out
// by the schedule at any point. Its `assumption` is 1, and it has `endings`.
struct program *program_build_endless(struct arena *arena, const struct test *test,
                                      const struct program_options *options, unsigned rounds,
                                      bool starve, struct diagnostics *diagnostics);

// Whether an initial write is that of a variable that is declared as an mbarrier.
bool program_is_mbarrier(const struct program *program, const struct event *initial);

// Returns the initial value of a cell (8*size bits).
const struct expr *program_initial_value(const struct program *program, unsigned cell);

// Returns the condition (one bit) that the initial value of a cell is unknown.
const struct expr *program_initial_undef(const struct program *program, unsigned cell);

// Returns the part of a write's (or read's) value that falls into the `index`-th cell of a
// candidate, an expression of 8*cell.size bits.
const struct expr *program_cell_value(const struct program *program, const struct event *event,
                                      const struct candidate *candidate, unsigned index);

// Whether `a` precedes `b` in program order when both execute: within a thread, from a lower
// position to a higher one; at one position (elements of a vector) only from the read of an atomic
// operation to its own write.
bool program_po(const struct program *program, unsigned a, unsigned b);

#endif
