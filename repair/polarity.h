// Whether making a place stronger only ever rules executions out, as far as the model's graph
// tells.
#ifndef PTXLITMUS_REPAIR_POLARITY_H
#define PTXLITMUS_REPAIR_POLARITY_H

#include "model/cat/model.h"
#include "repair/variants.h"

struct arena;

// Returns, by place, whether no axiom that the model requires can become weaker when the place
// takes a stronger form, whatever the other places have; with `flags`, also whether no flag can
// come to hold. False where the graph does not tell. The arena owns the result.
bool *polarity_monotone(struct arena *arena, struct change_variants *variants,
                        const struct model *model, bool flags);

#endif
