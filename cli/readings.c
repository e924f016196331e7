// The two readings of proxy fences: memory-model.md D9.
#include "cli/readings.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <string.h>

static const char *const path_reading = "proxy-fences-path";

static const struct model *load(struct arena *arena, const char *name, const struct target *target,
                                bool path, struct diagnostics *diagnostics) {
    struct model_options options = {.variants = &path_reading, .variant_count = path ? 1 : 0};
    if (target) {
        options.further = target->further;
        options.further_count = target->further_count;
    }
    return model_load_with(arena, name, &options, diagnostics);
}

struct readings readings_load(struct arena *arena, const char *name, const struct target *target,
                              const struct options *options, struct diagnostics *diagnostics) {
    bool path = options->proxy_fences == PROXY_FENCES_PATH;
    struct readings readings = {load(arena, name, target, path, diagnostics), NULL};
    if (readings.model && options->proxy_fences == PROXY_FENCES_BOTH &&
        model_tests_variant(readings.model, path_reading)) {
        readings.other = load(arena, name, target, true, diagnostics);
    }
    return readings;
}

static bool has_proxy_fence(const struct program *program) {
    for (size_t i = 0; i < program->event_count; i++) {
        if (program->events[i].kind == EVENT_PROXY_FENCE) {
            return true;
        }
    }
    return false;
}

static void add_flag(struct arena *arena, struct outcomes *outcomes, const char *name) {
    const char **flags = ARENA_ARRAY(arena, const char *, outcomes->flag_count + 1);
    if (outcomes->flag_count != 0) {
        memcpy(flags, outcomes->flags, outcomes->flag_count * sizeof *flags);
    }
    flags[outcomes->flag_count++] = name;
    outcomes->flags = flags;
}

void readings_compare(const struct readings *readings, const struct solver_options *options,
                      struct solver *solver, struct arena *arena, const struct program *program,
                      struct outcomes *outcomes) {
    if (!readings->other || outcomes->verdict == VERDICT_UNKNOWN || !has_proxy_fence(program)) {
        return;
    }
    struct diagnostics diagnostics; // what the first run found fit, the second does
    diagnostics_init(&diagnostics, arena);
    struct solver_options again = *options;
    again.verdict_only = true;
    again.dump_smt2 = NULL;
    const struct outcomes *other =
        solver_run(solver, arena, program, readings->other, &again, &diagnostics);
    if (other && other->verdict != VERDICT_UNKNOWN && other->verdict != outcomes->verdict) {
        add_flag(arena, outcomes, "proxy-reading");
    }
}
