// Builds results by hand.
#include "fixture.h"

#include <stdlib.h>
#include <string.h>

static const struct observed columns[COLUMN_COUNT] = {
    {.log_name = "1:r0", .json_name = "P1:%r0", .width = 32},
    {.log_name = "1:r1", .json_name = "P1:%r1", .width = 32, .is_signed = true},
    {.log_name = "[x]", .json_name = "x", .width = 64},
    {.log_name = "a[1]", .json_name = "a[1]", .width = 32},
};

static const struct term terms[COLUMN_COUNT] = {
    {.kind = TERM_REGISTER, .thread = 0, .reg = 0},
    {.kind = TERM_REGISTER, .thread = 0, .reg = 1},
    {.kind = TERM_LOCATION, .variable = 0},
    {.kind = TERM_LOCATION, .variable = 1, .element = 1},
};

static void make_test(struct fixture *f) {
    f->registers[0] = (struct test_register){.name = "%r0", .type = TYPE_U32, .width = 32};
    f->registers[1] = (struct test_register){.name = "%r1", .type = TYPE_S32, .width = 32};
    f->variables[0] = (struct variable){.name = "x", .type = TYPE_U64, .element_count = 1};
    f->variables[1] =
        (struct variable){.name = "a", .type = TYPE_U32, .element_count = 2, .is_array = true};
    f->thread = (struct thread){.number = 1, .registers = f->registers, .register_count = 2};
    f->test = (struct test){
        .name = "MP",
        .description = "",
        .source = source_from_text(f->arena, "mp.litmus", "PTX MP\n", 7),
        .variables = f->variables,
        .variable_count = 2,
        .threads = &f->thread,
        .thread_count = 1,
        .condition = ARENA_NEW(f->arena, struct condition), // CONDITION_TRUE
    };
}

struct fixture *fixture_new(size_t column_count) {
    struct fixture *f = calloc(1, sizeof *f);
    if (!f)
        abort();
    f->arena = arena_new();
    make_test(f);
    memcpy(f->terms, terms, sizeof terms);
    memcpy(f->observed, columns, sizeof columns);
    for (size_t i = 0; i < COLUMN_COUNT; i++)
        f->observed[i].term = &f->terms[i];
    f->object = (struct object){.name = "x", .space = SPACE_GLOBAL, .instance = -1, .size = 4};
    f->range = (struct virtual_range){.variable = 0, .address = 0x1000};
    f->program = (struct program){
        .test = &f->test,
        .arena = f->arena,
        .observed = f->observed,
        .observed_count = column_count,
        .memory.objects = &f->object,
        .memory.object_count = 1,
        .memory.virtual_ranges = &f->range,
        .memory.virtual_range_count = 1,
    };
    f->outcomes = (struct outcomes){
        .states = f->states, .listed = true, .complete = true, .reachable = TRUTH_YES};
    f->report = (struct report){
        .path = "dir/mp.litmus",
        .model = "ptx-9.1",
        .options = &f->options,
        .program = &f->program,
        .outcomes = &f->outcomes,
        .seconds = 0.0126,
    };
    return f;
}

void fixture_free(struct fixture *f) {
    arena_free(f->arena);
    free(f);
}

void fixture_expect(struct fixture *f, enum expectation what) {
    f->test.expected = f->expected;
    f->expected[f->test.expected_count++] = (struct test_expected){what, {f->test.source, 0, 1}};
}

void fixture_state(struct fixture *f, bool satisfies, const uint64_t *values) {
    size_t index = f->outcomes.state_count++;
    for (size_t i = 0; i < f->program.observed_count; i++)
        f->values[index][i].value.low = values[i];
    f->states[index] = (struct state){f->values[index], satisfies, !satisfies};
}

struct term fixture_constant(long long value) {
    struct bits128 bits = {(uint64_t)value, value < 0 ? UINT64_MAX : 0};
    return (struct term){.kind = TERM_CONSTANT, .constant = bits, .negative = value < 0};
}

struct condition *fixture_compare(struct fixture *f, struct term lhs, enum compare_op compare,
                                  struct term rhs) {
    struct condition *condition = ARENA_NEW(f->arena, struct condition);
    *condition =
        (struct condition){.kind = CONDITION_COMPARE, .compare = compare, .lhs = lhs, .rhs = rhs};
    return condition;
}

struct condition *fixture_join(struct fixture *f, enum condition_kind kind, struct condition *left,
                               struct condition *right) {
    struct condition *condition = ARENA_NEW(f->arena, struct condition);
    *condition = (struct condition){.kind = kind, .left = left, .right = right};
    return condition;
}

const char *fixture_print(struct fixture *f,
                          void (*print)(FILE *, struct arena *, const struct report *)) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        abort();
    print(out, f->arena, &f->report);
    fclose(out);
    const char *copy = arena_strndup(f->arena, text, size);
    free(text);
    return copy;
}
