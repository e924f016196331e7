// Inside explain/: a search for what is missing, in progress.
#ifndef PTXLITMUS_EXPLAIN_MISS_INTERNAL_H
#define PTXLITMUS_EXPLAIN_MISS_INTERNAL_H

#include "explain/miss.h"

// A fact that has to become true, or false.
struct wanted_fact {
    unsigned node; // a base set or relation, or what has no smaller parts
    unsigned a, b;
    bool holds;
};

struct miss_finder {
    struct arena *arena;
    const struct model *model;
    const struct found_execution *execution;
    enum miss_fences fences;
    struct miss_event *events;
    unsigned n, real; // those that execute come first
    int *places;      // by event of the program: its index, -1
    struct cost_table table;
    struct wanted_fact *facts; // of the way that was read off last
    size_t fact_count;
};

// Whether an event of the finder is one of the program.
static inline bool miss_is_real(const struct miss_finder *finder, unsigned a) {
    return a < finder->real;
}

// Finds the events that execute and the fences that are not there. False when they are too many.
bool miss_find_events(struct miss_finder *finder);

// Whether a base set is that of a scope.
bool miss_is_scope(unsigned set);

// Whether a base set is the one that says of a fence that is not there that it is there: F, PF, or
// ALIAS.
bool miss_is_presence(const struct miss_event *fence, unsigned set);

// Whether a fence that is not there would be in a base set, by its kind.
bool miss_is_of_kind(const struct miss_event *fence, unsigned set);

// Whether a pair with a fence that is not there would be in a base relation.
bool miss_would_be_in(const struct miss_finder *finder, enum base_relation relation, unsigned a,
                      unsigned b);

// Returns what it costs that an event is in a base set.
uint64_t miss_set_cost(const struct miss_finder *finder, unsigned set, unsigned a);

// Returns what it costs that an event is not in a base set.
uint64_t miss_set_removal(const struct miss_finder *finder, unsigned set, unsigned a);

// Returns what it costs that a pair is in a base relation.
uint64_t miss_relation_cost(const struct miss_finder *finder, unsigned relation, unsigned a,
                            unsigned b);

// Returns the cost of a pair, of a node that is prepared (costs.h).
uint64_t miss_cost_of(const struct miss_finder *finder, unsigned node, unsigned a, unsigned b);

// Forgets the facts of the last way.
void miss_forget(struct miss_finder *finder);

// Returns a way for a pair of a node that is prepared, and adds its facts to those of the last way.
// The finder's arena owns it.
struct miss *miss_way(struct miss_finder *finder, unsigned node, unsigned a, unsigned b);

#endif
