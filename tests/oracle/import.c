// struct program to struct execution: events by event, places pair by pair.
#include "tests/oracle/import.h"

static const char *unsupported_access(const struct program *program, const struct version *version,
                                      const struct event *e) {
    for (size_t i = 0; i < e->candidate_count; i++) {
        const struct candidate *candidate = &e->candidates[i];
        if (candidate->cell_count > ACCESS_CELLS_MAX)
            return "an access to more than 16 cells";
        if (!version->proxies && program->virtual_ranges[candidate->range].variable !=
                                     program->objects[candidate->object].variable)
            return "an access through an alias";
    }
    return NULL;
}

// Section 8: 6.0 has no proxies, and 7.5 neither an async nor a tensormap one.
static bool has_proxy(const struct version *version, enum proxy proxy) {
    bool is_async = proxy == PROXY_ASYNC || proxy == PROXY_TENSORMAP;
    return proxy == PROXY_GENERIC || (version->proxies && (!is_async || version->async_proxies));
}

static const char *unsupported_event(const struct program *program, const struct version *version,
                                     const struct event *e) {
    if (!has_proxy(version, e->proxy))
        return "a proxy that this version of the model does not have";
    if (e->scope == SCOPE_CLUSTER && !version->cluster_scope)
        return "a scope that this version of the model does not have";
    if (e->kind == EVENT_FENCE && !version->one_directional_fences &&
        (e->order == ORDER_ACQUIRE || e->order == ORDER_RELEASE))
        return "a one-directional fence, which this version of the model does not have";
    if (e->kind == EVENT_READ || e->kind == EVENT_WRITE)
        return unsupported_access(program, version, e);
    return NULL;
}

const char *import_unsupported(const struct program *program, const struct version *version) {
    if (program->event_count > EVENTS_MAX)
        return "more than 64 events";
    if (program->cell_count > CELLS_MAX)
        return "more than 64 cells of memory";
    if (program->test->thread_count > THREADS_MAX)
        return "more than 64 threads";
    if (!expr_is_false(program->out_of_bounds))
        return "an access that may lie outside every variable";
    for (size_t i = 0; i < program->event_count; i++) {
        const char *reason = unsupported_event(program, version, &program->events[i]);
        if (reason)
            return reason;
    }
    return NULL;
}

uint64_t import_cells(const struct candidate *candidate) {
    uint64_t cells = 0;
    for (unsigned i = 0; i < candidate->cell_count; i++)
        cells |= bit(candidate->first_cell + i);
    return cells;
}

// D14: CTAs nest in clusters, clusters in GPUs.
static enum scope smallest_common_scope(const struct place *a, const struct place *b) {
    if (test_same_cta(a, b))
        return SCOPE_CTA;
    if (test_same_cluster(a, b))
        return SCOPE_CLUSTER;
    return test_same_gpu(a, b) ? SCOPE_GPU : SCOPE_SYS;
}

// The cells in the state space that a proxy or restricted fence names: .shared::cta is the shared
// memory of its own CTA, .shared::cluster that of every CTA of the cluster.
static uint64_t cells_in_space(const struct program *program, const struct event *fence) {
    const struct thread *threads = program->test->threads;
    enum state_space wanted = fence->instruction->fence_space;
    uint64_t cells = 0;
    for (unsigned i = 0; i < program->cell_count; i++) {
        const struct object *object = &program->objects[program->cells[i].object];
        bool is_shared = object->space == SPACE_SHARED;
        enum scope apart = SCOPE_SYS;
        if (is_shared)
            apart = smallest_common_scope(&threads[fence->thread].place,
                                          &threads[object->instance].place);
        bool in_cluster = is_shared && (apart <= SCOPE_CLUSTER || fence->kind == EVENT_PROXY_FENCE);
        if (wanted == SPACE_GENERIC || (wanted == SPACE_GLOBAL && object->space == SPACE_GLOBAL) ||
            (wanted == SPACE_SHARED_CLUSTER && in_cluster) ||
            (wanted == SPACE_SHARED && apart == SCOPE_CTA))
            cells |= bit(i);
    }
    return cells;
}

// An access whose address may be in several spaces is in none.
static bool is_access_to_shared(const struct program *program, const struct event *e) {
    bool all = e->candidate_count > 0;
    for (size_t i = 0; i < e->candidate_count; i++)
        all = all && program->objects[e->candidates[i].object].space == SPACE_SHARED;
    return all;
}

static enum action import_action(enum event_kind kind) {
    switch (kind) {
    case EVENT_INIT: return ACTION_INIT;
    case EVENT_READ: return ACTION_READ;
    case EVENT_WRITE: return ACTION_WRITE;
    case EVENT_PROXY_FENCE: return ACTION_PROXY_FENCE;
    case EVENT_BARRIER: return ACTION_BARRIER;
    default: return ACTION_FENCE;
    }
}

void import_execution(const struct program *program, struct execution *x) {
    struct execution empty = {.n = (unsigned)program->event_count};
    *x = empty;
    x->dependency = rel_empty(x->n);
    x->barrier = x->meets = x->exit_dependency = rel_empty(x->n);
    for (unsigned i = 0; i < x->n; i++) {
        const struct event *e = &program->events[i];
        struct occurrence occurrence = {
            .action = import_action(e->kind),
            .thread = e->thread,
            .position = e->position,
            .order = e->order,
            .scope = e->scope,
            .red = e->is_red,
            .proxy = e->proxy,
            .shared = is_access_to_shared(program, e),
            .wide = event_is_wide(e),
            .atomic = e->rmw >= 0,
            .rmw = e->kind == EVENT_READ ? e->rmw : -1,
        };
        if (e->kind == EVENT_PROXY_FENCE) {
            occurrence.order = e->instruction->proxy_order;
            occurrence.about = cells_in_space(program, e);
        }
        if (e->kind == EVENT_FENCE && e->instruction->fence_space != SPACE_GENERIC) {
            occurrence.restricted = true;
            occurrence.about = cells_in_space(program, e);
        }
        if (e->kind == EVENT_INIT)
            occurrence.cells = import_cells(&e->candidates[0]);
        x->event[i] = occurrence;
    }
    for (size_t a = 0; a < program->test->thread_count; a++)
        for (size_t b = 0; b < program->test->thread_count; b++)
            x->together[a][b] = a == b ? SCOPE_CTA
                                       : smallest_common_scope(&program->test->threads[a].place,
                                                               &program->test->threads[b].place);
}
