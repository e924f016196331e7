// Sets of values that an expression may have, over all executions: exact up to VALUE_SET_MAX
// values, else everything up to a bound. They serve to find the places that a computed address may
// touch, and the bytes in which the values of a location differ.
//
// Sets are passed by value. Their `values` belong to an arena and are never changed, so sets may
// share them. No function fails.
#ifndef PTXLITMUS_PROGRAM_EXPR_VALUE_SET_H
#define PTXLITMUS_PROGRAM_EXPR_VALUE_SET_H

#include "litmus/source/bits.h"
#include "program/expr/expr.h"

struct arena;

enum { VALUE_SET_MAX = 64 };

struct value_set {
    bool any;     // every value up to `most`; then `count` is 0
    uint128 most; // where `any`
    unsigned count;
    uint128 *values; // sorted, each once
};

// Returns the set of one value.
struct value_set value_set_of(struct arena *arena, uint128 value);

// Returns the same set, whose values `arena` has.
struct value_set value_set_copy(struct arena *arena, struct value_set set);

// Returns the set of every value of `width` bits, at most 128 of them.
struct value_set value_set_any(unsigned width);

// Returns the set of every value up to the largest of `set`, which is not empty.
struct value_set value_set_up_to(struct value_set set);

// Returns the values of both sets, or everything up to the largest when they are too many.
struct value_set value_set_union(struct arena *arena, struct value_set a, struct value_set b);

// Whether two sets are the same.
bool value_set_equal(struct value_set a, struct value_set b);

// Returns a mask of the bits that are not the same in all values of the set.
uint128 value_set_varying(struct value_set set);

// Returns all values of `size` bytes (at most 16) in which each byte is that of some value of the
// set.
struct value_set value_set_mixes(struct arena *arena, struct value_set set, unsigned size);

// Returns the set of an operation's values, given its operands' sets. `expr` may be a constant, but
// no other leaf: only the caller knows the values of those.
struct value_set value_set_apply(struct arena *arena, const struct expr *expr,
                                 const struct value_set *operands);

#endif
