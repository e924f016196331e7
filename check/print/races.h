// Races for people and for JSON: the two instructions, and an execution in which they race.
#ifndef PTXLITMUS_CHECK_PRINT_RACES_H
#define PTXLITMUS_CHECK_PRINT_RACES_H

#include "check/report/report.h"

#include <jansson.h>
#include <stdio.h>

struct arena;

// Prints the races of a report, each with its execution, one access per line.
void races_print(FILE *out, struct arena *arena, const struct report *report);

// Returns the same as an array of objects, a new reference that the caller owns.
json_t *races_json(struct arena *arena, const struct report *report);

// Prints the execution of a race, a line per read and write.
void race_execution_print(FILE *out, struct arena *arena, const struct report *report,
                          const struct race *race);

#endif
