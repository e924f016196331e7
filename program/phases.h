// What barriers do in an execution: phases, the waits that pass, and threads that have exited.
#ifndef PTXLITMUS_PROGRAM_PHASES_H
#define PTXLITMUS_PROGRAM_PHASES_H

#include "program/expr/expr.h"

#include <stdbool.h>
#include <stddef.h>

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
//   have exited, with all of their arrivals at the barrier in earlier phases. Up to
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
    unsigned *reads; // of the thread, by which it decides so
    size_t read_count;
};

// The barriers of a program.
struct program_barriers {
    struct phase_pair *phase_pairs; // sorted by wait, then arrival
    size_t phase_pair_count;
    struct barrier_exit *exits;
    size_t exit_count;
    unsigned group_count;
    const bool *members; // by group, then thread: it shares the barriers of the group
};

#endif
