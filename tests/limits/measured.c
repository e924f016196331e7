// Runs a command and tells what it took: its exit status (128 and the signal's number after one),
// the milliseconds of processor time of it and its processes, those by the clock, and the most KiB
// that one of them had resident.
//
// With -s it gets a SIGTERM, MS milliseconds after it can take one.
//
// usage: measured [-s MS] COMMAND [ARGUMENT...]     (the last line of its stdout; the command's go
// to stderr)
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

// Whether a process has a handler for SIGTERM, by proc(5): before that, the signal ends it at once.
static int takes_signal(pid_t pid) {
    char path[64], line[256];
    unsigned long long caught = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        sscanf(line, "SigCgt: %llx", &caught);
    if (file)
        fclose(file);
    return (caught >> (SIGTERM - 1) & 1) != 0;
}

// Sends SIGTERM so many milliseconds after the process can take it, unless it has ended.
static void interrupt_after(pid_t pid, long ms) {
    siginfo_t ended = {0};
    struct timespec pause = {.tv_nsec = 5000000};
    for (long begun = 0; begun == 0 || now() - begun < ms;) {
        if (waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 ||
            ended.si_pid == pid)
            return;
        if (begun == 0 && takes_signal(pid))
            begun = now();
        nanosleep(&pause, NULL);
    }
    kill(pid, SIGTERM);
}

int main(int argc, char **argv) {
    int first = argc > 3 && strcmp(argv[1], "-s") == 0 ? 3 : 1;
    if (argc <= first) {
        fprintf(stderr, "usage: measured [-s MS] COMMAND [ARGUMENT...]\n");
        return 2;
    }
    long begin = now();
    pid_t pid = fork();
    if (pid == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO);
        execvp(argv[first], argv + first);
        perror(argv[first]);
        _exit(127);
    }
    if (pid > 0 && first > 1)
        interrupt_after(pid, atol(argv[2]));
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
