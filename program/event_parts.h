// What events have by their kind: accesses, operations on mbarriers, asynchronous operations,
// arrivals at barriers and waits.
#ifndef PTXLITMUS_PROGRAM_EVENT_PARTS_H
#define PTXLITMUS_PROGRAM_EVENT_PARTS_H

#include "litmus/vocabulary.h"
#include "program/expr/expr.h"

#include <stdbool.h>
#include <stddef.h>

// A dependency from a read of the same thread.
struct dependency {
    unsigned event;               // the read
    const struct expr *condition; // one bit: the path on which it holds; constant 1 nearly always
};

struct dependency_list {
    struct dependency *items;
    size_t count;
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
    int place;      // the thread in whose CTA it takes place
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
    unsigned group;           // the CTA, cluster or warp: below barriers.group_count
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
    bool completes; // its phase is complete in every execution (barrier/completed.c)
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

#endif
