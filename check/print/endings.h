// Whether a test ends, in words.
#ifndef PTXLITMUS_CHECK_PRINT_ENDINGS_H
#define PTXLITMUS_CHECK_PRINT_ENDINGS_H

#include "check/report/report.h"

#include <jansson.h>
#include <stdio.h>

// "always", "maybe" or "unknown".
const char *termination_text(const struct termination *termination);

// Returns how a thread fares in an execution that never ends, "goes round a loop for ever (line 5):
// reads x = 0 (line 6), nothing later is written there"; owned by the arena.
const char *fate_text(struct arena *arena, const struct report *report,
                      const struct thread_fate *fate);

// Prints who waits where, in an execution that never ends, a line per thread, each after `indent`.
// Nothing where none is known.
void endings_print(FILE *out, struct arena *arena, const struct report *report, const char *indent);

// What was asked and found, as an object. The caller releases it.
json_t *endings_json(struct arena *arena, const struct report *report);

#endif
