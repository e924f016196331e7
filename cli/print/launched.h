// What a launch that was run once has shown, in lines.
#ifndef PTXLITMUS_CLI_PRINT_LAUNCHED_H
#define PTXLITMUS_CLI_PRINT_LAUNCHED_H

#include "check/report/report.h"

#include <jansson.h>
#include <stdio.h>

// Prints what the run of a report has met, and what the answer rests on; nothing where it was not
// run.
void launched_print(FILE *out, struct arena *arena, const struct report *report);

// Returns the same as an object, which the caller releases; NULL where it was not run.
json_t *launched_json(struct arena *arena, const struct report *report);

#endif
