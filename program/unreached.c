// Events that never execute, since what decides on them is read from memory to which only a few
// constants are written: a loop that goes on while a state is one that is never stored. Done where
// warps exchange values, in whose loops each of 32 lanes has such events.
//
// This is found before the dependencies, since those of such events do not matter, and put in the
// program after them: what a read returns in all executions says nothing of what would have been if
// it returned something else (memory-model: semantic dependencies).

#include "program/builder.h"
#include "program/memory/memory.h"
#include "program/substitute.h"
#include "program/thread/values.h"
#include "program/dependency/influence.h"

#include <assert.h>

struct unreached {
    struct builder *builder;
    struct expr_replacements *known; // reads of bytes that nothing writes
    struct influences *influences;
    const struct expr **values;        // by event: see unwritten_find_few
    struct expr_replacements *few;     // these in the place of reads
    struct expr_replacements *without; // 0 in the place of what has been found
    const struct expr **found;
    size_t count;
    const struct expr *premise; // one bit: what has been found never holds where this does
};

static const struct expr *one_of_few(void *context, const struct expr *leaf) {
    const struct unreached *u = context;
    const struct expr *value = leaf->op == EXPR_READ ? u->values[leaf->index] : NULL;
    return value == NULL ? leaf : value;
}

// What was replaced before may hold what is found now, so it starts anew.
static void leave_out(struct unreached *u, const struct expr *condition) {
    struct arena *arena = u->builder->arena;
    u->found = arena_grow(arena, u->found, u->count, sizeof *u->found);
    u->found[u->count++] = condition;
    u->without = expr_replacements_new(arena, u->builder->pool, NULL);
    for (size_t i = 0; i < u->count; i++)
        expr_replace_with(u->without, u->found[i], u->builder->never);
}

static const struct expr *simplified(const struct unreached *u, const struct expr *expr) {
    return expr_replace(u->without, expr_replace(u->known, expr));
}

// Finds out whether the condition on which an event is reached never holds where the spin loops
// before it are left, as they are in all executions that count.
static void look_at(struct unreached *u, unsigned event) {
    struct builder *builder = u->builder;
    const struct expr *reaches = expr_replace(u->known, builder->reaches[event]);
    if (expr_is_const(reaches) || expr_is_const(expr_replace(u->without, reaches)))
        return;
    const struct expr *left = simplified(u, builder->loops.left[event]);
    const struct expr *counts = expr_and(builder->pool, reaches, left);
    if (!influence_is_never(u->influences, expr_replace(u->few, counts)))
        return;
    u->premise = expr_and(builder->pool, u->premise, left);
    leave_out(u, reaches);
}

void unreached_find(struct builder *builder) {
    const struct program *program = builder->program;
    if (!builder->known.substitutes || (builder->plan->options->left_out & STEP_UNREACHED) != 0)
        return;
    struct arena *scratch = arena_new();
    struct unreached *u = ARENA_NEW(builder->arena, struct unreached);
    *u = (struct unreached){.builder = builder,
                            .known = unwritten_replacements(builder),
                            .influences = influences_new(scratch, builder->pool),
                            .premise = builder->always};
    const struct expr_replacing few = {one_of_few, u};
    u->values = unwritten_find_few(builder, u->known);
    u->few = expr_replacements_new(scratch, builder->pool, &few);
    u->without = expr_replacements_new(builder->arena, builder->pool, NULL);
    for (size_t i = program->init_count; i < program->event_count; i++)
        look_at(u, (unsigned)i);
    builder->known.unreached = u;
    influences_free(u->influences);
    arena_free(scratch);
}

bool unreached_has(const struct builder *builder, unsigned event) {
    assert(event < builder->program->event_count);
    const struct expr *executes = builder->program->events[event].executes;
    return builder->known.unreached != NULL &&
           expr_is_false(simplified(builder->known.unreached, executes));
}

// An execution counts where the premise holds and, with it, the assumption without what has been
// found: that is where the assumption holds, of which the premise is a part. In others the bound
// may be passed all the same, or a thread trap.
static void put_unreached(struct unreached *u, struct value **final_registers) {
    struct builder *builder = u->builder;
    struct program *program = builder->program;
    const struct expr *bound_reached = program->limits.bound_reached,
                      *trapped = program->limits.trapped;
    substitute_everywhere(builder, u->without, final_registers);
    substitute_in_rest(builder, u->without);
    program->assumption = expr_and(builder->pool, program->assumption, u->premise);
    if (expr_is_true(u->premise))
        return;
    program->limits.bound_reached = bound_reached;
    program->limits.trapped = trapped;
}

void known_substitute(struct builder *builder, struct value **final_registers) {
    struct unreached *u = builder->known.unreached;
    if (u == NULL)
        return;
    substitute_everywhere(builder, u->known, final_registers);
    substitute_in_rest(builder, u->known);
    if (u->count > 0)
        put_unreached(u, final_registers);
}
