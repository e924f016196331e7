// Events: memory, initial writes, and what the threads do.

#include "program/builder.h"
#include "program/memory/memory.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"
#include "program/loop/loops.h"

#include <assert.h>

// The initial write of an object covers all of it, is weak, and comes before everything.
static void add_initial_write(struct builder *builder, unsigned object) {
    assert(object < builder->program->memory.object_count);
    struct program *program = builder->program;
    const struct object *target = &program->memory.objects[object];
    const struct virtual_range *range = program->memory.virtual_ranges;
    while (range->object != object || range->variable != target->variable)
        range++;
    struct event *event =
        builder_add_event(builder, builder->test->variables[target->variable].span);
    if (event == NULL)
        return;
    event->kind = EVENT_INIT;
    event->order = ORDER_WEAK;
    event->executes = builder->always;
    event->size = target->size > UINT32_MAX ? UINT32_MAX : (unsigned)target->size;
    event->address = expr_const_u64(builder->pool, 64, range->address);
    event->candidates = ARENA_NEW(builder->arena, struct candidate);
    event->candidate_count = 1;
    *event->candidates =
        (struct candidate){.range = (unsigned)(range - program->memory.virtual_ranges),
                           .object = object,
                           .condition = builder->always};
}

static bool has_unknown_memory(const struct builder *builder) {
    const struct program *program = builder->program;
    for (size_t i = 0; i < program->memory.object_count; i++)
        if (memory_is_unknown(&builder->test->variables[program->memory.objects[i].variable]))
            return true;
    return false;
}

struct builder builder_begin(const struct build_plan *plan, struct arena *arena,
                             struct diagnostics *diagnostics) {
    return (struct builder){.plan = plan,
                            .test = plan->test,
                            .arena = arena,
                            .diagnostics = diagnostics,
                            .tracks_undef = plan->tracks_undef,
                            .shapes = plan->shapes};
}

void program_start(struct builder *builder) {
    struct program *program = ARENA_NEW(builder->arena, struct program);
    program->test = builder->test;
    program->options = *builder->plan->options;
    program->arena = builder->arena;
    program->pool = builder->pool = expr_pool_new(builder->arena);
    program->limits.bound_reached = program->limits.out_of_bounds = program->limits.trapped =
        program->relies = builder->never = expr_bool(builder->pool, false);
    program->dependencies.dropped = builder->plan->options->dependencies == DEPENDENCIES_NONE;
    program->assumption = program->given = builder->always = expr_bool(builder->pool, true);
    builder->program = program;
    if (builder->plan->stay_rounds > 0)
        stays_start(builder);
}

struct value **program_build_events(struct builder *builder) {
    struct value **final_registers =
        ARENA_ARRAY(builder->arena, struct value *, builder->test->thread_count);
    size_t errors_before = builder->diagnostics->error_count;
    program_start(builder);
    memory_build(builder);
    builder->tracks_undef = builder->tracks_undef || has_unknown_memory(builder);
    for (unsigned i = 0; i < builder->program->memory.object_count; i++)
        add_initial_write(builder, i);
    builder->program->init_count = builder->program->event_count;
    if (builder->diagnostics->error_count != errors_before)
        return NULL;
    threads_build(builder, final_registers);
    return final_registers;
}

bool program_try_events(struct builder *builder, const struct build_plan *plan) {
    struct arena *arena = arena_new();
    struct diagnostics *unused = ARENA_NEW(arena, struct diagnostics);
    diagnostics_init(unused, arena);
    *builder = builder_begin(plan, arena, unused);
    program_build_events(builder);
    return unused->error_count == 0;
}
