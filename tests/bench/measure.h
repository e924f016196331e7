// One command, run and timed.
#ifndef PTXLITMUS_BENCH_MEASURE_H
#define PTXLITMUS_BENCH_MEASURE_H

#include <stdbool.h>

struct run {
    double ms;    // wall time, from before the fork to the end of the process
    long peak_kb; // the most memory that it held
    int status;   // its exit status; 128 and the signal's number if one ended it
    bool is_late; // it was ended because its time was over
};

// Runs a command (argv[0] is a path; argv ends with NULL) with /dev/null as input and its output
// and errors in the files of these names, which are written anew, and ends it after `limit_s`
// seconds (0: no limit). False, with errno set, when no process can be started.
bool measure_run(const char *const *argv, const char *output, const char *errors, unsigned limit_s,
                 struct run *run);

#endif
