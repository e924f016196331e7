// Decoding models into executions.

#include "solver/check/execution.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "solver/bounds/facts.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

enum wait_progress { PROGRESS_NONE, PROGRESS_OPEN, PROGRESS_DONE };

// An execution that is being decoded.
struct decoder {
    struct execution *execution;
    struct arena *arena;
    enum wait_progress *progress; // of reads
    bool *cyclic;                 // the read's value depends on itself
};

static struct bits128 evaluate(struct decoder *decoder, const struct expr *expr);

void execution_bug_at(const char *file, int line, const struct execution *execution,
                      const char *format, ...) {
    char text[256];
    va_list args;
    if (!encode_is_readable(execution->encoder))
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    bug_at(file, line, "%s", text);
}

// --- Places ------------------------------------------------------------------------------------

// The candidate at which an event accesses memory. An execution outside every candidate is excluded
// (program->limits.out_of_bounds).
static const struct candidate *find_place(struct decoder *decoder, const struct event *event) {
    for (size_t i = 0; i < event->candidate_count; i++)
        if (evaluate(decoder, event->candidates[i].condition).low == 1)
            return &event->candidates[i];
    return NULL;
}

static bool executes(struct decoder *decoder, const struct event *event) {
    return evaluate(decoder, event->executes).low == 1;
}

// What a write leaves in a cell, at the candidate where it is; whether that is unknown.
static struct bits128 part_of_write(struct decoder *decoder, int write, unsigned cell) {
    const struct program *program = decoder->execution->program;
    const struct event *event = write < 0 ? NULL : &program->events[write];
    if (event != NULL && event->kind == EVENT_INIT)
        return evaluate(decoder, program_initial_value(program, cell));
    const struct candidate *place = event == NULL ? NULL : find_place(decoder, event);
    if (place == NULL || cell < place->first_cell ||
        cell - place->first_cell >= place->cell_count) {
        execution_bug(decoder->execution, "event %d does not write cell %u", write, cell);
        return (struct bits128){0, 0};
    }
    return evaluate(decoder, program_cell_value(program, event, place, cell - place->first_cell));
}

static bool undef_of_write(struct decoder *decoder, int write, unsigned cell) {
    const struct program *program = decoder->execution->program;
    if (write < 0)
        return false; // part_of_write has complained
    const struct event *event = &program->events[write];
    if (event->kind != EVENT_INIT && event->kind != EVENT_WRITE)
        return false; // so it has here
    const struct expr *undef =
        event->kind == EVENT_INIT ? program_initial_undef(program, cell) : event->access->undef;
    return evaluate(decoder, undef).low == 1;
}

// --- Values ------------------------------------------------------------------------------------

static struct bits128 bits_or_shifted(struct bits128 into, struct bits128 part, unsigned shift) {
    if (shift >= 64) {
        into.high |= part.low << (shift - 64);
    } else {
        into.low |= part.low << shift;
        into.high |= shift == 0 ? part.high : part.high << shift | part.low >> (64 - shift);
    }
    return into;
}

// Reads the cells from their sources, the lowest address into the lowest bits.
static void read_cells(struct decoder *decoder, unsigned read) {
    assert(read < decoder->execution->n);
    struct execution *execution = decoder->execution;
    const struct program *program = execution->program;
    const struct candidate *place = find_place(decoder, &program->events[read]);
    struct bits128 value = {0, 0};
    unsigned shift = 0;
    if (place == NULL) {
        execution_bug(execution, "read %u executes outside every variable", read);
        return;
    }
    execution->places[read] = place;
    execution->sources[read] = ARENA_ARRAY(decoder->arena, int, place->cell_count);
    for (unsigned k = 0; k < place->cell_count; k++) {
        unsigned cell = place->first_cell + k;
        int source = encode_source_in_model(decoder->execution->encoder, read, cell);
        if (source < 0)
            execution_bug(execution, "read %u takes cell %u from nowhere", read, cell);
        execution->sources[read][k] = source;
        value = bits_or_shifted(value, part_of_write(decoder, source, cell), shift);
        shift += 8 * program->memory.cells[cell].size;
        execution->undef[read] |= undef_of_write(decoder, source, cell);
    }
    execution->values[read] = value;
}

static struct bits128 value_in_model(const struct decoder *decoder, const struct expr *expr) {
    struct encoder *encoder = decoder->execution->encoder;
    return encode_value_in_model(encoder, encode_expr(encoder, expr));
}

static void read_event(struct decoder *decoder, unsigned read) {
    assert(read < decoder->execution->n);
    const struct event *event = &decoder->execution->program->events[read];
    if (decoder->progress[read] == PROGRESS_DONE)
        return;
    struct bits128 chosen = value_in_model(decoder, event->access->value);
    if (decoder->progress[read] == PROGRESS_OPEN) {
        decoder->cyclic[read] = true;
        decoder->execution->values[read] = chosen;
        return;
    }
    decoder->progress[read] = PROGRESS_OPEN;
    if (executes(decoder, event))
        read_cells(decoder, read);
    else
        decoder->execution->values[read] = chosen; // no value depends on it
    struct bits128 value = decoder->execution->values[read];
    if (decoder->cyclic[read] && (value.low != chosen.low || value.high != chosen.high))
        execution_bug(decoder->execution, "the value of read %u does not justify itself", read);
    decoder->progress[read] = PROGRESS_DONE;
}

bool execution_has_phase_pair(const struct execution *execution, unsigned pair) {
    const struct phase_pair *m = &execution->program->barriers.phase_pairs[pair];
    const struct event *wait = &execution->program->events[m->wait];
    int phase = execution->phases[m->arrival];
    if (!execution->passes[m->wait] || phase < 0)
        return false;
    return wait->barrier->quorum || phase == execution->phases[wait->barrier->arrival];
}

static struct bits128 leaf_value(void *context, const struct expr *leaf) {
    struct decoder *decoder = context;
    struct execution *execution = decoder->execution;
    switch (leaf->op) {
    case EXPR_READ: read_event(decoder, leaf->index); return execution->values[leaf->index];
    case EXPR_READ_UNDEF:
        read_event(decoder, leaf->index);
        return (struct bits128){execution->undef[leaf->index], 0};
    case EXPR_FINAL: return part_of_write(decoder, execution->finals[leaf->index], leaf->index);
    case EXPR_FINAL_UNDEF:
        return (struct bits128){
            undef_of_write(decoder, execution->finals[leaf->index], leaf->index), 0};
    case EXPR_UNKNOWN:
    case EXPR_CHOICE: return value_in_model(decoder, leaf);
    case EXPR_PASSES: return (struct bits128){execution->passes[leaf->index], 0};
    case EXPR_PHASE_PAIR:
        return (struct bits128){execution_has_phase_pair(execution, leaf->index), 0};
    case EXPR_REDUCED:
        return evaluate(decoder, execution->program->events[leaf->index].barrier->reduced);
    case EXPR_REDUCED_UNDEF:
        return evaluate(decoder, execution->program->events[leaf->index].barrier->reduced_undef);
    default: bug("expression %d is not a leaf", (int)leaf->op);
    }
}

static struct bits128 evaluate(struct decoder *decoder, const struct expr *expr) {
    struct expr_environment environment = {leaf_value, decoder};
    if (expr_is_const(expr))
        return expr->value;
    return expr_evaluate(decoder->execution->program->pool, expr, &environment);
}

// --- Orders ------------------------------------------------------------------------------------

static void decode_co(struct decoder *decoder) {
    struct execution *execution = decoder->execution;
    execution->co = relation_new(decoder->arena, execution->n);
    for (unsigned a = 0; a < execution->n; a++)
        for (unsigned b = 0; b < execution->n; b++)
            if (encode_co_in_model(decoder->execution->encoder, a, b))
                relation_add(&execution->co, a, b);
}

static bool is_sc(const struct execution *execution, unsigned a) {
    assert(a < execution->n);
    const struct event *event = &execution->program->events[a];
    return event->kind == EVENT_FENCE && event->order == ORDER_SC && execution->executes[a];
}

// Extends the pairs that the solver ordered to a total order, by removing fences that no
// remaining fence precedes.
static void decode_sc(struct decoder *decoder) {
    struct execution *execution = decoder->execution;
    unsigned n = execution->n;
    bool *placed = ARENA_ARRAY(decoder->arena, bool, n);
    execution->sc = relation_new(decoder->arena, n);
    for (unsigned step = 0; step < n; step++) {
        unsigned next = n;
        bool left = false;
        for (unsigned a = 0; a < n && next == n; a++) {
            bool first = is_sc(execution, a) && !placed[a];
            left = left || first;
            for (unsigned b = 0; first && b < n; b++)
                first = b == a || placed[b] || !is_sc(execution, b) ||
                        !encode_sc_in_model(decoder->execution->encoder, b, a);
            next = first ? a : n;
        }
        if (next == n && left)
            execution_bug(execution, "the order of fence.sc has a cycle");
        if (next == n)
            return;
        for (unsigned b = 0; b < n; b++)
            if (placed[b])
                relation_add(&execution->sc, b, next);
        placed[next] = true;
    }
}

// --- Barriers ----------------------------------------------------------------------------------

static void decode_barriers(struct decoder *decoder) {
    struct execution *execution = decoder->execution;
    execution->passes = ARENA_ARRAY(decoder->arena, bool, execution->n);
    execution->phases = ARENA_ARRAY(decoder->arena, int, execution->n);
    for (unsigned e = 0; e < execution->n; e++) {
        const struct event *event = &execution->program->events[e];
        if (event->kind != EVENT_BARRIER)
            continue;
        execution->phases[e] = -1;
        if (event->barrier->is_arrival)
            execution->phases[e] = encode_phase_in_model(decoder->execution->encoder, e);
        else
            execution->passes[e] = encode_passes_in_model(decoder->execution->encoder, e);
    }
}

// --- All ---------------------------------------------------------------------------------------

static struct decoder decoder_new(struct arena *arena, struct execution *execution) {
    struct decoder decoder = {.execution = execution, .arena = arena};
    decoder.progress = ARENA_ARRAY(arena, enum wait_progress, execution->n);
    decoder.cyclic = ARENA_ARRAY(arena, bool, execution->n);
    return decoder;
}

struct execution *execution_decode(struct arena *arena, struct encoder *encoder,
                                   const struct program *program) {
    struct execution *execution = ARENA_NEW(arena, struct execution);
    unsigned n = (unsigned)program->event_count;
    execution->program = program;
    execution->encoder = encoder;
    execution->n = n;
    execution->executes = ARENA_ARRAY(arena, bool, n);
    execution->places = ARENA_ARRAY(arena, const struct candidate *, n);
    execution->values = ARENA_ARRAY(arena, struct bits128, n);
    execution->undef = ARENA_ARRAY(arena, bool, n);
    execution->sources = ARENA_ARRAY(arena, int *, n);
    execution->finals = ARENA_ARRAY(arena, int, program->memory.cell_count);
    for (unsigned cell = 0; cell < program->memory.cell_count; cell++)
        execution->finals[cell] = encode_final_in_model(encoder, cell);
    struct decoder decoder = decoder_new(arena, execution);
    decode_barriers(&decoder);
    for (unsigned e = 0; e < n; e++) {
        const struct event *event = &program->events[e];
        execution->executes[e] = executes(&decoder, event);
        if (event->kind == EVENT_READ)
            read_event(&decoder, e);
        else if (facts_is_memory(event) && execution->executes[e])
            execution->places[e] = find_place(&decoder, event);
    }
    decode_co(&decoder);
    decode_sc(&decoder);
    return encode_is_readable(encoder) ? execution : NULL;
}

struct bits128 execution_value(struct execution *execution, const struct expr *expr) {
    struct arena *arena = arena_new();
    struct decoder decoder = decoder_new(arena, execution);
    for (unsigned e = 0; e < execution->n; e++)
        decoder.progress[e] = PROGRESS_DONE;
    struct bits128 value = evaluate(&decoder, expr);
    arena_free(arena);
    return value;
}
