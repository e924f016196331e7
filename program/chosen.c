// Coordinates of tensor copies that depend on memory, such as the number of a tile that a kernel
// takes from a counter: the values that they may have. The threads are run without such copies, and
// what the others write says what may be read (memory/pointers.c). That leaves out what is written
// because of these copies; so that a copy has no events for a value is an error where it may have
// that value (thread/tensor_copy.c).

#include "program/thread/async.h"
#include "program/builder.h"
#include "program/memory/memory.h"

static bool is_tensor_copy(const struct instruction *instruction) {
    return opcode_has(instruction->opcode, TRAIT_MAPPED);
}

static void find_values(struct builder *builder, struct chosen_numbers *chosen) {
    const struct expr **bits = ARENA_ARRAY(builder->arena, const struct expr *, chosen->count + 1);
    for (size_t i = 0; i < chosen->count; i++)
        bits[i] = chosen->items[i].bits;
    resolve_addresses(builder);
    struct value_set *values = values_find(builder, bits, chosen->count);
    for (size_t i = 0; i < chosen->count; i++)
        chosen->items[i].values = value_set_copy(chosen->arena, values[i]);
}

struct chosen_numbers *chosen_find(const struct build_plan *plan, struct arena *arena) {
    if (!test_has_instruction(plan->test, is_tensor_copy))
        return NULL;
    struct chosen_numbers *chosen = ARENA_NEW(arena, struct chosen_numbers);
    struct build_plan seeking = *plan;
    struct builder builder;
    *chosen = (struct chosen_numbers){.arena = arena, .sought = true};
    seeking.chosen = chosen;
    if (program_try_events(&builder, &seeking) && chosen->count > 0)
        find_values(&builder, chosen);
    chosen->sought = false;
    arena_free(builder.arena);
    return chosen;
}
