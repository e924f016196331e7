// What a launch that was run once has shown, in lines.
#ifndef PTXLITMUS_CLI_PRINT_LAUNCHED_H
#define PTXLITMUS_CLI_PRINT_LAUNCHED_H

#include "check/report/launched_races.h"
#include "check/report/report.h"
#include "launch/launch.h"

#include <jansson.h>
#include <stdio.h>

// Prints the line that says how a kernel was launched of which that was derived; nothing for
// another test.
void launched_print_derived(FILE *out, struct arena *arena, const struct report *report);

// Whether the launch was derived, and its threads share nothing: with another one they might.
bool launched_shares_nothing(const struct report *report);

// What is said then, in place of "free".
extern const char launched_nothing_shared[];

// Returns the races that the run of a report has met, `*count` of them, each with the reason that a
// search of fewer threads has found, else as the run shows; the arena owns them.
struct launched_race *launched_found(struct arena *arena, const struct report *report,
                                     size_t *count);

// Prints what the run of a report has met, and what the answer rests on; nothing where it was not
// run.
void launched_print(FILE *out, struct arena *arena, const struct report *report);

// Returns the races that the run has met, as findings_json returns those of a search; the caller
// releases them. The report has a run.
json_t *launched_findings_json(struct arena *arena, const struct report *report);

// Returns what the answer rests on as an object, which the caller releases: how many threads were
// run and how many instructions, and why one run does not decide. The report has a run.
json_t *launched_json(struct arena *arena, const struct report *report);

#endif
