// How the threads fare in an execution that never ends: who waits where, and for what.

#include "solver/answer/fates.h"

#include "litmus/source/arena.h"

#include <assert.h>

struct fate_decoder {
    struct arena *arena;
    struct encoder *encoder;
    const struct program *program;
};

static bool executes(const struct fate_decoder *decoder, const struct event *event) {
    return encode_holds_in_model(decoder->encoder, event->executes);
}

// --- Threads that stay in a loop ---------------------------------------------------------------

static bool is_repeated(const struct fate_decoder *decoder, size_t event) {
    const struct endings *endings = decoder->program->endings;
    for (size_t i = 0; i < endings->stay_count; i++)
        if (endings->stays[i].first <= event && event < endings->stays[i].end &&
            encode_holds_in_model(decoder->encoder, endings->stays[i].condition))
            return true;
    return false;
}

static bool touches(const struct event *event, unsigned cell) {
    for (size_t i = 0; i < event->candidate_count; i++)
        if (cell - event->candidates[i].first_cell < event->candidates[i].cell_count)
            return true;
    return false;
}

// Why a read goes on to return what it does, from what comes after its source.
static void find_cause(const struct fate_decoder *decoder, unsigned read, unsigned cell,
                       struct awaited *awaited) {
    int source = encode_source_in_model(decoder->encoder, read, cell);
    if (source < 0)
        return;
    if (is_repeated(decoder, (size_t)source)) {
        awaited->cause = AWAITED_WRITTEN;
        return;
    }
    for (unsigned w = 0; w < decoder->program->event_count; w++) {
        const struct event *write = &decoder->program->events[w];
        if (write->kind != EVENT_WRITE || !touches(write, cell) || !executes(decoder, write) ||
            !encode_co_in_model(decoder->encoder, (unsigned)source, w))
            continue;
        awaited->cause = AWAITED_UNSEEN;
        awaited->writer = write->thread;
    }
}

static void add_awaited(const struct fate_decoder *decoder, struct thread_fate *fate,
                        const struct event *read) {
    assert(read->kind == EVENT_READ);
    const struct candidate *at = NULL;
    for (size_t i = 0; i < read->candidate_count && at == NULL; i++)
        if (encode_holds_in_model(decoder->encoder, read->candidates[i].condition))
            at = &read->candidates[i];
    if (at == NULL)
        return;
    struct awaited awaited = {
        .instruction = read->instruction,
        .name = decoder->program->memory.objects[at->object].name,
        .offset = at->offset,
        .width = 8 * read->size,
        .is_mbarrier = read->mbarrier != NULL,
        .value = encode_value_in_model(decoder->encoder,
                                       encode_expr(decoder->encoder, read->access->value))};
    for (unsigned i = 0; i < at->cell_count; i++)
        find_cause(decoder, read->id, at->first_cell + i, &awaited);
    ARENA_APPEND(decoder->arena, fate->awaited, fate->awaited_count, awaited);
}

static bool find_stay(const struct fate_decoder *decoder, size_t thread, struct thread_fate *fate) {
    const struct program *program = decoder->program;
    for (size_t i = 0; i < program->endings->stay_count; i++) {
        const struct stay *stay = &program->endings->stays[i];
        if ((size_t)stay->thread != thread ||
            !encode_holds_in_model(decoder->encoder, stay->condition))
            continue;
        fate->fate = FATE_STAYS;
        fate->at = &program->test->threads[thread].instructions[stay->instruction];
        for (size_t e = stay->middle; e < stay->end; e++)
            if (program->events[e].kind == EVENT_READ && executes(decoder, &program->events[e]))
                add_awaited(decoder, fate, &program->events[e]);
        return true;
    }
    return false;
}

// --- Threads that are blocked ------------------------------------------------------------------

static bool is_blocked_at(const struct fate_decoder *decoder, const struct event *event) {
    return event_is_wait(event) && executes(decoder, event) &&
           !encode_passes_in_model(decoder->encoder, event->id);
}

static bool comes_to(const struct fate_decoder *decoder, size_t thread, unsigned group) {
    for (size_t i = 0; i < decoder->program->event_count; i++) {
        const struct event *event = &decoder->program->events[i];
        if ((size_t)event->thread == thread && is_blocked_at(decoder, event) &&
            event->barrier->group == group)
            return true;
    }
    return false;
}

static void find_missing(const struct fate_decoder *decoder, const struct event *wait,
                         struct thread_fate *fate) {
    assert(event_is_wait(wait));
    const struct program *program = decoder->program;
    size_t threads = program->test->thread_count;
    fate->missing = ARENA_ARRAY(decoder->arena, int, threads);
    for (size_t t = 0; t < threads; t++)
        if (program->barriers.members[wait->barrier->group * threads + t] &&
            !comes_to(decoder, t, wait->barrier->group))
            fate->missing[fate->missing_count++] = (int)t;
}

static bool find_blocked(const struct fate_decoder *decoder, size_t thread,
                         struct thread_fate *fate) {
    for (size_t i = 0; i < decoder->program->event_count; i++) {
        const struct event *event = &decoder->program->events[i];
        if ((size_t)event->thread != thread || !is_blocked_at(decoder, event))
            continue;
        fate->fate = FATE_BLOCKED;
        fate->at = event->instruction;
        find_missing(decoder, event, fate);
        return true;
    }
    return false;
}

// --- All ---------------------------------------------------------------------------------------

struct thread_fate *fates_in_model(struct arena *arena, struct encoder *encoder,
                                   const struct program *program) {
    struct fate_decoder decoder = {arena, encoder, program};
    size_t threads = program->test->thread_count;
    struct thread_fate *fates = ARENA_ARRAY(arena, struct thread_fate, threads);
    for (size_t t = 0; t < threads; t++)
        if (!encode_holds_in_model(encoder, program->endings->starts[t]))
            fates[t].fate = FATE_NOT_STARTED;
        else if (encode_holds_in_model(encoder, program->endings->starved[t]))
            fates[t].fate = FATE_STARVED;
        else if (!find_stay(&decoder, t, &fates[t]))
            find_blocked(&decoder, t, &fates[t]);
    return fates;
}
