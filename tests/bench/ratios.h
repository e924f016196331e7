// What the program costs compared with the empty program, over many runs: a cold start, and a test
// in a batch.
#ifndef PTXLITMUS_BENCH_RATIOS_H
#define PTXLITMUS_BENCH_RATIOS_H

#include "tests/bench/series.h"

struct ratio {
    const char *title;
    size_t tests, runs;
    struct cost cost, empty; // medians, of one test
    double aim;              // cost.ms / empty.ms should be at most this; 0: none
};

// In all of these, `runs` is at most SAMPLES_MAX.

// A cold run of the README's first test, from the start of the process to its end; and, run in turn
// with that, one with CaDiCaL where the program has it. `*count` is how many were measured. False,
// after a message on stderr, when it cannot be measured; so too below.
bool ratio_cold(const struct setup *setup, size_t runs, struct ratio ratios[2], size_t *count);

// The library and so many random classic shapes, outcome lists included, a test: in one process,
// and, run in turn with that, in two.
bool ratio_batch(const struct setup *setup, size_t runs, unsigned shapes, struct ratio ratios[2]);

#endif
