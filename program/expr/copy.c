// Copies of expressions in another pool, with other indices in their leaves.

#include "program/expr/expr.h"
#include "program/expr/internal.h"
#include "litmus/source/arena.h"

#include <assert.h>
#include <string.h>

struct expr_copies {
    struct arena *arena;
    const struct expr_pool *from;
    struct expr_pool *to;
    const struct expr_renaming *renaming;
    const struct expr **copies; // by id in `from`; NULL where there is none yet
    const struct expr **stack;  // those that wait for a copy
    size_t count, capacity;
};

struct expr_copies *expr_copies_new(struct arena *arena, const struct expr_pool *from,
                                    struct expr_pool *to, const struct expr_renaming *renaming) {
    assert(from != to);
    struct expr_copies *copies = ARENA_NEW(arena, struct expr_copies);
    *copies = (struct expr_copies){.arena = arena, .from = from, .to = to, .renaming = renaming};
    copies->copies = ARENA_ARRAY(arena, const struct expr *, expr_pool_count(from) + 1);
    return copies;
}

static bool is_leaf(const struct expr *expr) {
    return expr->op != EXPR_CONST && expr->op < EXPR_NOT;
}

// The copy of an expression whose operands have been copied.
static const struct expr *copy_one(struct expr_copies *copies, const struct expr *expr) {
    struct expr_operation operation = {.op = expr->op, .width = expr->width, .index = expr->index};
    if (expr->op == EXPR_CONST)
        return expr_const(copies->to, expr->width, expr->value);
    if (is_leaf(expr))
        return expr_leaf(copies->to, expr->op, expr->width,
                         copies->renaming->index(copies->renaming->context, expr));
    for (unsigned i = 0; i < 3 && expr->args[i] != NULL; i++)
        operation.args[i] = copies->copies[expr->args[i]->id];
    return expr_make(copies->to, operation);
}

static void push(struct expr_copies *copies, const struct expr *expr) {
    if (copies->count == copies->capacity) {
        size_t capacity = copies->capacity == 0 ? 64 : 2 * copies->capacity;
        const struct expr **stack = ARENA_ARRAY(copies->arena, const struct expr *, capacity);
        if (copies->count > 0)
            memcpy(stack, copies->stack, copies->count * sizeof *stack);
        copies->stack = stack;
        copies->capacity = capacity;
    }
    copies->stack[copies->count++] = expr;
}

// Pushes the operands that have no copy. Returns whether there are any.
static bool push_operands(struct expr_copies *copies, const struct expr *expr) {
    size_t before = copies->count;
    for (unsigned i = 0; i < 3 && expr->args[i] != NULL; i++)
        if (copies->copies[expr->args[i]->id] == NULL)
            push(copies, expr->args[i]);
    return copies->count > before;
}

const struct expr *expr_copy(struct expr_copies *copies, const struct expr *expr) {
    assert(expr->id < expr_pool_count(copies->from));
    push(copies, expr);
    while (copies->count > 0) {
        const struct expr *next = copies->stack[copies->count - 1];
        if (copies->copies[next->id] == NULL) {
            if (push_operands(copies, next))
                continue;
            copies->copies[next->id] = copy_one(copies, next);
        }
        copies->count--;
    }
    return copies->copies[expr->id];
}

void expr_mark_parts(const struct expr_pool *pool, bool *marked) {
    for (size_t id = expr_pool_count(pool); id-- > 0;)
        for (unsigned i = 0; marked[id] && i < 3 && expr_at(pool, (unsigned)id)->args[i]; i++)
            marked[expr_at(pool, (unsigned)id)->args[i]->id] = true;
}

void expr_visit_leaves(const struct expr_pool *pool, const bool *marked,
                       void (*visit)(void *context, const struct expr *leaf), void *context) {
    for (unsigned id = 0; id < expr_pool_count(pool); id++)
        if (marked[id] && is_leaf(expr_at(pool, id)))
            visit(context, expr_at(pool, id));
}
