// The logs of tests that ran on hardware, in the format of litmus7 of the herdtools7 suite.
#ifndef PTXLITMUS_HARNESS_LOG_H
#define PTXLITMUS_HARNESS_LOG_H

#include "litmus/source/source.h"

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct diagnostics;

// A value of an outcome: "1:r0" and 1.
struct log_value {
    const char *name; // as the log of ptxlitmus has it: "1:r0", "x"
    uint64_t value;   // negative ones as two's complement
    bool is_negative;
};

// An outcome, and how often it was seen.
struct log_state {
    struct log_value *values;
    size_t value_count;
    uint64_t times;
    struct span span; // the line
};

// One run of one test.
struct log_run {
    const char *test;
    struct span span; // its name
    struct log_state *states;
    size_t state_count;
    // Of its line "Effort", where it has one.
    bool has_effort, has_control;
    uint64_t instances; // how often the test ran
    double seconds;
    uint64_t
        control; // how often the outcome of its control, a weaker test that is allowed, was seen
};

struct log_list {
    struct log_run *runs;
    size_t count;
};

// Adds the runs in a log. The grammar, by lines; others are skipped:
//
//     run    = "Test" name kind, "Histogram (" N " states)", state{N}, ..., ["Effort" name (key "="
//     value)*] state  = times (":" | "*") ">" (name "=" number ";")*
//
// The keys of "Effort" that are read are instances, seconds and control. False after errors in
// `diagnostics`: a run without a histogram, one that is cut off, a state that cannot be read, a log
// without runs. The arena owns what is added.
bool log_read(struct arena *arena, const struct source *source, struct log_list *list,
              struct diagnostics *diagnostics);

// Returns the name of a value as logs have it: "1:r0" of "P1:%r0", "x" of "[x]". The arena owns it.
const char *log_name(struct arena *arena, const char *name, size_t length);

#endif
