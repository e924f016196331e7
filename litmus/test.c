// The orders of grids, the expectations and the terms of a test.
#include "litmus/test.h"

#include "litmus/source/arena.h"

// The orders have no circle, so this ends.
static bool grid_follows(const struct test *test, unsigned later, unsigned earlier) {
    for (size_t i = 0; i < test->grid_order_count; i++) {
        const struct grid_order *order = &test->grid_orders[i];
        if (order->grid == later && !order->is_programmatic &&
            (order->after == earlier || grid_follows(test, order->after, earlier)))
            return true;
    }
    return false;
}

bool test_has_condition(const struct test *test) {
    return !test->is_unasked && !test->is_unconditional;
}

bool test_grid_follows(const struct test *test, const struct place *later,
                       const struct place *earlier) {
    return !later->host && !earlier->host && grid_follows(test, later->grid, earlier->grid);
}

bool test_grid_completes(const struct test *test, const struct place *place) {
    for (size_t i = 0; i < test->grid_order_count; i++)
        if (!place->host && test->grid_orders[i].after == place->grid)
            return true;
    return false;
}

bool test_grid_waits_for(const struct test *test, const struct place *later,
                         const struct place *earlier) {
    if (later->host || earlier->host)
        return false;
    for (size_t i = 0; i < test->grid_order_count; i++) {
        const struct grid_order *order = &test->grid_orders[i];
        if (order->grid == later->grid && order->is_programmatic &&
            (order->after == earlier->grid || grid_follows(test, order->after, earlier->grid)))
            return true;
    }
    return false;
}

bool test_grid_depends(const struct test *test, const struct place *later,
                       const struct place *earlier) {
    for (size_t i = 0; i < test->grid_order_count && !later->host && !earlier->host; i++) {
        const struct grid_order *order = &test->grid_orders[i];
        if (order->grid == later->grid && order->is_programmatic && order->after == earlier->grid)
            return true;
    }
    return false;
}

void test_ask_nothing(struct arena *arena, struct test *test) {
    test->quantifier = QUANTIFIER_EXISTS;
    test->condition = ARENA_NEW(arena, struct condition);
    test->condition->kind = CONDITION_TRUE;
    test->filter = NULL;
    test->location_count = test->expected_count = 0;
}

bool test_expects(const struct test *test, enum expectation what) {
    for (size_t i = 0; i < test->expected_count; i++)
        if (test->expected[i].what == what)
            return true;
    return false;
}

bool test_expects_no_verdict(const struct test *test) {
    return test->expected_count > 0 && !test_expects(test, EXPECT_ALLOWED) &&
           !test_expects(test, EXPECT_FORBIDDEN) && !test_expects(test, EXPECT_ALWAYS);
}

static void visit_condition(const struct condition *condition,
                            void (*visit)(void *context, const struct term *term), void *context) {
    if (condition == NULL)
        return;
    if (condition->kind == CONDITION_COMPARE) {
        visit(context, &condition->lhs);
        visit(context, &condition->rhs);
        return;
    }
    visit_condition(condition->left, visit, context);
    visit_condition(condition->right, visit, context);
}

void test_visit_terms(const struct test *test,
                      void (*visit)(void *context, const struct term *term), void *context) {
    visit_condition(test->condition, visit, context);
    visit_condition(test->filter, visit, context);
    for (size_t i = 0; i < test->location_count; i++)
        visit(context, &test->locations[i]);
}

bool test_has_instruction(const struct test *test,
                          bool (*is_one)(const struct instruction *instruction)) {
    for (size_t t = 0; t < test->thread_count; t++) {
        const struct thread *thread = &test->threads[t];
        bool is_like_last = t > 0 && thread->instructions == thread[-1].instructions;
        for (size_t i = 0; i < thread->instruction_count && !is_like_last; i++)
            if (is_one(&thread->instructions[i]))
                return true;
    }
    return false;
}

bool test_thread_cancels(const struct thread *thread) {
    for (size_t i = 0; i < thread->instruction_count; i++)
        if (opcode_family(thread->instructions[i].opcode) == FAMILY_CANCEL &&
            opcode_has(thread->instructions[i].opcode, TRAIT_STARTS))
            return true;
    return false;
}
