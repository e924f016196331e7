// The line on the page of a verdict that says why.
#ifndef PTXLITMUS_CLI_PRINT_REASON_H
#define PTXLITMUS_CLI_PRINT_REASON_H

#include "check/report/report.h"

#include <stdio.h>

struct arena;

// Returns why it is not known why the verdict is as it is: what has cut the search, in words; NULL
// where it is known, or was not asked for. The text lives for ever.
const char *reason_lost(const struct report *report);

// Prints why the verdict is as it is, or that this is not known, and a line that names the command
// that says more. Nothing where `report->added->why` is NULL, or where the verdict is open.
void reason_print(FILE *out, struct arena *arena, const struct report *report);

#endif
