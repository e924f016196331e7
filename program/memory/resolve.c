// Addresses: the candidates of each access, and errors for those that have none.

#include "program/builder.h"
#include "program/memory/memory.h"
#include "program/thread/access.h"

#include <assert.h>

// An instruction with an error; one is enough, however often a loop repeats it.
struct reported {
    const struct instruction *instruction;
    struct reported *next;
};

struct resolver {
    struct builder *builder;
    struct reported *reported;
};

// --- Errors ------------------------------------------------------------------------------------

// Whether an error about this access is to be given.
static bool may_report(struct resolver *resolver, const struct event *event) {
    for (const struct reported *r = resolver->reported; r != NULL; r = r->next)
        if (r->instruction == event->instruction)
            return false;
    struct reported *first = ARENA_NEW(resolver->builder->arena, struct reported);
    *first = (struct reported){event->instruction, resolver->reported};
    resolver->reported = first;
    return true;
}

// The words of an event's address: that of the mbarrier on which a copy completes is the last [m].
static struct span address_span(const struct event *event) {
    const struct instruction *instruction = event->instruction;
    if (event->mbarrier != NULL && event->mbarrier->kind == MBARRIER_KIND_COMPLETE)
        for (unsigned i = instruction->operand_count; i-- > 0;)
            if (instruction->operands[i].kind == OPERAND_MEMORY)
                return instruction->operands[i].span;
    return access_address_operand(instruction)->span;
}

static void report_nowhere(struct resolver *resolver, const struct event *event) {
    if (!may_report(resolver, event))
        return;
    diag_error(resolver->builder->diagnostics, address_span(event),
               "this access lies outside of every variable");
    diag_hint(resolver->builder->diagnostics, "no variable of the test is in its reach");
}

// An address that would be right in another window: the variable, or NULL. A generic one that was
// not made one is relative to its space's window; one that was converted twice is after it.
static const struct virtual_range *misplaced(const struct builder *builder,
                                             const struct event *event, uint64_t address) {
    static const enum state_space spaces[] = {SPACE_GLOBAL, SPACE_PARAM, SPACE_CONST, SPACE_LOCAL,
                                              SPACE_SHARED};
    uint64_t written = address - program_window(event->instruction->space);
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        const struct virtual_range *range = places_range_of(
            &builder->program->memory, written + program_window(spaces[i]), event->size);
        if (range != NULL)
            return range;
    }
    return NULL;
}

static void report_window(struct resolver *resolver, const struct event *event,
                          const struct virtual_range *range, uint64_t address) {
    struct builder *builder = resolver->builder;
    enum state_space own = event->instruction->space;
    enum state_space space = builder->program->memory.objects[range->object].space;
    bool generic = address - program_window(own) >= range->address && program_window(space) != 0;
    diag_error(builder->diagnostics, address_span(event),
               "this is %s address of '%s', a %s variable", generic ? "the generic" : "an",
               builder->test->variables[range->variable].name, state_space_or_global_name(space));
    if (generic)
        diag_hint(builder->diagnostics, "'cvta.to%s.u64' makes it one of that space",
                  state_space_or_global_name(space));
    else if (own == SPACE_GENERIC)
        diag_hint(builder->diagnostics, "'cvta%s.u64' makes it generic",
                  state_space_or_global_name(space));
    else
        diag_hint(builder->diagnostics, "the access is to %s memory",
                  state_space_or_global_name(own));
}

static void report_outside(struct resolver *resolver, const struct event *event, uint64_t address) {
    struct builder *builder = resolver->builder;
    const struct virtual_range *range = places_nearest(builder->program, address);
    if (range == NULL) {
        report_nowhere(resolver, event);
        return;
    }
    if (!may_report(resolver, event))
        return;
    const struct virtual_range *other = misplaced(builder, event, address);
    if (other != NULL) {
        report_window(resolver, event, other, address);
        return;
    }
    const char *name = builder->test->variables[range->variable].name;
    uint64_t size = builder->program->memory.objects[range->object].size;
    int64_t offset = (int64_t)(address - range->address);
    if (offset >= 0 && (uint64_t)offset < size) {
        diag_error(builder->diagnostics, address_span(event),
                   "this access of %u bytes, %lld bytes into '%s', crosses its end", event->size,
                   (long long)offset, name);
        diag_hint(builder->diagnostics, "'%s' has %llu bytes", name, (unsigned long long)size);
        return;
    }
    diag_error(builder->diagnostics, address_span(event),
               "this access lies outside of every variable");
    if (offset < 0)
        diag_hint(builder->diagnostics, "the nearest is '%s', which begins %llu bytes after it",
                  name, 0 - (unsigned long long)offset);
    else
        diag_hint(builder->diagnostics, "the nearest is '%s', which ends %llu bytes before it",
                  name, (unsigned long long)offset - size);
}

static const char *plural(uint64_t count) {
    return count == 1 ? "" : "s";
}

// Says why an access may not touch a place that exists.
static void report_place(struct resolver *resolver, const struct event *event,
                         const struct virtual_range *range, uint64_t offset) {
    struct builder *builder = resolver->builder;
    const struct object *object = &builder->program->memory.objects[range->object];
    const char *name = builder->test->variables[range->variable].name;
    uint64_t alignment = places_alignment(builder, event);
    if (!may_report(resolver, event))
        return;
    if (!places_is_of_kind(builder, event, range)) {
        bool takes = event_is_multimem(event);
        diag_error(builder->diagnostics, address_span(event),
                   takes ? "'%s' is not a multimem address, which this access needs"
                         : "'%s' is a multimem address, which only 'multimem' instructions access",
                   name);
    } else if (!places_can_reach(builder, event, object)) {
        diag_error(builder->diagnostics, address_span(event),
                   "'%s' is a %s variable, which this access cannot reach", name,
                   state_space_or_global_name(object->space));
    } else if (places_is_read_only_store(builder, event, object)) {
        diag_error(builder->diagnostics, address_span(event),
                   "'%s' is a %s variable, which is read-only", name,
                   state_space_or_global_name(object->space));
    } else {
        diag_error(builder->diagnostics, address_span(event),
                   "this access of %llu bytes is misaligned: it is %llu byte%s into '%s'",
                   (unsigned long long)alignment, (unsigned long long)offset, plural(offset), name);
        diag_hint(builder->diagnostics, "its address must be a multiple of %llu",
                  (unsigned long long)alignment);
    }
}

// --- Static addresses --------------------------------------------------------------------------

// An access that a branch may skip, through a register, need not happen: then it is not an error,
// but no execution goes past it. So it is with a tensor copy whose map may be another one.
static bool may_be_skipped(const struct builder *builder, const struct event *event) {
    bool of_shape = event->async != NULL && event->async->of_shape;
    return !expr_is_true(builder->reaches[event->id]) &&
           (of_shape || access_address_operand(event->instruction)->variable < 0);
}

static void leave_bounds(struct resolver *resolver, const struct event *event,
                         const struct expr *condition) {
    assert(condition->width == 1);
    struct builder *builder = resolver->builder;
    builder->program->limits.out_of_bounds =
        expr_or(builder->pool, builder->program->limits.out_of_bounds,
                expr_and(builder->pool, event->executes, condition));
}

static void resolve_static(struct resolver *resolver, struct event *event) {
    struct builder *builder = resolver->builder;
    uint64_t address = event->address->value.low;
    uint128 value = address;
    struct value_set one = {.count = 1, .values = &value};
    if (places_find(builder, builder->arena, event, one)) {
        event->candidates->condition = builder->always;
        return;
    }
    const struct virtual_range *range =
        places_range_of(&builder->program->memory, address, event->size);
    if (may_be_skipped(builder, event))
        leave_bounds(resolver, event, builder->always);
    else if (range == NULL)
        report_outside(resolver, event, address);
    else
        report_place(resolver, event, range, address - range->address);
}

// --- Computed addresses ------------------------------------------------------------------------

// Where it is open whether a dependency is there, it is left out, and values may come out of thin
// air. No execution that has it accesses any other place than the candidates, which were found from
// what loads can return without that: so an execution that does is not one of the program.
static void exclude_other_places(struct builder *builder, const struct event *event) {
    struct expr_pool *pool = builder->pool;
    const struct expr *found = expr_not(pool, event->executes);
    for (size_t i = 0; i < event->candidate_count; i++)
        found = expr_or(pool, found, event->candidates[i].condition);
    builder->program->given = expr_and(pool, builder->program->given, found);
}

static void set_conditions(struct resolver *resolver, struct event *event, bool all_found) {
    struct builder *builder = resolver->builder;
    const struct program *program = builder->program;
    const struct expr *found = all_found ? builder->always : builder->never;
    for (size_t i = 0; i < event->candidate_count; i++) {
        struct candidate *candidate = &event->candidates[i];
        uint64_t address =
            program->memory.virtual_ranges[candidate->range].address + candidate->offset;
        candidate->condition =
            expr_eq(builder->pool, event->address, expr_const_u64(builder->pool, 64, address));
        found = expr_or(builder->pool, found, candidate->condition);
    }
    leave_bounds(resolver, event, expr_not(builder->pool, found));
    if (all_found && builder->program->dependencies.open)
        exclude_other_places(builder, event);
}

static void resolve_computed(struct resolver *resolver, struct event *event,
                             struct value_set addresses) {
    struct builder *builder = resolver->builder;
    if (addresses.count == 1) {
        event->address = expr_const(builder->pool, 64, bits_from_wide(addresses.values[0]));
        resolve_static(resolver, event);
        return;
    }
    bool all_found = places_find(builder, builder->arena, event, addresses);
    if (event->candidate_count > PROGRAM_MAX_CANDIDATES) {
        if (!may_report(resolver, event))
            return;
        diag_error(builder->diagnostics, address_span(event),
                   "this address may be any of more than %d places", (int)PROGRAM_MAX_CANDIDATES);
        diag_hint(builder->diagnostics, "use smaller arrays, or mask the index with 'and'");
    } else if (event->candidate_count == 0 && addresses.any && !may_be_skipped(builder, event)) {
        report_nowhere(resolver, event);
    } else if (event->candidate_count == 0 && addresses.count != 0 &&
               !may_be_skipped(builder, event)) {
        report_outside(resolver, event, (uint64_t)addresses.values[0]);
    } else {
        set_conditions(resolver, event, all_found);
    }
}

// The range of the variable that a place of a multimem address denotes; that of the place where no
// other is in the program.
static unsigned range_of_variable(const struct builder *builder, const struct candidate *at) {
    const struct program *program = builder->program;
    const struct variable *place =
        &builder->test->variables[program->memory.virtual_ranges[at->range].variable];
    unsigned named = (unsigned)memory_virtual(builder->test, place->alias_of);
    for (unsigned i = 0; i < program->memory.virtual_range_count; i++)
        if (program->memory.virtual_ranges[i].object == at->object &&
            program->memory.virtual_ranges[i].variable == named)
            return i;
    return at->range;
}

// The reading in which an access through a multimem address is one at the address of each variable
// (memory-model: multimem addresses are aliases).
static void take_variables(struct builder *builder) {
    for (size_t i = builder->program->init_count; i < builder->program->event_count; i++) {
        struct event *event = &builder->program->events[i];
        for (size_t k = 0; places_has_address(event) && k < event->candidate_count; k++)
            if (builder->test
                    ->variables[builder->program->memory.virtual_ranges[event->candidates[k].range]
                                    .variable]
                    .is_multimem)
                event->candidates[k].range = range_of_variable(builder, &event->candidates[k]);
    }
}

static void resolve_all(struct builder *builder) {
    struct resolver resolver = {.builder = builder};
    struct program *program = builder->program;
    size_t computed = 0;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        if (!places_has_address(&program->events[i]))
            continue;
        if (expr_is_const(program->events[i].address))
            resolve_static(&resolver, &program->events[i]);
        else if (computed++ == 0)
            program->dependencies.computed_access = program->events[i].instruction;
    }
    if (computed == 0)
        return;
    struct value_set *addresses = pointers_find(builder);
    for (size_t i = program->init_count; i < program->event_count && !builder_is_late(builder); i++)
        if (places_has_address(&program->events[i]) && !expr_is_const(program->events[i].address))
            resolve_computed(&resolver, &program->events[i], addresses[i]);
}

void resolve_addresses(struct builder *builder) {
    resolve_all(builder);
    if (builder->plan->options->multimem_variables)
        take_variables(builder);
}
