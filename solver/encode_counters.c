// Counters: cells to which every write adds the same constant to what its thread has read there.
// Atomic additions are, the two words of a ticket lock, and what a lock protects.
//
// That n additions leave n times the constant is a matter of counting, which takes clauses a time
// exponential in n (the pigeonhole principle). But if no two of the reads have one source, the
// reads and writes make up a single chain from the initial write on: values grow along the chain,
// so that it has no cycle, and each part of it begins at the initial write. Then each of the first
// n values is read exactly once. The solver is asked for each pair whether the two may have one
// source; only when it proves that they may not, whatever the model is, the clauses are added.

#include "solver/encode_internal.h"

#include <stdlib.h>

// For fewer additions the proofs cost more than they save. Those of atomic additions are short.
enum { ATOMICS_MIN = 4, OTHERS_MIN = 9 };

// Tries, with more and more conflicts for each pair: one counter may depend on another.
static const unsigned conflict_limits[] = {300, 3000, 30000};

struct counter {
    unsigned cell;
    const struct event **reads; // what the additions add to
    unsigned *writes;           // where they leave it
    size_t count;
    struct bits128 start, step;
    bool all_atomic;
    size_t proven; // additions that are known to be in the chain
    bool done;
};

// --- Finding counters --------------------------------------------------------------------------

// Whether the event accesses just this cell, in every execution.
static bool is_always_at(const struct encoder *encoder, const struct event *event, unsigned cell) {
    return event->candidate_count == 1 && event->candidates[0].first_cell == cell &&
           event->candidates[0].cell_count == 1 &&
           event_set_has(&encoder->facts->always, event->id);
}

// READ + constant, in either order; NULL when the value is something else.
static const struct event *added_read(const struct program *program, const struct expr *value,
                                      struct bits128 *step) {
    if (value->op != EXPR_ADD)
        return NULL;
    const struct expr *a = value->args[0], *b = value->args[1];
    if (a->op == EXPR_CONST) {
        a = value->args[1];
        b = value->args[0];
    }
    if (a->op != EXPR_READ || b->op != EXPR_CONST)
        return NULL;
    *step = b->value;
    return &program->events[a->index];
}

static bool has_read(const struct counter *counter, const struct event *read) {
    for (size_t i = 0; i < counter->count; i++)
        if (counter->reads[i] == read)
            return true;
    return false;
}

// Takes a write into the counter. False when it is no addition like the others.
static bool take_addition(const struct encoder *encoder, struct counter *counter,
                          const struct event *write) {
    struct bits128 step = {0, 0};
    const struct event *read = added_read(encoder->program, write->value, &step);
    if (read == NULL || !is_always_at(encoder, write, counter->cell) ||
        !is_always_at(encoder, read, counter->cell) || has_read(counter, read))
        return false;
    if (counter->count != 0 && !bits128_equal(counter->step, step))
        return false;
    counter->step = step;
    counter->all_atomic = counter->all_atomic && write->rmw == (int)read->id;
    counter->writes[counter->count] = write->id;
    counter->reads[counter->count++] = read;
    return true;
}

// Whether the values of n additions are different: start + n * step fits into the cell.
static bool has_room(const struct encoder *encoder, const struct counter *counter) {
    unsigned bits = 8 * encoder->program->cells[counter->cell].size;
    uint64_t most = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    if (counter->start.high != 0 || counter->step.high != 0 || counter->step.low == 0)
        return false;
    return (most - counter->start.low) / counter->step.low >= counter->count;
}

static bool find_counter(const struct encoder *encoder, struct counter *counter) {
    const struct program *program = encoder->program;
    const struct expr *start = program_initial_value(program, counter->cell);
    if (!expr_is_const(start) || !expr_is_false(program_initial_undef(program, counter->cell)))
        return false;
    counter->start = start->value;
    counter->all_atomic = true;
    for (unsigned e = 0; e < encoder->n; e++) {
        const struct event *event = &program->events[e];
        if (event->kind == EVENT_WRITE && memory_touch_index(encoder, e, counter->cell) >= 0 &&
            !take_addition(encoder, counter, event))
            return false;
    }
    return counter->count >= (counter->all_atomic ? ATOMICS_MIN : OTHERS_MIN) &&
           has_room(encoder, counter);
}

// --- Proving that they count -------------------------------------------------------------------

static const struct origins *origins_of(const struct encoder *encoder, const struct event *read) {
    return &encoder->events[read->id].reads[0];
}

// Calls `visit` with each pair of literals that the chain excludes, for one addition and those
// before it in the list.
static void each_exclusion(struct encoder *encoder, const struct counter *counter, size_t addition,
                           void (*visit)(struct encoder *, struct disjunction *, literal, literal),
                           struct disjunction *d) {
    const struct origins *p = origins_of(encoder, counter->reads[addition]);
    for (size_t a = 0; a < p->count; a++)
        visit(encoder, d, p->items[a].taken,
              -encode_co(encoder, p->items[a].write, counter->writes[addition]));
    for (size_t k = 0; k < addition; k++) {
        const struct origins *q = origins_of(encoder, counter->reads[k]);
        for (size_t a = 0; a < p->count; a++)
            for (size_t b = 0; b < q->count; b++)
                if (p->items[a].write == q->items[b].write)
                    visit(encoder, d, p->items[a].taken, q->items[b].taken);
    }
}

static void add_both(struct encoder *encoder, struct disjunction *d, literal a, literal b) {
    (void)encoder;
    disjunction_add2(d, a, b);
}

static void forbid_both(struct encoder *encoder, struct disjunction *d, literal a, literal b) {
    (void)d;
    clause2(encoder, -a, -b);
}

// Whether the solver proves that the source of an addition's read is co-before what it writes, and
// not that of another one before it in the list.
static bool is_in_chain(struct encoder *encoder, const struct counter *counter, size_t addition,
                        unsigned conflicts) {
    struct disjunction d = {0};
    each_exclusion(encoder, counter, addition, add_both, &d);
    literal broken =
        disjunction_close(encoder, &d, WITHIN, "broken", counter->reads[addition]->id, 0);
    encode_finish(encoder);
    if (broken != LITERAL_FALSE &&
        backend_check_briefly(encoder->backend, &broken, 1, conflicts) != ANSWER_UNSAT)
        return false;
    each_exclusion(encoder, counter, addition, forbid_both, NULL);
    return true;
}

static bool is_chain(struct encoder *encoder, struct counter *counter, unsigned conflicts) {
    while (counter->proven < counter->count &&
           is_in_chain(encoder, counter, counter->proven, conflicts))
        counter->proven++;
    return counter->proven == counter->count;
}

// --- What follows ------------------------------------------------------------------------------

// Whether an addition is the step-th of the chain.
static literal is_step(struct encoder *encoder, const struct counter *counter, size_t addition,
                       size_t step) {
    struct bits128 value = {counter->start.low + step * counter->step.low, 0};
    return encode_value_is(encoder, reads_value(encoder, counter->reads[addition]->id), value);
}

// Each of the first n values is read exactly once.
static void assert_permutation(struct encoder *encoder, const struct counter *counter) {
    literal *reads = calloc(counter->count + 1, sizeof *reads);
    if (reads == NULL)
        bug("out of memory");
    for (size_t step = 0; step < counter->count; step++) {
        for (size_t i = 0; i < counter->count; i++)
            reads[i] = is_step(encoder, counter, i, step);
        exactly_one_if(encoder, LITERAL_TRUE, reads, counter->count);
    }
    free(reads);
}

// What is co-before another addition is an earlier step.
static void assert_order(struct encoder *encoder, const struct counter *counter, size_t addition) {
    literal later = LITERAL_FALSE; // this addition comes after the step
    for (size_t step = counter->count; step-- > 0;) {
        for (size_t i = 0; i < counter->count; i++)
            if (i != addition)
                clause3(encoder, later, -is_step(encoder, counter, i, step),
                        -encode_co(encoder, counter->writes[i], counter->writes[addition]));
        later = gate_or(encoder, later, is_step(encoder, counter, addition, step), EXACT);
    }
    for (size_t i = 0; i < addition; i++)
        clause2(encoder, encode_co(encoder, counter->writes[i], counter->writes[addition]),
                encode_co(encoder, counter->writes[addition], counter->writes[i]));
}

static void assert_chain(struct encoder *encoder, const struct counter *counter) {
    assert_permutation(encoder, counter);
    for (size_t i = 0; i < counter->count; i++) {
        assert_order(encoder, counter, i);
        literal last = is_step(encoder, counter, i, counter->count - 1);
        clause2(encoder, -finals_taken(encoder, counter->cell, counter->writes[i]), last);
    }
}

// --- All ---------------------------------------------------------------------------------------

static size_t find_counters(struct encoder *encoder, struct counter *counters) {
    const struct program *program = encoder->program;
    size_t count = 0;
    for (unsigned cell = 0; cell < program->cell_count; cell++) {
        struct counter counter = {.cell = cell};
        counter.reads = ARENA_ARRAY(encoder->arena, const struct event *, encoder->n);
        counter.writes = ARENA_ARRAY(encoder->arena, unsigned, encoder->n);
        if (find_counter(encoder, &counter))
            counters[count++] = counter;
    }
    return count;
}

void encode_counters(struct encoder *encoder) {
    struct counter *counters =
        ARENA_ARRAY(encoder->arena, struct counter, encoder->program->cell_count);
    size_t count = find_counters(encoder, counters), tries = 0;
    for (; tries < sizeof conflict_limits / sizeof *conflict_limits; tries++)
        for (size_t i = 0; i < count && !backend_failed(encoder->backend); i++) {
            struct counter *counter = &counters[i];
            if (counter->done || !is_chain(encoder, counter, conflict_limits[tries]))
                continue;
            assert_chain(encoder, counter);
            counter->done = true;
        }
}
