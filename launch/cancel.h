// Blocks that are cancelled before they start (clusterlaunchcontrol, PTX ISA 9.7.13.17,
// 9.7.13.18). Which are, and by which requests, the machine chooses: the launch is run for each way
// in which it can.
#ifndef PTXLITMUS_LAUNCH_CANCEL_H
#define PTXLITMUS_LAUNCH_CANCEL_H

#include "launch/internal.h"

// Returns the ways in which clusters of a test can be cancelled, at the first of them, in which
// none is; NULL where no thread of a launch asks. They live in `arena`.
struct cancel_ways *cancel_ways_new(struct arena *arena, const struct test *test);

// Goes on to the next way. Returns false where there is none.
bool cancel_ways_next(struct cancel_ways *ways);

// Ends the threads of those clusters that are cancelled in the way at hand; before a thread runs.
void cancel_start(struct machine *machine);

// Finds whether requests have named all clusters that are cancelled. After a run.
void cancel_end(struct machine *machine);

// Whether they have not in the last run: no execution is like it, but one in which those clusters
// run begins like it.
bool cancel_is_unasked(const struct machine *machine);

// Runs a request, or takes an answer apart.
bool run_cancel(struct machine *machine, struct lane *lane, const struct instruction *instruction);

// Notes what a thread has loaded, of `width` bits: perhaps a part of an answer.
bool cancel_observe(struct machine *machine, const struct lane *lane,
                    const struct instruction *instruction, struct step_value part, unsigned width);

#endif
