// Finds which shapes tensormaps may have (thread/shapes.c), before the program is built: its
// threads are run, for what they write to maps alone, until nothing is new.

#include "program/builder.h"
#include "program/thread/shapes.h"

static bool changes_maps(const struct test *test) {
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++) {
            const struct instruction *instruction = &test->threads[t].instructions[i];
            bool copies = (opcode_effects(instruction->opcode) & EFFECT_READS) != 0;
            if (opcode_family(instruction->opcode) == FAMILY_TENSORMAP &&
                (copies || instruction->map_field != MAP_ADDRESS))
                return true;
        }
    return false;
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
    if (!changes_maps(plan->test))
        return NULL;
    struct map_shapes *shapes = shapes_new(arena, plan->test, true);
    do {
        run_threads(*plan, shapes);
    } while (shapes_end_run(shapes));
    return shapes;
}
