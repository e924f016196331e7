// Memory that a thread alone has, and of which it is known what each read of it returns: what
// accesses it is left out of the program once that is built (thread/private.c).
//
// Such accesses are weak and of one thread. Nothing that other threads do is related to them: who
// reads from whom, coherence and races are between accesses of one place, and patterns of release
// and acquire consist of strong operations. Paths through them by program order are paths without
// them. A dependency on such a read is one on what its value depends on, which thread/private.c
// adds. What remains is the same program with fewer events: compilers that do not optimise copy
// each value several times through .local memory.
//
// So are exchanges of warps that hold up no lane (barrier/lockstep.c), and accesses and fences that
// are known never to execute where that has been looked for (unreached.c).

#include "program/builder.h"
#include "program/memory/memory.h"
#include "program/substitute.h"

#include <assert.h>

// What remains, by object, cell and event: whether it does, and its new number.
struct remains {
    struct builder *builder;
    bool *objects;
    unsigned *cells, *events, *pairs;
    bool *used; // by event: an expression is over what it returns
    bool grown;
    bool uses_exchanges;    // some expression is over one of a warp that could be left out
    struct expr_pool *pool; // of what remains
};

// Whether a thread has an object alone. Where threads may stay in loops, only if it is a parameter
// of the kernel: what rounds that are repeated find there is what the first one does.
static bool is_private_object(const struct program *program, const struct object *object) {
    if (program->endings != NULL)
        return object->space == SPACE_PARAM &&
               !program->test->variables[object->variable].is_parameter;
    return object->space == SPACE_LOCAL || object->space == SPACE_PARAM;
}

// --- What remains ------------------------------------------------------------------------------

static void keep(struct remains *remains, unsigned object) {
    remains->grown = remains->grown || !remains->objects[object];
    remains->objects[object] = true;
}

static void keep_places(struct remains *remains, const struct event *event) {
    for (size_t i = 0; i < event->candidate_count; i++)
        keep(remains, event->candidates[i].object);
}

// Whether an event is left out if its object is.
static bool is_plain_access(const struct builder *builder, const struct event *event) {
    return event_is_access(event) && event->order == ORDER_WEAK && event->access->rmw < 0 &&
           event->proxy == PROXY_GENERIC && event->candidate_count == 1 &&
           expr_is_true(event->candidates[0].condition) &&
           (event->kind == EVENT_WRITE || builder->alone.known[event->id]);
}

// An exchange that holds up no lane, and orders nothing.
static bool is_idle_exchange(const struct event *event) {
    return event->kind == EVENT_BARRIER && event->barrier->together > 0 &&
           event->barrier->never_blocks;
}

// Whether an access or a fence never executes, in a program in which that has been looked for.
static bool never_executes(const struct builder *builder, const struct event *event) {
    bool plain = event->kind == EVENT_FENCE ||
                 (event_is_access(event) && event->access->rmw < 0 && event->mbarrier == NULL);
    return builder->known.substitutes && plain && event->async == NULL &&
           expr_is_false(event->executes);
}

static bool remains_event(const struct remains *remains, const struct event *event) {
    if (never_executes(remains->builder, event))
        return remains->used[event->id];
    if (is_idle_exchange(event))
        return remains->uses_exchanges;
    return event->candidate_count == 0 || remains->objects[event->candidates[0].object];
}

// Whether a leaf is about an exchange that could be left out.
static bool is_over_exchange(const struct program *program, const struct expr *leaf) {
    switch (leaf->op) {
    case EXPR_PASSES:
    case EXPR_REDUCED:
    case EXPR_REDUCED_UNDEF: return is_idle_exchange(&program->events[leaf->index]);
    case EXPR_PHASE_PAIR:
        return is_idle_exchange(&program->events[program->barriers.phase_pairs[leaf->index].wait]);
    default: return false;
    }
}

static void keep_leaf(void *context, const struct expr *leaf) {
    struct remains *remains = context;
    const struct program *program = remains->builder->program;
    if (is_over_exchange(program, leaf) && !remains->uses_exchanges)
        remains->grown = remains->uses_exchanges = true;
    if (leaf->op == EXPR_READ || leaf->op == EXPR_READ_UNDEF) {
        remains->grown = remains->grown || !remains->used[leaf->index];
        remains->used[leaf->index] = true;
        keep_places(remains, &program->events[leaf->index]);
    }
    if (leaf->op == EXPR_FINAL || leaf->op == EXPR_FINAL_UNDEF)
        keep(remains, program->memory.cells[leaf->index].object);
}

static void mark(void *context, const struct expr **expr) {
    bool *marked = context;
    marked[(*expr)->id] = true;
}

// Keeps the objects on which an expression depends that is kept.
static void keep_what_is_used(struct remains *remains) {
    struct program *program = remains->builder->program;
    bool *marked = ARENA_ARRAY(remains->builder->arena, bool, expr_pool_count(program->pool));
    program_visit_rest(mark, marked, program);
    for (size_t i = 0; i < program->event_count; i++)
        if (remains_event(remains, &program->events[i]))
            program_visit_event(mark, marked, &program->events[i]);
    expr_mark_parts(program->pool, expr_pool_count(program->pool), marked);
    expr_visit_leaves(program->pool, marked, keep_leaf, remains);
}

static void find_remains(struct remains *remains) {
    const struct program *program = remains->builder->program;
    for (unsigned i = 0; i < program->memory.object_count; i++)
        if (!is_private_object(program, &program->memory.objects[i]))
            keep(remains, i);
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (!is_plain_access(remains->builder, &program->events[i]))
            keep_places(remains, &program->events[i]);
    for (size_t i = 0; i < program->barriers.exit_count; i++)
        for (size_t k = 0; k < program->barriers.exits[i].read_count; k++)
            keep_places(remains, &program->events[program->barriers.exits[i].reads[k]]);
    do {
        remains->grown = false;
        keep_what_is_used(remains);
    } while (remains->grown);
}

// --- Leaving the rest out ----------------------------------------------------------------------

enum { GONE = -1 };

static unsigned new_index(const struct remains *remains, const struct expr *leaf) {
    switch (leaf->op) {
    case EXPR_FINAL:
    case EXPR_FINAL_UNDEF: return remains->cells[leaf->index];
    case EXPR_READ:
    case EXPR_READ_UNDEF:
    case EXPR_PASSES:
    case EXPR_REDUCED:
    case EXPR_REDUCED_UNDEF: return remains->events[leaf->index];
    case EXPR_PHASE_PAIR: return remains->pairs[leaf->index];
    default: return leaf->index;
    }
}

static const struct expr *renumbered(void *context, const struct expr *leaf) {
    const struct remains *remains = context;
    return expr_leaf(remains->pool, leaf->op, leaf->width, new_index(remains, leaf));
}

static void copy(void *context, const struct expr **expr) {
    *expr = expr_replace(context, *expr);
}

static void shrink_list(const struct remains *remains, struct dependency_list *list) {
    struct dependency *items = ARENA_ARRAY(remains->builder->arena, struct dependency, list->count);
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        unsigned event = remains->events[list->items[i].event];
        if (event != (unsigned)GONE)
            items[count++] = (struct dependency){event, list->items[i].condition};
    }
    *list = (struct dependency_list){items, count};
}

static void shrink_event(const struct remains *remains, struct event *event) {
    event->id = remains->events[event->id];
    if (event->candidate_count > 0)
        event->candidates = arena_copy(remains->builder->arena, event->candidates,
                                       event->candidate_count, sizeof *event->candidates);
    for (size_t i = 0; i < event->candidate_count; i++)
        event->candidates[i].first_cell = remains->cells[event->candidates[i].first_cell];
    shrink_list(remains, &event->addr);
    shrink_list(remains, &event->data);
    shrink_list(remains, &event->ctrl);
    shrink_list(remains, &event->passed);
    shrink_list(remains, &event->outlives);
    shrink_list(remains, &event->underway);
    shrink_list(remains, &event->allocations);
    if (event->mbarrier != NULL) {
        shrink_list(remains, &event->mbarrier->phases);
        shrink_list(remains, &event->mbarrier->waited);
        shrink_list(remains, &event->mbarrier->states);
    }
    if (event->async != NULL) {
        event->async->issue = remains->events[event->async->issue];
        shrink_list(remains, &event->async->done);
    }
    if (event->access != NULL && event->access->rmw >= 0)
        event->access->rmw = (int)remains->events[event->access->rmw];
    if (event->barrier != NULL && event->barrier->arrival >= 0)
        event->barrier->arrival = (int)remains->events[event->barrier->arrival];
}

static void shrink_pairs(const struct remains *remains) {
    struct program *program = remains->builder->program;
    size_t count = 0;
    for (size_t i = 0; i < program->barriers.phase_pair_count; i++) {
        struct phase_pair pair = program->barriers.phase_pairs[i];
        if (remains->pairs[i] != (unsigned)GONE)
            program->barriers.phase_pairs[count++] =
                (struct phase_pair){remains->events[pair.arrival], remains->events[pair.wait]};
    }
    program->barriers.phase_pair_count = count;
}

// Rounds of loops begin and end at what remains.
static void shrink_stays(const struct remains *remains, size_t count) {
    const struct endings *endings = remains->builder->program->endings;
    size_t *before = ARENA_ARRAY(remains->builder->arena, size_t, count + 1);
    for (size_t i = 0; i < count; i++)
        before[i + 1] = before[i] + (remains->events[i] != (unsigned)GONE);
    for (size_t i = 0; endings != NULL && i < endings->stay_count; i++) {
        struct stay *stay = &endings->stays[i];
        stay->first = before[stay->first];
        stay->middle = before[stay->middle];
        stay->end = before[stay->end];
    }
}

static void shrink_exit(const struct remains *remains, struct barrier_exit *exit) {
    size_t count = 0;
    exit->released = remains->events[exit->released];
    for (size_t i = 0; i < exit->read_count; i++)
        if (remains->events[exit->reads[i]] != (unsigned)GONE) // else it never executes
            exit->reads[count++] = remains->events[exit->reads[i]];
    exit->read_count = count;
}

static void shrink_events(struct remains *remains, struct expr_replacements *copies) {
    struct program *program = remains->builder->program;
    size_t count = 0, init_count = program->init_count;
    for (size_t i = 0; i < program->event_count; i++) {
        if (remains->events[i] == (unsigned)GONE) {
            program->init_count -= i < init_count;
            continue;
        }
        struct event *event = &program->events[count];
        *event = program->events[i];
        shrink_event(remains, event);
        program_visit_event(copy, copies, event);
        program->assumed_values[count] = program->assumed_values[i];
        program_visit_if(copy, copies, &program->assumed_values[count++]);
    }
    shrink_stays(remains, program->event_count);
    program->event_count = count;
    shrink_pairs(remains);
    for (size_t i = 0; i < program->barriers.exit_count; i++)
        shrink_exit(remains, &program->barriers.exits[i]);
}

static void shrink_cells(struct remains *remains, struct expr_replacements *copies) {
    struct program *program = remains->builder->program;
    unsigned count = 0;
    for (unsigned i = 0; i < program->memory.cell_count; i++) {
        if (!remains->objects[program->memory.cells[i].object])
            continue;
        program->memory.cells[count] = program->memory.cells[i];
        program->memory.initial_values[count] =
            expr_replace(copies, program->memory.initial_values[i]);
        program->memory.initial_undefs[count] =
            expr_replace(copies, program->memory.initial_undefs[i]);
        count++;
    }
    program->memory.cell_count = count;
}

// Numbers what remains; returns whether all does.
static bool number(struct remains *remains) {
    const struct program *program = remains->builder->program;
    struct arena *arena = remains->builder->arena;
    unsigned events = 0, cells = 0, pairs = 0;
    remains->cells = ARENA_ARRAY(arena, unsigned, program->memory.cell_count + 1);
    remains->events = ARENA_ARRAY(arena, unsigned, program->event_count);
    for (size_t i = 0; i < program->memory.cell_count; i++) {
        remains->cells[i] = cells;
        cells += remains->objects[program->memory.cells[i].object];
    }
    remains->cells[program->memory.cell_count] = cells;
    for (size_t i = 0; i < program->event_count; i++)
        remains->events[i] =
            remains_event(remains, &program->events[i]) ? events++ : (unsigned)GONE;
    remains->pairs = ARENA_ARRAY(arena, unsigned, program->barriers.phase_pair_count + 1);
    for (size_t i = 0; i < program->barriers.phase_pair_count; i++) {
        bool gone = remains->events[program->barriers.phase_pairs[i].wait] == (unsigned)GONE;
        remains->pairs[i] = gone ? (unsigned)GONE : pairs++;
    }
    return events == program->event_count;
}

void known_memory_drop(struct builder *builder) {
    struct program *program = builder->program;
    struct remains remains = {.builder = builder};
    const struct expr_replacing leaves = {renumbered, &remains};
    if ((builder->plan->options->left_out & STEP_PRIVATE) != 0)
        return;
    remains.used = ARENA_ARRAY(builder->arena, bool, program->event_count);
    remains.objects = ARENA_ARRAY(builder->arena, bool, program->memory.object_count + 1);
    find_remains(&remains);
    if (number(&remains))
        return;
    remains.pool = expr_pool_new(builder->arena);
    struct expr_replacements *copies =
        expr_replacements_between(builder->arena, program->pool, remains.pool, &leaves);
    program_visit_rest(copy, copies, program);
    shrink_events(&remains, copies);
    shrink_cells(&remains, copies);
    program->pool = builder->pool = remains.pool;
    builder->never = expr_bool(builder->pool, false);
    builder->always = expr_bool(builder->pool, true);
}
