// The command `explain`: why a verdict is as it is.
#ifndef PTXLITMUS_CLI_COMMANDS_EXPLAIN_H
#define PTXLITMUS_CLI_COMMANDS_EXPLAIN_H

#include "cli/commands/run_internal.h"

// Explains the outcome that the options name, or the test's condition, and sets
// `report->explained`; the report has its outcomes. False after errors in `diagnostics`.
bool explain_report(struct run *run, struct arena *arena, const struct model *model,
                    struct report *report, struct diagnostics *diagnostics);

// Sets `report->added->why` for the page of a test that is run alone, where the format has a place
// for it and it takes little time: not with limits, which are for the result, and not for large
// tests.
void explain_briefly(struct run *run, struct arena *arena, const struct model *model,
                     struct report *report);

#endif
