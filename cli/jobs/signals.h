// Interrupts: SIGINT (Ctrl-C) and SIGTERM.
#ifndef PTXLITMUS_CLI_JOBS_SIGNALS_H
#define PTXLITMUS_CLI_JOBS_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

struct solver;

// From here on SIGINT and SIGTERM interrupt `solver` (NULL: no solver yet), and a second one ends
// the program at once with status 130. An abort (a broken invariant) ends it with status 4.
void signals_install(struct solver *solver);

// The signal that tells a worker process to end its test soon, as an interrupt would.
#define SIGNAL_OF_WORKERS SIGUSR1

// In a worker, a process that has inherited what its parent installed: ignores SIGINT and SIGTERM,
// which reach the parent as well, and calls `interrupted` at a SIGNAL_OF_WORKERS; that happens in
// the handler, so it has to be safe there.
void signals_in_worker(void (*interrupted)(void));

// Says whether the standard output is being written. The reader may not be reading: an interrupt
// waits a second for it, and then ends the program with a message and status 4.
void signals_writing(bool is_writing);

// Sets the solver that an interrupt is for from now on; it is borrowed until signals_forget.
void signals_aim(struct solver *solver);

// Forgets the solver, which may be freed afterwards.
void signals_forget(void);

// Whether SIGINT or SIGTERM came.
bool signals_interrupted(void);

#endif
