// Repairs and relaxed forms for people.
#ifndef PTXLITMUS_CLI_PRINT_CHANGES_H
#define PTXLITMUS_CLI_PRINT_CHANGES_H

#include "check/report/report.h"
#include "cli/options/options.h"
#include "repair/repair.h"

#include <stdio.h>

// Prints what a search has found, for people; `report` is about the test as it is.
void print_changes_text(FILE *out, struct arena *arena, const struct report *report,
                        const struct repair *repair);

#endif
