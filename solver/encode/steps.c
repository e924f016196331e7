// Paths of a closure that do not take two steps in a row where one would do.
//
// Where one member of r in r+ or r* is a strict order, as that of fence.sc is among fences whose
// scopes contain each other, two of its steps are one. A path that has taken such a step therefore
// goes on with a step of another member, and n fences need n ways between two events in place of n
// * n.
//
// Where the model also requires that the order does not contradict the closure (irreflexive (ms &
// sc) ; bc), and the order is total, the closure between two events that it relates, hubs, is the
// order itself: a pair of the closure the other way round would break the axiom. All other paths go
// from their first event to a hub, by the order to another one, and from there to their last event,
// without a hub in between. What leads from hub to hub without one in between has to agree with the
// order; the axiom says so, and says no more (encode/nodes.c).

#include "solver/encode/nodes.h"

#include <assert.h>

// Whether the relation is decided where two steps of `steps` end: it holds for them whenever both
// events execute.
static bool holds_over(const struct encoder *encoder, const struct relation *must,
                       const struct relation *steps) {
    struct relation twice = relation_new(encoder->arena, encoder->n);
    relation_sequence(&twice, steps, steps);
    for (unsigned a = 0; a < encoder->n; a++)
        for (unsigned b = 0; b < encoder->n; b++)
            if (a != b && relation_has(&twice, a, b) && !relation_has(must, a, b))
                return false;
    return true;
}

// Whether a node is a strict order in every execution: it is transitive, or what is transitive
// where something else holds that is decided. No event may be related to itself.
static bool is_strict_order(const struct encoder *encoder, unsigned node) {
    const struct model_node *n = &encoder->model->nodes[node];
    const struct bounds *bounds = encoder->bounds;
    if (!relation_is_irreflexive(&bounds->nodes[node].may))
        return false;
    if (bounds->transitive[node])
        return true;
    if (n->op != NODE_INTERSECTION)
        return false;
    const struct relation *steps = &bounds->nodes[node].may;
    return (bounds->transitive[n->right] && relation_is_irreflexive(&bounds->nodes[n->right].may) &&
            holds_over(encoder, &bounds->nodes[n->left].must, steps)) ||
           (bounds->transitive[n->left] && relation_is_irreflexive(&bounds->nodes[n->left].may) &&
            holds_over(encoder, &bounds->nodes[n->right].must, steps));
}

// The members of a union, each once.
static size_t collect_members(const struct encoder *encoder, unsigned node, unsigned *members,
                              size_t count) {
    const struct model_node *n = &encoder->model->nodes[node];
    if (n->op == NODE_UNION) {
        count = collect_members(encoder, n->left, members, count);
        return collect_members(encoder, n->right, members, count);
    }
    for (size_t i = 0; i < count; i++)
        if (members[i] == node)
            return count;
    members[count++] = node;
    return count;
}

// The strict order with the most undecided pairs, or the number of nodes when there is none.
static unsigned find_order(const struct encoder *encoder, const unsigned *members, size_t count) {
    unsigned found = (unsigned)encoder->model->node_count;
    size_t most = 0;
    for (size_t i = 0; i < count; i++) {
        const struct bound *bound = &encoder->bounds->nodes[members[i]];
        size_t undecided = relation_count(&bound->may) - relation_count(&bound->must);
        if (undecided > most && bound->group == 0 && is_strict_order(encoder, members[i])) {
            most = undecided;
            found = members[i];
        }
    }
    return found;
}

// --- Hubs --------------------------------------------------------------------------------------

// Whether a union has this member, itself included.
static bool has_member(const struct encoder *encoder, unsigned node, unsigned member) {
    const struct model_node *n = &encoder->model->nodes[node];
    return node == member || (n->op == NODE_UNION && (has_member(encoder, n->left, member) ||
                                                      has_member(encoder, n->right, member)));
}

// Whether the model requires that the order does not contradict the closure.
static bool is_required(const struct encoder *encoder, unsigned order, unsigned closure) {
    const struct model *model = encoder->model;
    for (size_t i = 0; i < model->axiom_count; i++) {
        const struct model_node *node = &model->nodes[model->axioms[i].node];
        if (model->axioms[i].use == AXIOM_REQUIRED && model->axioms[i].kind == AXIOM_IRREFLEXIVE &&
            node->op == NODE_SEQUENCE && node->left == order &&
            has_member(encoder, node->right, closure))
            return true;
    }
    return false;
}

static bool is_sc(const struct encoder *encoder, unsigned node) {
    const struct model_node *n = &encoder->model->nodes[node];
    return n->op == NODE_BASE_RELATION && n->base == BASE_REL_SC_ORDER;
}

// Whether one of any two hubs that execute is before the other: the order is sc, or sc where what
// else is asked holds for each two.
static bool is_total(const struct encoder *encoder, unsigned order, const bool *hubs) {
    const struct model_node *n = &encoder->model->nodes[order];
    if (is_sc(encoder, order))
        return true;
    if (n->op != NODE_INTERSECTION || (!is_sc(encoder, n->left) && !is_sc(encoder, n->right)))
        return false;
    unsigned other = is_sc(encoder, n->left) ? n->right : n->left;
    for (unsigned a = 0; a < encoder->n; a++)
        for (unsigned b = 0; b < encoder->n; b++)
            if (hubs[a] && hubs[b] && a != b &&
                !relation_has(&encoder->bounds->nodes[other].must, a, b))
                return false;
    return true;
}

static bool *find_hubs(struct encoder *encoder, unsigned order) {
    const struct relation *may = &encoder->bounds->nodes[order].may;
    bool *hubs = ARENA_ARRAY(encoder->arena, bool, encoder->n);
    for (unsigned a = 0; a < encoder->n; a++)
        for (unsigned b = 0; b < encoder->n; b++)
            if (relation_has(may, a, b))
                hubs[a] = hubs[b] = true;
    return hubs;
}

// The steps of `steps` that end at no hub, again and again, then one more.
static struct relation without_hubs(struct encoder *encoder, const struct relation *steps,
                                    const bool *hubs) {
    struct relation into = relation_new(encoder->arena, encoder->n);
    struct relation paths = relation_new(encoder->arena, encoder->n);
    for (unsigned a = 0; a < encoder->n; a++)
        for (unsigned b = 0; b < encoder->n; b++)
            if (!hubs[b] && relation_has(steps, a, b))
                relation_add(&into, a, b);
    relation_close(&into);
    relation_sequence(&paths, &into, steps);
    relation_union(&paths, &paths, steps);
    return paths;
}

static void add_hubs(struct encoder *encoder, struct closure_steps *steps, unsigned closure) {
    bool *hubs = find_hubs(encoder, steps->order);
    if (encoder->model->nodes[closure].op != NODE_PLUS ||
        !is_required(encoder, steps->order, closure) || !is_total(encoder, steps->order, hubs))
        return;
    steps->hubs = hubs;
    steps->free = without_hubs(encoder, &steps->others, hubs);
}

// -----------------------------------------------------------------------------------------------

static struct closure_steps *make_steps(struct encoder *encoder, unsigned closure) {
    struct closure_steps *steps = ARENA_NEW(encoder->arena, struct closure_steps);
    const struct bound *nodes = encoder->bounds->nodes;
    unsigned *members = ARENA_ARRAY(encoder->arena, unsigned, encoder->model->node_count);
    size_t count = collect_members(encoder, encoder->model->nodes[closure].left, members, 0);
    steps->order = count < 2 || nodes[closure].group != 0 ? (unsigned)encoder->model->node_count
                                                          : find_order(encoder, members, count);
    steps->alternate = steps->order != encoder->model->node_count;
    steps->members = members;
    steps->member_count = count;
    if (!steps->alternate)
        return steps;
    steps->others = relation_new(encoder->arena, encoder->n);
    steps->after = relation_new(encoder->arena, encoder->n);
    for (size_t i = 0; i < count; i++)
        if (members[i] != steps->order)
            relation_union(&steps->others, &steps->others, &nodes[members[i]].may);
    relation_sequence(&steps->after, &steps->others, &nodes[closure].may);
    relation_union(&steps->after, &steps->after, &steps->others);
    add_hubs(encoder, steps, closure);
    return steps;
}

const struct closure_steps *closure_steps(struct encoder *encoder, unsigned closure) {
    assert(closure < encoder->model->node_count);
    if (encoder->steps[closure] == NULL)
        encoder->steps[closure] = make_steps(encoder, closure);
    return encoder->steps[closure];
}
