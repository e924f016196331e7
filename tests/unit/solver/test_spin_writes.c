// Spin loops that write in each turn: that turns are left out changes no outcome. A thread that
// looks at the lock by a weak load forbids it and adds no outcome, so the same programs are
// compared with it: there the loops are unrolled. One that looks by a strong load adds no outcome,
// either; then turns are left out where each of them writes what it has read.
#include "support.h"

enum { PROGRAMS = 30 };

static const char *const places[] = {"x", "y"};

static const char *access_text(struct arena *arena, uint64_t *seed) {
    const char *place = places[random_below(seed, 2)];
    unsigned number = 1 + random_below(seed, 2);
    switch (random_below(seed, 6)) {
    case 0: return arena_format(arena, "st.weak.global.u32 [%s], %u;\n", place, number);
    case 1: return arena_format(arena, "st.relaxed.gpu.global.u32 [%s], %u;\n", place, number);
    case 2: return arena_format(arena, "ld.weak.global.u32 %%r%u, [%s];\n", 2 + number, place);
    case 3:
        return arena_format(arena, "ld.acquire.gpu.global.u32 %%r%u, [%s];\n", 2 + number, place);
    case 4: return "fence.acq_rel.gpu;\n";
    default: return "fence.sc.gpu;\n";
    }
}

// A lock that is taken by an exchange, some with a load that waits for it first, some with an
// exchange that writes another number; and often given back.
static const char *lock_text(struct arena *arena, uint64_t *seed) {
    static const char *const orders[] = {"relaxed", "acquire", "acq_rel", "release"};
    const char *text = "L:\n";
    if (random_below(seed, 3) == 0)
        text = "L:\nM: ld.relaxed.gpu.global.u32 %r6, [m];\n"
               "setp.ne.u32 %p1, %r6, 0;\n@%p1 bra M;\n";
    text = arena_format(arena,
                        "%satom.%s.gpu.global.exch.b32 %%r0, [m], %u;\n"
                        "setp.ne.u32 %%p0, %%r0, 0;\n@%%p0 bra L;\n%s",
                        text, orders[random_below(seed, 4)], 1 + random_below(seed, 2),
                        access_text(arena, seed));
    if (random_below(seed, 8) == 0)
        return text;
    return arena_format(arena, "%sst.%s.gpu.global.u32 [m], 0;\n", text,
                        orders[3 * random_below(seed, 2)]);
}

static const char *threads_text(struct arena *arena, uint64_t *seed) {
    const char *text = "PTX t\n.global .u32 m;\n.global .u32 x;\n.global .u32 y;\n";
    for (unsigned i = 0; i < 2; i++) {
        const char *before = random_below(seed, 2) == 0 ? access_text(arena, seed) : "";
        const char *after = random_below(seed, 2) == 0 ? access_text(arena, seed) : "";
        text = arena_format(arena,
                            "%sP%u@cta %u,gpu 0 {\n.reg .u32 %%r<9>;\n.reg .pred %%p<2>;\n"
                            "mov.u32 %%r3, 7;\nmov.u32 %%r4, 7;\n%s%s%s}\n",
                            text, i, i, before, lock_text(arena, seed), after);
    }
    return text;
}

static const char look[] = "P2@cta 2,gpu 0 {\n.reg .u32 %r<1>;\n"
                           "ld.weak.global.u32 %r0, [m];\n}\n";
static const char watch[] = "P2@cta 2,gpu 0 {\n.reg .u32 %r<1>;\n"
                            "ld.relaxed.gpu.global.u32 %r0, [m];\n}\n";
static const char end[] = "locations [x; y; P0:%r3; P0:%r4; P1:%r3; P1:%r4;]\nexists (x == 1)\n";

// Whether the turns of a program are left out. Its outcomes are those of the unrolled one.
static bool compare(struct solver *solver, const char *text, const char *expected,
                    struct arena *arena) {
    const struct program *program = program_of(arena, text);
    struct outcomes *outcomes = outcomes_of(solver, arena, text, "ptx-9.1", NULL);
    const char *states = states_of(arena, outcomes, program->observed_count);
    if (strcmp(states, expected) != 0)
        print_error("%s", text);
    assert_string_equal(states, expected);
    return expr_is_false(program->limits.bound_reached);
}

static const char *unrolled_states(struct solver *solver, const char *threads,
                                   struct arena *arena) {
    const char *text = arena_format(arena, "%s%s%s", threads, look, end);
    const struct program *program = program_of(arena, text);
    assert_false(expr_is_false(program->limits.bound_reached));
    struct outcomes *outcomes = outcomes_of(solver, arena, text, "ptx-9.1", NULL);
    return states_of(arena, outcomes, program->observed_count);
}

static void random_locks(void **state) {
    (void)state;
    struct solver *solver = solver_new();
    uint64_t seed = 1;
    unsigned cut = 0, cut_when_watched = 0;
    for (unsigned i = 0; i < PROGRAMS; i++) {
        struct arena *arena = arena_new();
        const char *threads = threads_text(arena, &seed);
        const char *states = unrolled_states(solver, threads, arena);
        cut += compare(solver, arena_format(arena, "%s%s", threads, end), states, arena);
        cut_when_watched +=
            compare(solver, arena_format(arena, "%s%s%s", threads, watch, end), states, arena);
        arena_free(arena);
    }
    assert_in_range(cut, PROGRAMS / 2, PROGRAMS);
    assert_in_range(cut_when_watched, 1, PROGRAMS - 1);
    solver_free(solver);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_locks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
