// One test under several models: a table of what each allows, and whether they differ.
#ifndef PTXLITMUS_CLI_PRINT_COMPARISON_H
#define PTXLITMUS_CLI_PRINT_COMPARISON_H

#include "cli/report/report.h"

#include <stdbool.h>
#include <stdio.h>

struct arena;

// Reports of one program, in the order of the columns. One whose `outcomes` is NULL was refused.
struct comparison {
    const struct report *reports;
    size_t count;
};

// A row for each outcome that some model allows, one for the verdicts and one for each flag, a
// column for each model; and in words what differs.
void print_comparison(FILE *out, struct arena *arena, const struct comparison *comparison);

// The same as one line of a table over all tests, for --verdict: a column for each model, then the
// name of the test. The head of that table needs no tests, only models and targets.
void print_verdict_head(FILE *out, struct arena *arena, const struct comparison *comparison);
void print_verdict_line(FILE *out, struct arena *arena, const struct comparison *comparison);

// Says of each column that is no real machine that it is none; a line each.
void print_simulated(FILE *out, const struct comparison *comparison);

// What differs: "outcomes and verdict", owned by the arena, or NULL when all is the same. What is
// not known (an undecided verdict, an outcome that a cut list does not show) differs from nothing.
// With
// --verdict, it is the verdict or nothing.
const char *comparison_difference(struct arena *arena, const struct comparison *comparison);

#endif
