// The printers. Each writes to a stream that the caller flushes and checks.
#ifndef PTXLITMUS_CLI_PRINT_PRINT_H
#define PTXLITMUS_CLI_PRINT_PRINT_H

#include "cli/report/report.h"
#include "litmus/source/diagnostics.h"

#include <stdio.h>

struct arena;

// herd's log, in the grammar that herdtools' mcompare7 reads.
void print_log(FILE *out, struct arena *arena, const struct report *report);

// One JSON object on a line (litmus-format.md section 3).
void print_json(FILE *out, struct arena *arena, const struct report *report);

// The JSON object of an error in the input, on a line. `index` is as in struct report.
void print_json_error(FILE *out, struct arena *arena, const struct diagnostic *diagnostic,
                      size_t index);

// A JSON object on a line, in the way of the two above.
struct json_t;
void print_json_line(FILE *out, const struct json_t *object);

// Give an object a field and an array an item; the value is given away. What JSON cannot say, such
// as bytes that are no UTF-8, is a bug: it must not go missing.
void json_field(struct json_t *object, const char *name, struct json_t *value);
void json_item(struct json_t *array, struct json_t *value);

// A table of states and the verdict in words.
void print_text(FILE *out, struct arena *arena, const struct report *report);

// The solver's statistics, on a line.
void print_stats(FILE *out, struct arena *arena, const struct report *report);

#endif
