// Sets of outcomes: what a state shows, sorted and without repetition.
#ifndef PTXLITMUS_ORACLE_OUTCOMES_H
#define PTXLITMUS_ORACLE_OUTCOMES_H

#include "tests/oracle/wide.h"

#include <stdbool.h>
#include <stddef.h>

// One shown value; `bits` is 0 when it is unknown.
struct shown {
    bool unknown;
    u128 bits;
};

struct outcome_set {
    size_t width; // values of an outcome
    size_t count;
    size_t capacity;
    struct shown *values; // count * width, outcome by outcome in ascending order
};

// Starts an empty set of outcomes of `width` values; the caller releases it with outcomes_free.
void outcomes_init(struct outcome_set *set, size_t width);
void outcomes_free(struct outcome_set *set);

// Adds an outcome of set->width values unless it is there already.
void outcomes_add(struct outcome_set *set, const struct shown *outcome);

#endif
