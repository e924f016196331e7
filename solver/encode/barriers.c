// Barriers (memory-model section 6): which arrivals make up which phase, which waits pass, and
// which threads hang. The rules are above struct phase_pair in program/phases.h.
//
// Two arrivals are in one phase, or not: a variable for each pair that may be. With Dat3M's counts
// (`quorum`) there are no phases; the variable of an arrival says whether it is in the set
// that releases all waits.

#include "solver/encode/barriers.h"
#include "solver/encode/gates.h"
#include "solver/encode/memory.h"
#include "solver/encode/nodes.h"
#include "solver/encode/values.h"

#include "litmus/source/allocate.h"

#include <assert.h>
#include <stdlib.h>

// --- Which barrier -----------------------------------------------------------------------------

static literal equal(struct encoder *encoder, const struct expr *a, const struct expr *b) {
    if (a == b)
        return LITERAL_TRUE;
    return values_equal(encoder, encode_expr(encoder, a), encode_expr(encoder, b));
}

literal barriers_counts_equal(struct encoder *encoder, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    const struct event *x = barriers_event(encoder, a), *y = barriers_event(encoder, b);
    return facts_counts_are_equal(x, y) ? LITERAL_TRUE
                                        : equal(encoder, x->barrier->count, y->barrier->count);
}

literal barriers_at_one(struct encoder *encoder, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    return equal(encoder, barriers_event(encoder, a)->barrier->id,
                 barriers_event(encoder, b)->barrier->id);
}

bool barriers_may_share_phase(const struct encoder *encoder, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    const struct event *x = barriers_event(encoder, a), *y = barriers_event(encoder, b);
    bool ranks = x->barrier->rank == NULL || y->barrier->rank == NULL ||
                 facts_may_equal(x->barrier->rank, y->barrier->rank);
    return x->thread != y->thread && facts_may_share_barrier(x, y) && ranks &&
           !x->barrier->quorum && !y->barrier->quorum &&
           facts_may_equal(x->barrier->count, y->barrier->count) &&
           relation_has(&encoder->facts->together, a, b);
}

// Whether two arrivals, or an arrival and itself, are in one phase.
literal barriers_in_one_phase(struct encoder *encoder, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    if (a == b)
        return encoder->barriers->done[a];
    return false_unless_known(
        encoder, *pair_table_at(encoder, encoder->barriers->same, a < b ? a : b, a < b ? b : a));
}

// --- Variables ---------------------------------------------------------------------------------

static void collect_events(struct encoder *encoder) {
    struct barriers *barriers = encoder->barriers;
    barriers->arrivals = ARENA_ARRAY(encoder->arena, unsigned, encoder->n);
    barriers->waits = ARENA_ARRAY(encoder->arena, unsigned, encoder->n);
    for (unsigned e = 0; e < encoder->n; e++)
        if (barriers_event(encoder, e)->kind != EVENT_BARRIER)
            continue;
        else if (barriers_event(encoder, e)->barrier->is_arrival)
            barriers->arrivals[barriers->arrival_count++] = e;
        else
            barriers->waits[barriers->wait_count++] = e;
}

// Whether the arrivals that may share a phase with one of a set are just the others of the set.
static bool is_closed(const struct encoder *encoder, const bool *in_set, unsigned arrival) {
    const struct barriers *barriers = encoder->barriers;
    for (size_t i = 0; i < barriers->arrival_count; i++) {
        unsigned b = barriers->arrivals[i];
        if (b != arrival && barriers_may_share_phase(encoder, arrival, b) != in_set[b])
            return false;
    }
    return true;
}

// Whether an arrival's phase, if it completes, is of `size` arrivals, under a number that is known.
static bool is_of_size(const struct event *event, size_t size) {
    const struct event_barrier *barrier = event->barrier;
    return !barrier->quorum && !barrier->may_be_short && barrier->may_join == 0 &&
           expr_is_const(barrier->id) && expr_is_const(barrier->count) &&
           bits_equal(barrier->count->value, (struct bits128){size, 0});
}

// Finds whether the phase of an arrival, if it completes, is of just all arrivals that may be in
// it: then one variable does for all of them, and nothing has to be counted.
static void find_whole(struct encoder *encoder, unsigned arrival) {
    struct barriers *barriers = encoder->barriers;
    bool *in_set = allocate(encoder->n, sizeof *in_set);
    size_t size = 1;
    in_set[arrival] = true;
    for (size_t i = 0; i < barriers->arrival_count; i++) {
        unsigned b = barriers->arrivals[i];
        if (b != arrival && barriers_may_share_phase(encoder, arrival, b)) {
            in_set[b] = true;
            size++;
        }
    }
    bool whole = true;
    const struct expr *id = barriers_event(encoder, arrival)->barrier->id;
    for (size_t i = 0; i < barriers->arrival_count && whole; i++) {
        const struct event *event = barriers_event(encoder, barriers->arrivals[i]);
        whole = !in_set[event->id] ||
                (is_of_size(event, size) && bits_equal(event->barrier->id->value, id->value) &&
                 is_closed(encoder, in_set, event->id));
    }
    for (unsigned e = arrival; whole && e < encoder->n; e++)
        if (in_set[e])
            barriers->whole[e] = (int)arrival;
    free(in_set);
}

bool barriers_are_of_whole(const struct encoder *encoder, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    return encoder->barriers->whole[a] >= 0 &&
           encoder->barriers->whole[a] == encoder->barriers->whole[b];
}

static void find_wholes(struct encoder *encoder) {
    struct barriers *barriers = encoder->barriers;
    barriers->whole = ARENA_ARRAY(encoder->arena, int, encoder->n);
    for (unsigned e = 0; e < encoder->n; e++)
        barriers->whole[e] = -1;
    if ((encoder->program->options.left_out & STEP_COMPLETED) != 0)
        return;
    for (size_t i = 0; i < barriers->arrival_count; i++)
        if (barriers->whole[barriers->arrivals[i]] < 0 &&
            expr_is_const(barriers_event(encoder, barriers->arrivals[i])->barrier->id))
            find_whole(encoder, barriers->arrivals[i]);
}

static void make_phases(struct encoder *encoder) {
    struct barriers *barriers = encoder->barriers;
    barriers->same = pair_table_new(encoder);
    find_wholes(encoder);
    for (size_t i = 0; i < barriers->arrival_count; i++) {
        unsigned a = barriers->arrivals[i];
        int whole = barriers->whole[a];
        barriers->done[a] = barriers_event(encoder, a)->barrier->completes ? LITERAL_TRUE
                            : whole >= 0 && whole != (int)a
                                ? barriers->done[whole]
                                : backend_variable(encoder->backend, "done", a, 0);
        barriers->lacks[a] = barriers_event(encoder, a)->barrier->may_be_short
                                 ? backend_variable(encoder->backend, "short", a, 0)
                                 : LITERAL_FALSE;
        for (size_t k = 0; k < i; k++)
            if (barriers_may_share_phase(encoder, barriers->arrivals[k], a))
                *pair_table_at(encoder, barriers->same, barriers->arrivals[k], a) =
                    barriers_are_of_whole(encoder, barriers->arrivals[k], a)
                        ? barriers->done[a]
                        : backend_variable(encoder->backend, "phase", barriers->arrivals[k], a);
    }
    for (size_t i = 0; i < barriers->wait_count; i++) {
        const struct event *wait = barriers_event(encoder, barriers->waits[i]);
        barriers->passes[wait->id] =
            wait->barrier->quorum ? backend_variable(encoder->backend, "passes", wait->id, 0)
            : wait->barrier->arrival >= 0 ? barriers->done[wait->barrier->arrival]
                                          : LITERAL_FALSE;
    }
}

// A value of its own: what it is computed from may come to depend on it.
static const struct encoded_value *result_value(struct encoder *encoder, const struct event *wait) {
    if (wait->barrier->result->width == 1)
        return values_of_literal(encoder,
                                 backend_variable(encoder->backend, "reduced", wait->id, 0));
    size_t most = 0;
    for (size_t i = 0; i < encoder->program->barriers.phase_pair_count; i++)
        most += encoder->program->barriers.phase_pairs[i].wait == wait->id;
    if (most >= VALUE_CASES_MAX || wait->barrier->exchanges)
        return values_of_variable(encoder, wait->barrier->result->width, "reduced", wait->id);
    struct encoded_value *value = values_new(encoder, wait->barrier->result->width, most + 1);
    for (; value->count <= most; value->count++) {
        value->constants[value->count] = (struct bits128){value->count, 0};
        value->literals[value->count] =
            backend_variable(encoder->backend, "reduced", wait->id, (unsigned)value->count);
    }
    exactly_one_if(encoder, LITERAL_TRUE, value->literals, value->count);
    return value;
}

static void make_results(struct encoder *encoder) {
    struct barriers *barriers = encoder->barriers;
    for (size_t i = 0; i < barriers->wait_count; i++) {
        const struct event *wait = barriers_event(encoder, barriers->waits[i]);
        if (wait->barrier->result == NULL)
            continue;
        barriers->reduced[wait->id] = result_value(encoder, wait);
        barriers->reduced_undefs[wait->id] =
            expr_is_false(wait->barrier->reduced_undef)
                ? LITERAL_FALSE
                : backend_variable(encoder->backend, "undef", wait->id, 2);
    }
}

void barriers_prepare(struct encoder *encoder) {
    if (encoder->program->barriers.group_count == 0)
        return;
    struct barriers *barriers = ARENA_NEW(encoder->arena, struct barriers);
    encoder->barriers = barriers;
    collect_events(encoder);
    barriers->done = ARENA_ARRAY(encoder->arena, literal, encoder->n);
    barriers->lacks = ARENA_ARRAY(encoder->arena, literal, encoder->n);
    barriers->passes = ARENA_ARRAY(encoder->arena, literal, encoder->n);
    barriers->reduced = ARENA_ARRAY(encoder->arena, const struct encoded_value *, encoder->n);
    barriers->reduced_undefs = ARENA_ARRAY(encoder->arena, literal, encoder->n);
    make_phases(encoder);
    make_results(encoder);
}

// --- Counting ----------------------------------------------------------------------------------

void count_literals(struct encoder *encoder, const literal *literals, size_t count, literal *counts,
                    size_t most) {
    assert(literals != NULL || count == 0);
    assert(counts != NULL || count == 0);
    for (size_t k = 0; k <= most; k++)
        counts[k] = k == 0 ? LITERAL_TRUE : LITERAL_FALSE;
    for (size_t i = 0; i < count; i++)
        for (size_t k = most; k > 0; k--)
            if (literals[i] != LITERAL_FALSE && counts[k - 1] != LITERAL_FALSE)
                counts[k] = gate_or(encoder, counts[k],
                                    gate_and(encoder, counts[k - 1], literals[i], EXACT), EXACT);
}

// --- Phases ------------------------------------------------------------------------------------

// The arrivals that may share an arrival's phase.
static size_t find_partners(struct encoder *encoder, unsigned arrival, literal *same) {
    assert(arrival < encoder->n);
    const struct barriers *barriers = encoder->barriers;
    size_t count = 0;
    for (size_t i = 0; i < barriers->arrival_count; i++) {
        unsigned b = barriers->arrivals[i];
        literal l = b == arrival ? LITERAL_FALSE : barriers_in_one_phase(encoder, arrival, b);
        if (l != LITERAL_FALSE)
            same[count++] = l;
    }
    return count;
}

literal barriers_counts_to(struct encoder *encoder, const struct event *event, size_t count) {
    return encode_value_is(encoder, encode_expr(encoder, event->barrier->count),
                           (struct bits128){count, 0});
}

// The phase of an arrival is of as many arrivals as its count says; or of fewer, if it is short.
// Some of them may be of threads that are left out.
static void constrain_size(struct encoder *encoder, unsigned arrival) {
    assert(arrival < encoder->n);
    const struct event *event = barriers_event(encoder, arrival);
    literal done = encoder->barriers->done[arrival], lacks = encoder->barriers->lacks[arrival];
    size_t joining = event->barrier->may_join;
    literal *same = allocate(3 * encoder->n + 4 + joining, sizeof *same);
    literal *at_least = same + encoder->n, *sizes = at_least + encoder->n + 2;
    size_t partners = find_partners(encoder, arrival, same), size_count = 0;
    bool all = barriers_counts_to(encoder, event, partners + 1 + joining) == LITERAL_TRUE;
    for (size_t i = 0; all && i < partners; i++)
        clause3(encoder, -done, lacks, same[i]);
    if (!all || lacks != LITERAL_FALSE)
        count_literals(encoder, same, partners, at_least, partners + 1);
    for (size_t size = 1; (!all || lacks != LITERAL_FALSE) && size <= partners + 1 + joining;
         size++) {
        literal counts = barriers_counts_to(encoder, event, size);
        size_t fewest = size > joining + 1 ? size - joining - 1 : 0; // besides the arrival
        clause4(encoder, -done, -counts, lacks, at_least[fewest]);
        if (size <= partners)
            clause4(encoder, -done, -counts, lacks, -at_least[size]);
        clause3(encoder, -lacks, -counts, -at_least[fewest]);
        sizes[size_count++] = counts;
    }
    sizes[size_count++] = -done;
    sizes[size_count++] = lacks;
    if (!all)
        backend_clause(encoder->backend, sizes, size_count);
    free(same);
}

// --- Short phases ------------------------------------------------------------------------------

static bool is_member(const struct encoder *encoder, const struct event *event, size_t thread) {
    const struct program *program = encoder->program;
    return program->barriers.members[event->barrier->group * program->test->thread_count + thread];
}

// Whether a thread has an arrival in the phase of this one.
static literal is_in_phase(struct encoder *encoder, unsigned arrival, size_t thread) {
    assert(arrival < encoder->n);
    const struct barriers *barriers = encoder->barriers;
    struct disjunction d = {0};
    for (size_t i = 0; i < barriers->arrival_count; i++)
        if ((size_t)barriers_event(encoder, barriers->arrivals[i])->thread == thread)
            disjunction_add(&d, barriers_in_one_phase(encoder, arrival, barriers->arrivals[i]));
    return disjunction_close(encoder, &d, EXACT, "in", arrival, (unsigned)thread);
}

literal barriers_count_fits(struct encoder *encoder, const struct event *arrival) {
    assert(event_is_arrival(arrival));
    struct disjunction d = {0};
    size_t members = 0;
    for (size_t t = 0; t < encoder->program->test->thread_count; t++)
        if (is_member(encoder, arrival, t))
            disjunction_add(&d, barriers_counts_to(encoder, arrival, ++members));
    for (unsigned i = 0; i < arrival->barrier->left_out; i++)
        disjunction_add(&d, barriers_counts_to(encoder, arrival, ++members));
    return disjunction_close(encoder, &d, EXACT, "fits", arrival->id, 0);
}

literal barriers_gone(struct encoder *encoder, unsigned arrival, size_t thread) {
    assert(arrival < encoder->n);
    const struct barriers *barriers = encoder->barriers;
    struct disjunction d = {0};
    disjunction_add(&d, -encode_condition(encoder, encoder->program->thread_ends[thread]));
    for (size_t i = 0; i < barriers->arrival_count; i++) {
        const struct event *other = barriers_event(encoder, barriers->arrivals[i]);
        if ((size_t)other->thread == thread &&
            facts_may_share_barrier(barriers_event(encoder, arrival), other))
            disjunction_add(&d, encode_executes(encoder, other->id),
                            barriers_at_one(encoder, arrival, other->id),
                            -barriers->done[other->id]);
    }
    return -disjunction_close(encoder, &d, EXACT, "stays", arrival, (unsigned)thread);
}

bool barriers_may_lack(const struct encoder *encoder, unsigned arrival, size_t thread) {
    assert(arrival < encoder->n);
    const struct event *event = barriers_event(encoder, arrival);
    return event->barrier->may_be_short && (size_t)event->thread != thread &&
           is_member(encoder, event, thread);
}

// A short phase lacks only threads that have exited, with all of their arrivals in other phases:
// earlier ones, see step_to_short.
static void constrain_short(struct encoder *encoder, unsigned arrival) {
    assert(arrival < encoder->n);
    const struct barriers *barriers = encoder->barriers;
    literal lacks = barriers->lacks[arrival];
    if (lacks == LITERAL_FALSE)
        return;
    clause2(encoder, -lacks, barriers->done[arrival]);
    clause2(encoder, -lacks, barriers_count_fits(encoder, barriers_event(encoder, arrival)));
    for (size_t t = 0; t < encoder->program->test->thread_count; t++)
        if (barriers_may_lack(encoder, arrival, t))
            clause3(encoder, -lacks, is_in_phase(encoder, arrival, t),
                    barriers_gone(encoder, arrival, t));
}

// --- Pairs of arrivals -------------------------------------------------------------------------

static void constrain_pair(struct encoder *encoder, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    const struct barriers *barriers = encoder->barriers;
    const struct event *x = barriers_event(encoder, a), *y = barriers_event(encoder, b);
    literal same = barriers_in_one_phase(encoder, a, b);
    if (same == LITERAL_FALSE)
        return;
    clause2(encoder, -same, barriers->done[a]);
    clause2(encoder, -same, barriers->done[b]);
    clause2(encoder, -same, barriers_at_one(encoder, a, b));
    clause2(encoder, -same, equal(encoder, x->barrier->count, y->barrier->count));
    clause3(encoder, -same, -barriers->lacks[a], barriers->lacks[b]);
    clause3(encoder, -same, barriers->lacks[a], -barriers->lacks[b]);
    for (size_t i = 0; i < barriers->arrival_count; i++) {
        unsigned c = barriers->arrivals[i];
        literal next = c == a || c == b ? LITERAL_FALSE : barriers_in_one_phase(encoder, b, c);
        if (next != LITERAL_FALSE)
            clause3(encoder, -same, -next, barriers_in_one_phase(encoder, a, c));
        next = c == a || c == b ? LITERAL_FALSE : barriers_in_one_phase(encoder, a, c);
        if (next != LITERAL_FALSE)
            clause3(encoder, -same, -next, barriers_in_one_phase(encoder, b, c));
    }
}

bool barriers_is_earlier(const struct encoder *encoder, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    const struct event *x = barriers_event(encoder, a), *y = barriers_event(encoder, b);
    return x->thread == y->thread && x->position < y->position && facts_may_share_barrier(x, y) &&
           relation_has(&encoder->facts->together, a, b);
}

// What is earlier at the barrier is in an earlier phase.
static void constrain_earlier(struct encoder *encoder, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    const struct barriers *barriers = encoder->barriers;
    if (barriers_is_earlier(encoder, a, b))
        clause4(encoder, -barriers->done[b], -encode_executes(encoder, a),
                -barriers_at_one(encoder, a, b), barriers->done[a]);
}

// --- The order of phases -----------------------------------------------------------------------

// How many arrivals of its thread may be before this one at its barrier.
static size_t level(const struct encoder *encoder, unsigned arrival) {
    assert(arrival < encoder->n);
    const struct barriers *barriers = encoder->barriers;
    size_t level = 0;
    for (size_t i = 0; i < barriers->arrival_count; i++)
        level += barriers_is_earlier(encoder, barriers->arrivals[i], arrival);
    return level;
}

// Where the arrivals that may share a phase are all of one level, the levels are an order.
static bool levels_order_phases(struct encoder *encoder) {
    const struct barriers *barriers = encoder->barriers;
    for (size_t i = 0; i < barriers->arrival_count; i++) {
        if (barriers->lacks[barriers->arrivals[i]] != LITERAL_FALSE)
            return false;
        for (size_t k = 0; k < i; k++) {
            unsigned a = barriers->arrivals[k], b = barriers->arrivals[i];
            if (barriers_in_one_phase(encoder, a, b) != LITERAL_FALSE &&
                level(encoder, a) != level(encoder, b))
                return false;
        }
    }
    return true;
}

// The step from an arrival into the phase of a later one of its thread at the barrier, through
// something of that phase: FALSE where there is none.
static literal step_to_later(struct encoder *encoder, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    const struct barriers *barriers = encoder->barriers;
    struct disjunction d = {0};
    for (size_t i = 0; i < barriers->arrival_count; i++) {
        unsigned later = barriers->arrivals[i];
        if (!barriers_is_earlier(encoder, a, later))
            continue;
        literal together =
            later == b ? barriers->done[b] : barriers_in_one_phase(encoder, later, b);
        disjunction_add(&d, barriers->done[a], barriers_at_one(encoder, a, later), together);
    }
    return disjunction_close(encoder, &d, OVER, "later", a, b);
}

// The step from an arrival to the short phase of another, which its thread is not in.
static literal step_to_short(struct encoder *encoder, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    const struct barriers *barriers = encoder->barriers;
    const struct event *x = barriers_event(encoder, a), *y = barriers_event(encoder, b);
    if (barriers->lacks[b] == LITERAL_FALSE || x->thread == y->thread ||
        !facts_may_share_barrier(x, y))
        return LITERAL_FALSE;
    struct disjunction d = {0};
    disjunction_add(&d, encode_executes(encoder, a), barriers->lacks[b],
                    barriers_at_one(encoder, a, b), -is_in_phase(encoder, b, (size_t)x->thread));
    return disjunction_close(encoder, &d, OVER, "before", a, b);
}

static void order_phases(struct encoder *encoder) {
    const struct barriers *barriers = encoder->barriers;
    size_t n = barriers->arrival_count;
    literal *edges = allocate(n * n, sizeof *edges);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            unsigned a = barriers->arrivals[i], b = barriers->arrivals[k];
            literal step =
                gate_or(encoder, step_to_later(encoder, a, b), step_to_short(encoder, a, b), OVER);
            if (i == k)
                clause1(encoder, -step);
            else
                edges[i * n + k] = step == LITERAL_FALSE ? 0 : step;
        }
    acyclic_require(encoder, barriers->arrivals, n, edges, LITERAL_TRUE);
    free(edges);
}

// --- Quorums -----------------------------------------------------------------------------------

// An arrival of the set that releases a wait if that one passes.
static literal offers(struct encoder *encoder, const struct phase_pair *pair) {
    return gate_and(encoder, encoder->barriers->done[pair->arrival],
                    barriers_at_one(encoder, pair->arrival, pair->wait), EXACT);
}

// At least as many of the literals hold as the wait's count says.
static literal reaches_count(struct encoder *encoder, const struct event *wait,
                             const literal *literals, size_t count) {
    assert(event_is_wait(wait));
    assert(literals != NULL || count == 0);
    literal *at_least = allocate(count + 2, sizeof *at_least);
    struct disjunction d = {0};
    count_literals(encoder, literals, count, at_least, count);
    for (size_t k = 1; k <= count; k++)
        disjunction_add2(&d, barriers_counts_to(encoder, wait, k), at_least[k]);
    free(at_least);
    return disjunction_close(encoder, &d, EXACT, "quorum", wait->id, 0);
}

literal barriers_has_enough(struct encoder *encoder, const struct event *wait,
                            literal (*find)(struct encoder *, const struct phase_pair *)) {
    assert(event_is_wait(wait));
    const struct program *program = encoder->program;
    literal *literals = allocate(program->barriers.phase_pair_count + 1, sizeof *literals);
    size_t count = 0;
    for (size_t i = 0; i < program->barriers.phase_pair_count; i++)
        if (program->barriers.phase_pairs[i].wait == wait->id)
            literals[count++] = find(encoder, &program->barriers.phase_pairs[i]);
    literal enough = reaches_count(encoder, wait, literals, count);
    free(literals);
    return enough;
}

static void constrain_quorum(struct encoder *encoder, const struct event *wait) {
    assert(event_is_wait(wait));
    literal passes = encoder->barriers->passes[wait->id];
    literal enough = barriers_has_enough(encoder, wait, offers);
    literal executes = encode_executes(encoder, wait->id);
    clause2(encoder, -passes, executes);
    clause2(encoder, -passes, enough);
    clause3(encoder, passes, -executes, -enough);
}

// --- Reasons to pass ---------------------------------------------------------------------------

literal barriers_passes(struct encoder *encoder, unsigned wait) {
    assert(wait < encoder->n);
    return encoder->barriers->passes[wait];
}

literal barriers_phase_pair(struct encoder *encoder, unsigned pair) {
    const struct phase_pair *m = &encoder->program->barriers.phase_pairs[pair];
    const struct event *wait = barriers_event(encoder, m->wait);
    literal with =
        wait->barrier->quorum
            ? gate_and(encoder, offers(encoder, m), encoder->barriers->passes[wait->id], EXACT)
            : barriers_in_one_phase(encoder, m->arrival, (unsigned)wait->barrier->arrival);
    return gate_and(encoder, with, encode_executes(encoder, wait->id), EXACT);
}

static bool is_next(const struct encoder *encoder, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    const struct event *x = barriers_event(encoder, a), *y = barriers_event(encoder, b);
    if (x->kind != EVENT_BARRIER || y->kind != EVENT_BARRIER || x->thread != y->thread ||
        x->position >= y->position)
        return false;
    for (unsigned e = a; e < b; e++)
        if (barriers_event(encoder, e)->kind == EVENT_BARRIER &&
            barriers_event(encoder, e)->position > x->position &&
            barriers_event(encoder, e)->position < y->position)
            return false;
    return true;
}

literal barriers_exit(struct encoder *encoder, const struct barrier_exit *exit) {
    const struct barriers *barriers = encoder->barriers;
    const struct event *released = barriers_event(encoder, exit->released);
    literal lacks = LITERAL_TRUE, without = LITERAL_TRUE;
    struct disjunction d = {0};
    if (barriers_event(encoder, (unsigned)released->barrier->arrival)->barrier->may_be_short) {
        lacks = barriers->lacks[released->barrier->arrival];
        without = -is_in_phase(encoder, (unsigned)released->barrier->arrival, (size_t)exit->thread);
    }
    disjunction_add(&d, encode_condition(encoder, exit->condition),
                    encode_executes(encoder, exit->released), barriers->passes[exit->released],
                    lacks, without);
    return disjunction_close(encoder, &d, EXACT, "exit", (unsigned)exit->thread, exit->released);
}

static void set_edge(literal *edges, size_t n, unsigned a, unsigned b, literal l,
                     struct encoder *encoder) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    literal *edge = &edges[a * n + b];
    if (l == LITERAL_FALSE || *edge == LITERAL_TRUE)
        return;
    *edge = *edge == 0 ? l : gate_or(encoder, *edge, l, OVER);
}

// From each wait of the thread that exits to the one that is released.
static void add_exit_edges(struct encoder *encoder, literal *edges,
                           const struct barrier_exit *exit) {
    const struct barriers *barriers = encoder->barriers;
    literal exits = barriers_exit(encoder, exit);
    for (size_t i = 0; i < barriers->wait_count; i++) {
        const struct event *wait = barriers_event(encoder, barriers->waits[i]);
        if (wait->thread == exit->thread)
            set_edge(edges, encoder->n, wait->id, exit->released,
                     gate_and(encoder, exits, encode_executes(encoder, wait->id), OVER), encoder);
    }
}

// Program order, phase pairs and exits have no cycle. Program order between events of which one
// does not execute adds no order: what comes before it is before what comes after it.
static void require_reasons(struct encoder *encoder) {
    const struct program *program = encoder->program;
    size_t n = encoder->n;
    literal *edges = allocate(n * n, sizeof *edges);
    unsigned *events = allocate(n, sizeof *events);
    for (unsigned a = 0; a < n; a++) {
        events[a] = a;
        for (unsigned b = a + 1; b < n; b++)
            if (is_next(encoder, a, b))
                edges[a * n + b] = LITERAL_TRUE;
    }
    for (unsigned i = 0; i < program->barriers.phase_pair_count; i++)
        if (program->events[program->barriers.phase_pairs[i].arrival].thread !=
            program->events[program->barriers.phase_pairs[i].wait].thread)
            set_edge(edges, n, program->barriers.phase_pairs[i].arrival,
                     program->barriers.phase_pairs[i].wait, barriers_phase_pair(encoder, i),
                     encoder);
    for (size_t i = 0; i < program->barriers.exit_count; i++)
        add_exit_edges(encoder, edges, &program->barriers.exits[i]);
    acyclic_require(encoder, events, n, edges, LITERAL_TRUE);
    free(events);
    free(edges);
}

// --- Results -----------------------------------------------------------------------------------

const struct encoded_value *barriers_reduced(struct encoder *encoder, unsigned wait) {
    assert(wait < encoder->n);
    return encoder->barriers->reduced[wait];
}

literal barriers_reduced_undef(struct encoder *encoder, unsigned wait) {
    assert(wait < encoder->n);
    return encoder->barriers->reduced_undefs[wait];
}

// Ties the result of a bar.red to what it is computed from, where the wait passes.
static void constrain_result(struct encoder *encoder, const struct event *wait) {
    assert(event_is_wait(wait));
    const struct barriers *barriers = encoder->barriers;
    if (wait->barrier->result == NULL)
        return;
    literal when =
        gate_and(encoder, encode_executes(encoder, wait->id), barriers->passes[wait->id], EXACT);
    values_equate(encoder, &when, 1, barriers->reduced[wait->id],
                  encode_expr(encoder, wait->barrier->reduced));
    literal undef = barriers->reduced_undefs[wait->id];
    literal computed = encode_condition(encoder, wait->barrier->reduced_undef);
    clause3(encoder, -when, -undef, computed);
    clause3(encoder, -when, undef, -computed);
}

// --- All ---------------------------------------------------------------------------------------

static void constrain_phases(struct encoder *encoder) {
    const struct barriers *barriers = encoder->barriers;
    for (size_t i = 0; i < barriers->arrival_count; i++) {
        unsigned a = barriers->arrivals[i];
        clause2(encoder, -barriers->done[a], encode_executes(encoder, a));
        if (barriers_event(encoder, a)->barrier->quorum)
            continue;
        if (barriers->whole[a] < 0)
            constrain_size(encoder, a);
        constrain_short(encoder, a);
        for (size_t k = 0; k < i; k++) {
            if (!barriers_are_of_whole(encoder, barriers->arrivals[k], a))
                constrain_pair(encoder, barriers->arrivals[k], a);
            constrain_earlier(encoder, barriers->arrivals[k], a);
        }
    }
    if (!levels_order_phases(encoder))
        order_phases(encoder);
}

void barriers_constrain(struct encoder *encoder) {
    const struct barriers *barriers = encoder->barriers;
    if (barriers == NULL)
        return;
    constrain_phases(encoder);
    for (size_t i = 0; i < barriers->wait_count; i++) {
        const struct event *wait = barriers_event(encoder, barriers->waits[i]);
        if (wait->barrier->quorum)
            constrain_quorum(encoder, wait);
        constrain_result(encoder, wait);
    }
    require_reasons(encoder);
}
