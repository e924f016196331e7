// Whole tests: outcome sets derived on paper, PTX ISA's own tests (memory-model.md section 10)
// among them.
#include "litmus/readers/reader.h"
#include "litmus/source/arena.h"
#include "tests/oracle/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const struct program *read_program(struct arena *arena, const char *text) {
    struct diagnostics diagnostics;
    struct program_options options = {.unroll = 2, .no_thin_air = true};
    diagnostics_init(&diagnostics, arena);
    const struct source *source = source_from_text(arena, "test", text, strlen(text));
    const struct test *test = test_read(arena, source, SYNTAX_GUESS, &diagnostics);
    const struct program *program =
        test ? program_build(arena, test, &options, &diagnostics) : NULL;
    for (size_t i = 0; i < diagnostics.count; i++)
        print_error("%s", diag_render(arena, &diagnostics.items[i]));
    assert_non_null(program);
    return program;
}

// The outcomes as "0,1 1,1": values in the order of program->observed.
static char *outcomes_text(const struct outcome_set *outcomes) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; i < outcomes->count * outcomes->width; i++)
        fprintf(out, "%s%llu",
                i == 0                ? ""
                : i % outcomes->width ? ","
                                      : " ",
                (unsigned long long)outcomes->values[i].bits);
    fclose(out);
    return text;
}

static void assert_outcomes_under(const char *version, const char *text, const char *expected) {
    struct arena *arena = arena_new();
    const struct program *program = read_program(arena, text);
    for (int every_order = 0; every_order < 2; every_order++) {
        struct search_options options = {
            .version = version_find(version), .every_order = every_order, .limit = 1000000};
        struct search_result result;
        search_run(program, &options, &result);
        assert_null(result.unsupported);
        assert_true(result.complete);
        char *found = outcomes_text(&result.outcomes);
        assert_string_equal(found, expected);
        free(found);
        search_result_free(&result);
    }
    arena_free(arena);
}

static void assert_outcomes(const char *text, const char *expected) {
    assert_outcomes_under("9.1", text, expected);
}

static void test_atomicity(void **state) {
    (void)state;
    assert_outcomes("PTX A\n.global .u32 x;\n"
                    "P0@cta 0 { atom.relaxed.sys.global.inc.u32 %r0, [x], 7; }\n"
                    "P1@cta 1 { atom.relaxed.sys.global.inc.u32 %r0, [x], 7; }\n"
                    "exists (x == 2)\n",
                    "2");
    assert_outcomes("PTX A\n.global .u32 x;\n"
                    "P0@cta 0 { atom.relaxed.cta.global.inc.u32 %r0, [x], 7; }\n"
                    "P1@cta 1 { atom.relaxed.gpu.global.inc.u32 %r0, [x], 7; }\n"
                    "exists (x == 2)\n",
                    "1 2");
}

static void test_load_buffering(void **state) {
    (void)state;
    assert_outcomes("PTX LB\n.global .u32 x;\n.global .u32 y;\n"
                    "P0@cta 0 { ld.u32 %r0, [x]; st.u32 [y], %r0; }\n"
                    "P1@cta 1 { ld.u32 %r0, [y]; st.u32 [x], %r0; }\n"
                    "exists (x == 1 /\\ y == 1)\n",
                    "0,0");
    assert_outcomes("PTX LB\n.global .u32 x;\n.global .u32 y;\n"
                    "P0@cta 0 { ld.u32 %r0, [x]; st.u32 [y], 1; }\n"
                    "P1@cta 1 { ld.u32 %r0, [y]; st.u32 [x], 1; }\n"
                    "exists (P0:%r0 == 1 /\\ P1:%r0 == 1)\n",
                    "0,0 0,1 1,0 1,1");
}

static void test_corr(void **state) {
    (void)state;
    assert_outcomes("PTX CoRR\n.global .u32 x;\n"
                    "P0@cta 0 { st.relaxed.sys.u32 [x], 1; }\n"
                    "P1@cta 1 { ld.relaxed.sys.u32 %r0, [x]; ld.relaxed.sys.u32 %r1, [x]; }\n"
                    "exists (P1:%r0 == 1 /\\ P1:%r1 == 0)\n",
                    "0,0 0,1 1,1");
}

static void test_message_passing(void **state) {
    (void)state;
    assert_outcomes("PTX MP\n.global .u32 x;\n.global .u32 f;\n"
                    "P0@cta 0 { st.u32 [x], 1; fence.sys; st.relaxed.sys.u32 [f], 1; }\n"
                    "P1@cta 1 { ld.relaxed.sys.u32 %r0, [f]; fence.sys; ld.u32 %r1, [x]; }\n"
                    "exists (P1:%r0 == 1 /\\ P1:%r1 == 0)\n",
                    "0,0 0,1 1,1");
    assert_outcomes("PTX MP\n.global .u32 x;\n.global .u32 f;\n"
                    "P0@cta 0 { st.u32 [x], 1; st.relaxed.sys.u32 [f], 1; }\n"
                    "P1@cta 1 { ld.relaxed.sys.u32 %r0, [f]; fence.sys; ld.u32 %r1, [x]; }\n"
                    "exists (P1:%r0 == 1 /\\ P1:%r1 == 0)\n",
                    "0,0 0,1 1,0 1,1");
}

static const char store_buffering[] =
    "PTX SB\n.global .u32 x;\n.global .u32 y;\n"
    "P0@cta 0 { st.u32 [x], 1; fence.%s.sys; ld.u32 %%r0, [y]; }\n"
    "P1@cta 1 { st.u32 [y], 1; fence.%s.sys; ld.u32 %%r0, [x]; }\n"
    "exists (P0:%%r0 == 0 /\\ P1:%%r0 == 0)\n";

static void test_store_buffering(void **state) {
    (void)state;
    char text[400];
    snprintf(text, sizeof text, store_buffering, "sc", "sc");
    assert_outcomes(text, "0,1 1,0 1,1");
    assert_outcomes_under("6.0", text, "0,1 1,0 1,1");
    snprintf(text, sizeof text, store_buffering, "acq_rel", "sc");
    assert_outcomes(text, "0,0 0,1 1,0 1,1");
}

// PTX ISA 8.11.1: of the red and the load that follows the fence.
static void test_message_passing_with_red(void **state) {
    (void)state;
    static const char format[] = "PTX MP\n.global .u32 x;\n.global .u32 f;\n"
                                 "P0@cta 0 { st.u32 [x], 1; st.release.gpu.u32 [f], 1; }\n"
                                 "P1@cta 1 { %s [f], 1; fence.acq_rel.gpu; ld.u32 %%r1, [x]; }\n"
                                 "exists (f == 2 /\\ P1:%%r1 == 0)\n";
    char text[400];
    snprintf(text, sizeof text, format, "red.relaxed.gpu.add.u32");
    assert_outcomes(text, "1,0 1,1 2,0 2,1");
    assert_outcomes_under("6.0", text, "1,0 1,1 2,1");
    snprintf(text, sizeof text, format, "atom.relaxed.gpu.add.u32 %r0,");
    assert_outcomes(text, "1,0 1,1 2,1");
}

// D10: racing writes are both maximal; ordered ones are not.
static void test_final_values(void **state) {
    (void)state;
    assert_outcomes("PTX W\n.global .u32 x = 7;\n.global .u32 y = 5;\n"
                    "P0@cta 0 { st.u32 [x], 1; st.u32 [x], 2; }\n"
                    "P1@cta 1 { st.u32 [x], 3; }\n"
                    "exists (x == 1 /\\ y == 5)\n",
                    "2,5 3,5");
}

static void test_conditional_writes(void **state) {
    (void)state;
    // The store happens only when the load reads 1; the cas only when it reads 0.
    assert_outcomes("PTX G\n.global .u32 x;\n.global .u32 y;\n"
                    "P0@cta 0 { ld.u32 %r0, [x]; setp.eq.u32 %p, %r0, 1; @%p st.u32 [y], 2; }\n"
                    "P1@cta 1 { st.u32 [x], 1; }\n"
                    "exists (P0:%r0 == 1 /\\ y == 0)\n",
                    "0,0 1,2");
    assert_outcomes("PTX C\n.global .u32 x;\n"
                    "P0@cta 0 { atom.relaxed.gpu.cas.b32 %r0, [x], 0, 1; }\n"
                    "P1@cta 1 { atom.relaxed.gpu.cas.b32 %r0, [x], 0, 2; }\n"
                    "exists (P0:%r0 == 0 /\\ P1:%r0 == 0 /\\ x == 0)\n",
                    "0,1,1 2,0,2");
}

static void test_filter_and_verdict(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    const struct program *program =
        read_program(arena, "PTX F\n.global .u32 x;\n"
                            "P0@cta 0 { st.u32 [x], 1; }\n"
                            "P1@cta 1 { ld.u32 %r0, [x]; }\n"
                            "filter (P1:%r0 == 1)\nforall (P1:%r0 == 1)\n");
    struct search_options options = {.version = version_find("9.1"), .limit = 1000};
    struct search_result result;
    search_run(program, &options, &result);
    assert_int_equal(result.outcomes.count, 1);
    assert_true(result.satisfied);
    assert_false(result.violated);
    search_result_free(&result);
    options.limit = 1;
    search_run(program, &options, &result);
    assert_false(result.complete);
    search_result_free(&result);
    arena_free(arena);
}

// A byte of each word comes from where it comes from. Both stores are morally strong to the load of
// their own extent only.
static void test_mixed_sizes(void **state) {
    (void)state;
    assert_outcomes("PTX B\n.global .u16 x;\n"
                    "P0@cta 0 { st.u16 [x], 0x0101; st.u8 [x+1], 2; ld.u16 %r0, [x]; }\n"
                    "exists (P0:%r0 == 0x0201)\n",
                    "513");
    assert_outcomes("PTX T\n.global .u16 x;\n"
                    "P0@cta 0 { st.relaxed.gpu.u16 [x], 0x0101; }\n"
                    "P1@cta 1 { ld.relaxed.gpu.u16 %r0, [x]; }\n"
                    "exists (P1:%r0 == 1)\n",
                    "0 257");
    assert_outcomes("PTX T\n.global .u16 x;\n"
                    "P0@cta 0 { st.relaxed.gpu.u16 [x], 0x0101; st.relaxed.gpu.u8 [x], 2; }\n"
                    "P1@cta 1 { ld.weak.u16 %r0, [x]; }\n"
                    "exists (P1:%r0 == 1)\n",
                    "0 1 2 256 257 258");
}

static struct search_result search_text(struct arena *arena, const char *text) {
    struct search_options options = {.version = version_find("9.1"), .limit = 1000000};
    struct search_result result;
    search_run(read_program(arena, text), &options, &result);
    assert_null(result.unsupported);
    return result;
}

static void assert_races(const char *text, bool data_race, bool mixed_size_race) {
    struct arena *arena = arena_new();
    struct search_result result = search_text(arena, text);
    assert_int_equal(result.data_race, data_race);
    assert_int_equal(result.mixed_size_race, mixed_size_race);
    search_result_free(&result);
    arena_free(arena);
}

static void test_races(void **state) {
    (void)state;
    assert_races("PTX R\n.global .u32 x;\nP0@cta 0 { st.u32 [x], 1; }\n"
                 "P1@cta 1 { ld.u32 %r0, [x]; }\nexists (P1:%r0 == 1)\n",
                 true, false);
    assert_races("PTX R\n.global .u32 x;\nP0@cta 0 { st.relaxed.gpu.u32 [x], 1; }\n"
                 "P1@cta 1 { ld.relaxed.gpu.u32 %r0, [x]; }\nexists (P1:%r0 == 1)\n",
                 false, false);
    assert_races("PTX R\n.global .u32 x;\nP0@cta 0 { ld.u32 %r0, [x]; }\n"
                 "P1@cta 1 { ld.u32 %r0, [x]; }\nexists (P1:%r0 == 1)\n",
                 false, false);
    assert_races("PTX R\n.global .u32 x;\nP0@cta 0 { st.relaxed.gpu.u8 [x], 1; }\n"
                 "P1@cta 1 { ld.relaxed.gpu.u32 %r0, [x]; }\nexists (P1:%r0 == 1)\n",
                 false, true);
    // The filter drops the execution, but not the race.
    assert_races("PTX R\n.global .u32 x;\n.global .u32 f;\n"
                 "P0@cta 0 { st.u32 [x], 1; st.release.gpu.u32 [f], 1; }\n"
                 "P1@cta 1 { ld.acquire.gpu.u32 %r0, [f]; ld.u32 %r1, [x]; }\n"
                 "filter (P1:%r0 == 1)\nexists (P1:%r1 == 1)\n",
                 true, false);
    // Only after the flag.
    assert_races("PTX R\n.global .u32 x;\n.global .u32 f;\n"
                 "P0@cta 0 { st.u32 [x], 1; st.release.gpu.u32 [f], 1; }\n"
                 "P1@cta 1 { mov.u32 %r1, 0; ld.acquire.gpu.u32 %r0, [f]; setp.ne.u32 %p, %r0, 1;\n"
                 "@%p bra DONE; ld.u32 %r1, [x]; DONE: }\nexists (P1:%r1 == 1)\n",
                 false, false);
}

// D16: an execution that would go on is no outcome, but known of.
static void test_bound(void **state) {
    (void)state;
    static const char format[] = "PTX L\n.global .u32 x;\n.global .u32 y;\n"
                                 "P0@cta 0 { mov.u32 %%r0, 0; ld.u32 %%r1, [x];\n"
                                 "L: st.u32 [y], %%r0; add.u32 %%r0, %%r0, 1;\n"
                                 "setp.lt.u32 %%p, %%r0, %%r1; @%%p bra L; }\n"
                                 "P1@cta 1 { st.u32 [x], %u; }\nexists (y == 5)\n";
    char text[400];
    for (unsigned count = 3; count < 5; count++) {
        struct arena *arena = arena_new();
        snprintf(text, sizeof text, format, count);
        struct search_result result = search_text(arena, text);
        assert_int_equal(result.bound_reached, count > 3);
        assert_int_equal(result.outcomes.count, count > 3 ? 1 : 2);
        search_result_free(&result);
        arena_free(arena);
    }
}

static void assert_hang(const char *text, bool hang, size_t outcomes) {
    struct arena *arena = arena_new();
    struct search_result result = search_text(arena, text);
    assert_int_equal(result.hang, hang);
    assert_int_equal(result.outcomes.count, outcomes);
    search_result_free(&result);
    arena_free(arena);
}

// Arrivals come before the waits of their phase.
static void test_barriers(void **state) {
    (void)state;
    assert_outcomes("PTX B\n.global .u32 x;\n"
                    "P0@cta 0 { st.u32 [x], 1; bar.sync 0; }\n"
                    "P1@cta 0 { bar.sync 0; ld.u32 %r0, [x]; }\n"
                    "exists (P1:%r0 == 0)\n",
                    "1");
    assert_outcomes("PTX B\n.global .u32 x;\n"
                    "P0@cta 0 { bar.sync 0; st.u32 [x], 1; }\n"
                    "P1@cta 0 { bar.sync 0; ld.u32 %r0, [x]; }\n"
                    "exists (P1:%r0 == 0)\n",
                    "0 1");
    assert_outcomes("PTX C\n.global .u32 x;\n"
                    "P0@cta 0,cluster 0 { st.u32 [x], 1; barrier.cluster.arrive.relaxed;\n"
                    "barrier.cluster.wait; }\n"
                    "P1@cta 1,cluster 0 { barrier.cluster.arrive; barrier.cluster.wait;\n"
                    "ld.u32 %r0, [x]; }\nexists (P1:%r0 == 0)\n",
                    "0 1");
    // Either of two arrivals completes the phase: the load may come before the other one's store.
    assert_outcomes("PTX N\n.global .u32 x;\n"
                    "P0@cta 0 { st.u32 [x], 1; bar.arrive 0, 2; }\n"
                    "P1@cta 0 { bar.arrive 0, 2; }\n"
                    "P2@cta 0 { bar.sync 0, 2; ld.u32 %r0, [x]; }\nexists (P2:%r0 == 0)\n",
                    "0 1");
}

static void test_bar_red(void **state) {
    (void)state;
    assert_outcomes("PTX R\n.global .u32 x;\n"
                    "P0@cta 0 { ld.u32 %r0, [x]; setp.eq.u32 %p, %r0, 1;\n"
                    "bar.red.popc.u32 %r1, 0, %p; }\n"
                    "P1@cta 0 { st.u32 [x], 1; setp.eq.u32 %p, 0, 0;\n"
                    "bar.red.popc.u32 %r1, 0, %p; }\n"
                    "exists (P0:%r0 == 1 /\\ P0:%r1 == 1 /\\ P1:%r1 == 2)\n",
                    "0,1,1 1,2,2");
}

static void test_hangs(void **state) {
    (void)state;
    assert_hang("PTX H\n.global .u32 x;\nP0@cta 0 { bar.sync 0, 2; st.u32 [x], 1; }\n"
                "P1@cta 0 { bar.sync 1, 2; }\nexists (x == 1)\n",
                true, 0);
    assert_hang("PTX H\n.global .u32 x;\nP0@cta 0 { bar.sync 0; st.u32 [x], 1; }\n"
                "P1@cta 0 { bar.sync 0; }\nexists (x == 1)\n",
                false, 1);
    // Whoever has exited is not waited for.
    assert_hang("PTX H\n.global .u32 x;\nP0@cta 0 { bar.sync 0; st.u32 [x], 1; }\n"
                "P1@cta 0 { ld.u32 %r0, [x]; }\nexists (x == 1)\n",
                false, 1);
    // The second wait of P0 is for a thread that has gone with the first.
    assert_hang(
        "PTX H\n.global .u32 x;\nP0@cta 0 { bar.sync 0, 2; bar.sync 0, 2; st.u32 [x], 1; }\n"
        "P1@cta 0 { bar.arrive 0, 2; }\nexists (x == 1)\n",
        false, 1);
    // One of the two that could arrive has gone, the other one waits elsewhere.
    assert_hang("PTX H\n.global .u32 x;\nP0@cta 0 { bar.sync 0, 2; st.u32 [x], 1; }\n"
                "P1@cta 0 { exit; }\nP2@cta 0 { bar.sync 1, 2; }\nexists (x == 1)\n",
                true, 0);
    assert_hang("PTX H\n.global .u32 x;\nP0@cta 0 { bar.sync 0, 2; st.u32 [x], 1; }\n"
                "P1@cta 0 { exit; }\nP2@cta 0 { exit; }\nexists (x == 1)\n",
                false, 1);
    // There are no three threads.
    assert_hang("PTX H\n.global .u32 x;\nP0@cta 0 { bar.sync 0, 3; st.u32 [x], 1; }\n"
                "P1@cta 0 { exit; }\nexists (x == 1)\n",
                true, 0);
    // A phase of one thread in between: three phases of five arrivals.
    assert_hang(
        "PTX H\n.global .u32 x;\nP0@cta 0 { bar.sync 0, 2; bar.sync 0, 2; st.u32 [x], 1; }\n"
        "P1@cta 0 { bar.sync 0, 2; bar.arrive 0, 1; bar.sync 0, 2; }\nexists (x == 1)\n",
        false, 1);
}

// D48: what releases a barrier by an exit comes after the reads that decide on it.
static void test_exits(void **state) {
    (void)state;
    static const char format[] = "PTX E\n.global .u32 x;\nP0@cta 0 { bar.sync 0; st.u32 [x], 1; }\n"
                                 "P1@cta 0 { ld.u32 %%r0, [x]; setp.eq.u32 %%p, %%r0, 1;\n"
                                 "@%%p exit; %s }\nexists (P1:%%r0 == 0)\n";
    char text[300];
    snprintf(text, sizeof text, format, "bar.sync 0;");
    assert_outcomes(text, "0");
    snprintf(text, sizeof text, format, "");
    assert_outcomes(text, "0 1");
}

// What it cannot judge it refuses.
static void test_unsupported(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    const struct program *program =
        read_program(arena, "PTX U\n.global .u32 x;\n"
                            "P0@cta 0 { st.u32 [x], 1; fence.release.gpu; }\n"
                            "P1@cta 1 { st.relaxed.cluster.u32 [x], 2; }\nexists (x == 1)\n");
    struct search_options options = {.version = version_find("6.0"), .limit = 1000};
    struct search_result result;
    search_run(program, &options, &result);
    assert_non_null(result.unsupported);
    search_result_free(&result);
    options.version = version_find("9.1");
    search_run(program, &options, &result);
    assert_null(result.unsupported);
    search_result_free(&result);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_atomicity),
        cmocka_unit_test(test_load_buffering),
        cmocka_unit_test(test_corr),
        cmocka_unit_test(test_message_passing),
        cmocka_unit_test(test_store_buffering),
        cmocka_unit_test(test_message_passing_with_red),
        cmocka_unit_test(test_final_values),
        cmocka_unit_test(test_conditional_writes),
        cmocka_unit_test(test_filter_and_verdict),
        cmocka_unit_test(test_mixed_sizes),
        cmocka_unit_test(test_races),
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_barriers),
        cmocka_unit_test(test_bar_red),
        cmocka_unit_test(test_hangs),
        cmocka_unit_test(test_exits),
        cmocka_unit_test(test_unsupported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
