// Helpers of the solver room's tests.
#include "support.h"

#include "litmus/readers/reader.h"

#include <stdlib.h>

static void fail_with_messages(struct arena *arena, const struct diagnostics *diagnostics,
                               const char *text) {
    for (size_t i = 0; i < diagnostics->count; i++)
        print_error("%s", diag_render(arena, &diagnostics->items[i]));
    fail_msg("errors in:\n%s", text);
}

static struct program *build(struct arena *arena, const char *text, bool whole_accesses) {
    struct diagnostics diagnostics;
    struct program_options options = {
        .unroll = 2, .no_thin_air = true, .whole_accesses = whole_accesses};
    diagnostics_init(&diagnostics, arena);
    const struct source *source = source_from_text(arena, "test.litmus", text, strlen(text));
    struct test *test = test_read(arena, source, SYNTAX_GUESS, &diagnostics);
    struct program *program =
        test == NULL ? NULL : program_build(arena, test, &options, &diagnostics);
    if (program == NULL || diag_has_errors(&diagnostics))
        fail_with_messages(arena, &diagnostics, text);
    return program;
}

// Torn accesses multiply the outcomes; they are compared with the oracle.
struct program *program_of(struct arena *arena, const char *text) {
    return build(arena, text, true);
}

struct program *torn_program_of(struct arena *arena, const char *text) {
    return build(arena, text, false);
}

struct model *model_of(struct arena *arena, const char *name_or_text) {
    struct diagnostics diagnostics;
    struct model *model;
    diagnostics_init(&diagnostics, arena);
    if (strchr(name_or_text, '\n') != NULL) {
        const struct source *source =
            source_from_text(arena, "test.cat", name_or_text, strlen(name_or_text));
        model = model_parse(arena, source, &diagnostics);
    } else {
        model = model_load(arena, name_or_text, &diagnostics);
    }
    if (model == NULL || diag_has_errors(&diagnostics))
        fail_with_messages(arena, &diagnostics, name_or_text);
    return model;
}

struct outcomes *outcomes_of(struct solver *solver, struct arena *arena, const char *text,
                             const char *model, const struct solver_options *options) {
    static const struct solver_options defaults = {.check_executions = true};
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    struct outcomes *outcomes =
        solver_run(solver, arena, program_of(arena, text), model_of(arena, model),
                   options == NULL ? &defaults : options, &diagnostics);
    if (outcomes == NULL || diag_has_errors(&diagnostics))
        fail_with_messages(arena, &diagnostics, text);
    return outcomes;
}

static const char *state_text(struct arena *arena, const struct state *state, size_t width) {
    const char *text = "";
    for (size_t i = 0; i < width; i++) {
        const char *space = i == 0 ? "" : " ";
        text = state->values[i].undef
                   ? arena_format(arena, "%s%s?", text, space)
                   : arena_format(arena, "%s%s%llu", text, space,
                                  (unsigned long long)state->values[i].value.low);
    }
    return arena_format(arena, "%s%s%s", text, state->satisfies ? "*" : "",
                        state->violates && state->satisfies ? "!" : "");
}

const char *states_of(struct arena *arena, const struct outcomes *outcomes, size_t width) {
    const char *text = "";
    for (size_t i = 0; i < outcomes->state_count; i++)
        text = arena_format(arena, "%s%s%s", text, i == 0 ? "" : "; ",
                            state_text(arena, &outcomes->states[i], width));
    return text;
}

enum truth model_flag(const struct outcomes *outcomes, const char *name) {
    for (size_t i = 0; i < outcomes->flag_count; i++)
        if (outcomes->flags[i].kind == FLAG_MODEL && strcmp(outcomes->flags[i].name, name) == 0)
            return outcomes->flags[i].holds;
    fail_msg("the model has no flag %s", name);
    return TRUTH_UNKNOWN;
}

void assert_outcomes(const char *text, const char *model, const char *states,
                     enum verdict verdict) {
    struct arena *arena = arena_new();
    struct solver *solver = solver_new();
    struct outcomes *outcomes = outcomes_of(solver, arena, text, model, NULL);
    size_t width = program_of(arena, text)->observed_count;
    assert_true(outcomes->listed);
    assert_true(outcomes->complete);
    assert_string_equal(states_of(arena, outcomes, width), states);
    assert_int_equal(outcomes->verdict, verdict);
    assert_int_equal(outcomes->reason, REASON_NONE);
    struct solver_options only = {.verdict_only = true, .check_executions = true};
    struct outcomes *decided = outcomes_of(solver, arena, text, model, &only);
    assert_false(decided->listed);
    assert_int_equal(decided->verdict, verdict);
    solver_free(solver);
    arena_free(arena);
}

uint32_t random_next(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

unsigned share_of(unsigned count) {
    const char *share = getenv("PTXLITMUS_TEST_SHARE");
    unsigned parts = share == NULL ? 1 : (unsigned)strtoul(share, NULL, 10);
    return (count + parts - 1) / parts;
}
