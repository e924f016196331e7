// Sets of values that an expression may have, over all executions: exact up to a size, else
// everything up to a bound. For finding the places that a computed address may touch, and the bytes
// in which the values of a location differ.
#ifndef PTXLITMUS_LITMUS_PROGRAM_EXPR_VALUE_SET_H
#define PTXLITMUS_LITMUS_PROGRAM_EXPR_VALUE_SET_H

#include "litmus/source/bits.h"
#include "litmus/program/expr/expr.h"

struct arena;

enum { VALUE_SET_MAX = 64 };

struct value_set {
    bool any;     // every value up to `most`; then `count` is 0
    uint128 most; // where `any`
    unsigned count;
    uint128 *values; // sorted, each once
};

struct value_set value_set_of(struct arena *arena, uint128 value);

// Every value of a width; of 128 bits where it is larger.
struct value_set value_set_any(unsigned width);

// Every value up to the largest of the set, which is not empty.
struct value_set value_set_up_to(struct value_set set);

// Results may share their operands' memory.
struct value_set value_set_union(struct arena *arena, struct value_set a, struct value_set b);

bool value_set_equal(struct value_set a, struct value_set b);

// Which bits are not the same in all values of the set.
uint128 value_set_varying(struct value_set set);

// What the bytes of several values of the set make up, each byte taken from any of them; `size`
// bytes, at most 16.
struct value_set value_set_mixes(struct arena *arena, struct value_set set, unsigned size);

// The set of an operation's values, from its operands' sets. Leaves that are no constants are the
// caller's.
struct value_set value_set_apply(struct arena *arena, const struct expr *expr,
                                 const struct value_set *operands);

#endif
