// Sums of floating-point numbers in integers, for the oracle: no code is shared with litmus/.
#ifndef PTXLITMUS_ORACLE_FLOAT_H
#define PTXLITMUS_ORACLE_FLOAT_H

#include <stdbool.h>
#include <stdint.h>

// A format of IEEE 754's kind: sign, `exponent` bits, `fraction` bits; 64 at most.
struct float_layout {
    unsigned exponent, fraction;
    bool flush; // subnormal operands and results are zeros of their sign
};

// a + b as bits, rounded to the nearest even number. Which NaN is returned does not matter.
uint64_t float_sum(const struct float_layout *layout, uint64_t a, uint64_t b);

#endif
