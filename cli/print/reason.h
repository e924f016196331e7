// The line on the page of a verdict that says why.
#ifndef PTXLITMUS_CLI_PRINT_REASON_H
#define PTXLITMUS_CLI_PRINT_REASON_H

#include "cli/report/report.h"

#include <stdio.h>

struct arena;

// Prints why the verdict is as it is, in a line that names the command that says more; nothing
// where `report->why` is NULL or does not know.
void reason_print(FILE *out, struct arena *arena, const struct report *report);

#endif
