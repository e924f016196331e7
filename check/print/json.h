// A result as JSON (litmus-format.md section 3). `arena` is for texts that are made meanwhile.
#ifndef PTXLITMUS_CHECK_PRINT_JSON_H
#define PTXLITMUS_CHECK_PRINT_JSON_H

#include "check/report/report.h"

#include <jansson.h>
#include <stdio.h>

struct arena;
struct diagnostic;
struct record;

// Gives an object the fields that say what was run: the test, its file, the model, the target, and
// a launch that was derived.
void json_head(json_t *object, struct arena *arena, const struct report *report);

// Returns a state as an object, with a field for each value that is observed. The caller owns it.
json_t *state_json(struct arena *arena, const struct program *program, const struct state *state);

// Prints a result as one object on a line. The fields of `more`, an object which is given away or
// NULL, come before the statistics.
void print_result_json(FILE *out, struct arena *arena, const struct report *report, json_t *more);

// Prints an error in the input as a JSON object on a line. `index` is as in struct report.
void print_json_error(FILE *out, struct arena *arena, const struct diagnostic *diagnostic,
                      size_t index);

// Prints what an input came to as a whole, or some of its tests, as a JSON object on a line.
void print_json_input(FILE *out, struct arena *arena, const struct record *record);

#endif
