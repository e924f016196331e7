// The order in which the nodes of a model are computed.
#include "model/cat/walk.h"

#include <assert.h>
#include <stddef.h>

unsigned model_operand_count(enum node_op op) {
    assert((unsigned)op <= NODE_RECURSION);
    switch (op) {
    case NODE_BASE_SET:
    case NODE_BASE_RELATION:
    case NODE_EMPTY:
    case NODE_UNIVERSE: return 0;
    case NODE_UNION:
    case NODE_INTERSECTION:
    case NODE_DIFFERENCE:
    case NODE_SEQUENCE:
    case NODE_PRODUCT: return 2;
    default: return 1;
    }
}

unsigned model_group_end(const struct model *model, unsigned first) {
    assert(first < model->node_count);
    unsigned end = first;
    for (unsigned i = first; i < model->node_count && model->nodes[i].op == NODE_RECURSION; i++)
        end = model->nodes[i].left > end ? model->nodes[i].left : end;
    return end;
}

static bool is_over(const struct model_algebra *algebra) {
    return algebra->is_over != NULL && algebra->is_over(algebra->context);
}

// Gives the names from `first` on their bodies' values. Returns whether one has changed.
static bool advance(const struct model_algebra *algebra, unsigned first, unsigned bodies) {
    bool changed = false;
    for (unsigned i = first; i < bodies; i++)
        changed = algebra->compute(algebra->context, i) || changed;
    return changed;
}

// All equations again until no name changes. The names are neighbours, and all of their bodies come
// before anything else. Returns the index after the last of them.
static unsigned walk_group(const struct model_algebra *algebra, unsigned first) {
    const struct model_node *nodes = algebra->model->nodes;
    unsigned bodies = first, end = model_group_end(algebra->model, first);
    while (nodes[bodies].op == NODE_RECURSION)
        bodies++;
    for (unsigned i = bodies; i <= end; i++)
        algebra->compute(algebra->context, i);
    while (advance(algebra, first, bodies) && !is_over(algebra))
        for (unsigned i = bodies; i <= end; i++)
            if (nodes[i].recursive)
                algebra->compute(algebra->context, i);
    return end + 1;
}

void model_walk(const struct model_algebra *algebra) {
    const struct model *model = algebra->model;
    for (unsigned i = 0; i < model->node_count && !is_over(algebra);)
        if (model->nodes[i].op == NODE_RECURSION)
            i = walk_group(algebra, i);
        else
            algebra->compute(algebra->context, i++);
}
