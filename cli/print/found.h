// What is found in tests, as records that reports for programs are made of.
#ifndef PTXLITMUS_CLI_PRINT_FOUND_H
#define PTXLITMUS_CLI_PRINT_FOUND_H

#include "check/record/record.h"

// Sets the findings of the record of a report of `check`: races with both places, hangs, other
// flags, and what is not known; and the races of a test of a suite that should have none, where its
// report has findings. The arena owns them.
void found_take(struct arena *arena, const struct report *report, struct record *record);

#endif
