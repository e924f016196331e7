// The printers. Each writes to a stream that the caller flushes and checks for errors; `arena` is
// for texts that are made meanwhile.
#ifndef PTXLITMUS_CLI_PRINT_PRINT_H
#define PTXLITMUS_CLI_PRINT_PRINT_H

#include "check/report/report.h"

#include <stdio.h>

struct arena;

// Prints herd's log, in the grammar that herdtools' mcompare7 reads.
void print_log(FILE *out, struct arena *arena, const struct report *report);

// Prints the result as one JSON object on a line (litmus-format.md section 3), with what a suite
// makes of it.
void print_json(FILE *out, struct arena *arena, const struct report *report);

// Prints a table of states and the verdict in words.
void print_text(FILE *out, struct arena *arena, const struct report *report);

// Prints what `check` says of a test.
void print_check(FILE *out, struct arena *arena, const struct report *report);

// Prints the solver's statistics, on a line.
void print_stats(FILE *out, struct arena *arena, const struct report *report);

#endif
