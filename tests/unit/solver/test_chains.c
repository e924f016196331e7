// Chains of sections: what the solver proves of locks and counters changes no outcome. The tests
// are compared with themselves without any chain, which is what the oracle is compared with.
#include "support.h"

enum { NO_CHAINS = 1000 };

// --- Programs ----------------------------------------------------------------------------------

// What the counter is increased by: with the second, more than one of its bytes changes, so that
// reads may be torn.
enum { STEP = 1, WIDE_STEP = 257 };

#define COUNT                                                                                      \
    "ld.weak.global.u32 %%r8, [c];\nadd.u32 %%r8, %%r8, %u;\nst.weak.global.u32 [c], %%r8;\n"

// A random number; 0 without a seed, which makes all words the right ones.
static uint32_t choose(uint64_t *seed, uint32_t bound) {
    return seed == NULL ? 0 : random_below(seed, bound);
}

static const char *acquire_of(uint64_t *seed) {
    static const char *const words[] = {"acquire.gpu", "relaxed.gpu", "acquire.cta", "acquire.sys"};
    return words[choose(seed, 8) < 5 ? 0 : choose(seed, 4)];
}

static const char *release_of(uint64_t *seed) {
    static const char *const words[] = {"release.gpu", "relaxed.gpu", "release.cta", "release.sys"};
    return words[choose(seed, 8) < 5 ? 0 : choose(seed, 4)];
}

static const char *spin(struct arena *arena, uint64_t *seed, unsigned label, unsigned step) {
    bool exchanges = choose(seed, 4) == 1;
    return arena_format(arena,
                        "L%u: atom.%s.global.%s.b32 %%r0, [a], %s1;\n"
                        "setp.ne.u32 %%p0, %%r0, 0;\n@%%p0 bra L%u;\n" COUNT
                        "st.%s.global.u32 [a], 0;\n",
                        label, acquire_of(seed), exchanges ? "exch" : "cas", exchanges ? "" : "0, ",
                        label, step, release_of(seed));
}

// A ticket lock that serves what it has read, or its ticket.
static const char *ticket(struct arena *arena, uint64_t *seed, unsigned label, unsigned step) {
    return arena_format(arena,
                        "atom.relaxed.gpu.global.add.u32 %%r2, [a], 1;\n"
                        "L%u: ld.%s.global.u32 %%r0, [b];\n"
                        "setp.ne.u32 %%p0, %%r0, %%r2;\n@%%p0 bra L%u;\n" COUNT
                        "add.u32 %%r0, %%r%u, 1;\nst.%s.global.u32 [b], %%r0;\n",
                        label, acquire_of(seed), label, step, choose(seed, 2) * 2,
                        release_of(seed));
}

// Operations of which several make a counter; of the last two not, as values come again.
static const char *const operations[] = {"add.u32 [a], 2", "inc.u32 [a], 9", "add.f32 [a], 1.0",
                                         "inc.u32 [a], 1", "xor.b32 [a], 3"};

static const char *atomics(struct arena *arena, uint64_t *seed, const char *operation) {
    return arena_format(arena,
                        "atom.%s.global.add.u32 %%r8, [b], 1;\n"
                        "red.%s.global.%s;\n",
                        acquire_of(seed), release_of(seed), operation);
}

// What a thread does once: 0 and 1 for a lock, 2 and 3 for one with tickets, else atomics.
static const char *block(struct arena *arena, uint64_t *seed, unsigned kind, unsigned label,
                         unsigned step) {
    enum { LOCKS = 2, TICKETS = 4 };
    if (kind < LOCKS)
        return spin(arena, seed, label, step);
    return kind < TICKETS ? ticket(arena, seed, label, step)
                          : atomics(arena, seed, operations[kind - TICKETS]);
}

// Three blocks on two or three threads. The words and the placement are random, so that some locks
// hold and others do not.
static const char *random_program(struct arena *arena, uint64_t *seed) {
    unsigned kind = random_below(seed, 9), threads = 2 + random_below(seed, 2), label = 0;
    unsigned step = random_below(seed, 2) == 0 ? STEP : WIDE_STEP;
    const char *text = "PTX chain\n.global .u32 a;\n.global .u32 b;\n.global .u32 c;\n";
    for (unsigned i = 0; i < threads; i++) {
        unsigned blocks = threads == 2 && i == 0 ? 2 : 1;
        unsigned gpu = random_below(seed, 6) == 0;
        unsigned cta = gpu == 1 ? 2 : random_below(seed, 2);
        text = arena_format(arena, "%sP%u@cta %u,gpu %u {\n.reg .u32 %%r<9>;\n.reg .pred %%p<1>;\n",
                            text, i, cta, gpu);
        for (unsigned k = 0; k < blocks; k++, label++)
            text = arena_format(arena, "%s%s", text, block(arena, seed, kind, label, step));
        text = arena_format(arena, "%s}\n", text);
    }
    return arena_format(arena, "%slocations [a; b; c;]\nexists (P0:%%r8 == 1 /\\ P1:%%r8 == 0)\n",
                        text);
}

// --- With and without chains -------------------------------------------------------------------

// Runs a program with chains of any length and without any, and compares. Returns how many chains
// were proven.
static size_t compare_program(struct solver *solver, struct arena *arena,
                              const struct program *program, const char *name) {
    const struct solver_options with = {.chain_min = 1, .check_executions = true};
    const struct solver_options without = {.chain_min = NO_CHAINS, .check_executions = true};
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    const struct model *model = model_of(arena, name);
    struct outcomes *ours = solver_run(solver, arena, program, model, &with, &diagnostics);
    struct outcomes *plain = solver_run(solver, arena, program, model, &without, &diagnostics);
    size_t width = program->observed_count;
    assert_non_null(ours);
    assert_non_null(plain);
    assert_string_equal(states_of(arena, ours, width), states_of(arena, plain, width));
    assert_int_equal(ours->verdict, plain->verdict);
    assert_int_equal(plain->stats.chains, 0);
    return ours->stats.chains;
}

static size_t compare(struct solver *solver, struct arena *arena, const char *text,
                      const char *model) {
    return compare_program(solver, arena, program_of(arena, text), model);
}

// The same where accesses may be torn.
static size_t compare_torn(struct solver *solver, struct arena *arena, const char *text) {
    return compare_program(solver, arena, torn_program_of(arena, text), "ptx-9.1");
}

static void random_programs(void **state) {
    (void)state;
    static const char *const models[] = {"ptx-9.1", "ptx-6.0", "ptx-7.5"};
    enum { COUNT_OF_PROGRAMS = 30 };
    struct solver *solver = solver_new();
    uint64_t seed = 1;
    size_t with_chains = 0;
    for (unsigned i = 0; i < COUNT_OF_PROGRAMS; i++) {
        struct arena *arena = arena_new();
        const char *text = random_program(arena, &seed);
        with_chains += compare(solver, arena, text, models[i % 3]) != 0;
        arena_free(arena);
    }
    print_message("%zu of %d with chains\n", with_chains, COUNT_OF_PROGRAMS);
    assert_in_range(with_chains, COUNT_OF_PROGRAMS / 4, COUNT_OF_PROGRAMS - 1);
    solver_free(solver);
}

// A lock that two threads take twice: all of its words, and the counter, are chains. The counter
// begins with one less than a step; `more` are threads more.
static const char *right_lock(struct arena *arena, bool tickets, unsigned step, const char *more) {
    const char *text = arena_format(
        arena, "PTX lock\n.global .u32 a;\n.global .u32 b;\n.global .u32 c = %u;\n", step - 1);
    for (unsigned i = 0; i < 2; i++)
        text = arena_format(arena, "%sP%u@cta %u,gpu 0 {\n%s%s}\n", text, i, i,
                            block(arena, NULL, tickets ? 2 : 0, 2 * i, step),
                            block(arena, NULL, tickets ? 2 : 0, 2 * i + 1, step));
    return arena_format(arena, "%s%sexists (c != %u)\n", text, more, 5 * step - 1);
}

static void right_locks(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct solver *solver = solver_new();
    for (unsigned wide = 0; wide < 2; wide++) {
        unsigned step = wide ? WIDE_STEP : STEP;
        assert_int_equal(compare(solver, arena, right_lock(arena, false, step, ""), "ptx-9.1"), 2);
        assert_int_equal(compare(solver, arena, right_lock(arena, true, step, ""), "ptx-9.1"), 3);
        assert_int_equal(compare_torn(solver, arena, right_lock(arena, false, step, "")), 2);
        assert_int_equal(compare_torn(solver, arena, right_lock(arena, true, step, "")), 3);
    }
    solver_free(solver);
    arena_free(arena);
}

// A thread that counts twice, each time under the lock except for the read or the write of the
// counter in one of the two, which is outside.
static const char *leaky_thread(struct arena *arena, unsigned step, unsigned leak) {
    enum { READ_EARLY = 1, WRITE_LATE = 2, KINDS = 3 };
    const char *text = "";
    for (unsigned round = 0; round < 2; round++) {
        unsigned kind = leak / KINDS == round ? leak % KINDS : 0;
        const char *load = "ld.weak.global.u32 %r8, [c];\n";
        const char *store = "st.weak.global.u32 [c], %r8;\n";
        const char *sum = arena_format(arena, "add.u32 %%r8, %%r8, %u;\n", step);
        text = arena_format(arena,
                            "%s%sL%u: atom.acquire.gpu.global.exch.b32 %%r0, [a], 1;\n"
                            "setp.ne.u32 %%p0, %%r0, 0;\n@%%p0 bra L%u;\n%s%s%s"
                            "st.release.gpu.global.u32 [a], 0;\n%s",
                            text, kind == READ_EARLY ? load : "", round, round,
                            kind == READ_EARLY ? "" : load, sum, kind == WRITE_LATE ? "" : store,
                            kind == WRITE_LATE ? store : "");
    }
    return text;
}

// What is not all done under the lock is not guarded by it.
static void outside_of_the_lock(void **state) {
    (void)state;
    enum { LEAKS = 6 };
    struct arena *arena = arena_new();
    struct solver *solver = solver_new();
    for (unsigned leak = 0; leak < LEAKS; leak++)
        for (unsigned wide = 0; wide < 2; wide++) {
            unsigned step = wide ? WIDE_STEP : STEP;
            const char *text = arena_format(
                arena,
                "PTX leak\n.global .u32 a;\n.global .u32 c;\nP0@cta 0,gpu 0 {\n%s}\n"
                "P1@cta 1,gpu 0 {\n%s}\nlocations [c;]\nexists (c == %u)\n",
                leaky_thread(arena, step, leak), leaky_thread(arena, step, 0), 4 * step);
            compare(solver, arena, text, "ptx-9.1");
            size_t chains = wide ? compare_torn(solver, arena, text) : 1;
            assert_in_range(chains, 1, leak % 3 == 0 ? 2 : 1);
        }
    solver_free(solver);
    arena_free(arena);
}

// A write to one byte of the counter by a thread that does not take the lock: the counter is no
// chain, whichever byte it is.
static void bytes_of_others(void **state) {
    (void)state;
    for (unsigned byte = 0; byte < 2; byte++) {
        struct arena *arena = arena_new();
        struct solver *solver = solver_new();
        const char *more =
            arena_format(arena, "P2@cta 2,gpu 0 {\nst.relaxed.gpu.global.u8 [c+%u], 7;\n}\n", byte);
        const char *text = right_lock(arena, false, WIDE_STEP, more);
        assert_int_equal(compare_torn(solver, arena, text), 1); // the lock
        solver_free(solver);
        arena_free(arena);
    }
}

// Who holds a ticket may wait for it twice, and find the same write both times: the waits tell no
// two sections apart.
static void tickets_served_twice(void **state) {
    (void)state;
    static const char text[] = "PTX twice\n.global .u32 a;\n.global .u32 b;\n"
                               "P0@cta 0,gpu 0 {\n"
                               "atom.relaxed.gpu.global.add.u32 %r2, [a], 1;\n"
                               "L0: ld.relaxed.gpu.global.u32 %r0, [b];\n"
                               "setp.ne.u32 %p0, %r0, %r2;\n@%p0 bra L0;\n"
                               "L1: ld.relaxed.gpu.global.u32 %r1, [b];\n"
                               "setp.ne.u32 %p0, %r1, %r2;\n@%p0 bra L1;\n"
                               "add.u32 %r0, %r0, 1;\nst.relaxed.gpu.global.u32 [b], %r0;\n"
                               "add.u32 %r1, %r1, 1;\nst.relaxed.gpu.global.u32 [b], %r1;\n}\n"
                               "P1@cta 1,gpu 0 {\n"
                               "atom.relaxed.gpu.global.add.u32 %r2, [a], 1;\n"
                               "L0: ld.relaxed.gpu.global.u32 %r0, [b];\n"
                               "setp.ne.u32 %p0, %r0, %r2;\n@%p0 bra L0;\n"
                               "add.u32 %r0, %r0, 1;\nst.relaxed.gpu.global.u32 [b], %r0;\n}\n"
                               "locations [a; b;]\nexists (P0:%r1 == 1 /\\ b == 2)\n";
    struct arena *arena = arena_new();
    struct solver *solver = solver_new();
    assert_int_equal(compare(solver, arena, text, "ptx-9.1"), 1); // the tickets are a chain
    solver_free(solver);
    arena_free(arena);
}

// What is known of a read that its thread waits with does not make it the read of a section.
static void waits_for_a_constant(void **state) {
    (void)state;
    static const char text[] = "PTX constant\n.global .u32 a;\n.global .u32 b;\n"
                               "P0@cta 0,gpu 0 {\n"
                               "L0: ld.relaxed.gpu.global.u32 %r0, [b];\n"
                               "setp.ne.u32 %p0, %r0, 1;\n@%p0 bra L0;\n"
                               "add.u32 %r1, %r0, 1;\nst.relaxed.gpu.global.u32 [a], %r1;\n}\n"
                               "P1@cta 1,gpu 0 {\nst.relaxed.gpu.global.u32 [b], 1;\n"
                               "ld.relaxed.gpu.global.u32 %r0, [a];\n}\n"
                               "locations [a;]\nexists (P1:%r0 == 2)\n";
    struct arena *arena = arena_new();
    struct solver *solver = solver_new();
    assert_int_equal(compare(solver, arena, text, "ptx-9.1"), 0);
    solver_free(solver);
    arena_free(arena);
}

// Under a model that lets a read take what is written later, each of two additions may find what
// the other has written, and none what was there first: no two of them have one source.
static void additions_that_read_each_other(void **state) {
    (void)state;
    static const char model[] = "future\nempty rmw & (fr ; co) as Atomicity\n"
                                "empty ((W * W) & loc) \\ (co | co^-1 | id) as Coherence\n";
    static const char text[] = "PTX each\n.global .u32 a;\n"
                               "P0@cta 0,gpu 0 {\natom.relaxed.gpu.global.inc.u32 %r0, [a], 1;\n}\n"
                               "P1@cta 1,gpu 0 {\natom.relaxed.gpu.global.inc.u32 %r0, [a], 1;\n}\n"
                               "exists (a == 1 /\\ P0:%r0 >= 0 /\\ P1:%r0 >= 0)\n";
    struct arena *arena = arena_new();
    struct solver *solver = solver_new();
    assert_int_equal(compare(solver, arena, text, model), 0);
    assert_outcomes(text, model, "0 0 1; 0 1 0; 1 0 1*; 1 1 0*", VERDICT_ALLOWED);
    solver_free(solver);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_locks),          cmocka_unit_test(outside_of_the_lock),
        cmocka_unit_test(bytes_of_others),      cmocka_unit_test(tickets_served_twice),
        cmocka_unit_test(waits_for_a_constant), cmocka_unit_test(additions_that_read_each_other),
        cmocka_unit_test(random_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
