// What a token of the test means.
#include "litmus/ptx/emit/internal.h"

#include "litmus/source/lexer.h"

#include <string.h>

const struct instruction *emit_function_instruction(const struct test *test,
                                                    const struct token *opcode) {
    for (size_t i = 0; i < test->thread_count; i++)
        for (size_t j = 0; j < test->threads[i].instruction_count; j++) {
            const struct span span = test->threads[i].instructions[j].opcode_span;
            if (span.begin == opcode->span.begin && span.source == opcode->span.source)
                return &test->threads[i].instructions[j];
        }
    return NULL;
}

const struct variable *emit_variable(const struct test *test, const char *name) {
    for (size_t i = 0; i < test->variable_count; i++)
        if (!test->variables[i].is_inner && strcmp(test->variables[i].name, name) == 0)
            return &test->variables[i];
    return NULL;
}
