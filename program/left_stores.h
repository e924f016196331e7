// What threads that a launch leaves out may store, give and order: found out before the program is
// built, and then relied on.
#ifndef PTXLITMUS_PROGRAM_LEFT_STORES_H
#define PTXLITMUS_PROGRAM_LEFT_STORES_H

#include "program/builder.h"
#include "program/left_out.h"

// A lane that is left out, by its number in its block, may change the results of exchanges.
struct left_gift {
    int cta; // the first thread of the test that is in its CTA
    unsigned number;
    int instance; // of which operation
};

struct left_stores {
    struct left_places stores, loads;
    struct left_places changes; // by operations on mbarriers, of which `stores` has none
    struct left_mbarriers mbarriers;
    bool looks_at_mbarriers;            // some thread has such an operation
    const struct instruction *requests; // of one of them, to cancel a CTA; or NULL
    bool outside;                       // some are in no object of the test
    bool trap;                          // one of the threads may trap
    // By the first thread of each CTA, where barriers are of some threads of a CTA: how many of
    // those that are left out there may arrive at each of its barriers. Else NULL.
    unsigned (*arrivals)[CTA_BARRIERS];
    bool looks_at_barriers; // some are of some threads, or of a bar.red
    unsigned counted;       // barriers, as bits, whose phases need not be of all threads
    unsigned arrives;       // barriers, as bits, at which one of them may arrive without waiting
    bool may_order;         // one of them may synchronise with others than by barriers of all
    bool may_stay;          // one of them may neither come to a barrier of its CTA nor end
    struct left_gift *gifts;
    size_t gift_count;
    bool lanes_open;     // which lanes may is not known
    bool looks_at_lanes; // some thread has such an operation
    bool gives[2];       // to a bar.red, one of them may give this predicate
    unsigned runs;
};

// --- left_out.c -------------------------------------------------------------------------------

// Finds where threads that launches leave out may store; NULL when none is left out. `setup` has
// the test and what else a run needs.
const struct left_stores *left_out_find_stores(const struct build_plan *plan, struct arena *arena,
                                               struct diagnostics *diagnostics);

// --- left_assumed.c ---------------------------------------------------------------------------

// Notes that executions in which a condition (one bit) holds rely on what is taken for granted of
// threads that are left out, or on what they may store, give or order.
void left_out_rely(struct builder *builder, const struct expr *condition);

// Does so for barriers and mbarriers; then, with program_options' `certain`, leaves all such
// executions out. After all threads, phases_build and the candidates.
void left_out_rely_on_barriers(struct builder *builder);

// Fills program->assumptions.
void left_out_list_assumptions(const struct builder *builder);

#endif
