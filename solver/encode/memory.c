// Memory: which cells an event touches, from which write a read takes each cell (rf), and what the
// writes leave there.

#include "solver/encode/gates.h"
#include "solver/encode/memory.h"
#include "solver/encode/values.h"

#include "litmus/source/allocate.h"
#include "litmus/source/bug.h"

#include <assert.h>
#include <stdlib.h>

// --- Execution and addresses -------------------------------------------------------------------

literal encode_executes(struct encoder *encoder, unsigned event) {
    assert(event < encoder->n);
    struct event_state *state = &encoder->events[event];
    if (state->executes == 0)
        state->executes = encode_condition(encoder, encoder->program->events[event].executes);
    return state->executes;
}

literal both_execute(struct encoder *encoder, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    if (encoder->facts->all_execute)
        return LITERAL_TRUE;
    if (!relation_has(&encoder->facts->together, a, b))
        return LITERAL_FALSE;
    if (relation_has(&encoder->facts->implies, a, b))
        return encode_executes(encoder, a);
    if (relation_has(&encoder->facts->implies, b, a))
        return encode_executes(encoder, b);
    literal *known = pair_table_at(encoder, encoder->both, a < b ? a : b, a < b ? b : a);
    if (*known == 0)
        *known = gate_and(encoder, encode_executes(encoder, a), encode_executes(encoder, b), EXACT);
    return *known;
}

static bool may_touch(const struct candidate *candidate, unsigned cell) {
    return cell >= candidate->first_cell && cell - candidate->first_cell < candidate->cell_count;
}

// How many of the cells that an event may touch come before this one; all when it is not among
// them.
static size_t find_touch(const struct encoder *encoder, unsigned event, unsigned cell) {
    assert(event < encoder->n);
    assert(cell < encoder->program->memory.cell_count);
    const struct event_state *state = &encoder->events[event];
    size_t i = 0;
    while (i < state->touch_count && state->touches[i].cell != cell)
        i++;
    return i;
}

bool memory_may_touch(const struct encoder *encoder, unsigned event, unsigned cell) {
    assert(event < encoder->n);
    assert(cell < encoder->program->memory.cell_count);
    return find_touch(encoder, event, cell) < encoder->events[event].touch_count;
}

size_t memory_touch_index(const struct encoder *encoder, unsigned event, unsigned cell) {
    assert(event < encoder->n);
    assert(cell < encoder->program->memory.cell_count);
    size_t index = find_touch(encoder, event, cell);
    if (index == encoder->events[event].touch_count)
        bug("event %u does not touch cell %u", event, cell);
    return index;
}

literal memory_touches(struct encoder *encoder, unsigned event, unsigned cell) {
    assert(event < encoder->n);
    assert(cell < encoder->program->memory.cell_count);
    if (!memory_may_touch(encoder, event, cell))
        return LITERAL_FALSE;
    struct touch *touch = &encoder->events[event].touches[memory_touch_index(encoder, event, cell)];
    const struct event *e = &encoder->program->events[event];
    if (touch->when != 0)
        return touch->when;
    struct disjunction d = {0};
    for (size_t i = 0; i < e->candidate_count; i++)
        if (may_touch(&e->candidates[i], cell))
            disjunction_add2(&d, encode_executes(encoder, event),
                             encode_condition(encoder, e->candidates[i].condition));
    touch->when = disjunction_close(encoder, &d, EXACT, "touch", event, cell);
    return touch->when;
}

// --- Cells -------------------------------------------------------------------------------------

static int compare_touches(const void *left, const void *right) {
    const struct touch *a = left, *b = right;
    return (a->cell > b->cell) - (a->cell < b->cell);
}

static void find_touches(struct encoder *encoder, unsigned event) {
    assert(event < encoder->n);
    const struct event *e = &encoder->program->events[event];
    struct event_state *state = &encoder->events[event];
    size_t total = 0;
    for (size_t i = 0; i < e->candidate_count; i++)
        total += e->candidates[i].cell_count;
    state->touches = ARENA_ARRAY(encoder->arena, struct touch, total);
    for (size_t i = 0; i < e->candidate_count; i++)
        for (unsigned k = 0; k < e->candidates[i].cell_count; k++)
            state->touches[state->touch_count++].cell = e->candidates[i].first_cell + k;
    if (total == 0)
        return;
    qsort(state->touches, total, sizeof *state->touches, compare_touches);
    size_t kept = 1;
    for (size_t i = 1; i < total; i++)
        if (state->touches[i].cell != state->touches[kept - 1].cell)
            state->touches[kept++] = state->touches[i];
    state->touch_count = kept;
    state->parts = ARENA_ARRAY(encoder->arena, const struct encoded_value *, kept);
}

// Whether a read touches its cells in every execution, so that a single origin needs no variable.
static bool always_touches(const struct encoder *encoder, const struct event *event) {
    return event_set_has(&encoder->facts->always, event->id) && event->candidate_count == 1;
}

static void find_origins(struct encoder *encoder, unsigned read, unsigned index) {
    assert(read < encoder->n);
    struct event_state *state = &encoder->events[read];
    struct origins *origins = &state->reads[index];
    const struct relation *rf = &encoder->facts->may[BASE_REL_RF];
    origins->cell = state->touches[index].cell;
    for (unsigned w = 0; w < encoder->n; w++)
        if (relation_has(rf, w, read) && memory_may_touch(encoder, w, origins->cell))
            origins->count++;
    origins->items = ARENA_ARRAY(encoder->arena, struct origin, origins->count);
    origins->count = 0;
    for (unsigned w = 0; w < encoder->n; w++)
        if (relation_has(rf, w, read) && memory_may_touch(encoder, w, origins->cell))
            origins->items[origins->count++].write = w;
    bool sure = origins->count == 1 && always_touches(encoder, &encoder->program->events[read]);
    for (size_t i = 0; i < origins->count; i++)
        origins->items[i].taken =
            sure ? LITERAL_TRUE
                 : backend_variable(encoder->backend, "rf", origins->items[i].write, read);
}

void memory_prepare(struct encoder *encoder) {
    encoder->events = ARENA_ARRAY(encoder->arena, struct event_state, encoder->n);
    encoder->finals =
        ARENA_ARRAY(encoder->arena, struct final_state, encoder->program->memory.cell_count);
    for (unsigned e = 0; e < encoder->n; e++)
        if (facts_is_memory(&encoder->program->events[e]))
            find_touches(encoder, e);
    for (unsigned e = 0; e < encoder->n; e++) {
        struct event_state *state = &encoder->events[e];
        if (encoder->program->events[e].kind != EVENT_READ)
            continue;
        state->reads = ARENA_ARRAY(encoder->arena, struct origins, state->touch_count);
        for (unsigned i = 0; i < state->touch_count; i++)
            find_origins(encoder, e, i);
    }
}

// --- rf ----------------------------------------------------------------------------------------

static void constrain_origins(struct encoder *encoder, unsigned read,
                              const struct origins *origins) {
    assert(read < encoder->n);
    literal when = memory_touches(encoder, read, origins->cell);
    literal *taken = allocate(origins->count + 1, sizeof *taken);
    for (size_t i = 0; i < origins->count; i++) {
        const struct origin *origin = &origins->items[i];
        taken[i] = origin->taken;
        clause2(encoder, -origin->taken, when);
        clause2(encoder, -origin->taken, memory_touches(encoder, origin->write, origins->cell));
    }
    exactly_one_if(encoder, when, taken, origins->count);
    free(taken);
}

void memory_constrain(struct encoder *encoder) {
    for (unsigned e = 0; e < encoder->n && !backend_failed(encoder->backend); e++)
        if (encoder->program->events[e].kind == EVENT_READ)
            for (size_t i = 0; i < encoder->events[e].touch_count; i++)
                constrain_origins(encoder, e, &encoder->events[e].reads[i]);
}

// --- What writes leave -------------------------------------------------------------------------

static const struct encoded_value *find_part(struct encoder *encoder, const struct event *write,
                                             unsigned cell) {
    const struct encoded_value *result = NULL;
    const struct expr *common = NULL;
    for (size_t i = write->candidate_count; i-- > 0;) {
        const struct candidate *candidate = &write->candidates[i];
        if (!may_touch(candidate, cell))
            continue;
        const struct expr *part =
            program_cell_value(encoder->program, write, candidate, cell - candidate->first_cell);
        const struct encoded_value *value = encode_expr(encoder, part);
        if (result != NULL && part != common)
            value = values_choose(encoder, encode_condition(encoder, candidate->condition), value,
                                  result);
        common = result == NULL || part == common ? part : NULL;
        result = value;
    }
    return result;
}

const struct encoded_value *memory_part(struct encoder *encoder, unsigned write, unsigned cell) {
    assert(write < encoder->n);
    assert(cell < encoder->program->memory.cell_count);
    const struct encoded_value **known =
        &encoder->events[write].parts[memory_touch_index(encoder, write, cell)];
    if (*known == NULL) {
        const struct event *event = &encoder->program->events[write];
        *known = event->kind == EVENT_INIT
                     ? encode_expr(encoder, program_initial_value(encoder->program, cell))
                     : find_part(encoder, event, cell);
    }
    return *known;
}

const struct expr *memory_part_undef(const struct encoder *encoder, unsigned write, unsigned cell) {
    assert(write < encoder->n);
    assert(cell < encoder->program->memory.cell_count);
    const struct event *event = &encoder->program->events[write];
    return event->kind == EVENT_INIT ? program_initial_undef(encoder->program, cell)
                                     : event->access->undef;
}
