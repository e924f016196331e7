// Which bytes of a location may come from different writes (memory-model.md D41).
#ifndef PTXLITMUS_LITMUS_PROGRAM_MEMORY_TEARING_H
#define PTXLITMUS_LITMUS_PROGRAM_MEMORY_TEARING_H

#include "litmus/program/builder.h"

// An access, and a place that it may touch.
struct cell_access {
    const struct event *event;
    const struct candidate *at;
};

// Whether a read, or the final state, may take bytes from several of the writes among accesses that
// touch common bytes, the initial write included: unless every write is morally strong to all of
// them, in whichever execution.
bool tearing_may_mix(const struct builder *builder, const struct cell_access *touches,
                     size_t count);

// Whether that holds of the accesses that may touch `size` bytes of an object, as far as
// candidates are found.
bool tearing_may_mix_at(const struct builder *builder, unsigned object, uint64_t offset,
                        unsigned size);

// Finds where cells have to be cut so that every mix of bytes that could be seen can be. cuts[i]: a
// bit for each byte of cell i that begins a piece, but for the first. Needs cells cut at the bounds
// of accesses, and candidates. Returns whether there is any cut.
bool tearing_find_cuts(struct builder *builder, unsigned *cuts);

#endif
