// Launches that a clusterlaunchcontrol.try_cancel may cancel (PTX ISA 9.7.13.17), of kernels alone:
// the CTAs of a test in columns run.
#include "tests/oracle/paths.h"

static bool has_opcode(const struct thread *thread, enum opcode opcode) {
    for (size_t i = 0; i < thread->instruction_count; i++)
        if (thread->instructions[i].opcode == opcode)
            return true;
    return false;
}

static bool in_one_grid(const struct test *test, int a, int b) {
    const struct place *one = &test->threads[a].place, *other = &test->threads[b].place;
    return !one->host && !other->host && one->gpu == other->gpu && one->grid == other->grid;
}

// "A request [to cancel] the launch of a cluster that has not started running yet": of the grid of
// the one that asks, and not its own.
bool paths_may_cancel(const struct test *test, int asking, int thread) {
    return test->threads[asking].launch != NULL &&
           has_opcode(&test->threads[asking], OP_CANCEL_TRY) && in_one_grid(test, asking, thread) &&
           !test_same_cluster(&test->threads[asking].place, &test->threads[thread].place);
}

u128 paths_first_cta(const struct test *test, int thread) {
    u128 first = 0;
    for (unsigned d = 0; d < 3; d++) {
        unsigned least = test->threads[thread].cta[d];
        for (size_t t = 0; t < test->thread_count; t++)
            if (in_one_grid(test, thread, (int)t) &&
                test_same_cluster(&test->threads[t].place, &test->threads[thread].place) &&
                test->threads[t].cta[d] < least)
                least = test->threads[t].cta[d];
        first |= (u128)least << (32 * d);
    }
    return first;
}
