// Which relations of a model are transitive, as its text says them: their closure is the relation
// itself.
#ifndef PTXLITMUS_CAT_TRANSITIVE_H
#define PTXLITMUS_CAT_TRANSITIVE_H

#include "model/cat/model.h"

// Says of every node whether it is transitive in all executions in which those base relations are
// for which `base` says so. `base` has BASE_REL_COUNT elements, `transitive` has model->node_count
// and is filled; false claims nothing, and sets are always false. The rules, with a proof of each,
// are in transitive.c.
void model_find_transitive(const struct model *model, const bool *base, bool *transitive);

#endif
