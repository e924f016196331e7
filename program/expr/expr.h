// Values as expressions: a hash-consed graph of bit-vector operations over what executions decide
// (the value of each read, the final value of each location). Constants are folded while building.
//
// Operators mean what they mean in SMT-LIB's theory FixedSizeBitVectors, EXPR_FADD what IEEE 754
// says. Widths are in bits, and bit 0 is the lowest.
//
// Ownership: expressions belong to their pool, the pool to its arena; callers free nothing.
// Equal expressions are one object, so pointers can be compared. Failure: functions that make
// expressions never return NULL. Running out of memory ends the work (allocate.h); widths that do
// not fit are bugs of the caller (bug.h).
#ifndef PTXLITMUS_PROGRAM_EXPR_EXPR_H
#define PTXLITMUS_PROGRAM_EXPR_EXPR_H

#include "litmus/source/bits.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

enum expr_op {
    EXPR_CONST,       // `value`
    EXPR_READ,        // the value that read event `index` returns
    EXPR_READ_UNDEF,  // 1 bit: that value depends on an unknown initial value
    EXPR_FINAL,       // the final value of cell `index`
    EXPR_FINAL_UNDEF, // 1 bit, as above
    EXPR_UNKNOWN,     // an unspecified initial value; `index` tells them apart
    EXPR_CHOICE,      // 1 bit: what a schedule decides, see struct endings; `index` likewise
    // Barriers: see struct phase_pair in phases.h.
    EXPR_PASSES,        // 1 bit: wait event `index` leaves the barrier
    EXPR_PHASE_PAIR,    // 1 bit: phase pair `index` holds
    EXPR_REDUCED,       // what the bar.red of wait event `index` computes: that event's `reduced`
    EXPR_REDUCED_UNDEF, // 1 bit: that value is unknown: that event's `reduced_undef`
    // Bit-vector operations: operands and result have one width.
    EXPR_NOT,
    EXPR_NEG,
    EXPR_AND,
    EXPR_OR,
    EXPR_XOR,
    EXPR_ADD,
    EXPR_SUB,
    EXPR_MUL,
    EXPR_UDIV,
    EXPR_SDIV,
    EXPR_UREM,
    EXPR_SREM,
    EXPR_SHL,
    EXPR_LSHR,
    EXPR_ASHR, // shift amounts of width or more give 0 (or the sign)
    // Comparisons: a result of one bit.
    EXPR_EQ,
    EXPR_ULT,
    EXPR_ULE,
    EXPR_SLT,
    EXPR_SLE,
    EXPR_ITE,     // args[0] has one bit
    EXPR_CONCAT,  // args[0] is the high part
    EXPR_EXTRACT, // `width` bits of args[0] from bit `index` on
    EXPR_ZEXT,
    EXPR_SEXT,
    EXPR_FADD, // the sum of two floating-point numbers of the format `index`: see expr/float.h
};

// Floating-point numbers as bits. FLOAT_F32_FLUSHED: subnormal numbers are zeros of their sign.
enum float_format { FLOAT_F16, FLOAT_BF16, FLOAT_F32, FLOAT_F32_FLUSHED, FLOAT_F64 };

struct expr {
    enum expr_op op;
    unsigned width;       // 1 to 256 bits in between, 1 to 128 for constants and reads
    unsigned index;       // event, cell, unknown, choice, first bit or format, by op
    unsigned id;          // position in the pool: operands come before their users
    struct bits128 value; // CONST
    const struct expr *args[3];
};

struct expr_pool;

// Returns an empty pool, which lives in `arena`.
struct expr_pool *expr_pool_new(struct arena *arena);

// Returns the number of expressions in the pool; their ids are below it.
unsigned expr_pool_count(const struct expr_pool *pool);

// --- Making expressions (expr.c, simplify.c) ---------------------------------------------------

// Returns the constant `value` of 1 to 128 bits; bits of it above the width are dropped.
const struct expr *expr_const(struct expr_pool *pool, unsigned width, struct bits128 value);

// As expr_const, for a value that 64 bits hold.
const struct expr *expr_const_u64(struct expr_pool *pool, unsigned width, uint64_t value);

// Returns the constant 1 or 0 of one bit.
const struct expr *expr_bool(struct expr_pool *pool, bool value);

// Returns a leaf other than a constant: an operator that comes before EXPR_NOT, 1 to 128 bits wide,
// where `index` is what the operator's comment says.
const struct expr *expr_leaf(struct expr_pool *pool, enum expr_op op, unsigned width,
                             unsigned index);

// Returns EXPR_NOT or EXPR_NEG of `a`, simplified, in the same width.
const struct expr *expr_unary(struct expr_pool *pool, enum expr_op op, const struct expr *a);

// Returns an operation from EXPR_AND to EXPR_SLE, or EXPR_CONCAT, simplified. Operands have one
// width, except those of EXPR_CONCAT, whose widths are added. Comparisons have one bit.
const struct expr *expr_binary(struct expr_pool *pool, enum expr_op op, const struct expr *a,
                               const struct expr *b);

// Returns the sum of two floating-point numbers whose widths are that of `format` (float.h).
const struct expr *expr_fadd(struct expr_pool *pool, enum float_format format, const struct expr *a,
                             const struct expr *b);

// Returns `then_value` where `condition` (one bit) holds, else `else_value`, which has its width.
const struct expr *expr_ite(struct expr_pool *pool, const struct expr *condition,
                            const struct expr *then_value, const struct expr *else_value);

// Returns `width` bits of `a` from bit `first_bit` on, all of which `a` must have.
const struct expr *expr_extract(struct expr_pool *pool, const struct expr *a, unsigned first_bit,
                                unsigned width);

// Returns `a` zero- or sign-extended, or truncated, to `width` bits.
const struct expr *expr_resize(struct expr_pool *pool, const struct expr *a, unsigned width,
                               bool is_signed);

// --- Looking at expressions (expr.c, evaluate.c) -----------------------------------------------

// Whether an expression is a constant. (One that is not may still have one value only.)
bool expr_is_const(const struct expr *expr);

// Whether an expression is the constant 1 of one bit.
bool expr_is_true(const struct expr *expr);

// Whether an expression is the constant 0 of one bit.
bool expr_is_false(const struct expr *expr);

// Whether an expression (a member of the pool) depends on a leaf of this operator, as it is
// written.
bool expr_has_leaf(const struct expr_pool *pool, const struct expr *expr, enum expr_op leaf);

// What an evaluation asks for the leaves: `leaf` returns the value of an EXPR_READ or of any other
// operator before EXPR_NOT, but not of constants. `context` is the caller's.
struct expr_environment {
    struct bits128 (*leaf)(void *context, const struct expr *leaf);
    void *context;
};

// Returns the value of `expr` (a member of the pool) computed in plain C, for concrete executions.
// The memory that it takes is linear in the pool and freed before returning.
struct bits128 expr_evaluate(const struct expr_pool *pool, const struct expr *expr,
                             const struct expr_environment *environment);

// Marks, by id, all that the marked ones among the first `count` expressions of the pool are made
// of.
void expr_mark_parts(const struct expr_pool *pool, size_t count, bool *marked);

// Calls `visit` with each marked leaf of the pool: operators before EXPR_NOT other than constants.
void expr_visit_leaves(const struct expr_pool *pool, const bool *marked,
                       void (*visit)(void *context, const struct expr *leaf), void *context);

// --- Other leaves (replace.c) --------------------------------------------------------------------

// What takes the place of a leaf (an operator before EXPR_NOT, but no constant): an expression of
// its width in the pool of what is made, such as the leaf itself. It is asked for once for each
// leaf.
struct expr_replacing {
    const struct expr *(*replacement)(void *context, const struct expr *leaf);
    void *context;
};

struct expr_replacements;

// Returns replacements in expressions of a pool, none made yet; the context of `leaves`, which is
// NULL where all stay, has to live as long as it is used. It lives in `arena`.
struct expr_replacements *expr_replacements_new(struct arena *arena, struct expr_pool *pool,
                                                const struct expr_replacing *leaves);

// As expr_replacements_new, for expressions of the pool `from` that are copied to another one.
struct expr_replacements *expr_replacements_between(struct arena *arena,
                                                    const struct expr_pool *from,
                                                    struct expr_pool *to,
                                                    const struct expr_replacing *leaves);

// Returns an expression of the first pool with its leaves replaced, simplified; the expression
// itself where all stay, in the same pool.
const struct expr *expr_replace(struct expr_replacements *replacements, const struct expr *expr);

// Puts another expression of the same width in the place of one wherever it occurs in what is
// replaced from now on.
void expr_replace_with(struct expr_replacements *replacements, const struct expr *expr,
                       const struct expr *other);

#endif
