// Where the elements of a matrix are in shared memory, as its descriptor says (PTX
// ISA 9.7.15.5.1.2, 9.7.16.4.1).
//
// A matrix is lines of chunks of 16 bytes. Where the elements along K are next to each other, a
// line is a row of A or a column of B; else it is what has one K. Eight lines are a core of the
// layout: in it a line has as many chunks as the swizzling is wide, and the swizzling permutes
// these.
#ifndef PTXLITMUS_LAUNCH_MATRIX_H
#define PTXLITMUS_LAUNCH_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

enum { MATRIX_CHUNK_BYTES = 16 };

struct matrix_layout {
    uint64_t start; // the address of the first element, in the shared window of the CTA
    uint32_t
        to_next_chunks; // bytes from the chunks of a line to those that the core has no room for
    uint32_t to_next_lines; // bytes from eight lines to the next eight
    unsigned width;         // chunks of a line in a core: 1, without swizzling, or 2, 4 or 8
    unsigned lines, chunks;
};

// What is to be known beside a descriptor.
struct matrix_extent {
    unsigned rows;      // along M or N, in elements
    unsigned depth;     // along K, in bytes where these are next to each other, else in elements
    bool is_transposed; // elements along M or N are next to each other, not those along K
    unsigned element_bits;
};

// Finds the layout that a descriptor of wgmma.mma_async describes. Returns false where its pattern
// does not begin where the addresses say ("matrix base offset").
bool matrix_described(uint64_t descriptor, const struct matrix_extent *extent,
                      struct matrix_layout *layout);

// Returns the address of a chunk of a line.
uint64_t matrix_chunk(const struct matrix_layout *layout, unsigned line, unsigned chunk);

#endif
