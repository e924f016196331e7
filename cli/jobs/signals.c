// Signal handlers: the only mutable state outside main's run, because a handler gets no context.
#include "cli/jobs/signals.h"

#include "cli/report/exit_status.h"
#include "solver/solver.h"

#include <stddef.h>
#include <unistd.h>

static struct solver *volatile target;
static volatile sig_atomic_t interrupts, writing;
static void (*end_test)(void); // of a worker

enum { READER_SECONDS = 1 }; // for which an interrupted run waits for a reader that does not read

static void interrupt(void) {
    interrupts = 1;
    if (target) {
        solver_interrupt(target);
    }
}

static void on_interrupt(int signal_number) {
    (void)signal_number;
    if (interrupts > 0) {
        _exit(EXIT_SECOND_INTERRUPT);
    }
    interrupt();
    alarm(READER_SECONDS);
}

static void on_alarm(int signal_number) {
    (void)signal_number;
    static const char message[] = "ptxlitmus: error: cannot write the output: interrupted\n";
    if (writing) {
        ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
        (void)written;
        _exit(EXIT_INTERNAL);
    }
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
    static const char message[] = "ptxlitmus: internal error, please report it with the test\n";
    ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
    (void)written; // when even this fails, there is nothing left to do
    _exit(EXIT_INTERNAL);
}

static void handle(int signal_number, void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    struct sigaction old;
    sigemptyset(&action.sa_mask);
    sigaction(signal_number, NULL, &old);
    if (old.sa_handler != SIG_IGN) { // nohup, and a shell's background jobs: it stays ignored
        sigaction(signal_number, &action, NULL);
    }
}

void signals_install(struct solver *solver) {
    target = solver;
    handle(SIGINT, on_interrupt);
    handle(SIGTERM, on_interrupt);
    handle(SIGABRT, on_abort);
    handle(SIGALRM, on_alarm);
}

void signals_in_worker(void (*interrupted)(void)) {
    end_test = interrupted;
    struct sigaction action = {.sa_handler = on_parent, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGALRM); // which limits.c uses
    sigaction(SIGNAL_OF_WORKERS, &action, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigset_t heard;
    sigemptyset(&heard);
    sigaddset(&heard, SIGNAL_OF_WORKERS);
    sigprocmask(SIG_UNBLOCK, &heard, NULL);
}

void signals_writing(bool is_writing) {
    writing = is_writing;
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
