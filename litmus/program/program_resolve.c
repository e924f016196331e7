// Addresses: which places each access may touch.

#include "litmus/program/program_internal.h"

struct resolver {
    struct builder *builder;
    const struct instruction *reported; // the last instruction with an error: one is enough
};

// --- Ranges ------------------------------------------------------------------------------------

// The last range that begins at or before an address; NULL when all begin after it.
static const struct virtual_range *range_before(const struct program *program, uint64_t address) {
    size_t low = 0, high = program->virtual_range_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (program->virtual_ranges[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? NULL : &program->virtual_ranges[low - 1];
}

static const struct virtual_range *nearest_range(const struct program *program, uint64_t address) {
    const struct virtual_range *before = range_before(program, address);
    const struct virtual_range *end = program->virtual_ranges + program->virtual_range_count;
    const struct virtual_range *after = before == NULL ? program->virtual_ranges : before + 1;
    if (after == end || before == NULL)
        return before == NULL && after != end ? after : before;
    uint64_t past = address - before->address, size = program->objects[before->object].size;
    uint64_t below = past < size ? 0 : past - size;
    return below <= after->address - address ? before : after;
}

// Whether an access of `size` bytes at `offset` lies within the object.
static bool lies_within(const struct object *object, uint64_t offset, uint64_t size) {
    return offset <= object->size && size <= object->size - offset;
}

// --- Errors ------------------------------------------------------------------------------------

static void report(struct resolver *resolver, const struct event *event) {
    resolver->reported = event->instruction;
}

static void report_outside(struct resolver *resolver, const struct event *event) {
    struct builder *builder = resolver->builder;
    uint64_t address = event->address->value.low;
    struct span span = access_address_operand(event->instruction)->span;
    const struct virtual_range *range = nearest_range(builder->program, address);
    report(resolver, event);
    if (range == NULL) {
        diag_error(builder->diagnostics, span, "this access lies outside of every variable");
        diag_hint(builder->diagnostics, "the test declares no variable that it uses");
        return;
    }
    const char *name = builder->test->variables[range->variable].name;
    uint64_t size = builder->program->objects[range->object].size;
    long long offset = (long long)(address - range->address);
    if (offset >= 0 && (uint64_t)offset < size)
        diag_error(builder->diagnostics, span,
                   "this access of %u bytes at '%s%+lld' crosses the end of '%s', which has %llu "
                   "bytes",
                   event->size, name, offset, name, (unsigned long long)size);
    else
        diag_error(builder->diagnostics, span,
                   "this access lies outside of every variable, %s '%s'",
                   offset < 0 ? "before" : "past the end of", name);
}

static void report_misaligned(struct resolver *resolver, const struct event *event,
                              uint64_t alignment) {
    report(resolver, event);
    diag_error(resolver->builder->diagnostics, access_address_operand(event->instruction)->span,
               "this address is not a multiple of %llu, the size of the access",
               (unsigned long long)alignment);
}

static bool is_shared(enum state_space space) {
    return space == SPACE_SHARED || space == SPACE_SHARED_CLUSTER;
}

// Whether an instruction of a thread can reach an object: windows of state spaces, and which
// threads see an instance (D13; another CTA's .shared memory is reached in its cluster).
static bool can_reach(const struct builder *builder, const struct event *event,
                      const struct object *object) {
    enum state_space space = event->instruction->space;
    const struct thread *threads = builder->test->threads;
    if (is_shared(object->space)) {
        bool own = object->instance == builder->cta_leader[event->thread];
        if (own || space == SPACE_SHARED)
            return own && (is_shared(space) || space == SPACE_GENERIC);
        return (is_shared(space) || space == SPACE_GENERIC) &&
               test_same_cluster(&threads[object->instance].place, &threads[event->thread].place);
    }
    if (object->instance >= 0 && object->instance != event->thread)
        return false;
    return space == SPACE_GENERIC || space == object->space;
}

static bool is_const_store(const struct event *event, const struct object *object) {
    return event->kind == EVENT_WRITE && object->space == SPACE_CONST;
}

// --- Static addresses --------------------------------------------------------------------------

// The alignment of an access is that of the whole vector (PTX ISA 9.7.9.8). Every range begins at
// a multiple of all of them, so that offsets decide.
static uint64_t required_alignment(const struct builder *builder, const struct event *event) {
    return (uint64_t)event->size * builder->accesses[event->id].element_count;
}

static uint64_t offset_in_vector(const struct builder *builder, const struct event *event) {
    return (uint64_t)event->size * builder->accesses[event->id].element;
}

static struct candidate *one_candidate(struct builder *builder, struct event *event) {
    event->candidates = ARENA_NEW(builder->arena, struct candidate);
    event->candidate_count = 1;
    event->candidates->condition = builder->always;
    return event->candidates;
}

// Reports a place that the instruction may not touch; returns whether it may.
static bool check_place(struct resolver *resolver, const struct event *event,
                        const struct virtual_range *range, uint64_t offset) {
    struct builder *builder = resolver->builder;
    const struct object *object = &builder->program->objects[range->object];
    const char *name = builder->test->variables[range->variable].name;
    struct span span = access_address_operand(event->instruction)->span;
    if ((offset - offset_in_vector(builder, event)) % required_alignment(builder, event) != 0) {
        report_misaligned(resolver, event, required_alignment(builder, event));
        return false;
    }
    if (!can_reach(builder, event, object)) {
        diag_error(builder->diagnostics, span,
                   "'%s' is a %s variable, which this access cannot reach", name,
                   memory_space_name(object->space));
        report(resolver, event);
        return false;
    }
    if (is_const_store(event, object)) {
        diag_error(builder->diagnostics, span, "'%s' is a .const variable, which nothing may write",
                   name);
        report(resolver, event);
        return false;
    }
    return true;
}

// An access that a branch may skip, through a register, need not happen: then it is no error, but
// no execution passes it.
static bool may_be_skipped(const struct event *event) {
    return !expr_is_true(event->executes) &&
           access_address_operand(event->instruction)->variable < 0;
}

static void resolve_static(struct resolver *resolver, struct event *event) {
    struct builder *builder = resolver->builder;
    struct program *program = builder->program;
    uint64_t address = event->address->value.low;
    const struct virtual_range *range = range_before(program, address);
    if (range == NULL ||
        !lies_within(&program->objects[range->object], address - range->address, event->size)) {
        if (may_be_skipped(event) && event->rmw < 0)
            program->out_of_bounds =
                expr_or(builder->pool, program->out_of_bounds, event->executes);
        else if (resolver->reported != event->instruction)
            report_outside(resolver, event);
        return;
    }
    uint64_t offset = address - range->address;
    if (resolver->reported == event->instruction || !check_place(resolver, event, range, offset))
        return;
    struct candidate *candidate = one_candidate(builder, event);
    candidate->range = (unsigned)(range - program->virtual_ranges);
    candidate->object = range->object;
    candidate->offset = offset;
}

void resolve_addresses(struct builder *builder) {
    struct resolver resolver = {.builder = builder};
    struct program *program = builder->program;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        struct event *event = &program->events[i];
        if (event->kind != EVENT_READ && event->kind != EVENT_WRITE)
            continue;
        if (expr_is_const(event->address)) {
            resolve_static(&resolver, event);
        } else {
            diag_error(builder->diagnostics, access_address_operand(event->instruction)->span,
                       "an address that depends on what a thread reads is not supported yet");
        }
    }
}
