// Constant folding for values: operations on constants, computed by a pool of expressions of our
// own, so that the solver and the program builder cannot disagree. And walks over expressions,
// which may be too deep for recursion.

#include "solver/encode/values.h"

#include "litmus/source/allocate.h"

#include <stdlib.h>

struct bits128 fold_concat(struct bits128 high, struct bits128 low, unsigned low_width) {
    struct bits128 result = low;
    if (low_width >= 64) {
        unsigned shift = low_width - 64;
        result.high |= shift < 64 ? high.low << shift : 0;
    } else {
        result.low |= high.low << low_width;
        result.high |=
            low_width == 0 ? high.high : high.high << low_width | high.low >> (64 - low_width);
    }
    return result;
}

struct bits128 fold_operation(struct expr_pool *folder, const struct expr *operation,
                              const struct bits128 *operands) {
    const struct expr *args[3] = {NULL, NULL, NULL}, *result;
    for (unsigned i = 0; i < 3 && operation->args[i] != NULL; i++)
        args[i] = expr_const(folder, operation->args[i]->width, operands[i]);
    switch (operation->op) {
    case EXPR_NOT:
    case EXPR_NEG: result = expr_unary(folder, operation->op, args[0]); break;
    case EXPR_ITE: result = expr_ite(folder, args[0], args[1], args[2]); break;
    case EXPR_EXTRACT:
        result = expr_extract(folder, args[0], operation->index, operation->width);
        break;
    case EXPR_ZEXT:
    case EXPR_SEXT:
        result = expr_resize(folder, args[0], operation->width, operation->op == EXPR_SEXT);
        break;
    case EXPR_FADD:
        result = expr_fadd(folder, (enum float_format)operation->index, args[0], args[1]);
        break;
    default: result = expr_binary(folder, operation->op, args[0], args[1]); break;
    }
    if (!expr_is_const(result))
        bug("operation %d on constants is not a constant", (int)operation->op);
    return result->value;
}

static const struct expr *unseen_operand(const struct expr *expr, const bool *seen) {
    for (unsigned i = 0; i < 3 && expr->args[i] != NULL; i++)
        if (!seen[expr->args[i]->id])
            return expr->args[i];
    return NULL;
}

void walk_expr(const struct expr *root, bool *seen,
               void (*visit)(void *context, const struct expr *expr), void *context) {
    size_t depth = 0, capacity = 0;
    const struct expr **stack = NULL;
    for (const struct expr *next = seen[root->id] ? NULL : root; next != NULL || depth != 0;) {
        stack = reallocate_for(stack, &capacity, depth + 1, sizeof *stack);
        if (next != NULL)
            stack[depth++] = next;
        next = unseen_operand(stack[depth - 1], seen);
        if (next == NULL) {
            const struct expr *done = stack[--depth];
            if (!seen[done->id])
                visit(context, done);
            seen[done->id] = true;
        }
    }
    free(stack);
}
