// What the benchmarks print and write.
#ifndef PTXLITMUS_BENCH_REPORT_H
#define PTXLITMUS_BENCH_REPORT_H

#include "tests/bench/ratios.h"
#include "tests/bench/series.h"

#include <stdio.h>

// The machine and the program, for both.
struct machine {
    char version[128], cpu[128]; // empty if unknown
    long processors;
    double load_before, load_after; // load averages of a minute
};

// The table: the heading, a part for each result, the aims. One part may be printed while the next
// is measured.
void table_heading(const struct machine *machine, FILE *file);
void table_ratio(const struct ratio *ratio, FILE *file);
void table_speedup(const struct ratio *one, const struct ratio *other, FILE *file);
void table_series(const struct result *result, unsigned limit_s, FILE *file);
void table_aims(const struct ratio *ratios, size_t ratio_count, const struct result *results,
                size_t count, unsigned limit_s, FILE *file);

// The whole as JSON; the caller owns the reference.
json_t *report_json(const struct machine *machine, const struct setup *setup,
                    const struct ratio *ratios, size_t ratio_count, const struct result *results,
                    size_t count);

#endif
