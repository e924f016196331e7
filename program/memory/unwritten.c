// Reads for which it is known what they return, or may return: reads of bytes that nothing writes,
// which return what the test says is there at first, and reads of bytes to which only constants are
// written.
//
// The former's values are constants for what is computed from them alone. What is computed from
// them and from others is another matter: such a read may be what keeps another one from making a
// difference (0 & r), or lets it. So they are put in the program after its dependencies are found
// (memory-model: semantic dependencies).

#include "program/builder.h"
#include "program/memory/memory.h"
#include "program/thread/others.h"

#include <assert.h>

// Bytes that are written, at a virtual address, and what is.
struct written_bytes {
    uint64_t begin, end;
    const struct expr *value;
};

struct unwritten {
    struct builder *builder;
    struct expr_replacements *known; // what is known already, or NULL
    struct written_bytes *items;
    size_t count;
};

static const struct expr *look_up(const struct unwritten *unwritten, const struct expr *expr) {
    return unwritten->known == NULL ? expr : expr_replace(unwritten->known, expr);
}

// Collects what all threads write. Returns false where that is not known: an address is computed,
// or bytes have several.
static bool collect_writes(struct unwritten *unwritten) {
    const struct program *program = unwritten->builder->program;
    unwritten->items =
        ARENA_ARRAY(unwritten->builder->arena, struct written_bytes, program->event_count + 1);
    if (program->memory.virtual_range_count != program->memory.object_count)
        return false;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (event->kind != EVENT_WRITE)
            continue;
        const struct expr *at = event->address ? look_up(unwritten, event->address) : NULL;
        if (at == NULL || !expr_is_const(at))
            return false;
        unwritten->items[unwritten->count++] = (struct written_bytes){
            at->value.low, at->value.low + event->size, look_up(unwritten, event->access->value)};
    }
    return true;
}

static bool is_written(const struct unwritten *unwritten, uint64_t address, uint64_t size) {
    for (size_t i = 0; i < unwritten->count; i++)
        if (unwritten->items[i].begin < address + size && address < unwritten->items[i].end)
            return true;
    return others_may_store_at(unwritten->builder, address, size);
}

// The address of a read that finds what generic writes have left there, if it is known.
static bool find_address(const struct unwritten *unwritten, const struct event *event,
                         uint64_t *address) {
    if (event->kind != EVENT_READ || event->access->rmw >= 0 || event->mbarrier != NULL ||
        event->async != NULL || event->proxy != PROXY_GENERIC || event->address == NULL)
        return false;
    const struct expr *at = look_up(unwritten, event->address);
    *address = at->value.low;
    return expr_is_const(at);
}

// The initial value of what a read reads, if that is known: a constant, or NULL.
static const struct expr *initial_value(const struct unwritten *unwritten,
                                        const struct event *event, uint64_t address) {
    struct builder *builder = unwritten->builder;
    struct bits128 bits;
    const struct virtual_range *range =
        places_range_of(&builder->program->memory, address, event->size);
    if (range == NULL ||
        !places_can_reach(builder, event, &builder->program->memory.objects[range->object]) ||
        !cells_initial_bits(builder, range->object, address - range->address, event->size, &bits))
        return NULL;
    return expr_const(builder->pool, event->access->value->width, bits);
}

// --- In the place of reads -----------------------------------------------------------------------

static const struct expr *known_value(void *context, const struct expr *leaf) {
    const struct builder *builder = context;
    const struct expr *value = NULL;
    if (leaf->op == EXPR_READ || leaf->op == EXPR_READ_UNDEF)
        value = builder->known.unwritten[leaf->index];
    if (value == NULL)
        return leaf;
    return leaf->op == EXPR_READ ? value : builder->never;
}

struct expr_replacements *unwritten_replacements(struct builder *builder) {
    const struct expr_replacing leaves = {known_value, builder};
    return expr_replacements_new(builder->arena, builder->pool, &leaves);
}

// --- Few constants written ---------------------------------------------------------------------

// Whether a read that takes each byte from one of several values may mix them: more than one byte
// varies.
static bool may_mix(const struct builder *builder, uint128 *values, unsigned count) {
    struct value_set set = {.count = count, .values = values};
    unsigned varying = 0;
    for (uint128 bits = value_set_varying(set); bits != 0; bits >>= 8)
        varying += (bits & 0xff) != 0;
    return varying > 1 && !builder->plan->options->whole_accesses;
}

// The value of a read as one of a few constants, among them `initial`; NULL where it may be others.
static const struct expr *one_of_few(const struct unwritten *unwritten, const struct event *read,
                                     uint64_t begin, const struct expr *initial) {
    enum { FEW = 8 };
    struct expr_pool *pool = unwritten->builder->pool;
    uint64_t end = begin + read->size;
    const struct expr *value = initial;
    uint128 values[FEW] = {bits_to_wide(initial->value)};
    unsigned count = 1;
    if (others_may_store_at(unwritten->builder, begin, read->size))
        return NULL;
    for (size_t i = 0; i < unwritten->count; i++) {
        const struct written_bytes *written = &unwritten->items[i];
        if (written->end <= begin || end <= written->begin)
            continue;
        if (written->begin != begin || written->end != end || !expr_is_const(written->value) ||
            written->value->width != initial->width || count == FEW)
            return NULL;
        const struct expr *is_this = expr_eq(pool, read->access->value, written->value);
        value = expr_ite(pool, is_this, written->value, value);
        values[count++] = bits_to_wide(written->value->value);
    }
    return may_mix(unwritten->builder, values, count) ? NULL : value;
}

// --- Both --------------------------------------------------------------------------------------

// The values of reads, by event: of bytes that nothing writes, or to which `few` are written.
static const struct expr **find_values(struct unwritten *unwritten, bool few) {
    const struct program *program = unwritten->builder->program;
    const struct expr **values =
        ARENA_ARRAY(unwritten->builder->arena, const struct expr *, program->event_count + 1);
    bool are_known = collect_writes(unwritten);
    uint64_t address;
    for (size_t i = program->init_count; are_known && i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (!find_address(unwritten, event, &address) ||
            (!few && is_written(unwritten, address, event->size)))
            continue;
        values[i] = initial_value(unwritten, event, address);
        if (few && values[i] != NULL)
            values[i] = one_of_few(unwritten, event, address, values[i]);
    }
    return values;
}

const struct expr **unwritten_find(struct builder *builder) {
    struct unwritten unwritten = {.builder = builder};
    if ((builder->plan->options->left_out & STEP_UNWRITTEN) != 0)
        return ARENA_ARRAY(builder->arena, const struct expr *, builder->program->event_count + 1);
    return find_values(&unwritten, false);
}

const struct expr **unwritten_find_few(struct builder *builder, struct expr_replacements *known) {
    struct unwritten unwritten = {.builder = builder, .known = known};
    return find_values(&unwritten, true);
}
