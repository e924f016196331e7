// The targets: what each may execute, and the memory model that holds on it.
//
// Each is a JSON file in this folder, built into the program. model/README.md describes the fields.
#ifndef PTXLITMUS_TARGETS_H
#define PTXLITMUS_TARGETS_H

#include "litmus/ptx/target.h"

#include <stddef.h>

struct arena;

struct target {
    struct ptx_target ptx;
    const char *title;    // "Hopper: H100, H200"
    const char *model;    // the name of a built-in model
    const char **further; // of a simulated memory system: texts for model_options; else none
    size_t further_count;
};

// Reads all built-in targets, in the order of --list-targets: GPUs, then simulated memory systems.
// The arena owns the `*count` targets. Never NULL.
const struct target *targets_load(struct arena *arena, size_t *count);

// Returns the target of that name, or NULL.
const struct target *targets_find(const struct target *targets, size_t count, const char *name);

// Whether the target is a simulated memory system and not a GPU.
static inline bool target_is_simulated(const struct target *target) {
    return target->further_count > 0;
}

#endif
