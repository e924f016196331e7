// Runs a command and tells what it took: its exit status (128 and the signal's number after one),
// the milliseconds of processor time of it and its processes, those by the clock, and the most KiB
// that one of them had resident.
//
// usage: measured COMMAND [ARGUMENT...]     (the last line of its stdout; the command's go to
// stderr)
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long milliseconds(const struct timeval *time) {
    return time->tv_sec * 1000 + time->tv_usec / 1000;
}

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: measured COMMAND [ARGUMENT...]\n");
        return 2;
    }
    long begin = now();
    pid_t pid = fork();
    if (pid == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO);
        execvp(argv[1], argv + 1);
        perror(argv[1]);
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (pid < 0 || waitpid(pid, &status, 0) != pid || getrusage(RUSAGE_CHILDREN, &usage) != 0) {
        perror("measured");
        return 2;
    }
    printf("%d %ld %ld %ld\n", WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
           milliseconds(&usage.ru_utime) + milliseconds(&usage.ru_stime), now() - begin,
           usage.ru_maxrss);
    return 0;
}
