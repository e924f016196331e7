// Operations that take turns: random programs whose threads have atomic operations on one location,
// compared with themselves in the general encoding (which the oracle is compared with).
#include "support.h"

enum { GENERAL = 1000, OPERATIONS_MAX = 3 };

// --- Programs ----------------------------------------------------------------------------------

// By kind of program: the same is added everywhere, but in the last two, which do not count.
static const char *const operations[] = {"add.u32", "inc.u32", "add.u32", "exch.b32"};
static const char *const operands[] = {"1", "9", "%u", "%u"};
enum { KINDS = 4 };

static const char *random_operation(struct arena *arena, uint64_t *seed, unsigned kind,
                                    unsigned number) {
    static const char *const orders[] = {"relaxed.gpu", "relaxed.gpu", "acquire.gpu",
                                         "release.gpu", "acq_rel.gpu", "relaxed.cta"};
    const char *order = orders[random_below(seed, kind == 1 ? 5 : 6)];
    const char *operand = strchr(operands[kind], '%') == NULL
                              ? operands[kind]
                              : arena_format(arena, "%u", 1 + random_below(seed, 3));
    return arena_format(arena, "atom.%s.global.%s %%r%u, [a], %s;\n", order, operations[kind],
                        number, operand);
}

// A thread, and its registers in `names`. Some have a plain access in between.
static const char *random_thread(struct arena *arena, uint64_t *seed, unsigned kind,
                                 unsigned thread, unsigned count, const char **names) {
    const char *text = arena_format(arena, "P%u@cta %u,gpu 0 {\n.reg .u32 %%r<9>;\n", thread,
                                    random_below(seed, 4) == 0 ? 0 : thread);
    for (unsigned i = 0; i < count; i++) {
        text = arena_format(arena, "%s%s", text, random_operation(arena, seed, kind, i));
        *names = arena_format(arena, "%sP%u:%%r%u; ", *names, thread, i);
    }
    if (random_below(seed, 3) == 0)
        text = arena_format(arena, "%s%s.weak.global.u32 %s;\n", text, thread == 0 ? "st" : "ld",
                            thread == 0 ? "[b], 1" : "%r8, [b]");
    if (random_below(seed, 8) == 0) {
        text = arena_format(arena, "%sld.relaxed.gpu.global.u32 %%r7, [a];\n", text);
        *names = arena_format(arena, "%sP%u:%%r7; ", *names, thread);
    }
    return arena_format(arena, "%s}\n", text);
}

// Two threads of up to three operations, or three of up to two.
static const char *random_program(struct arena *arena, uint64_t *seed, unsigned kind) {
    unsigned threads = 2 + (random_below(seed, 3) == 0);
    const char *names = "a; ", *text = "PTX turns\n.global .u32 a;\n.global .u32 b;\n";
    for (unsigned i = 0; i < threads; i++) {
        unsigned count = 1 + random_below(seed, OPERATIONS_MAX - (threads == 3));
        text =
            arena_format(arena, "%s%s", text, random_thread(arena, seed, kind, i, count, &names));
    }
    return arena_format(arena, "%slocations [%s]\nexists (P0:%%r0 == 1 /\\ P1:%%r0 == 2)\n", text,
                        names);
}

// A thread that arrives at an mbarrier once or twice, and asks for its phase; the first one
// initialises it, before all of them meet at a barrier, or do not.
static const char *random_arrivals(struct arena *arena, uint64_t *seed, unsigned thread, bool meet,
                                   unsigned expected, const char **names) {
    const char *text =
        arena_format(arena, "P%u@cta 0,gpu 0 {\n.reg .u32 %%r<9>;\n.reg .pred %%p<9>;\n", thread);
    if (thread == 0)
        text = arena_format(arena, "%smbarrier.init.shared.b64 [m], %u;\n", text, expected);
    if (meet)
        text = arena_format(arena, "%sbar.sync 0;\n", text);
    text = arena_format(arena, "%sst.weak.shared.u32 [x+%u], 1;\n", text, 4 * thread);
    for (unsigned i = 1 + random_below(seed, 2); i > 0; i--)
        text = arena_format(arena, "%smbarrier.arrive.shared.b64 _, [m]%s;\n", text,
                            random_below(seed, 6) == 0 ? ", 2" : "");
    *names = arena_format(arena, "%sP%u:%%r0; P%u:%%r1; ", *names, thread, thread);
    return arena_format(arena,
                        "%smbarrier.test_wait.parity.shared.b64 %%p0, [m], %u;\n"
                        "selp.b32 %%r0, 1, 0, %%p0;\nld.weak.shared.u32 %%r1, [x+%u];\n}\n",
                        text, random_below(seed, 2), random_below(seed, 2) == 0 ? 0 : 4);
}

static const char *random_mbarrier(struct arena *arena, uint64_t *seed) {
    unsigned threads = 2 + random_below(seed, 2), expected = 1 + random_below(seed, 4);
    bool meet = random_below(seed, 5) != 0;
    const char *names = "", *text = "PTX arrivals\n.shared .align 8 .b64 m;\n.shared .u32 x[3];\n";
    for (unsigned i = 0; i < threads; i++)
        text = arena_format(arena, "%s%s", text,
                            random_arrivals(arena, seed, i, meet, expected, &names));
    return arena_format(arena, "%slocations [%s]\nexists (P0:%%r0 == 1 /\\ P1:%%r0 == 1)\n", text,
                        names);
}

// --- Both encodings ----------------------------------------------------------------------------

// Returns how many clauses fewer it takes.
static long compare(struct solver *solver, struct arena *arena, const char *text,
                    const char *model) {
    const struct solver_options turns = {.chain_min = 1, .check_executions = true};
    const struct solver_options general = {.chain_min = GENERAL, .check_executions = true};
    struct outcomes *ours = outcomes_of(solver, arena, text, model, &turns);
    struct outcomes *plain = outcomes_of(solver, arena, text, model, &general);
    size_t width = program_of(arena, text)->observed_count;
    if (strcmp(states_of(arena, ours, width), states_of(arena, plain, width)) != 0)
        print_error("%s", text);
    assert_string_equal(states_of(arena, ours, width), states_of(arena, plain, width));
    assert_int_equal(ours->verdict, plain->verdict);
    for (size_t i = 0; i < ours->flag_count; i++)
        assert_int_equal(ours->flags[i].holds, plain->flags[i].holds);
    return (long)plain->stats.clauses - (long)ours->stats.clauses;
}

static void random_programs(void **state) {
    (void)state;
    static const char *const models[] = {"ptx-9.1", "ptx-6.0", "ptx-7.5"};
    enum { COUNT_OF_PROGRAMS = 60 };
    struct solver *solver = solver_new();
    uint64_t seed = 1;
    size_t shorter = 0, count = share_of(COUNT_OF_PROGRAMS);
    for (unsigned i = 0; i < count; i++) {
        struct arena *arena = arena_new();
        const char *text = random_program(arena, &seed, i % KINDS);
        shorter += compare(solver, arena, text, models[i % 3]) > 0;
        arena_free(arena);
    }
    print_message("%zu of %zu with fewer clauses\n", shorter, count);
    assert_in_range(shorter, count / 4, count);
    solver_free(solver);
}

static void random_mbarriers(void **state) {
    (void)state;
    enum { COUNT_OF_PROGRAMS = 40 };
    struct solver *solver = solver_new();
    uint64_t seed = 1;
    size_t shorter = 0, count = share_of(COUNT_OF_PROGRAMS);
    for (unsigned i = 0; i < count; i++) {
        struct arena *arena = arena_new();
        shorter += compare(solver, arena, random_mbarrier(arena, &seed), "ptx-9.1") > 0;
        arena_free(arena);
    }
    print_message("%zu of %zu with fewer clauses\n", shorter, count);
    assert_in_range(shorter, count / 4, count);
    solver_free(solver);
}

// Each operation returns how many came before it, so that its value and those of its thread's
// others say which of the other thread's are before it: 2 threads of 3 have 20 orders.
static void counts(void **state) {
    (void)state;
    static const char model[] = "ptx-9.1";
    struct arena *arena = arena_new();
    const char *text = "PTX counts\n.global .u32 a;\n";
    for (unsigned thread = 0; thread < 2; thread++) {
        text = arena_format(arena, "%sP%u@cta %u,gpu 0 {\n", text, thread, thread);
        for (unsigned i = 0; i < 3; i++)
            text =
                arena_format(arena, "%satom.relaxed.gpu.global.add.u32 %%r%u, [a], 1;\n", text, i);
        text = arena_format(arena, "%s}\n", text);
    }
    struct solver *solver = solver_new();
    struct outcomes *all = outcomes_of(
        solver, arena,
        arena_format(arena,
                     "%slocations [P0:%%r0; P0:%%r1; P0:%%r2; P1:%%r0; P1:%%r1; P1:%%r2;]\n"
                     "exists (a == 5)\n",
                     text),
        model, NULL);
    assert_int_equal(all->verdict, VERDICT_FORBIDDEN);
    assert_int_equal(all->state_count, 20);
    struct outcomes *same = outcomes_of(
        solver, arena, arena_format(arena, "%sexists (P0:%%r1 == 3 /\\ P1:%%r1 == 2)\n", text),
        model, NULL);
    assert_int_equal(same->verdict, VERDICT_ALLOWED);
    struct outcomes *before = outcomes_of(
        solver, arena, arena_format(arena, "%sexists (P0:%%r1 == 3 /\\ P1:%%r2 == 2)\n", text),
        model, NULL);
    assert_int_equal(before->verdict, VERDICT_FORBIDDEN);
    solver_free(solver);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts),
        cmocka_unit_test(random_programs),
        cmocka_unit_test(random_mbarriers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
