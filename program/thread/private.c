// What a thread reads from memory that only it has, if that is certain before any solver runs.
//
// .local variables, and the .param variables of its calls, are written by no other thread, and a
// thread reads what it wrote there last. So what such a read returns need not be asked of the
// model: registers get the value that was stored, and depend on what that depends on. There is no
// other effect while threads are run: the read is an event, and the model gives it the same value.
// Where all of such memory is known, its events are dropped in the end (memory/known.c). Compilers
// that do not optimise keep everything in .local memory, so without this no branch of theirs would
// be decided here. Nor does any instruction write the parameters of a kernel: a read of one returns
// its argument.

#include "program/builder.h"
#include "program/dependency/dependencies.h"
#include "program/memory/memory.h"
#include "program/thread/async.h"
#include "program/thread/access.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"

enum { LOOKED_AT_MAX = 4096, SOURCES_MAX = 4 };

// A write that may be to private memory: of the range, or to a place that is not known (-1).
struct private_write {
    unsigned event;
    int range;
    uint64_t offset;
    unsigned size;
    const struct expr *active;
    struct value value;
    struct private_write *before;
};

// The range of the thread's own that holds a constant address, or -1.
static int private_range(const struct thread_builder *thread, const struct expr *address,
                         unsigned size, uint64_t *offset) {
    const struct program_memory *memory = &thread->builder->program->memory;
    const struct virtual_range *range =
        expr_is_const(address) ? places_range_of(memory, address->value.low, size) : NULL;
    if (range == NULL)
        return -1;
    enum state_space space = thread->builder->test->variables[range->variable].space;
    bool is_private = (space == SPACE_LOCAL || space == SPACE_PARAM) &&
                      memory->objects[range->object].instance == thread->index;
    *offset = address->value.low - range->address;
    return is_private ? (int)(range - memory->virtual_ranges) : -1;
}

// Whether a write to an address that is not known may be to private memory.
static bool may_be_private(const struct event *event) {
    enum state_space space = event_state_space(event);
    return !expr_is_const(event->address) &&
           (space == SPACE_GENERIC || space == SPACE_LOCAL || space == SPACE_PARAM);
}

void private_write(struct thread_builder *thread, const struct event *event, struct value value) {
    uint64_t offset = 0;
    int range = private_range(thread, event->address, event->size, &offset);
    if (range < 0 && !may_be_private(event))
        return;
    bool is_known =
        range >= 0 && event->proxy == PROXY_GENERIC && instruction_is_plain(event->instruction);
    struct private_write *write = ARENA_NEW(thread->builder->arena, struct private_write);
    if (is_known) {
        thread->builder->alone.source[event->id] = (int)event->id;
        thread->builder->alone.count++;
    }
    *write = (struct private_write){.event = event->id,
                                    .range = is_known ? range : -1,
                                    .offset = offset,
                                    .size = event->size,
                                    .active = thread->active,
                                    .value = value,
                                    .before = thread->private_writes};
    thread->private_writes = write;
}

// The read's part of what was written, over all of it.
static struct value part(struct builder *builder, const struct private_write *write,
                         uint64_t offset, unsigned size) {
    struct value value = write->value;
    value.bits =
        expr_extract(builder->pool, value.bits, 8 * (unsigned)(offset - write->offset), 8 * size);
    return value;
}

// Whether a write cannot be to a place of the range: that of another variable, or of other bytes.
// Another address of the same variable (an alias) may be read through in another order.
static bool is_apart(const struct program *program, const struct private_write *write, int range,
                     uint64_t offset, unsigned size) {
    const struct virtual_range *ranges = program->memory.virtual_ranges;
    if (write->range < 0)
        return false;
    if (write->range != range)
        return ranges[write->range].object != ranges[range].object;
    return write->offset >= offset + size || offset >= write->offset + write->size;
}

// Whether a range is a parameter of the kernel, which no instruction writes, and has a value.
static bool is_argument(const struct builder *builder, const struct virtual_range *range) {
    const struct variable *variable = &builder->test->variables[range->variable];
    return variable->space == SPACE_PARAM && variable->body == 0 && variable->has_initial;
}

// What a read of one of these writes, the i-th, depends on through it, where `when` holds. As
// written, that is all that the write depends on; only where no later write is read.
static struct dependency_list dependencies_through(struct builder *builder,
                                                   const struct private_write *const *choices,
                                                   unsigned i, const struct expr *when) {
    const struct event *write = &builder->program->events[choices[i]->event];
    struct dependency_list list = choices[i]->value.dependencies;
    if (builder->plan->options->dependencies == DEPENDENCIES_SYNTACTIC) {
        list = dependencies_union(builder, list, write->addr);
        for (unsigned later = 0; later < i; later++)
            when = expr_and(builder->pool, when, expr_not(builder->pool, choices[later]->active));
    }
    return dependencies_when(builder, list, when);
}

// The writes that a read may read, the last one first: where `found` is set, one of them, else
// memory as it was before all of them.
struct sources {
    const struct private_write *choices[SOURCES_MAX];
    unsigned count;
    bool found;
};

// Bytes of private memory, on a path.
struct private_place {
    int range;
    uint64_t offset;
    unsigned size;
    const struct expr *active;
};

// Finds what may be read there, of the writes before an event. Returns false where that is not
// known.
static bool find_sources(const struct thread_builder *thread, const struct private_place *place,
                         size_t before, struct sources *sources) {
    struct expr_pool *pool = thread->builder->pool;
    unsigned looked_at = 0;
    *sources = (struct sources){.count = 0};
    for (const struct private_write *write = thread->private_writes; write && !sources->found;
         write = write->before) {
        if (write->event >= before)
            continue;
        if (looked_at++ == LOOKED_AT_MAX)
            return false;
        if (is_apart(thread->builder->program, write, place->range, place->offset, place->size) ||
            expr_implies(pool, place->active, expr_not(pool, write->active)))
            continue;
        bool is_whole = write->range == place->range && write->offset <= place->offset &&
                        place->offset + place->size <= write->offset + write->size;
        if (!is_whole || sources->count == SOURCES_MAX)
            return false;
        sources->choices[sources->count++] = write;
        sources->found = expr_implies(pool, place->active, write->active);
    }
    return true;
}

// The value of one of the sources, or `otherwise`.
static struct value value_of_sources(struct builder *builder, const struct sources *sources,
                                     const struct private_place *place, struct value otherwise,
                                     const struct expr *address_undef) {
    struct value result = otherwise;
    for (unsigned i = sources->count; i-- > 0;) {
        bool is_certain = sources->found && i == sources->count - 1;
        struct value written = part(builder, sources->choices[i], place->offset, place->size);
        const struct expr *when = is_certain ? builder->always : sources->choices[i]->active;
        result.bits = expr_ite(builder->pool, when, written.bits, result.bits);
        result.undef = expr_ite(builder->pool, when,
                                expr_or(builder->pool, written.undef, address_undef), result.undef);
        result.dependencies = dependencies_union(
            builder, result.dependencies, dependencies_through(builder, sources->choices, i, when));
    }
    return result;
}

struct value private_read(struct thread_builder *thread, const struct event *event,
                          struct value value, const struct expr *address_undef) {
    struct builder *builder = thread->builder;
    struct private_place place = {.size = event->size, .active = thread->active};
    place.range = private_range(thread, event->address, event->size, &place.offset);
    struct sources sources;
    if (place.range < 0 || event->proxy != PROXY_GENERIC)
        return value;
    const struct virtual_range *own = &builder->program->memory.virtual_ranges[place.range];
    struct bits128 initial;
    if (is_argument(builder, own) &&
        cells_initial_bits(builder, own->object, place.offset, event->size, &initial)) {
        value.bits = expr_const(builder->pool, 8 * event->size, initial);
        value.undef = address_undef;
        builder->alone.known[event->id] = true;
        builder->alone.count++;
        return value;
    }
    if (!find_sources(thread, &place, SIZE_MAX, &sources))
        return value;
    builder->alone.known[event->id] = sources.found;
    builder->alone.count += sources.found;
    if (sources.found)
        builder->alone.source[event->id] = (int)sources.choices[sources.count - 1]->event;
    return value_of_sources(builder, &sources, &place, value, address_undef);
}

void private_forget(struct thread_builder *thread) {
    struct private_write *write = ARENA_NEW(thread->builder->arena, struct private_write);
    *write = (struct private_write){
        .range = -1, .active = thread->builder->always, .before = thread->private_writes};
    thread->private_writes = write;
}

bool private_is_restored(const struct thread_builder *thread, const struct event *write,
                         size_t first_event, const struct expr *path) {
    struct builder *builder = thread->builder;
    struct private_place place = {.size = write->size, .active = path};
    place.range = private_range(thread, write->address, write->size, &place.offset);
    struct sources before, after;
    if (place.range < 0 || !find_sources(thread, &place, first_event, &before) ||
        !find_sources(thread, &place, SIZE_MAX, &after) || !before.found || !after.found)
        return false;
    struct value none = program_value_const(builder, 8 * place.size, (struct bits128){0});
    struct value a = value_of_sources(builder, &before, &place, none, builder->never);
    struct value b = value_of_sources(builder, &after, &place, none, builder->never);
    bool is_same = a.bits == b.bits && a.undef == b.undef;
    return is_same && (a.dependencies.count == 0 ||
                       builder->plan->options->dependencies == DEPENDENCIES_SEMANTIC);
}
