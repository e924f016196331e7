// What `check` finds, as a reader wants it: the races of two places once, however many threads race
// there, each with its reason.
#ifndef PTXLITMUS_CHECK_REPORT_FINDINGS_H
#define PTXLITMUS_CHECK_REPORT_FINDINGS_H

#include "check/report/report.h"

#include <stddef.h>

struct arena;
struct event_names;

// A flag with two places that have it.
struct race_finding {
    const struct race *race; // the first one of these places
    const char *keys[2];     // the places, as texts to compare
    size_t pairs;            // of threads that race there, this one included
    const char *why;         // what does not order them, a sentence without a full stop; or NULL
};

struct findings {
    struct race_finding *items; // owned by the arena, in the order of the races
    size_t count;
};

// Returns the races of a report by their places: lines of the source where these are known, else
// instructions.
struct findings findings_of(struct arena *arena, const struct report *report);

// Returns what a thread is called: "P1", or "thread 5 of block 1" of a launch; owned by the arena.
const char *finding_thread(struct arena *arena, const struct report *report, int thread);

// Returns what an access does: "data[0] read by thread 0 of block 1"; owned by the arena.
const char *finding_access(struct arena *arena, const struct report *report,
                           const struct event *event, const struct event *other);

// Returns what a variable is called, as a user has named it: "full" for a variable inside a
// function; owned by the arena.
const char *finding_variable(struct arena *arena, const char *name);

// Returns names of events for sentences: "the load at flag.cu:10"; owned by the arena.
struct event_names finding_names(struct arena *arena, const struct report *report);

#endif
