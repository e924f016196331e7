// Axioms: what a model requires, flags or presupposes.

#include "solver/encode/internal.h"

#include "litmus/source/allocate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// --- Acyclicity --------------------------------------------------------------------------------

// Asserts that the component of `first` in the graph of all that may be related has no cycle.
static void require_acyclic_component(struct encoder *encoder, unsigned node,
                                      const struct relation *paths, unsigned first, literal guard) {
    assert(first < encoder->n);
    unsigned *events = allocate(encoder->n, sizeof *events), count = 0;
    for (unsigned a = 0; a < encoder->n; a++)
        if (relation_has(paths, first, a) && relation_has(paths, a, first))
            events[count++] = a;
    literal *edges = allocate((size_t)count * count, sizeof *edges);
    for (unsigned a = 0; a < count; a++)
        for (unsigned b = 0; b < count; b++) {
            literal l =
                a == b ? LITERAL_FALSE : node_pair(encoder, node, events[a], events[b], OVER);
            edges[a * count + b] = l == LITERAL_FALSE ? 0 : l;
        }
    acyclic_require(encoder, events, count, edges, guard);
    free(events);
    free(edges);
}

static bool is_first_of_component(const struct relation *paths, unsigned event) {
    if (!relation_has(paths, event, event))
        return false;
    for (unsigned a = 0; a < event; a++)
        if (relation_has(paths, a, event) && relation_has(paths, event, a))
            return false;
    return true;
}

static void require_irreflexive(struct encoder *encoder, unsigned node, literal guard) {
    for (unsigned a = 0; a < encoder->n; a++)
        if (relation_has(&encoder->bounds->nodes[node].may, a, a))
            clause2(encoder, -node_pair(encoder, node, a, a, OVER), -guard);
}

static void require_acyclic(struct encoder *encoder, unsigned node, literal guard) {
    struct relation paths = relation_new(encoder->arena, encoder->n);
    relation_copy(&paths, &encoder->bounds->nodes[node].may);
    relation_close(&paths);
    require_irreflexive(encoder, node, guard);
    for (unsigned first = 0; first < encoder->n; first++) {
        if (!is_first_of_component(&paths, first))
            continue;
        require_acyclic_component(encoder, node, &paths, first, guard);
    }
}

// --- Emptiness ---------------------------------------------------------------------------------

static void require_empty(struct encoder *encoder, unsigned node, literal guard) {
    const struct bound *bound = &encoder->bounds->nodes[node];
    bool is_set = encoder->model->nodes[node].is_set;
    for (unsigned a = 0; a < encoder->n; a++) {
        if (is_set && event_set_has(&bound->may_set, a))
            clause2(encoder, -node_event(encoder, node, a, OVER), -guard);
        for (unsigned b = 0; !is_set && b < encoder->n; b++)
            if (relation_has(&bound->may, a, b))
                clause2(encoder, -node_pair(encoder, node, a, b, OVER), -guard);
    }
}

void axiom_require(struct encoder *encoder, const struct model_axiom *axiom, literal guard) {
    switch (axiom->kind) {
    case AXIOM_EMPTY: require_empty(encoder, axiom->node, guard); break;
    case AXIOM_IRREFLEXIVE: require_irreflexive(encoder, axiom->node, guard); break;
    case AXIOM_ACYCLIC: require_acyclic(encoder, axiom->node, guard); break;
    }
}

// --- Presence ----------------------------------------------------------------------------------

static literal node_under(struct encoder *encoder, unsigned node, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    return encoder->model->nodes[node].is_set ? node_event(encoder, node, a, UNDER)
                                              : node_pair(encoder, node, a, b, UNDER);
}

// A literal that implies that the axiom's relation is not empty, irreflexive or acyclic.
static literal present(struct encoder *encoder, const struct model_axiom *axiom) {
    bool is_set = encoder->model->nodes[axiom->node].is_set;
    struct disjunction d = {0};
    if (axiom->kind == AXIOM_ACYCLIC) {
        closure_under_diagonal(encoder, axiom->node, &d);
        return disjunction_close(encoder, &d, UNDER, "broken", axiom->node, 0);
    }
    for (unsigned a = 0; a < encoder->n && !d.holds; a++)
        for (unsigned b = 0; b < (is_set ? 1 : encoder->n) && !d.holds; b++)
            if (axiom->kind == AXIOM_EMPTY || a == b)
                disjunction_add1(&d, node_under(encoder, axiom->node, a, b));
    return disjunction_close(encoder, &d, UNDER, "broken", axiom->node, 0);
}

literal encode_axiom(struct encoder *encoder, const struct model_axiom *axiom, bool holds) {
    if (holds == axiom->negated)
        return present(encoder, axiom);
    literal guard = backend_variable(encoder->backend, "holds", axiom->node, 0);
    axiom_require(encoder, axiom, guard);
    return guard;
}

literal encode_axiom_pair(struct encoder *encoder, const struct model_axiom *axiom, unsigned a,
                          unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    return node_pair(encoder, axiom->node, a, b, UNDER);
}

bool encode_find_pair(struct encoder *encoder, const struct model_axiom *axiom, unsigned *a,
                      unsigned *b) {
    bool is_set = encoder->model->nodes[axiom->node].is_set;
    for (*a = 0; *a < encoder->n; ++*a)
        for (*b = 0; *b < (is_set ? 1 : encoder->n); ++*b)
            if (backend_literal_value(encoder->backend, node_under(encoder, axiom->node, *a, *b)))
                return true;
    return false;
}
