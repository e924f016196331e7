// What a launch that was run once says of a test, as outcomes.
#ifndef PTXLITMUS_CHECK_LAUNCHED_H
#define PTXLITMUS_CHECK_LAUNCHED_H

#include "launch/launch.h"
#include "solver/solver.h"

struct arena;
struct check_options;
struct model;
struct report;
struct system_list;

// Whether running a test may answer what `check` asks under these systems and options: the model is
// that of the ISA, for all targets, and every thread is served.
bool launched_may_answer(const struct system_list *systems, const struct check_options *options);

// Returns the outcomes of a test by what its run has shown, of which only flags and termination are
// known. The launch is not open. They live in `arena`.
struct outcomes *launched_outcomes(struct arena *arena, const struct program *program,
                                   const struct model *model, const struct solver_options *options,
                                   const struct launch_result *launched);

// Whether a fault that a run has met is the answer rather than what a search says, which has
// outcomes: it has not decided, or, of some of the threads that were run, found none.
bool launched_says_more(const struct launch_result *launched, const struct report *searched);

#endif
