// Exchanges between lanes of a warp: which are left out since all lanes come to them together, what
// their results become, and what is known not to be executed.

#include "tests/unit/program/program_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define HEADER "PTX t\n.global .u32 x; .global .u32 y; .global .u32 z = 5;\n"
#define REGISTERS " .reg .b32 %r<8>; .reg .pred %p<4>;\n"
#define LANES(first, second, rest)                                                                 \
    HEADER "P0@cta 0,gpu 0 {" REGISTERS first "}\nP1@cta 0,gpu 0 {" REGISTERS second "}\n" rest    \
           "exists (P0:%r1 == 1)\n"
#define WRITER(value) "P2@cta 1,gpu 0 { st.relaxed.gpu.global.u32 [x], " value "; }\n"
#define VOTE                                                                                       \
    "ld.relaxed.gpu.global.u32 %r0, [x]; setp.eq.u32 %p0, %r0, 1;\n"                               \
    " vote.sync.any.pred %p1, %p0, 0x3; selp.u32 %r1, 1, 0, %p1;\n"
#define TWICE "@!%p1 bra E; vote.sync.all.pred %p2, %p0, 0x3; E: mov.u32 %r2, 1;\n"

static struct program_fixture *build(const char *text) {
    return fixture_build_with(text, (struct program_options){.unroll = 2});
}

// How many arrivals and waits are left of a test.
static size_t count_barriers(const char *text) {
    struct program_fixture *f = build(text);
    size_t count = 0;
    for (size_t i = 0; i < f->program->event_count; i++)
        count += f->program->events[i].kind == EVENT_BARRIER;
    fixture_free(f);
    return count;
}

static void all_come_together(void **state) {
    (void)state;
    assert_int_equal(count_barriers(LANES(VOTE, VOTE, WRITER("1"))), 0);
    // Both take the same branch.
    assert_int_equal(count_barriers(LANES(VOTE TWICE, VOTE TWICE, WRITER("1"))), 0);
}

static void some_do_not(void **state) {
    (void)state;
    // Each branches on what it has read itself.
    assert_true(count_barriers(LANES("ld.relaxed.gpu.global.u32 %r0, [x]; setp.eq.u32 %p0, %r0, 1;"
                                     " @!%p0 bra E; " VOTE "E: mov.u32 %r2, 1;\n",
                                     VOTE, WRITER("1"))) > 0);
    // Another operation; another mask; one lane more often.
    assert_int_equal(count_barriers(LANES(VOTE, "vote.sync.all.pred %p1, 1, 0x3;\n", "")), 4);
    assert_int_equal(count_barriers(LANES(VOTE, "vote.sync.any.pred %p1, 1, 0x2;\n", "")), 4);
    assert_int_equal(count_barriers(LANES(VOTE VOTE, VOTE, "")), 6);
    // A lane may wait for ever at a barrier before it.
    assert_int_equal(count_barriers(LANES("bar.sync 0; " VOTE, "bar.sync 0; " VOTE, "")), 8);
}

static void results_are_expressions(void **state) {
    (void)state;
    struct program_fixture *f = build(LANES(VOTE, VOTE, WRITER("1")));
    f->reads[fixture_event(f, 0, EVENT_READ, 0)->id] = 0;
    f->reads[fixture_event(f, 1, EVENT_READ, 0)->id] = 0;
    assert_int_equal(fixture_value(f, f->program->condition), 0);
    f->reads[fixture_event(f, 1, EVENT_READ, 0)->id] = 1;
    assert_int_equal(fixture_value(f, f->program->condition), 1);
    fixture_free(f);
}

static void memory_that_nothing_writes(void **state) {
    (void)state;
    const char *test = LANES("ld.global.u32 %r2, [z]; " VOTE " st.relaxed.gpu.global.u32 [y], %r2;",
                             VOTE, WRITER("1"));
    struct program_fixture *f = build(test);
    const struct event *store = fixture_event(f, 0, EVENT_WRITE, 0);
    assert_true(expr_is_const(store->access->value));
    assert_int_equal(store->access->value->value.low, 5);
    // It depends on the read all the same, which might return another value as far as this goes.
    assert_int_equal(store->data.count, 1);
    fixture_free(f);
}

// The store of y.
#define ON_TWO                                                                                     \
    VOTE " setp.eq.u32 %p2, %r0, 2; @!%p2 bra E; st.relaxed.gpu.global.u32 [y], 1; E: mov.u32 "    \
         "%r3, 1;\n"
static void values_that_are_never_stored(void **state) {
    (void)state;
    struct program_fixture *f = build(LANES(ON_TWO, VOTE, WRITER("1")));
    assert_int_equal(fixture_event_count(f, 0), 1);
    fixture_free(f);
    f = build(LANES(ON_TWO, VOTE, WRITER("2")));
    assert_int_equal(fixture_event_count(f, 0), 2);
    fixture_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_come_together),
        cmocka_unit_test(some_do_not),
        cmocka_unit_test(results_are_expressions),
        cmocka_unit_test(memory_that_nothing_writes),
        cmocka_unit_test(values_that_are_never_stored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
