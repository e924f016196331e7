// What is decided by two readings: memory-model.md D9 (proxy fences) and D42 (dependencies).
#include "cli/readings.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <string.h>

static const char *const path_reading = "proxy-fences-path";

static const struct model *load(struct arena *arena, const char *name, const struct target *target,
                                const struct options *options, bool path,
                                struct diagnostics *diagnostics) {
    struct model_options with = {.variants = &path_reading,
                                 .variant_count = path ? 1 : 0,
                                 .folders = options->include_folders,
                                 .folder_count = options->include_count};
    if (target) {
        with.further = target->further;
        with.further_count = target->further_count;
    }
    return model_load_with(arena, name, &with, diagnostics);
}

struct readings readings_load(struct arena *arena, const char *name, const struct target *target,
                              const struct options *options, struct diagnostics *diagnostics) {
    bool path = options->proxy_fences == PROXY_FENCES_PATH;
    struct readings readings = {load(arena, name, target, options, path, diagnostics), NULL};
    if (readings.model && options->proxy_fences == PROXY_FENCES_BOTH &&
        model_tests_variant(readings.model, path_reading)) {
        readings.other = load(arena, name, target, options, true, diagnostics);
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

// A test that was decided, to be decided again.
struct rerun {
    const struct solver_options *options;
    struct solver *solver;
    struct arena *arena;
    struct outcomes *outcomes; // of the first time
};

// Adds the flag where another reading gives another verdict.
static void compare_with(const struct rerun *rerun, const struct program *program,
                         const struct model *model, const char *flag) {
    struct diagnostics diagnostics; // what the first run found fit, the second does
    diagnostics_init(&diagnostics, rerun->arena);
    struct solver_options again = *rerun->options;
    again.verdict_only = true;
    again.dump_smt2 = NULL;
    const struct outcomes *other =
        solver_run(rerun->solver, rerun->arena, program, model, &again, &diagnostics);
    if (other && other->verdict != VERDICT_UNKNOWN && other->verdict != rerun->outcomes->verdict) {
        add_flag(rerun->arena, rerun->outcomes, flag);
    }
}

// The test with its dependencies as written. Those rule out executions, so a verdict that needs no
// more than that something cannot be stands.
static void compare_dependencies(const struct rerun *rerun, const struct program *program,
                                 const struct model *model) {
    struct program_options options = program->options;
    struct diagnostics diagnostics; // what the first program had no errors in, the second has not
    diagnostics_init(&diagnostics, rerun->arena);
    if (!program->dependencies_left_out || rerun->outcomes->verdict != VERDICT_ALLOWED) {
        return;
    }
    options.dependencies = DEPENDENCIES_SYNTACTIC;
    const struct program *written =
        program_build(rerun->arena, program->test, &options, &diagnostics);
    if (written) {
        compare_with(rerun, written, model, "dependency-reading");
    }
}

void readings_compare(const struct readings *readings, const struct solver_options *options,
                      struct solver *solver, struct arena *arena, const struct program *program,
                      struct outcomes *outcomes) {
    const struct rerun rerun = {options, solver, arena, outcomes};
    if (outcomes->verdict == VERDICT_UNKNOWN) {
        return;
    }
    compare_dependencies(&rerun, program, readings->model);
    if (readings->other && has_proxy_fence(program)) {
        compare_with(&rerun, program, readings->other, "proxy-reading");
    }
}
