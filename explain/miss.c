// Costs are the least over all ways into a relation, computed from the operands of each node until
// nothing changes; a way is then read off from them.
#include "explain/miss_internal.h"

#include "explain/rounds.h"
#include "litmus/source/arena.h"
#include "litmus/source/bug.h"

#include <assert.h>
#include <string.h>

unsigned miss_index_of(const struct miss_finder *finder, unsigned event) {
    assert(event < finder->execution->n);
    assert(finder->places[event] >= 0);
    return (unsigned)finder->places[event];
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
    finder->costs = ARENA_ARRAY(arena, uint64_t *, model->node_count + 1);
    finder->scratch = ARENA_ARRAY(arena, uint64_t, (size_t)finder->n * finder->n + 1);
    return finder;
}

static const struct model_node *node_at(const struct miss_finder *finder, unsigned node) {
    assert(node < finder->model->node_count);
    return &finder->model->nodes[node];
}

// --- Nodes -------------------------------------------------------------------------------------

static uint64_t *at(const struct miss_finder *finder, uint64_t *costs, unsigned a, unsigned b) {
    assert(a < finder->n && b < finder->n);
    return &costs[(size_t)a * finder->n + b];
}

uint64_t miss_cost_of(const struct miss_finder *finder, unsigned node, unsigned a, unsigned b) {
    assert(finder->costs[node] != NULL);
    return *at(finder, finder->costs[node], a, b);
}

// Whether a pair of events that are there is in the relation.
static bool has(const struct miss_finder *finder, unsigned node, unsigned a, unsigned b) {
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
        return miss_plus(removal(finder, node->left, a, b), removal(finder, node->right, a, b));
    case NODE_INTERSECTION:
        return miss_least(removal(finder, node->left, a, b), removal(finder, node->right, a, b));
    case NODE_DIFFERENCE:
        return miss_least(removal(finder, node->left, a, b),
                          miss_cost_of(finder, node->right, a, b));
    case NODE_PRODUCT:
        return miss_least(removal(finder, node->left, a, a), removal(finder, node->right, b, b));
    case NODE_IDENTITY: return removal(finder, node->left, a, a);
    case NODE_INVERSE: return removal(finder, node->left, b, a);
    case NODE_COMPLEMENT: return miss_cost_of(finder, node->left, a, b);
    default: return real ? MISS_FIXED : 0;
    }
}

static void sequence(const struct miss_finder *finder, const struct model_node *node,
                     uint64_t *out) {
    for (unsigned a = 0; a < finder->n; a++)
        for (unsigned c = 0; c < finder->n; c++) {
            uint64_t first = miss_cost_of(finder, node->left, a, c);
            for (unsigned b = 0; first != MISS_NEVER && b < finder->n; b++) {
                uint64_t *known = at(finder, out, a, b);
                *known =
                    miss_least(*known, miss_plus(first, miss_cost_of(finder, node->right, c, b)));
            }
        }
}

void miss_close(const struct miss_finder *finder, uint64_t *costs) {
    for (unsigned middle = 0; middle < finder->n; middle++)
        for (unsigned a = 0; a < finder->n; a++) {
            uint64_t first = *at(finder, costs, a, middle);
            for (unsigned b = 0; first != MISS_NEVER && b < finder->n; b++) {
                uint64_t *known = at(finder, costs, a, b);
                *known = miss_least(*known, miss_plus(first, *at(finder, costs, middle, b)));
            }
        }
}

static uint64_t end_cost(const struct miss_finder *finder, const struct model_node *node,
                         unsigned a) {
    uint64_t best = MISS_NEVER;
    for (unsigned c = 0; c < finder->n; c++)
        best = miss_least(best, node->op == NODE_DOMAIN ? miss_cost_of(finder, node->left, a, c)
                                                        : miss_cost_of(finder, node->left, c, a));
    return best;
}

// The cost of a pair that is not in the relation, for operators that look at one pair only.
static uint64_t pair_cost(const struct miss_finder *finder, const struct model_node *node,
                          unsigned a, unsigned b) {
    switch (node->op) {
    case NODE_BASE_SET: return a == b ? miss_set_cost(finder, node->base, a) : MISS_NEVER;
    case NODE_BASE_RELATION: return miss_relation_cost(finder, node->base, a, b);
    case NODE_EMPTY: return MISS_NEVER;
    case NODE_UNIVERSE: return node->is_set && a != b ? MISS_NEVER : 0;
    case NODE_UNION:
        return miss_least(miss_cost_of(finder, node->left, a, b),
                          miss_cost_of(finder, node->right, a, b));
    case NODE_INTERSECTION:
        return miss_plus(miss_cost_of(finder, node->left, a, b),
                         miss_cost_of(finder, node->right, a, b));
    case NODE_DIFFERENCE:
        return miss_plus(miss_cost_of(finder, node->left, a, b),
                         removal(finder, node->right, a, b));
    case NODE_COMPLEMENT:
        return node->is_set && a != b ? MISS_NEVER : removal(finder, node->left, a, b);
    case NODE_INVERSE: return miss_cost_of(finder, node->left, b, a);
    case NODE_RECURSION: return miss_plus(miss_cost_of(finder, node->left, a, b), MISS_STEP);
    case NODE_IDENTITY: return a == b ? miss_cost_of(finder, node->left, a, a) : MISS_NEVER;
    case NODE_PRODUCT:
        return miss_plus(miss_cost_of(finder, node->left, a, a),
                         miss_cost_of(finder, node->right, b, b));
    case NODE_DOMAIN:
    case NODE_RANGE: return a == b ? end_cost(finder, node, a) : MISS_NEVER;
    default: return MISS_NEVER;
    }
}

static void begin_costs(const struct miss_finder *finder, const struct model_node *node,
                        uint64_t *out) {
    bool closure = node->op == NODE_PLUS || node->op == NODE_STAR;
    for (unsigned a = 0; a < finder->n; a++)
        for (unsigned b = 0; b < finder->n; b++) {
            uint64_t *known = at(finder, out, a, b);
            if (closure || node->op == NODE_OPTION)
                *known = miss_plus(miss_cost_of(finder, node->left, a, b), MISS_STEP);
            else if (node->op != NODE_SEQUENCE)
                *known = pair_cost(finder, node, a, b);
        }
    for (unsigned a = 0; a < finder->n && (node->op == NODE_STAR || node->op == NODE_OPTION); a++)
        *at(finder, out, a, a) = 0;
}

// Computes the costs of a node from those of its operands. Returns whether some are new.
static bool compute(void *context, unsigned index) {
    struct miss_finder *finder = context;
    const struct model_node *node = node_at(finder, index);
    size_t size = (size_t)finder->n * finder->n;
    uint64_t *out = finder->scratch;
    bool closure = node->op == NODE_PLUS || node->op == NODE_STAR;
    memset(out, 0xff, size * sizeof *out);
    if (node->op == NODE_SEQUENCE)
        sequence(finder, node, out);
    begin_costs(finder, node, out);
    if (closure)
        miss_close(finder, out);
    for (unsigned a = 0; a < finder->real; a++)
        for (unsigned b = 0; !closure && b < finder->real; b++)
            if (has(finder, index, a, b))
                *at(finder, out, a, b) = 0;
    bool changed = memcmp(out, finder->costs[index], size * sizeof *out) != 0;
    memcpy(finder->costs[index], out, size * sizeof *out);
    return changed;
}

static bool is_known(void *context, unsigned index) {
    return ((struct miss_finder *)context)->costs[index] != NULL;
}

// Costs of MISS_NEVER.
static void start(void *context, unsigned index) {
    struct miss_finder *finder = context;
    size_t size = (size_t)finder->n * finder->n;
    finder->costs[index] = ARENA_ARRAY(finder->arena, uint64_t, size + 1);
    memset(finder->costs[index], 0xff, size * sizeof(uint64_t));
}

void miss_prepare(struct miss_finder *finder, unsigned index) {
    const struct node_rounds rounds = {finder->model, finder, false, is_known, start, compute};
    rounds_compute(finder->arena, &rounds, index);
}

// --- The way -----------------------------------------------------------------------------------

static struct miss *way_out(struct miss_finder *finder, unsigned node, unsigned a, unsigned b);

static void add(struct miss_finder *finder, struct miss *miss, struct miss *part) {
    miss->parts = arena_grow(finder->arena, miss->parts, miss->part_count, sizeof *miss->parts);
    miss->parts[miss->part_count++] = part;
}

static struct miss *new_miss(struct miss_finder *finder, unsigned node, unsigned a, unsigned b,
                             uint64_t cost_of_it, enum miss_state state) {
    struct miss *miss = ARENA_NEW(finder->arena, struct miss);
    *miss = (struct miss){.node = node, .a = a, .b = b, .cost = cost_of_it, .state = state};
    return miss;
}

static void add_fact(struct miss_finder *finder, const struct miss *miss) {
    const struct model_node *node = node_at(finder, miss->node);
    finder->facts =
        arena_grow(finder->arena, finder->facts, finder->fact_count, sizeof *finder->facts);
    finder->facts[finder->fact_count++] =
        (struct wanted_fact){miss->node, miss->a, miss->b, miss->state == MISS_LACKS};
    if (miss->state == MISS_LACKS && node->op == NODE_BASE_SET)
        finder->events[miss->a].marks[node->base] = true;
    for (unsigned end = 0; end < 2 && node->op == NODE_BASE_RELATION; end++)
        if (node->base == BASE_REL_SC_ORDER)
            finder->events[end ? miss->b : miss->a].marks[BASE_SET_SC] = true;
}

// The steps of a closure from a to b.
static void add_path(struct miss_finder *finder, struct miss *miss, const struct model_node *node,
                     unsigned a, unsigned b) {
    uint64_t left = miss->cost;
    for (bool first = true; first || a != b; first = false) {
        unsigned next = finder->n;
        if (node->op == NODE_STAR && a == b)
            return;
        for (unsigned c = 0; c < finder->n && next == finder->n; c++) {
            uint64_t rest = c == b ? 0 : miss_cost_of(finder, miss->node, c, b);
            if (miss_plus(miss_plus(miss_cost_of(finder, node->left, a, c), MISS_STEP), rest) ==
                left) {
                next = c;
                left = rest;
            }
        }
        if (next == finder->n)
            bug("a way into the relation in node %u is lost", miss->node);
        add(finder, miss, miss_way(finder, node->left, a, next));
        a = next;
    }
}

static void add_sequence(struct miss_finder *finder, struct miss *miss,
                         const struct model_node *node, unsigned a, unsigned b) {
    unsigned middle = 0;
    while (miss_plus(miss_cost_of(finder, node->left, a, middle),
                     miss_cost_of(finder, node->right, middle, b)) != miss->cost)
        middle++;
    assert(middle < finder->n);
    add(finder, miss, miss_way(finder, node->left, a, middle));
    add(finder, miss, miss_way(finder, node->right, middle, b));
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
    case NODE_SEQUENCE: add_sequence(finder, miss, node, a, b); break;
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
    if (price != MISS_NEVER && miss->state == MISS_LACKS)
        add_parts(finder, miss);
    return miss;
}

// How a pair that is in a relation comes not to be.
static struct miss *way_out(struct miss_finder *finder, unsigned index, unsigned a, unsigned b) {
    const struct model_node *node = node_at(finder, index);
    struct miss *miss = new_miss(finder, index, a, b, removal(finder, index, a, b), MISS_TOO_MUCH);
    uint64_t left = MISS_NEVER;
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
    miss_prepare(finder, node);
    miss_forget(finder);
    return miss_way(finder, node, a, b);
}
