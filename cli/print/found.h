// What `check` finds, as records that reports for programs are made of.
#ifndef PTXLITMUS_CLI_PRINT_FOUND_H
#define PTXLITMUS_CLI_PRINT_FOUND_H

#include "check/record/record.h"

// Sets the findings of the record of a report of `check`: races with both places, hangs, other
// flags, and what is not known. The arena owns them. Nothing of other commands.
void found_take(struct arena *arena, const struct report *report, struct record *record);

#endif
