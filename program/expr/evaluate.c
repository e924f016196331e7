// The value of a whole expression under an environment, and what an expression is made of.

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
    if (expr_is_leaf(expr))
        return bits_to_wide(environment->leaf(environment->context, expr)) & bits_mask(expr->width);
    struct expr_operation operation = expr_operation_of(expr);
    uint128 operands[3] = {0};
    for (unsigned i = 0; i < expr_arity(expr->op); i++)
        operands[i] = values[expr->args[i]->id];
    return expr_apply(&operation, operands);
}

// Operands have smaller ids than their users, so one sweep down finds what is needed and one sweep
// up computes it: no recursion, however deep the expression.
void expr_mark_parts(const struct expr_pool *pool, size_t count, bool *marked) {
    for (size_t id = count; id-- > 0;)
        for (unsigned i = 0; marked[id] && i < expr_arity(expr_at(pool, (unsigned)id)->op); i++)
            marked[expr_at(pool, (unsigned)id)->args[i]->id] = true;
}

void expr_visit_leaves(const struct expr_pool *pool, const bool *marked,
                       void (*visit)(void *context, const struct expr *leaf), void *context) {
    for (unsigned id = 0; id < expr_pool_count(pool); id++)
        if (marked[id] && expr_is_leaf(expr_at(pool, id)))
            visit(context, expr_at(pool, id));
}

struct bits128 expr_evaluate(const struct expr_pool *pool, const struct expr *expr,
                             const struct expr_environment *environment) {
    if (expr_arity(expr->op) == 0)
        return bits_from_wide(evaluate_one(expr, NULL, environment));
    size_t count = (size_t)expr->id + 1;
    uint128 *values = allocate(count, sizeof *values);
    bool *needed = allocate(count, sizeof *needed);
    needed[expr->id] = true;
    expr_mark_parts(pool, count, needed);
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
    expr_mark_parts(pool, count, needed);
    for (size_t id = 0; id < count && !found; id++)
        found = needed[id] && expr_at(pool, (unsigned)id)->op == leaf;
    free(needed);
    return found;
}
