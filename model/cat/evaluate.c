// The value of every node of a model in one concrete execution.
#include "model/cat/model.h"

#include "model/cat/walk.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <string.h>

struct evaluation {
    struct arena *arena;
    const struct model *model;
    const struct model_facts *facts;
    struct node_value *values;
    struct relation all_pairs; // executed * executed
};

// --- Sets --------------------------------------------------------------------------------------

static void evaluate_ends(const struct relation *r, bool domain, struct event_set *out) {
    for (unsigned a = 0; a < r->n; a++)
        for (unsigned b = 0; b < r->n; b++)
            if (relation_has(r, a, b))
                event_set_add(out, domain ? a : b);
}

// One 64-bit word of a set operator's result, or of a relation's.
static uint64_t apply_word(enum node_op op, uint64_t left, uint64_t right) {
    switch (op) {
    case NODE_UNION: return left | right;
    case NODE_INTERSECTION: return left & right;
    case NODE_DIFFERENCE: return left & ~right;
    default: bug("operator %d works on no words", (int)op);
    }
}

static void evaluate_set(const struct evaluation *evaluation, const struct model_node *node,
                         struct event_set *out) {
    const struct node_value *values = evaluation->values;
    const struct event_set *executed = &evaluation->facts->executed;
    memset(out->bits, 0, out->words * sizeof *out->bits);
    if (node->op == NODE_DOMAIN || node->op == NODE_RANGE) {
        evaluate_ends(&values[node->left].relation, node->op == NODE_DOMAIN, out);
        return;
    }
    for (unsigned w = 0; w < out->words; w++) {
        switch (node->op) {
        case NODE_EMPTY: break;
        case NODE_BASE_SET:
            out->bits[w] = evaluation->facts->sets[node->base].bits[w] & executed->bits[w];
            break;
        case NODE_UNIVERSE: out->bits[w] = executed->bits[w]; break;
        case NODE_COMPLEMENT:
            out->bits[w] = executed->bits[w] & ~values[node->left].set.bits[w];
            break;
        default:
            out->bits[w] = apply_word(node->op, values[node->left].set.bits[w],
                                      values[node->right].set.bits[w]);
            break;
        }
    }
}

// --- Relations ---------------------------------------------------------------------------------

static void add_identity(const struct evaluation *evaluation, struct relation *out) {
    for (unsigned a = 0; a < out->n; a++)
        if (event_set_has(&evaluation->facts->executed, a))
            relation_add(out, a, a);
}

static void evaluate_base(const struct evaluation *evaluation, unsigned base,
                          struct relation *out) {
    if (base == BASE_REL_ID)
        relation_identity(out, &evaluation->facts->executed);
    else
        relation_intersection(out, &evaluation->facts->relations[base], &evaluation->all_pairs);
}

static void evaluate_closure(const struct evaluation *evaluation, enum node_op op,
                             const struct relation *operand, struct relation *out) {
    relation_copy(out, operand);
    if (op != NODE_OPTION)
        relation_close(out);
    if (op != NODE_PLUS)
        add_identity(evaluation, out);
}

static void evaluate_relation(const struct evaluation *evaluation, const struct model_node *node,
                              struct relation *out) {
    const struct node_value *left = &evaluation->values[node->left];
    const struct node_value *right = &evaluation->values[node->right];
    switch (node->op) {
    case NODE_EMPTY: relation_difference(out, out, out); break;
    case NODE_BASE_RELATION: evaluate_base(evaluation, node->base, out); break;
    case NODE_UNION: relation_union(out, &left->relation, &right->relation); break;
    case NODE_INTERSECTION: relation_intersection(out, &left->relation, &right->relation); break;
    case NODE_DIFFERENCE: relation_difference(out, &left->relation, &right->relation); break;
    case NODE_COMPLEMENT: relation_difference(out, &evaluation->all_pairs, &left->relation); break;
    case NODE_SEQUENCE: relation_sequence(out, &left->relation, &right->relation); break;
    case NODE_PRODUCT: relation_product(out, &left->set, &right->set); break;
    case NODE_INVERSE: relation_inverse(out, &left->relation); break;
    case NODE_PLUS:
    case NODE_STAR:
    case NODE_OPTION: evaluate_closure(evaluation, node->op, &left->relation, out); break;
    case NODE_IDENTITY: relation_identity(out, &left->set); break;
    default: bug("node operator %d is not a relation", (int)node->op);
    }
}

// --- The graph ---------------------------------------------------------------------------------

// Gives a recursion its body's value. Returns whether that is a new one.
static bool advance_recursion(const struct evaluation *evaluation, unsigned i) {
    const struct model_node *node = &evaluation->model->nodes[i];
    struct node_value *value = &evaluation->values[i];
    const struct node_value *body = &evaluation->values[node->left];
    if (node->is_set) {
        size_t size = value->set.words * sizeof *value->set.bits;
        bool same = memcmp(value->set.bits, body->set.bits, size) == 0;
        memcpy(value->set.bits, body->set.bits, size);
        return !same;
    }
    bool same = relation_equal(&value->relation, &body->relation);
    relation_copy(&value->relation, &body->relation);
    return !same;
}

static bool evaluate_node(void *context, unsigned i) {
    const struct evaluation *evaluation = context;
    const struct model_node *node = &evaluation->model->nodes[i];
    if (node->op == NODE_RECURSION)
        return advance_recursion(evaluation, i);
    if (node->is_set)
        evaluate_set(evaluation, node, &evaluation->values[i].set);
    else
        evaluate_relation(evaluation, node, &evaluation->values[i].relation);
    return false;
}

struct node_value *model_evaluate(struct arena *arena, const struct model *model,
                                  const struct model_facts *facts) {
    struct evaluation evaluation = {.arena = arena, .model = model, .facts = facts};
    evaluation.values = ARENA_ARRAY(arena, struct node_value, model->node_count);
    evaluation.all_pairs = relation_new(arena, facts->n);
    relation_product(&evaluation.all_pairs, &facts->executed, &facts->executed);
    for (size_t i = 0; i < model->node_count; i++)
        if (model->nodes[i].is_set)
            evaluation.values[i].set = event_set_new(arena, facts->n);
        else
            evaluation.values[i].relation = relation_new(arena, facts->n);
    model_walk(
        &(struct model_algebra){.model = model, .context = &evaluation, .compute = evaluate_node});
    return evaluation.values;
}

static bool is_empty(const struct node_value *value) {
    if (value->relation.rows)
        return relation_is_empty(&value->relation);
    for (unsigned w = 0; w < value->set.words; w++)
        if (value->set.bits[w] != 0)
            return false;
    return true;
}

bool model_axiom_holds(const struct model_axiom *axiom, const struct node_value *values) {
    const struct node_value *value = &values[axiom->node];
    bool holds = axiom->kind == AXIOM_EMPTY         ? is_empty(value)
                 : axiom->kind == AXIOM_IRREFLEXIVE ? relation_is_irreflexive(&value->relation)
                                                    : relation_is_acyclic(&value->relation);
    return holds != axiom->negated;
}
