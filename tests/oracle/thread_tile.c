// Where the parts of a tensor copy are in its tensor (PTX ISA 5.5.3, 5.5.4).
#include "tests/oracle/thread_internal.h"

uint64_t thread_tile_size(const struct instruction *at, const struct tensor *tensor) {
    uint64_t size = tensor->element_size * (at->copy.four_rows ? 4 : 1);
    if (at->copy.im2col)
        return size * tensor->channels * tensor->pixels;
    for (unsigned d = 0; d < tensor->rank; d++)
        size *= tensor->box[d];
    return size;
}

// Where a part of one of four rows is: "{col_idx, row_idx0, row_idx1, row_idx2, row_idx3}".
static int64_t row_place(const struct tensor *tensor, const struct corner *corner,
                         uint64_t in_box) {
    uint64_t row_bytes = tensor->box[0] * tensor->element_size;
    int64_t row = corner->at[1 + in_box / row_bytes];
    int64_t column = corner->at[0] + (int64_t)(in_box % row_bytes / tensor->element_size);
    if (row < 0 || column < 0 || row >= (int64_t)tensor->extents[1] ||
        column >= (int64_t)tensor->extents[0])
        return -1;
    return row * (int64_t)tensor->strides[1] + column * (int64_t)tensor->element_size +
           (int64_t)(in_box % tensor->element_size);
}

// Where a part of a column of pixels is: from the first pixel on, one step along W, at the end of
// the bounding box one along H, and so on; the last dimension, that of the images, has no end.
static int64_t pixel_place(const struct tensor *tensor, const struct corner *corner,
                           uint64_t in_box) {
    uint64_t pixel_bytes = (uint64_t)tensor->channels * tensor->element_size;
    uint64_t in_pixel = in_box % pixel_bytes;
    unsigned last = tensor->rank - 1;
    int64_t at[TENSOR_RANK_MAX], place = 0;
    for (unsigned d = 0; d <= last; d++)
        at[d] = corner->at[d] + (d > 0 && d < last ? corner->offset[d - 1] : 0);
    at[0] += (int64_t)(in_pixel / tensor->element_size);
    for (uint64_t step = 0; step < in_box / pixel_bytes; step++) {
        unsigned d = 1;
        for (; d < last; d++) {
            int64_t end =
                (int64_t)tensor->extents[d] + tensor->upper[d - 1] + corner->offset[d - 1];
            if (++at[d] < end)
                break;
            at[d] = tensor->lower[d - 1] + corner->offset[d - 1];
        }
        at[last] += d == last;
    }
    for (unsigned d = tensor->rank; d-- > 0;) {
        if (at[d] < 0 || at[d] >= (int64_t)tensor->extents[d])
            return -1;
        place = place * (int64_t)tensor->extents[d] + at[d];
    }
    return place * (int64_t)tensor->element_size + (int64_t)(in_box % tensor->element_size);
}

// Where a part of a box is in a tensor, counted in bytes from its beginning; negative outside.
int64_t thread_tile_place(const struct instruction *at, const struct tensor *tensor,
                          const struct corner *corner, uint64_t in_box) {
    uint64_t index = in_box / tensor->element_size, place = 0;
    if (at->copy.four_rows)
        return row_place(tensor, corner, in_box);
    if (at->copy.im2col)
        return pixel_place(tensor, corner, in_box);
    for (unsigned d = 0; d < tensor->rank; d++) {
        int64_t coordinate = corner->at[d] + (int64_t)(index % tensor->box[d]);
        if (coordinate < 0 || (uint64_t)coordinate >= tensor->extents[d])
            return -1;
        place += (uint64_t)coordinate * (d == 0 ? tensor->element_size : tensor->strides[d]);
        index /= tensor->box[d];
    }
    return (int64_t)(place + in_box % tensor->element_size);
}
