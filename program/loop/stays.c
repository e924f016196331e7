// Threads that never leave a loop, or that the schedule leaves out (struct endings).
//
// A thread stays in a loop if, from some round on, all rounds are the same. No register goes from
// one round into the next (thread/flow.c takes only rounds that begin where none does), so a round
// is the same if its reads return the same. For a round that only reads one is enough: those before
// it leave nothing behind and can be left out. One that writes is there twice, so that the second
// finds what the first one has left, as each later one finds what the second has.
//
// Rounds that repeat need not follow each other at once: a thread may write 0 and 1 in turns. So
// what is repeated is one round or two of them.

#include "program/builder.h"
#include "program/loop/loops.h"

#include <assert.h>

enum { PERIOD_MAX = 2 };

void stays_start(struct builder *builder) {
    struct endings *endings = ARENA_NEW(builder->arena, struct endings);
    size_t threads = builder->test->thread_count;
    endings->starts = ARENA_ARRAY(builder->arena, const struct expr *, threads);
    endings->starved = ARENA_ARRAY(builder->arena, const struct expr *, threads);
    endings->beyond = builder->never;
    for (size_t i = 0; i < threads; i++) {
        endings->starts[i] = builder->always;
        endings->starved[i] = builder->never;
    }
    builder->program->endings = endings;
}

static const struct expr *new_choice(struct builder *builder) {
    return expr_leaf(builder->pool, EXPR_CHOICE, 1, builder->loops.choice_count++);
}

const struct expr *stays_choose(struct builder *builder, const struct expr *path,
                                const struct expr *unblocked, const struct expr **stopped) {
    assert(path->width == 1);
    const struct expr *goes_on = new_choice(builder);
    const struct expr *stops = expr_and(builder->pool, expr_and(builder->pool, path, unblocked),
                                        expr_not(builder->pool, goes_on));
    *stopped = expr_or(builder->pool, *stopped, stops);
    return expr_and(builder->pool, path, goes_on);
}

// Whether events from one on may leave something behind, along a path.
static bool has_effects(struct builder *builder, size_t first, const struct expr *path) {
    assert(path->width == 1);
    const struct program *program = builder->program;
    for (size_t i = first; i < program->event_count; i++) {
        enum event_kind kind = program->events[i].kind;
        if ((kind == EVENT_WRITE || kind == EVENT_BARRIER) &&
            !excludes(builder, path, builder->reaches[i]))
            return true;
    }
    return false;
}

// Whether no event from one on, before another one, is of its instruction.
static bool is_first_of_instruction(const struct program *program, size_t first, size_t event) {
    for (size_t i = first; i < event; i++)
        if (program->events[i].kind == EVENT_WRITE &&
            program->events[i].instruction == program->events[event].instruction)
            return false;
    return true;
}

bool stays_may_change_longer(const struct builder *builder, int thread,
                             const struct stays_rounds *rounds) {
    const struct program *program = builder->program;
    unsigned stores = 0;
    assert(rounds->count > 0);
    for (size_t i = rounds->begins[0]; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (event->kind != EVENT_WRITE || event->thread != thread)
            continue;
        stores += is_first_of_instruction(program, rounds->begins[0], i);
        if (!expr_is_const(event->access->value) || stores > PERIOD_MAX)
            return true;
    }
    return false;
}

// A thread does not stay where it waits for a phase of an mbarrier that threads could complete
// which the launch leaves out: they are taken to arrive.
static const struct expr *waits_in_vain(const struct builder *builder, const struct stay *stay) {
    const struct expr *in_vain = builder->always;
    for (size_t i = stay->middle; i < stay->end; i++) {
        const struct event *event = &builder->program->events[i];
        if (event_is_mbarrier(event, MBARRIER_KIND_WAIT) && event->thread == stay->thread &&
            event->mbarrier->completable != NULL)
            in_vain = expr_and(builder->pool, in_vain,
                               expr_not(builder->pool, expr_and(builder->pool, builder->reaches[i],
                                                                event->mbarrier->completable)));
    }
    return in_vain;
}

static void add_stay(struct builder *builder, struct stay stay) {
    const struct expr *in_vain = waits_in_vain(builder, &stay);
    const struct expr *released =
        expr_and(builder->pool, stay.condition, expr_not(builder->pool, in_vain));
    builder->program->given =
        expr_and(builder->pool, builder->program->given, expr_not(builder->pool, released));
    stay.condition = expr_and(builder->pool, stay.condition, in_vain);
    struct endings *endings = builder->program->endings;
    endings->stays =
        arena_grow(builder->arena, endings->stays, endings->stay_count, sizeof *endings->stays);
    endings->stays[endings->stay_count++] = stay;
}

const struct expr *stays_end_round(struct builder *builder, int thread, size_t instruction,
                                   const struct stays_rounds *rounds, const struct expr *path,
                                   const struct expr *unblocked) {
    assert(thread >= 0 && (size_t)thread < builder->test->thread_count);
    assert(path->width == 1);
    struct expr_pool *pool = builder->pool;
    size_t end = builder->program->event_count, last = rounds->begins[rounds->count - 1];
    struct stay stay = {.thread = thread, .instruction = instruction, .end = end};
    if (!has_effects(builder, last, path)) {
        stay.first = stay.middle = last;
        stay.condition = expr_and(pool, path, unblocked);
        add_stay(builder, stay);
        return builder->never;
    }
    for (unsigned period = 1; period <= PERIOD_MAX && 2 * period <= rounds->count; period++) {
        const struct expr *stays = new_choice(builder);
        stay.middle = rounds->begins[rounds->count - period];
        stay.first = rounds->begins[rounds->count - 2 * period];
        stay.condition = expr_and(pool, expr_and(pool, path, unblocked), stays);
        add_stay(builder, stay);
        path = expr_and(pool, path, expr_not(pool, stays));
    }
    return path;
}
