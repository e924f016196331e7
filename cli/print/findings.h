// Findings of `check` for people: a screen, not a log.
#ifndef PTXLITMUS_CLI_PRINT_FINDINGS_H
#define PTXLITMUS_CLI_PRINT_FINDINGS_H

#include "check/report/findings.h"

#include <jansson.h>
#include <stdio.h>

enum { FINDING_LABEL = 9 }; // the width of the first column

// Returns what an instruction is written as: in a .cu file its line, else the instruction; cut
// where it is long. The arena owns it.
const char *finding_text(struct arena *arena, const struct report *report,
                         const struct instruction *instruction);

// Prints the races of a report: both places of each, how many pairs of threads there are, and why
// nothing orders them; with --executions, an execution of each.
void findings_print(FILE *out, struct arena *arena, const struct report *report);

// Returns the same as an array of objects, which the caller releases.
json_t *findings_json(struct arena *arena, const struct report *report);

// Returns who never ends, a line each after one that says so; owned by the arena.
const char *hang_text(struct arena *arena, const struct report *report);

// Prints who never ends in an execution that never ends: threads that wait for the same in one
// place as one, with their number. Those that end are counted.
void hang_print(FILE *out, struct arena *arena, const struct report *report);

#endif
