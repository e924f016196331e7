// Floating-point numbers as PTX computes with them (PTX ISA 9.7.3, 9.7.13.5), as bits.
#ifndef PTXLITMUS_ORACLE_COMPUTE_FLOAT_H
#define PTXLITMUS_ORACLE_COMPUTE_FLOAT_H

#include "litmus/instruction.h"
#include "tests/oracle/value.h"

// A comparison of setp or set (PTX ISA 9.3.1.2).
bool float_compare(enum compare_op compare, enum scalar_type type, bool flushes, u128 a, u128 b);

// add, sub, min, max, abs and neg of .f32 and .f64; min and max of two or three. Which NaN a result
// is, is unknown.
struct value float_arithmetic(const struct instruction *instruction, const struct value *sources);

// add, min and max of an atomic. What min and max return for a NaN is unknown.
struct value float_atomic(enum atomic_op operation, enum scalar_type type, bool flushes, u128 a,
                          u128 b);

#endif
