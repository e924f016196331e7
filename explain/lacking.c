// The events of a search for what is missing, and what single facts about them cost.
#include "explain/miss_internal.h"

#include "litmus/source/arena.h"
#include "solver/bounds/facts.h"

#include <assert.h>
#include <string.h>

// More events make the tables too large, more without the fences that are not there.
enum { MISS_EVENTS_MAX = 300, WITH_FENCES_MAX = 140 };

static const struct event *event_of(const struct miss_finder *finder, unsigned a) {
    assert(miss_is_real(finder, a));
    return &finder->execution->program->events[finder->events[a].event];
}

static int thread_of(const struct miss_finder *finder, unsigned a) {
    const struct miss_event *event = miss_event_at(finder, a);
    unsigned at = event->event >= 0 ? (unsigned)event->event : event->after;
    return finder->execution->program->events[at].thread;
}

const struct miss_event *miss_event_at(const struct miss_finder *finder, unsigned index) {
    assert(index < finder->n);
    return &finder->events[index];
}

// --- Events ------------------------------------------------------------------------------------

static void add_event(struct miss_finder *finder, struct miss_event event) {
    ARENA_APPEND(finder->arena, finder->events, finder->n, event);
}

static const struct relation *base(const struct miss_finder *finder, enum base_relation relation) {
    return &finder->execution->facts->relations[relation];
}

// The proxies of whose fences one could be missing.
static void find_proxies(const struct miss_finder *finder, bool *proxies) {
    memset(proxies, 0, PROXY_COUNT * sizeof *proxies);
    for (unsigned a = 0; a < finder->real; a++) {
        unsigned x = (unsigned)finder->events[a].event;
        if (event_is_access(event_of(finder, a)))
            proxies[event_of(finder, a)->proxy] = true;
        for (unsigned b = 0; b < finder->real; b++) {
            unsigned y = (unsigned)finder->events[b].event;
            bool alias = thread_of(finder, a) >= 0 && thread_of(finder, b) >= 0 &&
                         relation_has(base(finder, BASE_REL_LOC), x, y) &&
                         !relation_has(base(finder, BASE_REL_VLOC), x, y) &&
                         event_of(finder, a)->proxy == event_of(finder, b)->proxy;
            proxies[PROXY_ALIAS] = proxies[PROXY_ALIAS] || alias;
        }
    }
    proxies[PROXY_GENERIC] = true; // of a fence
}

// The fences between two neighbours.
static void add_fences(struct miss_finder *finder, const bool *proxies, unsigned a, unsigned b) {
    struct miss_event fence = {.event = -1, .after = a, .before = b};
    for (enum proxy proxy = 0; proxy < PROXY_COUNT; proxy++) {
        fence.proxy = proxy;
        fence.order = proxy == PROXY_TENSORMAP ? ORDER_RELEASE : ORDER_NONE;
        if (proxies[proxy] && proxy != PROXY_READONLY &&
            proxy != PROXY_FABRIC) // no fence, or none that leads both ways
            add_event(finder, fence);
        fence.order = ORDER_ACQUIRE;
        if (proxies[proxy] && proxy == PROXY_TENSORMAP)
            add_event(finder, fence);
    }
}

// The next event of a thread in program order, -1 for none.
static int next_of(const struct miss_finder *finder, unsigned a) {
    const struct relation *po = base(finder, BASE_REL_PO);
    int next = -1;
    for (unsigned b = 0; b < finder->real; b++) {
        unsigned y = (unsigned)finder->events[b].event;
        if (relation_has(po, (unsigned)finder->events[a].event, y) &&
            (next < 0 || relation_has(po, y, (unsigned)next)))
            next = (int)y;
    }
    return next;
}

static void find_fences(struct miss_finder *finder) {
    bool proxies[PROXY_COUNT];
    find_proxies(finder, proxies);
    for (unsigned a = 0; a < finder->real; a++) {
        int next = next_of(finder, a);
        const struct event *events = finder->execution->program->events;
        if (next >= 0 && (events[next].thread != event_of(finder, a)->thread ||
                          events[next].instruction != event_of(finder, a)->instruction))
            add_fences(finder, proxies, (unsigned)finder->events[a].event, (unsigned)next);
    }
}

bool miss_find_events(struct miss_finder *finder) {
    const struct found_execution *execution = finder->execution;
    for (unsigned e = 0; e < execution->n; e++) {
        finder->places[e] = execution->executes[e] ? (int)finder->n : -1;
        if (execution->executes[e])
            add_event(finder, (struct miss_event){.event = (int)e});
    }
    finder->real = finder->n;
    if (finder->real > MISS_EVENTS_MAX)
        return false;
    if (finder->fences != MISS_NO_FENCES)
        find_fences(finder);
    if (finder->n > WITH_FENCES_MAX)
        finder->n = finder->real;
    return true;
}

// --- Sets --------------------------------------------------------------------------------------

bool miss_is_scope(unsigned set) {
    return set == BASE_SET_CTA || set == BASE_SET_CLUSTER || set == BASE_SET_GPU ||
           set == BASE_SET_SYS;
}

static bool is_order(unsigned set) {
    return set == BASE_SET_WEAK || set == BASE_SET_RELAXED || set == BASE_SET_ACQUIRE ||
           set == BASE_SET_RELEASE || set == BASE_SET_ACQ_REL || set == BASE_SET_SC;
}

// Whether the author of a test could put an event into a set, or take it out.
static bool can_change(const struct event *event, unsigned set) {
    bool scope = miss_is_scope(set);
    if (event_is_detached(event))
        return false;
    switch (event->kind) {
    case EVENT_READ:
    case EVENT_WRITE:
        if (event->proxy != PROXY_GENERIC || event->instruction->is_mmio)
            return false;
        return scope || set == BASE_SET_WEAK || set == BASE_SET_RELAXED ||
               set == (event->kind == EVENT_READ ? BASE_SET_ACQUIRE : BASE_SET_RELEASE);
    case EVENT_FENCE:
        return !event_is_restricted_fence(event) &&
               (scope || (is_order(set) && set != BASE_SET_WEAK && set != BASE_SET_RELAXED));
    case EVENT_PROXY_FENCE: return scope && event->order != ORDER_NONE;
    case EVENT_BARRIER:
        return event->barrier->is_arrival && event->order == ORDER_RELAXED &&
               (set == BASE_SET_RELEASE || set == BASE_SET_RELAXED);
    case EVENT_INIT:
    case EVENT_ISSUE:
    case EVENT_GRID_LAUNCH:
    case EVENT_WGMMA_FENCE:
    case EVENT_TENSOR_FENCE:
    case EVENT_PRECONDITION:
    case EVENT_ASYNC_WAIT: break;
    }
    return false;
}

bool miss_is_presence(const struct miss_event *fence, unsigned set) {
    if (fence->proxy == PROXY_ALIAS && set == BASE_SET_ALIAS)
        return true;
    return set == (fence->proxy == PROXY_GENERIC ? BASE_SET_F : BASE_SET_PF);
}

// Whether an event is in a set whatever the author chooses of a fence that is not there: its kind.
bool miss_is_of_kind(const struct miss_event *fence, unsigned set) {
    static const enum base_set proxies[] = {
#define PROXY(id, ...) BASE_SET_##id,
#include "litmus/proxies.def"
    };
    if (fence->order == ORDER_RELEASE && set == BASE_SET_RELEASE)
        return true;
    if (fence->order == ORDER_ACQUIRE && set == BASE_SET_ACQUIRE)
        return true;
    return set == proxies[fence->proxy] ||
           (fence->proxy != PROXY_GENERIC &&
            (set == BASE_SET_GLOBAL_SPACE || set == BASE_SET_SHARED_SPACE));
}

// Whether it is as the author chooses it.
static bool is_chosen(const struct miss_event *fence, unsigned set) {
    bool orders = fence->proxy == PROXY_GENERIC && is_order(set) && set != BASE_SET_WEAK &&
                  set != BASE_SET_RELAXED;
    return orders || (miss_is_scope(set) &&
                      (fence->proxy == PROXY_GENERIC || fence->proxy == PROXY_TENSORMAP));
}

uint64_t miss_set_cost(const struct miss_finder *finder, unsigned set, unsigned a) {
    const struct miss_event *event = miss_event_at(finder, a);
    if (event->event >= 0) {
        if (event_set_has(&finder->execution->facts->sets[set], (unsigned)event->event))
            return 0;
        return can_change(event_of(finder, a), set) ? MISS_MARK : COST_NEVER;
    }
    if (miss_is_presence(event, set))
        return MISS_FENCE;
    if (set == BASE_SET_SC && finder->fences != MISS_ALL_FENCES)
        return COST_NEVER;
    return miss_is_of_kind(event, set) || is_chosen(event, set) ? 0 : COST_NEVER;
}

// What it costs that an event is not in a set.
uint64_t miss_set_removal(const struct miss_finder *finder, unsigned set, unsigned a) {
    const struct miss_event *event = miss_event_at(finder, a);
    if (event->event >= 0) {
        if (!event_set_has(&finder->execution->facts->sets[set], (unsigned)event->event))
            return 0;
        return can_change(event_of(finder, a), set) ? MISS_MARK : MISS_FIXED;
    }
    return miss_is_presence(event, set) || miss_is_of_kind(event, set) ? COST_NEVER : 0;
}

// --- Relations ---------------------------------------------------------------------------------

// Whether `x` is the event `y` of the program or before it in program order.
static bool is_up_to(const struct miss_finder *finder, unsigned x, unsigned y) {
    return x == y || relation_has(base(finder, BASE_REL_PO), x, y);
}

static bool in_order(const struct miss_finder *finder, unsigned a, unsigned b) {
    const struct miss_event *x = miss_event_at(finder, a), *y = miss_event_at(finder, b);
    if (x->event >= 0)
        return is_up_to(finder, (unsigned)x->event, y->after);
    if (y->event >= 0)
        return is_up_to(finder, x->before, (unsigned)y->event);
    return x->before == y->before ? a < b : is_up_to(finder, x->before, y->after);
}

static bool is_fence(const struct miss_finder *finder, unsigned a) {
    const struct miss_event *event = miss_event_at(finder, a);
    return event->event >= 0 ? event_of(finder, a)->kind == EVENT_FENCE &&
                                   !event_is_restricted_fence(event_of(finder, a))
                             : event->proxy == PROXY_GENERIC;
}

static enum proxy proxy_of(const struct miss_finder *finder, unsigned a) {
    return miss_is_real(finder, a) ? event_of(finder, a)->proxy : finder->events[a].proxy;
}

// Whether a pair of which one is a fence that is not there would be in a relation.
bool miss_would_be_in(const struct miss_finder *finder, enum base_relation relation, unsigned a,
                      unsigned b) {
    int s = thread_of(finder, a), t = thread_of(finder, b);
    const struct thread *threads = finder->execution->program->test->threads;
    bool placed = s >= 0 && t >= 0;
    bool memory = miss_is_real(finder, b) && facts_is_memory(event_of(finder, b));
    switch (relation) {
    case BASE_REL_PO: return placed && s == t && a != b && in_order(finder, a, b);
    case BASE_REL_INT: return placed && s == t && a != b;
    case BASE_REL_EXT: return placed && s != t;
    case BASE_REL_ID: return a == b;
    case BASE_REL_SAME_CTA:
        return placed && (s == t || test_same_cta(&threads[s].place, &threads[t].place));
    case BASE_REL_SAME_CLUSTER:
        return placed && (s == t || test_same_cluster(&threads[s].place, &threads[t].place));
    case BASE_REL_SAME_GPU:
        return placed && (s == t || test_same_gpu(&threads[s].place, &threads[t].place));
    case BASE_REL_SAME_PROXY: return proxy_of(finder, a) == proxy_of(finder, b);
    case BASE_REL_APPLIES_TO:
        return !miss_is_real(finder, a) && finder->events[a].proxy != PROXY_GENERIC && memory;
    case BASE_REL_SC_ORDER:
        return finder->fences == MISS_ALL_FENCES && a != b && is_fence(finder, a) &&
               is_fence(finder, b);
    default: return false;
    }
}

// What a pair of events that are there lacks in a base relation.
static uint64_t fact_cost(const struct miss_finder *finder, enum base_relation relation, unsigned a,
                          unsigned b) {
    const struct event *x = event_of(finder, a), *y = event_of(finder, b);
    bool memory = facts_is_memory(x) && facts_is_memory(y);
    bool meet = memory && relation_has(base(finder, BASE_REL_LOC), x->id, y->id);
    bool sc = x->order == ORDER_SC && y->order == ORDER_SC;
    switch (relation) {
    case BASE_REL_LOC:
    case BASE_REL_VLOC:
    case BASE_REL_SAME_EXTENT: return memory ? MISS_FIXED : COST_NEVER;
    case BASE_REL_SAME_CTA:
    case BASE_REL_SAME_CLUSTER:
    case BASE_REL_SAME_GPU: return x->thread >= 0 && y->thread >= 0 ? MISS_FIXED : COST_NEVER;
    case BASE_REL_SAME_PROXY: return MISS_FIXED;
    case BASE_REL_APPLIES_TO:
        return (x->kind == EVENT_PROXY_FENCE || event_is_restricted_fence(x)) && facts_is_memory(y)
                   ? MISS_FIXED
                   : COST_NEVER;
    case BASE_REL_ADDR:
    case BASE_REL_DATA:
    case BASE_REL_CTRL:
        return x->kind == EVENT_READ && relation_has(base(finder, BASE_REL_PO), x->id, y->id)
                   ? MISS_FIXED
                   : COST_NEVER;
    case BASE_REL_RF:
        return meet && facts_is_write(x) && y->kind == EVENT_READ ? MISS_COMMUNICATION : COST_NEVER;
    case BASE_REL_CO:
        return meet && a != b && facts_is_write(x) && y->kind == EVENT_WRITE ? MISS_COMMUNICATION
                                                                             : COST_NEVER;
    case BASE_REL_FR:
        return meet && x->kind == EVENT_READ && y->kind == EVENT_WRITE ? MISS_COMMUNICATION
                                                                       : COST_NEVER;
    case BASE_REL_SC_ORDER:
        if (a == b || !is_fence(finder, a) || !is_fence(finder, b))
            return COST_NEVER;
        if (!sc && finder->fences == MISS_ALL_FENCES)
            return MISS_MARK;
        return sc ? MISS_COMMUNICATION : COST_NEVER;
    case BASE_REL_BARRIER:
    case BASE_REL_PHASE:
        return event_is_arrival(x) && y->kind == EVENT_BARRIER && y->barrier->is_wait
                   ? MISS_COMMUNICATION
                   : COST_NEVER;
    default: return COST_NEVER;
    }
}

uint64_t miss_relation_cost(const struct miss_finder *finder, unsigned relation, unsigned a,
                            unsigned b) {
    if (!miss_is_real(finder, a) || !miss_is_real(finder, b))
        return miss_would_be_in(finder, (enum base_relation)relation, a, b) ? 0 : COST_NEVER;
    if (relation == BASE_REL_ID)
        return a == b ? 0 : COST_NEVER;
    if (relation_has(base(finder, (enum base_relation)relation), (unsigned)finder->events[a].event,
                     (unsigned)finder->events[b].event))
        return 0;
    return fact_cost(finder, (enum base_relation)relation, a, b);
}
