// The functions of Z3 that are called, by their addresses: the program looks for Z3's library when
// it first needs it, so that a run that asks another engine does without. What else is linked with
// the solver is linked with Z3, too.
#ifndef PTXLITMUS_SOLVER_BACKEND_Z3_FUNCTIONS_H
#define PTXLITMUS_SOLVER_BACKEND_Z3_FUNCTIONS_H

#include <stdbool.h>
#include <z3.h>

struct z3_functions {
#define Z3_FUNCTION(name) __typeof__(&Z3_##name) name;
#include "solver/backend/z3_functions.def"
#undef Z3_FUNCTION
};

// Makes the functions callable, unless they are. Returns NULL, or why that cannot be done, a text
// that lives for ever: then none of them may be called. Not for several threads at a time in a
// program that looks for the library itself.
const char *z3_functions_find(void);

// Whether they were not found since memory ended, rather than because the library is not there.
bool z3_functions_lacked_memory(void);

// Returns the functions, which live for ever; to be called after z3_functions_find has found them.
const struct z3_functions *z3_functions(void);

// A call: Z3(mk_config)().
#define Z3(name) (z3_functions()->name)

#endif
