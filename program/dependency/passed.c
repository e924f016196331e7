// Dependencies on values that threads pass to each other without memory: what a bar.red, or shfl,
// vote, match or redux in a warp, returns comes from what other threads have given, and these from
// their reads.
//
// "An execution cannot speculatively produce a value in such a way that the speculation becomes
// self-satisfying through chains of instruction dependencies and inter-thread communication" (PTX
// ISA 8.10.4). So what a thread does with such a value depends on the reads of the others, in the
// executions in which the arrivals are in one phase; and on its own only where its own part counts:
// what a shfl takes from another lane has nothing to do with what the thread gives.
//
// Lists of dependencies have, up to here, the wait itself in the place of all these reads.

#include "program/dependency/influence.h"
#include "program/barrier/barriers.h"
#include "program/builder.h"
#include "program/dependency/dependencies.h"
#include "program/thread/warp.h"

#include <assert.h>
#include <stdlib.h>

enum passed_state { NEW, OPEN, DONE };

struct passing {
    struct builder *builder;
    size_t *first_pair;            // by event: of a wait, its first pair
    enum passed_state *states;     // by event
    struct dependency_list *lists; // by event: the reads that the result of a wait comes from
};

static bool passes_values(const struct event *event) {
    return event_is_wait(event) && event->barrier->result != NULL;
}

static bool some_pass_values(const struct program *program) {
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (passes_values(&program->events[i]))
            return true;
    return false;
}

// Whether the result of some wait is still one to look for: that of an exchange to which all lanes
// come together is an expression over reads already (barrier/lockstep.c).
static bool some_results_are_open(const struct program *program) {
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (passes_values(&program->events[i]) && program->events[i].barrier->together == 0)
            return true;
    return false;
}

static bool has_waits(const struct program *program, const struct dependency_list *list) {
    for (size_t i = 0; i < list->count; i++)
        if (program->events[list->items[i].event].kind == EVENT_BARRIER)
            return true;
    return false;
}

static int compare_dependencies(const void *left, const void *right) {
    const struct dependency *a = left, *b = right;
    return a->event < b->event ? -1 : a->event > b->event;
}

static struct dependency_list sources_of_wait(struct passing *passing, unsigned wait);

// The reads of a list, and those that the waits in it come from.
static struct dependency_list reads_of(struct passing *passing,
                                       const struct dependency_list *list) {
    struct builder *builder = passing->builder;
    struct dependency_list all = {NULL, 0};
    if (!has_waits(builder->program, list))
        return *list;
    for (size_t i = 0; i < list->count; i++) {
        struct dependency_list more = {&list->items[i], 1};
        if (builder->program->events[list->items[i].event].kind == EVENT_BARRIER)
            more = dependencies_when(builder, sources_of_wait(passing, list->items[i].event),
                                     list->items[i].condition);
        all = dependencies_union(builder, all, more);
    }
    return all;
}

// The condition on which a wait takes what an arrival gives: they are in one phase, and it is that
// of the lane that a shfl copies from.
static const struct expr *takes(const struct builder *builder, const struct event *wait,
                                size_t pair) {
    struct expr_pool *pool = builder->pool;
    const struct event *arrival =
        &builder->program->events[builder->program->barriers.phase_pairs[pair].arrival];
    const struct expr *there =
        barrier_always_meets(builder, &builder->program->barriers.phase_pairs[pair])
            ? builder->always
            : expr_leaf(pool, EXPR_PHASE_PAIR, 1, (unsigned)pair);
    const struct expr *lane = wait->barrier->lane;
    if (lanes_is_matrix(wait->instruction) &&
        !lanes_gives(wait->instruction, barrier_lane(builder, arrival->thread),
                     barrier_lane(builder, wait->thread)))
        return builder->never;
    if (lane == NULL)
        return there;
    uint64_t number = barrier_lane(builder, arrival->thread);
    return expr_and(pool, there, expr_eq(pool, lane, expr_const_u64(pool, 32, number)));
}

// The reads that what a wait returns comes from. A way that leads round to the same wait, through
// phases of which only some can be, is not followed.
static struct dependency_list sources_of_wait(struct passing *passing, unsigned wait) {
    struct builder *builder = passing->builder;
    const struct program *program = builder->program;
    struct dependency_list all = {NULL, 0};
    if (passing->states[wait] != NEW)
        return passing->lists[wait];
    passing->states[wait] = OPEN;
    for (size_t i = passing->first_pair[wait];
         i < program->barriers.phase_pair_count && program->barriers.phase_pairs[i].wait == wait;
         i++) {
        const struct event *arrival = &program->events[program->barriers.phase_pairs[i].arrival];
        const struct expr *condition = takes(builder, &program->events[wait], i);
        if (expr_is_false(condition))
            continue;
        struct dependency_list given = reads_of(passing, &arrival->barrier->given);
        all = dependencies_union(builder, all, dependencies_when(builder, given, condition));
    }
    passing->states[wait] = DONE;
    passing->lists[wait] = all;
    return all;
}

// Puts the reads in the place of waits.
static void replace(struct passing *passing, struct dependency_list *list) {
    if (!has_waits(passing->builder->program, list))
        return;
    struct dependency *sorted =
        arena_copy(passing->builder->arena, list->items, list->count, sizeof *list->items);
    qsort(sorted, list->count, sizeof *sorted, compare_dependencies);
    struct dependency_list before = {sorted, list->count};
    *list = reads_of(passing, &before);
}

void dependencies_pass_on(struct builder *builder) {
    struct program *program = builder->program;
    size_t n = program->event_count;
    if (!some_pass_values(program))
        return;
    struct passing passing = {.builder = builder,
                              .first_pair = ARENA_ARRAY(builder->arena, size_t, n),
                              .states = ARENA_ARRAY(builder->arena, enum passed_state, n),
                              .lists = ARENA_ARRAY(builder->arena, struct dependency_list, n)};
    for (size_t i = program->barriers.phase_pair_count; i-- > 0;)
        passing.first_pair[program->barriers.phase_pairs[i].wait] = i;
    for (size_t i = program->init_count; i < n; i++) {
        replace(&passing, &program->events[i].addr);
        replace(&passing, &program->events[i].data);
        replace(&passing, &program->events[i].ctrl);
    }
}

// --- Reads of other threads ---------------------------------------------------------------------

// Moves those of the thread, and not later than the event, to the list's beginning, and returns the
// others.
static struct dependency_list take_others(struct builder *builder, const struct event *event,
                                          struct dependency_list *list) {
    const struct event *events = builder->program->events;
    struct dependency *own = ARENA_ARRAY(builder->arena, struct dependency, list->count);
    struct dependency *others = ARENA_ARRAY(builder->arena, struct dependency, list->count);
    size_t own_count = 0, other_count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct event *read = &events[list->items[i].event];
        if (read->thread != event->thread)
            others[other_count++] = list->items[i];
        else if (read->position <= event->position && read != event)
            own[own_count++] = list->items[i];
    }
    if (other_count > 0 || own_count < list->count)
        *list = (struct dependency_list){own, own_count};
    return (struct dependency_list){others, other_count};
}

void dependencies_part(struct builder *builder) {
    struct program *program = builder->program;
    if (!some_pass_values(program))
        return;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        struct event *event = &program->events[i];
        struct dependency_list *lists[] = {&event->addr, &event->data, &event->ctrl};
        for (unsigned k = 0; k < 3; k++)
            event->passed =
                dependencies_union(builder, event->passed, take_others(builder, event, lists[k]));
    }
}

// --- Values as expressions of reads --------------------------------------------------------------

struct passed_values {
    struct builder *builder;
    struct influences *influences;
    enum passed_state *states;   // by event: of a wait
    const struct expr **results; // what it returns, as an expression of what threads have read
    // Waits whose results occur in the expressions at hand, and have not been looked at.
    unsigned *asked;
    size_t asked_count;
};

struct passed_values *passed_values_new(struct arena *arena, struct builder *builder,
                                        struct influences *influences) {
    size_t n = builder->program->event_count;
    if (!some_results_are_open(builder->program))
        return NULL;
    struct passed_values *values = ARENA_NEW(arena, struct passed_values);
    *values = (struct passed_values){.builder = builder,
                                     .influences = influences,
                                     .states = ARENA_ARRAY(arena, enum passed_state, n),
                                     .results = ARENA_ARRAY(arena, const struct expr *, n)};
    return values;
}

static void add_asked(struct passed_values *values, unsigned wait) {
    values->asked = arena_grow(values->builder->arena, values->asked, values->asked_count,
                               sizeof *values->asked);
    values->asked[values->asked_count++] = wait;
}

static const struct expr *note_result(void *context, const struct expr *leaf) {
    struct passed_values *values = context;
    if (leaf->op == EXPR_REDUCED && values->states[leaf->index] == NEW)
        add_asked(values, leaf->index);
    return leaf;
}

static const struct expr *result_of(void *context, const struct expr *leaf) {
    const struct passed_values *values = context;
    const struct builder *builder = values->builder;
    if (leaf->op == EXPR_PHASE_PAIR)
        return barrier_always_meets(builder, &builder->program->barriers.phase_pairs[leaf->index])
                   ? builder->always
                   : leaf;
    bool known = leaf->op == EXPR_REDUCED && values->states[leaf->index] == DONE;
    return known ? values->results[leaf->index] : leaf;
}

const struct expr *passed_values_in(struct passed_values *values, const struct expr *expr) {
    if (values == NULL)
        return expr;
    // Those that occur are found out first, each after those that occur in it.
    size_t before = values->asked_count;
    influence_replace(values->influences, expr, note_result, values);
    while (values->asked_count > before) {
        unsigned wait = values->asked[--values->asked_count];
        if (values->states[wait] != NEW)
            continue;
        values->states[wait] = OPEN;
        const struct event *event = &values->builder->program->events[wait];
        values->results[wait] = passed_values_in(values, event->barrier->reduced);
        values->states[wait] = DONE;
    }
    return influence_replace(values->influences, expr, result_of, values);
}
