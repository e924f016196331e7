// The nodes that one depends on, in the order of the graph, as often as it takes.
#include "explain/rounds.h"

#include "litmus/source/arena.h"

#include <assert.h>

static unsigned operand_count(const struct node_rounds *rounds, enum node_op op) {
    switch (op) {
    case NODE_BASE_SET:
    case NODE_BASE_RELATION:
    case NODE_EMPTY:
    case NODE_UNIVERSE: return 0;
    case NODE_COMPLEMENT: return rounds->positive ? 0 : 1;
    case NODE_DIFFERENCE: return rounds->positive ? 1 : 2;
    case NODE_UNION:
    case NODE_INTERSECTION:
    case NODE_SEQUENCE:
    case NODE_PRODUCT: return 2;
    default: return 1;
    }
}

// Marks what the node depends on and is not known yet, and starts it.
static void begin(const struct node_rounds *rounds, unsigned index, bool *open) {
    assert(index < rounds->model->node_count);
    const struct model_node *node = &rounds->model->nodes[index];
    if (rounds->is_known(rounds->context, index))
        return;
    rounds->start(rounds->context, index);
    open[index] = true;
    if (operand_count(rounds, node->op) > 0)
        begin(rounds, node->left, open);
    if (operand_count(rounds, node->op) > 1)
        begin(rounds, node->right, open);
}

void rounds_compute(struct arena *arena, const struct node_rounds *rounds, unsigned node) {
    if (rounds->is_known(rounds->context, node))
        return;
    size_t count = rounds->model->node_count;
    bool *open = ARENA_ARRAY(arena, bool, count);
    begin(rounds, node, open);
    // Operands precede their users, but for the bodies of recursive names.
    bool recursive = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned i = 0; i < count; i++)
            if (open[i]) {
                recursive = recursive || rounds->model->nodes[i].op == NODE_RECURSION;
                changed = rounds->compute(rounds->context, i) || changed;
            }
        changed = changed && recursive;
    }
}
