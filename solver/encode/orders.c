// The orders that the solver chooses (co, sc), what follows from them (fr), and the literals of all
// base relations.

#include "solver/encode/barriers.h"
#include "solver/encode/gates.h"
#include "solver/encode/memory.h"
#include "solver/encode/turns.h"

#include "litmus/source/allocate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// --- Coherence ---------------------------------------------------------------------------------

literal encode_co(struct encoder *encoder, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    if (!relation_has(&encoder->facts->may[BASE_REL_CO], a, b))
        return LITERAL_FALSE;
    if (relation_has(&encoder->facts->must[BASE_REL_CO], a, b))
        return both_execute(encoder, a, b);
    if (encoder->program->events[a].kind == EVENT_INIT) // initial writes are first
        return base_pair(encoder, BASE_REL_LOC, a, b, EXACT);
    if (a > b && turns_share(encoder, a, b)) // one of the two is before the other
        return -*pair_table_at(encoder, encoder->co, b, a);
    return *pair_table_at(encoder, encoder->co, a, b);
}

// Where operations take turns, a variable says which of two writes is before the other.
static literal turn_variable(struct encoder *encoder, unsigned a, unsigned b) {
    struct turns *turns = encoder->turns;
    literal variable = backend_variable(encoder->backend, "co", a, b);
    if (backend_failed(encoder->backend))
        return variable;
    if (turns->pair_count == 0)
        turns->first_variable = variable;
    size_t at = (size_t)(variable - turns->first_variable), size = sizeof *turns->pairs;
    if (at >= turns->pair_count) {
        size_t count = at * 2 + 64;
        struct co_pair *pairs = ARENA_ARRAY(encoder->arena, struct co_pair, count);
        if (turns->pair_count != 0)
            memcpy(pairs, turns->pairs, turns->pair_count * size);
        turns->pairs = pairs;
        turns->pair_count = count;
    }
    turns->pairs[at] = (struct co_pair){a, b};
    return variable;
}

// co relates writes that execute and overlap.
static void co_variable(struct encoder *encoder, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    if (turns_share(encoder, a, b)) {
        unsigned low = a < b ? a : b, high = a < b ? b : a;
        literal *known = pair_table_at(encoder, encoder->co, low, high);
        *known = *known != 0 ? *known : turn_variable(encoder, low, high);
        if (!relation_has(&encoder->facts->may[BASE_REL_CO], b, a))
            clause1(encoder, encode_co(encoder, a, b));
        return;
    }
    literal variable = backend_variable(encoder->backend, "co", a, b);
    *pair_table_at(encoder, encoder->co, a, b) = variable;
    clause2(encoder, -variable, base_pair(encoder, BASE_REL_LOC, a, b, EXACT));
}

// Two writes that may be in co, the first not an initial one.
static bool may_be_ordered(const struct encoder *encoder, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    return relation_has(&encoder->facts->may[BASE_REL_CO], a, b) &&
           encoder->program->events[a].kind == EVENT_WRITE;
}

static bool is_chosen(const struct encoder *encoder, unsigned a, unsigned b) {
    return may_be_ordered(encoder, a, b) && !relation_has(&encoder->facts->must[BASE_REL_CO], a, b);
}

// Whether, where a is before b for sure, another write between them passes on what follows for
// `other`: it executes when they do, and has a byte in common with `other`.
static bool is_passed_on(const struct encoder *encoder, unsigned a, unsigned b, unsigned other) {
    const struct facts *facts = encoder->facts;
    const struct relation *must = &facts->must[BASE_REL_CO];
    if (!relation_has(must, a, b))
        return false;
    for (unsigned between = 0; between < encoder->n; between++)
        if (relation_has(must, a, between) && relation_has(must, between, b) && between != other &&
            relation_has(&facts->must[BASE_REL_LOC], between, other) &&
            (relation_has(&facts->implies, a, between) ||
             relation_has(&facts->implies, b, between)))
            return true;
    return false;
}

// Where one of any two is before the other, the clauses for a, b, c and for b, c, a are the same.
static bool is_said_of_others(const struct encoder *encoder, unsigned a, unsigned b, unsigned c) {
    const struct relation *must = &encoder->facts->must[BASE_REL_CO];
    return (a > b || a > c) && turns_share(encoder, a, b) && turns_share(encoder, a, c) &&
           !relation_has(must, a, b) && !relation_has(must, b, c) && !relation_has(must, a, c) &&
           !relation_has(must, b, a) && !relation_has(must, c, b) && !relation_has(must, c, a);
}

// Overlapping is needed for the conclusion: co is transitive among writes of common bytes. Where c
// is before a for sure, the clause for b, c and a says it.
static void co_transitive(struct encoder *encoder, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    const struct relation *must = &encoder->facts->must[BASE_REL_CO];
    for (unsigned c = 0; c < encoder->n; c++)
        if (c != a && c != b && may_be_ordered(encoder, b, c) &&
            !is_said_of_others(encoder, a, b, c) &&
            relation_has(&encoder->facts->may[BASE_REL_LOC], a, c) && !relation_has(must, a, c) &&
            !relation_has(must, c, a) && !is_passed_on(encoder, a, b, c) &&
            !is_passed_on(encoder, b, c, a))
            clause4(encoder, -encode_co(encoder, a, b), -encode_co(encoder, b, c),
                    -base_pair(encoder, BASE_REL_LOC, a, c, EXACT), encode_co(encoder, a, c));
}

void orders_prepare(struct encoder *encoder) {
    encoder->co = pair_table_new(encoder);
    encoder->sc = pair_table_new(encoder);
    // First of operations that take turns: what these read follows from their order, and so may
    // whether other writes execute.
    for (int apart = 0; apart <= 1; apart++)
        for (unsigned a = 0; a < encoder->n; a++)
            for (unsigned b = 0; b < encoder->n; b++)
                if (is_chosen(encoder, a, b) && turns_share(encoder, a, b) == !apart)
                    co_variable(encoder, a, b);
    // Of initial writes, since models are decoded from this: whether a write executes may depend on
    // values that follow from the variables above.
    for (unsigned a = 0; a < encoder->n; a++)
        for (unsigned b = 0; b < encoder->n; b++)
            if (!is_chosen(encoder, a, b))
                encode_co(encoder, a, b);
    for (unsigned a = 0; a < encoder->n; a++)
        for (unsigned b = 0; b < encoder->n && !backend_failed(encoder->backend); b++)
            if (may_be_ordered(encoder, a, b)) {
                if (a < b && !turns_share(encoder, a, b))
                    clause2(encoder, -encode_co(encoder, a, b), -encode_co(encoder, b, a));
                co_transitive(encoder, a, b);
            }
}

// --- Operations that take turns ----------------------------------------------------------------

literal orders_turn(struct encoder *encoder, unsigned a, unsigned b) {
    unsigned x = turns_write(encoder, a), y = turns_write(encoder, b);
    return x == y ? LITERAL_FALSE : encode_co(encoder, x, y);
}

// Whether a literal says that one write of such a cell is co-before another.
static bool is_co(const struct encoder *encoder, literal l, struct co_pair *pair) {
    const struct turns *turns = encoder->turns;
    literal variable = l < 0 ? -l : l;
    if (turns->pair_count == 0 || variable < turns->first_variable ||
        (size_t)(variable - turns->first_variable) >= turns->pair_count)
        return false;
    const struct co_pair *found = &turns->pairs[variable - turns->first_variable];
    *pair = l < 0 ? (struct co_pair){found->b, found->a} : *found;
    return found->a != found->b; // the variables in between are of something else
}

// Whether the one pair is in co only if the other is.
static bool pair_implies(const struct encoder *encoder, struct co_pair p, struct co_pair q) {
    const struct relation *must = &encoder->facts->must[BASE_REL_CO];
    return (p.a == q.a || relation_has(must, q.a, p.a)) &&
           (p.b == q.b || relation_has(must, p.b, q.b));
}

void orders_shorten(struct encoder *encoder, struct disjunction *d) {
    if (encoder->turns->pair_count == 0 || d->holds || d->count < 2)
        return;
    struct co_pair *pairs = allocate(d->count, sizeof *pairs);
    bool *is_pair = allocate(d->count, sizeof *is_pair);
    for (size_t i = 0; i < d->count; i++) {
        size_t start = i == 0 ? 0 : d->ends[i - 1];
        is_pair[i] = d->ends[i] == start + 1 && is_co(encoder, d->literals[start], &pairs[i]);
    }
    size_t kept = 0, literals = 0, start = 0;
    for (size_t i = 0; i < d->count; i++) {
        size_t end = d->ends[i];
        bool dropped = false;
        for (size_t k = 0; is_pair[i] && k < d->count && !dropped; k++)
            dropped = k != i && is_pair[k] && pair_implies(encoder, pairs[i], pairs[k]);
        is_pair[i] = is_pair[i] && !dropped; // nothing else is dropped for what is dropped itself
        for (size_t k = start; k < end && !dropped; k++)
            d->literals[literals++] = d->literals[k];
        if (!dropped)
            d->ends[kept++] = literals;
        start = end;
    }
    d->count = kept;
    d->literal_count = literals;
    free(pairs);
    free(is_pair);
}

// --- The order of fence.sc ---------------------------------------------------------------------

// One variable orders a pair, executed or not; that there are no cycles comes with orders_finish.
static literal sc_before(struct encoder *encoder, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    unsigned low = a < b ? a : b, high = a < b ? b : a;
    literal *known = pair_table_at(encoder, encoder->sc, low, high);
    if (*known == 0) {
        *known = backend_variable(encoder->backend, "sc", low, high);
        encoder->sc_open = true;
    }
    return a < b ? *known : -*known;
}

literal orders_sc(struct encoder *encoder, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    return gate_and(encoder, sc_before(encoder, a, b), both_execute(encoder, a, b), EXACT);
}

// The pairs in use make up a graph. Its fences are taken out one after the other, and the
// neighbours of each ordered among themselves: an order of a graph that is complete in this way
// (chordal) has a cycle only if three of its fences have one (Bryant and Velev, "Boolean
// satisfiability with transitivity constraints", 2002). A ring of n fences needs n - 3 pairs more,
// not all.
struct sc_graph {
    unsigned *neighbours; // of the fence that is taken out
    size_t *degrees;      // by fence, to fences that are left
    bool *gone;
};

static bool sc_is_edge(const struct encoder *encoder, unsigned a, unsigned b) {
    const literal *row = encoder->sc->rows[a < b ? a : b];
    return a != b && row != NULL && row[a < b ? b : a] != 0;
}

static unsigned sc_fewest_neighbours(const struct encoder *encoder, const struct sc_graph *graph) {
    unsigned fewest = encoder->n;
    for (unsigned a = 0; a < encoder->n; a++)
        if (!graph->gone[a] && graph->degrees[a] != 0 &&
            (fewest == encoder->n || graph->degrees[a] < graph->degrees[fewest]))
            fewest = a;
    return fewest;
}

static void sc_triangle(struct encoder *encoder, unsigned a, unsigned b, unsigned c) {
    literal ab = sc_before(encoder, a, b), bc = sc_before(encoder, b, c),
            ca = sc_before(encoder, c, a);
    clause3(encoder, -ab, -bc, -ca);
    clause3(encoder, ab, bc, ca);
}

static void sc_take_out(struct encoder *encoder, struct sc_graph *graph, unsigned fence) {
    size_t count = 0;
    graph->gone[fence] = true;
    for (unsigned b = 0; b < encoder->n; b++)
        if (!graph->gone[b] && sc_is_edge(encoder, fence, b)) {
            graph->neighbours[count++] = b;
            graph->degrees[b]--;
        }
    for (size_t i = 0; i < count && !backend_failed(encoder->backend); i++)
        for (size_t k = 0; k < i; k++) {
            unsigned a = graph->neighbours[i], b = graph->neighbours[k];
            bool is_new = !sc_is_edge(encoder, a, b);
            sc_triangle(encoder, fence, a, b);
            graph->degrees[a] += is_new;
            graph->degrees[b] += is_new;
        }
}

void orders_finish(struct encoder *encoder) {
    if (!encoder->sc_open)
        return;
    struct sc_graph graph = {allocate(encoder->n, sizeof *graph.neighbours),
                             allocate(encoder->n, sizeof *graph.degrees),
                             allocate(encoder->n, sizeof *graph.gone)};
    for (unsigned a = 0; a < encoder->n; a++)
        for (unsigned b = 0; b < encoder->n; b++)
            graph.degrees[a] += sc_is_edge(encoder, a, b);
    for (unsigned next; (next = sc_fewest_neighbours(encoder, &graph)) != encoder->n &&
                        !backend_failed(encoder->backend);)
        sc_take_out(encoder, &graph, next);
    free(graph.neighbours);
    free(graph.degrees);
    free(graph.gone);
    encoder->sc_open = false;
}

// False for pairs that were never asked for.
static literal encode_sc_if_known(struct encoder *encoder, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    unsigned low = a < b ? a : b, high = a < b ? b : a;
    literal known = encoder->sc->rows[low] == NULL ? 0 : encoder->sc->rows[low][high];
    return known == 0 ? false_unless_known(encoder, known) : a < b ? known : -known;
}

// --- From-read ---------------------------------------------------------------------------------

literal orders_fr(struct encoder *encoder, unsigned read, unsigned write, enum polarity polarity) {
    assert(read < encoder->n);
    assert(write < encoder->n);
    const struct event_state *state = &encoder->events[read];
    struct disjunction d = {0};
    if (turns_share(encoder, read, write)) // it reads from the predecessor of its own write
        return turns_write(encoder, read) == write ? LITERAL_TRUE
                                                   : orders_turn(encoder, read, write);
    for (size_t i = 0; i < state->touch_count; i++) {
        const struct origins *origins = &state->reads[i];
        if (!memory_may_touch(encoder, write, origins->cell))
            continue;
        literal touches = memory_touches(encoder, write, origins->cell);
        for (size_t k = 0; k < origins->count; k++)
            disjunction_add(&d, origins->items[k].taken, touches,
                            encode_co(encoder, origins->items[k].write, write));
    }
    return disjunction_close(encoder, &d, polarity, "fr", read, write);
}

static literal encode_rf(struct encoder *encoder, unsigned write, unsigned read,
                         enum polarity polarity) {
    assert(write < encoder->n);
    assert(read < encoder->n);
    const struct event_state *state = &encoder->events[read];
    struct disjunction d = {0};
    for (size_t i = 0; i < state->touch_count; i++)
        for (size_t k = 0; k < state->reads[i].count; k++)
            if (state->reads[i].items[k].write == write)
                disjunction_add(&d, state->reads[i].items[k].taken);
    return disjunction_close(encoder, &d, polarity, "rf", write, read);
}

// --- Base relations ----------------------------------------------------------------------------

// Whether two accesses touch as the relation says, for addresses that are not static.
static literal encode_contact(struct encoder *encoder, enum base_relation relation, unsigned a,
                              unsigned b) {
    assert((unsigned)relation < BASE_REL_COUNT);
    assert(a < encoder->n);
    assert(b < encoder->n);
    const struct event *x = &encoder->program->events[a], *y = &encoder->program->events[b];
    literal both = both_execute(encoder, a, b);
    struct disjunction d = {0};
    if (backend_failed(encoder->backend)) // a pair may have a million pairs of places
        return LITERAL_NONE;
    for (size_t i = 0; i < x->candidate_count; i++)
        for (size_t k = 0; k < y->candidate_count; k++) {
            const struct candidate *p = &x->candidates[i], *q = &y->candidates[k];
            bool holds =
                facts_candidates_overlap(p, q) &&
                (relation == BASE_REL_LOC || p->range == q->range) &&
                (relation != BASE_REL_SAME_EXTENT || facts_candidates_same_extent(x, p, y, q));
            if (holds)
                disjunction_add(&d, both, encode_condition(encoder, p->condition),
                                encode_condition(encoder, q->condition));
        }
    return disjunction_close(encoder, &d, EXACT, "touch", a, b);
}

// Whether an access is what a proxy or restricted fence is about, for addresses that are not
// static.
static literal encode_applies_to(struct encoder *encoder, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    const struct event *fence = &encoder->program->events[a],
                       *access = &encoder->program->events[b];
    literal both = both_execute(encoder, a, b);
    struct disjunction d = {0};
    for (size_t i = 0; i < access->candidate_count; i++)
        for (size_t k = 0; k < (fence->candidate_count ? fence->candidate_count : 1); k++) {
            const struct candidate *range = fence->candidate_count ? &fence->candidates[k] : NULL;
            const struct candidate *at = &access->candidates[i];
            literal there = range ? encode_condition(encoder, range->condition) : LITERAL_TRUE;
            if (facts_fence_applies(encoder->program, fence, range, at))
                disjunction_add(&d, both, there, encode_condition(encoder, at->condition));
        }
    return disjunction_close(encoder, &d, EXACT, "applies-to", a, b);
}

static literal encode_dependency(struct encoder *encoder, const struct dependency_list *list,
                                 unsigned read, unsigned event) {
    assert(read < encoder->n);
    assert(event < encoder->n);
    struct disjunction d = {0};
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].event == read)
            disjunction_add2(&d, both_execute(encoder, read, event),
                             encode_condition(encoder, list->items[i].condition));
    return disjunction_close(encoder, &d, EXACT, "dep", read, event);
}

// The phase pair of an arrival and a wait.
static literal encode_barrier(struct encoder *encoder, unsigned arrival, unsigned wait) {
    assert(arrival < encoder->n);
    assert(wait < encoder->n);
    const struct program *program = encoder->program;
    for (unsigned i = 0; i < program->barriers.phase_pair_count; i++)
        if (program->barriers.phase_pairs[i].arrival == arrival &&
            program->barriers.phase_pairs[i].wait == wait)
            return barriers_phase_pair(encoder, i);
    return LITERAL_FALSE;
}

static bool has_read(const struct barrier_exit *exit, unsigned read) {
    for (size_t i = 0; i < exit->read_count; i++)
        if (exit->reads[i] == read)
            return true;
    return false;
}

static literal encode_exit(struct encoder *encoder, enum base_relation relation, unsigned event,
                           unsigned wait) {
    assert(event < encoder->n);
    assert(wait < encoder->n);
    const struct program *program = encoder->program;
    bool read = relation == BASE_REL_EXIT_DEP;
    struct disjunction d = {0};
    for (size_t i = 0; i < program->barriers.exit_count; i++) {
        const struct barrier_exit *exit = &program->barriers.exits[i];
        bool own = read ? has_read(exit, event) : exit->thread == program->events[event].thread;
        if (exit->released == wait && own)
            disjunction_add2(&d, encode_executes(encoder, event), barriers_exit(encoder, exit));
    }
    return disjunction_close(encoder, &d, EXACT, read ? "exit-dep" : "exit", event, wait);
}

static literal encode_base(struct encoder *encoder, enum base_relation relation, unsigned a,
                           unsigned b, enum polarity polarity) {
    assert((unsigned)relation < BASE_REL_COUNT);
    assert(a < encoder->n);
    assert(b < encoder->n);
    const struct event *second = &encoder->program->events[b];
    switch (relation) {
    case BASE_REL_LOC:
    case BASE_REL_VLOC:
    case BASE_REL_SAME_EXTENT: return encode_contact(encoder, relation, a, b);
    case BASE_REL_APPLIES_TO: return encode_applies_to(encoder, a, b);
    case BASE_REL_ADDR: return encode_dependency(encoder, &second->addr, a, b);
    case BASE_REL_DATA: return encode_dependency(encoder, &second->data, a, b);
    case BASE_REL_CTRL: return encode_dependency(encoder, &second->ctrl, a, b);
    case BASE_REL_DONE: return encode_dependency(encoder, &second->async->done, a, b);
    case BASE_REL_PASSED_DEP: return encode_dependency(encoder, &second->passed, a, b);
    case BASE_REL_OUTLIVES: return encode_dependency(encoder, &second->outlives, a, b);
    case BASE_REL_UNDERWAY: return encode_dependency(encoder, &second->underway, a, b);
    case BASE_REL_ALLOCATION: return encode_dependency(encoder, &second->allocations, a, b);
    case BASE_REL_MB_PHASE: return encode_dependency(encoder, &second->mbarrier->phases, a, b);
    case BASE_REL_MB_WAITED: return encode_dependency(encoder, &second->mbarrier->waited, a, b);
    case BASE_REL_MB_STATE_OF: return encode_dependency(encoder, &second->mbarrier->states, a, b);
    case BASE_REL_BROKEN:
        return gate_and(encoder, encode_executes(encoder, a),
                        encode_condition(encoder, second->broken), EXACT);
    case BASE_REL_MB_UNDEFINED:
        return gate_and(encoder, encode_executes(encoder, a),
                        encode_condition(encoder, second->mbarrier->undefined), EXACT);
    case BASE_REL_REGISTERS_UNDEFINED:
        return gate_and(encoder, encode_executes(encoder, a),
                        encode_condition(encoder, second->async->undefined), EXACT);
    case BASE_REL_CANCEL_FAILED:
        return gate_and(encoder, encode_executes(encoder, a),
                        encode_condition(encoder, second->async->failed), EXACT);
    case BASE_REL_RF: return encode_rf(encoder, a, b, polarity);
    case BASE_REL_CO: return encode_co(encoder, a, b);
    case BASE_REL_FR: return orders_fr(encoder, a, b, polarity);
    case BASE_REL_SC_ORDER: return orders_sc(encoder, a, b);
    case BASE_REL_BARRIER:
    case BASE_REL_PHASE: return encode_barrier(encoder, a, b);
    case BASE_REL_SAME_BARRIER:
        return gate_and(encoder, both_execute(encoder, a, b), barriers_at_one(encoder, a, b),
                        EXACT);
    case BASE_REL_SAME_PHASE: return barriers_in_one_phase(encoder, a, b);
    case BASE_REL_SAME_COUNT:
        return gate_and(encoder, base_pair(encoder, BASE_REL_SAME_BARRIER, a, b, EXACT),
                        barriers_counts_equal(encoder, a, b), EXACT);
    case BASE_REL_EXIT:
    case BASE_REL_EXIT_DEP: return encode_exit(encoder, relation, a, b);
    default: bug("base relation %d is not static", (int)relation);
    }
}

literal base_pair(struct encoder *encoder, enum base_relation relation, unsigned a, unsigned b,
                  enum polarity polarity) {
    assert((unsigned)relation < BASE_REL_COUNT);
    assert(a < encoder->n);
    assert(b < encoder->n);
    if (!relation_has(&encoder->facts->may[relation], a, b))
        return LITERAL_FALSE;
    if (relation_has(&encoder->facts->must[relation], a, b))
        return both_execute(encoder, a, b);
    unsigned side = polarity == UNDER ? 1 : 0;
    bool one_way = relation == BASE_REL_RF || relation == BASE_REL_FR;
    if (one_way && polarity == EXACT)
        return encode_base(encoder, relation, a, b, EXACT);
    struct pair_table **table = &encoder->base[relation][one_way ? side : 0];
    if (*table == NULL)
        *table = pair_table_new(encoder);
    literal known = *pair_table_at(encoder, *table, a, b);
    if (known == 0) {
        known = encode_base(encoder, relation, a, b, polarity);
        *pair_table_at(encoder, *table, a, b) = known;
    }
    return known;
}

literal encode_base_pair(struct encoder *encoder, enum base_relation relation, unsigned a,
                         unsigned b) {
    return base_pair(encoder, relation, a, b, EXACT);
}

// --- In models ---------------------------------------------------------------------------------

bool encode_co_in_model(struct encoder *encoder, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    return backend_literal_value(encoder->backend, encode_co(encoder, a, b));
}

bool encode_sc_in_model(struct encoder *encoder, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    return backend_literal_value(encoder->backend, encode_sc_if_known(encoder, a, b));
}
