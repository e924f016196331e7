// Numbers of columns that tensor memory may be allocated in.
#include "litmus/columns.h"

// "The number of columns must be a power of 2. [It] must be within the range [32, 512]" (PTX ISA
// 9.7.16.7.1).
bool columns_fit(uint64_t count) {
    return count >= 32 && count <= 512 && (count & (count - 1)) == 0;
}

bool columns_are_allocated(const struct test *test) {
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++)
            if (opcode_has(test->threads[t].instructions[i].opcode, TRAIT_ALLOCATES))
                return true;
    return false;
}

int columns_variable(const struct test *test, int thread, const struct instruction *instruction) {
    size_t before = 0;
    for (int t = 0; t <= thread; t++) {
        const struct thread *other = &test->threads[t];
        if (!test_same_cta(&other->place, &test->threads[thread].place))
            continue;
        for (size_t i = 0; i < other->instruction_count && &other->instructions[i] != instruction;
             i++)
            before += opcode_has(other->instructions[i].opcode, TRAIT_ALLOCATES);
    }
    for (size_t v = 0; v < test->variable_count; v++)
        if (test->variables[v].space == SPACE_TENSOR && before-- == 0)
            return (int)v;
    return -1;
}
