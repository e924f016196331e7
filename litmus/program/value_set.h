// Sets of values that an expression may have, over all executions: exact up to a size, else
// "anything". For finding the places that a computed address may touch.
#ifndef PTXLITMUS_VALUE_SET_H
#define PTXLITMUS_VALUE_SET_H

#include "litmus/program/bits.h"
#include "litmus/program/expr.h"

struct arena;

enum { VALUE_SET_MAX = 64 };

struct value_set {
    bool any; // every value of the width; then `count` is 0
    unsigned count;
    wide *values; // sorted, each once
};

struct value_set value_set_of(struct arena *arena, wide value);

// Results may share their operands' memory.
struct value_set value_set_union(struct arena *arena, struct value_set a, struct value_set b);

bool value_set_equal(struct value_set a, struct value_set b);

// The set of an operation's values, from its operands' sets. Leaves that are no constants are the
// caller's.
struct value_set value_set_apply(struct arena *arena, const struct expr *expr,
                                 const struct value_set *operands);

#endif
