// Which relations of a model are transitive. Each rule is proved where it is applied: given a to b
// and b to c in the relation, a to c is in it.
#include "model/cat/transitive.h"

static bool is_identity(const struct model_node *node) {
    return node->op == NODE_IDENTITY ||
           (node->op == NODE_BASE_RELATION && node->base == BASE_REL_ID);
}

// [A] ; r and r ; [B]: a to c is in r, a is in A since a to b begins there, and c is in B since b
// to c ends there. r ; r: the four steps from a to c are in r, so three of them are one step of r,
// and the fourth is the other.
static bool is_sequence_transitive(const struct model *model, const struct model_node *node,
                                   const bool *transitive) {
    if (is_identity(&model->nodes[node->left]))
        return transitive[node->right];
    return transitive[node->left] &&
           (is_identity(&model->nodes[node->right]) || node->left == node->right);
}

// r | [A]: one of the two steps stays where it is, and the other one is from a to c; or both are of
// r. (r | s is not transitive for other transitive s: a step of each may lead where none does.)
static bool is_union_transitive(const struct model *model, const struct model_node *node,
                                const bool *transitive) {
    return transitive[node->left] && transitive[node->right] &&
           (is_identity(&model->nodes[node->left]) || is_identity(&model->nodes[node->right]) ||
            node->left == node->right);
}

static bool is_transitive(const struct model *model, const struct model_node *node,
                          const bool *base, const bool *transitive) {
    switch (node->op) {
    case NODE_BASE_RELATION: return base[node->base] || is_identity(node);
    case NODE_EMPTY:    // has no steps
    case NODE_UNIVERSE: // has all pairs
    case NODE_PRODUCT:  // A * B: a is in A, c in B
    case NODE_IDENTITY: // a = b = c
    case NODE_PLUS:     // the path from a to b goes on to c
    case NODE_STAR: return true;
    case NODE_OPTION:  // as r | [_]
    case NODE_INVERSE: // c to b and b to a are in r, hence c to a
        return transitive[node->left];
    case NODE_INTERSECTION: // a to c is in either
        return transitive[node->left] && transitive[node->right];
    case NODE_UNION: return is_union_transitive(model, node, transitive);
    case NODE_SEQUENCE: return is_sequence_transitive(model, node, transitive);
    default: return false; // r \ s and ~r: the step from a to c may be one of s; recursive names
    }
}

void model_find_transitive(const struct model *model, const bool *base, bool *transitive) {
    for (size_t i = 0; i < model->node_count; i++) // operands are before their users
        transitive[i] =
            !model->nodes[i].is_set && is_transitive(model, &model->nodes[i], base, transitive);
}
