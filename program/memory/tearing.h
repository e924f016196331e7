// Which bytes of a location may come from different writes (memory-model: torn accesses).
#ifndef PTXLITMUS_PROGRAM_MEMORY_TEARING_H
#define PTXLITMUS_PROGRAM_MEMORY_TEARING_H

#include "program/builder.h"

// An access, and a place that it may touch.
struct cell_access {
    const struct event *event;
    const struct candidate *at;
};

// Whether a read, or the final state, may take bytes from several writes, the initial one included,
// where these accesses touch common bytes: it may unless every write among them is morally strong
// to all of them in every execution.
bool tearing_may_mix(const struct builder *builder, const struct cell_access *touches,
                     size_t count);

// The same for the accesses that may touch `size` bytes of an object, as far as candidates are
// found already.
bool tearing_may_mix_at(const struct builder *builder, unsigned object, uint64_t offset,
                        unsigned size);

// Finds where cells have to be cut so that every mix of bytes that is possible can be seen. Sets
// cuts[i] to a mask of the bytes of cell i that begin a piece, except the first. Needs cells cut at
// the bounds of accesses, and candidates. Returns whether there is any cut.
bool tearing_find_cuts(struct builder *builder, unsigned *cuts);

#endif
