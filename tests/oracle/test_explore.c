// Whole tests: outcome sets derived on paper, PTX ISA's own tests (memory-model section 10)
// among them.
#include "litmus/readers/reader.h"
#include "litmus/source/arena.h"
#include "tests/oracle/explore.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const struct test *read_test(struct arena *arena, const char *text) {
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    const struct source *source = source_from_text(arena, "test", text, strlen(text));
    const struct test *test = test_read(arena, source, SYNTAX_GUESS, &diagnostics);
    for (size_t i = 0; i < diagnostics.count; i++)
        print_error("%s", diag_render(arena, &diagnostics.items[i]));
    assert_non_null(test);
    return test;
}

// The outcomes as "0,1 1,1": values in the order of the condition, "?" for unknown ones.
static char *outcomes_text(const struct outcome_set *outcomes) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; i < outcomes->count * outcomes->width; i++) {
        fputs(i == 0 ? "" : i % outcomes->width ? "," : " ", out);
        if (outcomes->values[i].unknown)
            fputs("?", out);
        else
            fprintf(out, "%llu", (unsigned long long)outcomes->values[i].bits);
    }
    fclose(out);
    return text;
}

static struct explored explore_text(struct arena *arena, const char *text,
                                    struct explore_options options) {
    const struct test *test = read_test(arena, text);
    struct shown_list shown = shown_find(test);
    struct explored result;
    explore_test(test, &shown, &options, &result);
    shown_free(&shown);
    return result;
}

static void assert_outcomes_with(struct explore_options options, const char *text,
                                 const char *expected) {
    struct arena *arena = arena_new();
    for (int every_order = 0; every_order < 2; every_order++) {
        options.every_order = every_order;
        struct explored result = explore_text(arena, text, options);
        assert_null(result.unsupported);
        assert_true(result.complete);
        char *found = outcomes_text(&result.outcomes);
        assert_string_equal(found, expected);
        free(found);
        explored_free(&result);
    }
    arena_free(arena);
}

static struct explore_options options_under(const char *version) {
    return (struct explore_options){
        .version = version_find(version), .rounds = 2, .limit = 1000000};
}

static void assert_outcomes_under(const char *version, const char *text, const char *expected) {
    assert_outcomes_with(options_under(version), text, expected);
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

// Racing writes are both maximal; ordered ones are not.
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
    static const char text[] = "PTX F\n.global .u32 x;\n"
                               "P0@cta 0 { st.u32 [x], 1; }\n"
                               "P1@cta 1 { ld.u32 %r0, [x]; }\n"
                               "filter (P1:%r0 == 1)\nforall (P1:%r0 == 1)\n";
    struct explore_options options = options_under("9.1");
    struct explored result = explore_text(arena, text, options);
    assert_int_equal(result.outcomes.count, 1);
    assert_true(result.satisfied);
    assert_false(result.violated);
    explored_free(&result);
    options.limit = 1;
    result = explore_text(arena, text, options);
    assert_false(result.complete);
    explored_free(&result);
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

static struct explored search_text(struct arena *arena, const char *text) {
    struct explored result = explore_text(arena, text, options_under("9.1"));
    assert_null(result.unsupported);
    return result;
}

static void assert_races(const char *text, bool data_race, bool mixed_size_race) {
    struct arena *arena = arena_new();
    struct explored result = search_text(arena, text);
    assert_int_equal(result.data_race, data_race);
    assert_int_equal(result.mixed_size_race, mixed_size_race);
    explored_free(&result);
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

// A counted loop repeats as often as it counts; one that waits for what it reads only as often
// as the bound says, and it is known that there is more.
static void test_loops(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    assert_outcomes("PTX L\n.global .u32 y;\n"
                    "P0@cta 0 { mov.u32 %r0, 0;\n"
                    "L: st.u32 [y], %r0; add.u32 %r0, %r0, 1;\n"
                    "setp.lt.u32 %p, %r0, 9; @%p bra L; }\nexists (y == 8)\n",
                    "8");
    static const char counted[] = "PTX L\n.global .u32 x;\n.global .u32 y;\n"
                                  "P0@cta 0 { mov.u32 %%r0, 0; ld.u32 %%r1, [x];\n"
                                  "L: st.u32 [y], %%r0; add.u32 %%r0, %%r0, 1;\n"
                                  "setp.lt.u32 %%p, %%r0, %%r1; @%%p bra L; }\n"
                                  "P1@cta 1 { st.u32 [x], %u; }\nexists (y == 5)\n";
    char text[400];
    for (unsigned count = 3; count < 5; count++) {
        snprintf(text, sizeof text, counted, count);
        struct explored result = search_text(arena, text);
        assert_int_equal(result.bounded, count > 3);
        assert_int_equal(result.outcomes.count, count > 3 ? 1 : 2);
        explored_free(&result);
    }
    struct explored result =
        search_text(arena, "PTX S\n.global .u32 x;\n.global .u32 f;\n"
                           "P0@cta 0 { st.u32 [x], 1; st.release.gpu.u32 [f], 1; }\n"
                           "P1@cta 1 { L: ld.acquire.gpu.u32 %r0, [f]; setp.eq.u32 %p, %r0, 0;\n"
                           "@%p bra L; ld.u32 %r1, [x]; }\nexists (P1:%r1 == 0)\n");
    assert_true(result.bounded);
    assert_int_equal(result.outcomes.count, 1);
    assert_false(result.satisfied);
    assert_false(result.data_race);
    explored_free(&result);
    arena_free(arena);
}

static void assert_hang(const char *text, bool hang, size_t outcomes) {
    struct arena *arena = arena_new();
    struct explored result = search_text(arena, text);
    assert_int_equal(result.hang, hang);
    assert_int_equal(result.outcomes.count, outcomes);
    explored_free(&result);
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
    // There are fewer than three threads.
    assert_hang("PTX H\n.global .u32 x;\nP0@cta 0 { bar.sync 0, 3; st.u32 [x], 1; }\n"
                "P1@cta 0 { exit; }\nexists (x == 1)\n",
                true, 0);
    // A phase of one thread in between: three phases of five arrivals.
    assert_hang(
        "PTX H\n.global .u32 x;\nP0@cta 0 { bar.sync 0, 2; bar.sync 0, 2; st.u32 [x], 1; }\n"
        "P1@cta 0 { bar.sync 0, 2; bar.arrive 0, 1; bar.sync 0, 2; }\nexists (x == 1)\n",
        false, 1);
}

// What it cannot judge it refuses.
static void test_unsupported(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    static const char text[] = "PTX U\n.global .u32 x;\n"
                               "P0@cta 0 { st.u32 [x], 1; fence.release.gpu; }\n"
                               "P1@cta 1 { st.relaxed.cluster.u32 [x], 2; }\nexists (x == 1)\n";
    struct explored result = explore_text(arena, text, options_under("6.0"));
    assert_non_null(result.unsupported);
    explored_free(&result);
    result = explore_text(arena, text, options_under("9.1"));
    assert_null(result.unsupported);
    explored_free(&result);
    // A branch on an unknown value.
    result = explore_text(arena,
                          "PTX U\n.shared .u32 x;\n.global .u32 y;\n"
                          "P0@cta 0 { ld.shared.u32 %r0, [x]; setp.eq.u32 %p, %r0, 0;\n"
                          "@%p st.u32 [y], 1; }\nexists (y == 1)\n",
                          options_under("9.1"));
    assert_non_null(result.unsupported);
    explored_free(&result);
    arena_free(arena);
}

// Unknown values are shown as such, and only where they matter.
static void test_unknown_values(void **state) {
    (void)state;
    // Only the byte that is stored is known.
    assert_outcomes("PTX U\n.shared .b32 x;\n"
                    "P0@cta 0 { .reg .b32 %a, %b, %c; .reg .pred %p; st.shared.b8 [x], 5;\n"
                    "ld.shared.b32 %a, [x]; ld.shared.b8 %b, [x]; and.b32 %c, %a, 255; }\n"
                    "locations [P0:%a; P0:%b; P0:%c;]\nexists (P0:%b == 5)\n",
                    "5,?,5");
    // A division by zero that the guard keeps from happening leaves what was there.
    assert_outcomes("PTX G\n.global .u32 x = 1;\n"
                    "P0@cta 0 { mov.u32 %r1, 7; ld.u32 %r0, [x]; setp.eq.u32 %p, %r0, 0;\n"
                    "@%p div.u32 %r1, 7, %r0; }\nexists (P0:%r1 == 7)\n",
                    "7");
    // A cas that certainly fails does not write, whatever it would write; one that succeeds does.
    assert_outcomes("PTX C\n.global .u32 x = 1;\n.shared .u32 u;\n"
                    "P0@cta 0 { ld.shared.u32 %r1, [u];\n"
                    "atom.relaxed.gpu.global.cas.b32 %r0, [x], 0, %r1; }\n"
                    "locations [x;]\nexists (P0:%r0 == 1)\n",
                    "1,1");
    assert_outcomes("PTX C\n.global .u32 x = 0;\n.shared .u32 u;\n"
                    "P0@cta 0 { ld.shared.u32 %r1, [u];\n"
                    "atom.relaxed.gpu.global.cas.b32 %r0, [x], 0, %r1; }\n"
                    "locations [x;]\nexists (P0:%r0 == 0)\n",
                    "0,?");
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
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_barriers),
        cmocka_unit_test(test_bar_red),
        cmocka_unit_test(test_hangs),
        cmocka_unit_test(test_unsupported),
        cmocka_unit_test(test_unknown_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
