// Explanations for people and for programs.
#ifndef PTXLITMUS_CHECK_PRINT_EXPLANATION_H
#define PTXLITMUS_CHECK_PRINT_EXPLANATION_H

#include "check/report/report.h"

#include <stdio.h>

struct arena;

// Prints the explanation of a report (`report->explained`), which may be missing where a
// limit was reached, as text: the verdict, executions, and the axioms that they break. `tone` is
// printed around the verdict: what begins and ends its colour, or "" twice.
void print_explanation(FILE *out, struct arena *arena, const struct report *report,
                       const char *const tone[2]);

// Prints the part of it that shows why: without the verdict, which comes first, and the flags.
void print_explanation_body(FILE *out, struct arena *arena, const struct report *report);

// Returns what is explained, the state or the condition, "not (...)" of one that is to be violated;
// owned by the arena.
const char *explanation_outcome(struct arena *arena, const struct report *report);

// Prints all of it as one JSON object on a line.
void print_explanation_json(FILE *out, struct arena *arena, const struct report *report);

#endif
