// Ctrl-C and its kin.
#ifndef PTXLITMUS_CLI_JOBS_SIGNALS_H
#define PTXLITMUS_CLI_JOBS_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

struct solver;

// From here on SIGINT and SIGTERM interrupt `solver` (NULL: nothing yet), and a second one ends the
// program at once with status 130. An abort (a broken invariant) ends it with status 4.
void signals_install(struct solver *solver);

// The signal that tells a worker process to end its test soon, as an interrupt would.
#define SIGNAL_OF_WORKERS SIGUSR1

// In a worker, a process that has inherited what its parent installed: leaves SIGINT and SIGTERM to
// the parent, which they reach as well, and listens to SIGNAL_OF_WORKERS, at which it calls
// `interrupted`: in the handler, so that has to be safe there.
void signals_in_worker(void (*interrupted)(void));

// Says that the standard output is written, for which nobody may be waiting: an interrupt waits a
// second for it, and then ends the program with a message and status 4.
void signals_writing(bool is_writing);

// The solver that an interrupt is for from now on.
void signals_aim(struct solver *solver);

// Forgets the solver, which may be freed afterwards.
void signals_forget(void);

// Whether SIGINT or SIGTERM came.
bool signals_interrupted(void);

#endif
