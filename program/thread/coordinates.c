// Coordinates of tensor copies, which may depend on memory: those of a tile whose number a kernel
// takes from a counter. A copy has its events for each value that they may have (tensor_copy.c).

#include "program/thread/threads.h"
#include "program/thread/async.h"

enum { LOOKED_AT_MAX = 64 };

// The values that the next such coordinate of the thread may have: of some length, or anything
// where that is not known; none while they are being looked for.
static struct value_set next_of(struct thread_builder *thread, const struct expr *coordinate) {
    struct chosen_numbers *chosen = thread->builder->plan->chosen;
    unsigned before = thread->chosen_count++;
    struct value_set none = {0};
    if (chosen == NULL)
        return none;
    if (chosen->sought) {
        chosen->items =
            arena_grow(chosen->arena, chosen->items, chosen->count, sizeof *chosen->items);
        chosen->items[chosen->count++] = (struct chosen_number){thread->index, coordinate, none};
        return none;
    }
    for (size_t i = 0; i < chosen->count; i++)
        if (chosen->items[i].thread == thread->index && before-- == 0)
            return chosen->items[i].values;
    return none;
}

// Whether the conditions on the way here show that the coordinate does not have a value.
static bool is_excluded(const struct thread_builder *thread, const struct expr *coordinate,
                        uint64_t value) {
    struct expr_pool *pool = thread->builder->pool;
    struct expr_replacements *replacements =
        expr_replacements_new(thread->builder->arena, pool, NULL);
    expr_replace_with(replacements, coordinate, expr_const_u64(pool, 32, value));
    return expr_is_false(expr_replace(replacements, thread->active));
}

// Leaves out values that the coordinate does not have here. Where it may have any, the first ones
// are tried: others are outside of what is known, and an error where it has them.
static struct value_set possible_here(const struct thread_builder *thread,
                                      const struct expr *coordinate, struct value_set all) {
    uint128 *values = ARENA_ARRAY(thread->builder->arena, uint128, LOOKED_AT_MAX);
    unsigned count = all.any ? LOOKED_AT_MAX : all.count;
    struct value_set possible = {.values = values};
    for (unsigned i = 0; i < count && i < LOOKED_AT_MAX; i++) {
        uint128 value = all.any ? i : all.values[i];
        if (!is_excluded(thread, coordinate, (uint64_t)value))
            values[possible.count++] = value;
    }
    return possible;
}

// Whether a list has all values that there may be: not where further ones have not been tried.
static bool is_listed(struct value_set all, struct value_set possible) {
    if (!all.any)
        return all.count > 0;
    return possible.count == 0 || possible.values[possible.count - 1] < LOOKED_AT_MAX - 1;
}

bool coordinates_find(struct thread_builder *thread, const struct operand *operand,
                      struct tile_coordinates *found) {
    const struct chosen_numbers *chosen = thread->builder->plan->chosen;
    bool known = true, sought = chosen != NULL && chosen->sought;
    *found = (struct tile_coordinates){.count = (unsigned)operand->element_count, .choices = 1};
    for (unsigned i = 0; i < found->count; i++) {
        found->values[i] = thread_operand(thread, &operand->elements[i], 32, true);
        if (expr_is_const(found->values[i].bits))
            continue;
        struct value_set all = next_of(thread, found->values[i].bits);
        found->sets[i] = possible_here(thread, found->values[i].bits, all);
        bool few = is_listed(all, found->sets[i]) && found->sets[i].count <= CHOICES_MAX;
        found->choices *= few ? found->sets[i].count : 1;
        known = known && few;
        if (sought || (few && found->choices <= CHOICES_MAX))
            continue;
        diag_error(thread->builder->diagnostics, operand->elements[i].span,
                   "the coordinates of a tile must not depend on memory, unless they are known to "
                   "have at most %d values",
                   (int)CHOICES_MAX);
        return false;
    }
    return known;
}

const struct expr *coordinates_choose(const struct thread_builder *thread,
                                      const struct tile_coordinates *found, unsigned choice,
                                      struct tile *tile) {
    struct expr_pool *pool = thread->builder->pool;
    const struct expr *is_this = thread->builder->always;
    for (unsigned i = 0; i < found->count; i++) {
        const struct expr *bits = found->values[i].bits;
        uint32_t number = (uint32_t)bits->value.low;
        if (!expr_is_const(bits)) {
            number = (uint32_t)found->sets[i].values[choice % found->sets[i].count];
            choice /= found->sets[i].count;
            is_this =
                expr_and(pool, is_this, expr_eq(pool, bits, expr_const_u64(pool, 32, number)));
        }
        tile->begin[i] = (int32_t)number;
    }
    return is_this;
}
