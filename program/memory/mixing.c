// Whether a read may mix the bytes of two writes: moral strength, as far as the events tell, or two
// operations on one mbarrier.
//
// It is that of the models that are built in. A model that calls fewer accesses morally strong is
// read as if it had their axiom of single copies.

#include "program/memory/memory.h"
#include "program/builder.h"

#include <assert.h>

// Operations on an mbarrier find each other whole, whatever their scopes (Mbarrier-whole).
static bool are_on_mbarrier(struct cell_access a, struct cell_access b) {
    return a.event->mbarrier != NULL && b.event->mbarrier != NULL && a.at->offset == b.at->offset &&
           a.event->size == b.event->size;
}

static bool are_morally_strong(const struct builder *builder, struct cell_access a,
                               struct cell_access b) {
    const struct thread *threads = builder->test->threads;
    const struct event *x = a.event, *y = b.event;
    if (a.at->range != b.at->range || a.at->offset != b.at->offset || x->size != y->size ||
        x->proxy != y->proxy)
        return false;
    const struct place *p = &threads[x->thread].place, *q = &threads[y->thread].place;
    return event_same_thread(x, y) || (!event_is_wide(x) && test_scope_contains(x->scope, p, q) &&
                                       test_scope_contains(y->scope, p, q));
}

bool tearing_may_mix(const struct builder *builder, const struct cell_access *touches,
                     size_t count) {
    for (size_t w = 0; w < count; w++)
        for (size_t i = 0; touches[w].event->kind == EVENT_WRITE && i < count; i++)
            if (touches[i].event != touches[w].event && !are_on_mbarrier(touches[w], touches[i]) &&
                !are_morally_strong(builder, touches[w], touches[i]))
                return true;
    return false;
}

// The accesses to some bytes, into `touches`; NULL: just their number.
static size_t find_touches(const struct program *program, unsigned object, uint64_t offset,
                           unsigned size, struct cell_access *touches) {
    assert(object < program->memory.object_count);
    size_t count = 0;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        for (size_t k = 0; event_is_access(event) && k < event->candidate_count; k++) {
            const struct candidate *at = &event->candidates[k];
            if (at->object != object || at->offset >= offset + size ||
                offset >= at->offset + event->size)
                continue;
            if (touches != NULL)
                touches[count] = (struct cell_access){event, at};
            count++;
        }
    }
    return count;
}

bool tearing_may_mix_at(const struct builder *builder, unsigned object, uint64_t offset,
                        unsigned size) {
    assert(object < builder->program->memory.object_count);
    const struct program *program = builder->program;
    size_t count = find_touches(program, object, offset, size, NULL);
    struct cell_access *touches = ARENA_ARRAY(builder->arena, struct cell_access, count);
    find_touches(program, object, offset, size, touches);
    return tearing_may_mix(builder, touches, count);
}
