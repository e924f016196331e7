// Signal handlers: the only mutable state outside main's run, because a handler gets no context.
#include "cli/jobs/signals.h"

#include "check/report/exit_status.h"
#include "solver/solver.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

static struct solver *volatile target;
static volatile sig_atomic_t interrupts, stage;
static volatile sig_atomic_t status_of_reading = EXIT_UNDECIDED;
static void (*end_test)(void); // of a worker

enum { READER_SECONDS = 1 }; // for which an interrupted run waits for a reader that does not read

static void interrupt(void) {
    interrupts = 1;
    if (target)
        solver_interrupt(target);
}

static _Noreturn void end_with(const char *message, int status) {
    ssize_t written = write(STDERR_FILENO, message, strlen(message));
    (void)written; // when even this fails, there is nothing left to do
    _exit(status);
}

static void on_interrupt(int signal_number) {
    (void)signal_number;
    if (interrupts > 0)
        _exit(EXIT_SECOND_INTERRUPT);
    if (stage == STAGE_READING)
        end_with("ptxlitmus: interrupted: nothing was run\n", status_of_reading);
    interrupt();
    alarm(READER_SECONDS);
}

static void on_alarm(int signal_number) {
    (void)signal_number;
    if (stage == STAGE_WRITING)
        end_with("ptxlitmus: error: cannot write the output: interrupted\n", EXIT_INTERNAL);
    alarm(READER_SECONDS);
}

// The parent says so once for each interrupt of its own, and again when its output cannot be
// written.
static void on_parent(int signal_number) {
    (void)signal_number;
    interrupt();
    end_test();
}

static void on_abort(int signal_number) {
    (void)signal_number;
    end_with("ptxlitmus: internal error, please report it with the test\n", EXIT_INTERNAL);
}

static void handle(int signal_number, void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    struct sigaction old;
    sigemptyset(&action.sa_mask);
    sigaction(signal_number, NULL, &old);
    if (old.sa_handler != SIG_IGN) // nohup, and a shell's background jobs: it stays ignored
        sigaction(signal_number, &action, NULL);
}

void signals_install(void) {
    handle(SIGINT, on_interrupt);
    handle(SIGTERM, on_interrupt);
    handle(SIGABRT, on_abort);
    handle(SIGALRM, on_alarm);
}

void signals_in_worker(void (*interrupted)(void)) {
    end_test = interrupted;
    struct sigaction action = {.sa_handler = on_parent, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGNAL_OF_LIMITS);
    sigaction(SIGNAL_OF_WORKERS, &action, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigset_t heard;
    sigemptyset(&heard);
    sigaddset(&heard, SIGNAL_OF_WORKERS);
    sigprocmask(SIG_UNBLOCK, &heard, NULL);
}

void signals_set_status(int status) {
    status_of_reading = status;
}

void signals_set_stage(enum interrupt_stage next) {
    stage = (sig_atomic_t)next;
}

void signals_aim(struct solver *solver) {
    target = solver;
}

void signals_forget(void) {
    target = NULL;
}

bool signals_interrupted(void) {
    return interrupts > 0;
}
