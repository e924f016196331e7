// Bounds of relations. `may` grows and `must` shrinks with ignorance, so the right-hand side of a
// difference, and what a complement is taken of, contributes its other bound. Least fixed points
// are taken on both bounds: the operators of a recursive definition only ever add.
//
// Conditional execution: a step in between (the middle of a sequence or a path) counts for `must`
// only if it executes whenever the two ends do.

#include "solver/bounds/bounds.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "model/cat/transitive.h"
#include "model/cat/walk.h"
#include "solver/backend/watchdog.h"

#include <assert.h>
#include <string.h>

struct bounds_builder {
    struct arena *arena;
    struct bounds *bounds;
    const struct facts *facts;
    const struct model *model;
    struct relation scratch;   // operands that must not be results
    struct watchdog *watchdog; // or NULL
};

// --- Which nodes -------------------------------------------------------------------------------

static void mark_needed(struct bounds_builder *builder) {
    const struct model *model = builder->model;
    struct bound *nodes = builder->bounds->nodes;
    for (size_t i = 0; i < model->axiom_count; i++)
        nodes[model->axioms[i].node].needed = true;
    // Operands precede their users except for the bodies of recursive names, hence the
    // repetition.
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = model->node_count; i-- > 0;) {
            const struct model_node *node = &model->nodes[i];
            unsigned operands[2] = {node->left, node->right};
            for (unsigned k = 0; nodes[i].needed && k < model_operand_count(node->op); k++) {
                changed = changed || (!nodes[operands[k]].needed && operands[k] > i);
                nodes[operands[k]].needed = true;
            }
        }
    }
}

// Marks the nodes of the group that depend on its names. What they are subtracted from would not
// grow with them, so that is an error.
static bool mark_group(struct bounds_builder *builder, unsigned first, unsigned last,
                       struct diagnostics *diagnostics) {
    struct bound *nodes = builder->bounds->nodes;
    for (unsigned i = first; i <= last; i++) {
        const struct model_node *node = &builder->model->nodes[i];
        unsigned operands = model_operand_count(node->op);
        bool left = operands > 0 && nodes[node->left].group == first + 1;
        bool right = operands > 1 && nodes[node->right].group == first + 1;
        if (node->op == NODE_RECURSION || left || right)
            nodes[i].group = first + 1;
        if ((node->op == NODE_COMPLEMENT && left) || (node->op == NODE_DIFFERENCE && right)) {
            diag_error(diagnostics, node->span,
                       "a recursive definition must not depend on its own complement");
            return false;
        }
    }
    return true;
}

// --- Operators on sets -------------------------------------------------------------------------

static void set_copy(struct event_set *out, const struct event_set *in) {
    if (in->words != 0)
        memcpy(out->bits, in->bits, in->words * sizeof *in->bits);
}

// out = a | b, a & b, a \ b
static void set_combine(enum node_op op, struct event_set *out, const struct event_set *a,
                        const struct event_set *b) {
    for (unsigned i = 0; i < out->words; i++)
        out->bits[i] = op == NODE_UNION          ? a->bits[i] | b->bits[i]
                       : op == NODE_INTERSECTION ? a->bits[i] & b->bits[i]
                                                 : a->bits[i] & ~b->bits[i];
}

static void set_complement(struct event_set *out, const struct event_set *a) {
    for (unsigned i = 0; i < a->n; i++)
        if (!event_set_has(a, i))
            event_set_add(out, i);
}

// The events that have a partner in the relation; for `must` the partner has to execute whenever
// they do.
static void set_of_ends(const struct bounds_builder *builder, struct event_set *out,
                        const struct relation *relation, bool range, bool must) {
    for (unsigned a = 0; a < relation->n; a++)
        for (unsigned b = 0; b < relation->n; b++) {
            unsigned end = range ? b : a, partner = range ? a : b;
            if (relation_has(relation, a, b) &&
                (!must || relation_has(&builder->facts->implies, end, partner)))
                event_set_add(out, end);
        }
}

// One of the bounds of a node that is a set.
static struct event_set *set_bound(const struct bounds_builder *builder, unsigned node, bool must) {
    assert(node < builder->model->node_count);
    struct bound *bound = &builder->bounds->nodes[node];
    return must ? &bound->must_set : &bound->may_set;
}

static void clear_set(struct event_set *set) {
    memset(set->bits, 0, set->words * sizeof *set->bits);
}

static void evaluate_set(const struct bounds_builder *builder, const struct model_node *node,
                         struct event_set *out, bool must) {
    const struct bound *ends = &builder->bounds->nodes[node->left];
    const struct event_set *left =
        set_bound(builder, node->left, must != (node->op == NODE_COMPLEMENT));
    const struct event_set *right =
        set_bound(builder, node->right, must != (node->op == NODE_DIFFERENCE));
    clear_set(out);
    switch (node->op) {
    case NODE_BASE_SET: set_copy(out, &builder->facts->sets[node->base]); break;
    case NODE_EMPTY: break;
    case NODE_UNIVERSE: set_complement(out, out); break; // of the empty set, yet
    case NODE_UNION:
    case NODE_INTERSECTION:
    case NODE_DIFFERENCE: set_combine(node->op, out, left, right); break;
    case NODE_COMPLEMENT: set_complement(out, left); break;
    case NODE_DOMAIN:
    case NODE_RANGE:
        set_of_ends(builder, out, must ? &ends->must : &ends->may, node->op == NODE_RANGE, must);
        break;
    case NODE_RECURSION: set_copy(out, left); break;
    default: bug("node operator %d makes no set", (int)node->op);
    }
}

// --- Operators on relations --------------------------------------------------------------------

// Adds to out what x gets to over y: where y executes whenever x does, all that y gets to, else
// those for which y is sure to execute.
static void add_over(const struct facts *facts, struct relation *out, unsigned x, unsigned y,
                     const struct relation *b) {
    assert(out->n == b->n);
    const uint64_t *from = b->rows + (size_t)y * b->words;
    uint64_t *to = out->rows + (size_t)x * out->words;
    if (relation_has(&facts->implies, x, y)) {
        for (unsigned word = 0; word < out->words; word++)
            to[word] |= from[word];
        return;
    }
    for (unsigned z = 0; z < out->n; z++)
        if (relation_has(b, y, z) && relation_has(&facts->implies, z, y))
            relation_add(out, x, z);
}

// One of the bounds of a node that is a relation.
static struct relation *relation_bound(const struct bounds_builder *builder, unsigned node,
                                       bool must) {
    assert(node < builder->model->node_count);
    struct bound *bound = &builder->bounds->nodes[node];
    return must ? &bound->must : &bound->may;
}

// out = a ; b, for `must` over middles that execute for sure.
static void sequence(const struct facts *facts, struct relation *out, const struct relation *a,
                     const struct relation *b, bool must) {
    assert(out->n == a->n);
    assert(out->n == b->n);
    if (!must || facts->all_execute) {
        relation_sequence(out, a, b);
        return;
    }
    memset(out->rows, 0, (size_t)out->n * out->words * sizeof(uint64_t));
    for (unsigned x = 0; x < out->n; x++)
        for (unsigned y = 0; y < out->n; y++)
            if (relation_has(a, x, y))
                add_over(facts, out, x, y, b);
}

static void close_paths(const struct bounds_builder *builder, struct relation *relation,
                        bool must) {
    if (!must || builder->facts->all_execute) {
        relation_close(relation);
        return;
    }
    struct relation longer = builder->scratch;
    for (size_t before = SIZE_MAX; relation_count(relation) != before;) {
        before = relation_count(relation);
        sequence(builder->facts, &longer, relation, relation, must);
        relation_union(relation, relation, &longer);
    }
}

bool bounds_is_closed(const struct bounds *bounds, unsigned closure) {
    const struct model_node *node = &bounds->model->nodes[closure];
    return (node->op == NODE_PLUS || node->op == NODE_STAR) && bounds->transitive[node->left];
}

static void evaluate_closure(const struct bounds_builder *builder, const struct model_node *node,
                             struct relation *out, bool must) {
    relation_copy(out, relation_bound(builder, node->left, must));
    if (node->op != NODE_OPTION && !builder->bounds->transitive[node->left])
        close_paths(builder, out, must);
    if (node->op != NODE_PLUS)
        relation_reflexive(out);
}

static void evaluate_relation(const struct bounds_builder *builder, const struct model_node *node,
                              struct relation *out, bool must) {
    const struct facts *facts = builder->facts;
    const struct relation *left =
        relation_bound(builder, node->left, must != (node->op == NODE_COMPLEMENT));
    const struct relation *right =
        relation_bound(builder, node->right, must != (node->op == NODE_DIFFERENCE));
    const struct event_set *from = set_bound(builder, node->left, must);
    switch (node->op) {
    case NODE_BASE_RELATION:
        relation_copy(out, must ? &facts->must[node->base] : &facts->may[node->base]);
        break;
    case NODE_EMPTY: break;
    case NODE_UNION: relation_union(out, left, right); break;
    case NODE_INTERSECTION: relation_intersection(out, left, right); break;
    case NODE_DIFFERENCE: relation_difference(out, left, right); break;
    case NODE_COMPLEMENT: relation_complement(out, left); break;
    case NODE_SEQUENCE: sequence(facts, out, left, right, must); break;
    case NODE_PRODUCT: relation_product(out, from, set_bound(builder, node->right, must)); break;
    case NODE_INVERSE: relation_inverse(out, left); break;
    case NODE_PLUS:
    case NODE_STAR:
    case NODE_OPTION: evaluate_closure(builder, node, out, must); break;
    case NODE_IDENTITY: relation_identity(out, from); break;
    case NODE_RECURSION: relation_copy(out, left); break;
    default: bug("node operator %d makes no relation", (int)node->op);
    }
    relation_intersection(out, out, &facts->together);
}

// --- All nodes ---------------------------------------------------------------------------------

// How many pairs and events the bounds of a node hold, to see whether they still grow.
static size_t population(const struct bounds_builder *builder, unsigned index) {
    const struct bound *bound = &builder->bounds->nodes[index];
    size_t count = 0;
    if (!builder->model->nodes[index].is_set)
        return relation_count(&bound->may) + relation_count(&bound->must);
    for (unsigned a = 0; a < builder->facts->n; a++)
        count += (size_t)event_set_has(&bound->may_set, a) + event_set_has(&bound->must_set, a);
    return count;
}

static bool evaluate(void *context, unsigned index) {
    const struct bounds_builder *builder = context;
    const struct model_node *node = &builder->model->nodes[index];
    if (!builder->bounds->nodes[index].needed)
        return false;
    size_t before = node->op == NODE_RECURSION ? population(builder, index) : 0;
    for (int must = 0; must <= 1; must++)
        if (node->is_set)
            evaluate_set(builder, node, set_bound(builder, index, must), must);
        else
            evaluate_relation(builder, node, relation_bound(builder, index, must), must);
    return node->op == NODE_RECURSION && population(builder, index) != before;
}

static bool is_late(void *context) {
    struct watchdog *watchdog = ((const struct bounds_builder *)context)->watchdog;
    return watchdog != NULL && watchdog_poll(watchdog) != WATCHDOG_QUIET;
}

static void evaluate_all(struct bounds_builder *builder) {
    model_walk(&(struct model_algebra){
        .model = builder->model, .context = builder, .compute = evaluate, .is_over = is_late});
}

static void allocate(struct bounds_builder *builder) {
    unsigned n = builder->facts->n;
    for (size_t i = 0; i < builder->model->node_count; i++) {
        struct bound *bound = &builder->bounds->nodes[i];
        if (!bound->needed)
            continue;
        if (builder->model->nodes[i].is_set) {
            bound->may_set = event_set_new(builder->arena, n);
            bound->must_set = event_set_new(builder->arena, n);
        } else {
            bound->may = relation_new(builder->arena, n);
            bound->must = relation_new(builder->arena, n);
        }
    }
    builder->scratch = relation_new(builder->arena, n);
}

static bool find_groups(struct bounds_builder *builder, struct diagnostics *diagnostics) {
    for (unsigned i = 0; i < builder->model->node_count; i++) {
        if (builder->model->nodes[i].op != NODE_RECURSION)
            continue;
        unsigned last = model_group_end(builder->model, i);
        if (!mark_group(builder, i, last, diagnostics))
            return false;
        i = last;
    }
    return true;
}

// Whether writes that each have a byte in common with a third have one with each other: no write is
// to more than one cell, wherever it is.
static bool are_writes_whole(const struct program *program) {
    for (size_t e = 0; e < program->event_count; e++)
        for (size_t i = 0; i < program->events[e].candidate_count; i++)
            if (program->events[e].kind == EVENT_WRITE &&
                program->events[e].candidates[i].cell_count != 1)
                return false;
    return true;
}

// po is the order of a thread, sc a total order, the others are equivalences of what they are about
// (memory-model section 1). co is an order of the writes to each byte: what is before the second
// of two writes need not have a byte in common with the first.
static void find_transitive(struct bounds_builder *builder) {
    bool base[BASE_REL_COUNT] = {
        [BASE_REL_PO] = true,           [BASE_REL_CO] = are_writes_whole(builder->facts->program),
        [BASE_REL_SC_ORDER] = true,     [BASE_REL_SAME_CTA] = true,
        [BASE_REL_SAME_CLUSTER] = true, [BASE_REL_SAME_GPU] = true,
        [BASE_REL_SAME_PROXY] = true};
    bool *transitive = ARENA_ARRAY(builder->arena, bool, builder->model->node_count);
    model_find_transitive(builder->model, base, transitive);
    builder->bounds->transitive = transitive;
}

size_t bounds_memory(const struct model *model, size_t event_count) {
    size_t relation = event_count * ((event_count + 63) / 64) * sizeof(uint64_t);
    return 2 * relation * (model->node_count + BASE_REL_COUNT);
}

struct bounds *bounds_new(struct arena *arena, const struct facts *facts, const struct model *model,
                          struct watchdog *watchdog, struct diagnostics *diagnostics) {
    struct bounds *bounds = ARENA_NEW(arena, struct bounds);
    bounds->facts = facts;
    bounds->model = model;
    bounds->nodes = ARENA_ARRAY(arena, struct bound, model->node_count);
    struct bounds_builder builder = {
        .arena = arena, .bounds = bounds, .facts = facts, .model = model, .watchdog = watchdog};
    mark_needed(&builder);
    if (!find_groups(&builder, diagnostics))
        return NULL;
    find_transitive(&builder);
    allocate(&builder);
    evaluate_all(&builder);
    return is_late(&builder) ? NULL : bounds;
}

// Least fixed points start from nothing.
static void clear_recursion(const struct bounds_builder *builder) {
    for (unsigned i = 0; i < builder->model->node_count; i++) {
        struct bound *bound = &builder->bounds->nodes[i];
        if (builder->model->nodes[i].op != NODE_RECURSION || !bound->needed)
            continue;
        if (builder->model->nodes[i].is_set) {
            clear_set(&bound->may_set);
            clear_set(&bound->must_set);
        } else {
            relation_difference(&bound->may, &bound->may, &bound->may);
            relation_difference(&bound->must, &bound->must, &bound->must);
        }
    }
}

void bounds_update(struct arena *arena, struct bounds *bounds) {
    struct bounds_builder builder = {
        .arena = arena, .bounds = bounds, .facts = bounds->facts, .model = bounds->model};
    builder.scratch = relation_new(arena, bounds->facts->n);
    clear_recursion(&builder);
    evaluate_all(&builder);
}
