// The values that reads return and the final values of cells, through the writes that they come
// from.
//
// A read whose value may come to depend on itself (by a cycle of rf and data flow that the axioms
// may still rule out) gets a value of its own, which is equated with each origin's where that one
// is taken.

#include "solver/encode/gates.h"
#include "solver/encode/memory.h"
#include "solver/encode/turns.h"
#include "solver/encode/values.h"

#include "litmus/source/allocate.h"

#include <assert.h>
#include <stdlib.h>

// --- Values through origins --------------------------------------------------------------------

// The value that the origins give, by cases. NULL when some origin's value has none, or there are
// too many. Where no origin is taken (not `when`), the first case means "any".
static const struct encoded_value *cases_of_origins(struct encoder *encoder,
                                                    const struct origins *origins, literal when,
                                                    unsigned width) {
    struct groups groups = {0};
    bool finite = true;
    for (size_t i = 0; i < origins->count; i++) {
        const struct encoded_value *part =
            memory_part(encoder, origins->items[i].write, origins->cell);
        finite = finite && part->count != 0;
        for (size_t k = 0; k < part->count; k++)
            groups_add(&groups, part->constants[k],
                       LITERALS(origins->items[i].taken, part->literals[k]));
    }
    if (groups.count != 0 && when != LITERAL_TRUE)
        groups_add(&groups, groups.constants[0], &(literal){-when}, 1);
    groups.too_many = groups.too_many || !finite;
    return groups_close(encoder, &groups, width);
}

static const struct encoded_value *value_of_origins(struct encoder *encoder,
                                                    const struct origins *origins, literal when) {
    unsigned width = 8 * encoder->program->memory.cells[origins->cell].size;
    if (origins->count == 0)
        return values_of_constant(encoder, width, (struct bits128){0, 0});
    const struct encoded_value *value = cases_of_origins(encoder, origins, when, width);
    if (value != NULL)
        return value;
    for (size_t i = origins->count; i-- > 0;) {
        const struct encoded_value *part =
            memory_part(encoder, origins->items[i].write, origins->cell);
        value = value == NULL ? part : values_choose(encoder, origins->items[i].taken, part, value);
    }
    return value;
}

// Whether some origin's value in the cell is unknown.
static void add_undef_origins(struct encoder *encoder, const struct origins *origins,
                              struct disjunction *d) {
    for (size_t i = 0; i < origins->count; i++) {
        const struct expr *undef =
            memory_part_undef(encoder, origins->items[i].write, origins->cell);
        if (!expr_is_false(undef))
            disjunction_add2(d, origins->items[i].taken, encode_condition(encoder, undef));
    }
}

// --- Reads -------------------------------------------------------------------------------------

// The value at one candidate: its cells, the lowest address in the lowest bits.
static const struct encoded_value *read_candidate(struct encoder *encoder, unsigned read,
                                                  const struct candidate *candidate) {
    const struct event_state *state = &encoder->events[read];
    const struct encoded_value *value = NULL;
    for (unsigned k = 0; k < candidate->cell_count; k++) {
        unsigned cell = candidate->first_cell + k;
        size_t index = memory_touch_index(encoder, read, cell);
        const struct encoded_value *part =
            value_of_origins(encoder, &state->reads[index], memory_touches(encoder, read, cell));
        value = value == NULL ? part : values_concat(encoder, part, value);
    }
    return value;
}

static const struct encoded_value *compute_read(struct encoder *encoder, unsigned read) {
    const struct event *event = &encoder->program->events[read];
    const struct encoded_value *value = NULL;
    for (size_t i = event->candidate_count; i-- > 0;) {
        const struct candidate *candidate = &event->candidates[i];
        const struct encoded_value *here = read_candidate(encoder, read, candidate);
        value = value == NULL
                    ? here
                    : values_choose(encoder, encode_condition(encoder, candidate->condition), here,
                                    value);
    }
    return value != NULL ? value
                         : values_of_constant(encoder, 8 * event->size, (struct bits128){0, 0});
}

// One of a few constants.
static const struct encoded_value *value_in(struct encoder *encoder, unsigned read,
                                            const struct domain *domain) {
    unsigned width = 8 * encoder->program->events[read].size;
    struct encoded_value *value = values_new(encoder, width, domain->count);
    for (; value->count < domain->count; value->count++) {
        value->constants[value->count] = domain->values[value->count];
        value->literals[value->count] =
            domain->count == 1
                ? LITERAL_TRUE
                : backend_variable(encoder->backend, "value", read, (unsigned)value->count);
    }
    exactly_one_if(encoder, LITERAL_TRUE, value->literals, value->count);
    return value;
}

// A value of its own: one of a few constants where they are known.
static const struct encoded_value *free_value(struct encoder *encoder, unsigned read) {
    unsigned width = 8 * encoder->program->events[read].size;
    const struct domain *domain = domain_of_read(encoder, read);
    return domain != NULL ? value_in(encoder, read, domain)
                          : values_of_variable(encoder, width, "read", read);
}

static void equate_cell(struct encoder *encoder, const struct event *event,
                        const struct candidate *candidate, unsigned k) {
    unsigned cell = candidate->first_cell + k;
    const struct event_state *state = &encoder->events[event->id];
    const struct origins *origins = &state->reads[memory_touch_index(encoder, event->id, cell)];
    const struct expr *part = program_cell_value(encoder->program, event, candidate, k);
    literal conditions[2] = {encode_condition(encoder, candidate->condition), 0};
    for (size_t i = 0; i < origins->count; i++) {
        conditions[1] = origins->items[i].taken;
        values_equate(encoder, conditions, 2, encode_expr(encoder, part),
                      memory_part(encoder, origins->items[i].write, cell));
    }
}

// Ties a value of its own to the origins'.
static void equate_read(struct encoder *encoder, unsigned read) {
    assert(read < encoder->n);
    const struct event *event = &encoder->program->events[read];
    for (size_t i = 0; i < event->candidate_count; i++)
        for (unsigned k = 0; k < event->candidates[i].cell_count; k++)
            equate_cell(encoder, event, &event->candidates[i], k);
}

// --- Counters ----------------------------------------------------------------------------------

// Takes the writes that may be before an operation's or after it, in the order in which they are
// for sure. False where co does not order all of them for sure.
static bool take_rivals(const struct encoder *encoder, unsigned read, unsigned *rivals,
                        size_t *count) {
    const struct relation *must = &encoder->facts->must[BASE_REL_CO];
    unsigned write = turns_write(encoder, read);
    *count = 0;
    for (unsigned w = 0; w < encoder->n; w++) {
        if (!turns_share(encoder, w, write) || w == write || turns_is_read(encoder, w) ||
            relation_has(must, w, write) || relation_has(must, write, w))
            continue;
        size_t at = (*count)++;
        for (; at > 0 && relation_has(must, w, rivals[at - 1]); at--)
            rivals[at] = rivals[at - 1];
        rivals[at] = w;
    }
    for (size_t i = 1; i < *count; i++)
        if (!relation_has(must, rivals[i - 1], rivals[i]))
            return false;
    return true;
}

// The k-th value is read where k of the rivals come before: the k-th, but not the next one.
static const struct encoded_value *value_by_place(struct encoder *encoder, unsigned read,
                                                  const struct domain *domain,
                                                  const unsigned *rivals) {
    unsigned width = 8 * encoder->program->events[read].size;
    struct encoded_value *value = values_new(encoder, width, domain->count);
    for (size_t k = 0; k < domain->count; k++) {
        literal reached = k == 0 ? LITERAL_TRUE : orders_turn(encoder, rivals[k - 1], read);
        literal passed =
            k + 1 == domain->count ? LITERAL_FALSE : orders_turn(encoder, rivals[k], read);
        value->constants[k] = domain->values[k];
        value->literals[k] = gate_and(encoder, reached, -passed, EXACT);
        value->count++;
    }
    return value;
}

// NULL where it takes more than which operation of another thread is the last one before it.
static const struct encoded_value *value_from_co(struct encoder *encoder, unsigned read,
                                                 const struct domain *domain) {
    const struct encoded_value *value = NULL;
    unsigned *rivals = allocate(encoder->n, sizeof *rivals);
    size_t count;
    if (take_rivals(encoder, read, rivals, &count) && count + 1 == domain->count)
        value = value_by_place(encoder, read, domain, rivals);
    free(rivals);
    encoder->turns->by_place[read] = value != NULL;
    return value;
}

// The value of an operation on a counter: its predecessor's, one further.
static const struct encoded_value *counter_value(struct encoder *encoder, unsigned read,
                                                 const struct domain *domain) {
    struct event_state *state = &encoder->events[read];
    const struct origins *origins = &state->reads[0];
    state->read = value_from_co(encoder, read, domain);
    if (state->read != NULL)
        return state->read;
    state->read = value_in(encoder, read, domain); // what the origins have depends on it
    for (size_t i = 0; i < origins->count; i++)
        values_equate(encoder, &origins->items[i].taken, 1, state->read,
                      memory_part(encoder, origins->items[i].write, origins->cell));
    return state->read;
}

// --- The value of a read -----------------------------------------------------------------------

const struct encoded_value *reads_value(struct encoder *encoder, unsigned read) {
    assert(read < encoder->n);
    struct event_state *state = &encoder->events[read];
    if (state->read != NULL)
        return state->read;
    if (state->read_open) { // it depends on itself
        state->read_free = true;
        return state->read = free_value(encoder, read);
    }
    if (encoder->turns->domains[read].count != 0)
        return counter_value(encoder, read, &encoder->turns->domains[read]);
    state->read_open = true;
    const struct encoded_value *value = compute_read(encoder, read);
    state->read_open = false;
    if (state->read_free)
        equate_read(encoder, read);
    else
        state->read = value;
    return state->read;
}

literal reads_undef(struct encoder *encoder, unsigned read) {
    assert(read < encoder->n);
    struct event_state *state = &encoder->events[read];
    if (state->undef != 0)
        return state->undef;
    if (state->undef_open)
        return state->undef = backend_variable(encoder->backend, "undef", read, 0);
    state->undef_open = true;
    struct disjunction d = {0};
    for (size_t i = 0; i < state->touch_count; i++)
        add_undef_origins(encoder, &state->reads[i], &d);
    state->undef_open = false;
    if (state->undef != 0)
        disjunction_define(encoder, &d, EXACT, state->undef);
    else
        state->undef = disjunction_close(encoder, &d, EXACT, "undef", read, 0);
    return state->undef;
}

// --- Final values ------------------------------------------------------------------------------

// Whether a write is co-before another one that changes the cell in every execution.
static bool is_never_final(const struct encoder *encoder, unsigned write, unsigned cell) {
    assert(write < encoder->n);
    assert(cell < encoder->program->memory.cell_count);
    const struct event *events = encoder->program->events;
    for (unsigned w = 0; w < encoder->n; w++)
        if (relation_has(&encoder->facts->must[BASE_REL_CO], write, w) &&
            event_set_has(&encoder->facts->always, w) && events[w].candidate_count == 1 &&
            memory_may_touch(encoder, w, cell))
            return true;
    return false;
}

// The final write is one after which, in co, no write changes the cell.
static void constrain_final(struct encoder *encoder, const struct origins *origins) {
    for (size_t i = 0; i < origins->count; i++) {
        unsigned write = origins->items[i].write;
        literal taken = origins->items[i].taken;
        clause2(encoder, -taken, memory_touches(encoder, write, origins->cell));
        for (unsigned w = 0; w < encoder->n; w++)
            if (relation_has(&encoder->facts->may[BASE_REL_CO], write, w) &&
                memory_may_touch(encoder, w, origins->cell))
                clause3(encoder, -taken, -encode_co(encoder, write, w),
                        -memory_touches(encoder, w, origins->cell));
    }
}

static struct origins *final_origins(struct encoder *encoder, unsigned cell) {
    assert(cell < encoder->program->memory.cell_count);
    struct origins *origins = &encoder->finals[cell].origins;
    if (origins->items != NULL)
        return origins;
    origins->cell = cell;
    origins->items = ARENA_ARRAY(encoder->arena, struct origin, encoder->n + 1);
    for (unsigned w = 0; w < encoder->n; w++)
        if (facts_is_write(&encoder->program->events[w]) && memory_may_touch(encoder, w, cell) &&
            !is_never_final(encoder, w, cell))
            origins->items[origins->count++].write = w;
    literal *taken = ARENA_ARRAY(encoder->arena, literal, origins->count);
    for (size_t i = 0; i < origins->count; i++)
        taken[i] = origins->items[i].taken =
            origins->count == 1
                ? LITERAL_TRUE
                : backend_variable(encoder->backend, "final", origins->items[i].write, cell);
    exactly_one_if(encoder, LITERAL_TRUE, taken, origins->count);
    constrain_final(encoder, origins);
    return origins;
}

literal finals_taken(struct encoder *encoder, unsigned cell, unsigned write) {
    assert(cell < encoder->program->memory.cell_count);
    assert(write < encoder->n);
    const struct origins *origins = final_origins(encoder, cell);
    for (size_t i = 0; i < origins->count; i++)
        if (origins->items[i].write == write)
            return origins->items[i].taken;
    return LITERAL_FALSE;
}

const struct encoded_value *finals_value(struct encoder *encoder, unsigned cell) {
    assert(cell < encoder->program->memory.cell_count);
    struct final_state *state = &encoder->finals[cell];
    if (state->value == NULL)
        state->value = value_of_origins(encoder, final_origins(encoder, cell), LITERAL_TRUE);
    return state->value;
}

literal finals_undef(struct encoder *encoder, unsigned cell) {
    assert(cell < encoder->program->memory.cell_count);
    struct final_state *state = &encoder->finals[cell];
    if (state->undef == 0) {
        struct disjunction d = {0};
        add_undef_origins(encoder, final_origins(encoder, cell), &d);
        state->undef = disjunction_close(encoder, &d, EXACT, "undef", cell, 1);
    }
    return state->undef;
}

// --- In models ---------------------------------------------------------------------------------

static int taken_in_model(struct encoder *encoder, const struct origins *origins) {
    for (size_t i = 0; i < origins->count; i++)
        if (backend_literal_value(encoder->backend, origins->items[i].taken))
            return (int)origins->items[i].write;
    return -1;
}

int encode_source_in_model(struct encoder *encoder, unsigned read, unsigned cell) {
    assert(read < encoder->n);
    assert(cell < encoder->program->memory.cell_count);
    if (!memory_may_touch(encoder, read, cell))
        return -1;
    size_t index = memory_touch_index(encoder, read, cell);
    return taken_in_model(encoder, &encoder->events[read].reads[index]);
}

literal encode_source(struct encoder *encoder, unsigned read, unsigned cell, unsigned write) {
    assert(read < encoder->n);
    assert(cell < encoder->program->memory.cell_count);
    assert(write < encoder->n);
    if (!memory_may_touch(encoder, read, cell))
        return LITERAL_FALSE;
    size_t index = memory_touch_index(encoder, read, cell);
    const struct origins *origins = &encoder->events[read].reads[index];
    for (size_t i = 0; i < origins->count; i++)
        if (origins->items[i].write == write)
            return origins->items[i].taken;
    return LITERAL_FALSE;
}

int encode_final_in_model(struct encoder *encoder, unsigned cell) {
    assert(cell < encoder->program->memory.cell_count);
    return taken_in_model(encoder, &encoder->finals[cell].origins);
}
