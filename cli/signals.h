// Ctrl-C and its kin.
#ifndef PTXLITMUS_SIGNALS_H
#define PTXLITMUS_SIGNALS_H

#include <stdbool.h>

struct solver;

// From here on SIGINT and SIGTERM interrupt `solver` (NULL: nothing yet), and a second one ends the
// program at once with status 130. An abort (a broken invariant) ends it with status 4.
void signals_install(struct solver *solver);

// Forgets the solver, which may be freed afterwards.
void signals_forget(void);

// Whether SIGINT or SIGTERM came.
bool signals_interrupted(void);

#endif
