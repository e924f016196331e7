// Reads of which it is known what they return, or may return: of bytes that nothing writes, which
// return what the test says is there at first, and of those to which only constants are written.
//
// The former's values are constants for what is computed from them, and no dependency on them
// counts: a read of an initial write is in no cycle of dependencies and reads (memory-model.md
// section 4), since nothing comes before an initial write.

#include "litmus/program/memory/places.h"

#include <assert.h>

// Bytes that are written, at a virtual address, and what is.
struct written_bytes {
    uint64_t begin, end;
    const struct expr *value;
};

struct unwritten {
    struct builder *builder;
    struct written_bytes *items;
    size_t count;
};

// Collects what all threads write. Returns false where that is not known: an address is computed,
// or bytes have several.
static bool collect_writes(struct unwritten *unwritten) {
    const struct program *program = unwritten->builder->program;
    unwritten->items =
        ARENA_ARRAY(unwritten->builder->arena, struct written_bytes, program->event_count + 1);
    if (program->virtual_range_count != program->object_count)
        return false;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (event->kind != EVENT_WRITE)
            continue;
        if (event->address == NULL || !expr_is_const(event->address))
            return false;
        uint64_t address = event->address->value.low;
        unwritten->items[unwritten->count++] =
            (struct written_bytes){address, address + event->size, event->access->value};
    }
    return true;
}

static bool is_written(const struct unwritten *unwritten, uint64_t address, uint64_t size) {
    for (size_t i = 0; i < unwritten->count; i++)
        if (unwritten->items[i].begin < address + size && address < unwritten->items[i].end)
            return true;
    return others_may_store_at(unwritten->builder, address, size);
}

static bool is_plain_read(const struct event *event) {
    return event->kind == EVENT_READ && event->access->rmw < 0 && event->mbarrier == NULL &&
           event->async == NULL && event->proxy == PROXY_GENERIC && event->address != NULL &&
           expr_is_const(event->address);
}

// The initial value of what a read reads, if that is known: a constant, or NULL.
static const struct expr *initial_value(const struct unwritten *unwritten,
                                        const struct event *event) {
    struct builder *builder = unwritten->builder;
    struct bits128 bits;
    if (!is_plain_read(event))
        return NULL;
    uint64_t address = event->address->value.low;
    const struct virtual_range *range = places_range_of(builder->program, address, event->size);
    if (range == NULL ||
        !places_can_reach(builder, event, &builder->program->objects[range->object]) ||
        !cells_initial_bits(builder, range->object, address - range->address, event->size, &bits))
        return NULL;
    return expr_const(builder->pool, event->access->value->width, bits);
}

// The value of a read as one of a few constants, among them `initial`; NULL where it may be others.
static const struct expr *one_of_few(const struct unwritten *unwritten, const struct event *read,
                                     const struct expr *initial) {
    enum { FEW = 8 };
    struct expr_pool *pool = unwritten->builder->pool;
    uint64_t begin = read->address->value.low, end = begin + read->size;
    const struct expr *value = initial;
    unsigned count = 1;
    if (others_may_store_at(unwritten->builder, begin, read->size))
        return NULL;
    for (size_t i = 0; i < unwritten->count; i++) {
        const struct written_bytes *written = &unwritten->items[i];
        if (written->end <= begin || end <= written->begin)
            continue;
        if (written->begin != begin || written->end != end || !expr_is_const(written->value) ||
            written->value->width != initial->width || count++ == FEW)
            return NULL;
        const struct expr *is_this = expr_eq(pool, read->access->value, written->value);
        value = expr_ite(pool, is_this, written->value, value);
    }
    return value;
}

const struct expr **unwritten_find(struct builder *builder) {
    const struct program *program = builder->program;
    const struct expr **values =
        ARENA_ARRAY(builder->arena, const struct expr *, program->event_count + 1);
    struct unwritten unwritten = {.builder = builder};
    if (!collect_writes(&unwritten))
        return values;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (is_plain_read(event) && !is_written(&unwritten, event->address->value.low, event->size))
            values[i] = initial_value(&unwritten, event);
    }
    return values;
}

const struct expr **unwritten_find_few(struct builder *builder) {
    const struct program *program = builder->program;
    const struct expr **values =
        ARENA_ARRAY(builder->arena, const struct expr *, program->event_count + 1);
    struct unwritten unwritten = {.builder = builder};
    if (!collect_writes(&unwritten))
        return values;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct expr *initial = initial_value(&unwritten, &program->events[i]);
        if (initial != NULL)
            values[i] = one_of_few(&unwritten, &program->events[i], initial);
    }
    return values;
}
