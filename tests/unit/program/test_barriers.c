// Barriers in programs: arrivals and waits, who meets whom, counts, and results of bar.red.

#include "tests/unit/program/program_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define HEADER "PTX t\n.global .u32 x; .global .u32 y;\n"
#define REGISTERS " .reg .b32 %r<8>; .reg .pred %p<4>;\n"
#define LAST "\nexists (x == 0)\n"
#define ONE_CTA(first, second)                                                                     \
    HEADER "P0@cta 0 {" REGISTERS first "}\nP1@cta 0 {" REGISTERS second "}" LAST

// A barrier event of thread `thread`; both of a bar.sync count.
static const struct event *barrier(const struct program_fixture *f, int thread, unsigned n) {
    return fixture_event(f, thread, EVENT_BARRIER, n);
}

static int find_pair(const struct program_fixture *f, const struct event *arrival,
                     const struct event *wait) {
    for (size_t i = 0; i < f->program->barriers.phase_pair_count; i++)
        if (f->program->barriers.phase_pairs[i].arrival == arrival->id &&
            f->program->barriers.phase_pairs[i].wait == wait->id)
            return (int)i;
    return -1;
}

static void expect_error(const char *text, const char *message) {
    struct program_fixture *f;
    assert_string_equal(fixture_error(&f, text), message);
    fixture_free(f);
}

// The constant count of an event.
static uint64_t count_of(const struct event *event) {
    assert_true(expr_is_const(event->barrier->count));
    return event->barrier->count->value.low;
}

// --- Events ------------------------------------------------------------------------------------

static void sync_is_arrival_and_wait(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(ONE_CTA(" st.weak.global.u32 [x], 1;\n"
                                                      " bar.sync 3;\n"
                                                      " st.weak.global.u32 [y], 1;\n",
                                                      " barrier.cta.sync.aligned 3;\n"));
    const struct event *arrival = barrier(f, 0, 0), *wait = barrier(f, 0, 1);
    assert_true(arrival->barrier->is_arrival && !arrival->barrier->is_wait);
    assert_true(wait->barrier->is_wait && !wait->barrier->is_arrival);
    assert_int_equal(wait->barrier->arrival, arrival->id);
    assert_int_equal(arrival->position + 1, wait->position);
    assert_int_equal(arrival->position, fixture_event(f, 0, EVENT_WRITE, 0)->position + 1);
    assert_int_equal(arrival->scope, SCOPE_CTA);
    assert_int_equal(arrival->order, ORDER_NONE);
    assert_int_equal(arrival->barrier->id->value.low, 3);
    assert_int_equal(count_of(arrival), 2);
    assert_ptr_equal(arrival->barrier->count, wait->barrier->count);
    assert_false(arrival->barrier->quorum);
    assert_int_equal(arrival->barrier->group, barrier(f, 1, 0)->barrier->group);
    assert_int_equal(f->program->barriers.phase_pair_count, 4);
    assert_true(find_pair(f, arrival, barrier(f, 1, 1)) >= 0);
    assert_true(find_pair(f, arrival, wait) >= 0);
    fixture_free(f);
}

static void what_follows_needs_the_wait(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build_with(ONE_CTA(" st.weak.global.u32 [x], 1;\n"
                                   " bar.sync 0;\n"
                                   " st.weak.global.u32 [x], 2;\n"
                                   " bar.sync 0;\n"
                                   " st.weak.global.u32 [x], 3;\n",
                                   " bar.sync 0; bar.sync 0;\n"),
                           (struct program_options){.unroll = 2, .left_out = STEP_COMPLETED});
    const struct event *first = barrier(f, 0, 1), *second = barrier(f, 0, 3);
    assert_true(expr_is_true(fixture_event(f, 0, EVENT_WRITE, 0)->executes));
    assert_true(expr_is_true(first->executes));
    const struct event *middle = fixture_event(f, 0, EVENT_WRITE, 1);
    const struct event *last = fixture_event(f, 0, EVENT_WRITE, 2);
    assert_int_equal(fixture_value(f, last->executes), 1);
    f->blocks[second->id] = true;
    assert_int_equal(fixture_value(f, middle->executes), 1);
    assert_int_equal(fixture_value(f, last->executes), 0);
    f->blocks[first->id] = true;
    f->blocks[second->id] = false;
    assert_int_equal(fixture_value(f, middle->executes), 0);
    assert_int_equal(fixture_value(f, barrier(f, 0, 2)->executes), 0);
    assert_int_equal(fixture_value(f, last->executes), 0);
    fixture_free(f);
}

// Whether all waits of a thread, `count` of them from its second event of a barrier on, complete.
static bool waits_complete(struct program_fixture *f, int thread, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        if (!barrier(f, thread, 2 * i + 1)->barrier->completes)
            return false;
    return true;
}

// Two barriers to which both threads come complete, and the second since the first does.
static void barriers_of_all_complete(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(ONE_CTA(
        " bar.sync 0; bar.sync 1; st.weak.global.u32 [x], 1;\n", " bar.sync 0; bar.sync 1;\n"));
    assert_true(waits_complete(f, 0, 2));
    assert_true(waits_complete(f, 1, 2));
    assert_true(expr_is_true(fixture_event(f, 0, EVENT_WRITE, 0)->executes));
    fixture_free(f);
}

// Threads that come to two barriers in different orders wait for each other.
static void barriers_that_cross_do_not(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build(ONE_CTA(" bar.sync 0; bar.sync 1;\n", " bar.sync 1; bar.sync 0;\n"));
    assert_false(barrier(f, 0, 1)->barrier->completes);
    assert_false(barrier(f, 1, 1)->barrier->completes);
    fixture_free(f);
}

// Nor does one to which a thread comes on a condition, or a second barrier after it.
static void barriers_on_a_condition_do_not(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build(ONE_CTA(" ld.relaxed.cta.global.u32 %r0, [x];\n"
                              " setp.eq.u32 %p0, %r0, 0;\n"
                              " @%p0 bar.sync 0;\n"
                              " bar.sync 0;\n",
                              " st.relaxed.cta.global.u32 [x], 1; bar.sync 0; bar.sync 0;\n"));
    assert_false(barrier(f, 0, 1)->barrier->completes);
    assert_false(barrier(f, 1, 3)->barrier->completes);
    fixture_free(f);
}

// The n-th arrivals of all threads are of the n-th phase: no other pairs.
static void phases_of_all_threads(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build(ONE_CTA(" bar.sync 0; bar.sync 0;\n", " bar.sync 0; bar.sync 0;\n"));
    assert_int_equal(f->program->barriers.phase_pair_count, 8);
    assert_true(find_pair(f, barrier(f, 0, 0), barrier(f, 1, 1)) >= 0);
    assert_int_equal(find_pair(f, barrier(f, 0, 0), barrier(f, 1, 3)), -1);
    assert_int_equal(find_pair(f, barrier(f, 0, 0), barrier(f, 0, 3)), -1);
    fixture_free(f);
}

static void arrive_does_not_block(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(
        ONE_CTA(" bar.arrive 1, 2; st.weak.global.u32 [x], 1;\n", " bar.sync 1, 2;\n"));
    assert_true(expr_is_true(fixture_event(f, 0, EVENT_WRITE, 0)->executes));
    assert_int_equal(f->program->barriers.phase_pair_count, 2);
    assert_true(find_pair(f, barrier(f, 0, 0), barrier(f, 1, 1)) >= 0);
    fixture_free(f);
}

static void guarded_barrier(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(ONE_CTA(" ld.weak.global.u32 %r0, [x];\n"
                                                      " setp.eq.u32 %p0, %r0, 1;\n"
                                                      " @%p0 bar.sync 0, 2;\n"
                                                      " st.weak.global.u32 [y], 1;\n",
                                                      " bar.sync 0, 2;\n"));
    const struct event *read = fixture_event(f, 0, EVENT_READ, 0), *wait = barrier(f, 0, 1);
    const struct event *write = fixture_event(f, 0, EVENT_WRITE, 0);
    f->blocks[wait->id] = true;
    f->reads[read->id] = 0;
    assert_int_equal(fixture_value(f, wait->executes), 0);
    assert_int_equal(fixture_value(f, write->executes), 1);
    f->reads[read->id] = 1;
    assert_int_equal(fixture_value(f, wait->executes), 1);
    assert_int_equal(fixture_value(f, write->executes), 0);
    assert_true(fixture_depends(barrier(f, 0, 0)->ctrl, read));
    fixture_free(f);
}

// --- Who shares a barrier ----------------------------------------------------------------------

static void barriers_are_of_ctas(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(
        HEADER "P0@cta 0 { bar.sync 0; }\nP1@cta 1 { bar.sync 0; }\nP2@cta 0 { bar.sync 1; }" LAST);
    assert_int_not_equal(barrier(f, 0, 0)->barrier->group, barrier(f, 1, 0)->barrier->group);
    assert_int_equal(barrier(f, 0, 0)->barrier->group, barrier(f, 2, 0)->barrier->group);
    assert_int_equal(f->program->barriers.group_count, 2);
    assert_int_equal(f->program->barriers.phase_pair_count, 3); // each with itself
    fixture_free(f);
}

static void number_in_a_register(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build(HEADER "P0@cta 0 {" REGISTERS " ld.weak.global.u32 %r0, [x];\n"
                             " bar.sync %r0, 2; }\n"
                             "P1@cta 0 {" REGISTERS " mov.u32 %r1, 5; mov.u32 %r2, 2;\n"
                             " bar.sync %r1, %r2; }\nP2@cta 0 { exit; }" LAST);
    const struct event *a = barrier(f, 0, 0), *b = barrier(f, 1, 0);
    assert_ptr_equal(a->barrier->id, fixture_event(f, 0, EVENT_READ, 0)->access->value);
    assert_int_equal(b->barrier->id->value.low, 5);
    assert_int_equal(count_of(b), 2);
    assert_true(find_pair(f, a, barrier(f, 1, 1)) >= 0);
    fixture_free(f);
}

// Fewer threads than there are: a phase may lack those that have exited, and what P2 reads decides
// whether it exits.
static void short_phases(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(
        HEADER "P0@cta 0 { bar.sync 0, 2; bar.sync 1; }\nP1@cta 0 { bar.sync 1, 3; }\n"
               "P2@cta 0 {" REGISTERS " ld.weak.global.u32 %r0, [x];\n"
               " ld.weak.global.u32 %r1, [y];\n"
               " setp.eq.u32 %p0, %r0, 1;\n @%p0 exit;\n bar.sync 0, 2;\n}" LAST);
    const struct event *few = barrier(f, 0, 0), *all = barrier(f, 0, 2), *three = barrier(f, 1, 0);
    assert_true(few->barrier->may_be_short && !few->barrier->of_all && few->barrier->rank == NULL);
    assert_int_equal(count_of(few), 2);
    assert_true(!all->barrier->may_be_short && all->barrier->of_all && all->barrier->rank != NULL);
    assert_true(!three->barrier->may_be_short && three->barrier->of_all &&
                three->barrier->rank != NULL);
    const struct barrier_exit *exit = NULL;
    for (size_t i = 0; i < f->program->barriers.exit_count; i++)
        if (f->program->barriers.exits[i].thread == 2 &&
            f->program->barriers.exits[i].released == barrier(f, 0, 1)->id)
            exit = &f->program->barriers.exits[i];
    assert_non_null(exit);
    assert_int_equal(exit->read_count, 1);
    assert_int_equal(exit->reads[0], fixture_event(f, 2, EVENT_READ, 0)->id);
    fixture_free(f);
}

// Threads that have exited do not hold up the others.
static void exited_threads_do_not_count(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build(HEADER "P0@cta 0 { bar.sync 0; bar.sync 0; }\nP1@cta 0 { bar.sync 0; }\n"
                             "P2@cta 0 {" REGISTERS " ld.weak.global.u32 %r0, [x];\n"
                             " setp.eq.u32 %p0, %r0, 1;\n @%p0 exit;\n bar.sync 0;\n}" LAST);
    const struct event *first = barrier(f, 0, 0), *second = barrier(f, 0, 2);
    const struct event *read = fixture_event(f, 2, EVENT_READ, 0);
    assert_int_equal(fixture_value(f, first->barrier->count), 3);
    assert_int_equal(fixture_value(f, second->barrier->count), 1);
    f->reads[read->id] = 1;
    assert_int_equal(fixture_value(f, first->barrier->count), 2);
    // A thread that is blocked has not exited.
    f->blocks[barrier(f, 1, 1)->id] = true;
    assert_int_equal(fixture_value(f, second->barrier->count), 2);
    fixture_free(f);
}

// Each of two threads waits for the other one to exit.
static void exits_come_after_waits(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(ONE_CTA(" bar.sync 0;\n", " bar.sync 1;\n"));
    const struct event *first = barrier(f, 0, 1), *second = barrier(f, 1, 1);
    assert_int_equal(f->program->barriers.exit_count, 2);
    assert_int_equal(f->program->barriers.exits[0].thread, 1);
    assert_int_equal(f->program->barriers.exits[0].released, first->id);
    assert_true(expr_is_true(f->program->barriers.exits[0].condition));
    assert_int_equal(f->program->barriers.exits[1].thread, 0);
    f->blocks[first->id] = f->blocks[second->id] = true;
    assert_int_equal(fixture_value(f, first->barrier->count), 2);
    fixture_free(f);
    f = fixture_build(ONE_CTA(" bar.sync 0;\n", " bar.sync 0;\n"));
    assert_int_equal(f->program->barriers.exit_count, 0);
    fixture_free(f);
}

static void different_counts_never_meet(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(ONE_CTA(" bar.sync 0, 2;\n", " bar.sync 0, 1;\n"));
    assert_int_equal(f->program->barriers.phase_pair_count, 2);
    assert_int_equal(find_pair(f, barrier(f, 0, 0), barrier(f, 1, 1)), -1);
    fixture_free(f);
}

// --- Clusters and warps ------------------------------------------------------------------------

static void cluster_barrier(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build(HEADER "P0@cta 0,cluster 0 { barrier.cluster.arrive.relaxed;\n"
                             " st.weak.global.u32 [x], 1; barrier.cluster.wait; }\n"
                             "P1@cta 1,cluster 0 { barrier.cluster.arrive.aligned;\n"
                             " barrier.cluster.wait.acquire.aligned; }\n"
                             "P2@cta 2,cluster 1 { barrier.cluster.arrive.release; }" LAST);
    const struct event *arrival = barrier(f, 0, 0), *wait = barrier(f, 0, 1);
    assert_true(arrival->barrier->is_arrival && wait->barrier->is_wait);
    assert_int_equal(arrival->order, ORDER_RELAXED);
    assert_int_equal(barrier(f, 1, 0)->order, ORDER_RELEASE);
    assert_int_equal(wait->order, ORDER_ACQUIRE);
    assert_int_equal(wait->scope, SCOPE_CLUSTER);
    assert_int_equal(wait->barrier->arrival, arrival->id);
    assert_int_equal(count_of(arrival), 2);
    assert_int_equal(f->program->barriers.phase_pair_count, 4);
    assert_true(expr_is_true(fixture_event(f, 0, EVENT_WRITE, 0)->executes));
    fixture_free(f);
}

// A wait for each arrival that branches may have come from, and none of the other barriers.
static void wait_after_either_arrival(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build(HEADER "P0@cta 0 {" REGISTERS " ld.weak.global.u32 %r0, [x];\n"
                             " setp.eq.u32 %p0, %r0, 1;\n"
                             " bar.sync 0;\n"
                             " @%p0 barrier.cluster.arrive.release;\n"
                             " @!%p0 barrier.cluster.arrive.relaxed;\n"
                             " barrier.cluster.wait;\n"
                             " st.weak.global.u32 [y], 1;\n}" LAST);
    const struct event *read = fixture_event(f, 0, EVENT_READ, 0);
    const struct event *release = barrier(f, 0, 2), *relaxed = barrier(f, 0, 3);
    const struct event *first = barrier(f, 0, 4), *second = barrier(f, 0, 5);
    assert_int_equal(fixture_event_count(f, 0), 8);
    assert_int_equal(first->barrier->arrival, release->id);
    assert_int_equal(second->barrier->arrival, relaxed->id);
    assert_int_equal(first->position, second->position);
    f->reads[read->id] = 1;
    assert_int_equal(fixture_value(f, first->executes), 1);
    assert_int_equal(fixture_value(f, second->executes), 0);
    f->blocks[second->id] = true;
    const struct event *write = fixture_event(f, 0, EVENT_WRITE, 0);
    assert_int_equal(fixture_value(f, write->executes), 1);
    f->reads[read->id] = 0;
    assert_int_equal(fixture_value(f, second->executes), 1);
    assert_int_equal(fixture_value(f, write->executes), 0);
    fixture_free(f);
}

static void wait_without_arrival(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(HEADER "P0@cta 0 { barrier.cluster.wait; }" LAST);
    assert_int_equal(barrier(f, 0, 0)->barrier->arrival, -1);
    assert_int_equal(f->program->barriers.phase_pair_count, 0);
    fixture_free(f);
}

static void warp_barrier(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build(HEADER "P0@cta 0 { bar.warp.sync 0x5; }\nP1@cta 0 { bar.warp.sync 2; }\n"
                             "P2@cta 0 { bar.warp.sync 5; }\n"
                             "P3@cta 0 { bar.warp.sync 0xffffffff; }" LAST);
    assert_int_equal(count_of(barrier(f, 0, 0)), 2);
    assert_int_equal(count_of(barrier(f, 1, 0)), 1);
    // The others never come with this mask: their exits release it.
    assert_int_equal(fixture_value(f, barrier(f, 3, 0)->barrier->count), 1);
    f->blocks[barrier(f, 1, 1)->id] = true;
    assert_int_equal(fixture_value(f, barrier(f, 3, 0)->barrier->count), 2);
    assert_true(find_pair(f, barrier(f, 0, 0), barrier(f, 2, 1)) >= 0);
    assert_int_equal(find_pair(f, barrier(f, 0, 0), barrier(f, 3, 1)), -1);
    assert_int_equal(f->program->barriers.phase_pair_count, 6);
    fixture_free(f);
}

// --- bar.red -----------------------------------------------------------------------------------

#define PREDICATE " ld.weak.global.u32 %r0, [x]; setp.eq.u32 %p0, %r0, 1;\n"

static void reductions(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(
        HEADER "P0@cta 0 {" REGISTERS PREDICATE " bar.red.popc.u32 %r1, 0, 2, %p0;\n"
               " add.u32 %r1, %r1, 1; st.weak.global.u32 [y], %r1; }\n"
               "P1@cta 0 {" REGISTERS PREDICATE " bar.red.popc.u32 %r1, 0, 2, !%p0; }" LAST);
    const struct event *wait = barrier(f, 0, 1);
    const struct event *read = fixture_event(f, 0, EVENT_READ, 0);
    const struct event *other = fixture_event(f, 1, EVENT_READ, 0);
    assert_int_equal(wait->barrier->result->op, EXPR_REDUCED);
    assert_int_equal(wait->barrier->result->width, 32);
    for (unsigned i = 0; i < f->program->barriers.phase_pair_count; i++)
        f->in_phase[i] = true;
    f->reads[read->id] = 1;
    assert_int_equal(fixture_value(f, wait->barrier->reduced), 2);
    f->reads[other->id] = 1;
    assert_int_equal(fixture_value(f, wait->barrier->reduced), 1);
    f->reads[read->id] = 0;
    assert_int_equal(fixture_value(f, wait->barrier->reduced), 0);
    f->reads[other->id] = 7;
    f->in_phase[find_pair(f, barrier(f, 1, 0), wait)] = false;
    assert_int_equal(fixture_value(f, wait->barrier->reduced), 0);
    assert_true(expr_is_false(wait->barrier->reduced_undef));
    const struct event *write = fixture_event(f, 0, EVENT_WRITE, 0);
    f->reduced[wait->id] = 41;
    assert_int_equal(fixture_value(f, write->access->value), 42);
    assert_true(fixture_depends(write->data, read));
    fixture_free(f);
}

static void reduction_of_predicates(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(
        ONE_CTA(PREDICATE " bar.red.and.pred %p1, 0, %p0; bar.red.or.pred %p2, 1, %p0;\n",
                PREDICATE " bar.red.and.pred %p1, 0, %p0; bar.red.or.pred %p2, 1, %p0;\n"));
    const struct event *both = barrier(f, 0, 1), *either = barrier(f, 0, 3);
    const struct event *read = fixture_event(f, 0, EVENT_READ, 0);
    const struct event *other = fixture_event(f, 1, EVENT_READ, 0);
    assert_int_equal(both->barrier->result->width, 1);
    for (unsigned i = 0; i < f->program->barriers.phase_pair_count; i++)
        f->in_phase[i] = true;
    for (unsigned bits = 0; bits < 4; bits++) {
        f->reads[read->id] = bits & 1;
        f->reads[other->id] = bits >> 1;
        assert_int_equal(fixture_value(f, both->barrier->reduced), bits == 3);
        assert_int_equal(fixture_value(f, either->barrier->reduced), bits != 0);
    }
    // Who does not come to the barrier does not take part.
    f->reads[read->id] = 1;
    f->reads[other->id] = 0;
    f->in_phase[find_pair(f, barrier(f, 1, 0), both)] = false;
    assert_int_equal(fixture_value(f, both->barrier->reduced), 1);
    fixture_free(f);
}

// A predicate computed from unknown memory makes the result unknown.
static void unknown_predicate(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(
        "PTX t\n.shared .u32 s;\nP0@cta 0 {" REGISTERS " ld.weak.shared.u32 %r0, [s];\n"
        " setp.eq.u32 %p0, %r0, 1;\n bar.red.popc.u32 %r1, 0, %p0;\n}\n"
        "exists (P0:%r1 == 1)\n");
    const struct event *wait = barrier(f, 0, 1);
    assert_int_equal(wait->barrier->result_undef->op, EXPR_REDUCED_UNDEF);
    assert_int_equal(wait->barrier->reduced_undef->op, EXPR_AND);
    assert_ptr_equal(f->program->observed[0].undef, wait->barrier->result_undef);
    fixture_free(f);
}

// --- Dat3M -------------------------------------------------------------------------------------

#define DAT3M(body) "PTX t\n{\nx=0;\n}\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n" body "exists (x == 0)"

static void dat3m_instances(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(DAT3M(" bar.cta.sync 1 | bar.cta.sync 1 ;\n"
                                                    " bar.cta.sync 2 | st.weak x, 1   ;\n"));
    assert_int_equal(barrier(f, 0, 0)->barrier->instance, 1);
    assert_int_equal(count_of(barrier(f, 0, 0)), 2);
    assert_int_equal(count_of(barrier(f, 0, 2)), 1);
    assert_false(barrier(f, 0, 0)->barrier->quorum);
    assert_int_equal(f->program->barriers.phase_pair_count, 5);
    fixture_free(f);
}

static void dat3m_ids(void **state) {
    (void)state;
    struct program_fixture *f = fixture_build(DAT3M(" ld.weak r2, x      | st.weak x, 1      ;\n"
                                                    " bar.cta.sync 1, r2 | bar.cta.sync 1, 1 ;\n"));
    const struct event *read = fixture_event(f, 0, EVENT_READ, 0);
    f->reads[read->id] = 1;
    assert_int_equal(fixture_value(f, barrier(f, 0, 0)->barrier->count), 2);
    assert_int_equal(fixture_value(f, barrier(f, 1, 0)->barrier->count), 2);
    f->reads[read->id] = 0;
    assert_int_equal(fixture_value(f, barrier(f, 0, 0)->barrier->count), 1);
    assert_int_equal(fixture_value(f, barrier(f, 1, 0)->barrier->count), 1);
    assert_true(find_pair(f, barrier(f, 0, 0), barrier(f, 1, 1)) >= 0);
    fixture_free(f);
}

static void dat3m_quorum(void **state) {
    (void)state;
    struct program_fixture *f =
        fixture_build(DAT3M(" bar.cta.sync 1, 1, 2 | bar.cta.sync 1, 1, 2 ;\n"
                            " bar.cta.sync 1, 1, 2 | st.weak x, 1         ;\n"));
    assert_true(barrier(f, 0, 0)->barrier->quorum && barrier(f, 0, 1)->barrier->quorum);
    assert_int_equal(count_of(barrier(f, 0, 0)), 2);
    // Of its own thread, a wait meets what has come before it.
    assert_true(find_pair(f, barrier(f, 0, 0), barrier(f, 0, 3)) >= 0);
    assert_int_equal(find_pair(f, barrier(f, 0, 2), barrier(f, 0, 1)), -1);
    fixture_free(f);
}

// --- Errors ------------------------------------------------------------------------------------

static void barrier_errors(void **state) {
    (void)state;
    expect_error(HEADER "P0@cta 0 {\n" REGISTERS " mov.u32 %r0, 16;\n bar.sync %r0;\n}" LAST,
                 "6:11: there is no barrier 16: barriers are numbered 0 to 15");
    expect_error(HEADER "P0@cta 0 {\n bar.sync 0, 0;\n}" LAST,
                 "4:14: the thread count of a barrier must not be 0");
    expect_error(HEADER "P0@cta 0 { bar.warp.sync 1; }\nP1@cta 0 {\n bar.warp.sync 5;\n}" LAST,
                 "5:16: the mask 0x5 leaves out the thread that executes it, which is lane 1 | "
                 "the threads of a CTA are numbered in the order of the test");
    expect_error(HEADER "P0@cta 0 {\n" REGISTERS
                        " ld.weak.global.u32 %r0, [x];\n bar.warp.sync %r0;\n}" LAST,
                 "6:16: the mask of a bar.warp.sync must not depend on memory");
    expect_error(HEADER "P0@host {\n bar.sync 0;\n}" LAST,
                 "4:2: a thread of the host is in no CTA and has no barriers");
    expect_error("PTX t\n{\nx=0;\n}\n P0@cta 0,gpu 0 ;\n st.weak x, 1 ;\n ld.weak r0, x ;\n"
                 " bar.cta.sync r0 ;\nexists (x == 0)",
                 "8:15: the instance of a barrier must be a constant from 0 to 2147483647");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sync_is_arrival_and_wait),
        cmocka_unit_test(what_follows_needs_the_wait),
        cmocka_unit_test(barriers_of_all_complete),
        cmocka_unit_test(barriers_that_cross_do_not),
        cmocka_unit_test(barriers_on_a_condition_do_not),
        cmocka_unit_test(phases_of_all_threads),
        cmocka_unit_test(arrive_does_not_block),
        cmocka_unit_test(guarded_barrier),
        cmocka_unit_test(barriers_are_of_ctas),
        cmocka_unit_test(number_in_a_register),
        cmocka_unit_test(short_phases),
        cmocka_unit_test(exited_threads_do_not_count),
        cmocka_unit_test(exits_come_after_waits),
        cmocka_unit_test(different_counts_never_meet),
        cmocka_unit_test(cluster_barrier),
        cmocka_unit_test(wait_after_either_arrival),
        cmocka_unit_test(wait_without_arrival),
        cmocka_unit_test(warp_barrier),
        cmocka_unit_test(reductions),
        cmocka_unit_test(reduction_of_predicates),
        cmocka_unit_test(unknown_predicate),
        cmocka_unit_test(dat3m_instances),
        cmocka_unit_test(dat3m_ids),
        cmocka_unit_test(dat3m_quorum),
        cmocka_unit_test(barrier_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
