// Waiting loops of a whole CTA: which loops with barriers are two rounds, of which the second is
// left, and which are unrolled.

#include "tests/unit/program/program_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#define HEADER "PTX t\n.global .u32 x; .global .u32 y;\n"
#define REGISTERS " .shared .align 4 .b8 s[8]; .reg .b32 %r<8>; .reg .pred %p<4>;\n"
#define THREADS(first, second, rest)                                                               \
    HEADER "P0@cta 0,gpu 0 {" REGISTERS first "}\nP1@cta 0,gpu 0 {" REGISTERS second "}\n" rest    \
           "exists (P0:%r1 == 1)\n"
#define CHECK(first, second) THREADS(first, second, "")

// As Triton waits: one thread loads, the value goes through shared memory, all branch on it.
#define LOADER(more)                                                                               \
    "L: bar.sync 0; ld.acquire.gpu.global.u32 %r0, [x]; st.shared.u32 [s], %r0; bar.sync 0;\n"     \
    " ld.shared.u32 %r1, [s]; setp.lt.s32 %p0, %r1, 2; @%p0 bra L;\n" more
#define OTHER(number, more)                                                                        \
    "L: bar.sync 0; bar.sync 0; ld.shared.u32 %r1, [s];\n"                                         \
    " setp.lt.s32 %p0, %r1, " number "; @%p0 bra L;\n" more
// As CUTLASS waits: a bar.red tells all what one has loaded.
#define REDUCER(op)                                                                                \
    "L: ld.acquire.gpu.global.u32 %r0, [x]; setp.ne.u32 %p1, %r0, 1;\n"                            \
    " bar.red." op ".pred %p0, 0, %p1; @%p0 bra L; mov.u32 %r1, 1;\n"
#define REDUCED(op)                                                                                \
    " setp.eq.u32 %p1, 0, 0;\n"                                                                    \
    "L: bar.red." op ".pred %p0, 0, %p1; @%p0 bra L; mov.u32 %r1, 1;\n"

// Whether the loops of a test are left after two rounds, without any bound.
static bool waits(const char *text) {
    struct program_fixture *f = fixture_build(text);
    bool bound = !expr_is_false(f->program->limits.bound_reached);
    bool assumed = !expr_is_true(f->program->assumption);
    if (bound)
        assert_true(f->program->spinning == NULL);
    assert_true(bound || assumed);
    fixture_free(f);
    return !bound;
}

static void rounds_are_left(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(CHECK(LOADER(""), OTHER("2", "")));
    assert_int_equal(fixture_event_count(f, 0), 2 * 7);
    assert_int_equal(fixture_event_count(f, 1), 2 * 5);
    assert_true(expr_is_false(f->program->limits.bound_reached));
    // The first round may be the last one; the second has to be.
    f->reads[fixture_event(f, 0, EVENT_READ, 1)->id] = 2;
    f->reads[fixture_event(f, 1, EVENT_READ, 0)->id] = 2;
    assert_int_equal(fixture_value(f, f->program->assumption), 1);
    f->reads[fixture_event(f, 1, EVENT_READ, 0)->id] = 0;
    assert_int_equal(fixture_value(f, f->program->assumption), 0);
    f->reads[fixture_event(f, 1, EVENT_READ, 1)->id] = 2;
    assert_int_equal(fixture_value(f, f->program->assumption), 1);
    fixture_free(f);
}

static void known_forms(void **state) {
    (void)state;
    assert_true(waits(CHECK(LOADER(""), OTHER("2", ""))));
    assert_true(waits(CHECK(REDUCER("and"), REDUCED("and"))));
    assert_true(waits(CHECK(REDUCER("or"), REDUCER("or"))));
    // One after the other; after some other barriers; a store after a barrier.
    assert_true(waits(CHECK("bar.sync 0;\n" LOADER("bar.sync 0; st.shared.u32 [s], 7;\n"),
                            "bar.sync 0;\n" OTHER("2", "bar.sync 0;\n"))));
    assert_true(waits(CHECK(LOADER("M: ld.relaxed.gpu.global.u32 %r0, [y];\n"
                                   " setp.ne.u32 %p1, %r0, 1; bar.red.or.pred %p0, 1, %p1;\n"
                                   " @%p0 bra M;\n"),
                            OTHER("2", "mov.u32 %r5, 1; setp.eq.u32 %p1, %r5, 0;\n"
                                       "N: bar.red.or.pred %p0, 1, %p1; @%p0 bra N;\n"))));
    // A single thread is a CTA.
    assert_true(waits(HEADER "P0@cta 0,gpu 0 {" REGISTERS LOADER("") "}\nexists (P0:%r1 == 2)\n"));
    assert_true(waits(HEADER "P0@cta 0,gpu 0 {" REGISTERS
                             "L: bar.sync 0; ld.acquire.gpu.global.u32 %r1, [x];\n"
                             " setp.eq.u32 %p0, %r1, 0; @%p0 bra L;\n}\nexists (P0:%r1 == 2)\n"));
}

// CUTLASS's Semaphore::wait as nvcc compiles it: what one thread has seen is carried in a register,
// and each thread jumps back to another place.
#define TURNED(rank, first)                                                                        \
    " setp.gt.s32 %p1, " rank ", 0; mov.u32 %r2, -1;\n" first "bra MIDDLE;\n"                      \
    "AGAIN: ld.acquire.gpu.global.u32 %r2, [x];\n"                                                 \
    "MIDDLE: setp.ne.s32 %p2, %r2, 1; bar.red.and.pred %p2, 0, %p2;\n"                             \
    " @!%p2 bra OUT; @%p1 bra MIDDLE; bra AGAIN;\n"                                                \
    "OUT: bar.sync 0; ld.weak.global.u32 %r1, [y];\n"

static void turned_loops(void **state) {
    (void)state;
    assert_true(
        waits(CHECK(TURNED("0", "ld.acquire.gpu.global.u32 %r2, [x];\n"), TURNED("1", ""))));
    assert_true(waits(CHECK(TURNED("0", ""), TURNED("1", ""))));
#define TURNED_LAST                                                                                \
    " setp.eq.u32 %p2, 0, 0;\n"                                                                    \
    "MIDDLE: bar.red.and.pred %p0, 0, %p2; @%p0 bra MIDDLE; ld.weak.global.u32 %r1, [y];\n"
    assert_true(waits(CHECK(TURNED("0", ""), TURNED_LAST)));
    // An arrival more.
    assert_false(waits(CHECK(TURNED("0", "bar.sync 0;\n"), TURNED("1", ""))));
}

// It is not known that all repeat equally often.
static void threads_may_part(void **state) {
    (void)state;
    // Different functions; another barrier in between; not the same barrier.
    assert_false(waits(CHECK(LOADER(""), OTHER("3", ""))));
    assert_false(waits(CHECK(REDUCER("and"), REDUCED("or"))));
    assert_false(waits(CHECK("bar.arrive 0, 2;\n" LOADER(""), OTHER("2", ""))));
    assert_false(waits(CHECK(LOADER(""), "bar.sync 0;\n" OTHER("2", ""))));
    // Each for itself.
    assert_false(waits(CHECK(REDUCER("and"), "L: ld.acquire.gpu.global.u32 %r1, [x]; bar.sync 0;\n"
                                             " setp.ne.u32 %p0, %r1, 1; @%p0 bra L;\n")));
    assert_false(waits(CHECK("L: ld.acquire.gpu.global.u32 %r1, [x]; bar.sync 0;\n"
                             " setp.ne.u32 %p0, %r1, 1; @%p0 bra L;\n",
                             "L: ld.acquire.gpu.global.u32 %r1, [x]; bar.sync 0;\n"
                             " setp.ne.u32 %p0, %r1, 1; @%p0 bra L;\n")));
    // A thread of the CTA has no such loop, or may not come to it.
    assert_false(
        waits(THREADS(REDUCER("and"), REDUCED("and"), "P2@cta 0,gpu 0 { bar.sync 0; }\n")));
    assert_false(
        waits(CHECK("ld.weak.global.u32 %r3, [y]; setp.eq.u32 %p2, %r3, 1; @%p2 exit;\n" LOADER(""),
                    OTHER("2", ""))));
}

// What is read in a round may be from another round.
static void rounds_may_mix(void **state) {
    (void)state;
    // No barrier between the load and the store of the next round, or between store and load.
    assert_false(waits(
        CHECK("L: ld.acquire.gpu.global.u32 %r0, [x]; st.shared.u32 [s], %r0; bar.sync 0;\n"
              " ld.shared.u32 %r1, [s]; setp.lt.s32 %p0, %r1, 2; @%p0 bra L;\n",
              "L: bar.sync 0; ld.shared.u32 %r1, [s]; setp.lt.s32 %p0, %r1, 2; @%p0 bra L;\n")));
    assert_false(waits(
        CHECK("L: bar.sync 0; ld.acquire.gpu.global.u32 %r0, [x]; st.shared.u32 [s], %r0;\n"
              " ld.shared.u32 %r1, [s]; setp.lt.s32 %p0, %r1, 2; @%p0 bra L;\n",
              "L: bar.sync 0; ld.shared.u32 %r1, [s]; setp.lt.s32 %p0, %r1, 2; @%p0 bra L;\n")));
    // Another store, in the round, after the loop, or from elsewhere.
    assert_false(waits(CHECK(LOADER(""), "L: bar.sync 0; st.shared.u32 [s], 0; bar.sync 0;\n"
                                         " ld.shared.u32 %r1, [s]; setp.lt.s32 %p0, %r1, 2;\n"
                                         " @%p0 bra L;\n")));
    assert_false(waits(CHECK(LOADER("st.shared.u32 [s], 7;\n"), OTHER("2", ""))));
    assert_true(waits(CHECK(LOADER("st.shared.u32 [s+4], 7;\n"), OTHER("2", ""))));
    // Not in each round.
    assert_false(waits(CHECK("L: bar.sync 0; ld.acquire.gpu.global.u32 %r0, [x];\n"
                             " setp.ne.u32 %p1, %r0, 1; @%p1 st.shared.u32 [s], %r0; bar.sync 0;\n"
                             " ld.shared.u32 %r1, [s]; setp.lt.s32 %p0, %r1, 2; @%p0 bra L;\n",
                             OTHER("2", ""))));
    // A register goes from round to round.
    assert_false(waits(CHECK(
        "mov.u32 %r3, 0;\n"
        "L: bar.sync 0; ld.acquire.gpu.global.u32 %r0, [x]; st.shared.u32 [s], %r0; bar.sync 0;\n"
        " ld.shared.u32 %r1, [s]; setp.lt.s32 %p0, %r1, 2; add.u32 %r3, %r3, %r1;\n"
        " @%p0 bra L; mov.u32 %r1, %r3;\n",
        OTHER("2", ""))));
}

// What the rounds that are left out write, somebody may see.
static void writes_may_be_missed(void **state) {
    (void)state;
    static const char round[] =
        CHECK("L: bar.sync 0; st.relaxed.gpu.global.u32 [y], 1;\n"
              " ld.acquire.gpu.global.u32 %r0, [x]; setp.ne.u32 %p1, %r0, 1;\n"
              " bar.red.and.pred %p0, 0, %p1; @%p0 bra L; mov.u32 %r1, 1;\n",
              " setp.eq.u32 %p1, 0, 0;\n"
              "L: bar.sync 0; bar.red.and.pred %p0, 0, %p1; @%p0 bra L;\n");
    assert_true(waits(round));
    struct arena *arena = arena_new();
    static const char look[] = "P2@cta 1,gpu 0 { ld.relaxed.gpu.global.u32 %r0, [y]; }\n";
    const char *condition = strstr(round, "exists");
    size_t length = (size_t)(condition - round);
    assert_false(waits(arena_format(arena, "%.*s%s%s", (int)length, round, look, condition)));
    assert_false(waits(arena_format(arena, "%.*s%s", (int)length, round, "exists (y == 1)\n")));
    arena_free(arena);
    // Without a barrier before it in the round, a load before the loop may read the store.
#define STORING                                                                                    \
    "L: st.shared.u32 [s+4], 1; bar.sync 0;\n bar.red.and.pred %p0, 0, %p1; @%p0 bra L;\n"
#define PREDICATE " ld.weak.global.u32 %r3, [x]; setp.eq.u32 %p1, %r3, 1;\n"
    assert_false(waits(CHECK("mov.u32 %r1, 0;" PREDICATE STORING, PREDICATE
                             "ld.shared.u32 %r1, [s+4];\n"
                             "L: bar.sync 0; bar.red.and.pred %p0, 0, %p1; @%p0 bra L;\n")));
    assert_true(waits(CHECK("mov.u32 %r1, 0;" PREDICATE STORING,
                            PREDICATE "L: bar.sync 0; bar.red.and.pred %p0, 0, %p1; @%p0 bra L;\n"
                                      " ld.shared.u32 %r1, [s+4];\n")));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_are_left), cmocka_unit_test(known_forms),
        cmocka_unit_test(turned_loops),    cmocka_unit_test(threads_may_part),
        cmocka_unit_test(rounds_may_mix),  cmocka_unit_test(writes_may_be_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
