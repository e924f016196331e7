// One command, run and timed; samples of many runs.
#ifndef PTXLITMUS_BENCH_MEASURE_H
#define PTXLITMUS_BENCH_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

struct cost {
    double ms;     // wall time, from before the fork to the end of the process
    double cpu_ms; // processor time, of user and system: what other processes hardly change
};

struct run {
    struct cost cost;
    long peak_kb; // the most memory that it held
    int status;   // its exit status; 128 and the signal's number if one ended it
    bool is_late; // it was ended because its time was over
};

// Runs a command (argv[0] is a path; argv ends with NULL) with /dev/null as input and its output
// and errors in the files of these names, which are overwritten, and ends it after `limit_s`
// seconds (0: no limit). False, with errno set, when no process can be started.
bool measure_run(const char *const *argv, const char *output, const char *errors, unsigned limit_s,
                 struct run *run);

enum { SAMPLES_MAX = 256 };

// The costs of several runs.
struct samples {
    size_t count;
    double ms[SAMPLES_MAX], cpu_ms[SAMPLES_MAX];
};

// Adds the cost of a run; more than SAMPLES_MAX are dropped.
void samples_add(struct samples *samples, const struct run *run);

// The medians of at least one sample, each of its own; sorts them.
struct cost samples_median(struct samples *samples);

#endif
