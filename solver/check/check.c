// The checker: builds the base sets and relations of a decoded execution from the program alone,
// evaluates the model on them in plain C, and aborts where the solver must have been wrong. It
// shares no code with solver/bounds and solver/encode on purpose.

#include "solver/check/execution.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>

// --- Base sets ---------------------------------------------------------------------------------

static void put(struct model_facts *facts, enum base_set set, unsigned event) {
    assert((unsigned)set < BASE_SET_COUNT);
    assert(event < facts->n);
    event_set_add(&facts->sets[set], event);
}

static void put_mbarrier(struct model_facts *facts, const struct event *event) {
    put(facts, BASE_SET_MBARRIER, event->id);
    if (event->kind == EVENT_WRITE)
        put(facts, BASE_SET_MB_WRITE, event->id);
    switch (event->mbarrier->kind) {
    case MBARRIER_KIND_INIT: put(facts, BASE_SET_MB_INIT, event->id); break;
    case MBARRIER_KIND_INVAL: put(facts, BASE_SET_MB_INVAL, event->id); break;
    case MBARRIER_KIND_WAIT:
        put(facts, BASE_SET_MB_WAIT, event->id);
        if (event->instruction->opcode != OP_MBARRIER_WAIT_PARITY)
            put(facts, BASE_SET_MB_STATE, event->id);
        break;
    case MBARRIER_KIND_ARRIVE:
        if (event->kind == EVENT_WRITE)
            put(facts, BASE_SET_MB_ARRIVE, event->id);
        break;
    case MBARRIER_KIND_COMPLETE:
        if (event->kind == EVENT_WRITE)
            put(facts, BASE_SET_MB_COMPLETE, event->id);
        break;
    case MBARRIER_KIND_TX:
        if (event->kind == EVENT_WRITE)
            put(facts, BASE_SET_MB_TX, event->id);
        break;
    case MBARRIER_KIND_LOOK:
    case MBARRIER_KIND_RAISE: break;
    }
}

// Which operation is started.
static void put_issue(struct model_facts *facts, const struct event *event) {
    static const struct {
        enum opcode opcode;
        enum base_set set;
    } sets[] = {{OP_WGMMA, BASE_SET_WGMMA},          {OP_TENSOR_LD, BASE_SET_TC_LD},
                {OP_TENSOR_ST, BASE_SET_TC_ST},      {OP_TENSOR_MMA, BASE_SET_TC_MMA},
                {OP_TENSOR_CP, BASE_SET_TC_CP},      {OP_TENSOR_SHIFT, BASE_SET_TC_SHIFT},
                {OP_CANCEL_TRY, BASE_SET_TRY_CANCEL}};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (event->instruction->opcode == sets[i].opcode)
            put(facts, sets[i].set, event->id);
    if (event->instruction->opcode == OP_TENSOR_CP && event->instruction->tensor.is_4x256b)
        put(facts, BASE_SET_TC_CP_4X256B, event->id);
    if (event->instruction->of_pair && event->instruction->opcode != OP_CP_TENSOR)
        put(facts, BASE_SET_TC_PAIR, event->id);
}

// Which synchronous tcgen05 instruction an event is.
static enum base_set set_of_tensor(const struct event *event) {
    switch (event->instruction->opcode) {
    case OP_TENSOR_BEFORE: return BASE_SET_TC_BEFORE;
    case OP_TENSOR_AFTER: return BASE_SET_TC_AFTER;
    case OP_TENSOR_ALLOC: return BASE_SET_TC_ALLOC;
    case OP_TENSOR_DEALLOC: return BASE_SET_TC_DEALLOC;
    default: return BASE_SET_TC_RELINQUISH;
    }
}

// Of instructions that PTX does not define for all operands.
static enum base_set set_of_precondition(const struct event *event) {
    switch (event->instruction->opcode) {
    case OP_MBARRIER_PENDING_COUNT: return BASE_SET_MB_COUNT;
    case OP_CANCEL_QUERY: return BASE_SET_CANCEL_QUERY;
    case OP_BAR: return BASE_SET_BAR_OPERANDS;
    default: return BASE_SET_WARP;
    }
}

static bool allocates(const struct program *program) {
    for (size_t i = 0; i < program->test->thread_count; i++) {
        const struct thread *thread = &program->test->threads[i];
        for (size_t k = 0; k < thread->instruction_count; k++)
            if (thread->instructions[k].opcode == OP_TENSOR_ALLOC)
                return true;
    }
    return false;
}

static void put_kind(struct model_facts *facts, const struct program *program,
                     const struct event *event) {
    switch (event->kind) {
    case EVENT_INIT:
        put(facts, BASE_SET_IW, event->id);
        put(facts, BASE_SET_W, event->id);
        put(facts, BASE_SET_M, event->id);
        put(facts, BASE_SET_WEAK, event->id);
        if (program->test->variables[program->memory.objects[event->candidates->object].variable]
                .is_mbarrier)
            put(facts, BASE_SET_MB_DECLARED, event->id);
        break;
    case EVENT_READ:
    case EVENT_WRITE:
        if (event->mbarrier != NULL) {
            put_mbarrier(facts, event);
            return;
        }
        put(facts, event->kind == EVENT_READ ? BASE_SET_R : BASE_SET_W, event->id);
        put(facts, BASE_SET_M, event->id);
        break;
    case EVENT_FENCE:
        put(facts,
            event_is_init_fence(event)         ? BASE_SET_INIT_FENCE
            : event_is_restricted_fence(event) ? BASE_SET_SYNC_RESTRICT
                                               : BASE_SET_F,
            event->id);
        break;
    case EVENT_PROXY_FENCE:
        put(facts, BASE_SET_PF, event->id);
        if (event->instruction->fence.from_fabric)
            put(facts, BASE_SET_FROM_FABRIC, event->id);
        if (event->instruction->fence.to_fabric)
            put(facts, BASE_SET_TO_FABRIC, event->id);
        break;
    case EVENT_BARRIER:
        put(facts, BASE_SET_B, event->id);
        if (event->barrier->is_arrival)
            put(facts, BASE_SET_ARRIVE, event->id);
        if (event->barrier->predicate != NULL)
            put(facts, BASE_SET_BAR_RED, event->id);
        break;
    case EVENT_ISSUE:
        put(facts, BASE_SET_ISSUE, event->id);
        put_issue(facts, event);
        break;
    case EVENT_TENSOR_FENCE:
        put(facts, set_of_tensor(event), event->id);
        if (event->instruction->of_pair)
            put(facts, BASE_SET_TC_PAIR, event->id);
        break;
    case EVENT_WGMMA_FENCE: put(facts, BASE_SET_WGMMA_FENCE, event->id); break;
    case EVENT_GRID_LAUNCH: put(facts, BASE_SET_GRID_LAUNCH, event->id); break;
    case EVENT_ASYNC_WAIT: put(facts, BASE_SET_GROUP_WAIT, event->id); break;
    case EVENT_PRECONDITION: put(facts, set_of_precondition(event), event->id); break;
    }
    if (event_is_access(event) && event->access->is_red)
        put(facts, BASE_SET_RED, event->id);
    if (event_is_access(event) && event_is_in_tensor_memory(event))
        put(facts, BASE_SET_TMEM, event->id);
    if (event_is_access(event) && event_is_in_tensor_memory(event) && allocates(program))
        put(facts, BASE_SET_TMEM_DYNAMIC, event->id);
    if (event_is_atomic(event) && event->async == NULL)
        put(facts, BASE_SET_ATOMIC, event->id);
    if ((event->kind == EVENT_READ || event->kind == EVENT_WRITE) && event->size > 8)
        put(facts, BASE_SET_WIDE, event->id);
}

static void put_order(struct model_facts *facts, const struct event *event) {
    bool memory = event_set_has(&facts->sets[BASE_SET_M], event->id);
    switch (event->order) {
    case ORDER_NONE: break;
    case ORDER_WEAK:
        if (memory)
            put(facts, BASE_SET_WEAK, event->id);
        break;
    case ORDER_RELAXED: put(facts, BASE_SET_RELAXED, event->id); break;
    case ORDER_ACQUIRE: put(facts, BASE_SET_ACQUIRE, event->id); break;
    case ORDER_RELEASE: put(facts, BASE_SET_RELEASE, event->id); break;
    case ORDER_ACQ_REL: put(facts, BASE_SET_ACQ_REL, event->id); break;
    case ORDER_SC:
        if (memory || event->kind == EVENT_FENCE)
            put(facts, BASE_SET_SC, event->id);
        break;
    case ORDER_VOLATILE: put(facts, BASE_SET_VOLATILE, event->id); break;
    case ORDER_MMIO: put(facts, BASE_SET_MMIO, event->id); break;
    }
}

static void put_scope(struct model_facts *facts, const struct event *event) {
    static const enum base_set sets[] = {[SCOPE_CTA] = BASE_SET_CTA,
                                         [SCOPE_CLUSTER] = BASE_SET_CLUSTER,
                                         [SCOPE_GPU] = BASE_SET_GPU,
                                         [SCOPE_SYS] = BASE_SET_SYS};
    if (event->scope != SCOPE_NONE)
        put(facts, sets[event->scope], event->id);
}

static void put_proxy(struct model_facts *facts, const struct event *event) {
    switch (event->proxy) {
#define PROXY(name, ...)                                                                           \
    case PROXY_##name:                                                                             \
        put(facts, BASE_SET_##name, event->id);                                                    \
        break;
#include "litmus/proxies.def"
    case PROXY_COUNT: bug("event %u has no proxy", event->id);
    }
}

// The space of a proxy fence (every one when it names none), or the one space that an access can
// reach.
static void put_space(struct model_facts *facts, const struct program *program,
                      const struct event *event) {
    size_t global = 0, shared = 0;
    for (size_t i = 0; i < event->candidate_count; i++) {
        enum state_space space = program->memory.objects[event->candidates[i].object].space;
        global += space == SPACE_GLOBAL;
        shared += state_space_is_shared(space);
    }
    bool all_global = global > 0 && global == event->candidate_count;
    bool all_shared = shared > 0 && shared == event->candidate_count;
    if (event->kind == EVENT_PROXY_FENCE) {
        enum state_space space = event->space;
        all_global = space == SPACE_GENERIC || space == SPACE_GLOBAL;
        all_shared = space == SPACE_GENERIC || state_space_is_shared(space);
    }
    if (all_global)
        put(facts, BASE_SET_GLOBAL_SPACE, event->id);
    if (all_shared)
        put(facts, BASE_SET_SHARED_SPACE, event->id);
}

// --- Base relations ----------------------------------------------------------------------------

static bool is_write(const struct event *event) {
    return event->kind == EVENT_INIT || event->kind == EVENT_WRITE;
}

static uint64_t end_of_place(const struct execution *execution, unsigned event) {
    assert(event < execution->n);
    const struct event *e = &execution->program->events[event];
    const struct candidate *place = execution->places[event];
    return e->kind == EVENT_INIT ? execution->program->memory.objects[place->object].size
                                 : place->offset + e->size;
}

// By bytes, not by cells as elsewhere.
static bool overlap(const struct execution *execution, unsigned a, unsigned b) {
    assert(a < execution->n);
    assert(b < execution->n);
    const struct candidate *p = execution->places[a], *q = execution->places[b];
    return p != NULL && q != NULL && p->object == q->object &&
           p->offset < end_of_place(execution, b) && q->offset < end_of_place(execution, a);
}

static void relate_memory(struct model_facts *facts, const struct execution *execution, unsigned a,
                          unsigned b) {
    assert(a < execution->n);
    assert(b < execution->n);
    if (!overlap(execution, a, b))
        return;
    relation_add(&facts->relations[BASE_REL_LOC], a, b);
    if (execution->places[a]->range != execution->places[b]->range)
        return;
    relation_add(&facts->relations[BASE_REL_VLOC], a, b);
    if (execution->places[a]->offset == execution->places[b]->offset &&
        end_of_place(execution, a) == end_of_place(execution, b))
        relation_add(&facts->relations[BASE_REL_SAME_EXTENT], a, b);
}

// The range that a proxy fence names in this execution, or NULL.
static const struct candidate *range_of_fence(struct execution *execution,
                                              const struct event *fence) {
    for (size_t i = 0; i < fence->candidate_count; i++)
        if (execution_value(execution, fence->candidates[i].condition).low != 0)
            return &fence->candidates[i];
    return NULL;
}

static void relate_proxy_fence(struct model_facts *facts, struct execution *execution, unsigned a) {
    assert(a < execution->n);
    const struct program *program = execution->program;
    const struct event *fence = &program->events[a];
    const struct candidate *range = range_of_fence(execution, fence);
    for (unsigned b = 0; b < execution->n; b++) {
        const struct candidate *at = execution->places[b];
        if (at == NULL)
            continue;
        const struct object *object = &program->memory.objects[at->object];
        bool window =
            fence->space == SPACE_SHARED && object->space == SPACE_SHARED && object->instance >= 0;
        if (window && !test_same_cta(&program->test->threads[fence->thread].place,
                                     &program->test->threads[object->instance].place))
            continue;
        if (range == NULL || (range->object == at->object && range->offset <= at->offset &&
                              end_of_place(execution, b) <= range->offset + fence->size))
            relation_add(&facts->relations[BASE_REL_APPLIES_TO], a, b);
    }
}

// A restricted fence, and the accesses to shared memory of its CTA or of its cluster.
static void relate_restricted_fence(struct model_facts *facts, const struct execution *execution,
                                    unsigned a) {
    assert(a < execution->n);
    const struct program *program = execution->program;
    const struct event *fence = &program->events[a];
    for (unsigned b = 0; b < execution->n; b++) {
        if (execution->places[b] == NULL)
            continue;
        const struct object *object = &program->memory.objects[execution->places[b]->object];
        if (!state_space_is_shared(object->space))
            continue;
        const struct place *here = &program->test->threads[fence->thread].place;
        const struct place *there = &program->test->threads[object->instance].place;
        bool near = fence->thread == object->instance || test_same_cta(here, there);
        if (near || (fence->space == SPACE_SHARED_CLUSTER && test_same_cluster(here, there)))
            relation_add(&facts->relations[BASE_REL_APPLIES_TO], a, b);
    }
}

// The asynchronous operation that does an event, by its issue; -1: its thread does it.
static int operation_of(const struct event *event) {
    bool alone = event->kind == EVENT_ISSUE || event->kind == EVENT_ASYNC_WAIT;
    return event->async == NULL || alone ? -1 : (int)event->async->issue;
}

// The thread in whose CTA an event is.
static int place_of_event(const struct event *event) {
    return operation_of(event) < 0 ? event->thread : event->async->place;
}

static void relate_threads(struct model_facts *facts, const struct execution *execution, unsigned a,
                           unsigned b) {
    assert(a < execution->n);
    assert(b < execution->n);
    const struct event *x = &execution->program->events[a], *y = &execution->program->events[b];
    if (x->thread < 0 || y->thread < 0)
        return;
    int here = place_of_event(x), there = place_of_event(y);
    const struct place *p = &execution->program->test->threads[here].place;
    const struct place *q = &execution->program->test->threads[there].place;
    bool same = here == there;
    if (program_po(execution->program, a, b))
        relation_add(&facts->relations[BASE_REL_PO], a, b);
    if (a != b)
        relation_add(&facts->relations[x->thread == y->thread && operation_of(x) == operation_of(y)
                                           ? BASE_REL_INT
                                           : BASE_REL_EXT],
                     a, b);
    if (same || test_same_cta(p, q))
        relation_add(&facts->relations[BASE_REL_SAME_CTA], a, b);
    if (same || test_same_cluster(p, q))
        relation_add(&facts->relations[BASE_REL_SAME_CLUSTER], a, b);
    if (same || test_same_gpu(p, q))
        relation_add(&facts->relations[BASE_REL_SAME_GPU], a, b);
    if (test_grid_follows(execution->program->test, q, p))
        relation_add(&facts->relations[BASE_REL_NEXT_GRID], a, b);
    bool waits = y->kind == EVENT_ASYNC_WAIT && y->instruction->opcode == OP_GRID_WAIT;
    if (waits && test_grid_waits_for(execution->program->test, q, p))
        relation_add(&facts->relations[BASE_REL_GRID_WAITED], a, b);
    if (x->kind == EVENT_GRID_LAUNCH && test_grid_depends(execution->program->test, q, p))
        relation_add(&facts->relations[BASE_REL_GRID_STARTED], a, b);
}

static bool condition_holds(struct execution *execution, const struct expr *condition) {
    assert(condition->width == 1);
    return expr_is_true(condition) || execution_value(execution, condition).low == 1;
}

static void relate_list(struct model_facts *facts, struct execution *execution,
                        enum base_relation relation, const struct dependency_list *list,
                        unsigned event) {
    for (size_t i = 0; i < list->count; i++)
        if (condition_holds(execution, list->items[i].condition))
            relation_add(&facts->relations[relation], list->items[i].event, event);
}

static void relate_dependencies(struct model_facts *facts, struct execution *execution,
                                unsigned event) {
    assert(event < execution->n);
    const struct event *e = &execution->program->events[event];
    relate_list(facts, execution, BASE_REL_ADDR, &e->addr, event);
    relate_list(facts, execution, BASE_REL_DATA, &e->data, event);
    relate_list(facts, execution, BASE_REL_PASSED_DEP, &e->passed, event);
    relate_list(facts, execution, BASE_REL_OUTLIVES, &e->outlives, event);
    relate_list(facts, execution, BASE_REL_UNDERWAY, &e->underway, event);
    relate_list(facts, execution, BASE_REL_ALLOCATION, &e->allocations, event);
    if (!event_is_detached(e)) // else it is the matter of the issue
        relate_list(facts, execution, BASE_REL_CTRL, &e->ctrl, event);
}

// rf, and fr byte by byte: the read takes a cell from a write that is co-before one that changes
// it.
static void relate_read(struct model_facts *facts, const struct execution *execution,
                        unsigned read) {
    assert(read < execution->n);
    const struct candidate *place = execution->places[read];
    for (unsigned k = 0; place != NULL && k < place->cell_count; k++) {
        unsigned source = (unsigned)execution->sources[read][k], cell = place->first_cell + k;
        relation_add(&facts->relations[BASE_REL_RF], source, read);
        for (unsigned w = 0; w < execution->n; w++) {
            const struct candidate *other = execution->places[w];
            if (other != NULL && is_write(&execution->program->events[w]) &&
                cell >= other->first_cell && cell - other->first_cell < other->cell_count &&
                relation_has(&execution->co, source, w))
                relation_add(&facts->relations[BASE_REL_FR], read, w);
        }
    }
}

// Which arrivals were in the phase that a wait has found complete, and whether PTX defines the
// operation.
static void relate_mbarrier(struct model_facts *facts, struct execution *execution,
                            unsigned event) {
    assert(event < execution->n);
    const struct event_mbarrier *mbarrier = execution->program->events[event].mbarrier;
    relate_list(facts, execution, BASE_REL_MB_PHASE, &mbarrier->phases, event);
    relate_list(facts, execution, BASE_REL_MB_WAITED, &mbarrier->waited, event);
    relate_list(facts, execution, BASE_REL_MB_STATE_OF, &mbarrier->states, event);
    if (condition_holds(execution, mbarrier->undefined))
        relation_add(&facts->relations[BASE_REL_MB_UNDEFINED], event, event);
}

// Which step of its operation an event is: 0 reads the tensormap, 1 the source, 2 is the fence for
// that, 3 writes (a reduction reads there, too), 4 is its fence, 5 is what the mbarrier sees.
static int step_of(const struct event *event) {
    if (event->mbarrier != NULL)
        return 5;
    if (event->kind == EVENT_PROXY_FENCE)
        return event->async->step == ASYNC_READ_FENCE ? 2 : 4;
    if (event->async->step == ASYNC_MAP)
        return 0;
    return event->kind == EVENT_READ && !event_is_atomic(event) ? 1 : 3;
}

static void relate_operation(struct model_facts *facts, struct execution *execution,
                             unsigned event) {
    assert(event < execution->n);
    const struct event *e = &execution->program->events[event];
    relate_list(facts, execution, BASE_REL_DONE, &e->async->done, event);
    if (e->async->undefined != NULL && condition_holds(execution, e->async->undefined))
        relation_add(&facts->relations[BASE_REL_REGISTERS_UNDEFINED], event, event);
    if (e->async->failed != NULL && condition_holds(execution, e->async->failed))
        relation_add(&facts->relations[BASE_REL_CANCEL_FAILED], event, event);
    if (operation_of(e) < 0)
        return;
    relation_add(&facts->relations[BASE_REL_ISSUED], (unsigned)operation_of(e), event);
    for (unsigned b = 0; b < execution->n; b++) {
        const struct event *other = &execution->program->events[b];
        if (operation_of(other) != operation_of(e) || step_of(other) >= step_of(e) ||
            (other->async->target != 0 && other->async->target != e->async->target))
            continue;
        if (step_of(other) != 2 || step_of(e) == 5)
            relation_add(&facts->relations[BASE_REL_WITHIN], b, event);
    }
}

static void relate_event(struct model_facts *facts, struct execution *execution, unsigned a) {
    assert(a < execution->n);
    const struct event *event = &execution->program->events[a];
    relation_add(&facts->relations[BASE_REL_ID], a, a);
    relate_dependencies(facts, execution, a);
    if (event->broken != NULL && condition_holds(execution, event->broken))
        relation_add(&facts->relations[BASE_REL_BROKEN], a, a);
    if (event->mbarrier != NULL)
        relate_mbarrier(facts, execution, a);
    if (event->async != NULL)
        relate_operation(facts, execution, a);
    if (event->kind == EVENT_PROXY_FENCE)
        relate_proxy_fence(facts, execution, a);
    if (event_is_restricted_fence(event))
        relate_restricted_fence(facts, execution, a);
    if (event->kind == EVENT_READ) {
        relate_read(facts, execution, a);
        if (event->access->rmw >= 0 && execution->executes[event->access->rmw])
            relation_add(&facts->relations[BASE_REL_RMW], a, (unsigned)event->access->rmw);
    }
    for (unsigned b = 0; b < execution->n; b++) {
        if (!execution->executes[b])
            continue;
        relate_threads(facts, execution, a, b);
        relate_memory(facts, execution, a, b);
        if (event->proxy == execution->program->events[b].proxy)
            relation_add(&facts->relations[BASE_REL_SAME_PROXY], a, b);
        if (a != b && event_same_shape(event, &execution->program->events[b]))
            relation_add(&facts->relations[BASE_REL_SAME_SHAPE], a, b);
        if (event_comes_apart(execution->program->test, event, &execution->program->events[b]))
            relation_add(&facts->relations[BASE_REL_APART], a, b);
    }
}

static void relate_phase_pairs(struct model_facts *facts, struct execution *execution) {
    const struct program *program = execution->program;
    for (unsigned i = 0; i < program->barriers.phase_pair_count; i++) {
        const struct event *arrival = &program->events[program->barriers.phase_pairs[i].arrival];
        const struct event *wait = &program->events[program->barriers.phase_pairs[i].wait];
        if (!execution->executes[arrival->id] || !execution->executes[wait->id] ||
            !execution_has_phase_pair(execution, i) ||
            !execution_same_barrier(execution, arrival, wait))
            continue;
        relation_add(&facts->relations[BASE_REL_PHASE], arrival->id, wait->id);
        if (event_arrival_orders(arrival))
            relation_add(&facts->relations[BASE_REL_BARRIER], arrival->id, wait->id);
    }
}

static void relate_arrivals(struct model_facts *facts, struct execution *execution, unsigned a,
                            unsigned b) {
    assert(a < execution->n);
    assert(b < execution->n);
    const struct event *x = &execution->program->events[a], *y = &execution->program->events[b];
    bool arrivals =
        event_is_arrival(x) && event_is_arrival(y) && !x->barrier->quorum && !y->barrier->quorum;
    if (a == b || !arrivals || !execution->executes[a] || !execution->executes[b] ||
        !execution_same_barrier(execution, x, y))
        return;
    relation_add(&facts->relations[BASE_REL_SAME_BARRIER], a, b);
    if (execution->phases[a] >= 0 && execution->phases[a] == execution->phases[b])
        relation_add(&facts->relations[BASE_REL_SAME_PHASE], a, b);
    if ((x->barrier->of_all && y->barrier->of_all) ||
        execution_value(execution, x->barrier->count).low ==
            execution_value(execution, y->barrier->count).low)
        relation_add(&facts->relations[BASE_REL_SAME_COUNT], a, b);
}

static void relate_exits(struct model_facts *facts, struct execution *execution) {
    const struct program *program = execution->program;
    for (size_t i = 0; i < program->barriers.exit_count; i++) {
        const struct barrier_exit *exit = &program->barriers.exits[i];
        if (!execution_exit_releases(execution, exit))
            continue;
        for (unsigned e = 0; e < execution->n; e++)
            if (program->events[e].thread == exit->thread)
                relation_add(&facts->relations[BASE_REL_EXIT], e, exit->released);
        for (size_t k = 0; k < exit->read_count; k++)
            relation_add(&facts->relations[BASE_REL_EXIT_DEP], exit->reads[k], exit->released);
    }
}

// The model is evaluated on the events that execute: no fact may mention others.
static void drop_unexecuted(struct arena *arena, struct model_facts *facts) {
    struct relation universe = relation_new(arena, facts->n);
    relation_product(&universe, &facts->executed, &facts->executed);
    for (unsigned r = 0; r < BASE_REL_COUNT; r++)
        relation_intersection(&facts->relations[r], &facts->relations[r], &universe);
}

struct model_facts *execution_facts(struct arena *arena, struct execution *execution) {
    struct model_facts *facts = ARENA_NEW(arena, struct model_facts);
    facts->n = execution->n;
    facts->executed = event_set_new(arena, execution->n);
    for (unsigned s = 0; s < BASE_SET_COUNT; s++)
        facts->sets[s] = event_set_new(arena, execution->n);
    for (unsigned r = 0; r < BASE_REL_COUNT; r++)
        facts->relations[r] = relation_new(arena, execution->n);
    for (unsigned e = 0; e < execution->n; e++) {
        const struct event *event = &execution->program->events[e];
        if (!execution->executes[e])
            continue;
        event_set_add(&facts->executed, e);
        put_kind(facts, execution->program, event);
        put_order(facts, event);
        put_scope(facts, event);
        put_proxy(facts, event);
        put_space(facts, execution->program, event);
        relate_event(facts, execution, e);
    }
    relate_phase_pairs(facts, execution);
    relate_exits(facts, execution);
    for (unsigned a = 0; a < execution->n; a++)
        for (unsigned b = 0; b < execution->n; b++)
            relate_arrivals(facts, execution, a, b);
    relation_copy(&facts->relations[BASE_REL_CO], &execution->co);
    relation_copy(&facts->relations[BASE_REL_SC_ORDER], &execution->sc);
    drop_unexecuted(arena, facts);
    return facts;
}

// --- Checks ------------------------------------------------------------------------------------

static void check_sources(const struct execution *execution, unsigned read) {
    assert(read < execution->n);
    const struct candidate *place = execution->places[read];
    for (unsigned k = 0; place != NULL && k < place->cell_count; k++) {
        unsigned source = (unsigned)execution->sources[read][k], cell = place->first_cell + k;
        const struct candidate *from = execution->places[source];
        if (!execution->executes[source] || !is_write(&execution->program->events[source]) ||
            from == NULL || cell < from->first_cell || cell - from->first_cell >= from->cell_count)
            execution_bug(execution, "read %u takes cell %u from event %u, which does not write it",
                          read, cell, source);
    }
}

// co is between overlapping writes, the initial ones first.
static void check_co_pair(const struct execution *execution, unsigned a, unsigned b) {
    assert(a < execution->n);
    assert(b < execution->n);
    const struct relation *co = &execution->co;
    const struct event *x = &execution->program->events[a], *y = &execution->program->events[b];
    bool touch = a != b && is_write(x) && is_write(y) && overlap(execution, a, b);
    bool holds = relation_has(co, a, b);
    if (holds && (!touch || y->kind == EVENT_INIT || relation_has(co, b, a)))
        execution_bug(execution, "co relates events %u and %u", a, b);
    if (touch && x->kind == EVENT_INIT && !holds)
        execution_bug(execution, "the initial write %u is not co-before %u", a, b);
}

// co is transitive where the writes overlap: what is co-after b is co-after a, which is before b.
static void check_co_after(const struct execution *execution, unsigned a, unsigned b) {
    assert(a < execution->n);
    assert(b < execution->n);
    const struct relation *co = &execution->co;
    for (unsigned c = 0; c < execution->n; c++)
        if (relation_has(co, b, c) && overlap(execution, a, c) && !relation_has(co, a, c))
            execution_bug(execution, "co is not transitive on events %u, %u, %u", a, b, c);
}

static void check_co(const struct execution *execution) {
    const struct relation *co = &execution->co;
    for (unsigned a = 0; a < execution->n; a++)
        for (unsigned b = 0; b < execution->n; b++) {
            check_co_pair(execution, a, b);
            if (relation_has(co, a, b))
                check_co_after(execution, a, b);
        }
    if (!relation_is_acyclic(co))
        execution_bug(execution, "co has a cycle");
}

static void check_finals(const struct execution *execution) {
    for (unsigned cell = 0; cell < execution->program->memory.cell_count; cell++) {
        int final = execution->finals[cell];
        for (unsigned w = 0; final >= 0 && w < execution->n; w++) {
            const struct candidate *place = execution->places[w];
            if (place != NULL && is_write(&execution->program->events[w]) &&
                cell >= place->first_cell && cell - place->first_cell < place->cell_count &&
                relation_has(&execution->co, (unsigned) final, w))
                execution_bug(execution, "the final write %d of cell %u is co-before %u", final,
                              cell, w);
        }
    }
}

void execution_check(struct execution *execution, const struct model *model,
                     const struct model_axiom *claim, bool claim_holds) {
    struct arena *arena = arena_new();
    for (unsigned e = 0; e < execution->n; e++)
        if (execution->program->events[e].kind == EVENT_READ)
            check_sources(execution, e);
    check_co(execution);
    check_finals(execution);
    check_barriers(execution);
    if (execution_value(execution, execution->program->assumption).low != 1)
        execution_bug(execution, "the solver's execution stays in a spin loop");
    if (execution_value(execution, execution->program->given).low != 1)
        execution_bug(execution,
                      "the solver's execution cancels a CTA without a request, or twice");
    struct model_facts *facts = execution_facts(arena, execution);
    struct node_value *values = model_evaluate(arena, model, facts);
    for (size_t i = 0; i < model->axiom_count; i++)
        if (model->axioms[i].use == AXIOM_REQUIRED && !model_axiom_holds(&model->axioms[i], values))
            execution_bug(execution, "the solver's execution breaks the axiom '%s'",
                          model->axioms[i].name);
    if (claim != NULL && model_axiom_holds(claim, values) != claim_holds)
        execution_bug(execution, "the solver is wrong about '%s'", claim->name);
    arena_free(arena);
}
