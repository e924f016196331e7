// Limits: cut lists, timeouts, interrupts, memory; and that only they change an answer.
#include "support.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// N threads that store to one variable and load the next: 2^N states.
static const char *ring(struct arena *arena, unsigned threads, const char *fence) {
    const char *text = "PTX ring\n", *condition = "";
    for (unsigned i = 0; i < threads; i++)
        text = arena_format(arena, "%s.global .u32 x%u;\n", text, i);
    for (unsigned i = 0; i < threads; i++) {
        text = arena_format(arena,
                            "%sP%u@cta %u,gpu 0 {\nst.relaxed.gpu.global.u32 [x%u], 1;\n%s\n"
                            "ld.relaxed.gpu.global.u32 %%r0, [x%u];\n}\n",
                            text, i, i, i, fence, (i + 1) % threads);
        condition = arena_format(arena, "%s%sP%u:%%r0 == 0", condition, i == 0 ? "" : " /\\ ", i);
    }
    return arena_format(arena, "%sexists (%s)\n", text, condition);
}

// Counters that many threads increase: hard to decide.
static const char *counter(struct arena *arena, unsigned threads) {
    const char *text = "PTX counter\n.global .u32 x;\n";
    for (unsigned i = 0; i < threads; i++)
        text = arena_format(arena,
                            "%sP%u@cta %u,gpu 0 {\natom.relaxed.gpu.global.add.u32 %%r0, [x], 1;\n"
                            "}\n",
                            text, i, i);
    return arena_format(arena, "%sforall (x == %u)\n", text, threads);
}

// The same with different addends, so that only trying all orders shows that the sum is right: a
// problem that takes the solver very long.
static const char *sum(struct arena *arena, unsigned threads) {
    const char *text = "PTX sum\n.global .u32 x;\n";
    for (unsigned i = 0; i < threads; i++)
        text = arena_format(arena,
                            "%sP%u@cta %u,gpu 0 {\natom.relaxed.gpu.global.add.u32 %%r0, [x], %u;\n"
                            "}\n",
                            text, i, i, i + 1);
    return arena_format(arena, "%sforall (x == %u)\n", text, threads * (threads + 1) / 2);
}

// A thread that loads what each of N others stores, into the bits of one register: a value with 2^N
// possibilities.
static const char *gathered(struct arena *arena, unsigned bits) {
    const char *text = "PTX gathered\n", *loads = "";
    for (unsigned i = 0; i < bits; i++)
        text = arena_format(arena, "%s.global .u32 x%u;\n", text, i);
    for (unsigned i = 0; i < bits; i++) {
        text = arena_format(arena, "%sP%u@cta %u,gpu 0 {\nst.relaxed.gpu.global.u32 [x%u], 1;\n}\n",
                            text, i, i, i);
        loads = arena_format(arena,
                             "%sld.relaxed.gpu.global.u32 %%r1, [x%u];\n"
                             "mad.lo.u32 %%r0, %%r0, 2, %%r1;\n",
                             loads, i);
    }
    return arena_format(arena,
                        "%sP%u@cta %u,gpu 0 {\nmov.u32 %%r0, 0;\n%s}\nexists (P%u:%%r0 == 0)\n",
                        text, bits, bits, loads, bits);
}

// More states than are ruled out one by one. Those of values in bit-vectors are not walked through
// but found in a tree.
static void long_trees(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct solver *solver = solver_new();
    for (unsigned bits = 6; bits <= 8; bits += 2) {
        struct outcomes *outcomes =
            outcomes_of(solver, arena, gathered(arena, bits), "ptx-9.1", NULL);
        assert_int_equal(outcomes->state_count, 1 << bits);
        assert_true(outcomes->complete);
        assert_true(bits < 8 || outcomes->stats.checks > 100);
    }
    solver_free(solver);
    arena_free(arena);
}

// The same where a walk finds them.
static void long_lists(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct solver *solver = solver_new();
    for (unsigned threads = 3; threads <= 7; threads++) {
        struct outcomes *free_list =
            outcomes_of(solver, arena, ring(arena, threads, ""), "ptx-9.1", NULL);
        struct outcomes *fenced =
            outcomes_of(solver, arena, ring(arena, threads, "fence.sc.gpu;"), "ptx-9.1", NULL);
        assert_int_equal(free_list->state_count, 1 << threads);
        assert_int_equal(fenced->state_count, (1 << threads) - 1);
        assert_int_equal(free_list->verdict, VERDICT_ALLOWED);
        assert_int_equal(fenced->verdict, VERDICT_FORBIDDEN);
        assert_true(fenced->complete);
        assert_true(free_list->stats.checks < 20);
    }
    solver_free(solver);
    arena_free(arena);
}

static void assert_sorted(const struct outcomes *outcomes, size_t width) {
    for (size_t i = 1; i < outcomes->state_count; i++) {
        size_t k = 0;
        const struct state_value *a = outcomes->states[i - 1].values,
                                 *b = outcomes->states[i].values;
        while (k < width && a[k].value.low == b[k].value.low)
            k++;
        assert_true(k < width);
        assert_true(a[k].value.low < b[k].value.low);
    }
}

// Lists come sorted, without repetitions, and the same whatever ran before.
static void lists_are_determined(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct solver *solver = solver_new();
    const char *text = ring(arena, 6, "");
    struct outcomes *first = outcomes_of(solver, arena, text, "ptx-9.1", NULL);
    outcomes_of(solver, arena, counter(arena, 3), "ptx-9.1", NULL);
    struct outcomes *second = outcomes_of(solver, arena, text, "ptx-9.1", NULL);
    assert_sorted(first, 6);
    assert_string_equal(states_of(arena, first, 6), states_of(arena, second, 6));
    solver_free(solver);
    arena_free(arena);
}

// The verdict does not depend on where the list was cut.
static void cut_lists(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct solver *solver = solver_new();
    const char *texts[] = {ring(arena, 6, ""), ring(arena, 6, "fence.sc.gpu;"), counter(arena, 3)};
    const enum verdict verdicts[] = {VERDICT_ALLOWED, VERDICT_FORBIDDEN, VERDICT_ALWAYS};
    const size_t counts[] = {64, 63, 1};
    for (size_t i = 0; i < 3; i++)
        for (size_t cut = 1; cut < 70; cut += cut < 5 ? 1 : 13) {
            struct solver_options options = {.max_states = cut, .check_executions = true};
            struct outcomes *outcomes = outcomes_of(solver, arena, texts[i], "ptx-9.1", &options);
            assert_int_equal(outcomes->verdict, verdicts[i]);
            assert_int_equal(outcomes->state_count, cut < counts[i] ? cut : counts[i]);
            assert_int_equal(outcomes->complete, cut >= counts[i]);
            assert_int_equal(outcomes->reason, REASON_NONE);
        }
    solver_free(solver);
    arena_free(arena);
}

static void assert_small_test_works(struct solver *solver, struct arena *arena) {
    struct outcomes *outcomes = outcomes_of(solver, arena, counter(arena, 2), "ptx-9.1", NULL);
    assert_int_equal(outcomes->verdict, VERDICT_ALWAYS);
    assert_int_equal(outcomes->state_count, 1);
    assert_true(outcomes->complete);
    assert_int_equal(outcomes->reason, REASON_NONE);
}

// Not those of the clock, of which a busy machine takes more.
static double processor_seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

// What runs out of time is unknown, soon, and leaves the solver usable.
static void timeouts(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct solver *solver = solver_new();
    const double seconds[] = {1e-9, 0.001, 0.02, 0.2};
    for (size_t i = 0; i < 4; i++) {
        struct solver_options options = {.timeout_seconds = seconds[i], .check_executions = true};
        double start = processor_seconds();
        struct outcomes *outcomes = outcomes_of(solver, arena, sum(arena, 14), "ptx-9.1", &options);
        assert_true(processor_seconds() - start < 30);
        assert_int_equal(outcomes->verdict, VERDICT_UNKNOWN);
        assert_int_equal(outcomes->reason, REASON_TIMEOUT);
        assert_false(outcomes->complete);
        assert_small_test_works(solver, arena);
    }
    solver_free(solver);
    arena_free(arena);
}

static struct solver *busy;

static void interrupt_busy(int signal_number) {
    (void)signal_number;
    solver_interrupt(busy);
}

// The outcomes of a test, of which the solver is interrupted after so many seconds of the
// processor.
static struct outcomes *outcomes_within(struct solver *solver, struct arena *arena,
                                        const char *text, const struct solver_options *options,
                                        unsigned seconds) {
    struct itimerval soon = {.it_value.tv_sec = seconds}, never = {.it_value.tv_sec = 0};
    busy = solver;
    signal(SIGPROF, interrupt_busy);
    setitimer(ITIMER_PROF, &soon, NULL);
    struct outcomes *outcomes = outcomes_of(solver, arena, text, "ptx-9.1", options);
    setitimer(ITIMER_PROF, &never, NULL);
    return outcomes;
}

// A witness that was found before the time was over decides whether something is possible.
static void witnesses_survive(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct solver *solver = solver_new();
    char *text = arena_format(arena, "%s", sum(arena, 14));
    struct solver_options options = {.check_executions = true};
    struct outcomes *forall = outcomes_within(solver, arena, text, &options, 4);
    assert_int_equal(forall->verdict, VERDICT_UNKNOWN);
    memcpy(strstr(text, "forall"), "exists", 6);
    struct outcomes *exists = outcomes_within(solver, arena, text, &options, 4);
    assert_int_equal(exists->state_count, 1);
    assert_int_equal(exists->verdict, VERDICT_ALLOWED);
    assert_int_equal(exists->reason, REASON_INTERRUPTED);
    assert_false(exists->complete);
    solver_free(solver);
    arena_free(arena);
}

static void *interrupt_soon(void *argument) {
    usleep(100000);
    solver_interrupt(argument);
    return NULL;
}

static void interrupts(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct solver *solver = solver_new();
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, interrupt_soon, solver), 0);
    struct outcomes *outcomes = outcomes_of(solver, arena, sum(arena, 14), "ptx-9.1", NULL);
    pthread_join(thread, NULL);
    assert_int_equal(outcomes->verdict, VERDICT_UNKNOWN);
    assert_int_equal(outcomes->reason, REASON_INTERRUPTED);
    assert_false(outcomes->complete);
    assert_small_test_works(solver, arena);
    solver_free(solver);
    arena_free(arena);
}

// An interrupt between two runs is not lost: it ends the next one, and no more than that.
static void interrupts_between_runs(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct solver *solver = solver_new();
    solver_interrupt(solver);
    struct outcomes *outcomes = outcomes_of(solver, arena, counter(arena, 2), "ptx-9.1", NULL);
    assert_int_equal(outcomes->reason, REASON_INTERRUPTED);
    assert_int_equal(outcomes->verdict, VERDICT_UNKNOWN);
    assert_small_test_works(solver, arena);
    solver_free(solver);
    arena_free(arena);
}

// Z3 loses what it was building when its memory limit strikes; LeakSanitizer need not say so.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libz3";
}

static void memory_limits(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct solver *solver = solver_new();
    for (size_t megabytes = 1; megabytes <= 24; megabytes *= 2) {
        struct solver_options options = {.memory_mb = megabytes, .check_executions = true};
        struct outcomes *outcomes = outcomes_within(solver, arena, sum(arena, 14), &options, 3);
        assert_int_equal(outcomes->verdict, VERDICT_UNKNOWN);
        assert_false(outcomes->complete);
        if (megabytes == 1)
            assert_int_equal(outcomes->reason, REASON_MEMORY);
        assert_small_test_works(solver, arena);
    }
    solver_free(solver);
    arena_free(arena);
}

// What is in use outside Z3 counts too.
static void memory_is_shared(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct solver *solver = solver_new();
    arena_alloc(arena, 24 << 20);
    struct solver_options options = {.memory_mb = 24, .check_executions = true};
    struct outcomes *outcomes = outcomes_of(solver, arena, counter(arena, 2), "ptx-9.1", &options);
    assert_int_equal(outcomes->verdict, VERDICT_UNKNOWN);
    assert_int_equal(outcomes->reason, REASON_MEMORY);
    options.memory_mb = 256;
    outcomes = outcomes_of(solver, arena, counter(arena, 2), "ptx-9.1", &options);
    assert_int_not_equal(outcomes->verdict, VERDICT_UNKNOWN);
    assert_small_test_works(solver, arena);
    solver_free(solver);
    arena_free(arena);
}

// The first query is written as a self-contained problem.
static void dumps(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct solver *solver = solver_new();
    char path[] = "/tmp/ptxlitmus-dump-XXXXXX";
    char text[4096] = "";
    int file = mkstemp(path);
    assert_true(file >= 0);
    struct solver_options options = {.dump_smt2 = path, .check_executions = true};
    outcomes_of(solver, arena, counter(arena, 2), "ptx-9.1", &options);
    close(file);
    FILE *written = fopen(path, "r"); // another file than before
    assert_non_null(written);
    assert_true(fread(text, 1, sizeof text - 1, written) > 0);
    fclose(written);
    unlink(path);
    assert_non_null(strstr(text, "(declare-fun"));
    assert_non_null(strstr(text, "rf_"));
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    options.dump_smt2 = "/nonexistent/folder/dump";
    solver_run(solver, arena, program_of(arena, counter(arena, 2)), model_of(arena, "ptx-9.1"),
               &options, &diagnostics);
    assert_int_equal(diagnostics.error_count, 1);
    solver_free(solver);
    arena_free(arena);
}

static void statistics(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct solver *solver = solver_new();
    struct outcomes *outcomes = outcomes_of(solver, arena, ring(arena, 2, ""), "ptx-9.1", NULL);
    assert_int_equal(outcomes->stats.events, 6);
    assert_true(outcomes->stats.pairs_must > 0);
    assert_true(outcomes->stats.pairs_may > outcomes->stats.pairs_must);
    assert_true(outcomes->stats.variables > 0 && outcomes->stats.clauses > 0);
    assert_true(outcomes->stats.checks >= 2);
    assert_non_null(strstr(solver_backend_version(), "."));
    solver_free(solver);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_trees),
        cmocka_unit_test(long_lists),
        cmocka_unit_test(lists_are_determined),
        cmocka_unit_test(cut_lists),
        cmocka_unit_test(timeouts),
        cmocka_unit_test(witnesses_survive),
        cmocka_unit_test(interrupts),
        cmocka_unit_test(interrupts_between_runs),
        cmocka_unit_test(memory_limits),
        cmocka_unit_test(memory_is_shared),
        cmocka_unit_test(dumps),
        cmocka_unit_test(statistics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
