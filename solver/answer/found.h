// Executions that a search has found, read from the solver.
#ifndef PTXLITMUS_SOLVER_ANSWER_FOUND_H
#define PTXLITMUS_SOLVER_ANSWER_FOUND_H

#include "solver/encode/encode.h"
#include "solver/search.h"

// Reads the execution of the encoder's last model, with the value of every node of `model` in it.
// `ends`: what states show is read too, which must have been encoded before the check. All lives in
// `arena`. Returns NULL when the model could not be read completely.
struct found_execution *found_decode(struct arena *arena, struct encoder *encoder,
                                     const struct program *program, const struct model *model,
                                     bool ends);

#endif
