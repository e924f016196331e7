// The races that one run of a launch has met, by their places.
#ifndef PTXLITMUS_CHECK_REPORT_LAUNCHED_RACES_H
#define PTXLITMUS_CHECK_REPORT_LAUNCHED_RACES_H

#include "check/report/report.h"
#include "launch/launch.h"

struct arena;

// A race that a run has met, of all of two places.
struct launched_race {
    const struct launch_race
        *race;        // the first one there, the access first that is first in the text
    const char *name; // of its flag
    const char *places[2];
    const char *accesses[2]; // "data[0] read by thread 0 of block 1"
    const char *why;         // why nothing orders them, as far as the run shows
    size_t pairs;            // of accesses there
    bool stores_alike;       // all of these store, and both of a pair the same value
};

// Returns the races that a run of the test of a report has met, `*count` of them; the arena owns
// them.
struct launched_race *launched_races(struct arena *arena, const struct report *report,
                                     const struct launch_result *launched, size_t *count);

// Whether a race is at these two places, in either order.
bool launched_race_is_at(const struct launched_race *shown, const char *const places[2]);

#endif
