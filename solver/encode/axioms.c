// Axioms: what a model requires, flags or presupposes.

#include "solver/encode/gates.h"
#include "solver/encode/nodes.h"
#include "solver/encode/turns.h"

#include "litmus/source/allocate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// --- Acyclicity --------------------------------------------------------------------------------

// Relations whose union is what an axiom reads, each once.
struct members {
    unsigned *nodes;
    size_t count;
    bool *seen;   // by node
    bool *opened; // by node: a closure, or a union that has one
};

// Unions without closures stay as they are: their literals may be in use elsewhere.
static void find_opened(const struct model *model, bool *opened) {
    for (size_t i = 0; i < model->node_count; i++) {
        const struct model_node *node = &model->nodes[i];
        opened[i] = node->op == NODE_PLUS ||
                    (node->op == NODE_UNION && (opened[node->left] || opened[node->right]));
    }
}

static void collect(const struct model *model, unsigned node, bool open_closures,
                    struct members *members) {
    const struct model_node *n = &model->nodes[node];
    if (members->seen[node])
        return;
    members->seen[node] = true;
    if (n->op == NODE_UNION && members->opened[node]) {
        collect(model, n->left, open_closures, members);
        collect(model, n->right, open_closures, members);
    } else if (n->op == NODE_PLUS && open_closures) {
        collect(model, n->left, open_closures, members);
    } else {
        members->nodes[members->count++] = node;
    }
}

// With `open_closures`, the members of closures among them too.
static struct members members_of(struct encoder *encoder, unsigned node, bool open_closures) {
    size_t count = encoder->model->node_count;
    struct members members = {ARENA_ARRAY(encoder->arena, unsigned, count), 0,
                              ARENA_ARRAY(encoder->arena, bool, count),
                              ARENA_ARRAY(encoder->arena, bool, count)};
    find_opened(encoder->model, members.opened);
    collect(encoder->model, node, open_closures, &members);
    return members;
}

static literal encode_step(struct encoder *encoder, const struct members *steps, unsigned a,
                           unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    literal step = LITERAL_FALSE;
    for (size_t i = 0; i < steps->count; i++)
        step = gate_or(encoder, step, node_pair(encoder, steps->nodes[i], a, b, OVER), OVER);
    return step;
}

// Asserts that the component of `first` in the graph of all that may be related has no cycle.
static void require_acyclic_component(struct encoder *encoder, const struct members *steps,
                                      const struct relation *paths, unsigned first, literal guard) {
    assert(first < encoder->n);
    unsigned *events = allocate(encoder->n, sizeof *events), count = 0;
    for (unsigned a = 0; a < encoder->n; a++)
        if (relation_has(paths, first, a) && relation_has(paths, a, first))
            events[count++] = a;
    literal *edges = allocate((size_t)count * count, sizeof *edges);
    for (unsigned a = 0; a < count; a++)
        for (unsigned b = 0; b < count; b++) {
            literal l = a == b ? LITERAL_FALSE : encode_step(encoder, steps, events[a], events[b]);
            edges[a * count + b] = l == LITERAL_FALSE ? 0 : l;
        }
    if (!turns_order(encoder, events, count, edges))
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

static void forbid_loops(struct encoder *encoder, unsigned node, literal guard) {
    for (unsigned a = 0; a < encoder->n; a++)
        if (relation_has(&encoder->bounds->nodes[node].may, a, a))
            clause2(encoder, -node_loop(encoder, node, a), -guard);
}

// A cycle of steps of r+ is a longer one of steps of r, and a step of r is one of r+: in what is
// read for its cycles alone, r+ is r. What is transitive has a cycle only if it has one of a single
// step.
static void require_acyclic(struct encoder *encoder, unsigned node, literal guard) {
    if (encoder->bounds->transitive[node] && encoder->model->nodes[node].op != NODE_PLUS) {
        forbid_loops(encoder, node, guard);
        return;
    }
    struct members steps = members_of(encoder, node, true);
    struct relation paths = relation_new(encoder->arena, encoder->n);
    for (size_t i = 0; i < steps.count; i++) {
        relation_union(&paths, &paths, &encoder->bounds->nodes[steps.nodes[i]].may);
        forbid_loops(encoder, steps.nodes[i], guard);
    }
    relation_close(&paths);
    for (unsigned first = 0; first < encoder->n; first++)
        if (is_first_of_component(&paths, first))
            require_acyclic_component(encoder, &steps, &paths, first, guard);
}

// r+ relates an event to itself when r has a cycle.
static void require_irreflexive(struct encoder *encoder, unsigned node, literal guard) {
    struct members members = members_of(encoder, node, false);
    for (size_t i = 0; i < members.count; i++) {
        unsigned member = members.nodes[i];
        if (encoder->model->nodes[member].op == NODE_PLUS)
            require_acyclic(encoder, encoder->model->nodes[member].left, guard);
        else
            forbid_loops(encoder, member, guard);
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
        unsigned node = axiom->node;
        while (encoder->model->nodes[node].op == NODE_PLUS)
            node = encoder->model->nodes[node].left;
        closure_under_diagonal(encoder, node, &d);
        return disjunction_close(encoder, &d, UNDER, "broken", axiom->node, 0);
    }
    for (unsigned a = 0; a < encoder->n && !d.holds; a++)
        for (unsigned b = 0; b < (is_set ? 1 : encoder->n) && !d.holds; b++)
            if (axiom->kind == AXIOM_EMPTY || a == b)
                disjunction_add(&d, node_under(encoder, axiom->node, a, b));
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
