// The versions of the model: the table of memory-model section 8.
#include "tests/oracle/axioms.h"

#include <stddef.h>
#include <string.h>

static const struct version versions[] = {
    {"ptx-9.3", .proxies = true, .async_proxies = true, .cluster_scope = true,
     .one_directional_fences = true, .po_in_base_causality = true, .sc_per_location = true,
     .red_starts_acquire_pattern = false, .atomics_in_turn = true, .async_patterns = true},
    {"ptx-9.1", .proxies = true, .async_proxies = true, .cluster_scope = true,
     .one_directional_fences = true, .po_in_base_causality = true, .sc_per_location = true,
     .red_starts_acquire_pattern = false, .atomics_in_turn = true},
    {"ptx-7.5", .proxies = true, .cluster_scope = false, .one_directional_fences = false,
     .po_in_base_causality = true, .sc_per_location = false, .red_starts_acquire_pattern = true},
    {"ptx-6.0", .cluster_scope = false, .one_directional_fences = false,
     .po_in_base_causality = false, .sc_per_location = true, .red_starts_acquire_pattern = true},
};

const struct version *version_find(const char *name) {
    if (strncmp(name, "ptx-", 4) == 0)
        name += 4;
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++)
        if (strcmp(versions[i].name + 4, name) == 0)
            return &versions[i];
    return NULL;
}

struct version version_in_any_program(const struct version *version) {
    struct version reduced = *version;
    reduced.any_program = true;
    return reduced;
}
