// Spin loops: which loops are one iteration that is left, and which are unrolled.

#include "tests/unit/program/program_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define HEADER "PTX t\n.global .u32 x; .global .u32 y; .global .u32 z;\n"
#define REGISTERS " .reg .b32 %r<8>; .reg .b64 %rd<2>; .reg .pred %p<4>;\n"
#define THREAD(body) HEADER "P0@cta 0 {" REGISTERS body "}\nexists (P0:%r1 == 1)\n"

// Whether the loop of a thread is one iteration: it has so many events, and no bound.
static bool spins(const char *text, unsigned events) {
    struct program_fixture *f = fixture_build(text);
    bool one = fixture_event_count(f, 0) == events &&
               expr_is_false(f->program->limits.bound_reached) &&
               !expr_is_const(f->program->assumption);
    bool unrolled =
        !expr_is_false(f->program->limits.bound_reached) && expr_is_true(f->program->assumption);
    assert_true(one != unrolled);
    fixture_free(f);
    return one;
}

static void wait_for_a_flag(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(THREAD("L: ld.acquire.gpu.global.u32 %r0, [x];\n"
                                                     " setp.ne.u32 %p0, %r0, 1;\n"
                                                     " @%p0 bra L;\n"
                                                     " ld.weak.global.u32 %r1, [y];\n"));
    const struct program *p = f->program;
    const struct event *flag = fixture_event(f, 0, EVENT_READ, 0);
    const struct event *data = fixture_event(f, 0, EVENT_READ, 1);
    assert_int_equal(fixture_event_count(f, 0), 2);
    assert_true(expr_is_false(p->limits.bound_reached));
    f->reads[flag->id] = 1;
    assert_int_equal(fixture_value(f, p->assumption), 1);
    f->reads[flag->id] = 0;
    assert_int_equal(fixture_value(f, p->assumption), 0);
    assert_true(expr_is_true(data->executes)); // in all executions that count
    assert_true(fixture_depends(data->ctrl, flag));
    fixture_free(f);
}

// The exit in the middle, and the jump back without a guard.
static void exit_in_the_middle(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(THREAD("L: ld.relaxed.gpu.global.u32 %r0, [x];\n"
                                                     " setp.eq.u32 %p0, %r0, 1;\n"
                                                     " @%p0 bra OUT;\n"
                                                     " bra L;\n"
                                                     "OUT: ld.weak.global.u32 %r1, [y];\n"));
    assert_int_equal(fixture_event_count(f, 0), 2);
    assert_true(expr_is_true(fixture_event(f, 0, EVENT_READ, 1)->executes));
    assert_true(expr_is_false(f->program->limits.bound_reached));
    assert_int_equal(fixture_value(f, f->program->assumption), 0);
    fixture_free(f);
}

static void dat3m_loop(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(
        "PTX t\n{\nx=0; y=0;\n}\n P0@cta 0,gpu 0 ;\n LC00: ;\n ld.relaxed.gpu r0, x ;\n"
        " bne r0, 0, LC01 ;\n goto LC00 ;\n LC01: ;\n st.weak y, 1 ;\n"
        "exists (P0:r0 == 1)");
    assert_int_equal(fixture_event_count(f, 0), 2);
    assert_true(expr_is_true(fixture_event(f, 0, EVENT_WRITE, 0)->executes));
    assert_true(expr_is_false(f->program->limits.bound_reached));
    fixture_free(f);
}

#define LOCK                                                                                       \
    "L: atom.acquire.gpu.global.cas.b32 %r0, [x], 0, 1;\n"                                         \
    " setp.ne.u32 %p0, %r0, 0;\n"                                                                  \
    " @%p0 bra L;\n"

// A cas that fails does not write; one that succeeds leaves the loop.
static void cas_lock(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(THREAD(LOCK " ld.weak.global.u32 %r1, [y];\n"));
    const struct event *read = fixture_event(f, 0, EVENT_READ, 0);
    const struct event *write = fixture_event(f, 0, EVENT_WRITE, 0);
    assert_int_equal(fixture_event_count(f, 0), 3);
    assert_int_equal(write->access->rmw, read->id);
    assert_int_equal(fixture_value(f, f->program->assumption), 1);
    assert_int_equal(fixture_value(f, write->executes), 1);
    f->reads[read->id] = 1;
    assert_int_equal(fixture_value(f, f->program->assumption), 0);
    fixture_free(f);
    // With a look at the lock before.
    assert_true(spins(THREAD("L: ld.relaxed.gpu.global.u32 %r0, [x];\n"
                             " setp.ne.u32 %p0, %r0, 0;\n"
                             " @%p0 bra L;\n"
                             " atom.acquire.gpu.global.cas.b32 %r0, [x], 0, 1;\n"
                             " setp.ne.u32 %p0, %r0, 0;\n"
                             " @%p0 bra L;\n"
                             " ld.weak.global.u32 %r1, [y];\n"),
                      4));
}

#define EXCH(value)                                                                                \
    "L: atom.acquire.gpu.global.exch.b32 %r0, [x], " value ";\n"                                   \
    " setp.ne.u32 %p0, %r0, 0;\n"                                                                  \
    " @%p0 bra L;\n"                                                                               \
    " ld.weak.global.u32 %r1, [y];\n"
#define TWO_THREADS(first, second, rest)                                                           \
    HEADER "P0@cta 0,gpu 0 {" REGISTERS first "}\nP1@cta 1,gpu 0 {" REGISTERS second "}\n" rest

// A lock that takes whatever it finds writes in every turn. No event that is kept reads that.
static void unread_writes_are_left_out(void **state) {
    (void)state;
    assert_true(spins(THREAD(EXCH("1")), 3));
    // This cas is repeated when it has succeeded.
    assert_true(spins(THREAD("L: atom.acquire.gpu.global.cas.b32 %r0, [x], 0, 1;\n"
                             " setp.ne.u32 %p0, %r0, 3;\n"
                             " @%p0 bra L;\n"
                             " ld.weak.global.u32 %r1, [y];\n"),
                      3));
    assert_true(
        spins(TWO_THREADS(EXCH("1"), EXCH("2"), "locations [y;]\nexists (P0:%r1 == 1)\n"), 3));
    assert_true(spins(THREAD("M: ld.relaxed.gpu.global.u32 %r0, [x];\n"
                             " setp.ne.u32 %p0, %r0, 0;\n"
                             " @%p0 bra M;\n"
                             " atom.acquire.gpu.global.exch.b32 %r0, [x], 1;\n"
                             " setp.ne.u32 %p0, %r0, 0;\n"
                             " @%p0 bra M;\n"
                             " ld.weak.global.u32 %r1, [y];\n"),
                      4));
}

static bool has_bound(const char *text) {
    struct program_fixture *f = fixture_build(text);
    bool bound = !expr_is_false(f->program->limits.bound_reached);
    fixture_free(f);
    return bound;
}

static void read_writes_are_not_left_out(void **state) {
    (void)state;
    // It may be the final value; another thread may read it, wait for it, or read a part of it; the
    // value is not a constant.
    assert_true(has_bound(HEADER "P0@cta 0 {" REGISTERS EXCH("1") "}\nexists (x == 1)\n"));
    assert_true(has_bound(TWO_THREADS(EXCH("1"), " ld.relaxed.gpu.global.u32 %r1, [x];\n",
                                      "exists (P1:%r1 == 1)\n")));
    assert_true(has_bound(TWO_THREADS(EXCH("1"),
                                      "L: ld.relaxed.gpu.global.u32 %r1, [x];\n"
                                      " setp.ne.u32 %p0, %r1, 1;\n"
                                      " @%p0 bra L;\n",
                                      "exists (P0:%r1 == 1)\n")));
    assert_true(has_bound(TWO_THREADS(EXCH("1"),
                                      "L: ld.relaxed.gpu.global.u8 %r1, [x+1];\n"
                                      " setp.ne.u32 %p0, %r1, 2;\n"
                                      " @%p0 bra L;\n",
                                      "exists (P0:%r1 == 1)\n")));
    assert_true(has_bound(THREAD("L: atom.relaxed.gpu.global.add.u32 %r0, [x], 1;\n"
                                 " setp.ne.u32 %p0, %r0, 0;\n"
                                 " @%p0 bra L;\n"
                                 " ld.weak.global.u32 %r1, [y];\n")));
    // A turn that may race is kept, and so is its write.
    assert_true(has_bound(
        TWO_THREADS(EXCH("1"), " st.weak.global.u32 [x], 0;\n", "exists (P0:%r1 == 1)\n")));
}

// Polling with an operation that does not change memory can be left out if all accesses are morally
// strong to each other.
#define POLLING(access)                                                                            \
    "L: " access "\n setp.eq.u32 %p0, %r0, 0;\n @%p0 bra L;\n ld.weak.global.u32 %r1, [y];\n"
#define ADD_0 "atom.acquire.gpu.global.add.u32 %r0, [x], 0;"

static void polls_that_change_nothing(void **state) {
    (void)state;
    static const char *const others[] = {" st.release.gpu.global.u32 [x], 1;\n",
                                         " red.relaxed.sys.global.add.u32 [x], 1;\n",
                                         " ld.volatile.global.u32 %r1, [x];\n", POLLING(ADD_0)};
    static const char *const racy[] = {" st.weak.global.u32 [x], 1;\n",
                                       " st.release.cta.global.u32 [x], 1;\n",
                                       " st.relaxed.gpu.global.u16 [x], 1;\n",
                                       " mov.u64 %rd0, x; st.weak.global.u32 [%rd0], 1;\n"};
    static const char *const polls[] = {POLLING(ADD_0),
                                        POLLING("atom.relaxed.gpu.global.or.b32 %r0, [x], 0;"),
                                        POLLING("atom.relaxed.gpu.global.cas.b32 %r0, [x], 0, 0;"),
                                        POLLING("atom.relaxed.gpu.global.max.u32 %r0, [x], 0;"),
                                        POLLING("atom.relaxed.gpu.global.and.b32 %r0, [x], -1;")};
    static const char form[] = "%sP0@cta 0,gpu 0 {%s%s}\nP1@cta 1,gpu 0 {%s%s}\n"
                               "exists (P0:%%r1 == 1 /\\ x == 1)\n";
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof polls / sizeof *polls; i++)
        for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
            struct program_fixture *f = fixture_build(
                arena_format(arena, form, HEADER, REGISTERS, polls[i], REGISTERS, others[k]));
            assert_true(expr_is_false(f->program->limits.bound_reached));
            fixture_free(f);
            f = fixture_build(
                arena_format(arena, form, HEADER, REGISTERS, polls[i], REGISTERS, racy[k]));
            assert_false(expr_is_false(f->program->limits.bound_reached));
            fixture_free(f);
        }
    arena_free(arena);
}

// Unoptimised code keeps all in .local memory, which each turn writes before it reads it.
#define LOCAL(store, rest)                                                                         \
    " .local .align 8 .b8 v[8];\n mov.u32 %r2, 0; st.local.u32 [v], %r2;\n"                        \
    "L: ld.acquire.gpu.global.u32 %r0, [x];\n" store " ld.local.u32 %r2, [v];\n"                   \
    " setp.eq.u32 %p0, %r2, 0;\n @%p0 bra L;\n" rest " ld.weak.global.u32 %r1, [y];\n"

static void private_memory(void **state) {
    (void)state;
    assert_true(spins(THREAD(LOCAL(" st.local.u32 [v], %r0;\n", "")), 5));
    assert_true(spins(THREAD(LOCAL(" st.local.u32 [v], %r0;\n", " ld.local.u32 %r3, [v];\n")), 6));
    // A part of what is read is from before the turn, or may be.
    assert_true(has_bound(THREAD(LOCAL(" st.local.u16 [v], %r0;\n", ""))));
    assert_true(
        has_bound(THREAD(LOCAL(" setp.ne.u32 %p1, %r0, 2; @%p1 st.local.u32 [v], %r0;\n", ""))));
    // The turn before has left what this one reads.
    assert_true(has_bound(THREAD(" .local .align 4 .b32 v;\n mov.u32 %r2, 0;\n"
                                 " st.local.u32 [v], %r2;\n"
                                 "L: ld.local.u32 %r2, [v]; add.u32 %r2, %r2, 1;\n"
                                 " st.local.u32 [v], %r2; ld.acquire.gpu.global.u32 %r0, [x];\n"
                                 " setp.eq.u32 %p0, %r0, 0;\n @%p0 bra L;\n"
                                 " mov.u32 %r1, %r2;\n")));
    // The turn that leaves does not write.
    assert_true(has_bound(THREAD(" .local .align 4 .b32 v;\n mov.u32 %r2, 0;\n"
                                 " st.local.u32 [v], %r2;\n"
                                 "L: ld.acquire.gpu.global.u32 %r0, [x];\n"
                                 " setp.eq.u32 %p0, %r0, 1;\n @%p0 bra OUT;\n"
                                 " st.local.u32 [v], %r0;\n bra L;\n"
                                 "OUT: ld.local.u32 %r1, [v];\n")));
}

static void writes_are_not_left_out(void **state) {
    (void)state;
    assert_false(spins(THREAD("L: ld.weak.global.u32 %r0, [x];\n"
                              " st.weak.global.u32 [z], 1;\n"
                              " setp.ne.u32 %p0, %r0, 1;\n"
                              " @%p0 bra L;\n"
                              " ld.weak.global.u32 %r1, [y];\n"),
                       3));
    // A store on the way out does not matter.
    assert_true(spins(THREAD("L: ld.weak.global.u32 %r0, [x];\n"
                             " setp.ne.u32 %p0, %r0, 1;\n"
                             " @!%p0 st.weak.global.u32 [z], 1;\n"
                             " @%p0 bra L;\n"
                             " ld.weak.global.u32 %r1, [y];\n"),
                      3));
}

static void fences_may_stay_barriers_may_not(void **state) {
    (void)state;
    assert_true(spins(THREAD("L: ld.relaxed.gpu.global.u32 %r0, [x];\n"
                             " fence.acq_rel.gpu;\n"
                             " setp.ne.u32 %p0, %r0, 1;\n"
                             " @%p0 bra L;\n"
                             " ld.weak.global.u32 %r1, [y];\n"),
                      3));
    // Except for those that all threads of the CTA repeat together: test_waits.c.
    assert_false(spins(THREAD("L: ld.relaxed.gpu.global.u32 %r0, [x];\n"
                              " bar.sync 0, 1;\n"
                              " setp.ne.u32 %p0, %r0, 1;\n"
                              " @%p0 bra L;\n"
                              " ld.weak.global.u32 %r1, [y];\n"),
                       4));
}

static void registers_that_live_on(void **state) {
    (void)state;
    // A counter; one that only nanosleep reads does not count.
    assert_true(spins(THREAD(" mov.u32 %r2, 8;\n"
                             "L: nanosleep.u32 %r2; shl.b32 %r2, %r2, 1; min.u32 %r2, %r2, 64;\n"
                             " ld.weak.global.u32 %r0, [x];\n"
                             " setp.ne.u32 %p0, %r0, 1;\n"
                             " @%p0 bra L;\n"
                             " mov.u32 %r1, %r0;\n"),
                      1));
    assert_false(spins(THREAD(" mov.u32 %r2, 0;\n"
                              "L: ld.weak.global.u32 %r0, [x];\n"
                              " add.u32 %r2, %r2, 1;\n"
                              " setp.ne.u32 %p0, %r0, 1;\n"
                              " @%p0 bra L;\n"
                              " mov.u32 %r1, %r2;\n"),
                       1));
    // A counter that decides only on how to wait, where both ways lead back to the beginning.
    assert_true(spins(THREAD(" mov.u32 %r2, 0;\n"
                             "L: ld.weak.global.u32 %r0, [x];\n"
                             " setp.eq.u32 %p0, %r0, 1; @%p0 bra E;\n"
                             " setp.gt.u32 %p0, %r2, 15; @%p0 bra M;\n"
                             " add.u32 %r2, %r2, 1; bra L;\n"
                             "M: nanosleep.u32 8; bra L;\n"
                             "E: mov.u32 %r1, %r0;\n"),
                      1));
    // One of the ways leads out of the loop, or stores.
    assert_false(spins(THREAD(" mov.u32 %r2, 0;\n"
                              "L: ld.weak.global.u32 %r0, [x];\n"
                              " setp.eq.u32 %p0, %r0, 1; @%p0 bra E;\n"
                              " setp.gt.u32 %p0, %r2, 5000; @%p0 bra M;\n"
                              " add.u32 %r2, %r2, 1; bra L;\n"
                              "M: nanosleep.u32 8; bra E;\n"
                              "E: mov.u32 %r1, %r0;\n"),
                       1));
    assert_false(spins(THREAD(" mov.u32 %r2, 0;\n"
                              "L: ld.weak.global.u32 %r0, [x];\n"
                              " setp.eq.u32 %p0, %r0, 1; @%p0 bra E;\n"
                              " setp.gt.u32 %p0, %r2, 5000; @%p0 bra M;\n"
                              " add.u32 %r2, %r2, 1; bra L;\n"
                              "M: st.weak.global.u32 [y], 8; bra L;\n"
                              "E: mov.u32 %r1, %r0;\n"),
                       1));
    // What the turn before has read.
    assert_false(spins(THREAD(" mov.u32 %r2, 0;\n"
                              "L: mov.u32 %r1, %r2;\n"
                              " ld.weak.global.u32 %r2, [x];\n"
                              " setp.ne.u32 %p0, %r2, 1;\n"
                              " @%p0 bra L;\n"),
                       1));
    // A value that an earlier turn may have left.
    assert_false(spins(THREAD(" mov.u32 %r1, 0;\n"
                              "L: ld.weak.global.u32 %r0, [x];\n"
                              " setp.eq.u32 %p1, %r0, 2;\n"
                              " @%p1 mov.u32 %r1, 1;\n"
                              " setp.ne.u32 %p0, %r0, 1;\n"
                              " @%p0 bra L;\n"),
                       1));
    // Registers that every turn computes again, from others that none does.
    assert_true(spins(THREAD(" mov.u32 %r3, 1;\n"
                             "L: ld.weak.global.u32 %r0, [x];\n"
                             " and.b32 %r1, %r0, %r3;\n"
                             " setp.ne.u32 %p0, %r1, 1;\n"
                             " @%p0 bra L;\n"),
                      1));
}

// The turns of a loop that is entered in its middle begin when it jumps back.
static void entered_in_the_middle(void **state) {
    (void)state;
    assert_true(spins(THREAD(" mov.u32 %r0, 0;\n"
                             " bra MIDDLE;\n"
                             "L: ld.weak.global.u32 %r1, [y];\n"
                             "MIDDLE: ld.weak.global.u32 %r0, [x];\n"
                             " setp.ne.u32 %p0, %r0, 1;\n"
                             " @%p0 bra L;\n"
                             " mov.u32 %r1, 1;\n"),
                      3));
}

// Compilers turn loops: the first look is before the loop, which looks again at its end. What it
// has seen is carried in a register, but in the middle of the loop no register is live.
static void turned_loop(void **state) {
    (void)state;
    static const char text[] = THREAD(" ld.acquire.gpu.global.u32 %r0, [x];\n"
                                      "L: setp.eq.u32 %p0, %r0, 1;\n"
                                      " @%p0 bra OUT;\n"
                                      " ld.acquire.gpu.global.u32 %r0, [x];\n"
                                      " bra L;\n"
                                      "OUT: ld.weak.global.u32 %r1, [y];\n");
    assert_true(spins(text, 3));
    struct program_fixture *f = fixture_build(text);
    const struct event *first = fixture_event(f, 0, EVENT_READ, 0);
    const struct event *last = fixture_event(f, 0, EVENT_READ, 1);
    f->reads[first->id] = 1;
    assert_int_equal(fixture_value(f, last->executes), 0);
    assert_int_equal(fixture_value(f, f->program->assumption), 1);
    f->reads[first->id] = 0;
    assert_int_equal(fixture_value(f, last->executes), 1);
    assert_int_equal(fixture_value(f, f->program->assumption), 0);
    f->reads[last->id] = 1;
    assert_int_equal(fixture_value(f, f->program->assumption), 1);
    fixture_free(f);
}

// A waiting loop inside a loop that is unrolled is entered again.
static void turned_loop_again(void **state) {
    (void)state;
    assert_true(spins(THREAD(" mov.u32 %r2, 0;\n"
                             "OUTER: st.relaxed.gpu.global.u32 [z], %r2;\n"
                             " ld.acquire.gpu.global.u32 %r0, [x];\n"
                             "L: setp.eq.u32 %p0, %r0, %r2;\n"
                             " @%p0 bra OUT;\n"
                             " ld.acquire.gpu.global.u32 %r0, [x];\n"
                             " bra L;\n"
                             "OUT: add.u32 %r2, %r2, 1;\n"
                             " setp.lt.u32 %p0, %r2, 2;\n"
                             " @%p0 bra OUTER;\n"
                             " mov.u32 %r1, 1;\n"),
                      6));
}

// A loop that is never left: no execution counts, and there is no crash.
static void endless_spin(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(THREAD(" mov.u32 %r1, 1;\nL: bra L;\n"));
    assert_true(expr_is_false(f->program->assumption));
    assert_true(expr_is_false(f->program->limits.bound_reached));
    fixture_free(f);
}

// A thread that is blocked at a barrier does not have to leave the loop after it, nor may events
// after both get its path.
static void blocked_before_the_loop(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(THREAD(" ld.weak.global.u32 %r2, [z];\n"
                                                     " setp.eq.u32 %p1, %r2, 1;\n"
                                                     " @%p1 bra OUT;\n"
                                                     " bar.sync 0;\n"
                                                     "L: ld.acquire.gpu.global.u32 %r0, [x];\n"
                                                     " setp.ne.u32 %p0, %r0, 1;\n"
                                                     " @%p0 bra L;\n"
                                                     "OUT: ld.weak.global.u32 %r1, [y];\n"));
    const struct event *wait = fixture_event(f, 0, EVENT_BARRIER, 1);
    const struct event *way = fixture_event(f, 0, EVENT_READ, 0);
    const struct event *data = fixture_event(f, 0, EVENT_READ, 2);
    assert_int_equal(fixture_value(f, f->program->assumption), 0);
    f->blocks[wait->id] = true;
    assert_int_equal(fixture_value(f, f->program->assumption), 1);
    assert_int_equal(fixture_value(f, data->executes), 0);
    f->reads[way->id] = 1;
    assert_int_equal(fixture_value(f, data->executes), 1);
    fixture_free(f);
}

// Every turn of a loop that is unrolled has its own wait.
static void spin_inside_a_loop(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(THREAD(" mov.u32 %r2, 0;\n"
                                                     "OUTER: st.weak.global.u32 [y], %r2;\n"
                                                     "L: ld.acquire.gpu.global.u32 %r0, [x];\n"
                                                     " setp.ne.u32 %p0, %r0, 1;\n"
                                                     " @%p0 bra L;\n"
                                                     " add.u32 %r2, %r2, 1;\n"
                                                     " setp.lt.u32 %p0, %r2, 3;\n"
                                                     " @%p0 bra OUTER;\n"
                                                     " mov.u32 %r1, %r2;\n"));
    assert_int_equal(fixture_event_count(f, 0), 6);
    assert_true(expr_is_false(f->program->limits.bound_reached));
    for (unsigned i = 0; i < 3; i++)
        f->reads[fixture_event(f, 0, EVENT_READ, i)->id] = 1;
    assert_int_equal(fixture_value(f, f->program->assumption), 1);
    f->reads[fixture_event(f, 0, EVENT_READ, 1)->id] = 0;
    assert_int_equal(fixture_value(f, f->program->assumption), 0);
    fixture_free(f);
}

// --- Iterations that are kept for races --------------------------------------------------------

#define POLL " ld.acquire.gpu.global.u32 %r0, [x]; setp.ne.u32 %p0, %r0, 1; @%p0 bra L;\n"
#define OTHER(body)                                                                                \
    HEADER "P0@cta 0 {" REGISTERS "L:" POLL " ld.weak.global.u32 %r1, [y];\n}\n"                   \
           "P1@cta 1 {" REGISTERS body "}\nexists (P0:%r1 == 1)\n"

static void races_need_an_iteration_more(void **state) {
    (void)state;
    static const struct {
        const char *text;
        unsigned events;
    } cases[] = {
        {OTHER(" st.release.gpu.global.u32 [x], 1;\n"), 2},
        {OTHER(" st.weak.global.u32 [x], 1;\n"), 3},        // weak
        {OTHER(" st.release.cta.global.u32 [x], 1;\n"), 3}, // not inclusive
        {OTHER(" st.relaxed.sys.global.u32 [x], 1;\n"), 2},
        {OTHER(" st.volatile.global.u32 [x], 1;\n"), 2},
        {OTHER(" red.relaxed.gpu.global.add.u32 [x], 1;\n"), 2},
        {OTHER(" st.relaxed.gpu.global.u16 [x], 1;\n"), 3}, // another size
        {OTHER(" st.weak.global.u32 [z], 1;\n"), 2},        // another place
        {OTHER(" ld.weak.global.u32 %r2, [x];\n"), 2},      // no write
        {OTHER(" mov.u64 %rd0, z; st.weak.global.u32 [%rd0], 1;\n"), 2},
        {OTHER(" mov.u64 %rd0, x; st.weak.global.u32 [%rd0], 1;\n"), 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct program_fixture *f = fixture_build(cases[i].text);
        assert_int_equal(fixture_event_count(f, 0), cases[i].events);
        assert_true(expr_is_false(f->program->limits.bound_reached));
        fixture_free(f);
    }
}

// The iteration more need not happen, and the last one leaves the loop.
static void iteration_more(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(OTHER(" st.weak.global.u32 [x], 1;\n"));
    const struct event *first = fixture_event(f, 0, EVENT_READ, 0);
    const struct event *last = fixture_event(f, 0, EVENT_READ, 1);
    const struct event *data = fixture_event(f, 0, EVENT_READ, 2);
    f->reads[first->id] = 1;
    assert_int_equal(fixture_value(f, last->executes), 0);
    assert_int_equal(fixture_value(f, f->program->assumption), 1);
    f->reads[first->id] = 0;
    assert_int_equal(fixture_value(f, last->executes), 1);
    assert_int_equal(fixture_value(f, f->program->assumption), 0);
    f->reads[last->id] = 1;
    assert_int_equal(fixture_value(f, f->program->assumption), 1);
    assert_true(expr_is_true(data->executes));
    fixture_free(f);
    // With a bound of 0 there is none to spare, and the loop does not depend on bounds.
    f = fixture_build_with(OTHER(" st.weak.global.u32 [x], 1;\n"),
                           (struct program_options){.unroll = 0});
    assert_int_equal(fixture_event_count(f, 0), 2);
    assert_true(expr_is_false(f->program->limits.bound_reached));
    fixture_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wait_for_a_flag),
        cmocka_unit_test(exit_in_the_middle),
        cmocka_unit_test(dat3m_loop),
        cmocka_unit_test(cas_lock),
        cmocka_unit_test(unread_writes_are_left_out),
        cmocka_unit_test(read_writes_are_not_left_out),
        cmocka_unit_test(polls_that_change_nothing),
        cmocka_unit_test(private_memory),
        cmocka_unit_test(writes_are_not_left_out),
        cmocka_unit_test(fences_may_stay_barriers_may_not),
        cmocka_unit_test(registers_that_live_on),
        cmocka_unit_test(entered_in_the_middle),
        cmocka_unit_test(turned_loop),
        cmocka_unit_test(turned_loop_again),
        cmocka_unit_test(endless_spin),
        cmocka_unit_test(blocked_before_the_loop),
        cmocka_unit_test(spin_inside_a_loop),
        cmocka_unit_test(races_need_an_iteration_more),
        cmocka_unit_test(iteration_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
