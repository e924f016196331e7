// Races for people and for JSON: the two instructions, and an execution in which they race.
#ifndef PTXLITMUS_CLI_PRINT_RACES_H
#define PTXLITMUS_CLI_PRINT_RACES_H

#include "cli/report/report.h"

#include <jansson.h>
#include <stdio.h>

struct arena;

// The races of a report, each with its execution, an access a line.
void races_print(FILE *out, struct arena *arena, const struct report *report);

// The same as an array of objects, which the caller owns.
json_t *races_json(struct arena *arena, const struct report *report);

#endif
