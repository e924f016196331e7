// Helpers of the unit tests.
#include "tests/oracle/build_execution.h"

struct execution build(unsigned cells, enum scope together) {
    struct execution x = {.n = cells};
    for (unsigned i = 0; i < cells; i++) {
        struct occurrence init = {.action = ACTION_INIT, .thread = -1, .rmw = -1, .cells = bit(i)};
        x.event[i] = init;
        x.executed |= bit(i);
    }
    for (unsigned a = 0; a < THREADS_MAX; a++)
        for (unsigned b = 0; b < THREADS_MAX; b++)
            x.together[a][b] = a == b ? SCOPE_CTA : together;
    x.dependency.n = x.barrier.n = x.meets.n = x.exit_dependency.n = x.issues.n = x.done.n = cells;
    x.launches.n = x.grid_waits.n = x.started.n = cells;
    return x;
}

static unsigned add(struct execution *x, enum action action, int thread, enum access_order order,
                    enum scope scope) {
    struct occurrence event = {.action = action,
                               .thread = thread,
                               .position = x->n,
                               .order = order,
                               .scope = scope,
                               .rmw = -1};
    x->event[x->n] = event;
    x->executed |= bit(x->n);
    x->dependency.n = x->barrier.n = x->meets.n = x->exit_dependency.n = x->issues.n = x->done.n =
        x->n + 1;
    x->launches.n = x->grid_waits.n = x->started.n = x->n + 1;
    return x->n++;
}

unsigned build_write(struct execution *x, int thread, enum access_order order, enum scope scope,
                     unsigned cell) {
    unsigned e = add(x, ACTION_WRITE, thread, order, scope);
    x->event[e].cells = bit(cell);
    x->event[e].range = cell;
    return e;
}

unsigned build_read(struct execution *x, int thread, enum access_order order, enum scope scope,
                    unsigned cell, unsigned source) {
    unsigned e = add(x, ACTION_READ, thread, order, scope);
    x->event[e].cells = bit(cell);
    x->event[e].range = cell;
    x->source[e][0] = (uint8_t)source;
    return e;
}

unsigned build_fence(struct execution *x, int thread, enum access_order order, enum scope scope) {
    return add(x, ACTION_FENCE, thread, order, scope);
}

unsigned build_atom(struct execution *x, int thread, enum access_order order, enum scope scope,
                    unsigned cell, unsigned source) {
    unsigned r = build_read(x, thread, order, scope, cell, source);
    x->event[r].rmw = (int)build_write(x, thread, order, scope, cell);
    return r;
}

struct rel build_order(const struct execution *x, const int *list) {
    struct rel order = rel_empty(x->n);
    for (; *list >= 0 && list[1] >= 0; list++)
        rel_add(&order, (unsigned)list[0], (unsigned)list[1]);
    return rel_closure(order);
}

struct rel build_co(const struct execution *x, struct rel order) {
    for (unsigned a = 0; a < x->n; a++)
        for (unsigned b = 0; b < x->n; b++)
            if (x->event[a].action == ACTION_INIT && x->event[b].action == ACTION_WRITE &&
                (x->executed & bit(b)) && (x->event[a].cells & x->event[b].cells))
                rel_add(&order, a, b);
    return rel_closure(order);
}
