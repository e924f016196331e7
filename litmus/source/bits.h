// Bit patterns of up to 128 bits, the values of registers and memory, and arithmetic on them.
#ifndef PTXLITMUS_LITMUS_SOURCE_BITS_H
#define PTXLITMUS_LITMUS_SOURCE_BITS_H

#include <stdbool.h>
#include <stdint.h>

// A bit pattern; bits above a value's width are zero.
struct bits128 {
    uint64_t low;
    uint64_t high;
};

// Whether two patterns are the same.
static inline bool bits_equal(struct bits128 a, struct bits128 b) {
    return a.low == b.low && a.high == b.high;
}

// Whether no bit is set.
static inline bool bits_is_zero(struct bits128 bits) {
    return bits.low == 0 && bits.high == 0;
}

enum { BITS_MAX = 128 };

__extension__ typedef unsigned __int128 uint128;

// Returns a pattern as a number of the compiler's own type, for arithmetic.
static inline uint128 bits_to_wide(struct bits128 bits) {
    return (uint128)bits.high << 64 | bits.low;
}

// Returns a number as a pattern.
static inline struct bits128 bits_from_wide(uint128 value) {
    return (struct bits128){.low = (uint64_t)value, .high = (uint64_t)(value >> 64)};
}

// Returns a number whose low `width` bits, 0 to 128 of them, are set.
static inline uint128 bits_mask(unsigned width) {
    return width >= BITS_MAX ? ~(uint128)0 : ((uint128)1 << width) - 1;
}

// Returns the sign of a value of `width` bits, at least one: its highest bit.
static inline bool bits_sign(uint128 value, unsigned width) {
    return value >> (width - 1) & 1;
}

// Returns a value of `width` bits extended by its sign to 128.
static inline uint128 bits_sign_extend(uint128 value, unsigned width) {
    return bits_sign(value, width) ? value | ~bits_mask(width) : value & bits_mask(width);
}

#endif
