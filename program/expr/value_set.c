// Arithmetic on sets of values: every combination is computed, while there are few.

#include "program/expr/value_set.h"

#include "program/expr/internal.h"
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"

#include <assert.h>
#include <stdlib.h>

// A width of which every value can be listed.
enum { SMALL_WIDTH = 6 };

struct value_set value_set_copy(struct arena *arena, struct value_set set) {
    if (set.count != 0)
        set.values = arena_copy(arena, set.values, set.count, sizeof *set.values);
    return set;
}

struct value_set value_set_any(unsigned width) {
    assert(width > 0);
    return (struct value_set){.any = true, .most = bits_mask(width)};
}

// The largest value; of the empty set 0.
static uint128 largest(struct value_set set) {
    return set.any ? set.most : set.count == 0 ? 0 : set.values[set.count - 1];
}

struct value_set value_set_up_to(struct value_set set) {
    return (struct value_set){.any = true, .most = largest(set)};
}

struct value_set value_set_of(struct arena *arena, uint128 value) {
    struct value_set set = {.count = 1, .values = ARENA_NEW(arena, uint128)};
    set.values[0] = value;
    return set;
}

bool value_set_equal(struct value_set a, struct value_set b) {
    if (a.any != b.any || a.most != b.most || a.count != b.count)
        return false;
    for (unsigned i = 0; i < a.count; i++)
        if (a.values[i] != b.values[i])
            return false;
    return true;
}

static int compare_values_of_set(const void *left, const void *right) {
    const uint128 *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

// Sorts a list, drops repetitions, and gives up on long ones.
static struct value_set set_from_list(struct arena *arena, uint128 *values, size_t count) {
    if (count == 0)
        return (struct value_set){0};
    qsort(values, count, sizeof *values, compare_values_of_set);
    size_t kept = 1;
    for (size_t i = 1; i < count; i++)
        if (values[i] != values[kept - 1])
            values[kept++] = values[i];
    if (kept > VALUE_SET_MAX)
        return (struct value_set){.any = true, .most = values[kept - 1]};
    return (struct value_set){.count = (unsigned)kept,
                              .values = arena_copy(arena, values, kept, sizeof *values)};
}

struct value_set value_set_union(struct arena *arena, struct value_set a, struct value_set b) {
    uint128 values[2 * VALUE_SET_MAX];
    size_t count = 0;
    if (!b.any && b.count == 0)
        return a;
    if (!a.any && a.count == 0)
        return b;
    if (a.any || b.any)
        return value_set_up_to(largest(a) > largest(b) ? a : b);
    for (unsigned i = 0; i < a.count; i++)
        values[count++] = a.values[i];
    for (unsigned i = 0; i < b.count; i++)
        values[count++] = b.values[i];
    return set_from_list(arena, values, count);
}

// The values below a bound that is not 0.
static struct value_set below(struct arena *arena, uint128 bound) {
    struct value_set set = {.any = true, .most = bound - 1};
    if (bound > VALUE_SET_MAX)
        return set;
    set = (struct value_set){.count = (unsigned)bound,
                             .values = ARENA_ARRAY(arena, uint128, (size_t)bound)};
    for (unsigned i = 0; i < set.count; i++)
        set.values[i] = i;
    return set;
}

// Lists all values of a small width in place of "anything".
static struct value_set spell_out(struct arena *arena, struct value_set set, unsigned width) {
    assert(width > 0);
    return set.any && width <= SMALL_WIDTH ? below(arena, set.most + 1) : set;
}

// --- Bits and bytes ----------------------------------------------------------------------------

uint128 value_set_varying(struct value_set set) {
    uint128 varying = 0;
    for (uint128 rest = set.any ? set.most : 0; rest != 0; rest >>= 1)
        varying = varying << 1 | 1;
    for (unsigned i = 1; i < set.count; i++)
        varying |= set.values[i] ^ set.values[0];
    return varying;
}

// Adds to `values` those of the set with byte `at` as in each of them, for each value before.
static size_t mix_byte(struct value_set set, unsigned at, uint128 *values, size_t count) {
    uint128 byte = (uint128)0xff << 8 * at;
    size_t mixed = count;
    for (size_t i = 0; i < count; i++)
        for (unsigned k = 0; k < set.count; k++) {
            uint128 value = (values[i] & ~byte) | (set.values[k] & byte);
            bool is_new = true;
            for (size_t j = 0; is_new && j < mixed; j++)
                is_new = values[j] != value;
            if (is_new && mixed > VALUE_SET_MAX)
                return mixed;
            if (is_new)
                values[mixed++] = value;
        }
    return mixed;
}

struct value_set value_set_mixes(struct arena *arena, struct value_set set, unsigned size) {
    uint128 values[VALUE_SET_MAX + 1], varying = value_set_varying(set);
    size_t count = set.count;
    if (set.any || count == 0)
        return set.any ? (struct value_set){.any = true, .most = varying} : set;
    for (size_t i = 0; i < count; i++)
        values[i] = set.values[i];
    for (unsigned at = 0; at < size; at++)
        if (varying >> 8 * at & 0xff)
            count = mix_byte(set, at, values, count);
    if (count <= VALUE_SET_MAX)
        return set_from_list(arena, values, count);
    return (struct value_set){.any = true, .most = set.values[0] | varying};
}

// --- Operations --------------------------------------------------------------------------------

static struct value_set choose(struct arena *arena, const struct value_set *operands) {
    struct value_set condition = operands[0], result = {0};
    bool may_hold = condition.any, may_fail = condition.any;
    for (unsigned i = 0; i < condition.count; i++) {
        may_hold |= condition.values[i] != 0;
        may_fail |= condition.values[i] == 0;
    }
    if (may_hold)
        result = operands[1];
    return may_fail ? value_set_union(arena, result, operands[2]) : result;
}

// All subsets of the bits of a mask: the values of anything & mask.
static struct value_set submasks(struct arena *arena, uint128 mask) {
    uint128 values[1 << SMALL_WIDTH];
    size_t count = 0;
    uint128 subset = 0;
    do {
        if (count == 1 << SMALL_WIDTH)
            return (struct value_set){.any = true, .most = mask};
        values[count++] = subset;
        subset = (subset - mask) & mask;
    } while (subset != 0);
    return set_from_list(arena, values, count);
}

// The largest value up to a bound after a shift to the left, among those up to `all`.
static uint128 shifted(uint128 most, uint128 by, uint128 all) {
    return by < BITS_MAX && most <= all >> by ? most << by : all;
}

// The largest value that an operation gives where its operands are up to a bound each; all ones of
// the width where no better bound is known.
static uint128 bound_of(const struct expr *expr, const struct value_set *operands) {
    uint128 all = bits_mask(expr->width), a = largest(operands[0]), b = 0;
    if (expr_arity(expr->op) == 2)
        b = largest(operands[1]);
    switch (expr->op) {
    case EXPR_ADD: return a <= all && b <= all - a ? a + b : all;
    case EXPR_AND: return a < b ? a : b;
    case EXPR_ZEXT: return a;
    case EXPR_UREM: return a; // by zero too (SMT-LIB)
    case EXPR_LSHR: return a;
    case EXPR_EXTRACT: return a < all && expr->index == 0 ? a : all;
    case EXPR_CONCAT: return a << expr->args[1]->width | b;
    case EXPR_SHL: return expr_is_const(expr->args[1]) ? shifted(a, b, all) : all;
    case EXPR_MUL: return b == 0 || a <= all / b ? a * b : all;
    default: return all;
    }
}

// An operation of which some operand may be anything.
static struct value_set apply_to_anything(struct arena *arena, const struct expr *expr,
                                          const struct value_set *operands) {
    for (unsigned i = 0; i < expr_arity(expr->op); i++)
        if (!operands[i].any && operands[i].count == 0)
            return operands[i]; // it has no value yet
    const struct expr *right = expr->args[1];
    if (expr->op == EXPR_AND && expr_is_const(right))
        return submasks(arena, bits_to_wide(right->value));
    if (expr->op == EXPR_UREM && expr_is_const(right) && !expr_is_zero(right))
        return below(arena, bits_to_wide(right->value));
    return (struct value_set){.any = true, .most = bound_of(expr, operands)};
}

static struct value_set apply_to_all(struct arena *arena, const struct expr *expr,
                                     const struct value_set *operands) {
    struct expr_operation operation = {
        expr->op, expr->width, expr->index, {expr->args[0], expr->args[1], expr->args[2]}};
    bool binary = expr_arity(expr->op) == 2;
    size_t columns = binary ? operands[1].count : 1, count = 0;
    uint128 *values = allocate((size_t)operands[0].count * columns + 1, sizeof *values);
    for (unsigned i = 0; i < operands[0].count; i++)
        for (unsigned k = 0; k < columns; k++) {
            uint128 inputs[3] = {operands[0].values[i], binary ? operands[1].values[k] : 0, 0};
            values[count++] = expr_apply(&operation, inputs);
        }
    struct value_set set = set_from_list(arena, values, count);
    free(values);
    return set;
}

struct value_set value_set_apply(struct arena *arena, const struct expr *expr,
                                 const struct value_set *operands) {
    if (expr->op == EXPR_CONST)
        return value_set_of(arena, bits_to_wide(expr->value));
    bool some_any = false, too_wide = expr->width > BITS_MAX;
    for (unsigned i = 0; i < expr_arity(expr->op); i++) {
        some_any |= operands[i].any;
        too_wide |= expr->args[i]->width > BITS_MAX;
    }
    struct value_set set;
    if (too_wide)
        set = value_set_any(expr->width);
    else if (expr->op == EXPR_ITE)
        set = choose(arena, operands);
    else if (some_any)
        set = apply_to_anything(arena, expr, operands);
    else
        set = apply_to_all(arena, expr, operands);
    return spell_out(arena, set, expr->width);
}
