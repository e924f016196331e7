// Control flow of programs: branches, joins, loops and their bound.

#include "tests/unit/program/program_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define HEADER "PTX t\n.global .u32 x; .global .u32 y; .global .u32 z;\n"
#define REGISTERS " .reg .b32 %r<8>; .reg .pred %p<4>;\n"

static struct program_fixture *build_bounded(const char *text, unsigned unroll) {
    return fixture_build_with(text, (struct program_options){.unroll = unroll});
}

// The value of the only observed register when reads return `values` in order.
static uint64_t run(struct program_fixture *f, const uint64_t *values, size_t count) {
    for (unsigned i = 0; i < count; i++)
        f->reads[fixture_event(f, 0, EVENT_READ, i)->id] = values[i];
    return fixture_value(f, f->program->observed[0].value);
}

// --- Branches ----------------------------------------------------------------------------------

static void diamond(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build(HEADER "P0@cta 0 {" REGISTERS " ld.weak.global.u32 %r0, [x];\n"
                             " setp.eq.u32 %p0, %r0, 1;\n"
                             " @%p0 bra THEN;\n"
                             " mov.u32 %r1, 20;\n"
                             " st.weak.global.u32 [y], 2;\n"
                             " bra JOIN;\n"
                             "THEN: mov.u32 %r1, 10;\n"
                             " st.weak.global.u32 [y], 1;\n"
                             "JOIN: add.u32 %r1, %r1, 1;\n"
                             " st.weak.global.u32 [z], 3;\n"
                             "}\nexists (P0:%r1 == 11)\n");
    const struct event *read = fixture_event(f, 0, EVENT_READ, 0);
    const struct event *other = fixture_event(f, 0, EVENT_WRITE, 0);
    const struct event *then = fixture_event(f, 0, EVENT_WRITE, 1);
    const struct event *join = fixture_event(f, 0, EVENT_WRITE, 2);
    assert_int_equal(run(f, (uint64_t[]){1}, 1), 11);
    assert_int_equal(fixture_value(f, then->executes), 1);
    assert_int_equal(fixture_value(f, other->executes), 0);
    assert_int_equal(run(f, (uint64_t[]){7}, 1), 21);
    assert_int_equal(fixture_value(f, then->executes), 0);
    assert_int_equal(fixture_value(f, other->executes), 1);
    assert_true(expr_is_true(join->executes)); // both ways lead there
    assert_true(fixture_depends(then->ctrl, read) && fixture_depends(other->ctrl, read));
    assert_int_equal(join->ctrl.count, 0); // it is executed in any case
    assert_true(expr_is_false(f->program->limits.bound_reached));
    fixture_free(f);
}

// The dependency of a value holds on the paths that computed it from the read.
static void conditional_dependencies(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build(HEADER "P0@cta 0 {" REGISTERS " ld.weak.global.u32 %r0, [x];\n"
                             " ld.weak.global.u32 %r1, [y];\n"
                             " setp.eq.u32 %p0, %r0, 1;\n"
                             " @%p0 bra END;\n"
                             " mov.u32 %r1, 5;\n"
                             "END: st.weak.global.u32 [z], %r1;\n"
                             "}\nexists (z == 5)\n");
    const struct event *x = fixture_event(f, 0, EVENT_READ, 0);
    const struct event *y = fixture_event(f, 0, EVENT_READ, 1);
    const struct event *write = fixture_event(f, 0, EVENT_WRITE, 0);
    assert_int_equal(write->data.count, 2);
    assert_true(fixture_depends(write->data, x)); // which decides what is written
    assert_int_equal(write->ctrl.count, 0);
    assert_int_equal(write->data.items[1].event, y->id);
    f->reads[x->id] = 1;
    assert_int_equal(fixture_value(f, write->data.items[1].condition), 1);
    f->reads[x->id] = 2;
    assert_int_equal(fixture_value(f, write->data.items[1].condition), 0);
    fixture_free(f);
}

static void early_exit(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(HEADER "P0@cta 0 {" REGISTERS " mov.u32 %r1, 1;\n"
                                                     " ld.weak.global.u32 %r0, [x];\n"
                                                     " setp.eq.u32 %p0, %r0, 1;\n"
                                                     " @%p0 exit;\n"
                                                     " mov.u32 %r1, 2;\n"
                                                     " st.weak.global.u32 [y], 1;\n"
                                                     " ret;\n"
                                                     " st.weak.global.u32 [y], 2;\n"
                                                     "}\nexists (P0:%r1 == 1)\n");
    assert_int_equal(fixture_event_count(f, 0), 2); // no event after ret
    assert_int_equal(run(f, (uint64_t[]){1}, 1), 1);
    assert_int_equal(fixture_value(f, fixture_event(f, 0, EVENT_WRITE, 0)->executes), 0);
    assert_int_equal(run(f, (uint64_t[]){0}, 1), 2);
    assert_int_equal(fixture_value(f, fixture_event(f, 0, EVENT_WRITE, 0)->executes), 1);
    fixture_free(f);
}

// Decisions that are known while reading leave no trace.
static void constant_branches(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(HEADER "P0@cta 0 {" REGISTERS " mov.u32 %r0, 3;\n"
                                                     " setp.eq.u32 %p0, %r0, 3;\n"
                                                     " @%p0 bra OVER;\n"
                                                     " st.weak.global.u32 [x], %r7;\n"
                                                     "OVER: @!%p0 st.weak.global.u32 [y], 1;\n"
                                                     " st.weak.global.u32 [z], 1;\n"
                                                     "}\nexists (z == 1)\n");
    assert_int_equal(fixture_event_count(f, 0), 1);
    assert_true(expr_is_true(fixture_event(f, 0, EVENT_WRITE, 0)->executes));
    fixture_free(f);
}

// Three ways to one place, from nested decisions: the place is reached on all of them.
static void nested_branches(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build(HEADER "P0@cta 0 {" REGISTERS " ld.weak.global.u32 %r0, [x];\n"
                             " ld.weak.global.u32 %r2, [y];\n"
                             " mov.u32 %r1, 1;\n"
                             " setp.eq.u32 %p0, %r0, 1;\n"
                             " @!%p0 bra END;\n"
                             " mov.u32 %r1, 2;\n"
                             " setp.eq.u32 %p1, %r2, 1;\n"
                             " @!%p1 bra END;\n"
                             " mov.u32 %r1, 3;\n"
                             "END: st.weak.global.u32 [z], %r1;\n"
                             "}\nexists (P0:%r1 == 3)\n");
    assert_int_equal(run(f, (uint64_t[]){0, 0}, 2), 1);
    assert_int_equal(run(f, (uint64_t[]){0, 1}, 2), 1);
    assert_int_equal(run(f, (uint64_t[]){1, 0}, 2), 2);
    assert_int_equal(run(f, (uint64_t[]){1, 1}, 2), 3);
    assert_true(expr_is_true(fixture_event(f, 0, EVENT_WRITE, 0)->executes));
    fixture_free(f);
}

// A register that only one arm writes is unknown after the other.
static void half_written_register(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build(HEADER "P0@cta 0 {" REGISTERS " ld.weak.global.u32 %r0, [x];\n"
                             " setp.eq.u32 %p0, %r0, 1;\n"
                             " @%p0 bra END;\n"
                             " mov.u32 %r1, 3;\n"
                             "END:\n"
                             "}\nexists (P0:%r1 == 3)\n");
    assert_int_equal(run(f, (uint64_t[]){0}, 1), 3);
    assert_int_equal(fixture_value(f, f->program->observed[0].undef), 0);
    run(f, (uint64_t[]){1}, 1);
    assert_int_equal(fixture_value(f, f->program->observed[0].undef), 1);
    fixture_free(f);
}

// --- Loops -------------------------------------------------------------------------------------

// Loops that count their turns for the condition are not spin loops.
#define COUNTER " mov.u32 %r7, 0;\n"
#define COUNT " add.u32 %r7, %r7, 1;\n"

static const char polling_loop[] =
    HEADER "P0@cta 0 {" REGISTERS COUNTER "L:" COUNT " ld.acquire.gpu.global.u32 %r0, [x];\n"
           " setp.ne.u32 %p0, %r0, 1;\n"
           " @%p0 bra L;\n"
           " ld.weak.global.u32 %r1, [y];\n"
           "}\nexists (P0:%r1 == 0 /\\ P0:%r7 != 99)\n";

static void loops_stop_at_the_bound(void **state) {
    (void)state;
    for (unsigned unroll = 0; unroll < 4; unroll++) {
        struct program_fixture *f = build_bounded(polling_loop, unroll);
        const struct event *last = fixture_event(f, 0, EVENT_READ, unroll + 1);
        assert_int_equal(fixture_event_count(f, 0), unroll + 2);
        for (unsigned i = 0; i <= unroll; i++) // the turn in which the flag is set
            for (unsigned k = 0; k <= unroll; k++) {
                f->reads[fixture_event(f, 0, EVENT_READ, k)->id] = k == i;
                if (k < i)
                    continue;
                assert_int_equal(fixture_value(f, last->executes), 1);
                assert_int_equal(fixture_value(f, f->program->limits.bound_reached), 0);
            }
        for (unsigned k = 0; k <= unroll; k++) {
            f->reads[fixture_event(f, 0, EVENT_READ, k)->id] = 0;
            const struct event *turn = fixture_event(f, 0, EVENT_READ, k);
            assert_int_equal(fixture_value(f, turn->executes), 1);
        }
        assert_int_equal(fixture_value(f, f->program->limits.bound_reached), 1);
        assert_int_equal(fixture_value(f, last->executes), 0);
        fixture_free(f);
    }
}

static void loop_turns_are_ordered(void **state) {
    (void)state;
    struct program_fixture *f = build_bounded(polling_loop, 2);
    for (unsigned i = 0; i < 3; i++) {
        const struct event *turn = fixture_event(f, 0, EVENT_READ, i);
        const struct event *next = fixture_event(f, 0, EVENT_READ, i + 1);
        assert_true(program_po(f->program, turn->id, next->id));
        assert_int_equal(next->ctrl.count, i + 1);
        assert_int_equal(next->ctrl.items[i].event, turn->id);
    }
    fixture_free(f);
}

// A loop that counts in registers ends on its own: no bound, no conditions.
static void counted_loop(void **state) {
    (void)state;
    static const char text[] = HEADER "P0@cta 0 {" REGISTERS " mov.u32 %r0, 0;\n"
                                      "L: st.weak.global.u32 [x], %r0;\n"
                                      " add.u32 %r0, %r0, 1;\n"
                                      " setp.lt.u32 %p0, %r0, 3;\n"
                                      " @%p0 bra L;\n"
                                      "}\nexists (P0:%r0 == 3)\n";
    struct program_fixture *f = build_bounded(text, 2);
    assert_int_equal(fixture_event_count(f, 0), 3);
    assert_true(expr_is_false(f->program->limits.bound_reached));
    assert_true(expr_is_const(f->program->observed[0].value));
    assert_int_equal(fixture_value(f, f->program->observed[0].value), 3);
    assert_int_equal(fixture_value(f, fixture_event(f, 0, EVENT_WRITE, 2)->access->value), 2);
    fixture_free(f);
    f = build_bounded(text, 1); // more turns than the bound allows: it ends all the same
    assert_int_equal(fixture_event_count(f, 0), 3);
    assert_true(expr_is_false(f->program->limits.bound_reached));
    assert_int_equal(fixture_value(f, f->program->observed[0].value), 3);
    fixture_free(f);
}

#define COUNTED(end, rest)                                                                         \
    HEADER "P0@cta 0 {" REGISTERS " mov.u32 %r0, 0;\n"                                             \
           "L: st.weak.global.u32 [x], %r0;\n"                                                     \
           " add.u32 %r0, %r0, 1;\n" rest " setp.lt.u32 %p0, %r0, " end ";\n"                      \
           " @%p0 bra L;\n"                                                                        \
           "}\nexists (P0:%r0 == 3)\n"
#define MAY_BREAK " ld.weak.global.u32 %r1, [y]; setp.eq.u32 %p1, %r1, 1; @%p1 exit;\n"

// Loops that end by counting are unrolled completely, unless that makes too many events;
// else the bound is named that would be enough.
static void ends_beyond_the_bound(void **state) {
    (void)state;
    static const struct {
        const char *text;
        unsigned events, enough;
        bool bound;
    } cases[] = {
        {COUNTED("60", ""), 60, 0, false},
        {COUNTED("200", ""), 200, 0, false},
        {COUNTED("300", ""), 3, 299, true},
        {COUNTED("2000", ""), 3, 0, true},
        {COUNTED("10", MAY_BREAK), 20, 0, false},           // it may end before
        {COUNTED("20", MAY_BREAK), 6, 0, true},             // too many ways
        {HEADER "P0@cta 0 {" REGISTERS " mov.u32 %r0, 0;\n" // one ends, and the other one may not
                "L: st.weak.global.u32 [x], %r0; add.u32 %r0, %r0, 1;\n"
                " setp.lt.u32 %p0, %r0, 9; @%p0 bra L;\n"
                "M: ld.weak.global.u32 %r1, [y]; add.u32 %r0, %r0, 1;\n"
                " setp.eq.u32 %p0, %r1, 1; @%p0 bra M;\n"
                "}\nexists (P0:%r0 == 3)\n",
         12, 0, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct program_fixture *f = build_bounded(cases[i].text, 2);
        assert_int_equal(fixture_event_count(f, 0), cases[i].events);
        assert_int_equal(f->program->limits.enough_rounds, cases[i].enough);
        assert_int_equal(!expr_is_false(f->program->limits.bound_reached), cases[i].bound);
        fixture_free(f);
    }
    struct program_fixture *f = build_bounded(COUNTED("300", ""), 299);
    assert_int_equal(fixture_event_count(f, 0), 300);
    assert_true(expr_is_false(f->program->limits.bound_reached));
    fixture_free(f);
}

// Every turn of the outer loop has all turns of the inner one.
static void nested_loops(void **state) {
    (void)state;
    struct program_fixture *f =
        build_bounded(HEADER "P0@cta 0 {" REGISTERS " mov.u32 %r0, 0; mov.u32 %r2, 0;\n"
                             "OUTER: mov.u32 %r1, 0;\n"
                             "INNER: add.u32 %r2, %r2, 1;\n"
                             " st.weak.global.u32 [x], %r2;\n"
                             " add.u32 %r1, %r1, 1;\n"
                             " setp.lt.u32 %p0, %r1, 3;\n"
                             " @%p0 bra INNER;\n"
                             " add.u32 %r0, %r0, 1;\n"
                             " setp.lt.u32 %p0, %r0, 3;\n"
                             " @%p0 bra OUTER;\n"
                             "}\nexists (P0:%r2 == 9)\n",
                      2);
    assert_int_equal(fixture_event_count(f, 0), 9);
    assert_int_equal(fixture_value(f, f->program->observed[0].value), 9);
    assert_true(expr_is_false(f->program->limits.bound_reached));
    fixture_free(f);
}

// Two loops one after the other have a bound each.
static void loops_in_sequence(void **state) {
    (void)state;
    struct program_fixture *f = build_bounded(HEADER "P0@cta 0 {" REGISTERS COUNTER "A:" COUNT
                                                     " ld.weak.global.u32 %r0, [x];\n"
                                                     " setp.eq.u32 %p0, %r0, 0; @%p0 bra A;\n"
                                                     "B:" COUNT " ld.weak.global.u32 %r1, [y];\n"
                                                     " setp.eq.u32 %p0, %r1, 0; @%p0 bra B;\n"
                                                     "}\nexists (P0:%r1 == 7 /\\ P0:%r7 != 99)\n",
                                              1);
    assert_int_equal(fixture_event_count(f, 0), 4);
    assert_int_equal(run(f, (uint64_t[]){0, 5, 0, 7}, 4), 7);
    assert_int_equal(fixture_value(f, f->program->limits.bound_reached), 0);
    run(f, (uint64_t[]){5, 0, 0, 0}, 4);
    assert_int_equal(fixture_value(f, f->program->limits.bound_reached), 1);
    fixture_free(f);
}

// Loops that overlap without one holding the other still end, and each way through them is there.
static void overlapping_loops(void **state) {
    (void)state;
    struct program_fixture *f =
        build_bounded(HEADER "P0@cta 0 {" REGISTERS COUNTER "A: ld.weak.global.u32 %r0, [x];\n"
                             "B:" COUNT " ld.weak.global.u32 %r1, [y];\n"
                             " setp.eq.u32 %p0, %r0, 1; @%p0 bra A;\n"
                             " ld.weak.global.u32 %r2, [z];\n"
                             " setp.eq.u32 %p1, %r2, 1; @%p1 bra B;\n"
                             "}\nexists (P0:%r1 == 7 /\\ P0:%r7 != 99)\n",
                      1);
    const struct program *p = f->program;
    // A executes at most twice, and in each of its turns B at most twice.
    unsigned reads_of_x = 0, reads_of_z = 0;
    for (size_t i = p->init_count; i < p->event_count; i++) {
        const char *name = p->memory.objects[p->events[i].candidates[0].object].name;
        reads_of_x += name[0] == 'x';
        reads_of_z += name[0] == 'z';
    }
    assert_int_equal(reads_of_x, 2);
    assert_int_equal(reads_of_z, 4);
    assert_false(expr_is_false(p->limits.bound_reached));
    fixture_free(f);
}

// A jump into the middle of a loop.
static void jump_into_a_loop(void **state) {
    (void)state;
    struct program_fixture *f =
        build_bounded(HEADER "P0@cta 0 {" REGISTERS " mov.u32 %r1, 0; bra MIDDLE;\n"
                             "L: add.u32 %r1, %r1, 10;\n"
                             "MIDDLE: add.u32 %r1, %r1, 1;\n"
                             " ld.weak.global.u32 %r0, [x];\n"
                             " setp.eq.u32 %p0, %r0, 1; @%p0 bra L;\n"
                             "}\nexists (P0:%r1 == 1)\n",
                      2);
    assert_int_equal(run(f, (uint64_t[]){0, 0, 0}, 3), 1);
    assert_int_equal(run(f, (uint64_t[]){1, 0, 0}, 3), 12);
    assert_int_equal(run(f, (uint64_t[]){1, 1, 0}, 3), 23);
    assert_int_equal(fixture_value(f, f->program->limits.bound_reached), 0);
    run(f, (uint64_t[]){1, 1, 1}, 3);
    assert_int_equal(fixture_value(f, f->program->limits.bound_reached), 1);
    fixture_free(f);
}

static void endless_loop(void **state) {
    (void)state;
    struct program_fixture *f =
        build_bounded(HEADER "P0@cta 0 {" REGISTERS "L: st.weak.global.u32 [x], 1;\n bra L;\n"
                             " mov.u32 %r0, 1;\n"
                             "}\nexists (P0:%r0 == 1)\n",
                      3);
    assert_int_equal(fixture_event_count(f, 0), 4);
    assert_true(expr_is_true(f->program->limits.bound_reached));
    fixture_free(f);
}

// 40 loops inside each other would unroll to 3^40 turns.
static void deep_nests_are_refused(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    const char *open = "", *close = "";
    for (unsigned i = 0; i < 40; i++) {
        open = arena_format(arena, "%sL%u: add.u32 %%r0, %%r0, 1;\n", open, i);
        close = arena_format(arena, " setp.ne.u32 %%p0, %%r1, %u; @%%p0 bra L%u;\n%s", i, i, close);
    }
    struct program_fixture *f;
    const char *message = fixture_error(
        &f, arena_format(arena,
                         "%sP0@cta 0 {%s mov.u32 %%r0, 0; ld.weak.global.u32 %%r1, [x];\n%s%s}\n"
                         "exists (P0:%%r0 == 1)\n",
                         HEADER, REGISTERS, open, close));
    assert_string_equal(message, "3:1: the threads unroll to more than 65536 instructions | "
                                 "--unroll takes a smaller bound than 2");
    assert_int_equal(f->diagnostics.error_count, 1);
    fixture_free(f);
    arena_free(arena);
}

static void dat3m_branches(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build("PTX t\n{\nx=0;\nP0:r0=0;\n}\n"
                                              "P0@cta 0,gpu 0              ;\n"
                                              "LC00:                       ;\n"
                                              "atom.relaxed.gpu.exch r0, x, 1 ;\n"
                                              "beq r0, 1, LC01             ;\n"
                                              "goto LC00                   ;\n"
                                              "LC01:                       ;\n"
                                              "exists (P0:r0 == 1)\n");
    const struct program *p = f->program;
    assert_int_equal(fixture_event_count(f, 0), 6);
    assert_int_equal(run(f, (uint64_t[]){0, 1, 0}, 3), 1);
    assert_int_equal(fixture_value(f, fixture_event(f, 0, EVENT_WRITE, 2)->executes), 0);
    assert_int_equal(fixture_value(f, p->condition), 1);
    run(f, (uint64_t[]){0, 0, 0}, 3);
    assert_int_equal(fixture_value(f, p->limits.bound_reached), 1);
    fixture_free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(diamond),
        cmocka_unit_test(conditional_dependencies),
        cmocka_unit_test(early_exit),
        cmocka_unit_test(constant_branches),
        cmocka_unit_test(nested_branches),
        cmocka_unit_test(half_written_register),
        cmocka_unit_test(loops_stop_at_the_bound),
        cmocka_unit_test(loop_turns_are_ordered),
        cmocka_unit_test(counted_loop),
        cmocka_unit_test(ends_beyond_the_bound),
        cmocka_unit_test(nested_loops),
        cmocka_unit_test(loops_in_sequence),
        cmocka_unit_test(overlapping_loops),
        cmocka_unit_test(jump_into_a_loop),
        cmocka_unit_test(endless_loop),
        cmocka_unit_test(deep_nests_are_refused),
        cmocka_unit_test(dat3m_branches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
