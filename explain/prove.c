// Proofs by their costs. The cost of every pair of every node is computed from the bottom up, in
// the way in which the value of the node is; the proof then follows the choices that the cost was
// made of. Each step of a closure and each use of a recursive name costs something, so a proof
// never uses what it proves.
#include "explain/prove.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>

enum { COST_COMMUNICATION = 1000, COST_DEPENDENCY = 20, COST_ORDER = 10 };

struct prover {
    struct arena *arena;
    const struct model *model;
    const struct found_execution *execution;
    unsigned n;       // events that execute
    unsigned *events; // which these are
    int *places;      // by event: its place among them, -1
    struct cost_table table;
};

static bool has(const struct prover *prover, unsigned node, unsigned a, unsigned b) {
    assert(a < prover->n && b < prover->n);
    const struct node_value *value = &prover->execution->nodes[node];
    unsigned x = prover->events[a], y = prover->events[b];
    if (prover->model->nodes[node].is_set)
        return a == b && event_set_has(&value->set, x);
    return relation_has(&value->relation, x, y);
}

// --- Costs -------------------------------------------------------------------------------------

static uint64_t base_cost(const struct model_node *node) {
    if (node->is_set)
        return 0;
    switch ((enum base_relation)node->base) {
    case BASE_REL_RF:
    case BASE_REL_CO:
    case BASE_REL_FR:
    case BASE_REL_SC_ORDER:
    case BASE_REL_BARRIER:
    case BASE_REL_PHASE: return COST_COMMUNICATION;
    case BASE_REL_ADDR:
    case BASE_REL_DATA:
    case BASE_REL_CTRL:
    case BASE_REL_PASSED_DEP:
    case BASE_REL_EXIT_DEP: return COST_DEPENDENCY;
    case BASE_REL_PO: return COST_ORDER;
    case BASE_REL_RMW: return COST_STEP;
    default: return 0;
    }
}

// The cost of a pair: what is not there, as complements have it, costs nothing.
static uint64_t pair_cost(const void *context, unsigned index, unsigned a, unsigned b) {
    const struct prover *prover = context;
    const struct model_node *node = &prover->model->nodes[index];
    if (!has(prover, index, a, b))
        return COST_NEVER;
    switch (node->op) {
    case NODE_BASE_SET:
    case NODE_BASE_RELATION: return base_cost(node);
    case NODE_DIFFERENCE: return costs_of(&prover->table, node->left, a, b);
    case NODE_EMPTY:
    case NODE_UNIVERSE:
    case NODE_COMPLEMENT: return 0;
    default: return costs_pair(&prover->table, index, a, b);
    }
}

struct prover *prover_new(struct arena *arena, const struct model *model,
                          const struct found_execution *execution) {
    struct prover *prover = ARENA_NEW(arena, struct prover);
    prover->arena = arena;
    prover->model = model;
    prover->execution = execution;
    prover->events = ARENA_ARRAY(arena, unsigned, execution->n + 1);
    prover->places = ARENA_ARRAY(arena, int, execution->n + 1);
    for (unsigned e = 0; e < execution->n; e++) {
        prover->places[e] = execution->executes[e] ? (int)prover->n : -1;
        if (execution->executes[e])
            prover->events[prover->n++] = e;
    }
    prover->table = (struct cost_table){.arena = arena,
                                        .model = model,
                                        .n = prover->n,
                                        .positive = true,
                                        .context = prover,
                                        .pair = pair_cost};
    costs_begin(&prover->table);
    return prover;
}

uint64_t prover_cost(struct prover *prover, unsigned node, unsigned a, unsigned b) {
    if (prover->places[a] < 0 || prover->places[b] < 0)
        return COST_NEVER;
    costs_prepare(&prover->table, node);
    return costs_of(&prover->table, node, (unsigned)prover->places[a], (unsigned)prover->places[b]);
}

// --- Proofs ------------------------------------------------------------------------------------

static struct proof *prove(struct prover *prover, unsigned node, unsigned a, unsigned b);

static void add(struct prover *prover, struct proof *proof, unsigned node, unsigned a, unsigned b) {
    ARENA_APPEND(prover->arena, proof->operands, proof->operand_count, prove(prover, node, a, b));
}

// The steps of a closure from a to b, the first one as cheap as all that it costs allows.
static void add_path(struct prover *prover, struct proof *proof, const struct model_node *node,
                     unsigned index, unsigned a, unsigned b) {
    size_t steps = 0;
    const unsigned *path = NULL;
    if (node->op != NODE_STAR || a != b)
        path = costs_path(&prover->table, node->left, prover->table.costs[index], a, b, &steps);
    for (size_t i = 0; i < steps; i++)
        add(prover, proof, node->left, path[i], path[i + 1]);
}

static void add_operands(struct prover *prover, struct proof *proof, unsigned index, unsigned a,
                         unsigned b) {
    const struct model_node *node = &prover->model->nodes[index];
    switch (node->op) {
    case NODE_UNION:
        add(prover, proof,
            costs_of(&prover->table, node->left, a, b) <=
                    costs_of(&prover->table, node->right, a, b)
                ? node->left
                : node->right,
            a, b);
        break;
    case NODE_INTERSECTION:
        add(prover, proof, node->left, a, b);
        add(prover, proof, node->right, a, b);
        break;
    case NODE_PRODUCT:
        add(prover, proof, node->left, a, a);
        add(prover, proof, node->right, b, b);
        break;
    case NODE_DIFFERENCE:
    case NODE_RECURSION: add(prover, proof, node->left, a, b); break;
    case NODE_INVERSE: add(prover, proof, node->left, b, a); break;
    case NODE_IDENTITY: add(prover, proof, node->left, a, a); break;
    case NODE_SEQUENCE: {
        unsigned middle = costs_middle(&prover->table, index, a, b);
        add(prover, proof, node->left, a, middle);
        add(prover, proof, node->right, middle, b);
        break;
    }
    case NODE_OPTION:
        if (a != b)
            add(prover, proof, node->left, a, b);
        break;
    case NODE_PLUS:
    case NODE_STAR: add_path(prover, proof, node, index, a, b); break;
    default: break; // facts; domains and ranges say no more than that the event is in them
    }
}

// `a` and `b` are places among the events that execute.
static struct proof *prove(struct prover *prover, unsigned node, unsigned a, unsigned b) {
    struct proof *proof = ARENA_NEW(prover->arena, struct proof);
    proof->node = node;
    proof->a = prover->events[a];
    proof->b = prover->events[b];
    proof->cost = costs_of(&prover->table, node, a, b);
    if (!has(prover, node, a, b) || proof->cost == COST_NEVER)
        bug("there is no proof for a pair of node %u", node);
    add_operands(prover, proof, node, a, b);
    return proof;
}

struct proof *prover_pair(struct prover *prover, unsigned node, unsigned a, unsigned b) {
    assert(prover->places[a] >= 0 && prover->places[b] >= 0);
    costs_prepare(&prover->table, node);
    return prove(prover, node, (unsigned)prover->places[a], (unsigned)prover->places[b]);
}

// --- Cycles ------------------------------------------------------------------------------------

struct proof **prover_cycle(struct prover *prover, unsigned node, size_t *count) {
    *count = 0;
    costs_prepare(&prover->table, node);
    const unsigned *cycle = costs_cycle(&prover->table, node, COST_NEVER, count);
    struct proof **proofs = ARENA_ARRAY(prover->arena, struct proof *, *count + 1);
    for (size_t i = 0; i < *count; i++)
        proofs[i] = prove(prover, node, cycle[i], cycle[i + 1]);
    return proofs;
}

struct proof *prover_any(struct prover *prover, unsigned node) {
    uint64_t best = COST_NEVER;
    unsigned from = 0, to = 0;
    costs_prepare(&prover->table, node);
    for (unsigned a = 0; a < prover->n; a++)
        for (unsigned b = 0; b < prover->n; b++)
            if (costs_of(&prover->table, node, a, b) < best) {
                best = costs_of(&prover->table, node, a, b);
                from = a;
                to = b;
            }
    return best == COST_NEVER ? NULL : prove(prover, node, from, to);
}
