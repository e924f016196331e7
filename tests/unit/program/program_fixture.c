#include "tests/unit/program/program_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

struct program_fixture *fixture_try(const char *text, struct program_options options) {
    struct arena *arena = arena_new();
    struct program_fixture *fixture = ARENA_NEW(arena, struct program_fixture);
    fixture->arena = arena;
    fixture->options = options;
    diagnostics_init(&fixture->diagnostics, arena);
    const struct source *source = source_from_text(arena, "t.litmus", text, strlen(text));
    fixture->test = test_read(arena, source, SYNTAX_GUESS, &fixture->diagnostics);
    if (fixture->test != NULL)
        fixture->program =
            program_build(arena, fixture->test, &fixture->options, &fixture->diagnostics);
    return fixture;
}

struct program_fixture *fixture_build_with(const char *text, struct program_options options) {
    struct program_fixture *fixture = fixture_try(text, options);
    if (fixture->program == NULL)
        fail_msg("%s", diag_render(fixture->arena, &fixture->diagnostics.items[0]));
    assert_int_equal(fixture->diagnostics.error_count, 0);
    return fixture;
}

struct program_fixture *fixture_build(const char *text) {
    return fixture_build_with(text,
                              (struct program_options){.unroll = 2, .left_out = STEP_PRIVATE});
}

struct program_fixture *fixture_build_written(const char *text) {
    return fixture_build_with(text, (struct program_options){.dependencies = DEPENDENCIES_SYNTACTIC,
                                                             .unroll = 2,
                                                             .left_out = STEP_PRIVATE});
}

const char *fixture_error(struct program_fixture **fixture, const char *text) {
    *fixture = fixture_try(text, (struct program_options){.unroll = 2, .left_out = STEP_PRIVATE});
    assert_null((*fixture)->program);
    assert_true((*fixture)->diagnostics.count > 0);
    const struct diagnostic *first = &(*fixture)->diagnostics.items[0];
    while (first->severity != SEVERITY_ERROR)
        first++;
    struct position position = source_position(first->span.source, first->span.begin);
    return arena_format((*fixture)->arena, "%u:%u: %s%s%s", position.line, position.column,
                        first->message, first->hint == NULL ? "" : " | ",
                        first->hint == NULL ? "" : first->hint);
}

void fixture_free(struct program_fixture *fixture) {
    arena_free(fixture->arena);
}

const struct event *fixture_event(const struct program_fixture *fixture, int thread,
                                  enum event_kind kind, unsigned n) {
    const struct program *program = fixture->program;
    for (size_t i = 0; i < program->event_count; i++)
        if (program->events[i].thread == thread && program->events[i].kind == kind && n-- == 0)
            return &program->events[i];
    fail_msg("thread %d has too few events of kind %d", thread, (int)kind);
    return NULL;
}

unsigned fixture_event_count(const struct program_fixture *fixture, int thread) {
    unsigned count = 0;
    for (size_t i = 0; i < fixture->program->event_count; i++)
        count += fixture->program->events[i].thread == thread;
    return count;
}

static struct bits128 leaf_value(void *context, const struct expr *leaf) {
    const struct program_fixture *fixture = context;
    assert_true(leaf->index < 64);
    switch (leaf->op) {
    case EXPR_READ: return (struct bits128){.low = fixture->reads[leaf->index]};
    case EXPR_FINAL: return (struct bits128){.low = fixture->finals[leaf->index]};
    case EXPR_UNKNOWN: return (struct bits128){.low = fixture->unknowns[leaf->index]};
    case EXPR_PASSES: return (struct bits128){.low = !fixture->blocks[leaf->index]};
    case EXPR_PHASE_PAIR: return (struct bits128){.low = fixture->in_phase[leaf->index]};
    case EXPR_REDUCED: return (struct bits128){.low = fixture->reduced[leaf->index]};
    default: return (struct bits128){0};
    }
}

uint64_t fixture_value(struct program_fixture *fixture, const struct expr *expr) {
    struct expr_environment environment = {leaf_value, fixture};
    struct bits128 value = expr_evaluate(fixture->program->pool, expr, &environment);
    assert_int_equal(value.high, 0);
    return value.low;
}

uint64_t fixture_result(const char *text, uint64_t read) {
    struct program_fixture *f = fixture_build(text);
    for (size_t i = 0; i < sizeof f->reads / sizeof f->reads[0]; i++)
        f->reads[i] = read;
    uint64_t value = fixture_value(f, f->program->observed[0].value);
    fixture_free(f);
    return value;
}

bool fixture_depends(struct dependency_list list, const struct event *read) {
    for (size_t i = 0; i < list.count; i++)
        if (list.items[i].event == read->id)
            return expr_is_true(list.items[i].condition);
    return false;
}
