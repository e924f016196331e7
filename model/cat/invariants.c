// What model.h says of every model, as assertions.
#include "model/cat/invariants.h"

#include "model/cat/model.h"

#include <assert.h>

#ifdef NDEBUG
void model_assert(const struct model *model) {
    (void)model;
}
#else

// Whether the operands are set nodes (or relation nodes), for each operator that has some.
static void assert_operands(const struct model *model, unsigned index) {
    const struct model_node *node = &model->nodes[index];
    const struct model_node *left = &model->nodes[node->left], *right = &model->nodes[node->right];
    switch (node->op) {
    case NODE_BASE_SET: assert(node->is_set && node->base < BASE_SET_COUNT); break;
    case NODE_BASE_RELATION: assert(!node->is_set && node->base < BASE_REL_COUNT); break;
    case NODE_EMPTY:
    case NODE_UNIVERSE: break;
    case NODE_UNION:
    case NODE_INTERSECTION:
    case NODE_DIFFERENCE:
        assert(node->left < index && node->right < index);
        assert(left->is_set == node->is_set && right->is_set == node->is_set);
        break;
    case NODE_SEQUENCE:
        assert(node->left < index && node->right < index);
        assert(!left->is_set && !right->is_set && !node->is_set);
        break;
    case NODE_PRODUCT:
        assert(node->left < index && node->right < index);
        assert(left->is_set && right->is_set && !node->is_set);
        break;
    case NODE_COMPLEMENT: assert(node->left < index && left->is_set == node->is_set); break;
    case NODE_INVERSE:
    case NODE_PLUS:
    case NODE_STAR:
    case NODE_OPTION: assert(node->left < index && !left->is_set && !node->is_set); break;
    case NODE_IDENTITY: assert(node->left < index && left->is_set && !node->is_set); break;
    case NODE_DOMAIN:
    case NODE_RANGE: assert(node->left < index && !left->is_set && node->is_set); break;
    case NODE_RECURSION: // its body comes later
        assert(node->left > index && node->left < model->node_count);
        assert(left->is_set == node->is_set && node->recursive);
        break;
    }
}

static void assert_axiom(const struct model *model, const struct model_axiom *axiom) {
    assert(axiom->node < model->node_count);
    assert(axiom->name != NULL);
    assert(axiom->kind == AXIOM_EMPTY || !model->nodes[axiom->node].is_set);
    assert(axiom->use == AXIOM_FLAG || (!axiom->negated && !axiom->race && !axiom->undefined));
}

void model_assert(const struct model *model) {
    assert(model->name != NULL && model->title != NULL);
    for (unsigned i = 0; i < model->node_count; i++)
        assert_operands(model, i);
    for (size_t i = 0; i < model->axiom_count; i++)
        assert_axiom(model, &model->axioms[i]);
}
#endif
