// Inside solver/: the question of solver_find, asked of a run.
#ifndef PTXLITMUS_SOLVER_ANSWER_FIND_H
#define PTXLITMUS_SOLVER_ANSWER_FIND_H

#include "solver/answer/run.h"
#include "solver/find.h"

// Asks the question of a run whose program is encoded, and calls `visit` (or none, when it is NULL)
// with the execution.
enum truth run_find(struct solver_run *run, const struct find_question *question,
                    found_visitor visit, void *context);

#endif
