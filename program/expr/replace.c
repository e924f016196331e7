// Expressions with other expressions in the place of their leaves, in their pool or another one.

#include "program/expr/expr.h"
#include "program/expr/internal.h"
#include "litmus/source/arena.h"

#include <assert.h>
#include <string.h>

struct expr_replacements {
    struct arena *arena;
    const struct expr_pool *from;
    struct expr_pool *to;
    struct expr_replacing leaves; // without a function where all stay
    const struct expr **made;     // by id in `from`; NULL where there is none yet
    size_t capacity;
    const struct expr **stack; // those that wait for their operands
    size_t count, stack_capacity;
};

struct expr_replacements *expr_replacements_between(struct arena *arena,
                                                    const struct expr_pool *from,
                                                    struct expr_pool *to,
                                                    const struct expr_replacing *leaves) {
    struct expr_replacements *r = ARENA_NEW(arena, struct expr_replacements);
    *r = (struct expr_replacements){.arena = arena, .from = from, .to = to};
    if (leaves != NULL)
        r->leaves = *leaves;
    return r;
}

struct expr_replacements *expr_replacements_new(struct arena *arena, struct expr_pool *pool,
                                                const struct expr_replacing *leaves) {
    return expr_replacements_between(arena, pool, pool, leaves);
}

// Makes room for every expression of the pool.
static void make_room(struct expr_replacements *r) {
    size_t wanted = expr_pool_count(r->from);
    if (wanted <= r->capacity)
        return;
    const struct expr **made = ARENA_ARRAY(r->arena, const struct expr *, 2 * wanted);
    if (r->capacity > 0)
        memcpy(made, r->made, r->capacity * sizeof *made);
    r->made = made;
    r->capacity = 2 * wanted;
}

static void push(struct expr_replacements *r, const struct expr *expr) {
    if (r->count == r->stack_capacity) {
        size_t capacity = r->stack_capacity == 0 ? 64 : 2 * r->stack_capacity;
        const struct expr **stack = ARENA_ARRAY(r->arena, const struct expr *, capacity);
        if (r->count > 0)
            memcpy(stack, r->stack, r->count * sizeof *stack);
        r->stack = stack;
        r->stack_capacity = capacity;
    }
    r->stack[r->count++] = expr;
}

// Pushes the operands that have not been replaced. Returns whether there are any.
static bool push_operands(struct expr_replacements *r, const struct expr *expr) {
    size_t before = r->count;
    for (unsigned i = 0; i < expr_arity(expr->op); i++)
        if (r->made[expr->args[i]->id] == NULL)
            push(r, expr->args[i]);
    return r->count > before;
}

static const struct expr *make(struct expr_replacements *r, const struct expr *expr) {
    struct expr_operation operation = expr_operation_of(expr);
    bool same = r->from == r->to;
    if (expr->op == EXPR_CONST)
        return same ? expr : expr_const(r->to, expr->width, expr->value);
    if (expr_is_leaf(expr))
        return r->leaves.replacement == NULL ? expr
                                             : r->leaves.replacement(r->leaves.context, expr);
    for (unsigned i = 0; i < expr_arity(expr->op); i++) {
        operation.args[i] = r->made[expr->args[i]->id];
        same = same && operation.args[i] == expr->args[i];
    }
    return same ? expr : expr_make(r->to, operation);
}

const struct expr *expr_replace(struct expr_replacements *replacements, const struct expr *expr) {
    struct expr_replacements *r = replacements;
    assert(expr->id < expr_pool_count(r->from));
    make_room(r);
    push(r, expr);
    while (r->count > 0) {
        const struct expr *next = r->stack[r->count - 1];
        if (r->made[next->id] == NULL) {
            if (push_operands(r, next))
                continue;
            const struct expr *made = make(r, next);
            make_room(r); // the pool may have grown
            r->made[next->id] = made;
        }
        r->count--;
    }
    return r->made[expr->id];
}

void expr_replace_with(struct expr_replacements *replacements, const struct expr *expr,
                       const struct expr *other) {
    assert(expr->width == other->width);
    make_room(replacements);
    replacements->made[expr->id] = other;
}
