// Reading a file: which format it is in; for litmus tests, the order in which their parts are read.
#include "litmus/readers/declarations.h"
#include "litmus/readers/frame.h"
#include "litmus/readers/tail.h"
#include "litmus/readers/threads.h"

#include "litmus/invariants.h"
#include "litmus/names/table.h"
#include "litmus/ptx/ptx.h"
#include "litmus/readers/module/module.h"
#include "litmus/readers/nvlitmus/nvlitmus.h"
#include "litmus/source/arena.h"

#include <assert.h>
#include <string.h>

// --- The bodies --------------------------------------------------------------------------------

static void parse_body(struct frame *frame, size_t index) {
    struct frame_body *body = &frame->bodies[index];
    struct thread *thread = &frame->test->threads[index];
    size_t errors = frame->diagnostics->error_count;
    if (!body->tokens) // its header could not be followed
        return;
    if (frame->test->dialect == DIALECT_DAT3M)
        dat3m_parse_body(&frame->reader, thread, body->tokens, body->count);
    else if (frame->test->dialect == DIALECT_CPP)
        cpp_parse_body(&frame->reader, thread, body->tokens, body->count);
    else
        ptx_parse_body(&frame->reader, thread, body->tokens, body->count);
    thread->tokens = body->tokens;
    thread->token_count = body->count;
    if (frame->diagnostics->error_count > errors)
        body->failed = true;
}

// In Dat3M's dialect every register starts with 0.
static void clear_registers(struct test *test) {
    for (size_t i = 0; i < test->thread_count; i++)
        for (size_t j = 0; j < test->threads[i].register_count; j++)
            test->threads[i].registers[j].has_initial = true;
}

static void parse_bodies(struct frame *frame, enum reader_syntax syntax) {
    struct test *test = frame->test;
    if (test->dialect != DIALECT_CPP) // which the header says
        test->dialect = syntax == SYNTAX_GUESS   ? frame_guess_dialect(frame)
                        : syntax == SYNTAX_DAT3M ? DIALECT_DAT3M
                                                 : DIALECT_PTX;
    for (size_t i = 0; i < test->thread_count; i++)
        parse_body(frame, i);
    frame_apply_register_initials(frame);
    if (test->dialect == DIALECT_DAT3M)
        clear_registers(test);
}

// --- The whole ---------------------------------------------------------------------------------

// Messages are found in the order of the passes; people read files from the top.
static void sort_diagnostics(struct diagnostics *diagnostics, size_t first) {
    for (size_t i = first + 1; i < diagnostics->count; i++) {
        struct diagnostic moved = diagnostics->items[i];
        size_t at = i;
        for (; at > first && diagnostics->items[at - 1].span.begin > moved.span.begin; at--)
            diagnostics->items[at] = diagnostics->items[at - 1];
        diagnostics->items[at] = moved;
    }
}

// Whether the file is text at all; else one error says so.
static bool check_readable(const struct source *source, struct diagnostics *diagnostics) {
    size_t size = module_recognise(source) ? module_text_size(source) : source->size;
    const char *zero = memchr(source->text, '\0', size);
    if (source->size == 0)
        return diag_error(diagnostics, span_of(source, 0, 0), "the file is empty");
    if (zero) {
        uint32_t at = (uint32_t)(zero - source->text);
        return diag_error(diagnostics, span_of(source, at, at), "this is a binary file");
    }
    return true;
}

// Whether the test is in the language that '--syntax' says.
static bool check_language(struct frame *frame, const struct source *source,
                           enum reader_syntax syntax) {
    bool is_cpp = frame->test->dialect == DIALECT_CPP;
    if (syntax == SYNTAX_GUESS || is_cpp == (syntax == SYNTAX_CPP))
        return true;
    uint32_t begin = frame_skip_comments(source);
    return diag_error(frame->diagnostics, span_of(source, begin, begin + 3),
                      "this test is in %s, and '--syntax' says otherwise", is_cpp ? "C++" : "PTX");
}

static void read_test(struct frame *frame, const struct source *source, enum reader_syntax syntax) {
    uint32_t body = frame_read_header(frame, source);
    if (body == 0 || !check_language(frame, source, syntax))
        return;
    if (frame->test->dialect == DIALECT_CPP)
        frame->reader.declaration = "int";
    body = frame_read_free_description(frame, source, body);
    frame->tokens =
        lexer_tokens(frame->arena, source, body, source->size, frame->diagnostics, &frame->count);
    if (frame->tokens[frame->count - 1].overflow)
        return; // an open comment has swallowed what else is missing
    frame_parse_descriptions(frame);
    frame_parse_declarations(frame);
    if (!frame_parse_threads(frame))
        return;
    frame_check_grids(frame);
    parse_bodies(frame, syntax);
    frame_parse_tail(frame);
}

static struct test *read_litmus(struct arena *arena, const struct source *source,
                                enum reader_syntax syntax, struct diagnostics *diagnostics) {
    size_t errors = diagnostics->error_count;
    struct test *test = ARENA_NEW(arena, struct test);
    test->source = source;
    struct frame frame = {.arena = arena, .diagnostics = diagnostics, .test = test};
    frame.reader = (struct reader){.arena = arena,
                                   .diagnostics = diagnostics,
                                   .test = test,
                                   .variable_names = name_table_new(arena),
                                   .declaration = ".global .u32",
                                   .declare = frame_declare_in_body,
                                   .declare_context = &frame};
    read_test(&frame, source, syntax);
    if (diagnostics->error_count == errors)
        instances_note(test, diagnostics);
    return diagnostics->error_count > errors ? NULL : test;
}

static bool is_nvlitmus(const struct source *source, enum reader_syntax syntax) {
    return syntax == SYNTAX_NVLITMUS || (syntax == SYNTAX_GUESS && nvlitmus_recognise(source));
}

static void assert_all(const struct test_list *tests) {
    for (size_t i = 0; i < tests->count; i++)
        test_assert(tests->items[i]);
}

bool test_recognise(struct arena *arena, const struct source *source) {
    return module_recognise(source) || nvlitmus_begins(source) || frame_begins(arena, source);
}

bool test_read_all(struct arena *arena, const struct source *source, enum reader_syntax syntax,
                   struct diagnostics *diagnostics, struct test_list *tests) {
    size_t errors = diagnostics->error_count, first = diagnostics->count;
    *tests = (struct test_list){0};
    if (!check_readable(source, diagnostics))
        return false;
    if (syntax <= SYNTAX_PTX && module_recognise(source)) {
        module_read_tests(arena, source, diagnostics, tests);
        if (diagnostics->error_count > errors)
            tests->count = 0;
        assert_all(tests);
        return tests->count > 0;
    }
    if (is_nvlitmus(source, syntax)) {
        nvlitmus_read(arena, source, diagnostics, tests);
    } else {
        tests->items = ARENA_NEW(arena, struct test *);
        tests->items[0] = read_litmus(arena, source, syntax, diagnostics);
        tests->count = 1;
    }
    sort_diagnostics(diagnostics, first);
    if (diagnostics->error_count > errors)
        tests->count = 0;
    assert_all(tests);
    return tests->count > 0;
}

struct test *test_read(struct arena *arena, const struct source *source, enum reader_syntax syntax,
                       struct diagnostics *diagnostics) {
    struct test_list tests;
    if (!test_read_all(arena, source, syntax, diagnostics, &tests))
        return NULL;
    if (tests.count == 1)
        return test_require_condition(tests.items[0], diagnostics) ? tests.items[0] : NULL;
    diag_error(diagnostics, span_of(source, 0, 0), "this file holds %zu tests, not one",
               tests.count);
    return NULL;
}
