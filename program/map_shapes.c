// Finds which shapes tensormaps may have (thread/shapes.c), before the program is built: its
// threads are run, for what they write to maps alone, until nothing is new.

#include "program/builder.h"
#include "program/thread/shapes.h"

// Whether an instruction changes more of a map than its address.
static bool changes_shapes(const struct instruction *instruction) {
    bool copies = (opcode_effects(instruction->opcode) & EFFECT_READS) != 0;
    return opcode_family(instruction->opcode) == FAMILY_TENSORMAP &&
           (copies || instruction->map_field != MAP_ADDRESS);
}

struct map_shapes *shapes_find(const struct build_plan *plan, struct arena *arena) {
    if (!test_has_instruction(plan->test, changes_shapes))
        return NULL;
    struct build_plan seeking = *plan;
    struct builder builder;
    seeking.shapes = shapes_new(arena, plan->test, true);
    do { // errors are those of the program, which reports them
        program_try_events(&builder, &seeking);
        arena_free(builder.arena);
    } while (shapes_end_run(seeking.shapes));
    return seeking.shapes;
}
