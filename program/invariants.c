// What program.h and its parts say of every program, as assertions.
#include "program/builder.h"

#include "program/program.h"

#include <assert.h>

#ifdef NDEBUG
void program_assert(const struct program *program) {
    (void)program;
}
#else

static bool is_condition(const struct expr *expr) {
    return expr != NULL && expr->width == 1;
}

// --- Memory --------------------------------------------------------------------------------------

static void assert_objects(const struct program *program) {
    for (size_t i = 0; i < program->memory.object_count; i++) {
        const struct object *object = &program->memory.objects[i];
        assert(object->variable < program->test->variable_count);
        assert(program->test->variables[object->variable].alias_of < 0);
        assert(object->instance >= -1 && object->instance < (int)program->test->thread_count);
        assert(object->size > 0);
    }
    for (size_t i = 0; i < program->memory.virtual_range_count; i++) {
        const struct virtual_range *range = &program->memory.virtual_ranges[i];
        assert(range->object < program->memory.object_count);
        assert(range->variable < program->test->variable_count);
        if (i + 1 < program->memory.virtual_range_count) // in the order of addresses, apart
            assert(range->address + program->memory.objects[range->object].size <=
                   range[1].address);
    }
}

static void assert_cells(const struct program *program) {
    for (unsigned i = 0; i < program->memory.cell_count; i++) {
        const struct cell *cell = &program->memory.cells[i];
        assert(cell->object < program->memory.object_count);
        assert(cell->size >= 1 && cell->size <= 16);
        assert(cell->offset + cell->size <= program->memory.objects[cell->object].size);
        assert(program->memory.initial_values[i]->width == 8 * cell->size);
        assert(is_condition(program->memory.initial_undefs[i]));
        if (i > 0) { // sorted, apart
            assert(cell[-1].object <= cell->object);
            assert(cell[-1].object < cell->object ||
                   cell[-1].offset + cell[-1].size <= cell->offset);
        }
    }
}

// Accesses cover whole cells; an initial write has all cells of its object that there are.
static void assert_candidate(const struct program *program, const struct event *event,
                             const struct candidate *at) {
    assert(at->range < program->memory.virtual_range_count);
    assert(at->object == program->memory.virtual_ranges[at->range].object);
    assert(at->first_cell + at->cell_count <= program->memory.cell_count);
    assert(is_condition(at->condition));
    unsigned bytes = 0;
    for (unsigned i = 0; i < at->cell_count; i++) {
        assert(program->memory.cells[at->first_cell + i].object == at->object);
        bytes += program->memory.cells[at->first_cell + i].size;
    }
    if (!event_is_access(event))
        return;
    assert(at->cell_count > 0 && bytes == event->size);
    assert(program->memory.cells[at->first_cell].offset == at->offset);
}

// --- Events --------------------------------------------------------------------------------------

static void assert_access(const struct program *program, const struct event *event) {
    const struct event_access *access = event->access;
    assert(event->size >= 1 && event->size <= 16);
    assert(event->address->width == 64);
    assert(access->value->width == 8 * event->size);
    assert(is_condition(access->undef));
    if (event->kind == EVENT_READ)
        assert(access->value->op == EXPR_READ && access->value->index == event->id);
    if (access->rmw < 0)
        return;
    assert((size_t)access->rmw < program->event_count);
    const struct event *other = &program->events[access->rmw];
    assert(event_is_access(other) && other->kind != event->kind);
    assert(other->access->rmw == (int)event->id);
    assert(other->thread == event->thread);
    assert(event->kind == EVENT_READ || other->position <= event->position);
    assert(other->size == event->size);
}

static void assert_barrier(const struct program *program, const struct event *event) {
    const struct event_barrier *barrier = event->barrier;
    assert(barrier->is_arrival != barrier->is_wait);
    assert(barrier->group < program->barriers.group_count);
    assert(program->barriers
               .members[barrier->group * program->test->thread_count + (size_t)event->thread]);
    assert(barrier->id->width == 32);
    assert(barrier->count->width == 32);
    assert(barrier->rank == NULL || barrier->rank->width == 32);
    assert((barrier->predicate == NULL) == (barrier->predicate_undef == NULL));
    assert((barrier->result == NULL) == (barrier->reduced == NULL));
    if (barrier->arrival < 0)
        return;
    assert(barrier->is_wait && (size_t)barrier->arrival < program->event_count);
    const struct event *own = &program->events[barrier->arrival];
    assert(event_is_arrival(own) && own->thread == event->thread);
    assert(own->barrier->group == barrier->group);
}

// Dependencies are from earlier reads of the thread; those that are passed on, from reads of
// others.
static void assert_dependencies(const struct program *program, const struct event *event,
                                const struct dependency_list *list, bool passed) {
    for (size_t i = 0; i < list->count; i++) {
        assert(list->items[i].event < program->event_count);
        const struct event *read = &program->events[list->items[i].event];
        assert(read->kind == EVENT_READ);
        assert((read->thread == event->thread) != passed);
        assert(passed || (read->position <= event->position && read != event));
        assert(is_condition(list->items[i].condition));
    }
}

// Initial writes first, then the threads in order, each in program order.
static void assert_place(const struct program *program, const struct event *event) {
    bool initial = event->id < program->init_count;
    assert(event == &program->events[event->id]);
    assert((event->kind == EVENT_INIT) == initial);
    assert((event->thread < 0) == initial);
    assert((event->instruction == NULL) == initial);
    assert(event->thread < (int)program->test->thread_count);
    if (event->id == 0)
        return;
    assert(event[-1].thread <= event->thread);
    assert(event[-1].thread < event->thread || event[-1].position <= event->position);
}

static void assert_event(const struct program *program, const struct event *event) {
    assert_place(program, event);
    assert(is_condition(event->executes));
    assert((event->access != NULL) == event_is_access(event));
    assert((event->barrier != NULL) == (event->kind == EVENT_BARRIER));
    assert((unsigned)event->proxy < PROXY_COUNT);
    assert(event->order != ORDER_WEAK || event->scope == SCOPE_NONE);
    if (event->access != NULL)
        assert_access(program, event);
    if (event->barrier != NULL)
        assert_barrier(program, event);
    for (size_t i = 0; i < event->candidate_count; i++)
        assert_candidate(program, event, &event->candidates[i]);
    assert_dependencies(program, event, &event->addr, false);
    assert_dependencies(program, event, &event->data, false);
    assert_dependencies(program, event, &event->ctrl, false);
    assert_dependencies(program, event, &event->passed, true);
}

// --- Barriers and loops --------------------------------------------------------------------------

static void assert_phases(const struct program *program) {
    for (size_t i = 0; i < program->barriers.phase_pair_count; i++) {
        const struct phase_pair *pair = &program->barriers.phase_pairs[i];
        assert(pair->arrival < program->event_count && pair->wait < program->event_count);
        const struct event *arrival = &program->events[pair->arrival];
        const struct event *wait = &program->events[pair->wait];
        assert(event_is_arrival(arrival) && event_is_wait(wait));
        assert(arrival->barrier->group == wait->barrier->group);
        assert(arrival->barrier->instance == wait->barrier->instance);
        if (i > 0) // sorted, none twice
            assert(pair[-1].wait < pair->wait ||
                   (pair[-1].wait == pair->wait && pair[-1].arrival < pair->arrival));
    }
}

static void assert_exits(const struct program *program) {
    for (size_t i = 0; i < program->barriers.exit_count; i++) {
        const struct barrier_exit *exit = &program->barriers.exits[i];
        assert(exit->released < program->event_count);
        assert(event_is_wait(&program->events[exit->released]));
        assert(program->events[exit->released].thread != exit->thread);
        assert(is_condition(exit->condition));
        for (size_t k = 0; k < exit->read_count; k++) {
            assert(exit->reads[k] < program->event_count);
            assert(program->events[exit->reads[k]].kind == EVENT_READ);
            assert(program->events[exit->reads[k]].thread == exit->thread);
        }
    }
}

static void assert_endings(const struct program *program, const struct endings *endings) {
    assert(expr_is_true(program->assumption));
    assert(is_condition(endings->beyond));
    for (size_t i = 0; i < program->test->thread_count; i++)
        assert(is_condition(endings->ends[i]));
    for (size_t i = 0; i < endings->stay_count; i++) {
        const struct stay *stay = &endings->stays[i];
        assert(stay->thread >= 0 && (size_t)stay->thread < program->test->thread_count);
        assert(stay->first <= stay->middle && stay->middle <= stay->end);
        assert(stay->end <= program->event_count);
        assert(is_condition(stay->condition));
    }
}

// --- All of it -----------------------------------------------------------------------------------

static void assert_questions(const struct program *program) {
    assert(is_condition(program->condition));
    assert(is_condition(program->filter));
    assert(is_condition(program->assumption));
    assert(is_condition(program->given));
    assert(is_condition(program->limits.bound_reached));
    assert(is_condition(program->limits.out_of_bounds));
    for (size_t i = 0; i < program->observed_count; i++) {
        assert(program->observed[i].value->width == program->observed[i].width);
        assert(is_condition(program->observed[i].undef));
    }
    for (size_t i = 0; i < program->event_count; i++)
        assert(program->assumed_values[i] == NULL || expr_is_const(program->assumed_values[i]));
}

void program_assert(const struct program *program) {
    assert(program->init_count <= program->event_count);
    assert_objects(program);
    assert_cells(program);
    for (size_t i = 0; i < program->event_count; i++)
        assert_event(program, &program->events[i]);
    assert_phases(program);
    assert_exits(program);
    assert_questions(program);
    if (program->endings != NULL)
        assert_endings(program, program->endings);
    if (program->spinning != NULL) { // the same test, in which threads stay in spin loops
        assert(program->spinning->test == program->test);
        assert(expr_is_true(program->spinning->assumption));
        assert(program->spinning->spinning == NULL);
    }
}
#endif
