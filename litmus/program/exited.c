// Accesses to the shared memory, or to the tensor memory, of a CTA that may have exited
// (memory-model.md section 16): which events of its threads such an access has to come before one
// of.

#include "litmus/program/builder.h"

#include <assert.h>

// Whether all threads of a CTA come to an exit that ends them (one bit): not one that is guarded,
// by which a litmus test leaves executions out, nor the end of the text.
static const struct expr *cta_ends(const struct builder *builder, int leader) {
    const struct expr *ends = builder->always;
    for (size_t t = 0; t < builder->test->thread_count; t++)
        if (builder->cta_leader[t] == leader)
            ends = others_left_out(builder->test, (int)t)
                       ? builder->never
                       : expr_and(builder->pool, ends, builder->ends[t]);
    return ends;
}

// Whether the event is in the shared or tensor memory of a CTA (one bit).
static const struct expr *is_in_cta(const struct builder *builder, const struct event *event,
                                    int leader) {
    const struct expr *is_there = builder->never;
    for (size_t i = 0; i < event->candidate_count; i++) {
        const struct object *object = &builder->program->objects[event->candidates[i].object];
        bool of_cta = state_space_is_shared(object->space) || object->space == SPACE_TENSOR;
        if (of_cta && object->instance >= 0 && builder->cta_leader[object->instance] == leader)
            is_there = expr_or(builder->pool, is_there, event->candidates[i].condition);
    }
    return is_there;
}

static void add(const struct builder *builder, struct event *event, unsigned other,
                const struct expr *condition) {
    struct dependency_list *list = &event->outlives;
    list->items = arena_grow(builder->arena, list->items, list->count, sizeof *list->items);
    list->items[list->count++] = (struct dependency){other, condition};
}

static void find_for(struct builder *builder, struct event *event, int leader,
                     const struct expr *ends) {
    struct program *program = builder->program;
    const struct expr *outlives = expr_and(builder->pool, ends, is_in_cta(builder, event, leader));
    if (expr_is_false(outlives))
        return;
    add(builder, event, event->id, outlives);
    for (unsigned i = (unsigned)program->init_count; i < program->event_count; i++) {
        const struct event *other = &program->events[i];
        if (!event_is_detached(other) && builder->cta_leader[other->thread] == leader)
            add(builder, event, i, outlives);
    }
}

void exited_find(struct builder *builder) {
    struct program *program = builder->program;
    for (size_t t = 0; t < builder->test->thread_count; t++) {
        int leader = builder->cta_leader[t];
        const struct expr *ends = leader == (int)t ? cta_ends(builder, leader) : builder->never;
        if (expr_is_false(ends))
            continue;
        for (size_t i = program->init_count; i < program->event_count; i++) {
            struct event *event = &program->events[i];
            if (event->access != NULL && builder->cta_leader[event->thread] != leader)
                find_for(builder, event, leader, ends);
        }
    }
}
