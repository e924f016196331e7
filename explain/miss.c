// Costs are the least over all ways into a relation, computed from the operands of each node until
// nothing changes; a way is then read off from them.
#include "explain/miss_internal.h"

#include "litmus/source/arena.h"

#include <assert.h>
#include <string.h>

unsigned miss_index_of(const struct miss_finder *finder, unsigned event) {
    assert(event < finder->execution->n);
    assert(finder->places[event] >= 0);
    return (unsigned)finder->places[event];
}

static const struct model_node *node_at(const struct miss_finder *finder, unsigned node) {
    assert(node < finder->model->node_count);
    return &finder->model->nodes[node];
}

// --- Nodes -------------------------------------------------------------------------------------

uint64_t miss_cost_of(const struct miss_finder *finder, unsigned node, unsigned a, unsigned b) {
    return costs_of(&finder->table, node, a, b);
}

// Whether a pair of events that are there is in the relation.
static bool has(const void *context, unsigned node, unsigned a, unsigned b) {
    const struct miss_finder *finder = context;
    if (!miss_is_real(finder, a) || !miss_is_real(finder, b))
        return false;
    const struct node_value *value = &finder->execution->nodes[node];
    unsigned x = (unsigned)finder->events[a].event, y = (unsigned)finder->events[b].event;
    if (finder->model->nodes[node].is_set)
        return a == b && event_set_has(&value->set, x);
    return relation_has(&value->relation, x, y);
}

// What it costs that a pair is not in a relation. Of what is more than a pair of facts: whether it
// is in it.
static uint64_t removal(const struct miss_finder *finder, unsigned index, unsigned a, unsigned b) {
    const struct model_node *node = node_at(finder, index);
    bool real = miss_is_real(finder, a) && miss_is_real(finder, b);
    if (real && !has(finder, index, a, b))
        return 0;
    switch (node->op) {
    case NODE_BASE_SET: return miss_set_removal(finder, node->base, a);
    case NODE_EMPTY: return 0;
    case NODE_UNION:
        return cost_plus(removal(finder, node->left, a, b), removal(finder, node->right, a, b));
    case NODE_INTERSECTION:
        return cost_least(removal(finder, node->left, a, b), removal(finder, node->right, a, b));
    case NODE_DIFFERENCE:
        return cost_least(removal(finder, node->left, a, b),
                          miss_cost_of(finder, node->right, a, b));
    case NODE_PRODUCT:
        return cost_least(removal(finder, node->left, a, a), removal(finder, node->right, b, b));
    case NODE_IDENTITY: return removal(finder, node->left, a, a);
    case NODE_INVERSE: return removal(finder, node->left, b, a);
    case NODE_COMPLEMENT: return miss_cost_of(finder, node->left, a, b);
    default: return real ? MISS_FIXED : 0;
    }
}

// The cost of a pair that is not in the relation, for operators that look at one pair only.
static uint64_t pair_cost(const void *context, unsigned index, unsigned a, unsigned b) {
    const struct miss_finder *finder = context;
    const struct model_node *node = node_at(finder, index);
    switch (node->op) {
    case NODE_BASE_SET: return a == b ? miss_set_cost(finder, node->base, a) : COST_NEVER;
    case NODE_BASE_RELATION: return miss_relation_cost(finder, node->base, a, b);
    case NODE_UNIVERSE: return node->is_set && a != b ? COST_NEVER : 0;
    case NODE_DIFFERENCE:
        return cost_plus(miss_cost_of(finder, node->left, a, b),
                         removal(finder, node->right, a, b));
    case NODE_COMPLEMENT:
        return node->is_set && a != b ? COST_NEVER : removal(finder, node->left, a, b);
    default: return costs_pair(&finder->table, index, a, b);
    }
}

struct miss_finder *miss_finder_new(struct arena *arena, const struct model *model,
                                    const struct found_execution *execution,
                                    enum miss_fences fences) {
    struct miss_finder *finder = ARENA_NEW(arena, struct miss_finder);
    *finder = (struct miss_finder){
        .arena = arena, .model = model, .execution = execution, .fences = fences};
    finder->places = ARENA_ARRAY(arena, int, execution->n + 1);
    if (!miss_find_events(finder))
        return NULL;
    finder->table = (struct cost_table){.arena = arena,
                                        .model = model,
                                        .n = finder->n,
                                        .context = finder,
                                        .pair = pair_cost,
                                        .is_free = has};
    costs_begin(&finder->table);
    return finder;
}

// --- The way -----------------------------------------------------------------------------------

static struct miss *way_out(struct miss_finder *finder, unsigned node, unsigned a, unsigned b);

static void add(struct miss_finder *finder, struct miss *miss, struct miss *part) {
    ARENA_APPEND(finder->arena, miss->parts, miss->part_count, part);
}

static struct miss *new_miss(struct miss_finder *finder, unsigned node, unsigned a, unsigned b,
                             uint64_t cost_of_it, enum miss_state state) {
    struct miss *miss = ARENA_NEW(finder->arena, struct miss);
    *miss = (struct miss){.node = node, .a = a, .b = b, .cost = cost_of_it, .state = state};
    return miss;
}

static void add_fact(struct miss_finder *finder, const struct miss *miss) {
    const struct model_node *node = node_at(finder, miss->node);
    ARENA_APPEND(finder->arena, finder->facts, finder->fact_count,
                 (struct wanted_fact){miss->node, miss->a, miss->b, miss->state == MISS_LACKS});
    if (miss->state == MISS_LACKS && node->op == NODE_BASE_SET)
        finder->events[miss->a].marks[node->base] = true;
    for (unsigned end = 0; end < 2 && node->op == NODE_BASE_RELATION; end++)
        if (node->base == BASE_REL_SC_ORDER)
            finder->events[end ? miss->b : miss->a].marks[BASE_SET_SC] = true;
}

// The steps of a closure from a to b.
static void add_path(struct miss_finder *finder, struct miss *miss, const struct model_node *node,
                     unsigned a, unsigned b) {
    size_t steps = 0;
    const unsigned *path = NULL;
    if (node->op != NODE_STAR || a != b)
        path =
            costs_path(&finder->table, node->left, finder->table.costs[miss->node], a, b, &steps);
    for (size_t i = 0; i < steps; i++)
        add(finder, miss, miss_way(finder, node->left, path[i], path[i + 1]));
}

static void add_end(struct miss_finder *finder, struct miss *miss, const struct model_node *node,
                    unsigned a) {
    for (unsigned c = 0; c < finder->n; c++) {
        unsigned first = node->op == NODE_DOMAIN ? a : c, second = node->op == NODE_DOMAIN ? c : a;
        if (miss_cost_of(finder, node->left, first, second) == miss->cost) {
            add(finder, miss, miss_way(finder, node->left, first, second));
            return;
        }
    }
}

static void add_parts(struct miss_finder *finder, struct miss *miss) {
    const struct model_node *node = node_at(finder, miss->node);
    unsigned a = miss->a, b = miss->b;
    switch (node->op) {
    case NODE_BASE_SET:
    case NODE_BASE_RELATION: add_fact(finder, miss); break;
    case NODE_UNION: {
        bool left =
            miss_cost_of(finder, node->left, a, b) <= miss_cost_of(finder, node->right, a, b);
        add(finder, miss, miss_way(finder, left ? node->left : node->right, a, b));
        break;
    }
    case NODE_INTERSECTION:
        add(finder, miss, miss_way(finder, node->left, a, b));
        add(finder, miss, miss_way(finder, node->right, a, b));
        break;
    case NODE_DIFFERENCE:
        add(finder, miss, miss_way(finder, node->left, a, b));
        if (removal(finder, node->right, a, b) > 0)
            add(finder, miss, way_out(finder, node->right, a, b));
        break;
    case NODE_COMPLEMENT:
        if (removal(finder, node->left, a, b) > 0)
            add(finder, miss, way_out(finder, node->left, a, b));
        break;
    case NODE_PRODUCT:
        add(finder, miss, miss_way(finder, node->left, a, a));
        add(finder, miss, miss_way(finder, node->right, b, b));
        break;
    case NODE_RECURSION: add(finder, miss, miss_way(finder, node->left, a, b)); break;
    case NODE_OPTION:
        if (a != b)
            add(finder, miss, miss_way(finder, node->left, a, b));
        break;
    case NODE_INVERSE: add(finder, miss, miss_way(finder, node->left, b, a)); break;
    case NODE_IDENTITY: add(finder, miss, miss_way(finder, node->left, a, a)); break;
    case NODE_DOMAIN:
    case NODE_RANGE: add_end(finder, miss, node, a); break;
    case NODE_SEQUENCE: {
        unsigned middle = costs_middle(&finder->table, miss->node, a, b);
        add(finder, miss, miss_way(finder, node->left, a, middle));
        add(finder, miss, miss_way(finder, node->right, middle, b));
        break;
    }
    case NODE_PLUS:
    case NODE_STAR: add_path(finder, miss, node, a, b); break;
    default: break;
    }
}

struct miss *miss_way(struct miss_finder *finder, unsigned node, unsigned a, unsigned b) {
    uint64_t price = miss_cost_of(finder, node, a, b);
    struct miss *miss =
        new_miss(finder, node, a, b, price,
                 has(finder, node, a, b) ||
                         (price == 0 && miss_is_real(finder, a) && miss_is_real(finder, b))
                     ? MISS_HOLDS
                     : MISS_LACKS);
    if (price != COST_NEVER && miss->state == MISS_LACKS)
        add_parts(finder, miss);
    return miss;
}

// How a pair that is in a relation comes not to be.
static struct miss *way_out(struct miss_finder *finder, unsigned index, unsigned a, unsigned b) {
    const struct model_node *node = node_at(finder, index);
    struct miss *miss = new_miss(finder, index, a, b, removal(finder, index, a, b), MISS_TOO_MUCH);
    uint64_t left = COST_NEVER;
    switch (node->op) {
    case NODE_UNION:
        if (removal(finder, node->left, a, b) > 0)
            add(finder, miss, way_out(finder, node->left, a, b));
        if (removal(finder, node->right, a, b) > 0)
            add(finder, miss, way_out(finder, node->right, a, b));
        return miss;
    case NODE_INTERSECTION:
        left = removal(finder, node->left, a, b);
        add(finder, miss, way_out(finder, left == miss->cost ? node->left : node->right, a, b));
        return miss;
    case NODE_DIFFERENCE:
        left = removal(finder, node->left, a, b);
        add(finder, miss,
            left == miss->cost ? way_out(finder, node->left, a, b)
                               : miss_way(finder, node->right, a, b));
        return miss;
    case NODE_PRODUCT:
        left = removal(finder, node->left, a, a);
        add(finder, miss,
            left == miss->cost ? way_out(finder, node->left, a, a)
                               : way_out(finder, node->right, b, b));
        return miss;
    case NODE_IDENTITY: add(finder, miss, way_out(finder, node->left, a, a)); return miss;
    case NODE_INVERSE: add(finder, miss, way_out(finder, node->left, b, a)); return miss;
    case NODE_COMPLEMENT: add(finder, miss, miss_way(finder, node->left, a, b)); return miss;
    default: add_fact(finder, miss); return miss;
    }
}

void miss_forget(struct miss_finder *finder) {
    finder->fact_count = 0;
    for (unsigned e = 0; e < finder->n; e++)
        memset(finder->events[e].marks, 0, sizeof finder->events[e].marks);
}

struct miss *miss_pair(struct miss_finder *finder, unsigned node, unsigned a, unsigned b) {
    costs_prepare(&finder->table, node);
    miss_forget(finder);
    return miss_way(finder, node, a, b);
}
