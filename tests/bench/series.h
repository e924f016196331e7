// The benchmarks' plan: which families are measured at which sizes, and what came out.
#ifndef PTXLITMUS_BENCH_SERIES_H
#define PTXLITMUS_BENCH_SERIES_H

#include "tests/bench/measure.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum { SERIES_SIZES = 12 };

// What is measured.
struct series {
    const char *title;            // unique
    const char *family;           // see family.h
    const char *unit;             // of sizes
    unsigned threads;             // of a family with rounds, whose sizes are rounds; else 0
    bool is_list;                 // all outcomes are listed; else only the verdict
    unsigned sizes[SERIES_SIZES]; // ascending, ended by 0
    unsigned aim_size;            // the size that has an aim; 0: none
    double aim_ms;
};

enum point_state {
    POINT_MEASURED,
    POINT_LATE,    // it took longer than the limit
    POINT_SKIPPED, // not run, because a smaller size was late
    POINT_WRONG,   // it did not give the right verdict
};

// One size of a series.
struct point {
    enum point_state state;
    unsigned size;
    size_t runs;
    struct cost cost, empty; // medians: the program, and the reference program in turn with it
    long peak_kb;
    size_t outcomes; // of a list
    json_t *stats;   // what the program says with --stats; a reference of the point's own
};

struct result {
    const struct series *series;
    size_t count;
    struct point points[SERIES_SIZES];
};

// How it is measured, for all series.
struct setup {
    const char *program, *empty, *generate; // paths
    const char *folder;                     // for files that are made
    const char *const *options;             // further options of the program, ended by NULL
    size_t runs;                            // of each point, at most
    double enough_ms;                       // no further run of a point after so much time
    unsigned limit_s;                       // a run may take
};

// All series, and how many.
extern const struct series series_all[];
extern const size_t series_count;

// Measures a series. False, after a message on stderr, when it cannot be measured at all (a file
// cannot be written, no process started, the reference program fails). Release the result with
// series_release().
bool series_measure(const struct series *series, const struct setup *setup, struct result *result);

void series_release(struct result *result);

// The point of that size, or NULL.
const struct point *series_point(const struct result *result, unsigned size);

// What --stats counts of a point, 0 if it does not say.
double series_stat(const struct point *point, const char *name);

// The exponents with which time, variables and clauses grow; of what a fit is not possible, NAN.
// Time is how many times the empty program's processor time a point takes above it, where that is
// at least a tenth; sizes are those of the series, for lists the numbers of outcomes.
struct growth {
    double time, variables, clauses;
};
struct growth series_growth(const struct result *result);

#endif
