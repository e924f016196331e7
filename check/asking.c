// Tests and launches of which nothing is asked, and of which nothing is to be.
#include "check/asking.h"

#include "litmus/source/diagnostics.h"

bool asking_is_there(const struct test_list *tests, struct diagnostics *diagnostics) {
    for (size_t i = 0; i < tests->count; i++) {
        if (!test_require_condition(tests->items[i], diagnostics))
            return false;
        if (!tests->items[i]->is_unasked)
            continue;
        diag_error(diagnostics, tests->items[i]->unasked, "nothing is asked of this launch");
        diag_hint(diagnostics, "a condition follows it, before the next 'kernel': exists (...), "
                               "~exists (...) or forall (...); 'ptxlitmus check' needs none");
        return false;
    }
    return true;
}

static bool is_same_launch(const struct test *a, const struct test *b) {
    return a->thread_count > 0 && b->thread_count > 0 && a->threads[0].launch &&
           b->threads[0].launch && a->threads[0].span.begin == b->threads[0].span.begin;
}

void asking_nothing(struct arena *arena, struct test_list *tests) {
    size_t kept = 0;
    for (size_t i = 0; i < tests->count; i++) {
        struct test *test = tests->items[i];
        if (kept > 0 && is_same_launch(tests->items[kept - 1], test))
            continue;
        test_ask_nothing(arena, test);
        tests->items[kept++] = test;
    }
    tests->count = kept;
}
