// Which instructions of waiting loops may take part in a race, once it is known where they access
// memory.
//
// Where the text of an instruction does not say which place it accesses (its address is in a
// register), loop/spin.c takes it that it may race, and one more round of its loop is kept. When
// the program has been built, each access has its places, and most such loops are found to race
// with nothing: then it is built again without that round, which may be the difference between a
// loop of which one round is enough and one that has to be unrolled (the exch of a lock).

#include "program/builder.h"
#include "program/loop/loops.h"
#include "program/memory/memory.h"

#include <assert.h>

static bool may_race(const struct program *program, const struct event *a, const struct event *b) {
    return event_is_access(b) && !event_same_thread(a, b) &&
           (a->kind == EVENT_WRITE || b->kind == EVENT_WRITE) && cells_may_overlap(a, b) &&
           !spin_are_morally_strong(program, a, b);
}

static bool may_race_with_any(const struct program *program, const struct event *event) {
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (may_race(program, event, &program->events[i]))
            return true;
    return false;
}

static bool **no_races(const struct builder *builder) {
    const struct test *test = builder->test;
    bool **races = ARENA_ARRAY(builder->arena, bool *, test->thread_count);
    for (size_t t = 0; t < test->thread_count; t++)
        races[t] = ARENA_ARRAY(builder->arena, bool, test->threads[t].instruction_count + 1);
    return races;
}

bool races_refine(struct build_plan *plan, const struct builder *built) {
    const struct program *program = built->program;
    if (plan->races != NULL || !built->loops.keeps_turns || built->too_many_events)
        return false;
    bool **races = no_races(built);
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (!event_is_access(event))
            continue;
        const struct thread *thread = &program->test->threads[event->thread];
        bool *known = &races[event->thread][event->instruction - thread->instructions];
        assert(known < &races[event->thread][thread->instruction_count]);
        *known = *known || may_race_with_any(program, event);
    }
    plan->races = races;
    return true;
}
