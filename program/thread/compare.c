// Comparisons, of integers and of the bits of floating-point numbers, and what selects by them.

#include "program/builder.h"
#include "program/dependency/dependencies.h"
#include "program/thread/compute.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"

#include <assert.h>

// --- Integers ----------------------------------------------------------------------------------

// a < b is not b <= a: the operators that expressions lack come from those that they have.
const struct expr *program_compare(struct expr_pool *pool, enum compare_op op, bool is_signed,
                                   const struct expr *a, const struct expr *b) {
    enum expr_op less = is_signed ? EXPR_SLT : EXPR_ULT, at_most = is_signed ? EXPR_SLE : EXPR_ULE;
    switch (op) {
    case COMPARE_EQ: return expr_eq(pool, a, b);
    case COMPARE_NE: return expr_not(pool, expr_eq(pool, a, b));
    case COMPARE_LT: return expr_binary(pool, less, a, b);
    case COMPARE_LE: return expr_binary(pool, at_most, a, b);
    case COMPARE_GT: return expr_binary(pool, less, b, a);
    case COMPARE_GE: return expr_binary(pool, at_most, b, a);
    case COMPARE_LO: return expr_binary(pool, EXPR_ULT, a, b);
    case COMPARE_LS: return expr_binary(pool, EXPR_ULE, a, b);
    case COMPARE_HI: return expr_binary(pool, EXPR_ULT, b, a);
    case COMPARE_HS: return expr_binary(pool, EXPR_ULE, b, a);
    default: bug("comparison %d", (int)op);
    }
}

// --- Floating-point numbers --------------------------------------------------------------------

// A number of IEEE 754 as an integer with its order, and whether it is one at all.
struct float_parts {
    const struct expr *key; // both zeros are 0
    const struct expr *nan; // one bit
};

// The magnitude of a number is ordered like its bits without the sign. `flushes`: subnormal numbers
// are zeros.
static struct float_parts number_of(struct expr_pool *pool, const struct expr *bits, bool flushes) {
    unsigned width = bits->width, fraction = width == 32 ? 23 : 52;
    uint64_t exponents = width == 32 ? 0xff : 0x7ff;
    const struct expr *zero = expr_const_u64(pool, width, 0);
    const struct expr *infinity = expr_const_u64(pool, width, exponents << fraction);
    const struct expr *magnitude =
        expr_resize(pool, expr_extract(pool, bits, 0, width - 1), width, false);
    const struct expr *nan = expr_binary(pool, EXPR_ULT, infinity, magnitude);
    if (flushes) {
        const struct expr *least = expr_const_u64(pool, width, UINT64_C(1) << fraction);
        magnitude = expr_ite(pool, expr_binary(pool, EXPR_ULT, magnitude, least), zero, magnitude);
    }
    const struct expr *negative = expr_binary(pool, EXPR_SLT, bits, zero);
    return (struct float_parts){
        expr_ite(pool, negative, expr_unary(pool, EXPR_NEG, magnitude), magnitude), nan};
}

// Comparisons without a 'u' are false where one of the operands is NaN, those with one are true
// (PTX ISA 9.7.6.2).
static const struct expr *compare_numbers(struct expr_pool *pool, enum compare_op op,
                                          struct float_parts a, struct float_parts b) {
    const struct expr *nan = expr_or(pool, a.nan, b.nan);
    if (op == COMPARE_NAN)
        return nan;
    if (op == COMPARE_NUM)
        return expr_not(pool, nan);
    bool unordered = op >= COMPARE_EQU;
    enum compare_op integer =
        unordered ? (enum compare_op)((int)op - (int)COMPARE_EQU + (int)COMPARE_EQ) : op;
    const struct expr *holds = program_compare(pool, integer, true, a.key, b.key);
    return unordered ? expr_or(pool, holds, nan) : expr_and(pool, holds, expr_not(pool, nan));
}

// --- setp, set ---------------------------------------------------------------------------------

// What setp and set compare, as one bit: operands 1 and 2, of a type.
static struct value comparison(struct thread_builder *thread, const struct instruction *instruction,
                               enum scalar_type type) {
    assert((unsigned)type <= TYPE_F64);
    struct builder *builder = thread->builder;
    unsigned width = type == TYPE_NONE ? 32 : scalar_type_bits(type);
    bool is_signed = scalar_type_is_signed(type);
    struct value a = thread_operand(thread, &instruction->operands[1], width, is_signed);
    struct value b = thread_operand(thread, &instruction->operands[2], width, is_signed);
    const struct expr *bits;
    if (scalar_type_is_float(type))
        bits = compare_numbers(builder->pool, instruction->compute.compare,
                               number_of(builder->pool, a.bits, instruction->compute.flushes),
                               number_of(builder->pool, b.bits, instruction->compute.flushes));
    else
        bits =
            program_compare(builder->pool, instruction->compute.compare, is_signed, a.bits, b.bits);
    return program_value_of(builder, bits, a, b);
}

static enum expr_op bool_operator(enum bool_op op) {
    return op == BOOL_AND ? EXPR_AND : op == BOOL_OR ? EXPR_OR : EXPR_XOR;
}

struct value compute_combine(struct thread_builder *thread, const struct instruction *instruction,
                             struct value compared, unsigned place) {
    if (instruction->bool_op == BOOL_NONE)
        return compared;
    struct value c = thread_operand(thread, &instruction->operands[place], 1, false);
    const struct expr *bits = expr_binary(
        thread->builder->pool, bool_operator(instruction->bool_op), compared.bits, c.bits);
    return program_value_of(thread->builder, bits, compared, c);
}

// setp.cmp{.bool} p{|q}, a, b{, c}: p is (a cmp b) bool c, q is !(a cmp b) bool c (PTX ISA
// 9.7.6.2).
void compute_setp(struct thread_builder *thread, const struct instruction *instruction) {
    const struct operand *destination = &instruction->operands[0];
    struct value p = comparison(thread, instruction, instruction->type), q = p;
    q.bits = expr_not(thread->builder->pool, p.bits);
    p = compute_combine(thread, instruction, p, 3);
    q = compute_combine(thread, instruction, q, 3);
    thread_write(thread, operand_element(destination, 0), p, false);
    if (destination->kind == OPERAND_VECTOR)
        thread_write(thread, &destination->elements[1], q, false);
}

// set: all ones, or 1.0, where setp would be true; else 0 (PTX ISA 9.7.6.1).
void compute_set(struct thread_builder *thread, const struct instruction *instruction) {
    struct expr_pool *pool = thread->builder->pool;
    uint64_t yes = instruction->type == TYPE_F32 ? 0x3f800000 : UINT32_MAX;
    struct value p = comparison(thread, instruction, instruction->source_type);
    p = compute_combine(thread, instruction, p, 3);
    p.bits = expr_ite(pool, p.bits, expr_const_u64(pool, 32, yes), expr_const_u64(pool, 32, 0));
    compute_write(thread, instruction, p);
}

// --- selp, slct --------------------------------------------------------------------------------

// a where the condition holds, else b; dependencies are syntactic: on all three.
static void select(struct thread_builder *thread, const struct instruction *instruction,
                   struct value condition) {
    struct builder *builder = thread->builder;
    struct value a = compute_source(thread, instruction, 1);
    struct value b = compute_source(thread, instruction, 2);
    const struct expr *chosen = expr_ite(builder->pool, condition.bits, a.bits, b.bits);
    struct value result = program_value_of(builder, chosen, a, b);
    result.dependencies = dependencies_union(builder, result.dependencies, condition.dependencies);
    if (!expr_is_const(result.bits))
        result.undef = expr_or(builder->pool, condition.undef,
                               expr_ite(builder->pool, condition.bits, a.undef, b.undef));
    compute_write(thread, instruction, result);
}

void compute_selp(struct thread_builder *thread, const struct instruction *instruction) {
    select(thread, instruction, thread_operand(thread, &instruction->operands[3], 1, false));
}

// slct: a where c is not negative (PTX ISA 9.7.6.4).
void compute_slct(struct thread_builder *thread, const struct instruction *instruction) {
    struct expr_pool *pool = thread->builder->pool;
    struct value c = thread_operand(thread, &instruction->operands[3], 32, true);
    c.bits = expr_binary(pool, EXPR_SLE, expr_const_u64(pool, 32, 0), c.bits);
    select(thread, instruction, c);
}
