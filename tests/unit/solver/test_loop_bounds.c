// Threads that spin for what others write in loops, or after them: within the bound of those loops
// an outcome may be missing, but then it is not "never" (memory-model: waits beyond the bound).
// Random programs are compared with the same ones whose counted loops are written out.
#include "support.h"

enum { PROGRAMS = 300, ROUNDS_MAX = 3 };

static const char *access_text(struct arena *arena, uint64_t *seed) {
    static const char *const texts[] = {
        "st.relaxed.gpu.global.u32 [f], 1;\n",
        "st.release.gpu.global.u32 [f], %r6;\n",
        "red.relaxed.gpu.global.add.u32 [c], 1;\n",
        "red.release.gpu.global.add.u32 [c], 1;\n",
        "st.weak.global.u32 [x], 1;\n",
        "fence.acq_rel.gpu;\n",
        "atom.relaxed.gpu.global.exch.b32 %r4, [f], 2;\n",
    };
    return arena_format(arena, "%s", texts[random_below(seed, 7)]);
}

// A loop of as many rounds as `n` says when the thread looks, or the same written out.
static const char *loop_text(struct arena *arena, unsigned label, const char *body, bool unrolled) {
    const char *round = arena_format(arena,
                                     "setp.ge.u32 %%p0, %%r6, %%r5;\n@%%p0 bra E%u;\n%s"
                                     "add.u32 %%r6, %%r6, 1;\n",
                                     label, body);
    const char *text = "ld.relaxed.gpu.global.u32 %r5, [n];\nmov.u32 %r6, 0;\n";
    for (unsigned i = 0; unrolled && i < ROUNDS_MAX; i++)
        text = arena_format(arena, "%s%s", text, round);
    if (!unrolled)
        text = arena_format(arena, "%sL%u:\n%sbra L%u;\n", text, label, round, label);
    return arena_format(arena, "%sE%u:\n", text, label);
}

static const char *spin_text(struct arena *arena, uint64_t *seed, unsigned label) {
    static const char *const places[] = {"f", "f", "c", "g"};
    const char *place = places[random_below(seed, 4)];
    unsigned value = *place == 'g' ? 1 : 1 + random_below(seed, ROUNDS_MAX);
    return arena_format(arena,
                        "S%u: ld.%s.gpu.global.u32 %%r0, [%s];\n"
                        "setp.lt.u32 %%p0, %%r0, %u;\n@%%p0 bra S%u;\n",
                        label, random_below(seed, 2) == 0 ? "acquire" : "relaxed", place, value,
                        label);
}

static const char *thread_text(struct arena *arena, uint64_t seed, unsigned number, bool unrolled) {
    const char *text = arena_format(arena,
                                    "P%u@cta %u,gpu 0 {\n.reg .u32 %%r<8>;\n.reg .pred %%p<2>;\n"
                                    "mov.u32 %%r0, 0;\nmov.u32 %%r1, 7;\nmov.u32 %%r6, 0;\n",
                                    number, number);
    if (number == 0 || random_below(&seed, 3) == 0)
        text = arena_format(arena, "%s%s", text, spin_text(arena, &seed, 2 * number));
    if (number == 2)
        text = arena_format(arena, "%sst.relaxed.gpu.global.u32 [n], %u;\n", text,
                            1 + random_below(&seed, ROUNDS_MAX));
    if (number == 1 || (number == 2 && random_below(&seed, 3) == 0)) {
        const char *body = access_text(arena, &seed);
        text = arena_format(arena, "%s%s%s", text, loop_text(arena, number, body, unrolled),
                            access_text(arena, &seed));
    }
    if (number == 0)
        text = arena_format(arena, "%sld.weak.global.u32 %%r1, [x];\n", text);
    if (random_below(&seed, 4) == 0)
        text = arena_format(arena, "%sst.release.gpu.global.u32 [g], 1;\n", text);
    return arena_format(arena, "%s}\n", text);
}

static const char *program_text(struct arena *arena, uint64_t seed, bool unrolled) {
    const char *text = "PTX t\n.global .u32 c;\n.global .u32 f;\n.global .u32 g;\n"
                       ".global .u32 n;\n.global .u32 x;\n";
    for (unsigned i = 0; i < 3; i++)
        text = arena_format(arena, "%s%s", text, thread_text(arena, seed + i, i, unrolled));
    return arena_format(arena, "%sexists (P0:%%r0 == %u /\\ P0:%%r1 == %u)\n", text,
                        1 + (unsigned)(seed >> 7) % ROUNDS_MAX, (unsigned)(seed >> 11) % 2);
}

static bool has_bound(const struct outcomes *outcomes) {
    return outcomes_flag(outcomes, FLAG_BOUND) == TRUTH_YES;
}

struct tally {
    unsigned decided, cut, saved; // saved: undecided where "never" would be wrong
};

static void compare(struct solver *solver, uint64_t seed, struct arena *arena,
                    struct tally *tally) {
    const char *looped = program_text(arena, seed, false);
    const char *unrolled = program_text(arena, seed, true);
    size_t width = program_of(arena, unrolled)->observed_count;
    struct outcomes *within = outcomes_of(solver, arena, looped, "ptx-9.1", NULL);
    struct outcomes *all = outcomes_of(solver, arena, unrolled, "ptx-9.1", NULL);
    assert_false(has_bound(all));
    bool same = strcmp(states_of(arena, within, width), states_of(arena, all, width)) == 0;
    bool wrong = !has_bound(within) && (!same || within->verdict != all->verdict);
    wrong = wrong || (has_bound(within) && within->verdict == VERDICT_FORBIDDEN);
    wrong = wrong || (within->verdict == VERDICT_ALLOWED && all->verdict == VERDICT_FORBIDDEN);
    if (wrong)
        print_error("%s", looped);
    assert_false(wrong);
    tally->decided += !has_bound(within);
    tally->cut += has_bound(within);
    tally->saved += within->verdict == VERDICT_UNKNOWN && all->verdict != VERDICT_FORBIDDEN;
}

static void random_waits(void **state) {
    (void)state;
    struct solver *solver = solver_new();
    struct tally tally = {0};
    uint64_t seed = 11;
    for (unsigned i = 0; i < PROGRAMS; i++) {
        struct arena *arena = arena_new();
        random_next(&seed);
        compare(solver, seed, arena, &tally);
        arena_free(arena);
    }
    assert_in_range(tally.decided, PROGRAMS / 2, PROGRAMS);
    assert_in_range(tally.cut, PROGRAMS / 6, PROGRAMS);
    assert_in_range(tally.saved, PROGRAMS / 50, PROGRAMS);
    solver_free(solver);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_waits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
