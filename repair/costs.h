// What changes of a test cost: weights without a unit, from costs.def or a file.
#ifndef PTXLITMUS_REPAIR_COSTS_H
#define PTXLITMUS_REPAIR_COSTS_H

#include "litmus/vocabulary.h"

#include <stdbool.h>

struct arena;
struct diagnostics;

enum cost {
#define COST(id, group, name, weight) COST_##id,
#include "repair/costs.def"
    COST_COUNT
};

struct costs {
    unsigned weights[COST_COUNT];
};

// The largest weight that a file may give.
enum { COST_MAX = 1000000 };

// Returns the weights of costs.def.
struct costs costs_default(void);

// Reads weights from a JSON file: `{"scope": {"gpu": 10}, ...}`. What it leaves out keeps the
// weight of costs.def. A wider scope or a stronger order may not cost less than a narrower or
// weaker one. Returns false after an error in `diagnostics`.
bool costs_read(struct arena *arena, const char *path, struct costs *costs,
                struct diagnostics *diagnostics);

// Returns what an access of this order and scope costs; a weak one costs nothing.
unsigned cost_of_access(const struct costs *costs, enum access_order order, enum scope scope);

// Returns what a fence of this order and scope costs.
unsigned cost_of_fence(const struct costs *costs, enum access_order order, enum scope scope);

// Returns what a barrier costs of all threads of a CTA or a cluster.
unsigned cost_of_barrier(const struct costs *costs, enum scope scope);

#endif
