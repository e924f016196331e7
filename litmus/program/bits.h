// Arithmetic on bit patterns of up to 128 bits, for folding and evaluating expressions.
#ifndef PTXLITMUS_BITS_H
#define PTXLITMUS_BITS_H

#include "litmus/test.h"

#include <stdbool.h>

enum { BITS_MAX = 128 };

__extension__ typedef unsigned __int128 wide;

static inline wide bits_to_wide(struct bits128 bits) {
    return (wide)bits.high << 64 | bits.low;
}

static inline struct bits128 bits_from_wide(wide value) {
    return (struct bits128){.low = (uint64_t)value, .high = (uint64_t)(value >> 64)};
}

// All ones in the low `width` bits, 0 to 128 of them.
static inline wide bits_mask(unsigned width) {
    return width >= BITS_MAX ? ~(wide)0 : ((wide)1 << width) - 1;
}

static inline bool bits_sign(wide value, unsigned width) {
    return value >> (width - 1) & 1;
}

// The value of `width` bits, extended by its sign to 128.
static inline wide bits_sign_extend(wide value, unsigned width) {
    return bits_sign(value, width) ? value | ~bits_mask(width) : value & bits_mask(width);
}

#endif
