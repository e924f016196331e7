// What it costs that pairs are in the relations of a model: the least over all ways in which a pair
// comes to be in one. Costs are added along a way and compared between ways; what a fact costs, and
// what is not a matter of ways, is for those to say who ask.
#ifndef PTXLITMUS_EXPLAIN_COSTS_H
#define PTXLITMUS_EXPLAIN_COSTS_H

#include "model/cat/model.h"

#include <stdbool.h>
#include <stdint.h>

struct arena;

#define COST_NEVER UINT64_MAX
enum { COST_STEP = 1 }; // of a closure, and of each use of a recursive name

struct cost_table {
    struct arena *arena;
    const struct model *model;
    unsigned n;    // events
    bool positive; // what a complement or a difference takes away does not matter
    const void *context;
    // Returns the cost of a pair, of an event with itself for sets, for operators that look at one
    // pair only. `costs_pair` may be asked.
    uint64_t (*pair)(const void *context, unsigned node, unsigned a, unsigned b);
    // Whether a pair costs nothing, whatever its ways are; NULL where none does. Not asked of steps
    // of closures.
    bool (*is_free)(const void *context, unsigned node, unsigned a, unsigned b);
    uint64_t **costs; // by node: n * n; NULL when not computed yet
    uint64_t *scratch;
};

// Adds two costs.
static inline uint64_t cost_plus(uint64_t a, uint64_t b) {
    return a == COST_NEVER || b == COST_NEVER ? COST_NEVER : a + b;
}

// Returns the smaller cost.
static inline uint64_t cost_least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

// Begins a table whose other fields are set: nothing is computed. It lives in its arena.
void costs_begin(struct cost_table *table);

// Computes the costs of a node, and of those that it depends on.
void costs_prepare(struct cost_table *table, unsigned node);

// Returns the cost of a pair of a node that is prepared.
uint64_t costs_of(const struct cost_table *table, unsigned node, unsigned a, unsigned b);

// Returns the cost of a pair by those of the operands, for unions, intersections, products,
// identities, inverses, ends and recursive names; COST_NEVER for other operators.
uint64_t costs_pair(const struct cost_table *table, unsigned node, unsigned a, unsigned b);

// Returns over which event a pair of a sequence comes to its cost.
unsigned costs_middle(const struct cost_table *table, unsigned node, unsigned a, unsigned b);

// Returns the events of the cheapest path from `a` to `b`, which are its first and last, with one
// step or more of `node`: an array of the table's arena, of `*steps` and one. What is left of it
// costs from each event on what `rest` says (n * n).
unsigned *costs_path(const struct cost_table *table, unsigned node, const uint64_t *rest,
                     unsigned a, unsigned b, size_t *steps);

// Returns the events of the cheapest cycle of a node that is prepared, as costs_path does; NULL
// where none costs less than `limit`.
unsigned *costs_cycle(const struct cost_table *table, unsigned node, uint64_t limit, size_t *steps);

#endif
