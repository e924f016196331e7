// Operations on mbarriers, besides the events of their accesses (access.h).
#ifndef PTXLITMUS_PROGRAM_THREAD_MBARRIER_H
#define PTXLITMUS_PROGRAM_THREAD_MBARRIER_H

#include "program/builder.h"

struct thread_builder;

// Raises the pending count of the mbarrier at an operand [m] by one, in program order.
void mbarrier_raise(struct thread_builder *thread, const struct instruction *instruction,
                    const struct operand *object);

// Whether what a wait is given is, in all executions, the state that this write of an arrival has
// returned.
bool mbarrier_has_state(struct expr_pool *pool, const struct event *wait,
                        const struct event *arrival);

// Finds out which arrivals are in the phases whose waits return 1. After all threads.
void mbarriers_find_phases(struct builder *builder);

#endif
