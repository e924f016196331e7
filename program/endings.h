// How the threads of a program end, or do not.
#ifndef PTXLITMUS_PROGRAM_ENDINGS_H
#define PTXLITMUS_PROGRAM_ENDINGS_H

#include "program/expr/expr.h"

#include <stddef.h>

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

#endif
