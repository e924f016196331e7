// One process that works while this one goes on.
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

void child_end(struct child *child) {
    close(child->out);
    kill(child->pid, SIGKILL);
    while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    *child = (struct child){.out = -1};
}
