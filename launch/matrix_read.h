// Matrices in shared memory that products and copies of tensor cores read, as their descriptors
// say.
#ifndef PTXLITMUS_LAUNCH_MATRIX_READ_H
#define PTXLITMUS_LAUNCH_MATRIX_READ_H

#include "launch/internal.h"
#include "launch/matrix.h"

// An operation that reads matrices in the async proxy.
struct matrix_reader {
    struct machine *machine;
    const struct instruction *instruction;
    struct lane *lane;        // that has started it, or one of those
    struct block *block;      // whose shared memory it reads
    uint32_t actor, time;     // that reads, and when
    bool stays;               // no implicit fence follows it
    uint64_t base;            // what addresses in descriptors are added to
    struct moment moment;     // when it starts
    enum knowledge knowledge; // of what it has read
};

// Reads all of a matrix; of a test that no launch makes, as much as is there, the first element at
// least. Returns false when the run is over.
bool matrix_read(struct matrix_reader *reader, const struct matrix_layout *layout);

// Reads so many bytes from the first element on, as one access.
bool matrix_read_first(struct matrix_reader *reader, const struct matrix_layout *layout,
                       unsigned bytes);

#endif
