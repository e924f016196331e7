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

// Their errors are those of the program, which reports them.
static void run_threads(struct build_plan plan, struct map_shapes *shapes) {
    struct diagnostics unused;
    plan.shapes = shapes;
    struct builder builder = builder_begin(&plan, arena_new(), &unused);
    diagnostics_init(&unused, builder.arena);
    program_build_events(&builder);
    arena_free(builder.arena);
}

struct map_shapes *shapes_find(const struct build_plan *plan, struct arena *arena) {
    if (!test_has_instruction(plan->test, changes_shapes))
        return NULL;
    struct map_shapes *shapes = shapes_new(arena, plan->test, true);
    do {
        run_threads(*plan, shapes);
    } while (shapes_end_run(shapes));
    return shapes;
}
