// What a launch that was run once has shown, in lines.
#ifndef PTXLITMUS_CLI_PRINT_LAUNCHED_H
#define PTXLITMUS_CLI_PRINT_LAUNCHED_H

#include "check/report/report.h"
#include "launch/launch.h"

#include <jansson.h>
#include <stdio.h>

// Prints the line that says how a kernel was launched of which that was derived; nothing for
// another test.
void launched_print_derived(FILE *out, struct arena *arena, const struct report *report);

// A race that a run has met, of all of two places.
struct launched_race {
    const struct launch_race
        *race;        // the first one there, the access first that is first in the text
    const char *name; // of its flag
    const char *places[2];
    const char *accesses[2]; // "data[0] read by thread 0 of block 1"
    const char *why;         // as a search of fewer threads has found, else as the run shows
    size_t pairs;            // of accesses there
    bool stores_alike;       // all of these store, and both of a pair the same value
};

// Returns the races that the run of a report has met, `*count` of them; the arena owns them.
struct launched_race *launched_races(struct arena *arena, const struct report *report,
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
