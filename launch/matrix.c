// Layouts of matrices in shared memory.
#include "launch/matrix.h"

enum { LINES_OF_CORE = 8 };

// A field of a descriptor that has a number of bytes without its lowest four bits.
static uint32_t bytes_at(uint64_t descriptor, unsigned bit) {
    return (uint32_t)(descriptor >> bit & 0x3fff) << 4;
}

bool matrix_described(uint64_t descriptor, const struct matrix_extent *extent,
                      struct matrix_layout *layout) {
    enum { LEADING = 16, STRIDE = 32, BASE_OFFSET = 49, SWIZZLING = 62, CHUNK_BITS = 128 };
    static const unsigned widths[] = {1, 8, 4, 2}; // none, of 128, 64 and 32 bytes
    uint32_t leading = bytes_at(descriptor, LEADING), stride = bytes_at(descriptor, STRIDE);
    unsigned width = widths[descriptor >> SWIZZLING];
    bool is_swapped = extent->is_transposed && width == 1;
    *layout = (struct matrix_layout){.start = bytes_at(descriptor, 0),
                                     .to_next_chunks = is_swapped ? stride : leading,
                                     .to_next_lines = is_swapped ? leading : stride,
                                     .width = width,
                                     .lines = extent->rows,
                                     .chunks = extent->depth / MATRIX_CHUNK_BYTES};
    if (extent->is_transposed) {
        layout->lines = extent->depth;
        layout->chunks = (extent->rows * extent->element_bits + CHUNK_BITS - 1) / CHUNK_BITS;
    }
    return (descriptor >> BASE_OFFSET & 7) == 0;
}

// The swizzling permutes the chunks of a line by the number of the line, both of which are bits of
// the address.
uint64_t matrix_chunk(const struct matrix_layout *layout, unsigned line, unsigned chunk) {
    enum { CHUNK_SHIFT = 4, LINE_SHIFT = 7 };
    uint64_t in_core = (uint64_t)(line % LINES_OF_CORE) * layout->width + chunk % layout->width;
    uint64_t address = layout->start + in_core * MATRIX_CHUNK_BYTES +
                       (uint64_t)(line / LINES_OF_CORE) * layout->to_next_lines +
                       (uint64_t)(chunk / layout->width) * layout->to_next_chunks;
    return address ^ ((address >> LINE_SHIFT & (layout->width - 1)) << CHUNK_SHIFT);
}
