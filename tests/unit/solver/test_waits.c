// Waiting loops of which one turn represents all: random programs have the outcomes and flags of
// the same ones with two and with three turns written out.
#include "support.h"

enum { PROGRAMS = 150 };

static const char *access_text(struct arena *arena, uint64_t *seed) {
    static const char *const texts[] = {
        "st.weak.global.u32 [x], 1;\n",
        "st.relaxed.gpu.global.u32 [y], 1;\n",
        "ld.weak.global.u32 %r3, [x];\n",
        "ld.relaxed.gpu.global.u32 %r4, [y];\n",
        "fence.acq_rel.gpu;\n",
        "fence.sc.gpu;\n",
        "ld.acquire.gpu.global.u32 %r4, [y];\n",
    };
    return arena_format(arena, "%s", texts[random_below(seed, 7)]);
}

static const char *signal_text(struct arena *arena, uint64_t *seed) {
    static const char *const texts[] = {
        "st.release.gpu.global.u32 [f], 1;\n",
        "st.relaxed.gpu.global.u32 [f], 1;\n",
        "atom.release.gpu.global.exch.b32 %r2, [f], 1;\n",
        "red.relaxed.gpu.global.add.u32 [f], 1;\n",
        "red.release.gpu.global.or.b32 [f], 2;\n",
        "st.weak.global.u32 [f], 1;\n",
        "st.release.cta.global.u32 [f], 1;\n",
    };
    return arena_format(arena, "%s", texts[random_below(seed, 20) % 7]);
}

// A turn, which leaves in %p0 whether there is to be another one.
static const char *turn_text(struct arena *arena, uint64_t *seed) {
    static const char *const polls[] = {
        "ld.acquire.gpu.global.u32 %r0, [f];\n",
        "ld.relaxed.gpu.global.u32 %r0, [f];\n",
        "atom.acquire.gpu.global.add.u32 %r0, [f], 0;\n",
        "atom.relaxed.gpu.global.or.b32 %r0, [f], 0;\n",
        "atom.acq_rel.gpu.global.cas.b32 %r0, [f], 0, 0;\n",
        "atom.release.gpu.global.max.u32 %r0, [f], 0;\n",
        "atom.relaxed.cta.global.add.u32 %r0, [f], 0;\n",
        "atom.acquire.gpu.global.cas.b32 %r0, [f], 1, 0;\n",
        "atom.relaxed.gpu.global.cas.b32 %r0, [f], 1, 3;\n",
        "atom.relaxed.gpu.global.min.u32 %r0, [f], 1;\n",
        "atom.acquire.gpu.global.exch.b32 %r0, [f], 0;\n",
        ("ld.relaxed.gpu.global.u32 %r0, [f];\nsetp.ge.u32 %p1, %r0, 2;\n"
         "@%p1 st.relaxed.gpu.global.u32 [y], 2;\n"),
    };
    static const char *const tests[] = {
        "setp.eq.u32 %p0, %r0, 0;\n",
        "setp.ne.u32 %p0, %r0, 1;\n",
        "setp.lt.u32 %p0, %r0, 1;\n",
        "and.b32 %r1, %r0, 3;\nsetp.eq.u32 %p0, %r1, 0;\n",
        "st.local.u32 [v], %r0;\nld.local.u32 %r1, [v];\nsetp.eq.u32 %p0, %r1, 0;\n",
        ("st.local.u64 [v], %rd0;\nst.local.u32 [v+4], %r0;\nld.local.u64 %rd1, [v];\n"
         "cvt.u32.u64 %r1, %rd1;\nadd.u32 %r1, %r1, %r0;\nsetp.eq.u32 %p0, %r1, 0;\n"),
        ("nanosleep.u32 %r5;\nshl.b32 %r5, %r5, 1;\nmin.u32 %r5, %r5, 256;\n"
         "setp.eq.u32 %p0, %r0, 0;\n"),
    };
    const char *poll = polls[random_below(seed, 24) % 12], *test = tests[random_below(seed, 7)];
    return arena_format(arena, "%s%s", poll, test);
}

// The loop; or, with a number of turns, these, after which the thread stays for ever.
static const char *wait_text(struct arena *arena, const char *turn, unsigned turns) {
    const char *text = "";
    if (turns == 0)
        return arena_format(arena, "L: %s@%%p0 bra L;\n", turn);
    for (unsigned i = 0; i < turns; i++)
        text = arena_format(arena, "%s%s@!%%p0 bra E;\n", text, turn);
    return arena_format(arena, "%sS: bra S;\nE:\n", text);
}

static const char *thread_text(struct arena *arena, uint64_t *seed, unsigned number,
                               unsigned turns) {
    const char *text = arena_format(
        arena,
        "P%u@cta %u,gpu 0 {\n.reg .u32 %%r<8>;\n.reg .b64 %%rd<2>;\n.reg .pred %%p<2>;\n"
        ".local .align 8 .b8 v[8];\nmov.u32 %%r0, 9;\nmov.u32 %%r3, 9;\nmov.u32 %%r4, 9;\n"
        "mov.u32 %%r5, 8;\nmov.b64 %%rd0, 0;\n%s",
        number, number == 2 ? random_below(seed, 2) : number, access_text(arena, seed));
    bool signals = number == 0, waits = number == 1;
    if (number == 2) {
        signals = random_below(seed, 2) == 0;
        waits = !signals;
    }
    if (signals)
        text = arena_format(arena, "%s%s", text, signal_text(arena, seed));
    if (waits)
        text = arena_format(arena, "%s%s", text, wait_text(arena, turn_text(arena, seed), turns));
    if (random_below(seed, 2) == 0)
        text = arena_format(arena, "%s%s", text, access_text(arena, seed));
    return arena_format(arena, "%s}\n", text);
}

static const char *program_text(struct arena *arena, uint64_t seed, unsigned turns) {
    const char *text = "PTX t\n.global .u32 f;\n.global .u32 x;\n.global .u32 y;\n";
    unsigned threads = 2 + random_below(&seed, 2);
    for (unsigned i = 0; i < threads; i++)
        text = arena_format(arena, "%s%s", text, thread_text(arena, &seed, i, turns));
    return arena_format(arena,
                        "%slocations [x; P0:%%r3; P0:%%r4; P1:%%r0; P1:%%r3; P1:%%r4;%s]\n"
                        "exists (P1:%%r3 == 0)\n",
                        text, random_below(&seed, 4) == 0 ? " f;" : "");
}

// Whether the loops of a program are one turn each; if so, its outcomes are compared.
static bool compare(struct solver *solver, uint64_t seed, struct arena *arena) {
    const char *looped = program_text(arena, seed, 0);
    struct program *program = program_of(arena, looped);
    if (!expr_is_false(program->limits.bound_reached))
        return false;
    struct outcomes *one = outcomes_of(solver, arena, looped, "ptx-9.1", NULL);
    for (unsigned turns = 2; turns <= 3; turns++) {
        const char *written = program_text(arena, seed, turns);
        struct outcomes *all = outcomes_of(solver, arena, written, "ptx-9.1", NULL);
        const char *states = states_of(arena, all, program->observed_count);
        bool same = strcmp(states_of(arena, one, program->observed_count), states) == 0 &&
                    model_flag(one, "data-race") == model_flag(all, "data-race");
        if (!same)
            print_error("%s", written);
        assert_true(same);
        assert_int_equal(one->verdict, all->verdict);
    }
    return true;
}

static void random_waits(void **state) {
    (void)state;
    struct solver *solver = solver_new();
    uint64_t seed = 1;
    unsigned cut = 0;
    for (unsigned i = 0; i < PROGRAMS; i++) {
        struct arena *arena = arena_new();
        random_next(&seed);
        cut += compare(solver, seed, arena);
        arena_free(arena);
    }
    assert_in_range(cut, PROGRAMS / 2, PROGRAMS - 1);
    solver_free(solver);
}

// The weak store comes between the read and the write of a polling atom, and is lost: so that turn
// cannot be left out.
static void weak_store_is_lost(void **state) {
    (void)state;
    static const char text[] =
        "PTX t\n.global .u32 f;\n.global .u32 y;\n"
        "P0@cta 0,gpu 0 { st.weak.global.u32 [f], 1; st.release.gpu.global.u32 [y], 1; }\n"
        "P1@cta 1,gpu 0 { L: atom.relaxed.gpu.global.add.u32 %r0, [f], 0;\n"
        " setp.eq.u32 %p0, %r0, 0; @%p0 bra L; }\n"
        "P2@cta 2,gpu 0 { ld.acquire.gpu.global.u32 %r0, [y];\n"
        " atom.relaxed.gpu.global.add.u32 %r1, [f], 2; }\n"
        "exists (P2:%r0 == 1 /\\ P2:%r1 == 0)\n";
    struct arena *arena = arena_new();
    struct solver *solver = solver_new();
    struct outcomes *outcomes = outcomes_of(solver, arena, text, "ptx-9.1", NULL);
    assert_int_equal(outcomes->verdict, VERDICT_ALLOWED);
    solver_free(solver);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_waits),
        cmocka_unit_test(weak_store_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
