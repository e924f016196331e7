// Tiles of tensors (PTX ISA 5.5.3): which elements a tensor copy is about, and where they are.

#include "litmus/program/thread/async.h"

#include <assert.h>

enum { ROWS = 4 };

bool tile_begin(struct thread_builder *thread, const struct instruction *instruction,
                struct tile *tile, const struct operand *coordinates) {
    assert(tile->tensor != NULL);
    tile->four_rows = instruction->four_rows;
    for (size_t i = 0; i < coordinates->element_count; i++) {
        const struct operand *element = &coordinates->elements[i];
        const struct expr *at = thread_operand(thread, element, 32, true).bits;
        if (!expr_is_const(at)) {
            diag_error(thread->builder->diagnostics, element->span,
                       "the coordinates of a tile must not depend on memory");
            return false;
        }
        tile->begin[i] = (int32_t)(uint32_t)at->value.low;
    }
    return true;
}

uint64_t tile_bytes(const struct tile *tile) {
    uint64_t bytes = tile->tensor->element_size;
    for (unsigned i = 0; i < tile->tensor->rank; i++)
        bytes *= tile->tensor->box[i];
    return tile->four_rows ? bytes * ROWS : bytes;
}

// Where an element of the tile is in a dimension of the tensor. "Four request coordinates will form
// four Bounding Boxes in the tensor space", each of one row (PTX ISA 5.5.3.4.1).
static int64_t coordinate(const struct tile *tile, unsigned dimension, uint64_t element) {
    const unsigned *box = tile->tensor->box;
    if (tile->four_rows)
        return dimension == 0 ? tile->begin[0] + (int64_t)(element % box[0])
                              : tile->begin[1 + element / box[0]];
    for (unsigned i = 0; i < dimension; i++)
        element /= box[i];
    return tile->begin[dimension] + (int64_t)(element % box[dimension]);
}

bool tile_offset(const struct tile *tile, uint64_t byte, uint64_t *offset) {
    const struct tensor *tensor = tile->tensor;
    uint64_t stride = tensor->element_size;
    assert(byte < tile_bytes(tile));
    *offset = byte % tensor->element_size;
    for (unsigned i = 0; i < tensor->rank; i++) {
        int64_t at = coordinate(tile, i, byte / tensor->element_size);
        if (at < 0 || at >= (int64_t)tensor->extents[i])
            return false;
        *offset += (uint64_t)at * stride;
        stride *= tensor->extents[i];
    }
    return true;
}
