// memory-model section 17.
#include "tests/oracle/axioms_launches.h"

// PTX ISA 8.9.4: "the CUDA API synchronization mechanisms above also participate in proxy-preserved
// base causality order except for the tensormap-proxy which is not acquired from generic-proxy at
// CUDA Kernel start and must therefore be acquired explicitly".
struct rel launches_cross(const struct derived *d, struct rel crossing, struct rel generic,
                          struct rel entered, struct rel acquired) {
    if (rel_is_empty(crossing))
        return crossing;
    uint64_t accesses = d->memory & ~d->initials;
    struct rel started = rel_seq(rel_optional(generic), crossing);
    struct rel path = rel_seq(started, rel_optional(entered));
    struct rel crossed = rel_within(rel_and(path, d->loc), accesses, accesses & ~d->tensormaps);
    struct rel explicitly = rel_seq(rel_within(started, accesses, d->tensormap_acquires), acquired);
    return rel_or(crossed, rel_and(explicitly, d->vloc));
}
