// Which places are monotone under a model: computed from its graph, so another model may make
// others of them.
#include "support.h"

#include "model/cat/model.h"
#include "repair/polarity.h"
#include "repair/repair.h"
#include "repair/variants.h"

#include <limits.h>
#include <stdlib.h>

static const struct program_options program_options = {.unroll = 2, .no_thin_air = true};

static const char message[] = "PTX T\n"
                              "{ .global .u32 x; .global .u32 f; }\n"
                              " P0@cta 0,gpu 0              | P1@cta 1,gpu 0                ;\n"
                              " st.weak.global.u32 [x], 1   | ld.weak.global.u32 %a, [f]    ;\n"
                              " st.weak.global.u32 [f], 1   | ld.weak.global.u32 %b, [x]    ;\n"
                              "exists (P1:%a == 1 /\\ P1:%b == 0)\n";

// Atomics of different sizes on one place.
static const char sizes[] = "PTX T\n"
                            "{ .global .align 8 .b8 x[8]; }\n"
                            " P0@cta 0,gpu 0                                | P1@cta 1,gpu 0 ;\n"
                            " atom.relaxed.cta.global.add.u32 %a, [x], 1 | "
                            "atom.relaxed.cta.global.add.u64 %rd1, [x], 1 ;\n"
                            "exists (P0:%a == 1)\n";

static struct model *model_of(struct arena *arena, const char *text) {
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    struct model *model =
        strchr(text, '\n') == NULL
            ? model_load(arena, text, &diagnostics)
            : model_parse(arena, source_from_text(arena, "odd.cat", text, strlen(text)),
                          &diagnostics);
    assert_non_null(model);
    return model;
}

// The places of a test that are not monotone under a model, by their lines.
static const char *others(struct arena *arena, const char *text, const char *model, bool flags) {
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    struct changes *changes = changes_of(arena, test_of(arena, text), CHANGES_UP, NULL);
    struct change_variants *variants =
        variants_new(arena, changes, 0, &program_options, &diagnostics);
    assert_non_null(variants);
    const bool *monotone = polarity_monotone(arena, variants, model_of(arena, model), flags);
    const char *list = "";
    for (size_t i = 0; i < changes->count; i++)
        if (!monotone[i])
            list = arena_format(arena, "%s%s%s", list, *list ? "; " : "",
                                change_where(arena, changes, i));
    return list;
}

static void test_models(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    assert_string_equal(others(arena, message, "ptx-9.1", false), "");
    assert_string_equal(others(arena, message, "ptx-9.1", true), "");
    assert_string_equal(others(arena, message, "ptx-7.5", false), "");
    assert_string_equal(others(arena, message, "ptx-6.0", false), "");
    // What is ruled out for relaxed accesses alone comes back for stronger ones.
    assert_string_equal(others(arena, message,
                               "\"odd\"\nempty rf & ((W & RELAXED) * (R & RELAXED)) as Odd\n",
                               false),
                        "P0, line 4; P1, line 4; P0, line 5; P1, line 5");
    // What an sc fence takes away, and a fence that makes a flag hold.
    assert_string_equal(others(arena, message,
                               "\"odd\"\nacyclic rf | po\nempty (po & (M * F)) \\ (po ; [SC])\n",
                               false),
                        "P0, line 5; P1, line 5");
    const char *flag = "\"odd\"\nacyclic rf | po\nflag ~empty po ; [F] as fenced\n";
    assert_string_equal(others(arena, message, flag, false), "");
    assert_string_equal(others(arena, message, flag, true), "P0, line 5; P1, line 5");
    arena_free(arena);
}

// The axioms about atomics of several sizes are about those that are not morally strong.
static void test_sizes(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    assert_string_equal(others(arena, sizes, "ptx-9.1", false), "");
    arena_free(arena);
}

// Where it is not monotone, the search still finds the one choice that does: both relaxed, no
// stronger.
static void test_odd_search(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct solver *solver = solver_new();
    struct diagnostics diagnostics;
    struct costs costs = costs_default();
    struct change_limit limit = {PTX_NEWEST, NULL};
    const struct solver_options solver_options = {.max_states = 0};
    struct repair_options options = {
        .goal = REPAIR_FORBID,
        .model = model_of(arena, "\"odd\"\nempty rf & ((W & RELAXED) * (R & RELAXED)) as Odd\n"),
        .program = &program_options,
        .solver = &solver_options,
        .limits = &limit,
        .limit_count = 1,
        .costs = &costs,
        .max_cost = 2};
    diagnostics_init(&diagnostics, arena);
    const struct repair *repair =
        repair_search(solver, arena, test_of(arena, message), 0, &options, &diagnostics);
    assert_non_null(repair);
    assert_int_equal(repair->state, REPAIR_FOUND);
    assert_int_equal(repair->count, 1); // at .gpu they would do as well, but are stronger
    assert_int_equal(repair->stats.not_monotone, 4);
    assert_int_equal(repair->remedies[0].cost, 2);
    solver_free(solver);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_odd_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
