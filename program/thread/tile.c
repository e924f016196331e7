// Tiles of tensors (PTX ISA 5.5.3) and columns of pixels (5.5.4): which elements a tensor copy is
// about, and where they are.

#include "program/thread/async.h"
#include "program/thread/threads.h"

#include <assert.h>

enum { ROWS = 4 };

// The corners of the bounding box, which the offsets move: "Bounding-Box Upper-Corner W = -1" is
// one before the last element.
static int64_t lower_of(const struct tile *tile, unsigned i) {
    return tile->tensor->lower[i] + tile->offsets[i];
}

static int64_t upper_of(const struct tile *tile, unsigned i) {
    return (int64_t)tile->tensor->extents[1 + i] - 1 + tile->tensor->upper[i] + tile->offsets[i];
}

// "The filter corner location must be within the bounding box"; the limits of offsets are those of
// the table (PTX ISA 5.5.4.1).
static bool check_column(struct thread_builder *thread, const struct tile *tile,
                         const struct operand *coordinates, const struct operand *offsets) {
    static const unsigned bits[] = {16, 8, 5};
    unsigned count = tile->tensor->rank - 2;
    for (unsigned i = 0; i < count; i++) {
        int64_t lower = lower_of(tile, i) - tile->offsets[i];
        int64_t upper = upper_of(tile, i) - tile->offsets[i];
        if (tile->begin[1 + i] < lower || tile->begin[1 + i] > upper)
            diag_error(thread->builder->diagnostics, coordinates->elements[1 + i].span,
                       "a column of pixels begins in the bounding box, here from %lld to %lld",
                       (long long)lower, (long long)upper);
        else if (tile->offsets[i] >> bits[count - 1] != 0)
            diag_error(thread->builder->diagnostics, offsets->elements[i].span,
                       "an offset of im2col mode has %u bits where the tensor has %u dimensions",
                       bits[count - 1], count + 2);
        else
            continue;
        return false;
    }
    return true;
}

bool tile_begin(struct thread_builder *thread, const struct instruction *instruction,
                struct tile *tile, const struct operand *coordinates) {
    const struct operand *offsets = NULL;
    uint64_t number;
    assert(tile->tensor != NULL);
    tile->four_rows = instruction->copy.four_rows;
    if (instruction->copy.im2col && instruction->operand_count > 4)
        offsets = &instruction->operands[4];
    for (size_t i = 0; offsets != NULL && i < offsets->element_count; i++) {
        if (!thread_constant(thread, &offsets->elements[i], 16,
                             "the offsets of im2col mode must not depend on memory", &number))
            return false;
        tile->offsets[i] = (int64_t)number;
    }
    return !tile->tensor->im2col || check_column(thread, tile, coordinates, offsets);
}

uint64_t tile_bytes(const struct tile *tile) {
    const struct tensor *tensor = tile->tensor;
    uint64_t bytes = tensor->element_size;
    if (tensor->im2col)
        return bytes * tensor->channels * tensor->pixels;
    for (unsigned i = 0; i < tensor->rank; i++)
        bytes *= tensor->box[i];
    return tile->four_rows ? bytes * ROWS : bytes;
}

// Where a pixel of a column is in a dimension of the tensor. PTX ISA 5.5.4 has the first pixel and
// their number; that they are those of the bounding box along W, then H, then D, and then those of
// the next image, is in Triton's tutorial on im2col mode, pixel by pixel (14-tma-im2col).
static int64_t pixel_coordinate(const struct tile *tile, unsigned dimension, uint64_t pixel) {
    int64_t left = (int64_t)pixel;
    for (unsigned i = 0; i + 2 < tile->tensor->rank; i++) {
        int64_t lower = lower_of(tile, i), width = upper_of(tile, i) - lower + 1;
        left += tile->begin[1 + i] + tile->offsets[i] - lower;
        if (dimension == 1 + i)
            return lower + left % width;
        left /= width;
    }
    return tile->begin[tile->tensor->rank - 1] + left;
}

// Where an element of the tile is in a dimension of the tensor. "Four request coordinates will form
// four Bounding Boxes in the tensor space", each of one row (PTX ISA 5.5.3.4.1).
static int64_t coordinate(const struct tile *tile, unsigned dimension, uint64_t element) {
    const unsigned *box = tile->tensor->box;
    if (tile->tensor->im2col)
        return dimension == 0 ? tile->begin[0] + (int64_t)(element % tile->tensor->channels)
                              : pixel_coordinate(tile, dimension, element / tile->tensor->channels);
    if (tile->four_rows)
        return dimension == 0 ? tile->begin[0] + (int64_t)(element % box[0])
                              : tile->begin[1 + element / box[0]];
    for (unsigned i = 0; i < dimension; i++)
        element /= box[i];
    return tile->begin[dimension] + (int64_t)(element % box[dimension]);
}

bool tile_offset(const struct tile *tile, uint64_t byte, uint64_t *offset) {
    const struct tensor *tensor = tile->tensor;
    assert(byte < tile_bytes(tile));
    *offset = byte % tensor->element_size;
    for (unsigned i = 0; i < tensor->rank; i++) {
        int64_t at = coordinate(tile, i, byte / tensor->element_size);
        if (at < 0 || at >= (int64_t)tensor->extents[i])
            return false;
        *offset += (uint64_t)at * tensor->strides[i];
    }
    return true;
}
