// What PTX instructions compute from values, by the text of the ISA (9.7.1, 9.7.3 to 9.7.9):
// no code is shared with program.
#ifndef PTXLITMUS_ORACLE_COMPUTE_H
#define PTXLITMUS_ORACLE_COMPUTE_H

#include "litmus/instruction.h"
#include "tests/oracle/value.h"

enum truth { FALSE_NOW, TRUE_NOW, NOT_KNOWN };

// The result of an instruction with one destination that is not a predicate, as wide as
// compute_width says. `sources` are its source operands in PTX's order, without bits above their
// widths. Not for memory, barriers, windows, setp and mov.
struct value compute(const struct instruction *instruction, const struct value *sources);

// The same for sums with a carry, the last of the sources, and the carry that comes out of them.
struct value compute_with_carry(const struct instruction *instruction, const struct value *sources,
                                struct value *carry);

// The width of what `compute` returns.
unsigned compute_width(const struct instruction *instruction);

// The width in which an instruction takes its source operand `index` (from 0 on).
unsigned compute_source_width(const struct instruction *instruction, unsigned index);

// A comparison of two values of a type.
enum truth compute_compare(enum compare_op compare, enum scalar_type type, bool flushes,
                           struct value a, struct value b);

// A predicate combined with another one.
enum truth compute_combine(enum bool_op combination, enum truth a, enum truth b);
enum truth compute_truth(struct value predicate);
struct value compute_from_truth(enum truth truth);

// What an atomic writes where it reads `old`: `b`, and for cas `c`, are its operands. `flushes`
// says whether subnormal numbers are zeros. A cas whose comparison fails does not write: *writes
// says so, and is NOT_KNOWN when that depends on unknown bits.
struct value compute_atomic(const struct instruction *instruction, enum scalar_type type,
                            bool flushes, struct value old, struct value b, struct value c,
                            enum truth *writes);

#endif
