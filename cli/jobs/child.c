// One process that works while this one goes on, and programs that end with this one.
#include "cli/jobs/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// Makes a descriptor what this path opens.
static void redirect(const char *path, int flags, int to) {
    int file = open(path, flags | O_CLOEXEC);
    if (file < 0 || dup2(file, to) < 0)
        _exit(EXIT_FAILURE);
    close(file);
}

// What the child's workers print goes through its own stdout, so that only what is whole is read.
static _Noreturn void do_work(pid_t parent, int out, void (*work)(void *context), void *context) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); // however the parent ends, no process is left behind
    if (getppid() != parent || dup2(out, STDOUT_FILENO) < 0)
        _exit(EXIT_FAILURE);
    close(out);
    redirect("/dev/null", O_RDONLY, STDIN_FILENO);
    redirect("/dev/null", O_WRONLY, STDERR_FILENO);
    work(context);
    fflush(stdout);
    _exit(EXIT_SUCCESS);
}

bool child_start(struct child *child, void (*work)(void *context), void *context) {
    int ends[2];
    pid_t parent = getpid();
    fflush(stdout); // what is in its buffer is the parent's to write
    if (pipe(ends) < 0)
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        do_work(parent, ends[1], work, context);
    }
    int error = errno;
    close(ends[1]);
    if (pid < 0)
        close(ends[0]);
    errno = error;
    *child = (struct child){.pid = pid, .out = ends[0]};
    return pid > 0;
}

// Waits for a process to end; returns its status.
static int status_of(pid_t pid) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

void child_end(struct child *child) {
    close(child->out);
    kill(child->pid, SIGKILL);
    status_of(child->pid);
    *child = (struct child){.out = -1};
}

// --- Other programs ------------------------------------------------------------------------------
// Between this process and a program is a guard, the first of a group of processes: it waits for
// the program, and ends the whole group when this process ends.

static void end_group(int signal_number) {
    (void)signal_number;
    kill(0, SIGKILL);
}

// Becomes the program; says the error number where that fails.
static _Noreturn void become(char *const *words, bool quiet, int errors) {
    if (quiet) {
        redirect("/dev/null", O_WRONLY, STDOUT_FILENO);
        redirect("/dev/null", O_WRONLY, STDERR_FILENO);
    }
    execvp(words[0], words);
    int error = errno;
    ssize_t written = write(errors, &error, sizeof error);
    (void)written; // then the program has failed, and why is not known
    _exit(EXIT_FAILURE);
}

static _Noreturn void guard(pid_t parent, char *const *words, bool quiet, int errors) {
    sigset_t none;
    setpgid(0, 0);
    signal(SIGTERM, end_group);
    signal(SIGINT, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
    pid_t pid = fork();
    if (pid == 0)
        become(words, quiet, errors);
    close(errors);
    int status = pid < 0 ? -1 : status_of(pid);
    _exit(WIFEXITED(status) && WEXITSTATUS(status) == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}

int child_run(char *const *words, bool quiet, bool *succeeded) {
    int ends[2], error = 0;
    pid_t parent = getpid();
    fflush(stdout);
    if (pipe(ends) < 0)
        return errno;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t pid = fork();
    if (pid == 0)
        guard(parent, words, quiet, ends[1]);
    int reason = errno;
    close(ends[1]);
    while (pid > 0 && read(ends[0], &error, sizeof error) < 0 && errno == EINTR) {
    }
    close(ends[0]);
    *succeeded = pid > 0 && status_of(pid) == 0;
    return pid < 0 ? reason : error;
}
