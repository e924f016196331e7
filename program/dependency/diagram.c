// Reduced ordered binary decision diagrams: a table of nodes without repetitions, and a cache of
// the results of operations.

#include "program/dependency/diagram.h"

#include "litmus/source/allocate.h"
#include "litmus/source/diagnostics.h"

#include <stdint.h>
#include <stdlib.h>

enum {
    NODES_MAX = 1 << 16,
    BUCKETS = 1 << 17, // of nodes: a power of two, twice NODES_MAX
    CACHE = 1 << 15,   // of operations: a power of two
};

enum operation { OPERATION_AND, OPERATION_XOR };

struct node {
    unsigned rank;
    diagram low, high; // where the variable is 0 and 1; never equal
    unsigned seen;     // the number of the walk that came here last
};

// What was computed by this operation, when it is of the current problem.
struct cached {
    unsigned problem;
    enum operation operation;
    diagram a, b, result;
};

struct bucket {
    unsigned problem; // free when this is not the current one
    diagram node;
};

struct diagrams {
    struct node nodes[NODES_MAX]; // the first two are the constants
    unsigned count;
    struct bucket buckets[BUCKETS];
    struct cached cache[CACHE];
    unsigned problem; // the number of the current one
    unsigned walk;    // the number of the last walk
    unsigned steps, steps_max;
};

struct diagrams *diagrams_new(void) {
    return allocate(1, sizeof(struct diagrams));
}

void diagrams_free(struct diagrams *diagrams) {
    free(diagrams);
}

void diagrams_begin(struct diagrams *diagrams, unsigned steps) {
    diagrams->problem++;
    diagrams->steps = 0;
    diagrams->steps_max = steps;
    diagrams->count = 2;
    for (diagram i = 0; i < 2; i++)
        diagrams->nodes[i] = (struct node){.rank = DIAGRAM_VARIABLES_MAX};
}

unsigned diagrams_steps(const struct diagrams *diagrams) {
    return diagrams->steps;
}

// --- Nodes -------------------------------------------------------------------------------------

static uint64_t hash(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t h = (a * UINT64_C(0x9e3779b97f4a7c15)) ^ (b * UINT64_C(0xc2b2ae3d27d4eb4f)) ^
                 (c * UINT64_C(0x165667b19e3779f9));
    return h ^ h >> 32;
}

static diagram make_node(struct diagrams *diagrams, unsigned rank, diagram low, diagram high) {
    if (low == DIAGRAM_TOO_LARGE || high == DIAGRAM_TOO_LARGE)
        return DIAGRAM_TOO_LARGE;
    if (low == high)
        return low;
    unsigned at = (unsigned)hash(rank, low, high) & (BUCKETS - 1);
    for (; diagrams->buckets[at].problem == diagrams->problem; at = (at + 1) & (BUCKETS - 1)) {
        const struct node *node = &diagrams->nodes[diagrams->buckets[at].node];
        if (node->rank == rank && node->low == low && node->high == high)
            return diagrams->buckets[at].node;
    }
    if (diagrams->count == NODES_MAX)
        return DIAGRAM_TOO_LARGE;
    diagrams->nodes[diagrams->count] = (struct node){.rank = rank, .low = low, .high = high};
    diagrams->buckets[at] = (struct bucket){diagrams->problem, diagrams->count};
    return diagrams->count++;
}

diagram diagram_variable(struct diagrams *diagrams, unsigned rank) {
    if (rank >= DIAGRAM_VARIABLES_MAX)
        bug("a diagram with variable %u", rank);
    return make_node(diagrams, rank, DIAGRAM_FALSE, DIAGRAM_TRUE);
}

// --- Operations --------------------------------------------------------------------------------

// The result where it is seen without looking into the operands, else DIAGRAM_TOO_LARGE.
static diagram simple_case(enum operation operation, diagram a, diagram b) {
    if (operation == OPERATION_AND) {
        if (a == DIAGRAM_FALSE || b == DIAGRAM_FALSE)
            return DIAGRAM_FALSE;
        if (a == DIAGRAM_TRUE || a == b)
            return b;
        return b == DIAGRAM_TRUE ? a : DIAGRAM_TOO_LARGE;
    }
    if (a == b)
        return DIAGRAM_FALSE;
    if (a == DIAGRAM_FALSE)
        return b;
    return b == DIAGRAM_FALSE ? a : DIAGRAM_TOO_LARGE;
}

// The depth of the recursion is at most the number of variables.
static diagram apply(struct diagrams *diagrams, enum operation operation, diagram a, diagram b) {
    if (a == DIAGRAM_TOO_LARGE || b == DIAGRAM_TOO_LARGE)
        return DIAGRAM_TOO_LARGE;
    if (a > b) {
        diagram first = a;
        a = b;
        b = first;
    }
    diagram result = simple_case(operation, a, b);
    if (result != DIAGRAM_TOO_LARGE)
        return result;
    struct cached *cached = &diagrams->cache[hash(operation, a, b) & (CACHE - 1)];
    if (cached->problem == diagrams->problem && cached->operation == operation && cached->a == a &&
        cached->b == b)
        return cached->result;
    if (diagrams->steps++ >= diagrams->steps_max)
        return DIAGRAM_TOO_LARGE;
    const struct node *x = &diagrams->nodes[a], *y = &diagrams->nodes[b];
    unsigned rank = x->rank < y->rank ? x->rank : y->rank;
    bool splits_x = x->rank == rank, splits_y = y->rank == rank;
    diagram low = apply(diagrams, operation, splits_x ? x->low : a, splits_y ? y->low : b);
    diagram high = apply(diagrams, operation, splits_x ? x->high : a, splits_y ? y->high : b);
    result = make_node(diagrams, rank, low, high);
    if (result != DIAGRAM_TOO_LARGE)
        *cached = (struct cached){diagrams->problem, operation, a, b, result};
    return result;
}

diagram diagram_and(struct diagrams *diagrams, diagram a, diagram b) {
    if (a == DIAGRAM_FALSE || b == DIAGRAM_FALSE) // also where the other one is too large
        return DIAGRAM_FALSE;
    return apply(diagrams, OPERATION_AND, a, b);
}

diagram diagram_xor(struct diagrams *diagrams, diagram a, diagram b) {
    return apply(diagrams, OPERATION_XOR, a, b);
}

diagram diagram_not(struct diagrams *diagrams, diagram a) {
    return diagram_xor(diagrams, a, DIAGRAM_TRUE);
}

diagram diagram_or(struct diagrams *diagrams, diagram a, diagram b) {
    diagram neither = diagram_and(diagrams, diagram_not(diagrams, a), diagram_not(diagrams, b));
    return diagram_not(diagrams, neither);
}

diagram diagram_choose(struct diagrams *diagrams, diagram condition, diagram then_value,
                       diagram else_value) {
    if (condition == DIAGRAM_TRUE || then_value == else_value)
        return then_value;
    if (condition == DIAGRAM_FALSE)
        return else_value;
    // else ^ (condition & (then ^ else))
    diagram differ = diagram_xor(diagrams, then_value, else_value);
    return diagram_xor(diagrams, else_value, diagram_and(diagrams, condition, differ));
}

// --- Variables ---------------------------------------------------------------------------------

static void walk(struct diagrams *diagrams, diagram function, bool *occurs) {
    struct node *node = &diagrams->nodes[function];
    if (function <= DIAGRAM_TRUE || node->seen == diagrams->walk)
        return;
    node->seen = diagrams->walk;
    occurs[node->rank] = true;
    walk(diagrams, node->low, occurs);
    walk(diagrams, node->high, occurs);
}

void diagram_mark_variables(struct diagrams *diagrams, diagram function, bool *occurs) {
    if (function == DIAGRAM_TOO_LARGE)
        bug("which variables a diagram has that is too large");
    diagrams->walk++;
    walk(diagrams, function, occurs);
}
