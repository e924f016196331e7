// How the threads fare in an execution that never ends.
#ifndef PTXLITMUS_SOLVER_ANSWER_FATES_H
#define PTXLITMUS_SOLVER_ANSWER_FATES_H

#include "solver/encode/encode.h"
#include "solver/solver.h"

// Reads the fate of each thread from the last model of the problem; `program` has `endings`. The
// result lives in `arena`.
struct thread_fate *fates_in_model(struct arena *arena, struct encoder *encoder,
                                   const struct program *program);

#endif
