// Executions in which some thread never leaves a barrier (memory-model section 6).

#include "solver/encode/barriers.h"
#include "solver/encode/gates.h"
#include "solver/encode/memory.h"
#include "solver/encode/values.h"

#include "litmus/source/allocate.h"

#include <assert.h>
#include <stdlib.h>

// --- Threads that are blocked ------------------------------------------------------------------

literal encode_blocked(struct encoder *encoder) {
    const struct barriers *barriers = encoder->barriers;
    struct disjunction d = {0};
    for (size_t i = 0; barriers != NULL && i < barriers->wait_count; i++)
        disjunction_add2(&d, encode_executes(encoder, barriers->waits[i]),
                         -barriers->passes[barriers->waits[i]]);
    return disjunction_close(encoder, &d, EXACT, "blocked", 0, 0);
}

// --- Phases that could still complete ----------------------------------------------------------

// The arrival has taken place and is in no phase.
static literal is_pending(struct encoder *encoder, unsigned arrival) {
    assert(arrival < encoder->n);
    return gate_and(encoder, encode_executes(encoder, arrival), -encoder->barriers->done[arrival],
                    EXACT);
}

// And it is the first such one of its thread at the barrier: later ones are in later phases.
static literal is_next(struct encoder *encoder, unsigned arrival) {
    assert(arrival < encoder->n);
    const struct barriers *barriers = encoder->barriers;
    struct disjunction d = {0};
    for (size_t i = 0; i < barriers->arrival_count; i++)
        if (barriers_is_earlier(encoder, barriers->arrivals[i], arrival))
            disjunction_add2(&d, is_pending(encoder, barriers->arrivals[i]),
                             barriers_at_one(encoder, barriers->arrivals[i], arrival));
    literal after = disjunction_close(encoder, &d, EXACT, "after", arrival, 0);
    return gate_and(encoder, is_pending(encoder, arrival), -after, EXACT);
}

// A thread's next arrival could be in the phase of this one.
static literal could_join(struct encoder *encoder, unsigned arrival, size_t thread) {
    assert(arrival < encoder->n);
    const struct barriers *barriers = encoder->barriers;
    const struct event *own = barriers_event(encoder, arrival);
    struct disjunction d = {0};
    for (size_t i = 0; i < barriers->arrival_count; i++) {
        const struct event *other = barriers_event(encoder, barriers->arrivals[i]);
        if ((size_t)other->thread != thread ||
            !barriers_may_share_phase(encoder, arrival, other->id))
            continue;
        const struct encoded_value *counts[2] = {encode_expr(encoder, own->barrier->count),
                                                 encode_expr(encoder, other->barrier->count)};
        disjunction_add(&d, is_next(encoder, other->id),
                        barriers_at_one(encoder, arrival, other->id),
                        values_equal(encoder, counts[0], counts[1]));
    }
    return disjunction_close(encoder, &d, EXACT, "joins", arrival, (unsigned)thread);
}

// Where the guard holds, a short phase of a pending arrival still lacks a thread that has not
// exited. joins[t]: a thread is in the phase.
static void require_missing(struct encoder *encoder, unsigned arrival, literal guard,
                            const literal *joins) {
    assert(arrival < encoder->n);
    size_t threads = encoder->program->test->thread_count, count = 0;
    const struct event *event = barriers_event(encoder, arrival);
    literal *missing = allocate(threads + 3, sizeof *missing);
    for (size_t t = 0; t < threads; t++)
        if (barriers_may_lack(encoder, arrival, t))
            missing[count++] =
                gate_and(encoder, -joins[t], -barriers_gone(encoder, arrival, t), EXACT);
    missing[count++] = -guard;
    missing[count++] = -is_next(encoder, arrival);
    missing[count++] = -barriers_count_fits(encoder, event);
    if (event->barrier->may_be_short && event->barrier->left_out == 0)
        backend_clause(encoder->backend, missing, count);
    free(missing);
}

// Where the guard holds, a pending arrival is one of too few threads to complete a phase.
static void require_too_few(struct encoder *encoder, unsigned arrival, literal guard) {
    assert(arrival < encoder->n);
    size_t threads = encoder->program->test->thread_count, count = 0;
    literal next = is_next(encoder, arrival);
    literal *joins = allocate(3 * threads + 1, sizeof *joins), *others = joins + threads,
            *at_least = others + threads;
    for (size_t t = 0; t < threads; t++)
        if ((int)t != barriers_event(encoder, arrival)->thread)
            others[count++] = joins[t] = could_join(encoder, arrival, t);
    count_literals(encoder, others, count, at_least, count);
    size_t joining = barriers_event(encoder, arrival)->barrier->may_join;
    for (size_t size = 1; size <= count + 1 + joining; size++)
        clause4(encoder, -guard, -next,
                -barriers_counts_to(encoder, barriers_event(encoder, arrival), size),
                -at_least[size > joining + 1 ? size - joining - 1 : 0]);
    require_missing(encoder, arrival, guard, joins);
    free(joins);
}

// Where the guard holds, some arrival of a phase of all of them is not next.
static void require_one_missing(struct encoder *encoder, unsigned first, literal guard) {
    const struct barriers *barriers = encoder->barriers;
    literal *missing = allocate(barriers->arrival_count + 1, sizeof *missing);
    size_t count = 0;
    for (size_t i = 0; i < barriers->arrival_count; i++)
        if (barriers->whole[barriers->arrivals[i]] == (int)first)
            missing[count++] = -is_next(encoder, barriers->arrivals[i]);
    missing[count++] = -guard;
    backend_clause(encoder->backend, missing, count);
    free(missing);
}

// --- Quorums -----------------------------------------------------------------------------------

static literal could_offer(struct encoder *encoder, const struct phase_pair *pair) {
    return gate_and(encoder, encode_executes(encoder, pair->arrival),
                    barriers_at_one(encoder, pair->arrival, pair->wait), EXACT);
}

// --- Hangs -------------------------------------------------------------------------------------

void encode_stuck(struct encoder *encoder, literal guard) {
    const struct barriers *barriers = encoder->barriers;
    for (size_t i = 0; barriers != NULL && i < barriers->arrival_count; i++) {
        unsigned arrival = barriers->arrivals[i];
        if (barriers->whole[arrival] == (int)arrival)
            require_one_missing(encoder, arrival, guard);
        else if (barriers->whole[arrival] < 0 && !barriers_event(encoder, arrival)->barrier->quorum)
            require_too_few(encoder, arrival, guard);
    }
    for (size_t i = 0; barriers != NULL && i < barriers->wait_count; i++) {
        const struct event *wait = barriers_event(encoder, barriers->waits[i]);
        if (wait->barrier->quorum)
            clause4(encoder, -guard, -encode_executes(encoder, wait->id),
                    barriers->passes[wait->id], -barriers_has_enough(encoder, wait, could_offer));
    }
}

// A thread stays in a loop in which it waits for an mbarrier.
static literal waits_for_ever(struct encoder *encoder) {
    const struct endings *endings = encoder->program->endings;
    struct disjunction d = {0};
    for (size_t i = 0; endings != NULL && i < endings->stay_count; i++) {
        const struct stay *stay = &endings->stays[i];
        for (size_t e = stay->middle; e < stay->end; e++)
            if (event_is_mbarrier(&encoder->program->events[e], MBARRIER_KIND_WAIT))
                disjunction_add2(&d, encode_condition(encoder, stay->condition),
                                 encode_executes(encoder, (unsigned)e));
    }
    return disjunction_close(encoder, &d, EXACT, "waits", 0, 0);
}

literal encode_hang(struct encoder *encoder) {
    literal blocked = encode_blocked(encoder), waits = waits_for_ever(encoder);
    if (blocked == LITERAL_FALSE && waits == LITERAL_FALSE)
        return LITERAL_FALSE;
    literal hang = backend_variable(encoder->backend, "hang", 0, 0);
    clause3(encoder, blocked, waits, -hang);
    encode_stuck(encoder, hang);
    return hang;
}

// --- In models ---------------------------------------------------------------------------------

bool encode_passes_in_model(struct encoder *encoder, unsigned wait) {
    assert(wait < encoder->n);
    return backend_literal_value(encoder->backend, encoder->barriers->passes[wait]);
}

// The first arrival of the phase names it.
int encode_phase_in_model(struct encoder *encoder, unsigned arrival) {
    assert(arrival < encoder->n);
    const struct barriers *barriers = encoder->barriers;
    if (!backend_literal_value(encoder->backend, barriers->done[arrival]))
        return -1;
    for (size_t i = 0; i < barriers->arrival_count && barriers->arrivals[i] < arrival; i++) {
        literal same = *pair_table_at(encoder, barriers->same, barriers->arrivals[i], arrival);
        if (same != 0 && backend_literal_value(encoder->backend, same))
            return (int)barriers->arrivals[i];
    }
    return (int)arrival;
}
