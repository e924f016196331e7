// Nodes of the model, pair by pair, between their bounds.
//
// OVER literals of closures and recursive definitions only need "whatever derives the pair
// implies the literal": the least solution of those implications is the relation itself, and
// asserting that pairs are absent asks for no other. UNDER literals must not support each other in
// a circle, so there closures are built by squaring and recursive definitions by unrolling.
//
// Definitions of closures and recursions are deferred to a list: that bounds the depth of recursion
// here by the depth of the model's expressions.

#include "solver/encode/gates.h"
#include "solver/encode/memory.h"
#include "solver/encode/nodes.h"
#include "solver/encode/turns.h"

#include "litmus/source/containers.h"

#include <assert.h>
#include <stdlib.h>

enum { GROUP_PAIRS_MAX = 400, STAGE_MAX = 31, STAGE_REFLEXIVE = 32, STAGE_PATHS = 64 };

// Which paths of a closure count, by the steps of the strict order in it (encode/steps.c).
enum paths {
    PATHS_ALL,
    PATHS_AFTER, // those that begin with another step: one of the order came before (OVER only)
    PATHS_FREE,  // those without a step of the order, and without a hub between their ends (OVER
                 // only)
};

// A node as it is seen from one place. `level` counts the unrollings that are left of the recursive
// definition that the node is part of (UNDER only).
struct view {
    unsigned node;
    unsigned level;
    enum polarity polarity;
    enum paths paths;
};

// The literals of a node at one level of unrolling; or, with a stage above 0, of paths of at most
// 2^stage steps of it. The stages of r* are STAGE_REFLEXIVE more than those of r+: paths of no step
// are among its.
struct node_slot {
    uint64_t key;
    struct view view;
    unsigned stage;
    const struct relation *may, *must; // of the closure
    struct pair_table *table;
    UT_hash_handle hh;
};

struct pending {
    const struct node_slot *slot; // for closures that are UNDER
    struct view view;
    unsigned a, b;
    literal variable;
};

static literal view_pair(struct encoder *encoder, struct view view, unsigned a, unsigned b);
static literal view_event(struct encoder *encoder, struct view view, unsigned a);

// --- Views -------------------------------------------------------------------------------------

// How often a recursive definition has to be unrolled: each round of a least fixed point adds a
// pair, and those that must be there are there from the start.
static unsigned group_levels(struct encoder *encoder, unsigned group, unsigned node) {
    size_t *pairs = &encoder->group_pairs[group];
    for (unsigned i = 0; *pairs == 0 && i < encoder->model->node_count; i++) {
        const struct bound *bound = &encoder->bounds->nodes[i];
        if (bound->group != group || encoder->model->nodes[i].op != NODE_RECURSION)
            continue;
        *pairs += encoder->model->nodes[i].is_set
                      ? encoder->n
                      : relation_count(&bound->may) - relation_count(&bound->must);
    }
    *pairs = *pairs == 0 ? 1 : *pairs;
    if (*pairs <= GROUP_PAIRS_MAX)
        return (unsigned)*pairs;
    if (!encoder->failed)
        diag_error(encoder->diagnostics, encoder->model->nodes[node].span,
                   "this recursive definition is too large for a flag or a subtraction: it may "
                   "hold for %zu pairs, more than %d",
                   *pairs, GROUP_PAIRS_MAX);
    encoder->failed = true;
    return 1;
}

static struct view from_outside(struct encoder *encoder, unsigned node, enum polarity polarity) {
    struct view view = {node, 0, polarity, PATHS_ALL};
    unsigned group = encoder->bounds->nodes[node].group;
    if (group != 0 && polarity == UNDER)
        view.level = group_levels(encoder, group, node);
    return view;
}

static struct view operand(struct encoder *encoder, struct view parent, unsigned node,
                           enum polarity polarity) {
    unsigned group = encoder->bounds->nodes[node].group;
    struct view view = {node, 0, polarity, PATHS_ALL};
    if (group == 0 || polarity == OVER)
        return view;
    bool inside = encoder->bounds->nodes[parent.node].group == group;
    view.level = inside ? parent.level : group_levels(encoder, group, node);
    return view;
}

static struct node_slot *find_slot(struct encoder *encoder, struct view view, unsigned stage) {
    uint64_t key = (uint64_t)view.node << 32 | (uint64_t)view.level << 8 | stage;
    struct node_slot *slot = NULL;
    HASH_FIND(hh, encoder->slots, &key, sizeof key, slot);
    if (slot == NULL) {
        slot = ARENA_NEW(encoder->arena, struct node_slot);
        *slot = (struct node_slot){.key = key, .view = view, .stage = stage};
        slot->table = pair_table_new(encoder);
        HASH_ADD(hh, encoder->slots, key, sizeof slot->key, slot);
    }
    return slot;
}

static literal *literal_at(struct encoder *encoder, struct view view, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    struct pair_table *table;
    if (view.level != 0 || view.paths != PATHS_ALL) {
        unsigned stage = view.paths != PATHS_ALL ? STAGE_PATHS + view.paths : 0;
        table = find_slot(encoder, view, stage)->table;
    } else {
        struct pair_table **place = &encoder->nodes[view.polarity == OVER ? 0 : 1][view.node];
        if (*place == NULL)
            *place = pair_table_new(encoder);
        table = *place;
    }
    return pair_table_at(encoder, table, a, b);
}

// --- Putting off -------------------------------------------------------------------------------

static literal defer(struct encoder *encoder, const struct node_slot *slot, struct view view,
                     unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    encoder->pending = reallocate_for(encoder->pending, &encoder->pending_capacity,
                                      encoder->pending_count + 1, sizeof *encoder->pending);
    const char *name = encoder->model->nodes[view.node].name;
    literal variable = backend_variable(encoder->backend, name != NULL ? name : "pair", a, b);
    encoder->pending[encoder->pending_count++] = (struct pending){slot, view, a, b, variable};
    return variable;
}

// --- Over-approximated closures -----------------------------------------------------------------

// Whether all paths of must-steps end in pairs that the closure must hold: not so where a step in
// between may not execute.
static bool is_must_closed(struct encoder *encoder, unsigned node) {
    signed char *must_closed = &encoder->must_closed[node];
    if (*must_closed < 0) {
        const struct bound *bound = &encoder->bounds->nodes[node];
        const struct model_node *n = &encoder->model->nodes[node];
        struct relation paths = relation_new(encoder->arena, encoder->n);
        relation_copy(&paths, &encoder->bounds->nodes[n->left].must);
        relation_close(&paths);
        relation_difference(&paths, &paths, &bound->must);
        relation_intersection(&paths, &paths, &bound->may);
        *must_closed = relation_is_empty(&paths);
    }
    return *must_closed != 0;
}

// Whether a path as the view has them may begin with the step.
static bool may_begin(struct encoder *encoder, struct view view, unsigned a, unsigned b) {
    return view.paths == PATHS_ALL ||
           relation_has(&closure_steps(encoder, view.node)->others, a, b);
}

// Whether a path as the view has them may have the event between its ends.
static bool may_pass(struct encoder *encoder, struct view view, unsigned event) {
    return view.paths != PATHS_FREE || !closure_steps(encoder, view.node)->hubs[event];
}

// The rest of a path to b that has taken the step from c to d.
static literal rest_of_path(struct encoder *encoder, struct view view, unsigned c, unsigned d,
                            unsigned b) {
    const struct closure_steps *steps = closure_steps(encoder, view.node);
    if (view.paths != PATHS_FREE)
        view.paths =
            steps->alternate && !relation_has(&steps->others, c, d) ? PATHS_AFTER : PATHS_ALL;
    return may_pass(encoder, view, d) ? view_pair(encoder, view, d, b) : LITERAL_FALSE;
}

// The first step of a path: of PATHS_FREE, of a member other than the order.
static literal first_step(struct encoder *encoder, struct view view, unsigned a, unsigned b) {
    const struct closure_steps *steps = closure_steps(encoder, view.node);
    unsigned whole = encoder->model->nodes[view.node].left;
    if (view.paths != PATHS_FREE || !relation_has(&encoder->bounds->nodes[steps->order].may, a, b))
        return view_pair(encoder, operand(encoder, view, whole, OVER), a, b);
    literal step = LITERAL_FALSE;
    for (size_t i = 0; i < steps->member_count; i++)
        if (steps->members[i] != steps->order)
            step = gate_or(
                encoder, step,
                view_pair(encoder, operand(encoder, view, steps->members[i], OVER), a, b), OVER);
    return step;
}

// A path from a to b takes must-steps to some c, then the first step that is undecided, to d.
static void add_paths_over_undecided(struct encoder *encoder, struct view view, unsigned a,
                                     unsigned b, unsigned c, struct disjunction *out) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    assert(c < encoder->n);
    const struct bound *closure = &encoder->bounds->nodes[view.node];
    const struct bound *left = &encoder->bounds->nodes[encoder->model->nodes[view.node].left];
    literal start = c == a ? LITERAL_TRUE : encode_executes(encoder, a);
    for (unsigned d = 0; d < encoder->n; d++) {
        if (d == a || !relation_has(&left->may, c, d) || relation_has(&left->must, c, d) ||
            (c == a && !may_begin(encoder, view, c, d)))
            continue;
        literal rest = LITERAL_TRUE;
        if (d != b)
            rest = relation_has(&closure->may, d, b) ? rest_of_path(encoder, view, c, d, b)
                                                     : LITERAL_FALSE;
        if (rest != LITERAL_FALSE)
            disjunction_add(out, start, first_step(encoder, view, c, d), rest);
    }
}

static void add_paths(struct encoder *encoder, struct view view, unsigned a, unsigned b,
                      struct disjunction *out) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    const struct bound *closure = &encoder->bounds->nodes[view.node];
    const struct bound *left = &encoder->bounds->nodes[encoder->model->nodes[view.node].left];
    if (is_must_closed(encoder, view.node) && a != b) {
        for (unsigned c = 0; c < encoder->n; c++)
            if (c == a || (relation_has(&closure->must, a, c) && may_pass(encoder, view, c)))
                add_paths_over_undecided(encoder, view, a, b, c, out);
        return;
    }
    if (may_begin(encoder, view, a, b))
        disjunction_add(out, first_step(encoder, view, a, b));
    for (unsigned c = 0; c < encoder->n; c++)
        if (c != a && c != b && relation_has(&left->may, a, c) &&
            relation_has(&closure->may, c, b) && may_begin(encoder, view, a, c))
            disjunction_add2(out, first_step(encoder, view, a, c),
                             rest_of_path(encoder, view, a, c, b));
}

// Of a closure that is its order between hubs, the paths from a to b, not both hubs: without a hub
// on their way, or over a first hub and a last one. A cycle of a hub over another one would
// contradict the order.
static void add_paths_over_hubs(struct encoder *encoder, struct view view, unsigned a, unsigned b,
                                struct disjunction *out) {
    const struct closure_steps *steps = closure_steps(encoder, view.node);
    struct view free = view;
    free.paths = PATHS_FREE;
    disjunction_add(out, view_pair(encoder, free, a, b));
    for (unsigned hub = 0; hub < encoder->n && !(a == b && steps->hubs[a]); hub++) {
        if (!steps->hubs[hub] || hub == a || hub == b)
            continue;
        if (steps->hubs[b] && relation_has(&steps->free, a, hub))
            disjunction_add2(out, view_pair(encoder, free, a, hub),
                             view_pair(encoder, view, hub, b));
        else if (!steps->hubs[b] && relation_has(&steps->free, hub, b))
            disjunction_add2(out, view_pair(encoder, view, a, hub),
                             view_pair(encoder, free, hub, b));
    }
}

// --- Under-approximated closures -----------------------------------------------------------------

static unsigned last_stage(const struct encoder *encoder) {
    unsigned stage = 1;
    while (stage < STAGE_MAX && (1u << stage) < encoder->n)
        stage++;
    return stage;
}

static literal closure_under(struct encoder *encoder, struct view step, unsigned stage,
                             const struct relation *may, const struct relation *must, unsigned a,
                             unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    if (stage % STAGE_REFLEXIVE == 0)
        return a == b && stage != 0 ? both_execute(encoder, a, b) : view_pair(encoder, step, a, b);
    if (!relation_has(may, a, b))
        return LITERAL_FALSE;
    if (relation_has(must, a, b))
        return both_execute(encoder, a, b);
    struct node_slot *slot = find_slot(encoder, step, stage);
    slot->may = may;
    slot->must = must;
    literal *known = pair_table_at(encoder, slot->table, a, b);
    if (*known == 0)
        *known = defer(encoder, slot, step, a, b);
    return *known;
}

static void define_closure_under(struct encoder *encoder, const struct pending *pending) {
    const struct node_slot *slot = pending->slot;
    struct disjunction d = {0};
    unsigned a = pending->a, b = pending->b, stage = slot->stage - 1;
    disjunction_add(&d, closure_under(encoder, slot->view, stage, slot->may, slot->must, a, b));
    for (unsigned c = 0; c < encoder->n; c++)
        if (relation_has(slot->may, a, c) && relation_has(slot->may, c, b))
            disjunction_add2(
                &d, closure_under(encoder, slot->view, stage, slot->may, slot->must, a, c),
                closure_under(encoder, slot->view, stage, slot->may, slot->must, c, b));
    disjunction_define(encoder, &d, UNDER, pending->variable);
}

void closure_under_diagonal(struct encoder *encoder, unsigned node, struct disjunction *out) {
    struct relation *may = ARENA_NEW(encoder->arena, struct relation);
    struct relation *must = ARENA_NEW(encoder->arena, struct relation);
    *may = relation_new(encoder->arena, encoder->n);
    *must = relation_new(encoder->arena, encoder->n); // empty: no closure is bounded here
    relation_copy(may, &encoder->bounds->nodes[node].may);
    relation_close(may);
    for (unsigned a = 0; a < encoder->n; a++)
        disjunction_add(out, closure_under(encoder, from_outside(encoder, node, UNDER),
                                           last_stage(encoder), may, must, a, a));
}

// --- Operations that take turns (encode/turns.c) -------------------------------------------------

static bool is_led_to(const struct encoder *encoder, const struct relation *may, unsigned event) {
    bool is_led = false;
    for (unsigned a = 0; a < encoder->n; a++)
        is_led = is_led || relation_has(may, a, event);
    return is_led;
}

// Whether r leads from one operation's read to another's where this takes what the first one has
// written, and nowhere else; and to the reads from nowhere else but what nothing leads to.
static bool follows_rf(struct encoder *encoder, unsigned cell, unsigned node,
                       enum polarity polarity) {
    const struct relation *may = &encoder->bounds->nodes[node].may;
    for (unsigned b = 0; b < encoder->n; b++) {
        if (encoder->turns->cell_of[b] != cell + 1 || !turns_is_read(encoder, b))
            continue;
        for (unsigned a = 0; a < encoder->n; a++) {
            bool is_read = turns_share(encoder, a, b) && turns_is_read(encoder, a);
            if (!is_read && relation_has(may, a, b) && is_led_to(encoder, may, a))
                return false;
            if (is_read && a != b &&
                node_pair(encoder, node, a, b, polarity) !=
                    encode_source(encoder, b, cell, turns_write(encoder, a)))
                return false;
        }
    }
    return true;
}

// Whether a closure leads from a to b; 0 where that is not known to be the order of operations.
static literal path_of_turns(struct encoder *encoder, struct view view, unsigned a, unsigned b) {
    const struct bound *nodes = encoder->bounds->nodes;
    unsigned step = encoder->model->nodes[view.node].left;
    if (a == b || !turns_share(encoder, a, b) || !turns_is_read(encoder, a) ||
        !turns_is_read(encoder, b) || nodes[step].group != 0 || nodes[view.node].group != 0)
        return 0;
    unsigned cell = encoder->turns->cell_of[a] - 1;
    signed char *known = &encoder->turns->closures[cell][2 * view.node + (view.polarity != OVER)];
    if (*known < 0) {
        *known = 0;
        *known = follows_rf(encoder, cell, step, view.polarity);
    }
    return *known != 0 ? orders_turn(encoder, a, b) : 0;
}

// Whether the step from the write a to an operation's read is rf, and the rest of the way to the
// read b is from operation to operation.
static bool is_way(struct encoder *encoder, const struct model_node *sequence, unsigned a,
                   unsigned middle, unsigned b, enum polarity polarity) {
    unsigned cell = encoder->turns->cell_of[a] - 1;
    return turns_share(encoder, middle, a) && turns_is_read(encoder, middle) &&
           node_pair(encoder, sequence->left, a, middle, polarity) ==
               encode_source(encoder, middle, cell, a) &&
           node_pair(encoder, sequence->right, middle, b, polarity) ==
               (middle == b ? LITERAL_TRUE : orders_turn(encoder, middle, b));
}

// Whether a sequence leads from the write a to the read b; 0 where that is not known to be the
// order of operations.
static literal sequence_of_turns(struct encoder *encoder, struct view view, unsigned a,
                                 unsigned b) {
    const struct model_node *sequence = &encoder->model->nodes[view.node];
    const struct bound *nodes = encoder->bounds->nodes;
    if (nodes[view.node].group != 0 || !turns_share(encoder, a, b) || turns_is_read(encoder, a) ||
        !turns_is_read(encoder, b) || turns_write(encoder, b) == a)
        return 0;
    unsigned cell = encoder->turns->cell_of[a] - 1;
    for (unsigned c = 0; c < encoder->n; c++) {
        bool there = relation_has(&nodes[sequence->left].may, a, c) &&
                     relation_has(&nodes[sequence->right].may, c, b);
        if (there && !is_way(encoder, sequence, a, c, b, view.polarity))
            return 0;
        if (!there && turns_share(encoder, c, a) && turns_is_read(encoder, c) &&
            encode_source(encoder, c, cell, a) != LITERAL_FALSE &&
            (c == b || orders_turn(encoder, c, b) != LITERAL_FALSE))
            return 0; // a way is missing
    }
    return orders_turn(encoder, a, b);
}

// --- Operators ---------------------------------------------------------------------------------

static literal encode_sequence(struct encoder *encoder, struct view view, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    const struct model_node *node = &encoder->model->nodes[view.node];
    struct view left = operand(encoder, view, node->left, view.polarity);
    struct view right = operand(encoder, view, node->right, view.polarity);
    const struct relation *first = &encoder->bounds->nodes[node->left].may;
    const struct relation *second = &encoder->bounds->nodes[node->right].may;
    literal of_turns = sequence_of_turns(encoder, view, a, b);
    if (of_turns != 0)
        return of_turns;
    struct disjunction d = {0};
    for (unsigned c = 0; c < encoder->n && !d.holds; c++)
        if (relation_has(first, a, c) && relation_has(second, c, b))
            disjunction_add2(&d, view_pair(encoder, left, a, c), view_pair(encoder, right, c, b));
    orders_shorten(encoder, &d);
    return disjunction_close(encoder, &d, view.polarity, node->name != NULL ? node->name : "seq", a,
                             b);
}

// The operators that sets and relations share, on the literals of the operands.
static literal combine(struct encoder *encoder, struct view view, literal left, literal right,
                       literal executes) {
    switch (encoder->model->nodes[view.node].op) {
    case NODE_UNION: return gate_or(encoder, left, right, view.polarity);
    case NODE_INTERSECTION: return gate_and(encoder, left, right, view.polarity);
    case NODE_DIFFERENCE: return gate_and(encoder, left, -right, view.polarity);
    default: return gate_and(encoder, executes, -left, view.polarity);
    }
}

static literal encode_combination(struct encoder *encoder, struct view view, unsigned a,
                                  unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    const struct model_node *node = &encoder->model->nodes[view.node];
    enum polarity other = polarity_opposite(view.polarity);
    bool complement = node->op == NODE_COMPLEMENT, difference = node->op == NODE_DIFFERENCE;
    struct view left = operand(encoder, view, node->left, complement ? other : view.polarity);
    literal l = node->is_set ? view_event(encoder, left, a) : view_pair(encoder, left, a, b), r = 0;
    if (complement)
        return combine(encoder, view, l, 0,
                       node->is_set ? encode_executes(encoder, a) : both_execute(encoder, a, b));
    if (l == LITERAL_FALSE && node->op != NODE_UNION)
        return LITERAL_FALSE;
    struct view right = operand(encoder, view, node->right, difference ? other : view.polarity);
    r = node->is_set ? view_event(encoder, right, a) : view_pair(encoder, right, a, b);
    return combine(encoder, view, l, r, 0);
}

// Whether a pair of a closure is one of its order.
static bool is_of_hubs(struct encoder *encoder, struct view view, unsigned a, unsigned b) {
    if (view.polarity != OVER || view.paths != PATHS_ALL || a == b)
        return false;
    const bool *hubs = closure_steps(encoder, view.node)->hubs;
    return hubs != NULL && hubs[a] && hubs[b];
}

static literal encode_closure(struct encoder *encoder, struct view view, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    const struct model_node *node = &encoder->model->nodes[view.node];
    const struct bound *bound = &encoder->bounds->nodes[view.node];
    literal of_turns = path_of_turns(encoder, view, a, b);
    if (of_turns != 0)
        return of_turns;
    if (is_of_hubs(encoder, view, a, b))
        return view_pair(
            encoder, from_outside(encoder, closure_steps(encoder, view.node)->order, OVER), a, b);
    if (view.polarity == OVER)
        return defer(encoder, NULL, view, a, b);
    unsigned stage = last_stage(encoder) + (node->op == NODE_STAR ? STAGE_REFLEXIVE : 0);
    return closure_under(encoder, operand(encoder, view, node->left, UNDER), stage, &bound->may,
                         &bound->must, a, b);
}

static literal encode_recursion(struct encoder *encoder, struct view view, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    if (view.polarity == UNDER && view.level == 0)
        return LITERAL_FALSE; // all unrollings are used up
    return defer(encoder, NULL, view, a, b);
}

static literal encode_pair(struct encoder *encoder, struct view view, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    const struct model_node *node = &encoder->model->nodes[view.node];
    struct view left = operand(encoder, view, node->left, view.polarity);
    switch (node->op) {
    case NODE_BASE_RELATION:
        return base_pair(encoder, (enum base_relation)node->base, a, b, view.polarity);
    case NODE_UNION:
    case NODE_INTERSECTION:
    case NODE_DIFFERENCE:
    case NODE_COMPLEMENT: return encode_combination(encoder, view, a, b);
    case NODE_SEQUENCE: return encode_sequence(encoder, view, a, b);
    case NODE_PRODUCT:
        return gate_and(encoder, view_event(encoder, left, a),
                        view_event(encoder, operand(encoder, view, node->right, view.polarity), b),
                        view.polarity);
    case NODE_INVERSE: return view_pair(encoder, left, b, a);
    case NODE_OPTION: return view_pair(encoder, left, a, b);
    case NODE_IDENTITY: return view_event(encoder, left, a);
    case NODE_PLUS:
    case NODE_STAR:
        return bounds_is_closed(encoder->bounds, view.node) ? view_pair(encoder, left, a, b)
                                                            : encode_closure(encoder, view, a, b);
    case NODE_RECURSION: return encode_recursion(encoder, view, a, b);
    default: bug("node operator %d makes no undecided pair", (int)node->op);
    }
}

static literal encode_end(struct encoder *encoder, struct view view, unsigned a) {
    assert(a < encoder->n);
    const struct model_node *node = &encoder->model->nodes[view.node];
    struct view left = operand(encoder, view, node->left, view.polarity);
    const struct relation *may = &encoder->bounds->nodes[node->left].may;
    bool range = node->op == NODE_RANGE;
    struct disjunction d = {0};
    for (unsigned b = 0; b < encoder->n; b++)
        if (range ? relation_has(may, b, a) : relation_has(may, a, b))
            disjunction_add(&d, range ? view_pair(encoder, left, b, a)
                                      : view_pair(encoder, left, a, b));
    return disjunction_close(encoder, &d, view.polarity, range ? "range" : "domain", a, 0);
}

static literal encode_event(struct encoder *encoder, struct view view, unsigned a) {
    assert(a < encoder->n);
    switch (encoder->model->nodes[view.node].op) {
    case NODE_UNION:
    case NODE_INTERSECTION:
    case NODE_DIFFERENCE:
    case NODE_COMPLEMENT: return encode_combination(encoder, view, a, 0);
    case NODE_DOMAIN:
    case NODE_RANGE: return encode_end(encoder, view, a);
    case NODE_RECURSION: return encode_recursion(encoder, view, 0, a);
    default:
        bug("node operator %d makes no undecided event", (int)encoder->model->nodes[view.node].op);
    }
}

// Whether a path as the view has them may lead from a to b.
static bool may_lead(struct encoder *encoder, struct view view, unsigned a, unsigned b) {
    if (!relation_has(&encoder->bounds->nodes[view.node].may, a, b))
        return false;
    switch (view.paths) {
    case PATHS_AFTER: return relation_has(&closure_steps(encoder, view.node)->after, a, b);
    case PATHS_FREE: return relation_has(&closure_steps(encoder, view.node)->free, a, b);
    default: return true;
    }
}

static literal view_pair(struct encoder *encoder, struct view view, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    const struct bound *bound = &encoder->bounds->nodes[view.node];
    if (!may_lead(encoder, view, a, b))
        return LITERAL_FALSE;
    if (backend_failed(encoder->backend))
        return LITERAL_NONE;
    if (relation_has(&bound->must, a, b))
        return both_execute(encoder, a, b);
    literal known = *literal_at(encoder, view, a, b);
    if (known == 0) {
        known = encode_pair(encoder, view, a, b);
        *literal_at(encoder, view, a, b) = known;
    }
    return known;
}

static literal view_event(struct encoder *encoder, struct view view, unsigned a) {
    assert(a < encoder->n);
    const struct bound *bound = &encoder->bounds->nodes[view.node];
    if (!event_set_has(&bound->may_set, a))
        return LITERAL_FALSE;
    if (event_set_has(&bound->must_set, a))
        return encode_executes(encoder, a);
    literal known = *literal_at(encoder, view, 0, a);
    if (known == 0) {
        known = encode_event(encoder, view, a);
        *literal_at(encoder, view, 0, a) = known;
    }
    return known;
}

literal node_pair(struct encoder *encoder, unsigned node, unsigned a, unsigned b,
                  enum polarity polarity) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    return view_pair(encoder, from_outside(encoder, node, polarity), a, b);
}

// The pair of a relation after a step of the strict order `order` that leads to a, where the way
// back to where this began would close a cycle. Between hubs only paths without one in between are
// asked for: the axiom is what makes the closure the order there.
static literal pair_after(struct encoder *encoder, unsigned node, unsigned order, unsigned a,
                          unsigned b) {
    const struct model_node *n = &encoder->model->nodes[node];
    struct view view = from_outside(encoder, node, OVER);
    if (n->op == NODE_UNION)
        return gate_or(encoder, pair_after(encoder, n->left, order, a, b),
                       pair_after(encoder, n->right, order, a, b), OVER);
    if (n->op == NODE_PLUS && !bounds_is_closed(encoder->bounds, node)) {
        const struct closure_steps *steps = closure_steps(encoder, node);
        if (steps->alternate && steps->order == order)
            view.paths = steps->hubs != NULL ? PATHS_FREE : PATHS_AFTER;
    }
    return view_pair(encoder, view, a, b);
}

// A cycle of a step of s and a path of (s | r)+, where s is a strict order, has a step of r: the
// first steps of the path that are of s alone are one step with that before them.
literal node_loop(struct encoder *encoder, unsigned node, unsigned event) {
    assert(event < encoder->n);
    const struct model_node *n = &encoder->model->nodes[node];
    if (n->op != NODE_SEQUENCE || encoder->bounds->nodes[node].group != 0)
        return node_pair(encoder, node, event, event, OVER);
    struct disjunction d = {0};
    for (unsigned c = 0; c < encoder->n; c++) {
        if (!relation_has(&encoder->bounds->nodes[n->left].may, event, c))
            continue;
        literal second = pair_after(encoder, n->right, n->left, c, event);
        if (second != LITERAL_FALSE)
            disjunction_add2(&d, node_pair(encoder, n->left, event, c, OVER), second);
    }
    orders_shorten(encoder, &d);
    return disjunction_close(encoder, &d, OVER, "loop", event, event);
}

literal node_event(struct encoder *encoder, unsigned node, unsigned a, enum polarity polarity) {
    assert(a < encoder->n);
    return view_event(encoder, from_outside(encoder, node, polarity), a);
}

// --- Deferred definitions -------------------------------------------------------------------

static void define_recursion(struct encoder *encoder, const struct pending *pending) {
    const struct model_node *node = &encoder->model->nodes[pending->view.node];
    struct view body = {node->left, pending->view.level, pending->view.polarity, PATHS_ALL};
    if (pending->view.polarity == UNDER)
        body.level--;
    literal l = node->is_set ? view_event(encoder, body, pending->b)
                             : view_pair(encoder, body, pending->a, pending->b);
    if (pending->view.polarity == OVER)
        clause2(encoder, -l, pending->variable);
    else
        clause2(encoder, l, -pending->variable);
}

static void define(struct encoder *encoder, const struct pending *pending) {
    if (pending->slot != NULL) {
        define_closure_under(encoder, pending);
    } else if (encoder->model->nodes[pending->view.node].op == NODE_RECURSION) {
        define_recursion(encoder, pending);
    } else {
        struct disjunction d = {0};
        bool over_hubs = pending->view.paths == PATHS_ALL &&
                         closure_steps(encoder, pending->view.node)->hubs != NULL;
        (over_hubs ? add_paths_over_hubs : add_paths)(encoder, pending->view, pending->a,
                                                      pending->b, &d);
        disjunction_define(encoder, &d, OVER, pending->variable);
    }
}

void nodes_finish(struct encoder *encoder) {
    while (encoder->pending_count != 0) {
        struct pending pending = encoder->pending[--encoder->pending_count];
        define(encoder, &pending);
        if (backend_failed(encoder->backend))
            return;
    }
}

void nodes_free(struct encoder *encoder) {
    HASH_CLEAR(hh, encoder->slots); // the slots themselves are the arena's
    free(encoder->pending);
    encoder->pending = NULL;
    encoder->pending_count = encoder->pending_capacity = 0;
}
