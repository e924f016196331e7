// One test under several models: a table of what each allows, and whether they differ.
#ifndef PTXLITMUS_CLI_PRINT_COMPARISON_H
#define PTXLITMUS_CLI_PRINT_COMPARISON_H

#include "check/report/report.h"

#include <stdbool.h>
#include <stdio.h>

struct arena;

// Reports of one program, in the order of the columns. One whose `outcomes` is NULL was refused.
struct comparison {
    const struct report *reports;
    size_t count;
};

// Prints a table with a row for each outcome that some model allows, one for the verdicts and one
// for each flag, and a column for each model; and in words what differs.
void print_comparison(FILE *out, struct arena *arena, const struct comparison *comparison);

// Prints the head of a table over all tests, for --verdict: a column for each model, then the name
// of the test. It needs no tests, only models and targets.
void print_verdict_head(FILE *out, struct arena *arena, const struct comparison *comparison);

// Prints the comparison as a line of that table.
void print_verdict_line(FILE *out, struct arena *arena, const struct comparison *comparison);

// Prints a line for each column that is a simulated memory and not a real machine, which says so.
void print_simulated(FILE *out, const struct comparison *comparison);

// Returns what differs, "outcomes and verdict", owned by the arena, or NULL when the models agree.
// An undecided verdict, or an outcome that a cut list does not show, does not count as a
// difference. With --verdict, only the verdict is compared.
const char *comparison_difference(struct arena *arena, const struct comparison *comparison);

#endif
