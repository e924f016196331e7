// Proofs by their costs. The cost of every pair of every node is computed from the bottom up, in
// the way in which the value of the node is; the proof then follows the choices that the cost was
// made of. Each step of a closure and each use of a recursive name costs something, so a proof
// never uses what it proves.
#include "explain/prove.h"

#include "explain/rounds.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

enum { COST_COMMUNICATION = 1000, COST_DEPENDENCY = 20, COST_ORDER = 10, COST_STEP = 1 };

static const unsigned NEVER = UINT_MAX;

struct prover {
    struct arena *arena;
    const struct model *model;
    const struct found_execution *execution;
    unsigned n;        // events that execute
    unsigned *events;  // which these are
    int *places;       // by event: its place among them, -1
    unsigned **costs;  // by node: n * n, of a set its diagonal; NULL when not computed yet
    unsigned *scratch; // n * n
};

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
    prover->costs = ARENA_ARRAY(arena, unsigned *, model->node_count);
    prover->scratch = ARENA_ARRAY(arena, unsigned, (size_t)prover->n * prover->n + 1);
    return prover;
}

static unsigned plus(unsigned a, unsigned b) {
    return a == NEVER || b == NEVER ? NEVER : a + b;
}

static unsigned *at(const struct prover *prover, unsigned *costs, unsigned a, unsigned b) {
    assert(a < prover->n && b < prover->n);
    return &costs[(size_t)a * prover->n + b];
}

static unsigned cost(const struct prover *prover, unsigned node, unsigned a, unsigned b) {
    assert(node < prover->model->node_count && prover->costs[node] != NULL);
    return *at(prover, prover->costs[node], a, b);
}

static bool has(const struct prover *prover, unsigned node, unsigned a, unsigned b) {
    assert(a < prover->n && b < prover->n);
    const struct node_value *value = &prover->execution->nodes[node];
    unsigned x = prover->events[a], y = prover->events[b];
    if (prover->model->nodes[node].is_set)
        return a == b && event_set_has(&value->set, x);
    return relation_has(&value->relation, x, y);
}

// --- Costs -------------------------------------------------------------------------------------

static unsigned base_cost(const struct model_node *node) {
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

static void close_costs(const struct prover *prover, unsigned *costs) {
    for (unsigned middle = 0; middle < prover->n; middle++)
        for (unsigned a = 0; a < prover->n; a++) {
            unsigned first = *at(prover, costs, a, middle);
            for (unsigned b = 0; first != NEVER && b < prover->n; b++) {
                unsigned *known = at(prover, costs, a, b);
                unsigned through = plus(first, *at(prover, costs, middle, b));
                *known = through < *known ? through : *known;
            }
        }
}

static void sequence(const struct prover *prover, const struct model_node *node, unsigned *out) {
    for (unsigned a = 0; a < prover->n; a++)
        for (unsigned c = 0; c < prover->n; c++) {
            unsigned first = cost(prover, node->left, a, c);
            for (unsigned b = 0; first != NEVER && b < prover->n; b++) {
                unsigned *known = at(prover, out, a, b);
                unsigned through = plus(first, cost(prover, node->right, c, b));
                *known = through < *known ? through : *known;
            }
        }
}

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

// The cost of a pair that is in the relation or set, for operators that look at one pair only.
static unsigned pair_cost(const struct prover *prover, const struct model_node *node, unsigned a,
                          unsigned b) {
    switch (node->op) {
    case NODE_BASE_SET:
    case NODE_BASE_RELATION: return base_cost(node);
    case NODE_UNION: return least(cost(prover, node->left, a, b), cost(prover, node->right, a, b));
    case NODE_INTERSECTION:
        return plus(cost(prover, node->left, a, b), cost(prover, node->right, a, b));
    case NODE_DIFFERENCE: return cost(prover, node->left, a, b);
    case NODE_INVERSE: return cost(prover, node->left, b, a);
    case NODE_RECURSION: return plus(cost(prover, node->left, a, b), COST_STEP);
    case NODE_IDENTITY: return cost(prover, node->left, a, a);
    case NODE_PRODUCT: return plus(cost(prover, node->left, a, a), cost(prover, node->right, b, b));
    case NODE_DOMAIN:
    case NODE_RANGE: {
        unsigned best = NEVER;
        for (unsigned c = 0; c < prover->n; c++)
            best = least(best, node->op == NODE_DOMAIN ? cost(prover, node->left, a, c)
                                                       : cost(prover, node->left, c, a));
        return best;
    }
    default: return 0; // _, complements: what is not there costs nothing
    }
}

// Computes the costs of a node from those of its operands. Returns whether some are new.
static bool compute(void *context, unsigned index) {
    struct prover *prover = context;
    const struct model_node *node = &prover->model->nodes[index];
    size_t size = (size_t)prover->n * prover->n;
    unsigned *out = prover->scratch;
    bool closure = node->op == NODE_PLUS || node->op == NODE_STAR;
    memset(out, 0xff, size * sizeof *out);
    if (node->op == NODE_SEQUENCE)
        sequence(prover, node, out);
    for (unsigned a = 0; a < prover->n; a++)
        for (unsigned b = 0; b < prover->n; b++) {
            unsigned *known = at(prover, out, a, b);
            if (closure || node->op == NODE_OPTION)
                *known = plus(cost(prover, node->left, a, b), COST_STEP);
            else if (node->op != NODE_SEQUENCE && has(prover, index, a, b))
                *known = pair_cost(prover, node, a, b);
        }
    if (closure)
        close_costs(prover, out);
    for (unsigned a = 0; a < prover->n && (node->op == NODE_STAR || node->op == NODE_OPTION); a++)
        *at(prover, out, a, a) = 0;
    bool changed = memcmp(out, prover->costs[index], size * sizeof *out) != 0;
    memcpy(prover->costs[index], out, size * sizeof *out);
    return changed;
}

static bool is_known(void *context, unsigned index) {
    return ((struct prover *)context)->costs[index] != NULL;
}

// Costs of NEVER.
static void start(void *context, unsigned index) {
    struct prover *prover = context;
    size_t size = (size_t)prover->n * prover->n;
    prover->costs[index] = ARENA_ARRAY(prover->arena, unsigned, size + 1);
    memset(prover->costs[index], 0xff, size * sizeof(unsigned));
}

static void prepare(struct prover *prover, unsigned index) {
    const struct node_rounds rounds = {prover->model, prover, true, is_known, start, compute};
    rounds_compute(prover->arena, &rounds, index);
}

unsigned prover_cost(struct prover *prover, unsigned node, unsigned a, unsigned b) {
    if (prover->places[a] < 0 || prover->places[b] < 0)
        return NEVER;
    prepare(prover, node);
    return cost(prover, node, (unsigned)prover->places[a], (unsigned)prover->places[b]);
}

// --- Proofs ------------------------------------------------------------------------------------

static struct proof *prove(struct prover *prover, unsigned node, unsigned a, unsigned b);

static void add(struct prover *prover, struct proof *proof, unsigned node, unsigned a, unsigned b) {
    proof->operands =
        arena_grow(prover->arena, proof->operands, proof->operand_count, sizeof *proof->operands);
    proof->operands[proof->operand_count++] = prove(prover, node, a, b);
}

// The steps of a closure from a to b, the first one as cheap as all that it costs allows.
static void add_path(struct prover *prover, struct proof *proof, const struct model_node *node,
                     unsigned index, unsigned a, unsigned b) {
    unsigned left = cost(prover, index, a, b);
    for (bool first = true; first || a != b; first = false) {
        unsigned next = prover->n;
        if (node->op == NODE_STAR && a == b)
            return;
        for (unsigned c = 0; c < prover->n && next == prover->n; c++) {
            unsigned step = plus(cost(prover, node->left, a, c), COST_STEP);
            unsigned rest = c == b ? 0 : cost(prover, index, c, b);
            if (step != NEVER && plus(step, rest) == left) {
                next = c;
                left = rest;
            }
        }
        if (next == prover->n)
            bug("a path of the relation in node %u is lost", index);
        add(prover, proof, node->left, a, next);
        a = next;
    }
}

static void add_sequence(struct prover *prover, struct proof *proof, const struct model_node *node,
                         unsigned index, unsigned a, unsigned b) {
    unsigned middle = 0;
    while (plus(cost(prover, node->left, a, middle), cost(prover, node->right, middle, b)) !=
           cost(prover, index, a, b))
        middle++;
    assert(middle < prover->n);
    add(prover, proof, node->left, a, middle);
    add(prover, proof, node->right, middle, b);
}

static void add_operands(struct prover *prover, struct proof *proof, unsigned index, unsigned a,
                         unsigned b) {
    const struct model_node *node = &prover->model->nodes[index];
    switch (node->op) {
    case NODE_UNION:
        add(prover, proof,
            cost(prover, node->left, a, b) <= cost(prover, node->right, a, b) ? node->left
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
    case NODE_SEQUENCE: add_sequence(prover, proof, node, index, a, b); break;
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
    proof->cost = cost(prover, node, a, b);
    if (!has(prover, node, a, b) || proof->cost == NEVER)
        bug("there is no proof for a pair of node %u", node);
    add_operands(prover, proof, node, a, b);
    return proof;
}

struct proof *prover_pair(struct prover *prover, unsigned node, unsigned a, unsigned b) {
    assert(prover->places[a] >= 0 && prover->places[b] >= 0);
    prepare(prover, node);
    return prove(prover, node, (unsigned)prover->places[a], (unsigned)prover->places[b]);
}

// --- Cycles ------------------------------------------------------------------------------------

// Where the cheapest way from an event over the relation back to it starts; -1 without any.
static int cheapest_cycle(const struct prover *prover, const unsigned *paths) {
    unsigned best = NEVER;
    int start = -1;
    for (unsigned a = 0; a < prover->n; a++)
        if (paths[(size_t)a * prover->n + a] < best) {
            best = paths[(size_t)a * prover->n + a];
            start = (int)a;
        }
    return start;
}

struct proof **prover_cycle(struct prover *prover, unsigned node, size_t *count) {
    size_t size = (size_t)prover->n * prover->n;
    struct proof **proofs = NULL;
    *count = 0;
    prepare(prover, node);
    unsigned *paths = ARENA_ARRAY(prover->arena, unsigned, size + 1);
    for (size_t i = 0; i < size; i++)
        paths[i] = plus(prover->costs[node][i], COST_STEP);
    close_costs(prover, paths);
    int start = cheapest_cycle(prover, paths);
    if (start < 0)
        return NULL;
    unsigned a = (unsigned)start, left = *at(prover, paths, a, a);
    do {
        unsigned next = 0;
        for (;; next++) {
            unsigned rest = next == (unsigned)start ? 0 : *at(prover, paths, next, (unsigned)start);
            if (next == prover->n)
                bug("a cycle of node %u is lost", node);
            if (plus(plus(cost(prover, node, a, next), COST_STEP), rest) == left) {
                left = rest;
                break;
            }
        }
        proofs = arena_grow(prover->arena, proofs, *count, sizeof *proofs);
        proofs[(*count)++] = prove(prover, node, a, next);
        a = next;
    } while (a != (unsigned)start);
    return proofs;
}

struct proof *prover_any(struct prover *prover, unsigned node) {
    unsigned best = NEVER, from = 0, to = 0;
    prepare(prover, node);
    for (unsigned a = 0; a < prover->n; a++)
        for (unsigned b = 0; b < prover->n; b++)
            if (cost(prover, node, a, b) < best) {
                best = cost(prover, node, a, b);
                from = a;
                to = b;
            }
    return best == NEVER ? NULL : prove(prover, node, from, to);
}
