// The value of a whole expression under an environment.

#include "program/expr/expr.h"

#include "program/expr/float.h"
#include "program/expr/internal.h"
#include "litmus/source/allocate.h"
#include "litmus/source/diagnostics.h"

#include <stdlib.h>

static uint128 evaluate_one(const struct expr *expr, const uint128 *values,
                            const struct expr_environment *environment) {
    if (expr->op == EXPR_CONST)
        return bits_to_wide(expr->value);
    if (expr_arity(expr->op) == 0)
        return bits_to_wide(environment->leaf(environment->context, expr)) & bits_mask(expr->width);
    struct expr_operation operation = {
        expr->op, expr->width, expr->index, {expr->args[0], expr->args[1], expr->args[2]}};
    uint128 operands[3] = {0};
    for (unsigned i = 0; i < expr_arity(expr->op); i++)
        operands[i] = values[expr->args[i]->id];
    return expr_apply(&operation, operands);
}

// Operands have smaller ids than their users, so one sweep down finds what is needed and one sweep
// up computes it: no recursion, however deep the expression.
struct bits128 expr_evaluate(const struct expr_pool *pool, const struct expr *expr,
                             const struct expr_environment *environment) {
    if (expr_arity(expr->op) == 0)
        return bits_from_wide(evaluate_one(expr, NULL, environment));
    size_t count = (size_t)expr->id + 1;
    uint128 *values = allocate(count, sizeof *values);
    bool *needed = allocate(count, sizeof *needed);
    needed[expr->id] = true;
    for (size_t id = count; id-- > 0;)
        for (unsigned i = 0; needed[id] && i < expr_arity(expr_at(pool, (unsigned)id)->op); i++)
            needed[expr_at(pool, (unsigned)id)->args[i]->id] = true;
    for (size_t id = 0; id < count; id++)
        if (needed[id])
            values[id] = evaluate_one(expr_at(pool, (unsigned)id), values, environment);
    struct bits128 result = bits_from_wide(values[expr->id]);
    free(values);
    free(needed);
    return result;
}

bool expr_has_leaf(const struct expr_pool *pool, const struct expr *expr, enum expr_op leaf) {
    size_t count = (size_t)expr->id + 1;
    bool *needed = allocate(count, sizeof *needed), found = false;
    needed[expr->id] = true;
    for (size_t id = count; id-- > 0;) {
        const struct expr *part = needed[id] ? expr_at(pool, (unsigned)id) : NULL;
        found = found || (part && part->op == leaf);
        for (unsigned i = 0; part && i < expr_arity(part->op); i++)
            needed[part->args[i]->id] = true;
    }
    free(needed);
    return found;
}
