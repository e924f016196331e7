// Threads that stay in loops for ever (struct stay): what the rounds that repeat must be like.
//
// The execution that is encoded is the beginning of an endless one, and its last rounds are
// repeated. All that is written in them comes after all else, and the rounds before them, which are
// the same, come in between. What a strong access writes becomes visible to strong accesses that it
// is meant for in finite time. So a round that is repeated for ever reads no write after which it
// would have to see a later one: it reads what is last, or where the rounds write, what they write,
// in the same round or last in the one before. (Then the next round is the same one once more: each
// of its reads takes its value from the next copy of the same write, and coherence order goes on in
// the same way; all that follows from it leads to later rounds or stays in one, so that there is no
// cycle that is not in these rounds already.)

#include "solver/encode/barriers.h"
#include "solver/encode/gates.h"
#include "solver/encode/memory.h"
#include "solver/encode/values.h"

#include <assert.h>

// By event: it is in the last round of a thread that stays, or in the one before.
struct rounds {
    struct encoder *encoder;
    literal *last, *before;
};

static literal stays(struct encoder *encoder, const struct stay *stay) {
    return encode_condition(encoder, stay->condition);
}

static literal in_round(struct encoder *encoder, size_t event, bool last) {
    const struct endings *endings = encoder->program->endings;
    struct disjunction d = {0};
    for (size_t i = 0; i < endings->stay_count; i++) {
        const struct stay *stay = &endings->stays[i];
        size_t begin = last ? stay->middle : stay->first, end = last ? stay->end : stay->middle;
        if (begin <= event && event < end)
            disjunction_add2(&d, stays(encoder, stay), encode_executes(encoder, (unsigned)event));
    }
    return disjunction_close(encoder, &d, EXACT, last ? "last" : "before", (unsigned)event, 0);
}

static void find_rounds(struct rounds *rounds, struct encoder *encoder) {
    rounds->encoder = encoder;
    rounds->last = ARENA_ARRAY(encoder->arena, literal, encoder->n);
    rounds->before = ARENA_ARRAY(encoder->arena, literal, encoder->n);
    for (size_t i = 0; i < encoder->n; i++) {
        rounds->last[i] = in_round(encoder, i, true);
        rounds->before[i] = in_round(encoder, i, false);
    }
}

// --- Two rounds are the same -------------------------------------------------------------------

static bool is_same_part(const struct event *a, const struct event *b) {
    return a->instruction == b->instruction && a->kind == b->kind &&
           event_is_wait(a) == event_is_wait(b);
}

// Which of the events from `begin` on an event is, among those of its instruction and kind.
static size_t ordinal(const struct program *program, size_t begin, size_t event) {
    size_t count = 0;
    for (size_t i = begin; i < event; i++)
        count += is_same_part(&program->events[i], &program->events[event]);
    return count;
}

// The event of another round that an event repeats, or is repeated by; -1 when it is not there.
static int find_twin(const struct program *program, size_t begin, size_t event, size_t other_begin,
                     size_t other_end) {
    size_t left = ordinal(program, begin, event);
    for (size_t i = other_begin; i < other_end; i++)
        if (is_same_part(&program->events[i], &program->events[event]) && left-- == 0)
            return (int)i;
    return -1;
}

static int twin_of_last(const struct encoder *encoder, const struct stay *stay, size_t event) {
    return find_twin(encoder->program, stay->middle, event, stay->first, stay->middle);
}

static void require_twins(struct encoder *encoder, literal stays, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    const struct event *x = &encoder->program->events[a], *y = &encoder->program->events[b];
    clause3(encoder, -stays, -encode_executes(encoder, a), encode_executes(encoder, b));
    clause3(encoder, -stays, encode_executes(encoder, a), -encode_executes(encoder, b));
    if (!event_is_access(x))
        return;
    literal equal[2] = {values_equal(encoder, encode_expr(encoder, x->access->value),
                                     encode_expr(encoder, y->access->value)),
                        x->address == y->address
                            ? LITERAL_TRUE
                            : values_equal(encoder, encode_expr(encoder, x->address),
                                           encode_expr(encoder, y->address))};
    for (unsigned i = 0; i < 2; i++)
        clause3(encoder, -stays, -encode_executes(encoder, a), equal[i]);
}

static void require_same(struct encoder *encoder, const struct stay *stay) {
    literal condition = stays(encoder, stay);
    if (stay->first == stay->middle)
        return;
    for (size_t i = stay->middle; i < stay->end; i++) {
        int twin = twin_of_last(encoder, stay, i);
        if (twin < 0)
            clause2(encoder, -condition, -encode_executes(encoder, (unsigned)i));
        else
            require_twins(encoder, condition, (unsigned)twin, (unsigned)i);
    }
    for (size_t i = stay->first; i < stay->middle; i++)
        if (find_twin(encoder->program, stay->first, i, stay->middle, stay->end) < 0)
            clause2(encoder, -condition, -encode_executes(encoder, (unsigned)i));
}

// --- What is written in them -------------------------------------------------------------------

static bool is_write(const struct encoder *encoder, size_t event) {
    return facts_is_write(&encoder->program->events[event]);
}

// Rounds that repeat write after all else, the last ones after those before.
static void order_writes(const struct rounds *rounds) {
    struct encoder *encoder = rounds->encoder;
    for (unsigned a = 0; a < encoder->n; a++)
        for (unsigned b = 0; b < encoder->n; b++) {
            if (a == b || !is_write(encoder, a) || !is_write(encoder, b))
                continue;
            literal co = encode_co(encoder, a, b);
            if (co == LITERAL_FALSE)
                continue;
            clause3(encoder, -co, -rounds->last[a], rounds->last[b]);
            clause4(encoder, -co, -rounds->before[a], rounds->before[b], rounds->last[b]);
        }
}

// Writes of two threads are in the same order in the rounds of either kind.
static void repeat_order(struct encoder *encoder, const struct stay *x, const struct stay *y) {
    for (size_t a = x->middle; a < x->end; a++)
        for (size_t b = y->middle; b < y->end; b++) {
            int first = is_write(encoder, a) ? twin_of_last(encoder, x, a) : -1;
            int second = is_write(encoder, b) ? twin_of_last(encoder, y, b) : -1;
            if (first < 0 || second < 0)
                continue;
            literal co = encode_co(encoder, (unsigned)a, (unsigned)b);
            literal before = encode_co(encoder, (unsigned)first, (unsigned)second);
            literal both = gate_and(encoder, stays(encoder, x), stays(encoder, y), OVER);
            clause3(encoder, -both, -co, before);
            clause3(encoder, -both, co, -before);
        }
}

// --- What is read in them ----------------------------------------------------------------------

static bool contains(const struct encoder *encoder, const struct event *from,
                     const struct event *to) {
    const struct thread *threads = encoder->program->test->threads;
    return test_scope_contains(from->scope, &threads[from->thread].place,
                               &threads[to->thread].place);
}

// Whether a read must come to see a write: both are strong, and either is meant for the other.
static bool must_see(const struct encoder *encoder, unsigned read, unsigned write) {
    assert(read < encoder->n);
    assert(write < encoder->n);
    const struct event *r = &encoder->program->events[read], *w = &encoder->program->events[write];
    if (w->kind == EVENT_INIT)
        return false;
    if (r->thread == w->thread)
        return true;
    if (r->mbarrier != NULL && w->mbarrier != NULL) // they count whatever their scopes
        return true;
    return r->order != ORDER_WEAK && w->order != ORDER_WEAK && r->proxy == w->proxy &&
           contains(encoder, r, w) && contains(encoder, w, r);
}

// A read of the last round does not read from `source` where a later write is to be seen, unless
// rounds that repeat have written what it reads.
static void require_seen(const struct rounds *rounds, unsigned read, unsigned cell,
                         const struct origin *source) {
    struct encoder *encoder = rounds->encoder;
    for (unsigned w = 0; w < encoder->n; w++) {
        if (w == source->write || !is_write(encoder, w) || !memory_may_touch(encoder, w, cell) ||
            !must_see(encoder, read, w))
            continue;
        literal co = encode_co(encoder, source->write, w);
        if (co == LITERAL_FALSE)
            continue;
        literal touches = memory_touches(encoder, w, cell);
        literal between = gate_and(encoder, rounds->before[source->write], rounds->last[w], UNDER);
        backend_clause(encoder->backend, LITERALS(-rounds->last[read], -source->taken, -co,
                                                  -touches, rounds->last[source->write], between));
    }
}

static void require_reads(const struct rounds *rounds, unsigned read) {
    struct encoder *encoder = rounds->encoder;
    const struct event_state *state = &encoder->events[read];
    if (rounds->last[read] == LITERAL_FALSE && rounds->before[read] == LITERAL_FALSE)
        return;
    for (size_t i = 0; i < state->touch_count; i++)
        for (size_t k = 0; k < state->reads[i].count; k++) {
            const struct origin *source = &state->reads[i].items[k];
            clause3(encoder, -rounds->before[read], -source->taken, -rounds->last[source->write]);
            require_seen(rounds, read, state->reads[i].cell, source);
        }
}

// --- Barriers ----------------------------------------------------------------------------------

// The phases of the last rounds are theirs alone, and leave no thread waiting.
static void require_phases(const struct rounds *rounds) {
    struct encoder *encoder = rounds->encoder;
    const struct barriers *barriers = encoder->barriers;
    for (size_t i = 0; barriers != NULL && i < barriers->arrival_count; i++)
        for (size_t k = 0; k < barriers->arrival_count; k++) {
            unsigned a = barriers->arrivals[i], b = barriers->arrivals[k];
            if (rounds->last[a] == LITERAL_FALSE)
                continue;
            if (a == b) {
                clause2(encoder, -rounds->last[a], barriers->done[a]);
                continue;
            }
            literal same = barriers_in_one_phase(encoder, a, b);
            if (same != LITERAL_FALSE)
                clause3(encoder, -rounds->last[a], -same, rounds->last[b]);
            if (facts_may_share_barrier(barriers_event(encoder, a), barriers_event(encoder, b)))
                backend_clause(encoder->backend,
                               LITERALS(-rounds->last[a], -barriers_at_one(encoder, a, b),
                                        -encode_executes(encoder, b), barriers->done[b]));
        }
}

// --- All ---------------------------------------------------------------------------------------

void encode_stays(struct encoder *encoder) {
    const struct endings *endings = encoder->program->endings;
    struct rounds rounds;
    if (endings == NULL || endings->stay_count == 0)
        return;
    find_rounds(&rounds, encoder);
    for (size_t i = 0; i < endings->stay_count; i++) {
        require_same(encoder, &endings->stays[i]);
        for (size_t k = 0; k < endings->stay_count; k++)
            if (endings->stays[i].thread != endings->stays[k].thread)
                repeat_order(encoder, &endings->stays[i], &endings->stays[k]);
    }
    order_writes(&rounds);
    for (unsigned a = 0; a < encoder->n; a++)
        if (encoder->program->events[a].kind == EVENT_READ)
            require_reads(&rounds, a);
    require_phases(&rounds);
}
