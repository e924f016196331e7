// How strong a test may be made while an execution that was found remains allowed.
#ifndef PTXLITMUS_REPAIR_GROW_H
#define PTXLITMUS_REPAIR_GROW_H

#include "repair/variants.h"
#include "solver/find.h"

// Makes a choice stronger, place by place, while the execution that was found with it remains
// allowed: no place can be made stronger alone. Places that are not `monotone` stay as they are.
// `order` tries the places in one of several orders. Adds the number of executions that were
// evaluated to `*evaluations`.
void grow_choice(const struct change_variants *variants, const bool *monotone,
                 struct held_execution *found, unsigned order, size_t *choice, size_t *evaluations);

enum { GROW_ORDERS = 3 };

#endif
