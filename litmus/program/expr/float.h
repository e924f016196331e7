// Sums of floating-point numbers given as bits: the operator EXPR_FADD.
#ifndef PTXLITMUS_LITMUS_PROGRAM_EXPR_FLOAT_H
#define PTXLITMUS_LITMUS_PROGRAM_EXPR_FLOAT_H

#include "litmus/program/expr/expr.h"

#include <stdint.h>

// Bits of a number, of its fraction, and the bits of +infinity, which are those of the exponent.
unsigned float_width(enum float_format format);
unsigned float_fraction(enum float_format format);
uint64_t float_infinity(enum float_format format);

bool float_is_nan(enum float_format format, uint64_t bits);

// a + b, rounded to the nearest even number; FLOAT_F32_FLUSHED takes subnormal operands and results
// for zeros of their sign. A NaN is returned as all ones but the sign.
uint64_t float_add(enum float_format format, uint64_t a, uint64_t b);

// The same in bit-vector operations alone.
const struct expr *expr_float_bits(struct expr_pool *pool, enum float_format format,
                                   const struct expr *a, const struct expr *b);

#endif
