// What the required axioms say of rf and co before the search begins.
//
// Most writes of one thread to one place can only be in the order of the program, and most reads
// can take their value from few of them. The solver would find that out pair by pair; here the
// relations are narrowed, so that there are no variables for it.

#include "solver/bounds/bounds.h"

#include <assert.h>

// Each round narrows what the next one starts from. There is little to find after the first two.
enum { ROUNDS_MAX = 4 };

static void remove_pair(struct relation *relation, unsigned a, unsigned b) {
    assert(a < relation->n);
    assert(b < relation->n);
    relation->rows[(size_t)a * relation->words + b / 64] &= ~((uint64_t)1 << (b % 64));
}

// Where r \ co must be empty, pairs that are in r for sure are in co.
static bool require_co(struct facts *facts, const struct relation *must) {
    struct relation *may_co = &facts->may[BASE_REL_CO], *must_co = &facts->must[BASE_REL_CO];
    bool changed = false;
    for (unsigned a = 0; a < facts->n; a++)
        for (unsigned b = 0; b < facts->n; b++)
            if (relation_has(may_co, a, b) && relation_has(must, a, b) &&
                !relation_has(must_co, a, b) && !relation_has(must_co, b, a)) {
                relation_add(must_co, a, b);
                remove_pair(may_co, b, a);
                changed = true;
            }
    return changed;
}

// Where `rf ; back` must have no cycle, a read takes nothing from a write that the way back leads
// to for sure.
static bool exclude_rf(struct facts *facts, const struct relation *back) {
    struct relation *rf = &facts->may[BASE_REL_RF];
    bool changed = false;
    for (unsigned w = 0; w < facts->n; w++)
        for (unsigned r = 0; r < facts->n; r++)
            if (relation_has(rf, w, r) && relation_has(back, r, w) &&
                !relation_has(&facts->must[BASE_REL_RF], w, r)) {
                remove_pair(rf, w, r);
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

// Where `fr ; back` must have no cycle, a read takes nothing from a write that is for sure
// co-before one from which the way back leads to the read. (fr itself stays as it is: it follows
// from rf and co, and that it has no such cycle is asserted.)
static bool exclude_overwritten(struct facts *facts, const struct relation *back) {
    struct relation *rf = &facts->may[BASE_REL_RF];
    bool changed = false;
    for (unsigned w = 0; w < facts->n; w++)
        for (unsigned later = 0; later < facts->n; later++) {
            if (!relation_has(&facts->must[BASE_REL_CO], w, later))
                continue;
            for (unsigned r = 0; r < facts->n; r++)
                if (relation_has(rf, w, r) && relation_has(back, later, r) &&
                    covers(facts, later, r) && !relation_has(&facts->must[BASE_REL_RF], w, r)) {
                    remove_pair(rf, w, r);
                    changed = true;
                }
        }
    return changed;
}

// Whether a union has the base relation as a member; or is it.
static bool has_member(const struct model *model, unsigned node, enum base_relation base) {
    const struct model_node *n = &model->nodes[node];
    if (n->op == NODE_UNION)
        return has_member(model, n->left, base) || has_member(model, n->right, base);
    return n->op == NODE_BASE_RELATION && n->base == (unsigned)base;
}

static bool narrow_by_axiom(struct facts *facts, const struct bounds *bounds,
                            const struct model_axiom *axiom) {
    const struct model *model = bounds->model;
    const struct model_node *node = &model->nodes[axiom->node];
    if (axiom->use != AXIOM_REQUIRED)
        return false;
    if (axiom->kind == AXIOM_EMPTY && node->op == NODE_DIFFERENCE &&
        model->nodes[node->right].op == NODE_BASE_RELATION &&
        model->nodes[node->right].base == BASE_REL_CO)
        return require_co(facts, &bounds->nodes[node->left].must);
    if (axiom->kind != AXIOM_IRREFLEXIVE || node->op != NODE_SEQUENCE)
        return false;
    const struct relation *back = &bounds->nodes[node->right].must;
    bool rf = has_member(model, node->left, BASE_REL_RF) && exclude_rf(facts, back);
    bool fr = has_member(model, node->left, BASE_REL_FR) && exclude_overwritten(facts, back);
    return rf || fr;
}

void bounds_narrow(struct arena *arena, struct facts *facts, struct bounds *bounds) {
    assert(bounds->facts == facts); // which this narrows
    for (unsigned round = 0; round < ROUNDS_MAX; round++) {
        bool changed = false;
        for (size_t i = 0; i < bounds->model->axiom_count; i++)
            changed = narrow_by_axiom(facts, bounds, &bounds->model->axioms[i]) || changed;
        if (!changed)
            return;
        bounds_update(arena, bounds);
    }
}
