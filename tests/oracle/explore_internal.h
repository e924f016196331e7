// What the parts of the search share: a candidate that is being built.
#ifndef PTXLITMUS_ORACLE_EXPLORE_INTERNAL_H
#define PTXLITMUS_ORACLE_EXPLORE_INTERNAL_H

#include "tests/oracle/explore.h"

enum { UNITS_MAX = 512 };

// A part of a read that takes its bytes from one write.
struct unit {
    unsigned read;        // the event
    unsigned offset, end; // bytes of its object
    uint64_t sources;     // the events that wrote there what the read returns
    uint64_t writers;     // the events that wrote there
    unsigned source;      // the chosen one
};

struct explorer {
    const struct test *test;
    const struct shown_list *shown;
    const struct explore_options *options;
    struct explored *result;
    struct memory memory;
    struct paths paths;
    // One path for each thread, and their steps as events; event 0 is the initial write.
    const struct candidate_path *chosen[THREADS_MAX];
    unsigned first_event[THREADS_MAX];
    const struct step *steps[EVENTS_MAX]; // NULL for event 0
    struct execution x;
    // rf.
    struct unit units[UNITS_MAX];
    unsigned unit_count;
    uint64_t unread;        // reads that have no sources yet
    struct extent *extents; // of the locations that states show
    size_t extent_count;
    // Pieces of memory: cell k is these bytes.
    struct extent cells[CELLS_MAX];
    unsigned cell_count;
    uint64_t final_cells; // cells whose final value somebody asks for
    struct value final_values[CELLS_MAX];
    unsigned final_source[CELLS_MAX]; // the write that a whole one is of
    // Barriers.
    struct known_lanes known_lanes; // what lanes have read, and what others do
    unsigned phase[EVENTS_MAX];     // of an arrival, from 1 on; 0: in none
    struct rel reasons;             // of passing: phases and exits
    bool blocked;                   // some thread never leaves a barrier
    bool trapped;                   // some thread traps: whether others are done does not count
    // What these events give, kept as long as the events stay the same.
    struct given given;
    struct occurrence given_by[EVENTS_MAX];
    unsigned given_count; // of them; 0: none is kept
    // Of the candidate at hand:
    struct derived derived;
    struct causality causality;
    struct rel sc;
    struct shown *values; // scratch for one outcome
};

// Ends the search: the oracle cannot judge the test.
void explore_refuse(struct explorer *explorer, const char *reason);

// Whether another step is within the limit.
bool explore_count_step(struct explorer *explorer);

// --- Candidates (candidate.c) --------------------------------------------------------------------

// Fills events and dependencies from the chosen paths. Returns false when there are too many.
bool candidate_begin(struct explorer *explorer);

// Finds what each read may take its units from. Returns false when some has no write to take from.
bool candidate_find_units(struct explorer *explorer);

// Fills cells, sources and executed events from what the units have taken. Returns false when there
// are too many cells.
bool candidate_complete(struct explorer *explorer);

// What an event wrote into a cell.
struct value candidate_written(const struct explorer *explorer, unsigned event, unsigned cell);

// --- Barriers (memory-model section 6) --------------------------------------------------------

// Tries every way to put the arrivals of the chosen paths into phases that fits what the paths say
// of waits that pass and what bar.red returns: sets x.barrier and goes on. Returns false when the
// search is over.
bool barriers_each(struct explorer *explorer, bool (*go_on)(struct explorer *explorer));

#endif
