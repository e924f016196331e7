// Whether one condition holds wherever another does, as far as their structure shows it.
//
// Conditions are ANDs and NOTs (simplify_boolean.c); what two levels of them show, expr_and has
// simplified. Path conditions are deeper: a chain of conjunctions for the branches on the way, and
// a disjunction for each place where ways have met. So what holds with a condition is collected,
// and, where this is not enough, once more with each alternative of its disjunctions.

#include "program/expr/boolean.h"

#include <assert.h>

enum { PREMISES_MAX = 256, STEPS_MAX = 256, SPLITS_MAX = 2 };

// Conditions that hold.
struct premises {
    struct expr_pool *pool;
    const struct expr *items[PREMISES_MAX];
    unsigned count;
};

static bool is_known(const struct premises *premises, const struct expr *expr) {
    for (unsigned i = premises->count; i-- > 0;)
        if (premises->items[i] == expr)
            return true;
    return false;
}

// Adds a condition with all of which it is the conjunction, as far as there is room.
static void add_premise(struct premises *premises, const struct expr *expr) {
    while (premises->count < PREMISES_MAX && !is_known(premises, expr)) {
        premises->items[premises->count++] = expr;
        if (expr->op != EXPR_AND)
            return;
        add_premise(premises, expr->args[1]);
        expr = expr->args[0];
    }
}

// !(x & y): one of !x and !y holds.
static bool is_choice(const struct expr *expr) {
    return expr->op == EXPR_NOT && expr->args[0]->op == EXPR_AND;
}

static const struct expr *alternative(const struct premises *premises, const struct expr *choice,
                                      unsigned i) {
    return expr_not(premises->pool, choice->args[0]->args[i]);
}

// Whether a condition is made of premises.
static bool is_shown(const struct premises *premises, const struct expr *expr, unsigned *steps) {
    if (expr_is_true(expr) || is_known(premises, expr))
        return true;
    if (*steps == 0)
        return false;
    --*steps;
    if (expr->op == EXPR_AND)
        return is_shown(premises, expr->args[0], steps) && is_shown(premises, expr->args[1], steps);
    return is_choice(expr) && (is_shown(premises, alternative(premises, expr, 0), steps) ||
                               is_shown(premises, alternative(premises, expr, 1), steps));
}

// Whether a premise is a choice of which no alternative is known to hold.
static bool is_open(const struct premises *premises, const struct expr *premise) {
    return is_choice(premise) && !is_known(premises, alternative(premises, premise, 0)) &&
           !is_known(premises, alternative(premises, premise, 1));
}

static bool follows(const struct premises *premises, const struct expr *expr, unsigned splits);

static bool follows_with(const struct premises *premises, const struct expr *premise,
                         const struct expr *expr, unsigned splits) {
    struct premises more = *premises;
    add_premise(&more, premise);
    return is_known(premises, expr_not(premises->pool, premise)) || follows(&more, expr, splits);
}

static bool follows(const struct premises *premises, const struct expr *expr, unsigned splits) {
    unsigned steps = STEPS_MAX;
    if (is_shown(premises, expr, &steps))
        return true;
    for (unsigned i = 0; splits > 0 && i < premises->count; i++)
        if (is_open(premises, premises->items[i]))
            return follows_with(premises, alternative(premises, premises->items[i], 0), expr,
                                splits - 1) &&
                   follows_with(premises, alternative(premises, premises->items[i], 1), expr,
                                splits - 1);
    return false;
}

bool expr_implies(struct expr_pool *pool, const struct expr *a, const struct expr *b) {
    assert(a->width == 1 && b->width == 1);
    if (expr_is_false(expr_and(pool, a, expr_not(pool, b))))
        return true;
    struct premises premises = {.pool = pool};
    add_premise(&premises, a);
    return follows(&premises, b, SPLITS_MAX);
}
