// Instructions that touch no memory, and that PTX does not define for all values of their operands:
// what such a program does is flagged at an event of theirs.

#include "program/builder.h"
#include "program/thread/threads.h"

void thread_add_precondition(struct thread_builder *thread, const struct instruction *instruction,
                             const struct expr *broken) {
    // Whether a program ends is asked of programs without flags, whose rounds have equal events.
    bool asks_whether_it_ends = thread->builder->program->endings != NULL;
    if (asks_whether_it_ends ||
        expr_is_false(expr_and(thread->builder->pool, thread->active, broken)))
        return;
    struct event *event = thread_add_event(thread, EVENT_PRECONDITION, instruction);
    thread->position++;
    if (event == NULL)
        return;
    event->order = ORDER_NONE;
    event->scope = SCOPE_NONE;
    event->broken = broken;
}
