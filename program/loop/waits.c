// Waiting loops of a whole CTA: loops in which the threads synchronise at barriers in each round,
// and all branch on the same result (memory-model section 11).
//
// Removing whole rounds from an execution leaves one of the same program if all threads of the CTA
// lose the same rounds, with the phases of the barriers. So it has to be shown that all of them
// repeat equally often. This is shown round by round: they come to the loop after equally many
// arrivals at its barriers, so that they are in the same phases in each round, and there each
// decides by the same function of
// - what a bar.red of the round gives, which is the same for all; or
// - what it reads in a place of .shared memory that one thread writes in each round, with a barrier
//   between that store and the load, and one between the load and the store of the next round. All
//   read what that store wrote: causality forbids everything else, and where the barrier is open
//   only because a thread has left, no thin air does.
//
// thread/flow.c assumes such loops to be waiting loops as it runs the threads; this file checks
// them once all events are known. If one of them is not, the program is built again, with all of
// them unrolled.

#include "program/builder.h"
#include "program/thread/warp.h"
#include "program/loop/loops.h"
#include "program/memory/memory.h"

#include <assert.h>

// --- In the text -------------------------------------------------------------------------------

// A bar.sync or bar.red of all threads of the CTA.
static bool is_whole_barrier(const struct instruction *instruction) {
    bool sync = instruction->barrier == BARRIER_SYNC && instruction->operand_count == 1;
    bool red = instruction->barrier == BARRIER_RED && instruction->operand_count == 3;
    return (sync && instruction->operands[0].kind == OPERAND_IMMEDIATE) ||
           (red && instruction->operands[1].kind == OPERAND_IMMEDIATE);
}

static uint64_t barrier_number(const struct instruction *instruction) {
    return instruction->operands[instruction->barrier == BARRIER_RED].immediate.low;
}

bool waits_has_barrier(const struct thread *thread, size_t begin, size_t last) {
    assert(begin <= last);
    for (size_t pc = begin; pc <= last; pc++)
        if (opcode_family(thread->instructions[pc].opcode) == FAMILY_BARRIER ||
            warp_meets(thread, &thread->instructions[pc]))
            return true;
    return false;
}

bool waits_may_be_one(const struct test *test, const struct thread *thread, size_t begin,
                      size_t last) {
    assert(begin <= last);
    for (size_t pc = begin; pc <= last; pc++) {
        const struct instruction *instruction = &thread->instructions[pc];
        if (opcode_family(instruction->opcode) == FAMILY_BARRIER &&
            (!is_whole_barrier(instruction) || instruction->guard >= 0))
            return false;
        if (warp_meets(thread, instruction))
            return false;
    }
    return test->dialect == DIALECT_PTX;
}

// --- Rounds ------------------------------------------------------------------------------------

static const struct event *event_at(const struct builder *builder, size_t id) {
    return &builder->program->events[id];
}

// The waits at barriers that a thread does in a round, in their order.
static unsigned barrier_count(const struct builder *builder, const struct cta_round *round) {
    unsigned count = 0;
    for (size_t i = round->begin; i < round->end; i++)
        count += event_is_wait(event_at(builder, i));
    return count;
}

static const struct event *barrier_at(const struct builder *builder, const struct cta_round *round,
                                      unsigned number) {
    for (size_t i = round->begin;; i++) {
        const struct event *event = event_at(builder, i);
        if (event_is_wait(event) && number-- == 0)
            return event;
    }
}

// How many barriers of the round a thread has passed before an event.
static unsigned interval_of(const struct builder *builder, const struct cta_round *round,
                            size_t event) {
    struct cta_round before = {.begin = round->begin, .end = event};
    return barrier_count(builder, &before);
}

static bool is_in(const struct cta_round *round, size_t event) {
    return event >= round->begin && event < round->end;
}

static bool is_before(const struct cta_wait *wait, size_t event) {
    return event < wait->rounds[0].begin;
}

// Whether an event of a round executes in every such round.
static bool is_certain(const struct builder *builder, const struct cta_round *round, size_t event) {
    return builder->known.written_reaches[event] == round->path;
}

// --- One wait of all threads -------------------------------------------------------------------

// The waiting loops of the threads of a CTA that belong together.
struct group {
    const struct builder *builder;
    const struct cta_wait **waits; // by thread of the CTA
    size_t count;
};

static const struct cta_wait *wait_of_thread(const struct group *group, int thread) {
    for (size_t i = 0; i < group->count; i++)
        if (group->waits[i]->thread == thread)
            return group->waits[i];
    return NULL;
}

static bool same_barriers(const struct builder *builder, const struct cta_round *a,
                          const struct cta_round *b) {
    unsigned count = barrier_count(builder, a);
    if (count != barrier_count(builder, b))
        return false;
    for (unsigned i = 0; i < count; i++) {
        const struct event *x = barrier_at(builder, a, i), *y = barrier_at(builder, b, i);
        const struct instruction *p = x->instruction, *q = y->instruction;
        if (!is_certain(builder, a, x->id) || !is_certain(builder, b, y->id) ||
            p->barrier != q->barrier || p->bool_op != q->bool_op ||
            barrier_number(p) != barrier_number(q))
            return false;
    }
    return true;
}

// Whether an event is in a waiting loop of its thread.
static bool is_in_wait(const struct builder *builder, const struct event *event) {
    for (const struct cta_wait *wait = builder->loops.cta_waits; wait != NULL; wait = wait->next)
        for (unsigned r = 0; wait->thread == event->thread && r < wait->round_count; r++)
            if (is_in(&wait->rounds[r], event->id))
                return true;
    return false;
}

// How often a thread arrives at a barrier before an event, without those in waiting loops, which
// are equally many in all threads; -1 when that depends on anything.
static int arrivals_before(const struct builder *builder, int thread, size_t last,
                           uint64_t number) {
    assert(thread >= 0 && (size_t)thread < builder->test->thread_count);
    int count = 0;
    for (size_t i = builder->program->init_count; i < builder->program->event_count; i++) {
        const struct event *event = event_at(builder, i);
        if (event->thread != thread || !event_is_arrival(event) ||
            event->instruction->barrier == BARRIER_WARP_SYNC || event->barrier->exchanges ||
            event->instruction->barrier == BARRIER_CLUSTER_ARRIVE)
            continue;
        if (!is_whole_barrier(event->instruction))
            return -1;
        if (i >= last || barrier_number(event->instruction) != number || is_in_wait(builder, event))
            continue;
        if (!expr_is_true(builder->known.written_reaches[i]))
            return -1;
        count++;
    }
    return count;
}

static bool same_phases(const struct builder *builder, const struct cta_wait *a,
                        const struct cta_wait *b) {
    for (unsigned i = 0; i < barrier_count(builder, &a->rounds[0]); i++) {
        const struct event *event = barrier_at(builder, &a->rounds[0], i);
        uint64_t number = barrier_number(event->instruction);
        int count = arrivals_before(builder, a->thread, a->rounds[0].begin, number);
        if (count < 0 || count != arrivals_before(builder, b->thread, b->rounds[0].begin, number))
            return false;
    }
    return true;
}

// --- Values that all threads read --------------------------------------------------------------

static bool is_at_one_place(const struct event *a, const struct event *b) {
    const struct candidate *p = a->candidates, *q = b->candidates;
    return a->candidate_count == 1 && b->candidate_count == 1 && p->range == q->range &&
           p->first_cell == q->first_cell && p->cell_count == q->cell_count && a->size == b->size &&
           a->proxy == PROXY_GENERIC && b->proxy == PROXY_GENERIC;
}

// The one store of a round that may be to the place of a read; NULL when there are none or more.
static const struct event *store_of_round(const struct group *group, unsigned r,
                                          const struct event *read) {
    const struct event *found = NULL;
    for (size_t i = 0; i < group->count; i++)
        for (size_t e = group->waits[i]->rounds[r].begin; e < group->waits[i]->rounds[r].end; e++) {
            const struct event *event = event_at(group->builder, e);
            if (event->kind != EVENT_WRITE || !cells_may_overlap(event, read))
                continue;
            if (found != NULL)
                return NULL;
            found = event;
        }
    return found;
}

// Whether a thread is certain to pass a barrier of the whole CTA between the loop and an event
// after it.
static bool is_after_barrier(const struct builder *builder, const struct cta_wait *wait,
                             size_t event) {
    for (size_t i = wait->rounds[wait->round_count - 1].end; i < event; i++) {
        const struct event *barrier = event_at(builder, i);
        if (!event_is_wait(barrier) || !is_whole_barrier(barrier->instruction))
            continue;
        const struct expr *skips = expr_not(builder->pool, builder->known.written_reaches[i]);
        if (expr_is_false(expr_and(builder->pool, builder->known.written_reaches[event], skips)))
            return true;
    }
    return false;
}

// Whether a write other than the store of the round cannot be what the read returns, in this round.
static bool is_harmless(const struct group *group, unsigned r, const struct event *read,
                        const struct event *store, const struct event *other) {
    assert(read->kind == EVENT_READ);
    const struct builder *builder = group->builder;
    const struct cta_wait *wait = wait_of_thread(group, other->thread);
    const struct cta_round *round = &wait_of_thread(group, read->thread)->rounds[r];
    if (wait == NULL)
        return false;
    if (is_before(wait, other->id))
        return true; // a barrier is between it and the store
    for (unsigned k = 0; k < wait->round_count; k++)
        if (is_in(&wait->rounds[k], other->id))
            return other->thread == store->thread && other->instruction == store->instruction;
    return interval_of(builder, round, read->id) < barrier_count(builder, round) ||
           is_after_barrier(builder, wait, other->id);
}

// The store that a read of a round takes its value from, whatever happens, or NULL.
static const struct event *source_in_round(const struct group *group, unsigned r,
                                           const struct event *read) {
    const struct builder *builder = group->builder;
    const struct program *program = builder->program;
    const struct cta_round *round = &wait_of_thread(group, read->thread)->rounds[r];
    const struct event *store = store_of_round(group, r, read);
    if (store == NULL || store->access->rmw >= 0 || !is_at_one_place(store, read))
        return NULL;
    const struct cta_round *of_store = &wait_of_thread(group, store->thread)->rounds[r];
    unsigned from = interval_of(builder, of_store, store->id);
    if (from == 0 || interval_of(builder, round, read->id) <= from ||
        !is_certain(builder, of_store, store->id) || !is_certain(builder, round, read->id))
        return NULL;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *other = event_at(builder, i);
        if (other != store && other->kind == EVENT_WRITE && cells_may_overlap(other, read) &&
            !is_harmless(group, r, read, store, other))
            return NULL;
    }
    return store;
}

// --- Decisions ---------------------------------------------------------------------------------

struct wait_comparison {
    const struct group *group;
    const struct cta_wait *a, *b;
    unsigned steps; // that are left
};

static bool same_reads(const struct wait_comparison *c, unsigned a, unsigned b) {
    for (unsigned r = 0; r < c->a->round_count; r++) {
        if (!is_in(&c->a->rounds[r], a) || !is_in(&c->b->rounds[r], b))
            continue;
        const struct event *source = source_in_round(c->group, r, event_at(c->group->builder, a));
        return source != NULL &&
               source == source_in_round(c->group, r, event_at(c->group->builder, b));
    }
    return false;
}

// Of a bar.red before the loop: all threads do it, in one phase.
static bool same_before(const struct wait_comparison *c, const struct event *a,
                        const struct event *b) {
    const struct builder *builder = c->group->builder;
    const struct instruction *p = a->instruction, *q = b->instruction;
    if (!is_before(c->a, a->id) || !is_before(c->b, b->id) || is_in_wait(builder, a) ||
        is_in_wait(builder, b) || !is_whole_barrier(p) || !is_whole_barrier(q) ||
        p->bool_op != q->bool_op || barrier_number(p) != barrier_number(q) ||
        !expr_is_true(builder->known.written_reaches[a->id]) ||
        !expr_is_true(builder->known.written_reaches[b->id]))
        return false;
    int count = arrivals_before(builder, a->thread, a->id, barrier_number(p));
    return count >= 0 && count == arrivals_before(builder, b->thread, b->id, barrier_number(q));
}

static bool same_reductions(const struct wait_comparison *c, unsigned a, unsigned b) {
    const struct event *events = c->group->builder->program->events;
    for (unsigned r = 0; r < c->a->round_count; r++) {
        const struct cta_round *x = &c->a->rounds[r], *y = &c->b->rounds[r];
        if (is_in(x, a) && is_in(y, b))
            return interval_of(c->group->builder, x, a) == interval_of(c->group->builder, y, b);
    }
    return same_before(c, &events[a], &events[b]);
}

static bool same_value(struct wait_comparison *c, const struct expr *a, const struct expr *b);

static bool same_arguments(struct wait_comparison *c, const struct expr *a, const struct expr *b,
                           bool swapped) {
    for (unsigned i = 0; i < 3; i++) {
        const struct expr *x = a->args[i], *y = b->args[swapped && i < 2 ? 1 - i : i];
        if ((x == NULL) != (y == NULL) || (x != NULL && !same_value(c, x, y)))
            return false;
    }
    return true;
}

// Operands of these are in no order of their own.
static bool commutes(enum expr_op op) {
    return op == EXPR_AND || op == EXPR_OR || op == EXPR_XOR || op == EXPR_ADD || op == EXPR_MUL ||
           op == EXPR_EQ;
}

// Whether an expression of one thread has the value of that of another one; false where that is not
// obvious.
static bool same_value(struct wait_comparison *c, const struct expr *a, const struct expr *b) {
    if (c->steps == 0 || a->op != b->op || a->width != b->width)
        return false;
    c->steps--;
    switch (a->op) {
    case EXPR_CONST: return a == b;
    case EXPR_READ: return same_reads(c, a->index, b->index);
    case EXPR_REDUCED: return same_reductions(c, a->index, b->index);
    default: break;
    }
    if (a->args[0] == NULL || a->index != b->index)
        return false;
    return same_arguments(c, a, b, false) || (commutes(a->op) && same_arguments(c, a, b, true));
}

// Whether all threads of the CTA repeat this loop equally often.
static bool go_round_together(const struct group *group) {
    enum { STEPS_MAX = 10000 };
    const struct cta_wait *a = group->waits[0];
    for (unsigned r = 0; r < a->round_count; r++)
        if (barrier_count(group->builder, &a->rounds[r]) == 0 ||
            !same_barriers(group->builder, &a->rounds[r], &a->rounds[r]))
            return false;
    for (size_t i = 0; i < group->count; i++) {
        const struct cta_wait *b = group->waits[i];
        struct wait_comparison comparison = {group, a, b, STEPS_MAX};
        if (b->round_count != a->round_count || !same_phases(group->builder, a, b) ||
            (i > 0 && !same_value(&comparison, a->rounds[0].path, b->rounds[0].path)))
            return false;
        for (unsigned r = 0; i > 0 && r < a->round_count; r++)
            if (!same_barriers(group->builder, &a->rounds[r], &b->rounds[r]) ||
                !same_value(&comparison, a->rounds[r].again, b->rounds[r].again))
                return false;
    }
    return true;
}

// --- Groups ------------------------------------------------------------------------------------

const struct cta_wait *waits_number(const struct cta_wait *waits, int thread, unsigned number) {
    unsigned count = 0;
    for (const struct cta_wait *wait = waits; wait != NULL; wait = wait->next)
        count += wait->thread == thread;
    for (const struct cta_wait *wait = waits; wait != NULL; wait = wait->next)
        if (wait->thread == thread && --count == number)
            return wait;
    return NULL;
}

// The waits of all threads of a CTA with one number. Returns false when some have one and others
// not; an empty group when no thread has one.
static bool find_group(const struct builder *builder, int leader, unsigned number,
                       struct group *group) {
    size_t threads = builder->test->thread_count, of_cta = 0;
    *group = (struct group){.builder = builder,
                            .waits = ARENA_ARRAY(builder->arena, const struct cta_wait *, threads)};
    for (size_t t = 0; t < threads; t++) {
        if (builder->cta_leader[t] != leader)
            continue;
        const struct cta_wait *wait = waits_number(builder->loops.cta_waits, (int)t, number);
        of_cta++;
        if (wait != NULL)
            group->waits[group->count++] = wait;
    }
    return group->count == 0 || group->count == of_cta;
}

static bool waits_of_cta_are_good(const struct builder *builder, int leader) {
    for (unsigned number = 0;; number++) {
        struct group group;
        if (!find_group(builder, leader, number, &group))
            return false;
        if (group.count == 0)
            return true;
        if (!go_round_together(&group))
            return false;
    }
}

bool waits_are_good(const struct builder *builder) {
    if (builder->loops.cta_parts)
        return false;
    for (size_t t = 0; t < builder->test->thread_count && builder->loops.cta_waits != NULL; t++)
        if (builder->cta_leader[t] == (int)t && !waits_of_cta_are_good(builder, (int)t))
            return false;
    return true;
}

// --- Stores of rounds that are left out --------------------------------------------------------

static unsigned number_of(const struct cta_wait *wait) {
    unsigned number = 0;
    for (const struct cta_wait *before = wait->next; before != NULL; before = before->next)
        number += before->thread == wait->thread;
    return number;
}

// Whether a read cannot return what a store wrote in an earlier round than the last: that of the
// last one, or of the read's own round, has come after it.
static bool has_newer(const struct group *group, const struct cta_round *of_store,
                      const struct event *store, const struct event *read) {
    assert(read->kind == EVENT_READ);
    const struct builder *builder = group->builder;
    const struct cta_wait *wait = wait_of_thread(group, read->thread);
    unsigned at = interval_of(builder, of_store, store->id);
    if (wait == NULL)
        return false;
    if (is_before(wait, read->id))
        return at > 0 || read->thread == store->thread;
    for (unsigned r = 0; r < wait->round_count; r++)
        if (is_in(&wait->rounds[r], read->id))
            return interval_of(builder, &wait->rounds[r], read->id) > at ||
                   (read->thread == store->thread && read->id > store->id);
    return at < barrier_count(builder, of_store) || read->thread == store->thread;
}

bool waits_store_is_repeated(const struct builder *builder, const struct cta_wait *wait,
                             const struct event *store) {
    const struct program *program = builder->program;
    const struct cta_round *round = &wait->rounds[wait->round_count - 1];
    struct group group;
    if (store->candidate_count != 1 || store->proxy != PROXY_GENERIC ||
        !is_certain(builder, round, store->id) ||
        !find_group(builder, builder->cta_leader[wait->thread], number_of(wait), &group))
        return false;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *read = event_at(builder, i);
        if (read->kind == EVENT_READ && cells_may_overlap(read, store) &&
            !has_newer(&group, round, store, read))
            return false;
    }
    return true;
}

// --- Stores of the last round -------------------------------------------------------------------

// Puts what a round passes on through memory in the place of the loads that get it.
struct passed_on {
    const struct group *group;
    unsigned round;
};

static const struct expr *stored_for(void *context, const struct expr *leaf) {
    const struct passed_on *passed = context;
    const struct builder *builder = passed->group->builder;
    if (leaf->op != EXPR_READ)
        return leaf;
    const struct event *read = event_at(builder, leaf->index);
    const struct cta_wait *wait = wait_of_thread(passed->group, read->thread);
    if (wait == NULL || !is_in(&wait->rounds[passed->round], read->id))
        return leaf;
    const struct event *store = source_in_round(passed->group, passed->round, read);
    bool known = store != NULL && store->access->value->width == leaf->width;
    return known ? store->access->value : leaf;
}

bool waits_store_is_last(const struct builder *builder, const struct cta_wait *wait,
                         const struct event *store) {
    struct group group;
    unsigned last = wait->round_count - 1;
    if (!find_group(builder, builder->cta_leader[wait->thread], number_of(wait), &group))
        return false;
    struct passed_on passed = {&group, last};
    const struct expr_replacing loads = {stored_for, &passed};
    struct expr_replacements *replacements =
        expr_replacements_new(builder->arena, builder->pool, &loads);
    const struct expr *again = expr_replace(replacements, wait->rounds[last].again);
    return expr_is_false(expr_and(builder->pool, builder->known.written_reaches[store->id], again));
}
