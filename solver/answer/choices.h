// The same execution every time: of those that a question leaves, the first one in an order that
// the program alone determines, whatever the solver finds first.
#ifndef PTXLITMUS_SOLVER_ANSWER_CHOICES_H
#define PTXLITMUS_SOLVER_ANSWER_CHOICES_H

#include "solver/backend/literals.h"
#include "solver/encode/encode.h"
#include "solver/solver.h"

// Choices in progress. The caller sets the first four fields, and zeroes the others.
struct choices {
    struct encoder *encoder;
    const struct program *program;
    enum truth (*ask)(void *context, const literal *literals, size_t count);
    void *context;
    struct literals asked; // what is asked for, and what was chosen since; the caller frees it
    size_t checks;         // that choices have taken
};

// Whether an execution is as asked for.
enum truth choices_ask(struct choices *choices);

// Takes the first of some literals that can hold; leaves all open when none can, or when enough was
// asked. False when the solver could not go on.
bool choices_take(struct choices *choices, const literal *literals, size_t count);

// Chooses where reads take their bytes from, and the orders of writes and of fence.sc: reads take
// the first write that they can, two writes are left unordered where that is possible, and what is
// written first comes first. An execution must be as asked for. False as above.
bool choices_make(struct choices *choices);

#endif
