// What reads may return out of thin air, where no dependency counts.
#include "tests/oracle/paths_internal.h"

static void guess(struct paths *paths, const struct operand *operand) {
    for (size_t i = 0; i < operand->element_count; i++)
        guess(paths, &operand->elements[i]);
    if (operand->kind != OPERAND_IMMEDIATE)
        return;
    paths->guesses = paths_resized(paths->guesses, paths->guess_count + 1, sizeof *paths->guesses);
    paths->guesses[paths->guess_count++] = value_of_constant(operand->immediate, 128);
}

// Whether what is read can make a difference to what is executed.
static bool has_choices(const struct test *test) {
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++) {
            const struct instruction *at = &test->threads[t].instructions[i];
            if (at->guard >= 0 || at->atomic == ATOMIC_CAS)
                return true;
        }
    return false;
}

void paths_guess_constants(struct paths *paths) {
    const struct test *test = paths->memory->test;
    if (!has_choices(test))
        return;
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++) {
            const struct instruction *at = &test->threads[t].instructions[i];
            for (size_t k = 0; k < at->operand_count; k++)
                guess(paths, &at->operands[k]);
        }
}
