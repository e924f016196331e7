// What lies between two accesses that race: a path that does not synchronise, another proxy, or
// nothing.
#include "explain/unordered.h"

#include "explain/faults.h"
#include "explain/words.h"
#include "litmus/source/arena.h"

#include <string.h>

enum { LANES = 32 };

static const struct event *event_at(const struct found_execution *execution, unsigned e) {
    return &execution->program->events[e];
}

// Whether `a` is `b`, or before it in program order.
static bool comes_to(const struct found_execution *execution, unsigned a, unsigned b) {
    return a == b || relation_has(&execution->facts->relations[BASE_REL_PO], a, b);
}

// The fault on a path from `a` to `b`: if that pair synchronised, `a` would be before `b`. NULL
// where there is none. The pair itself does not count.
static const struct sync_fault *fault_between(const struct found_execution *execution,
                                              const struct sync_faults *faults, unsigned a,
                                              unsigned b) {
    for (size_t i = 0; i < faults->count; i++) {
        const struct sync_fault *fault = &faults->items[i];
        bool is_pair = fault->a == a && fault->b == b;
        if (!is_pair && comes_to(execution, a, fault->a) && comes_to(execution, fault->b, b))
            return fault;
    }
    return NULL;
}

// Whether base causality order, which knows nothing of proxies, has the pair.
static bool is_ordered_but_for_proxies(const struct model *model,
                                       const struct found_execution *execution, unsigned a,
                                       unsigned b) {
    for (size_t i = 0; i < model->node_count; i++) {
        const struct model_node *node = &model->nodes[i];
        if (words_is_relation(node, "bc")) {
            const struct relation *order = &execution->nodes[i].relation;
            return relation_has(order, a, b) || relation_has(order, b, a);
        }
    }
    return false;
}

static bool is_of_one_warp(const struct thread *a, const struct thread *b) {
    const struct launch *launch = a->launch;
    if (!launch || launch != b->launch)
        return false;
    const unsigned *block = launch->block;
    unsigned first = (a->tid[2] * block[1] + a->tid[1]) * block[0] + a->tid[0];
    unsigned second = (b->tid[2] * block[1] + b->tid[1]) * block[0] + b->tid[0];
    return first / LANES == second / LANES;
}

// What there would have to be between two threads; NULL where it is not known that there is
// nothing.
static const char *nothing_between(const struct thread *a, const struct thread *b,
                                   bool nothing_heard) {
    const struct place *p = &a->place, *q = &b->place;
    if (p->host || q->host) {
        return nothing_heard ? "nothing orders them: neither thread reads, before its access, what "
                               "the other stores after its own"
                             : NULL;
    }
    if (test_same_cta(p, q)) {
        return is_of_one_warp(a, b)
                   ? "nothing orders them: they are in one warp, whose lanes need not run in "
                     "lockstep, and no __syncwarp() or barrier of the block comes between"
                   : "nothing orders them: no barrier of the block comes between";
    }
    if (test_same_cluster(p, q)) {
        return "nothing orders them: they are in different blocks of a cluster, and no barrier "
               "of the cluster orders them";
    }
    return nothing_heard ? "nothing orders them: they are in different blocks, and neither reads, "
                           "before its access, what the other stores after its own"
                         : NULL;
}

const char *unordered_why(struct arena *arena, const struct model *model,
                          const struct found_execution *execution, const struct event_names *names,
                          unsigned a, unsigned b, bool nothing_heard) {
    const struct event *x = event_at(execution, a), *y = event_at(execution, b);
    if (x->thread < 0 || y->thread < 0)
        return NULL;
    const struct sync_faults faults = faults_find(arena, model, execution, names);
    const struct sync_fault *fault = fault_between(execution, &faults, a, b);
    if (!fault)
        fault = fault_between(execution, &faults, b, a);
    if (fault)
        return fault->sentence;
    if (x->proxy == PROXY_READONLY || y->proxy == PROXY_READONLY) {
        return "what a kernel loads through the read-only proxy is not to be written while it "
               "runs, and no fence is of that proxy";
    }
    if (x->proxy != y->proxy && is_ordered_but_for_proxies(model, execution, a, b)) {
        return "they are ordered, but through different proxies: it takes a proxy fence, too (PTX "
               "ISA 8.6)";
    }
    if (event_is_detached(x) || event_is_detached(y)) {
        return "one of them is done by an asynchronous operation, and nothing orders its "
               "completion and the other";
    }
    if (a != b && event_is_access(x) && event_is_access(y) && x->order != ORDER_WEAK &&
        y->order != ORDER_WEAK)
        return faults_of_strength(arena, execution, names, a, b);
    const struct thread *threads = execution->program->test->threads;
    return x->thread == y->thread
               ? NULL
               : nothing_between(&threads[x->thread], &threads[y->thread], nothing_heard);
}
