// Reads between threads and what they lack: moral strength, a release pattern, an acquire pattern.
#include "explain/faults.h"

#include "explain/words.h"
#include "litmus/ptx/instructions.h"
#include "litmus/source/arena.h"

#include <assert.h>
#include <string.h>

// The two patterns that synchronise.
enum pattern_kind { RELEASE, ACQUIRE };

// What the looking for faults needs.
struct fault_search {
    struct arena *arena;
    const struct found_execution *execution;
    const struct event_names *names;
    const struct relation *ms, *sync, *patterns[2]; // of the model: enum pattern_kind
    const struct relation *cause; // causality order; NULL: the model does not name it so
    struct sync_faults faults;
};

static const struct relation *relation_named(const struct model *model,
                                             const struct found_execution *execution,
                                             const char *name) {
    for (size_t i = 0; i < model->node_count; i++)
        if (words_is_relation(&model->nodes[i], name))
            return &execution->nodes[i].relation;
    return NULL;
}

static const struct event *event_at(const struct fault_search *search, unsigned e) {
    assert(e < search->execution->program->event_count);
    return &search->execution->program->events[e];
}

static const char *name_of(const struct fault_search *search, unsigned e) {
    assert(e < search->names->count);
    return search->names->items[e];
}

static void add(struct fault_search *search, const char *relation, unsigned a, unsigned b,
                const char *sentence) {
    struct sync_faults *faults = &search->faults;
    ARENA_APPEND(search->arena, faults->items, faults->count,
                 (struct sync_fault){relation, a, b, sentence});
}

// --- Moral strength ----------------------------------------------------------------------------

// Where a thread is, seen from another one.
static const char *where(const struct place *from, const struct place *to) {
    if (to->host)
        return "on the host";
    if (!test_same_gpu(from, to))
        return "on another GPU";
    if (!test_same_cluster(from, to))
        return to->has_cluster || from->has_cluster ? "in another cluster" : "in another CTA";
    return test_same_cta(from, to) ? "in the same CTA" : "in another CTA";
}

// The scope of `a` that does not include the thread of `b`; NULL where it does.
static const char *scope_fault(const struct fault_search *search, unsigned a, unsigned b) {
    const struct event *x = event_at(search, a), *y = event_at(search, b);
    const struct thread *threads = search->execution->program->test->threads;
    const struct place *p = &threads[x->thread].place, *q = &threads[y->thread].place;
    if (test_scope_contains(x->scope, p, q))
        return NULL;
    return arena_format(search->arena, "%s of %s does not include %s, which is %s (PTX ISA 8.5)",
                        ptx_spelling(CLASS_SCOPE, (int)x->scope), name_of(search, a),
                        search->names->threads[y->thread], where(p, q));
}

static bool is_weak(const struct event *event) {
    return event_is_access(event) && event->order == ORDER_WEAK;
}

// Why two events of different threads are not morally strong.
static const char *strength_fault(const struct fault_search *search, unsigned a, unsigned b) {
    const struct event *x = event_at(search, a), *y = event_at(search, b);
    if (is_weak(x) && is_weak(y))
        return arena_format(search->arena, "%s and %s are weak (PTX ISA 8.4)", name_of(search, a),
                            name_of(search, b));
    if (is_weak(x) || is_weak(y))
        return arena_format(search->arena, "%s is weak (PTX ISA 8.4)",
                            name_of(search, is_weak(x) ? a : b));
    const char *first = scope_fault(search, a, b), *second = scope_fault(search, b, a);
    if (first != NULL && second != NULL)
        return arena_format(search->arena, "%s; %s", first, second);
    if (first != NULL || second != NULL)
        return first != NULL ? first : second;
    if (x->proxy != y->proxy)
        return arena_format(search->arena, "%s and %s are of different proxies (PTX ISA 8.6)",
                            name_of(search, a), name_of(search, b));
    return arena_format(search->arena,
                        "%s and %s are not accesses of the same bytes through one address, of at "
                        "most 64 bits (PTX ISA 8.7)",
                        name_of(search, a), name_of(search, b));
}

const char *faults_of_strength(struct arena *arena, const struct found_execution *execution,
                               const struct event_names *names, unsigned a, unsigned b) {
    const struct fault_search search = {.arena = arena, .execution = execution, .names = names};
    return strength_fault(&search, a, b);
}

// --- Patterns ----------------------------------------------------------------------------------

static bool has_order(const struct event *event, unsigned orders) {
    return (1U << event->order & orders) != 0;
}

// Whether `e` is a release (or releasing fence) for a write, an arrival at an mbarrier among them:
// itself, or, for a fence, before it. Or the same for an acquire and a read, a wait at an mbarrier
// among them, which it comes after.
static bool is_for(const struct fault_search *search, enum pattern_kind kind, unsigned e,
                   unsigned access) {
    static const unsigned orders[] = {1U << ORDER_RELEASE, 1U << ORDER_ACQUIRE};
    const struct event *fence = event_at(search, e), *event = event_at(search, access);
    const struct relation *po = &search->execution->facts->relations[BASE_REL_PO];
    unsigned first = kind == RELEASE ? e : access, second = kind == RELEASE ? access : e;
    if (event->mbarrier == NULL)
        return relation_has(search->patterns[kind], first, second);
    return first == second
               ? has_order(event, orders[kind])
               : fence->kind == EVENT_FENCE && relation_has(po, first, second) &&
                     has_order(fence, orders[kind] | 1U << ORDER_ACQ_REL | 1U << ORDER_SC);
}

// The first release for a write, or acquire for a read; -1: there is none.
static int first_for(const struct fault_search *search, enum pattern_kind kind, unsigned access) {
    for (unsigned e = 0; e < search->sync->n; e++)
        if (is_for(search, kind, e, access))
            return (int)e;
    return -1;
}

// Whether some release pattern that ends with the write synchronises with an acquire pattern that
// begins with the read.
static bool is_synchronised(const struct fault_search *search, unsigned write, unsigned read) {
    for (unsigned a = 0; a < search->sync->n; a++)
        for (unsigned b = 0; is_for(search, RELEASE, a, write) && b < search->sync->n; b++)
            if (is_for(search, ACQUIRE, b, read) && relation_has(search->sync, a, b))
                return true;
    return false;
}

static void look_at_read(struct fault_search *search, unsigned write, unsigned read) {
    const char *w = name_of(search, write), *r = name_of(search, read);
    int release = first_for(search, RELEASE, write), acquire = first_for(search, ACQUIRE, read);
    const char *begin =
        arena_format(search->arena, "%s reads from %s, but they do not synchronise", r, w);
    bool ordered = search->cause != NULL && relation_has(search->cause, write, read);
    if (ordered || is_synchronised(search, write, read)) // by a barrier, or as the grids are
        return;
    if (!relation_has(search->ms, write, read))
        add(search, "ms", write, read,
            arena_format(search->arena, "%s: %s", begin, strength_fault(search, write, read)));
    else if (release < 0)
        add(search, "sync", write, read,
            arena_format(search->arena,
                         "%s: %s is not a release, and no release fence precedes it (PTX ISA 8.8)",
                         begin, w));
    else if (acquire < 0)
        add(search, "sync", write, read,
            arena_format(search->arena,
                         "%s: %s is not an acquire, and no acquire fence follows it (PTX ISA 8.8)",
                         begin, r));
    else if (!relation_has(search->ms, (unsigned)release, (unsigned)acquire))
        add(search, "ms", (unsigned)release, (unsigned)acquire,
            arena_format(search->arena, "%s: %s", begin,
                         strength_fault(search, (unsigned)release, (unsigned)acquire)));
}

// --- All ---------------------------------------------------------------------------------------

static bool are_apart(const struct fault_search *search, unsigned a, unsigned b) {
    int first = event_at(search, a)->thread, second = event_at(search, b)->thread;
    return first >= 0 && second >= 0 && first != second;
}

static bool is_sc_fence(const struct event *event) {
    return event->kind == EVENT_FENCE && event->order == ORDER_SC;
}

struct sync_faults faults_find(struct arena *arena, const struct model *model,
                               const struct found_execution *execution,
                               const struct event_names *names) {
    struct fault_search search = {
        .arena = arena,
        .execution = execution,
        .names = names,
        .ms = relation_named(model, execution, "ms"),
        .sync = relation_named(model, execution, "sync"),
        .cause = relation_named(model, execution, "cause"),
        .patterns = {relation_named(model, execution, "release-pattern"),
                     relation_named(model, execution, "acquire-pattern")}};
    const struct relation *base = execution->facts->relations;
    if (search.ms == NULL || search.sync == NULL || search.patterns[RELEASE] == NULL ||
        search.patterns[ACQUIRE] == NULL)
        return search.faults;
    for (unsigned a = 0; a < execution->n; a++)
        for (unsigned b = 0; b < execution->n; b++) {
            if (!are_apart(&search, a, b))
                continue;
            if (relation_has(&base[BASE_REL_RF], a, b))
                look_at_read(&search, a, b);
            bool fences = is_sc_fence(event_at(&search, a)) && is_sc_fence(event_at(&search, b)) &&
                          relation_has(&base[BASE_REL_SC_ORDER], a, b);
            if (fences && !relation_has(search.ms, a, b))
                add(&search, "ms", a, b,
                    arena_format(arena, "the order of %s and %s does not count: %s",
                                 name_of(&search, a), name_of(&search, b),
                                 strength_fault(&search, a, b)));
        }
    return search.faults;
}
