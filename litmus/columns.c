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
