// Repairs and relaxed forms as JSON.
#ifndef PTXLITMUS_CHECK_PRINT_CHANGES_H
#define PTXLITMUS_CHECK_PRINT_CHANGES_H

#include "check/report/report.h"
#include "repair/faults.h"

#include <stdio.h>

struct arena;

// Prints what a search has found as one object on a line; `report` is about the test as it is.
// `command` is "repair" or "relax", `faults` what is to go, if not an outcome.
void print_changes_json(FILE *out, struct arena *arena, const struct report *report,
                        const struct repair *repair, const char *command,
                        const struct fault_goal *faults);

#endif
