// Values with unknown bits: initial values of .shared and .local memory, which NaN a sum
// is, what a division by zero gives.
#ifndef PTXLITMUS_ORACLE_VALUE_H
#define PTXLITMUS_ORACLE_VALUE_H

#include "litmus/source/bits.h"
#include "tests/oracle/wide.h"

#include <stdbool.h>
#include <stdint.h>

struct value {
    u128 bits;    // zero where unknown, but in answers of try_cancel
    u128 unknown; // the unknown bits
};

// Ones in the low `width` bits; 128 at most.
static inline u128 low_ones(unsigned width) {
    return width >= 128 ? ~(u128)0 : ((u128)1 << width) - 1;
}

static inline struct value value_known(u128 bits, unsigned width) {
    struct value value = {bits & low_ones(width), 0};
    return value;
}

static inline struct value value_unknown(unsigned width) {
    struct value value = {0, low_ones(width)};
    return value;
}

// What a try_cancel has answered is opaque: no bit is known. The bits say all the same what it is:
// the second lowest one is set, the lowest one where a launch was cancelled, and above 32 bits are
// the numbers of its first CTA, of 32 bits in each dimension.
static inline struct value answer_failed(void) {
    struct value value = {2, low_ones(128)};
    return value;
}

static inline struct value answer_success(u128 cta) {
    struct value value = {3 | cta << 32, low_ones(128)};
    return value;
}

// Whether the lowest bits are those of an answer.
static inline bool value_is_answer(struct value value) {
    return (value.unknown & 3) == 3 && (value.bits & 2) != 0;
}

static inline struct value value_of_constant(struct bits128 constant, unsigned width) {
    return value_known((u128)constant.high << 64 | constant.low, width);
}

static inline struct value value_slice(struct value value, unsigned first, unsigned width) {
    struct value slice = {0, 0};
    if (first < 128) {
        slice.bits = value.bits >> first & low_ones(width);
        slice.unknown = value.unknown >> first & low_ones(width);
    }
    return slice;
}

// `low`, of `width` bits, below `high`.
static inline struct value value_join(struct value low, unsigned width, struct value high) {
    if (width < 128) {
        low.bits |= high.bits << width;
        low.unknown |= high.unknown << width;
    }
    return low;
}

static inline bool value_equal(struct value a, struct value b) {
    return a.bits == b.bits && a.unknown == b.unknown;
}

static inline bool value_is_known(struct value value) {
    return value.unknown == 0;
}

// Bits above `from` become copies of the bit below when `is_signed`, else zeros.
static inline struct value value_extend(struct value value, unsigned from, unsigned to,
                                        bool is_signed) {
    u128 above = low_ones(to) & ~low_ones(from);
    value.bits &= low_ones(from);
    value.unknown &= low_ones(from);
    if (is_signed && from > 0 && to > from) {
        if (value.bits >> (from - 1) & 1)
            value.bits |= above;
        if (value.unknown >> (from - 1) & 1)
            value.unknown |= above;
    }
    value.bits &= low_ones(to);
    value.unknown &= low_ones(to);
    return value;
}

static inline s128 as_signed(u128 bits, unsigned width) {
    if (width > 0 && width < 128 && bits >> (width - 1) & 1)
        bits |= ~low_ones(width);
    return (s128)bits;
}

#endif
