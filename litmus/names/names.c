// Looks names up, and adds them.
#include "litmus/names/names.h"

#include "litmus/names/table.h"
#include "litmus/source/arena.h"

#include <assert.h>
#include <string.h>

int reader_variable(const struct reader *reader, const char *name) {
    if (reader->variable_names)
        return name_table_find(reader->variable_names, name);
    for (size_t i = 0; i < reader->test->variable_count; i++)
        if (strcmp(reader->test->variables[i].name, name) == 0)
            return (int)i;
    return -1;
}

int reader_add_variable(struct reader *reader, const struct variable *variable) {
    struct test *test = reader->test;
    int index = (int)test->variable_count;
    ARENA_APPEND(reader->arena, test->variables, test->variable_count, *variable);
    if (reader->variable_names)
        name_table_add(reader->variable_names, variable->name, index);
    return index;
}

void reader_assume(struct reader *reader, const char *sentence) {
    struct test *test = reader->test;
    for (size_t i = 0; i < test->assumption_count; i++)
        if (strcmp(test->assumptions[i], sentence) == 0)
            return;
    ARENA_APPEND(reader->arena, test->assumptions, test->assumption_count, sentence);
}

const char *reader_nearest_variable(const struct reader *reader, const char *name) {
    const struct test *test = reader->test;
    if (!diag_kept(reader->diagnostics)) // it would not be seen
        return NULL;
    const char **names = ARENA_ARRAY(reader->arena, const char *, test->variable_count + 1);
    for (size_t i = 0; i < test->variable_count; i++)
        names[i] = test->variables[i].name;
    return diag_nearest(name, strlen(name), names, test->variable_count);
}

int reader_require_variable(struct reader *reader, const struct token *name) {
    const char *text = token_text(reader->arena, name);
    int found = reader_variable(reader, text);
    if (found >= 0 || reader->variables_failed)
        return found;
    diag_error(reader->diagnostics, name->span, "there is no variable '%.40s'", text);
    if (!diag_suggest(reader->diagnostics, reader_nearest_variable(reader, text)))
        diag_hint(reader->diagnostics, "declare it before the threads: %s %.40s;",
                  reader->declaration, text);
    return -1;
}

int reader_find_register(const struct thread *thread, const char *name) {
    return thread->register_names ? name_table_find(thread->register_names, test_register_key(name))
                                  : -1;
}

int reader_register(struct reader *reader, struct thread *thread, const struct token *token,
                    unsigned width) {
    return reader_named_register(reader, thread, token_text(reader->arena, token), token->span,
                                 width);
}

int reader_named_register(struct reader *reader, struct thread *thread, const char *name,
                          struct span span, unsigned width) {
    assert(span.begin <= span.end);
    int found = reader_find_register(thread, name);
    if (found >= 0)
        return found;
    if (!thread->register_names)
        thread->register_names = name_table_new(reader->arena);
    int index = (int)thread->register_count;
    ARENA_APPEND(
        reader->arena, thread->registers, thread->register_count,
        (struct test_register){.name = name, .width = width, .span = span, .initial_variable = -1});
    name_table_add(thread->register_names, test_register_key(name), index);
    return index;
}

struct function *reader_function(const struct reader *reader, const char *name) {
    const struct test *test = reader->test;
    for (size_t i = 0; i < test->function_count; i++)
        if (strcmp(test->functions[i].name, name) == 0)
            return &test->functions[i];
    return NULL;
}

bool reader_declare_in_body(struct reader *reader, const struct thread *thread,
                            const struct token *tokens, size_t count, const char *suffix) {
    return reader->declare(reader->declare_context, thread, tokens, count, suffix);
}

uint64_t reader_function_address(const struct reader *reader, const struct function *function) {
    enum { CODE_STEP = 16 };
    return (UINT64_C(1) << 62) + CODE_STEP * (uint64_t)(function - reader->test->functions);
}
