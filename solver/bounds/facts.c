// Static facts about a program's events (memory-model sections 1 and 2).

#include "solver/bounds/facts.h"

#include "litmus/columns.h"
#include "litmus/source/arena.h"
#include "litmus/source/bug.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

// --- Execution ---------------------------------------------------------------------------------

enum { CONJUNCTS_MAX = 32 };

// The condition under which an event executes, as a conjunction. `complete` is false when it has
// more parts than we keep: it is stronger than what is kept here.
struct conjunction {
    const struct expr *parts[CONJUNCTS_MAX];
    unsigned count;
    bool complete;
};

static void conjunction_add(struct conjunction *conjunction, const struct expr *condition) {
    assert(condition->width == 1);
    if (condition->op == EXPR_AND && condition->width == 1) {
        conjunction_add(conjunction, condition->args[0]);
        conjunction_add(conjunction, condition->args[1]);
    } else if (expr_is_true(condition)) {
        return;
    } else if (conjunction->count == CONJUNCTS_MAX) {
        conjunction->complete = false;
    } else {
        conjunction->parts[conjunction->count++] = condition;
    }
}

static bool conjunction_has(const struct conjunction *conjunction, const struct expr *part) {
    for (unsigned i = 0; i < conjunction->count; i++)
        if (conjunction->parts[i] == part)
            return true;
    return false;
}

// Whether the first condition implies the second; false when that is not obvious.
static bool conjunction_implies(const struct conjunction *a, const struct conjunction *b) {
    if (!b->complete)
        return false;
    for (unsigned i = 0; i < b->count; i++)
        if (!conjunction_has(a, b->parts[i]))
            return false;
    return true;
}

static bool are_opposite(const struct expr *a, const struct expr *b) {
    return (a->op == EXPR_NOT && a->args[0] == b) || (b->op == EXPR_NOT && b->args[0] == a);
}

// Whether both conditions can hold; true when the contrary is not obvious.
static bool conjunctions_agree(const struct conjunction *a, const struct conjunction *b) {
    for (unsigned i = 0; i < a->count; i++) {
        if (expr_is_false(a->parts[i]))
            return false;
        for (unsigned j = 0; j < b->count; j++)
            if (are_opposite(a->parts[i], b->parts[j]) || expr_is_false(b->parts[j]))
                return false;
    }
    return true;
}

static void relation_fill(struct relation *relation) {
    struct relation none = *relation;
    relation_complement(relation, &none);
}

// One condition implies itself, however many parts it has.
static void compare_conditions(struct facts *facts, const struct conjunction *conditions) {
    const struct event *events = facts->program->events;
    for (unsigned a = 0; a < facts->n; a++)
        for (unsigned b = 0; b < facts->n; b++) {
            if (events[a].executes == events[b].executes ||
                conjunction_implies(&conditions[a], &conditions[b]))
                relation_add(&facts->implies, a, b);
            if (conjunctions_agree(&conditions[a], &conditions[b]) &&
                conjunctions_agree(&conditions[b], &conditions[a]))
                relation_add(&facts->together, a, b);
        }
}

static void find_execution(struct arena *arena, struct facts *facts) {
    facts->always = event_set_new(arena, facts->n);
    facts->together = relation_new(arena, facts->n);
    facts->implies = relation_new(arena, facts->n);
    facts->all_execute = true;
    for (unsigned a = 0; a < facts->n; a++)
        if (expr_is_true(facts->program->events[a].executes))
            event_set_add(&facts->always, a);
        else
            facts->all_execute = false;
    if (facts->all_execute) {
        relation_fill(&facts->together);
        relation_fill(&facts->implies);
        return;
    }
    struct conjunction *conditions = ARENA_ARRAY(arena, struct conjunction, facts->n);
    for (unsigned a = 0; a < facts->n; a++) {
        conditions[a].complete = true;
        conjunction_add(&conditions[a], facts->program->events[a].executes);
    }
    compare_conditions(facts, conditions);
}

// --- Sets --------------------------------------------------------------------------------------

// Fences and accesses of a proxy carry its name; .alias is a kind of fence only.
static bool of_proxy(const struct event *event, enum proxy proxy) {
    assert((unsigned)proxy < PROXY_COUNT);
    return event->proxy == proxy;
}

// Proxy fences are of every space or of the one that they name. An access whose address may be in
// several spaces is in none, so that a fence for one of them does not count for it.
static bool of_space(const struct program *program, const struct event *event, bool shared) {
    if (event->kind == EVENT_PROXY_FENCE)
        return event->space == SPACE_GENERIC || (event->space != SPACE_GLOBAL) == shared;
    bool all = facts_is_memory(event) && event->candidate_count > 0;
    for (size_t i = 0; all && i < event->candidate_count; i++) {
        enum state_space space = program->memory.objects[event->candidates[i].object].space;
        all = shared ? state_space_is_shared(space) : space == SPACE_GLOBAL;
    }
    return all;
}

// The proxy whose events a set is of.
static enum proxy proxy_of_set(enum base_set set) {
    assert((unsigned)set < BASE_SET_COUNT);
    static const enum base_set sets[] = {
#define PROXY(id, ...) BASE_SET_##id,
#include "litmus/proxies.def"
    };
    for (enum proxy proxy = 0; proxy < PROXY_COUNT; proxy++)
        if (sets[proxy] == set)
            return proxy;
    bug("nothing says what is in base set %d", (int)set);
}

// Sets that hold what instructions of one opcode do.
struct opcode_set {
    enum base_set set;
    enum event_kind kind;
    enum opcode opcode;
};

// Returns the row of a set, or NULL for one that is about something else.
static const struct opcode_set *opcode_set_of(enum base_set set) {
    static const struct opcode_set rows[] = {
        {BASE_SET_MB_COUNT, EVENT_PRECONDITION, OP_MBARRIER_PENDING_COUNT},
        {BASE_SET_CANCEL_QUERY, EVENT_PRECONDITION, OP_CANCEL_QUERY},
        {BASE_SET_WARP, EVENT_PRECONDITION, OP_WARP},
        {BASE_SET_BAR_OPERANDS, EVENT_PRECONDITION, OP_BAR},
        {BASE_SET_TRY_CANCEL, EVENT_ISSUE, OP_CANCEL_TRY},
        {BASE_SET_WGMMA, EVENT_ISSUE, OP_WGMMA},
        {BASE_SET_TC_LD, EVENT_ISSUE, OP_TENSOR_LD},
        {BASE_SET_TC_ST, EVENT_ISSUE, OP_TENSOR_ST},
        {BASE_SET_TC_MMA, EVENT_ISSUE, OP_TENSOR_MMA},
        {BASE_SET_TC_CP, EVENT_ISSUE, OP_TENSOR_CP},
        {BASE_SET_TC_SHIFT, EVENT_ISSUE, OP_TENSOR_SHIFT},
        {BASE_SET_TC_BEFORE, EVENT_TENSOR_FENCE, OP_TENSOR_BEFORE},
        {BASE_SET_TC_AFTER, EVENT_TENSOR_FENCE, OP_TENSOR_AFTER},
        {BASE_SET_TC_ALLOC, EVENT_TENSOR_FENCE, OP_TENSOR_ALLOC},
        {BASE_SET_TC_DEALLOC, EVENT_TENSOR_FENCE, OP_TENSOR_DEALLOC},
        {BASE_SET_TC_RELINQUISH, EVENT_TENSOR_FENCE, OP_TENSOR_RELINQUISH},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].set == set)
            return &rows[i];
    return NULL;
}

// Sets by the order or scope of events, and those by proxy.
static bool in_order_set(const struct event *event, enum base_set set) {
    bool memory = facts_is_memory(event) && event->mbarrier == NULL;
    bool fence = event->kind == EVENT_FENCE && !event_is_restricted_fence(event) &&
                 !event_is_init_fence(event);
    enum access_order order = event->order;
    switch (set) {
    case BASE_SET_WEAK: // initial writes are not strong
        return event->kind == EVENT_INIT || (memory && order == ORDER_WEAK);
    case BASE_SET_RELAXED: return order == ORDER_RELAXED;
    case BASE_SET_ACQUIRE: return order == ORDER_ACQUIRE;
    case BASE_SET_RELEASE: return order == ORDER_RELEASE;
    case BASE_SET_ACQ_REL: return order == ORDER_ACQ_REL;
    case BASE_SET_SC: return (fence || memory) && order == ORDER_SC; // of C++, if not a fence
    case BASE_SET_VOLATILE: return memory && order == ORDER_VOLATILE;
    case BASE_SET_MMIO: return memory && order == ORDER_MMIO;
    case BASE_SET_CTA: return event->scope == SCOPE_CTA;
    case BASE_SET_CLUSTER: return event->scope == SCOPE_CLUSTER;
    case BASE_SET_GPU: return event->scope == SCOPE_GPU;
    case BASE_SET_SYS: return event->scope == SCOPE_SYS;
    default: return of_proxy(event, proxy_of_set(set));
    }
}

// Sets of asynchronous operations, and of what is about them.
static bool in_async_set(const struct program *program, const struct event *event,
                         enum base_set set) {
    switch (set) {
    case BASE_SET_ISSUE: return event->kind == EVENT_ISSUE;
    case BASE_SET_WGMMA_FENCE: return event->kind == EVENT_WGMMA_FENCE;
    case BASE_SET_TC_CP_4X256B:
        return event->kind == EVENT_ISSUE && event->instruction->tensor.is_4x256b;
    case BASE_SET_TC_PAIR: return event_is_of_pair(event);
    case BASE_SET_TMEM_DYNAMIC:
        return event_is_in_tensor_memory(event) && columns_are_allocated(program->test);
    case BASE_SET_TMEM: return event_is_in_tensor_memory(event);
    case BASE_SET_GROUP_WAIT: return event->kind == EVENT_ASYNC_WAIT;
    case BASE_SET_GRID_LAUNCH: return event->kind == EVENT_GRID_LAUNCH;
    default: return in_order_set(event, set);
    }
}

static bool in_mbarrier_set(const struct program *program, const struct event *event,
                            enum base_set set) {
    switch (set) {
    case BASE_SET_MBARRIER: return event->mbarrier != NULL;
    case BASE_SET_MB_DECLARED:
        return event->kind == EVENT_INIT && program_is_mbarrier(program, event);
    case BASE_SET_MB_WRITE: return event->mbarrier != NULL && facts_is_write(event);
    case BASE_SET_MB_INIT: return event_is_mbarrier(event, MBARRIER_KIND_INIT);
    case BASE_SET_MB_INVAL: return event_is_mbarrier(event, MBARRIER_KIND_INVAL);
    case BASE_SET_MB_ARRIVE:
        return event_is_mbarrier(event, MBARRIER_KIND_ARRIVE) && facts_is_write(event);
    case BASE_SET_MB_TX: return event_is_mbarrier(event, MBARRIER_KIND_TX) && facts_is_write(event);
    case BASE_SET_MB_WAIT: return event_is_mbarrier(event, MBARRIER_KIND_WAIT);
    case BASE_SET_MB_STATE:
        return event_is_mbarrier(event, MBARRIER_KIND_WAIT) &&
               !opcode_has(event->instruction->opcode, TRAIT_PARITY);
    case BASE_SET_MB_COMPLETE:
        return event_is_mbarrier(event, MBARRIER_KIND_COMPLETE) && facts_is_write(event);
    default: return in_async_set(program, event, set);
    }
}

static bool in_set(const struct program *program, const struct event *event, enum base_set set) {
    assert((unsigned)set < BASE_SET_COUNT);
    const struct opcode_set *row = opcode_set_of(set);
    bool memory = facts_is_memory(event) && event->mbarrier == NULL;
    bool restricted = event_is_restricted_fence(event), init_fence = event_is_init_fence(event);
    if (row != NULL)
        return event->kind == row->kind && event->instruction->opcode == row->opcode;
    switch (set) {
    case BASE_SET_IW: return event->kind == EVENT_INIT;
    case BASE_SET_R: return memory && event->kind == EVENT_READ;
    case BASE_SET_W: return memory && facts_is_write(event);
    case BASE_SET_INIT_FENCE: return init_fence;
    case BASE_SET_M: return memory;
    case BASE_SET_F: return event->kind == EVENT_FENCE && !restricted && !init_fence;
    case BASE_SET_SYNC_RESTRICT: return restricted;
    case BASE_SET_PF: return event->kind == EVENT_PROXY_FENCE;
    case BASE_SET_B: return event->kind == EVENT_BARRIER;
    case BASE_SET_ARRIVE: return event_is_arrival(event);
    case BASE_SET_BAR_RED: return event->kind == EVENT_BARRIER && event->barrier->predicate != NULL;
    case BASE_SET_RED: return event_is_access(event) && event->access->is_red;
    case BASE_SET_ATOMIC: return memory && event_is_atomic(event) && !event_is_detached(event);
    case BASE_SET_WIDE: return event_is_wide(event);
    case BASE_SET_FROM_FABRIC:
        return event->kind == EVENT_PROXY_FENCE && event->instruction->fence.from_fabric;
    case BASE_SET_TO_FABRIC:
        return event->kind == EVENT_PROXY_FENCE && event->instruction->fence.to_fabric;
    case BASE_SET_GLOBAL_SPACE: return of_space(program, event, false);
    case BASE_SET_SHARED_SPACE: return of_space(program, event, true);
    default: return in_mbarrier_set(program, event, set);
    }
}

static void find_sets(struct arena *arena, struct facts *facts) {
    for (unsigned set = 0; set < BASE_SET_COUNT; set++) {
        facts->sets[set] = event_set_new(arena, facts->n);
        for (unsigned a = 0; a < facts->n; a++)
            if (in_set(facts->program, &facts->program->events[a], (enum base_set)set))
                event_set_add(&facts->sets[set], a);
    }
}

// --- Relations that the program fixes ----------------------------------------------------------

bool facts_touches(const struct event *event, unsigned cell) {
    for (size_t i = 0; i < event->candidate_count; i++)
        if (cell >= event->candidates[i].first_cell &&
            cell - event->candidates[i].first_cell < event->candidates[i].cell_count)
            return true;
    return false;
}

bool facts_candidates_overlap(const struct candidate *a, const struct candidate *b) {
    return a->first_cell < b->first_cell + b->cell_count &&
           b->first_cell < a->first_cell + a->cell_count;
}

bool facts_candidates_same_extent(const struct event *a, const struct candidate *a_at,
                                  const struct event *b, const struct candidate *b_at) {
    return a_at->range == b_at->range && a_at->offset == b_at->offset && a->size == b->size;
}

// How two accesses touch each other, over all their candidates.
struct contact {
    bool some_overlap, all_overlap;
    bool some_virtual, all_virtual;
    bool some_extent, all_extent;
};

// The cells from the first to the last one that an event may touch.
struct cell_stretch {
    unsigned first, end;
};

static struct cell_stretch stretch_of(const struct event *event) {
    struct cell_stretch stretch = {UINT_MAX, 0};
    for (size_t i = 0; i < event->candidate_count; i++) {
        const struct candidate *at = &event->candidates[i];
        unsigned end = at->first_cell + at->cell_count;
        stretch.first = at->first_cell < stretch.first ? at->first_cell : stretch.first;
        stretch.end = end > stretch.end ? end : stretch.end;
    }
    return stretch;
}

// Whether no cell of one is among those of the other; of an event without any, too.
static bool are_apart(const struct event *a, const struct event *b) {
    struct cell_stretch p = stretch_of(a), q = stretch_of(b);
    return p.first >= q.end || q.first >= p.end;
}

// Whether further candidates change nothing.
static bool is_settled(const struct contact *contact) {
    return contact->some_overlap && contact->some_virtual && contact->some_extent &&
           !contact->all_overlap && !contact->all_virtual && !contact->all_extent;
}

// Accesses may have a thousand places each: most pairs are settled by the first few.
static struct contact find_contact(const struct event *a, const struct event *b) {
    struct contact contact = {false, true, false, true, false, true};
    if (are_apart(a, b))
        return (struct contact){0};
    for (size_t i = 0; i < a->candidate_count && !is_settled(&contact); i++)
        for (size_t j = 0; j < b->candidate_count && !is_settled(&contact); j++) {
            const struct candidate *p = &a->candidates[i], *q = &b->candidates[j];
            bool overlap = facts_candidates_overlap(p, q);
            bool same = overlap && p->range == q->range;
            bool extent = same && facts_candidates_same_extent(a, p, b, q);
            contact.some_overlap |= overlap;
            contact.all_overlap &= overlap;
            contact.some_virtual |= same;
            contact.all_virtual &= same;
            contact.some_extent |= extent;
            contact.all_extent &= extent;
        }
    // An event touches what it touches, wherever that is.
    if (a == b)
        contact.all_overlap = contact.all_virtual = contact.all_extent = true;
    return contact;
}

static void add(struct facts *facts, enum base_relation relation, unsigned a, unsigned b, bool may,
                bool must) {
    assert((unsigned)relation < BASE_REL_COUNT);
    assert(a < facts->n);
    assert(b < facts->n);
    if (!relation_has(&facts->together, a, b))
        return;
    if (may)
        relation_add(&facts->may[relation], a, b);
    if (may && must)
        relation_add(&facts->must[relation], a, b);
}

static void add_contact(struct facts *facts, unsigned a, unsigned b) {
    assert(a < facts->n);
    assert(b < facts->n);
    const struct event *events = facts->program->events;
    if (!facts_is_memory(&events[a]) || !facts_is_memory(&events[b]))
        return;
    struct contact contact = find_contact(&events[a], &events[b]);
    add(facts, BASE_REL_LOC, a, b, contact.some_overlap, contact.all_overlap);
    add(facts, BASE_REL_VLOC, a, b, contact.some_virtual, contact.all_virtual);
    add(facts, BASE_REL_SAME_EXTENT, a, b, contact.some_extent, contact.all_extent);
}

// Whether the object is in the shared memory of the fence's CTA, or cluster for .shared::cluster.
static bool is_in_fence_space(const struct program *program, const struct event *fence,
                              const struct object *object) {
    assert(fence->kind == EVENT_FENCE || fence->kind == EVENT_PROXY_FENCE);
    const struct thread *threads = program->test->threads;
    if (object->space != SPACE_SHARED || object->instance < 0)
        return false;
    const struct place *near = &threads[fence->thread].place;
    const struct place *place = &threads[object->instance].place;
    return object->instance == fence->thread || test_same_cta(near, place) ||
           (fence->space == SPACE_SHARED_CLUSTER && test_same_cluster(near, place));
}

// PTX ISA 9.7.13.4: .shared::cta is the shared memory of the fence's own CTA; an address operand
// names the range that the fence is about.
bool facts_fence_applies(const struct program *program, const struct event *fence,
                         const struct candidate *range, const struct candidate *at) {
    assert(fence->kind == EVENT_FENCE || fence->kind == EVENT_PROXY_FENCE);
    const struct object *object = &program->memory.objects[at->object];
    const struct thread *threads = program->test->threads;
    if (fence->kind == EVENT_FENCE)
        return is_in_fence_space(program, fence, object);
    if (fence->space == SPACE_SHARED && object->space == SPACE_SHARED && object->instance >= 0 &&
        !test_same_cta(&threads[fence->thread].place, &threads[object->instance].place))
        return false;
    return range == NULL ||
           (range->first_cell <= at->first_cell &&
            at->first_cell + at->cell_count <= range->first_cell + range->cell_count);
}

static void add_applies_to(struct facts *facts, unsigned a, unsigned b) {
    assert(a < facts->n);
    assert(b < facts->n);
    const struct event *fence = &facts->program->events[a], *access = &facts->program->events[b];
    bool some = false, all = true;
    bool names_places = fence->kind == EVENT_PROXY_FENCE || event_is_restricted_fence(fence);
    if (!names_places || !facts_is_memory(access))
        return;
    for (size_t i = 0; i < access->candidate_count; i++)
        for (size_t k = 0; k < (fence->candidate_count ? fence->candidate_count : 1); k++) {
            const struct candidate *range = fence->candidate_count ? &fence->candidates[k] : NULL;
            bool applies =
                facts_fence_applies(facts->program, fence, range, &access->candidates[i]);
            some |= applies;
            all &= applies;
        }
    add(facts, BASE_REL_APPLIES_TO, a, b, some, all);
}

static void add_fixed(struct facts *facts, enum base_relation relation, unsigned a, unsigned b,
                      bool holds) {
    assert((unsigned)relation < BASE_REL_COUNT);
    assert(a < facts->n);
    assert(b < facts->n);
    add(facts, relation, a, b, holds, true);
}

static void add_places(struct facts *facts, unsigned a, unsigned b) {
    assert(a < facts->n);
    assert(b < facts->n);
    const struct event *x = &facts->program->events[a], *y = &facts->program->events[b];
    if (x->thread < 0 || y->thread < 0)
        return; // an initial write has no thread and so no place
    const struct thread *threads = facts->program->test->threads;
    int here = event_place(x), there = event_place(y);
    const struct place *p = &threads[here].place, *q = &threads[there].place;
    bool same = here == there;
    add_fixed(facts, BASE_REL_INT, a, b, event_same_thread(x, y) && a != b);
    add_fixed(facts, BASE_REL_EXT, a, b, !event_same_thread(x, y));
    add_fixed(facts, BASE_REL_PO, a, b, program_po(facts->program, a, b));
    add_fixed(facts, BASE_REL_SAME_CTA, a, b, same || test_same_cta(p, q));
    add_fixed(facts, BASE_REL_SAME_CLUSTER, a, b, same || test_same_cluster(p, q));
    add_fixed(facts, BASE_REL_SAME_GPU, a, b, same || test_same_gpu(p, q));
    add_fixed(facts, BASE_REL_NEXT_GRID, a, b, test_grid_follows(facts->program->test, q, p));
    add_fixed(facts, BASE_REL_GRID_WAITED, a, b,
              event_is_grid_wait(y) && test_grid_waits_for(facts->program->test, q, p));
    add_fixed(facts, BASE_REL_GRID_STARTED, a, b,
              x->kind == EVENT_GRID_LAUNCH && test_grid_depends(facts->program->test, q, p));
}

// A pair that is there under a condition; NULL is none.
static void add_condition(struct facts *facts, enum base_relation relation, unsigned a, unsigned b,
                          const struct expr *condition) {
    assert(a < facts->n);
    assert(b < facts->n);
    if (condition != NULL)
        add(facts, relation, a, b, !expr_is_false(condition), expr_is_true(condition));
}

static void add_dependencies(struct facts *facts, enum base_relation relation, unsigned event,
                             const struct dependency_list *list) {
    assert((unsigned)relation < BASE_REL_COUNT);
    assert(event < facts->n);
    for (size_t i = 0; i < list->count; i++)
        add_condition(facts, relation, list->items[i].event, event, list->items[i].condition);
}

// Whether one step of an asynchronous operation comes before another: what is read before what is
// written, and all of it before the operation is complete.
static bool is_step_before(const struct event_async *x, const struct event_async *y) {
    enum async_step a = x->step;
    if (x->target != 0 && x->target != y->target)
        return false; // for different CTAs
    switch (y->step) {
    case ASYNC_READ: return a == ASYNC_MAP;
    case ASYNC_READ_FENCE:
    case ASYNC_WRITE: return a == ASYNC_MAP || a == ASYNC_READ;
    case ASYNC_FENCE: return a == ASYNC_MAP || a == ASYNC_READ || a == ASYNC_WRITE;
    case ASYNC_COMPLETE: return a != ASYNC_COMPLETE;
    default: return false;
    }
}

// issue and within.
static void add_operation(struct facts *facts, unsigned a, unsigned b) {
    assert(a < facts->n);
    assert(b < facts->n);
    const struct event *x = &facts->program->events[a], *y = &facts->program->events[b];
    if (!event_is_detached(y))
        return;
    add_fixed(facts, BASE_REL_ISSUED, a, b, y->async->issue == a);
    add_fixed(facts, BASE_REL_WITHIN, a, b,
              event_is_detached(x) && x->async->issue == y->async->issue &&
                  is_step_before(x->async, y->async));
}

static void add_event(struct facts *facts, unsigned a) {
    assert(a < facts->n);
    const struct event *event = &facts->program->events[a];
    add_dependencies(facts, BASE_REL_ADDR, a, &event->addr);
    add_dependencies(facts, BASE_REL_DATA, a, &event->data);
    if (!event_is_detached(event)) // whether it executes is the matter of its issue
        add_dependencies(facts, BASE_REL_CTRL, a, &event->ctrl);
    add_dependencies(facts, BASE_REL_PASSED_DEP, a, &event->passed);
    add_dependencies(facts, BASE_REL_OUTLIVES, a, &event->outlives);
    add_dependencies(facts, BASE_REL_UNDERWAY, a, &event->underway);
    add_dependencies(facts, BASE_REL_ALLOCATION, a, &event->allocations);
    if (event->kind == EVENT_READ && event_is_atomic(event))
        add_fixed(facts, BASE_REL_RMW, a, (unsigned)event->access->rmw, true);
    add_condition(facts, BASE_REL_BROKEN, a, a, event->broken);
    if (event->mbarrier != NULL) {
        add_dependencies(facts, BASE_REL_MB_PHASE, a, &event->mbarrier->phases);
        add_dependencies(facts, BASE_REL_MB_WAITED, a, &event->mbarrier->waited);
        add_dependencies(facts, BASE_REL_MB_STATE_OF, a, &event->mbarrier->states);
        add_condition(facts, BASE_REL_MB_UNDEFINED, a, a, event->mbarrier->undefined);
    }
    if (event->async != NULL) {
        add_dependencies(facts, BASE_REL_DONE, a, &event->async->done);
        add_condition(facts, BASE_REL_REGISTERS_UNDEFINED, a, a, event->async->undefined);
        add_condition(facts, BASE_REL_CANCEL_FAILED, a, a, event->async->failed);
    }
    for (unsigned b = 0; b < facts->n; b++) {
        add_operation(facts, a, b);
        add_fixed(facts, BASE_REL_ID, a, b, a == b);
        add_fixed(facts, BASE_REL_SAME_SHAPE, a, b,
                  a != b && event_same_shape(event, &facts->program->events[b]));
        add_fixed(facts, BASE_REL_APART, a, b,
                  event_comes_apart(facts->program->test, event, &facts->program->events[b]));
        add_fixed(facts, BASE_REL_SAME_PROXY, a, b,
                  event->proxy == facts->program->events[b].proxy);
        add_places(facts, a, b);
        add_contact(facts, a, b);
        add_applies_to(facts, a, b);
    }
}

// --- Relations that the solver chooses ---------------------------------------------------------

// rf: where a read has one write to read from, it reads from it.
static void add_rf(struct facts *facts, unsigned read) {
    assert(read < facts->n);
    const struct event *events = facts->program->events;
    unsigned writes = 0, last = 0;
    for (unsigned w = 0; w < facts->n; w++)
        if (facts_is_write(&events[w]) && relation_has(&facts->may[BASE_REL_LOC], w, read)) {
            add(facts, BASE_REL_RF, w, read, true, false);
            writes++;
            last = w;
        }
    if (writes == 1)
        add(facts, BASE_REL_RF, last, read, true, true);
}

// co: initial writes come first.
static void add_co(struct facts *facts, unsigned a, unsigned b) {
    assert(a < facts->n);
    assert(b < facts->n);
    const struct event *events = facts->program->events;
    if (a == b || !facts_is_write(&events[a]) || events[b].kind != EVENT_WRITE ||
        !relation_has(&facts->may[BASE_REL_LOC], a, b))
        return;
    bool first = events[a].kind == EVENT_INIT;
    add(facts, BASE_REL_CO, a, b, true, first && relation_has(&facts->must[BASE_REL_LOC], a, b));
}

// Whether some cell may be touched by all three.
static bool share_cell(const struct event *a, const struct event *b, const struct event *c) {
    for (size_t i = 0; i < a->candidate_count; i++)
        for (unsigned k = 0; k < a->candidates[i].cell_count; k++) {
            unsigned cell = a->candidates[i].first_cell + k;
            if (facts_touches(b, cell) && facts_touches(c, cell))
                return true;
        }
    return false;
}

static bool may_be_before(const struct facts *facts, unsigned from, unsigned read, unsigned write) {
    assert(from < facts->n);
    assert(read < facts->n);
    assert(write < facts->n);
    const struct event *events = facts->program->events;
    return from != write && relation_has(&facts->may[BASE_REL_RF], from, read) &&
           relation_has(&facts->may[BASE_REL_CO], from, write) &&
           share_cell(&events[read], &events[write], &events[from]);
}

// fr: the read takes a byte from a write that is co-before, and the write changes that byte. None
// is certain: what the read takes from, and the write, are two that it may read from.
static void add_fr(struct facts *facts, unsigned read, unsigned write) {
    assert(read < facts->n);
    assert(write < facts->n);
    bool may = false;
    if (!relation_has(&facts->may[BASE_REL_LOC], read, write))
        return;
    for (unsigned from = 0; from < facts->n && !may; from++)
        may = may_be_before(facts, from, read, write);
    add(facts, BASE_REL_FR, read, write, may, false);
}

// phase: the arrivals of a phase before its waits (memory-model section 6). barrier: the same,
// except for .relaxed arrivals, which do not synchronise.
static void add_phase_pairs(struct facts *facts) {
    const struct program *program = facts->program;
    for (size_t i = 0; i < program->barriers.phase_pair_count; i++) {
        const struct phase_pair *pair = &program->barriers.phase_pairs[i];
        bool must = program->events[pair->arrival].barrier->completes &&
                    program->events[pair->wait].barrier->completes;
        add(facts, BASE_REL_PHASE, pair->arrival, pair->wait, true, must);
        if (event_arrival_orders(&program->events[pair->arrival]))
            add(facts, BASE_REL_BARRIER, pair->arrival, pair->wait, true, must);
    }
}

bool facts_may_equal(const struct expr *a, const struct expr *b) {
    return !expr_is_const(a) || !expr_is_const(b) || bits_equal(a->value, b->value);
}

bool facts_may_share_barrier(const struct event *a, const struct event *b) {
    return a->barrier->group == b->barrier->group && a->barrier->instance == b->barrier->instance &&
           facts_may_equal(a->barrier->id, b->barrier->id);
}

bool facts_counts_are_equal(const struct event *a, const struct event *b) {
    return a->barrier->count == b->barrier->count || (a->barrier->of_all && b->barrier->of_all);
}

// same-barrier, same-phase, same-count. Dat3M's counts know no phases, and are in none of them.
static void add_arrivals(struct facts *facts, unsigned a, unsigned b) {
    assert(a < facts->n);
    assert(b < facts->n);
    const struct event *x = &facts->program->events[a], *y = &facts->program->events[b];
    bool arrivals =
        event_is_arrival(x) && event_is_arrival(y) && !x->barrier->quorum && !y->barrier->quorum;
    if (a == b || !arrivals || !facts_may_share_barrier(x, y))
        return;
    bool sure = x->barrier->id == y->barrier->id, equal = facts_counts_are_equal(x, y);
    add(facts, BASE_REL_SAME_BARRIER, a, b, true, sure);
    add(facts, BASE_REL_SAME_PHASE, a, b, x->thread != y->thread, false);
    add(facts, BASE_REL_SAME_COUNT, a, b,
        equal || facts_may_equal(x->barrier->count, y->barrier->count), sure && equal);
}

// exit, and exit-dep (memory-model: exits and thin air).
static void add_exits(struct facts *facts) {
    const struct program *program = facts->program;
    for (size_t i = 0; i < program->barriers.exit_count; i++) {
        const struct barrier_exit *exit = &program->barriers.exits[i];
        for (unsigned e = 0; e < facts->n; e++)
            if (program->events[e].thread == exit->thread)
                add(facts, BASE_REL_EXIT, e, exit->released, true, false);
        for (size_t k = 0; k < exit->read_count; k++)
            add(facts, BASE_REL_EXIT_DEP, exit->reads[k], exit->released, true, false);
    }
}

static void add_chosen(struct facts *facts) {
    const struct event *events = facts->program->events;
    const struct event_set *sc = &facts->sets[BASE_SET_SC], *fences = &facts->sets[BASE_SET_F];
    for (unsigned a = 0; a < facts->n; a++) {
        if (events[a].kind == EVENT_READ)
            add_rf(facts, a);
        for (unsigned b = 0; b < facts->n; b++) {
            add_co(facts, a, b);
            add_arrivals(facts, a, b);
            add(facts, BASE_REL_SC_ORDER, a, b,
                a != b && event_set_has(sc, a) && event_set_has(sc, b) &&
                    event_set_has(fences, a) && event_set_has(fences, b),
                false);
        }
    }
    for (unsigned a = 0; a < facts->n; a++)
        for (unsigned b = 0; events[a].kind == EVENT_READ && b < facts->n; b++)
            if (facts_is_write(&events[b]))
                add_fr(facts, a, b);
}

struct facts *facts_new(struct arena *arena, const struct program *program) {
    struct facts *facts = ARENA_NEW(arena, struct facts);
    facts->program = program;
    facts->n = (unsigned)program->event_count;
    find_execution(arena, facts);
    find_sets(arena, facts);
    for (unsigned relation = 0; relation < BASE_REL_COUNT; relation++) {
        facts->may[relation] = relation_new(arena, facts->n);
        facts->must[relation] = relation_new(arena, facts->n);
    }
    for (unsigned a = 0; a < facts->n; a++)
        add_event(facts, a);
    add_chosen(facts);
    add_phase_pairs(facts);
    add_exits(facts);
    return facts;
}
