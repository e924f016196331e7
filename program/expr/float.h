// Sums of floating-point numbers given as bits: the operator EXPR_FADD. Formats and rounding are
// those of IEEE 754 (bfloat16: its first 16 bits of a binary32); what PTX says about NaNs and
// subnormal numbers is in the ISA at `add` and `red`.
#ifndef PTXLITMUS_PROGRAM_EXPR_FLOAT_H
#define PTXLITMUS_PROGRAM_EXPR_FLOAT_H

#include "litmus/instruction.h"
#include "program/expr/expr.h"

#include <stdint.h>

// Returns the width of a number in bits: 16, 32 or 64.
unsigned float_width(enum float_format format);

// Returns the width of the fraction in bits.
unsigned float_fraction(enum float_format format);

// Returns +infinity as bits, which are also those of the exponent.
uint64_t float_infinity(enum float_format format);

// Whether the bits are a NaN of the format.
bool float_is_nan(enum float_format format, uint64_t bits);

// Returns a + b, rounded to the nearest number, and to the even one of two that are equally near.
// FLOAT_F32_FLUSHED takes subnormal operands and results for zeros of their sign. A NaN is returned
// with all bits set except the sign.
uint64_t float_add(enum float_format format, uint64_t a, uint64_t b);

// What an operation on concrete numbers gives.
enum float_outcome {
    FLOAT_KNOWN,
    FLOAT_SOME_NAN, // a NaN, and which one is not specified
    FLOAT_OPEN,     // not specified, or not known here
};

// Computes what PTX says an instruction with a `float_op` gives for these operands, as bits of its
// type (of FLOAT_CVT: the operand of its source type). Rounded once, as IEEE 754 says; flushed and
// saturated as the instruction says. Open are: a product that is not exact and may be fused with a
// sum, as no rounding is given; a tiny result that rounds to a normal number where subnormal ones
// are flushed; and NaNs as integers where versions of the ISA differ.
enum float_outcome float_compute(const struct instruction *instruction, const uint64_t operands[3],
                                 uint64_t *result);

// Returns the same sum as an expression of bit-vector operations alone, for solvers without
// floating-point numbers. The operands have the width of the format; the pool owns the result.
const struct expr *expr_float_bits(struct expr_pool *pool, enum float_format format,
                                   const struct expr *a, const struct expr *b);

#endif
