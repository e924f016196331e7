// Costs of the pairs of a model's nodes, computed from the operands of each node until nothing
// changes. A way is read off from them later.
#include "explain/costs.h"

#include "litmus/source/arena.h"
#include "litmus/source/bug.h"
#include "model/cat/walk.h"

#include <assert.h>
#include <string.h>

void costs_begin(struct cost_table *table) {
    table->costs = ARENA_ARRAY(table->arena, uint64_t *, table->model->node_count + 1);
    table->scratch = ARENA_ARRAY(table->arena, uint64_t, (size_t)table->n * table->n + 1);
}

static uint64_t *at(const struct cost_table *table, uint64_t *costs, unsigned a, unsigned b) {
    assert(a < table->n && b < table->n);
    return &costs[(size_t)a * table->n + b];
}

uint64_t costs_of(const struct cost_table *table, unsigned node, unsigned a, unsigned b) {
    assert(node < table->model->node_count && table->costs[node] != NULL);
    return *at(table, table->costs[node], a, b);
}

// --- The algebra -------------------------------------------------------------------------------

static void close(const struct cost_table *table, uint64_t *costs) {
    for (unsigned middle = 0; middle < table->n; middle++)
        for (unsigned a = 0; a < table->n; a++) {
            uint64_t first = *at(table, costs, a, middle);
            for (unsigned b = 0; first != COST_NEVER && b < table->n; b++) {
                uint64_t *known = at(table, costs, a, b);
                *known = cost_least(*known, cost_plus(first, *at(table, costs, middle, b)));
            }
        }
}

static void sequence(const struct cost_table *table, const struct model_node *node, uint64_t *out) {
    for (unsigned a = 0; a < table->n; a++)
        for (unsigned c = 0; c < table->n; c++) {
            uint64_t first = costs_of(table, node->left, a, c);
            for (unsigned b = 0; first != COST_NEVER && b < table->n; b++) {
                uint64_t *known = at(table, out, a, b);
                *known = cost_least(*known, cost_plus(first, costs_of(table, node->right, c, b)));
            }
        }
}

// Of an event that has a partner in the relation.
static uint64_t end_cost(const struct cost_table *table, const struct model_node *node,
                         unsigned a) {
    uint64_t best = COST_NEVER;
    for (unsigned c = 0; c < table->n; c++)
        best = cost_least(best, node->op == NODE_DOMAIN ? costs_of(table, node->left, a, c)
                                                        : costs_of(table, node->left, c, a));
    return best;
}

uint64_t costs_pair(const struct cost_table *table, unsigned index, unsigned a, unsigned b) {
    const struct model_node *node = &table->model->nodes[index];
    switch (node->op) {
    case NODE_UNION:
        return cost_least(costs_of(table, node->left, a, b), costs_of(table, node->right, a, b));
    case NODE_INTERSECTION:
        return cost_plus(costs_of(table, node->left, a, b), costs_of(table, node->right, a, b));
    case NODE_PRODUCT:
        return cost_plus(costs_of(table, node->left, a, a), costs_of(table, node->right, b, b));
    case NODE_IDENTITY: return a == b ? costs_of(table, node->left, a, a) : COST_NEVER;
    case NODE_INVERSE: return costs_of(table, node->left, b, a);
    case NODE_DOMAIN:
    case NODE_RANGE: return a == b ? end_cost(table, node, a) : COST_NEVER;
    case NODE_RECURSION: return cost_plus(costs_of(table, node->left, a, b), COST_STEP);
    default: return COST_NEVER;
    }
}

// --- Nodes -------------------------------------------------------------------------------------

static void find_costs(const struct cost_table *table, unsigned index, uint64_t *out) {
    const struct model_node *node = &table->model->nodes[index];
    bool closes = node->op == NODE_PLUS || node->op == NODE_STAR;
    bool stays = node->op == NODE_STAR || node->op == NODE_OPTION;
    if (node->op == NODE_SEQUENCE)
        sequence(table, node, out);
    for (unsigned a = 0; a < table->n; a++)
        for (unsigned b = 0; b < table->n && node->op != NODE_SEQUENCE; b++)
            *at(table, out, a, b) = closes || stays
                                        ? cost_plus(costs_of(table, node->left, a, b), COST_STEP)
                                        : table->pair(table->context, index, a, b);
    if (closes)
        close(table, out);
    for (unsigned a = 0; a < table->n && stays; a++)
        *at(table, out, a, a) = 0;
    for (unsigned a = 0; a < table->n && table->is_free != NULL && !closes; a++)
        for (unsigned b = 0; b < table->n; b++)
            if (table->is_free(table->context, index, a, b))
                *at(table, out, a, b) = 0;
}

struct cost_search {
    struct cost_table *table;
    bool *open; // by node: to be computed
};

static bool compute(void *context, unsigned index) {
    const struct cost_search *search = context;
    struct cost_table *table = search->table;
    size_t size = (size_t)table->n * table->n * sizeof(uint64_t);
    if (!search->open[index])
        return false;
    memset(table->scratch, 0xff, size);
    find_costs(table, index, table->scratch);
    bool changed = memcmp(table->scratch, table->costs[index], size) != 0;
    memcpy(table->costs[index], table->scratch, size);
    return changed;
}

static unsigned operand_count(const struct cost_table *table, enum node_op op) {
    unsigned taken_away = op == NODE_COMPLEMENT || op == NODE_DIFFERENCE;
    return model_operand_count(op) - (table->positive ? taken_away : 0);
}

// Marks what the node depends on and is not known yet, and gives it costs of COST_NEVER.
static void begin(const struct cost_search *search, unsigned index) {
    struct cost_table *table = search->table;
    size_t size = (size_t)table->n * table->n;
    assert(index < table->model->node_count);
    const struct model_node *node = &table->model->nodes[index];
    if (table->costs[index] != NULL)
        return;
    table->costs[index] = ARENA_ARRAY(table->arena, uint64_t, size + 1);
    memset(table->costs[index], 0xff, size * sizeof(uint64_t));
    search->open[index] = true;
    if (operand_count(table, node->op) > 0)
        begin(search, node->left);
    if (operand_count(table, node->op) > 1)
        begin(search, node->right);
}

void costs_prepare(struct cost_table *table, unsigned node) {
    struct cost_search search = {.table = table};
    if (table->costs[node] != NULL)
        return;
    search.open = ARENA_ARRAY(table->arena, bool, table->model->node_count);
    begin(&search, node);
    model_walk(
        &(struct model_algebra){.model = table->model, .context = &search, .compute = compute});
}

// --- Ways --------------------------------------------------------------------------------------

unsigned costs_middle(const struct cost_table *table, unsigned index, unsigned a, unsigned b) {
    const struct model_node *node = &table->model->nodes[index];
    unsigned middle = 0;
    while (cost_plus(costs_of(table, node->left, a, middle),
                     costs_of(table, node->right, middle, b)) != costs_of(table, index, a, b))
        middle++;
    assert(middle < table->n);
    return middle;
}

// The next event of a path from `a` to `b` that costs `*left`, which becomes the cost of the rest.
static unsigned next_of(const struct cost_table *table, unsigned node, const uint64_t *rest,
                        unsigned a, unsigned b, uint64_t *left) {
    for (unsigned next = 0; next < table->n; next++) {
        uint64_t step = cost_plus(costs_of(table, node, a, next), COST_STEP);
        uint64_t after = next == b ? 0 : rest[(size_t)next * table->n + b];
        if (step != COST_NEVER && cost_plus(step, after) == *left) {
            *left = after;
            return next;
        }
    }
    bug("a path of the relation in node %u is lost", node);
}

unsigned *costs_path(const struct cost_table *table, unsigned node, const uint64_t *rest,
                     unsigned a, unsigned b, size_t *steps) {
    unsigned *events = NULL;
    uint64_t left = rest[(size_t)a * table->n + b];
    size_t count = 0;
    do {
        ARENA_APPEND(table->arena, events, count, a);
        a = next_of(table, node, rest, a, b, &left);
    } while (a != b);
    ARENA_APPEND(table->arena, events, count, b);
    *steps = count - 1;
    return events;
}

unsigned *costs_cycle(const struct cost_table *table, unsigned node, uint64_t limit,
                      size_t *steps) {
    size_t size = (size_t)table->n * table->n;
    uint64_t *paths = ARENA_ARRAY(table->arena, uint64_t, size + 1), best = limit;
    int start = -1;
    for (size_t i = 0; i < size; i++)
        paths[i] = cost_plus(table->costs[node][i], COST_STEP);
    close(table, paths);
    for (unsigned a = 0; a < table->n; a++)
        if (*at(table, paths, a, a) < best) {
            best = *at(table, paths, a, a);
            start = (int)a;
        }
    return start < 0 ? NULL
                     : costs_path(table, node, paths, (unsigned)start, (unsigned)start, steps);
}
