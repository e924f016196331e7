// Interrupts: SIGINT (Ctrl-C) and SIGTERM.
#ifndef PTXLITMUS_CLI_JOBS_SIGNALS_H
#define PTXLITMUS_CLI_JOBS_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

struct solver;

// What the first interrupt does, by what the program is at.
enum interrupt_stage {
    STAGE_READING, // before tests run: it ends the program, with a message
    STAGE_RUNNING, // it is noted, and interrupts the solver; the rest is not run
    STAGE_WRITING, // the reader may not be reading: it waits a second for it, and then ends the
                   // program with a message and status 4
};

// From here on the first SIGINT or SIGTERM is one for STAGE_READING, until another stage is set,
// and a second one ends the program at once with status 130. An abort (a broken invariant) ends it
// with status 4.
void signals_install(void);

// Sets the status with which an interrupt ends the program in STAGE_READING.
void signals_set_status(int status);

// Sets the stage.
void signals_set_stage(enum interrupt_stage stage);

// The signal that tells a worker process to end its test soon, as an interrupt would.
#define SIGNAL_OF_WORKERS SIGUSR1

// The signal by which time passes for limits (cli/jobs/limits.h).
#define SIGNAL_OF_LIMITS SIGVTALRM

// In a worker, a process that has inherited what its parent installed: ignores SIGINT and SIGTERM,
// which reach the parent as well, and calls `interrupted` at a SIGNAL_OF_WORKERS; that happens in
// the handler, so it has to be safe there.
void signals_in_worker(void (*interrupted)(void));

// Sets the solver that an interrupt is for from now on; it is borrowed until signals_forget.
void signals_aim(struct solver *solver);

// Forgets the solver, which may be freed afterwards.
void signals_forget(void);

// Whether SIGINT or SIGTERM came.
bool signals_interrupted(void);

#endif
