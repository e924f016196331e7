// Memory that a thread alone has: random programs that copy values through .local memory, with and
// without conditions, have the same outcomes and flags whether its accesses are left out or not.
#include "support.h"

#include "litmus/readers/reader.h"

enum { PROGRAMS = 60 };

static const char *statement(struct arena *arena, uint64_t *seed) {
    static const char *const statements[] = {
        "ld.relaxed.gpu.global.u32 %r",
        "ld.local.u32 %r",
        "st.local.u32 [l",
        "st.relaxed.gpu.global.u32 [",
        "ld.weak.global.u32 %r",
        "atom.relaxed.gpu.global.add.u32 %r",
    };
    static const char *const guards[] = {"", "", "", "@%p ", "@!%p "};
    unsigned kind = random_below(seed, 6), r = random_below(seed, 3), place = random_below(seed, 2);
    const char *guard = guards[random_below(seed, 5)];
    const char *name = place ? "x" : "y";
    if (random_below(seed, 6) == 0)
        return arena_format(arena, "setp.ne.u32 %%p, %%r%u, 0;\n", r);
    if (kind == 1)
        return arena_format(arena, "%s%s%u, [l+%u];\n", guard, statements[kind], r, 4 * place);
    if (kind == 2)
        return arena_format(arena, "%s%s+%u], %%r%u;\n", guard, statements[kind], 4 * place, r);
    if (kind == 3)
        return arena_format(arena, "%s%s%s], %%r%u;\n", guard, statements[kind], name, r);
    return arena_format(arena, "%s%s%u, [%s]%s;\n", guard, statements[kind], r, name,
                        kind == 5 ? ", 1" : "");
}

static const char *program_text(struct arena *arena, uint64_t *seed) {
    const char *text = "PTX t\n.global .u32 x;\n.global .u32 y;\n.local .align 8 .u32 l[2];\n";
    for (unsigned t = 0; t < 2; t++) {
        text = arena_format(arena,
                            "%sP%u@cta %u,gpu 0 {\n.reg .u32 %%r<3>; .reg .pred %%p;\n"
                            "mov.u32 %%r0, 1; mov.u32 %%r1, 2; mov.u32 %%r2, 3;\n"
                            "setp.ne.u32 %%p, %%r0, 0;\nst.local.u32 [l], 5;\n",
                            text, t, t);
        for (unsigned i = 0; i < 7; i++)
            text = arena_format(arena, "%s%s", text, statement(arena, seed));
        text = arena_format(arena, "%s}\n", text);
    }
    return arena_format(arena,
                        "%slocations [x; y; P0:%%r0; P1:%%r0; P0:%%r1; P1:%%r1;]\n"
                        "exists (P0:%%r2 == 1)\n",
                        text);
}

struct run {
    struct program *program;
    struct outcomes *outcomes;
};

static struct run run_with(struct solver *solver, struct arena *arena, const char *text,
                           enum dependencies dependencies, bool keeps) {
    struct program_options options = {.unroll = 2,
                                      .no_thin_air = true,
                                      .dependencies = dependencies,
                                      .left_out = keeps ? STEP_PRIVATE : 0};
    struct solver_options solver_options = {0};
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    const struct source *source = source_from_text(arena, "t.litmus", text, strlen(text));
    struct test *test = test_read(arena, source, SYNTAX_GUESS, &diagnostics);
    assert_non_null(test);
    struct run run = {program_build(arena, test, &options, &diagnostics), NULL};
    assert_non_null(run.program);
    run.outcomes = solver_run(solver, arena, run.program, model_of(arena, "ptx-9.1"),
                              &solver_options, &diagnostics);
    assert_non_null(run.outcomes);
    return run;
}

static void same_outcomes(void **state) {
    (void)state;
    struct solver *solver = solver_new();
    uint64_t seed = 1;
    unsigned smaller = 0;
    for (unsigned i = 0; i < PROGRAMS; i++) {
        struct arena *arena = arena_new();
        random_next(&seed);
        const char *text = program_text(arena, &seed);
        enum dependencies reading = i % 2 ? DEPENDENCIES_SYNTACTIC : DEPENDENCIES_SEMANTIC;
        struct run all = run_with(solver, arena, text, reading, true);
        struct run some = run_with(solver, arena, text, reading, false);
        size_t width = all.program->observed_count;
        const char *a = states_of(arena, all.outcomes, width);
        const char *b = states_of(arena, some.outcomes, width);
        if (strcmp(a, b) != 0)
            print_error("%s\n%s\n%s\n", text, a, b);
        assert_string_equal(a, b);
        assert_int_equal(all.outcomes->verdict, some.outcomes->verdict);
        assert_int_equal(model_flag(all.outcomes, "data-race"),
                         model_flag(some.outcomes, "data-race"));
        smaller += some.program->event_count < all.program->event_count;
        arena_free(arena);
    }
    assert_in_range(smaller, PROGRAMS / 4, PROGRAMS);
    solver_free(solver);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_outcomes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
