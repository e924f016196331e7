// The targets: what each may execute, and the memory model that holds on it.
//
// Each is a JSON file in this folder, built into the program. model/README.md describes the fields.
#ifndef PTXLITMUS_TARGETS_H
#define PTXLITMUS_TARGETS_H

#include "litmus/ptx/target.h"

#include <stddef.h>

struct arena;

// What targets differ in, as far as the tests can use it.
enum target_feature {
    FEATURE_CLUSTERS,
    FEATURE_ONE_DIRECTIONAL_FENCES,
    FEATURE_ASYNC_PROXY,
    FEATURE_TENSORMAP_PROXY,
    FEATURE_256_BIT_VECTORS,
    FEATURE_COUNT
};

struct target {
    struct ptx_target ptx;
    const char *title; // "Hopper: H100, H200"
    bool features[FEATURE_COUNT];
    const char *model;    // the name of a built-in model
    const char **further; // of a simulated memory system: texts for model_options; else none
    size_t further_count;
};

// Reads all built-in targets, in the order of --list-targets: GPUs, then simulated memory systems.
// The arena owns the `*count` targets. Never NULL.
const struct target *targets_load(struct arena *arena, size_t *count);

// Returns the target of that name, or NULL.
const struct target *targets_find(const struct target *targets, size_t count, const char *name);

// Returns a feature's name for people, "clusters" or "one-directional fences", which lives for
// ever.
const char *target_feature_name(enum target_feature feature);

// Whether the target is a simulated memory system and not a GPU.
static inline bool target_is_simulated(const struct target *target) {
    return target->further_count > 0;
}

#endif
