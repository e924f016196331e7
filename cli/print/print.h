// The printers. Each writes to a stream that the caller flushes and checks for errors; `arena` is
// for texts that are made meanwhile.
#ifndef PTXLITMUS_CLI_PRINT_PRINT_H
#define PTXLITMUS_CLI_PRINT_PRINT_H

#include "cli/report/report.h"
#include "litmus/source/diagnostics.h"

#include <stdio.h>

struct arena;

// Prints herd's log, in the grammar that herdtools' mcompare7 reads.
void print_log(FILE *out, struct arena *arena, const struct report *report);

// Prints the result as one JSON object on a line (litmus-format.md section 3).
void print_json(FILE *out, struct arena *arena, const struct report *report);

// Prints an error in the input as a JSON object on a line. `index` is as in struct report.
void print_json_error(FILE *out, struct arena *arena, const struct diagnostic *diagnostic,
                      size_t index);

struct json_t;

// Prints a JSON object, which is borrowed, on a line, in the way of the two above.
void print_json_line(FILE *out, const struct json_t *object);

// Gives an object a field; steals the value. A value that JSON cannot express, such as bytes that
// are not UTF-8, is a bug of the caller.
void json_field(struct json_t *object, const char *name, struct json_t *value);

// Adds an item to an array, in the same way.
void json_item(struct json_t *array, struct json_t *value);

// Prints a table of states and the verdict in words.
void print_text(FILE *out, struct arena *arena, const struct report *report);

// Prints what `check` says of a test.
void print_check(FILE *out, struct arena *arena, const struct report *report);

// Prints the solver's statistics, on a line.
void print_stats(FILE *out, struct arena *arena, const struct report *report);

#endif
