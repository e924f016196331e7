// What the required axioms say of rf and co before the search begins.
//
// Most writes of one thread to one place can only be in the order of the program, and most reads
// can take their value from few of them. The solver would find that out pair by pair; here the
// relations are narrowed, so that there are no variables for it.

#include "solver/bounds/bounds.h"

#include "litmus/source/arena.h"

#include <assert.h>
#include <string.h>

// Each round narrows what the next one starts from. There is little to find after the first two.
enum { ROUNDS_MAX = 4 };

static void remove_pair(struct relation *relation, unsigned a, unsigned b) {
    assert(a < relation->n);
    assert(b < relation->n);
    relation->rows[(size_t)a * relation->words + b / 64] &= ~((uint64_t)1 << (b % 64));
}

// Whether a pair of two writes can be in a node only if co orders them, as it may the one way.
static bool is_by_co(const struct facts *facts, const struct bounds *bounds, unsigned node,
                     unsigned a, unsigned b) {
    const struct model_node *n = &bounds->model->nodes[node];
    if (n->op == NODE_UNION)
        return is_by_co(facts, bounds, n->left, a, b) && is_by_co(facts, bounds, n->right, a, b);
    if (n->op == NODE_BASE_RELATION && n->base == (unsigned)BASE_REL_CO)
        return true;
    if (n->op == NODE_INVERSE && is_by_co(facts, bounds, n->left, b, a))
        return !relation_has(&facts->may[BASE_REL_CO], b, a);
    return !relation_has(&bounds->nodes[node].may, a, b);
}

// Where `must \ node` must be empty, pairs that are in the first for sure, and in the node only by
// co, are in co.
static bool require_co(struct facts *facts, const struct bounds *bounds,
                       const struct relation *must, unsigned node) {
    struct relation *may_co = &facts->may[BASE_REL_CO], *must_co = &facts->must[BASE_REL_CO];
    bool changed = false;
    for (unsigned a = 0; a < facts->n; a++)
        for (unsigned b = 0; b < facts->n; b++)
            if (relation_has(may_co, a, b) && relation_has(must, a, b) &&
                !relation_has(must_co, a, b) && !relation_has(must_co, b, a) &&
                is_by_co(facts, bounds, node, a, b)) {
                relation_add(must_co, a, b);
                remove_pair(may_co, b, a);
                changed = true;
            }
    return changed;
}

// Whether a pair is in a node whenever it is in a base relation.
static bool follows(const struct bounds *bounds, unsigned node, enum base_relation base, unsigned a,
                    unsigned b) {
    const struct model_node *n = &bounds->model->nodes[node];
    switch (n->op) {
    case NODE_BASE_RELATION: return n->base == (unsigned)base;
    case NODE_UNION:
        return follows(bounds, n->left, base, a, b) || follows(bounds, n->right, base, a, b);
    case NODE_INTERSECTION:
        return (follows(bounds, n->left, base, a, b) &&
                relation_has(&bounds->nodes[n->right].must, a, b)) ||
               (relation_has(&bounds->nodes[n->left].must, a, b) &&
                follows(bounds, n->right, base, a, b));
    case NODE_PLUS: return follows(bounds, n->left, base, a, b);
    default: return false;
    }
}

// What follows is said of axioms by which `node ; back` has no cycle. co orders no two writes so
// that the way back leads from the second to the first for sure, if co is in the node; and a read
// takes nothing from a write that the way back leads to for sure, if rf is.
static bool exclude(struct facts *facts, const struct bounds *bounds, unsigned node,
                    const struct relation *back, enum base_relation base) {
    struct relation *may = &facts->may[base];
    bool changed = false;
    for (unsigned a = 0; a < facts->n; a++)
        for (unsigned b = 0; b < facts->n; b++)
            if (relation_has(may, a, b) && relation_has(back, b, a) &&
                !relation_has(&facts->must[base], a, b) && follows(bounds, node, base, a, b)) {
                remove_pair(may, a, b);
                changed = true;
            }
    return changed;
}

// Whether the write changes all that the read takes, whenever the read executes.
static bool covers(const struct facts *facts, unsigned write, unsigned read) {
    assert(write < facts->n);
    assert(read < facts->n);
    return relation_has(&facts->implies, read, write) &&
           relation_has(&facts->must[BASE_REL_SAME_EXTENT], write, read);
}

// A read takes nothing from a write that is for sure co-before one from which the way back leads to
// the read, if fr is in the node. (fr itself stays as it is: it follows from rf and co, and that it
// has no such cycle is asserted.)
static bool exclude_overwritten(struct facts *facts, const struct bounds *bounds, unsigned node,
                                const struct relation *back) {
    struct relation *rf = &facts->may[BASE_REL_RF];
    bool changed = false;
    for (unsigned w = 0; w < facts->n; w++)
        for (unsigned later = 0; later < facts->n; later++) {
            if (!relation_has(&facts->must[BASE_REL_CO], w, later))
                continue;
            for (unsigned r = 0; r < facts->n; r++)
                if (relation_has(rf, w, r) && relation_has(back, later, r) &&
                    covers(facts, later, r) && !relation_has(&facts->must[BASE_REL_RF], w, r) &&
                    follows(bounds, node, BASE_REL_FR, r, later)) {
                    remove_pair(rf, w, r);
                    changed = true;
                }
        }
    return changed;
}

// fr leads from a read to what may be co-after a write that it may take something from.
static void narrow_fr(struct arena *arena, struct facts *facts) {
    const struct relation *rf = &facts->may[BASE_REL_RF], *co = &facts->may[BASE_REL_CO];
    struct relation *fr = &facts->may[BASE_REL_FR];
    uint64_t *later = ARENA_ARRAY(arena, uint64_t, fr->words + 1);
    for (unsigned r = 0; r < facts->n; r++) {
        uint64_t *row = fr->rows + (size_t)r * fr->words;
        memset(later, 0, fr->words * sizeof *later);
        for (unsigned w = 0; w < facts->n; w++)
            for (unsigned i = 0; relation_has(rf, w, r) && i < fr->words; i++)
                later[i] |= co->rows[(size_t)w * co->words + i];
        for (unsigned i = 0; i < fr->words; i++)
            row[i] &= later[i];
    }
}

static bool narrow_by_axiom(struct facts *facts, const struct bounds *bounds,
                            const struct model_axiom *axiom) {
    const struct model *model = bounds->model;
    const struct model_node *node = &model->nodes[axiom->node];
    if (axiom->use != AXIOM_REQUIRED)
        return false;
    if (axiom->kind == AXIOM_EMPTY && node->op == NODE_DIFFERENCE)
        return require_co(facts, bounds, &bounds->nodes[node->left].must, node->right);
    if (axiom->kind != AXIOM_IRREFLEXIVE || node->op != NODE_SEQUENCE)
        return false;
    const struct relation *back = &bounds->nodes[node->right].must;
    bool rf = exclude(facts, bounds, node->left, back, BASE_REL_RF);
    bool fr = exclude_overwritten(facts, bounds, node->left, back);
    bool co = exclude(facts, bounds, node->left, back, BASE_REL_CO);
    return rf || fr || co;
}

void bounds_narrow(struct arena *arena, struct facts *facts, struct bounds *bounds) {
    assert(bounds->facts == facts); // which this narrows
    for (unsigned round = 0; round < ROUNDS_MAX; round++) {
        bool changed = false;
        for (size_t i = 0; i < bounds->model->axiom_count; i++)
            changed = narrow_by_axiom(facts, bounds, &bounds->model->axioms[i]) || changed;
        if (!changed)
            return;
        narrow_fr(arena, facts);
        bounds_update(arena, bounds);
    }
}
