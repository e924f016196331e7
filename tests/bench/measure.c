// Runs a command, and takes its time.
#include "tests/bench/measure.h"

#include "tests/bench/statistics.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STATUS_NOT_STARTED = 127 };

static double now_ms(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1000 + (double)time.tv_nsec / 1e6;
}

static double duration_ms(struct timeval time) {
    return (double)time.tv_sec * 1000 + (double)time.tv_usec / 1000;
}

static void redirect(int descriptor, const char *path, int flags) {
    int file = open(path, flags, 0666);
    if (file < 0 || dup2(file, descriptor) < 0)
        _exit(STATUS_NOT_STARTED);
    close(file);
}

// The child's part. An alarm outlives exec, and ends the process without help from its program.
static void become(const char *const *argv, const char *output, const char *errors,
                   unsigned limit_s) {
    redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
    redirect(STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC);
    redirect(STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC);
    alarm(limit_s);
    execv(argv[0], (char *const *)(uintptr_t)argv);
    _exit(STATUS_NOT_STARTED);
}

bool measure_run(const char *const *argv, const char *output, const char *errors, unsigned limit_s,
                 struct run *run) {
    double start = now_ms();
    pid_t child = fork();
    if (child < 0)
        return false;
    if (child == 0)
        become(argv, output, errors, limit_s);
    int status;
    struct rusage usage;
    while (wait4(child, &status, 0, &usage) < 0)
        if (errno != EINTR)
            return false;
    run->cost.ms = now_ms() - start;
    run->cost.cpu_ms = duration_ms(usage.ru_utime) + duration_ms(usage.ru_stime);
    run->peak_kb = usage.ru_maxrss;
    run->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    run->is_late = WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
    return true;
}

void samples_add(struct samples *samples, const struct run *run) {
    if (samples->count == SAMPLES_MAX)
        return;
    samples->ms[samples->count] = run->cost.ms;
    samples->cpu_ms[samples->count++] = run->cost.cpu_ms;
}

struct cost samples_median(struct samples *samples) {
    return (struct cost){.ms = statistics_median(samples->ms, samples->count),
                         .cpu_ms = statistics_median(samples->cpu_ms, samples->count)};
}
