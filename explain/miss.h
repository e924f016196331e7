// Why a pair of events is not in a relation of the model in one execution: of the ways into the
// relation, the one on which least is missing. The dual of prove.h.
//
// What is missing are facts: marks that an event could have (an order, a scope), fences that could
// be between two events, and what cannot be changed or another execution would have.
#ifndef PTXLITMUS_EXPLAIN_MISS_H
#define PTXLITMUS_EXPLAIN_MISS_H

#include "explain/costs.h"
#include "model/cat/model.h"
#include "solver/search.h"

#include <stdbool.h>
#include <stdint.h>

struct arena;

// An event that executes, or a fence that is not there: between two neighbours of one thread.
struct miss_event {
    int event;                  // of the program; -1: a fence that is not there
    enum proxy proxy;           // then: GENERIC for a fence, else that of a proxy fence
    enum access_order order;    // of a proxy fence with one direction: that
    unsigned after, before;     // the neighbours
    bool marks[BASE_SET_COUNT]; // the base sets that it would have to be in
};

enum miss_state {
    MISS_HOLDS,    // the pair is in the relation (the event in the set)
    MISS_LACKS,    // it is not, and would have to be
    MISS_TOO_MUCH, // it is, and must not be: the right side of a difference
};

// A pair of a node, of which `a` and `b` are indices into the finder's events (one and the same for
// a set), and what follows for its operands.
struct miss {
    unsigned node;
    unsigned a, b;
    uint64_t cost;
    enum miss_state state;
    struct miss **parts; // in the order of the text; only those on the way
    size_t part_count;
};

// Costs: of a mark that is missing and of a fence, of what another execution would have, and of
// what cannot change. Sums count a fact once for each time that it is needed.
enum { MISS_MARK = 1000, MISS_FENCE = 1500 };
#define MISS_COMMUNICATION ((uint64_t)1000000)
#define MISS_FIXED ((uint64_t)1000000000)

struct miss_finder;

// What a finder adds to the events that are there.
enum miss_fences {
    MISS_NO_FENCES,
    MISS_FENCES, // those that are not .sc, and proxy fences
    MISS_ALL_FENCES,
};

// Starts looking in an execution; all arguments are borrowed. The finder lives in `arena`. NULL for
// an execution that is too large.
struct miss_finder *miss_finder_new(struct arena *arena, const struct model *model,
                                    const struct found_execution *execution,
                                    enum miss_fences fences);

// Returns an event of the finder.
const struct miss_event *miss_event_at(const struct miss_finder *finder, unsigned index);

// Returns the index of an event of the program that executes.
unsigned miss_index_of(const struct miss_finder *finder, unsigned event);

// Returns what is missing for a pair of events of the finder; with the cost COST_NEVER and no parts
// where there is no way. It lives in the finder's arena.
struct miss *miss_pair(struct miss_finder *finder, unsigned node, unsigned a, unsigned b);

// Whether with the facts that the last miss_pair found missing the pair is in its relation, as the
// model is evaluated.
bool miss_is_enough(struct miss_finder *finder, const struct miss *miss);

// Finds what is missing for a required axiom to exclude the execution: the pairs of a cycle, or one
// pair, in `*misses`, of which it returns the number; 0 where marks and fences alone do not do.
// That they do has been evaluated, with every order of the fence.sc that are new.
size_t miss_axiom(struct miss_finder *finder, const struct model_axiom *axiom,
                  struct miss ***misses);

// Returns how many events, fences that are not there among them, the facts are about that the last
// miss_pair or miss_axiom found missing: each counts once, whatever it costs.
unsigned miss_changes(const struct miss_finder *finder);

#endif
