// How strong a test may be made while an execution that was found remains allowed.
#ifndef PTXLITMUS_REPAIR_GROW_H
#define PTXLITMUS_REPAIR_GROW_H

#include "repair/work.h"

// Makes a choice stronger, place by place, while the execution that was found with it remains
// allowed: no place can be made stronger alone, unless the time is over. Places that are not
// monotone stay as they are. `order` tries the places in one of several orders. Counts in the
// work's statistics how often an execution was evaluated.
void grow_choice(const struct change_work *work, struct held_execution *found, unsigned order,
                 size_t *choice);

enum { GROW_ORDERS = 3 };

#endif
