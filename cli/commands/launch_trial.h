// One trial of a launch that is derived: whether it is decided, and what it has met.
//
// A trial reads the launch as the answer would, runs it, and searches it where a run does not
// decide. What a trial has met tells which launch is tried next (launch_size.h).
#ifndef PTXLITMUS_CLI_COMMANDS_LAUNCH_TRIAL_H
#define PTXLITMUS_CLI_COMMANDS_LAUNCH_TRIAL_H

#include "cli/commands/launch_maps.h"
#include "cli/options/options.h"

struct arena;
struct run;

// What became of a launch.
enum launch_trial {
    LAUNCH_GIVEN,     // it is not derived
    LAUNCH_SAME,      // it is the one before
    LAUNCH_REFUSED,   // an access lies outside of every variable, or there are too many events
    LAUNCH_UNDECIDED, // in the time that it gets
    LAUNCH_LEFT_OPEN, // by one run of it, and nothing is to be searched
    LAUNCH_UNMAPPED,  // a run has met a copy by a parameter that has no tensormap yet
    LAUNCH_MISPLACED, // a run has met an access that larger variables may have a place for
    LAUNCH_FREE,      // of faults
    LAUNCH_FAULTY,
    LAUNCH_SHOWN, // one run of it has met a fault, and nothing was searched
};

// Where an instruction begins that is none of the module.
#define LAUNCH_NOWHERE UINT32_MAX

// What the last run of a trial has met.
struct trial_found {
    bool is_misplaced;    // an access is at no place
    bool is_unmapped;     // a copy is by no tensormap
    bool are_stores;      // all is two stores to one place,
    bool are_collisions;  // of shared memory
    const char *rests_on; // it may come of tensormaps that were derived; or NULL
    uint32_t raced[2];    // where the instructions begin that all races have one of
    uint32_t open_at;     // where the one begins at which it was left open
    unsigned block[3];    // of it
};

// How a trial is made.
enum trial_kind {
    TRIAL_WHOLE,     // the launch is run, and searched where that leaves it open
    TRIAL_SMALL,     // the same of a smaller block: of what a run shows, a search says more
    TRIAL_BY_RUN,    // it is not searched
    TRIAL_BY_SEARCH, // it is not run
};

enum { CONSTANTS_MAX = 8 };

// A search for a launch.
struct launch_sizing {
    struct run *run;
    struct arena *arena;
    const char *path;     // of the kernel
    const char *before;   // the launch that was tried last, in words
    const char *why;      // it was not taken
    const char *open;     // why one run of the whole launch does not decide, or NULL
    enum trial_kind kind; // of the trials that are made now
    double seconds;       // that one may take
    double end;           // of those that only run it, by watchdog_now_ms
    double deadline;      // of all
    bool names_races;     // one finds all pairs that race, as the answer does
    bool leaves;          // what is found, for the case that a limit ends the process,
    bool has_left;        // which is done: a fault is known
    bool are_alike;       // what races in one of them is one instruction of two blocks
    struct trial_found found;
    struct map_search maps;
    unsigned constants[CONSTANTS_MAX]; // that the kernel compares with, and the numbers after them
    size_t constant_count;
};

// Tries a launch. Nothing is tried that is the launch before.
enum launch_trial launch_trial_once(struct launch_sizing *sizing,
                                    const struct derived_launch *derived);

// Tries a launch; again with tensormaps, and with larger variables, where that may help: it then
// has these.
enum launch_trial launch_trial_run(struct launch_sizing *sizing, struct derived_launch *derived);

// Finds tensormaps for a launch. What its copies access is to be measured with them.
void launch_trial_find_maps(struct launch_sizing *sizing, struct derived_launch *derived);

// Returns the seconds of a trial: a part of what the user gives.
double launch_trial_seconds(const struct run *run);

// Whether no further trial begins that only runs the launch.
bool launch_trial_is_over(const struct launch_sizing *sizing);

#endif
