// What model.h says of every model, as assertions: what the solver and model_evaluate may assume.
#ifndef PTXLITMUS_MODEL_CAT_INVARIANTS_H
#define PTXLITMUS_MODEL_CAT_INVARIANTS_H

struct model;

// Asserts all of it of a model that was read without errors; nothing in builds without assertions.
// Linear in the model.
void model_assert(const struct model *model);

#endif
