// Arithmetic on sets of values: every combination is computed, while there are few.

#include "litmus/program/value_set.h"

#include "litmus/program/expr_internal.h"
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"

#include <stdlib.h>

// A width of which every value can be listed.
enum { SMALL_WIDTH = 6 };

static const struct value_set anything = {.any = true};

struct value_set value_set_of(struct arena *arena, wide value) {
    struct value_set set = {.count = 1, .values = ARENA_NEW(arena, wide)};
    set.values[0] = value;
    return set;
}

bool value_set_equal(struct value_set a, struct value_set b) {
    if (a.any != b.any || a.count != b.count)
        return false;
    for (unsigned i = 0; i < a.count; i++)
        if (a.values[i] != b.values[i])
            return false;
    return true;
}

static int compare_values_of_set(const void *left, const void *right) {
    const wide *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

// Sorts a list, drops repetitions, and gives up on long ones.
static struct value_set set_from_list(struct arena *arena, wide *values, size_t count) {
    if (count == 0)
        return (struct value_set){0};
    qsort(values, count, sizeof *values, compare_values_of_set);
    size_t kept = 1;
    for (size_t i = 1; i < count; i++)
        if (values[i] != values[kept - 1])
            values[kept++] = values[i];
    if (kept > VALUE_SET_MAX)
        return anything;
    return (struct value_set){.count = (unsigned)kept,
                              .values = arena_copy(arena, values, kept, sizeof *values)};
}

struct value_set value_set_union(struct arena *arena, struct value_set a, struct value_set b) {
    wide values[2 * VALUE_SET_MAX];
    size_t count = 0;
    if (a.any || b.any)
        return anything;
    if (b.count == 0)
        return a;
    if (a.count == 0)
        return b;
    for (unsigned i = 0; i < a.count; i++)
        values[count++] = a.values[i];
    for (unsigned i = 0; i < b.count; i++)
        values[count++] = b.values[i];
    return set_from_list(arena, values, count);
}

// Lists all values of a small width in place of "anything".
static struct value_set spell_out(struct arena *arena, struct value_set set, unsigned width) {
    if (!set.any || width > SMALL_WIDTH)
        return set;
    set = (struct value_set){.count = 1u << width, .values = ARENA_ARRAY(arena, wide, 1u << width)};
    for (unsigned i = 0; i < set.count; i++)
        set.values[i] = i;
    return set;
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
static struct value_set submasks(struct arena *arena, wide mask) {
    wide values[1 << SMALL_WIDTH];
    size_t count = 0;
    wide subset = 0;
    do {
        if (count == 1 << SMALL_WIDTH)
            return anything;
        values[count++] = subset;
        subset = (subset - mask) & mask;
    } while (subset != 0);
    return set_from_list(arena, values, count);
}

static struct value_set below(struct arena *arena, wide bound) {
    struct value_set set = {.any = true};
    if (bound == 0 || bound > VALUE_SET_MAX)
        return set;
    set = (struct value_set){.count = (unsigned)bound,
                             .values = ARENA_ARRAY(arena, wide, (size_t)bound)};
    for (unsigned i = 0; i < set.count; i++)
        set.values[i] = i;
    return set;
}

// Operations that know something of their result although one operand may be anything.
static struct value_set apply_to_anything(struct arena *arena, const struct expr *expr,
                                          const struct value_set *operands) {
    for (unsigned i = 0; i < expr_arity(expr->op); i++)
        if (!operands[i].any && operands[i].count == 0)
            return operands[i]; // nothing has a value yet
    const struct expr *right = expr->args[1];
    if (expr->op == EXPR_AND && expr_is_const(right))
        return submasks(arena, bits_to_wide(right->value));
    if (expr->op == EXPR_UREM && expr_is_const(right))
        return below(arena, bits_to_wide(right->value));
    return anything;
}

static struct value_set apply_to_all(struct arena *arena, const struct expr *expr,
                                     const struct value_set *operands) {
    struct expr_operation operation = {
        expr->op, expr->width, expr->index, {expr->args[0], expr->args[1], expr->args[2]}};
    bool binary = expr_arity(expr->op) == 2;
    size_t columns = binary ? operands[1].count : 1, count = 0;
    wide *values = allocate((size_t)operands[0].count * columns + 1, sizeof *values);
    for (unsigned i = 0; i < operands[0].count; i++)
        for (unsigned k = 0; k < columns; k++) {
            wide inputs[3] = {operands[0].values[i], binary ? operands[1].values[k] : 0, 0};
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
    bool some_any = false;
    for (unsigned i = 0; i < expr_arity(expr->op); i++)
        some_any |= operands[i].any;
    struct value_set set;
    if (expr->op == EXPR_ITE)
        set = choose(arena, operands);
    else if (some_any)
        set = apply_to_anything(arena, expr, operands);
    else
        set = apply_to_all(arena, expr, operands);
    return spell_out(arena, set, expr->width);
}
