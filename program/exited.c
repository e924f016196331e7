// What accesses the memory of a CTA that may have exited (memory-model section 16): which events
// of its threads such an access has to come before one of. Accesses of other CTAs to its shared or
// tensor memory, and those that asynchronous operations of its own make to its shared memory.

#include "program/builder.h"
#include "program/dependency/dependencies.h"
#include "program/thread/others.h"

#include <assert.h>

// Whether a thread ends (one bit): it comes to an exit that is not guarded, since by guarded ones a
// litmus test leaves executions out. The end of the text is one only where the test says that the
// grid is complete, since another one comes after it: else the test is a part of a kernel.
static const struct expr *thread_ends(const struct builder *builder, size_t t) {
    return test_grid_completes(builder->test, &builder->test->threads[t].place)
               ? builder->ends.exits[t]
               : builder->ends.ends[t];
}

// Whether all threads of a CTA end that are modelled (one bit).
static const struct expr *cta_ends(const struct builder *builder, int leader) {
    const struct expr *ends = builder->always;
    for (size_t t = 0; t < builder->test->thread_count; t++)
        if (builder->cta_leader[t] == leader)
            ends = expr_and(builder->pool, ends, thread_ends(builder, t));
    return ends;
}

static bool has_others(const struct builder *builder, int leader) {
    for (size_t t = 0; t < builder->test->thread_count; t++)
        if (builder->cta_leader[t] == leader && others_left_out(builder->test, (int)t))
            return true;
    return false;
}

// Whether the event is in the shared memory of a CTA, or with `tensor` in its tensor memory (one
// bit).
static const struct expr *is_in_cta(const struct builder *builder, const struct event *event,
                                    int leader, bool tensor) {
    const struct expr *is_there = builder->never;
    for (size_t i = 0; i < event->candidate_count; i++) {
        const struct object *object =
            &builder->program->memory.objects[event->candidates[i].object];
        bool of_cta =
            state_space_is_shared(object->space) || (tensor && object->space == SPACE_TENSOR);
        if (of_cta && object->instance >= 0 && builder->cta_leader[object->instance] == leader)
            is_there = expr_or(builder->pool, is_there, event->candidates[i].condition);
    }
    return is_there;
}

// Notes in a list of an access that it must not come after the CTA: itself, and the events of the
// threads of the CTA.
static void note(const struct builder *builder, struct dependency_list *list, unsigned access,
                 int leader, const struct expr *condition) {
    const struct program *program = builder->program;
    if (expr_is_false(condition))
        return;
    dependencies_add(builder, list, access, condition);
    for (unsigned i = (unsigned)program->init_count; i < program->event_count; i++) {
        const struct event *other = &program->events[i];
        if (!event_is_detached(other) && builder->cta_leader[other->thread] == leader)
            dependencies_add(builder, list, i, condition);
    }
}

// Whether an operation may be complete with what it does to an mbarrier, so that any thread of its
// CTA can wait for it. For others only its own thread can.
static bool completes_on_mbarrier(const struct program *program, const struct event *access) {
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (event->async == NULL || event->async->step != ASYNC_COMPLETE)
            continue;
        for (size_t k = 0; k < event->async->done.count; k++)
            if (event->async->done.items[k].event == access->id)
                return true;
    }
    return false;
}

// Threads that the launch leaves out may do what an access has to come before.
static void find_for(struct builder *builder, struct event *event, int leader,
                     const struct expr *ends) {
    bool own = builder->cta_leader[event->thread] == leader, others = has_others(builder, leader);
    if (event->access == NULL)
        return;
    if (!own && !others)
        note(builder, &event->outlives, event->id, leader,
             expr_and(builder->pool, ends, is_in_cta(builder, event, leader, true)));
    if (own && event_is_detached(event) && event->mbarrier == NULL &&
        !(others && completes_on_mbarrier(builder->program, event)))
        note(builder, &event->underway, event->id, leader,
             expr_and(builder->pool, ends, is_in_cta(builder, event, leader, false)));
}

void exited_find(struct builder *builder) {
    struct program *program = builder->program;
    for (size_t t = 0; t < builder->test->thread_count; t++) {
        int leader = builder->cta_leader[t];
        const struct expr *ends = leader == (int)t ? cta_ends(builder, leader) : builder->never;
        if (expr_is_false(ends))
            continue;
        for (size_t i = program->init_count; i < program->event_count; i++)
            find_for(builder, &program->events[i], leader, ends);
    }
}
