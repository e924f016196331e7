// Arithmetic on floating-point numbers: atomic operations (PTX ISA 9.7.13.5, 9.7.13.6) and those on
// registers (9.7.3), and where the ISA leaves the result open.

#include "program/builder.h"
#include "program/dependency/dependencies.h"
#include "program/thread/compute.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"

#include "program/expr/float.h"

#include <assert.h>

static enum float_format format_of(enum scalar_type type) {
    assert((unsigned)type <= TYPE_F64);
    switch (type) {
    case TYPE_F16:
    case TYPE_F16X2: return FLOAT_F16;
    case TYPE_BF16:
    case TYPE_BF16X2: return FLOAT_BF16;
    case TYPE_F32: return FLOAT_F32;
    case TYPE_F64: return FLOAT_F64;
    default: bug(".%s has no floating-point format", scalar_type_name(type));
    }
}

static const struct expr *is_nan(struct expr_pool *pool, enum float_format format,
                                 const struct expr *a) {
    const struct expr *infinity = expr_const_u64(pool, a->width, float_infinity(format));
    const struct expr *magnitude =
        expr_resize(pool, expr_extract(pool, a, 0, a->width - 1), a->width, false);
    return expr_binary(pool, EXPR_ULT, infinity, magnitude);
}

// "atom.add.f32 on global memory flushes subnormal inputs and results to sign-preserving zero;
// whereas atom.add.f32 on shared memory [...] doesn't flush them": the memory decides, which a
// generic address may leave to the execution. All other sums keep subnormal numbers.
static const struct expr *sum_of(struct builder *builder, const struct instruction *instruction,
                                 const struct expr *address, const struct expr *old,
                                 const struct expr *b) {
    enum float_format format = format_of(instruction->type);
    const struct expr *sum = expr_fadd(builder->pool, format, old, b);
    if (format != FLOAT_F32)
        return sum;
    const struct expr *flushed = expr_fadd(builder->pool, FLOAT_F32_FLUSHED, old, b);
    switch (instruction->space) {
    case SPACE_GLOBAL: return flushed;
    case SPACE_GENERIC:
        return expr_ite(builder->pool, program_is_shared(builder, address), sum, flushed);
    default: return sum;
    }
}

// As integers in the order of the numbers, of which -0 is less than +0 (PTX ISA 9.7.4.7: "+0.0 >
// -0.0"): negative ones with their magnitude reversed.
static const struct expr *key_of(struct expr_pool *pool, const struct expr *a) {
    const struct expr *zero = expr_const_u64(pool, a->width, 0);
    const struct expr *magnitude =
        expr_const_u64(pool, a->width, (UINT64_C(1) << (a->width - 1)) - 1);
    return expr_ite(pool, expr_binary(pool, EXPR_SLT, a, zero),
                    expr_binary(pool, EXPR_XOR, a, magnitude), a);
}

static const struct expr *least_or_greatest(struct expr_pool *pool, bool least,
                                            const struct expr *old, const struct expr *b) {
    const struct expr *x = key_of(pool, old), *y = key_of(pool, b);
    const struct expr *takes_b = expr_binary(pool, EXPR_SLT, least ? y : x, least ? x : y);
    return expr_ite(pool, takes_b, b, old);
}

// --- Atomic operations -------------------------------------------------------------------------

bool float_computes(const struct instruction *instruction) {
    bool moves = instruction->atomic == ATOMIC_EXCH || instruction->atomic == ATOMIC_CAS;
    return scalar_type_is_float(instruction->type) && !moves;
}

bool float_is_packed(const struct instruction *instruction) {
    return instruction->type == TYPE_F16X2 || instruction->type == TYPE_BF16X2;
}

// Which NaN a sum is, is not specified (PTX ISA 9.7.3, 9.7.4: "an unspecified NaN"): an unknown
// value, but a NaN.
static struct value unknown_nan(struct builder *builder, enum float_format format) {
    assert((unsigned)format <= FLOAT_F64);
    struct expr_pool *pool = builder->pool;
    struct value value = program_value_unknown(builder, float_width(format));
    const struct expr *some = expr_const_u64(pool, float_width(format), float_infinity(format) + 1);
    value.bits = expr_ite(pool, is_nan(pool, format, value.bits), value.bits, some);
    return value;
}

struct value float_some_nan(struct builder *builder, enum scalar_type type) {
    return unknown_nan(builder, format_of(type));
}

// A value, or some NaN when its bits are not a number.
static struct value known_unless_nan(struct builder *builder, enum float_format format,
                                     struct value value) {
    assert((unsigned)format <= FLOAT_F64);
    return program_value_choose(builder, is_nan(builder->pool, format, value.bits),
                                unknown_nan(builder, format), value);
}

// "The current implementation of cp.reduce.async.bulk.add.f32 flushes subnormal inputs and results"
// (PTX ISA 9.7.9.25.4.2), but an H100 keeps them: not known where that matters.
static struct value bulk_sum(struct builder *builder, struct value old, struct value b) {
    struct expr_pool *pool = builder->pool;
    const struct expr *kept = expr_fadd(pool, FLOAT_F32, old.bits, b.bits);
    const struct expr *flushed = expr_fadd(pool, FLOAT_F32_FLUSHED, old.bits, b.bits);
    return program_value_choose(builder, expr_not(pool, expr_eq(pool, kept, flushed)),
                                program_value_unknown(builder, kept->width),
                                program_value_of(builder, kept, old, b));
}

static struct value atomic_sum(struct builder *builder, const struct instruction *instruction,
                               const struct expr *address, struct value old, struct value b) {
    enum float_format format = format_of(instruction->type);
    bool is_bulk = opcode_family(instruction->opcode) == FAMILY_COPY;
    struct value sum =
        is_bulk && format == FLOAT_F32
            ? bulk_sum(builder, old, b)
            : program_value_of(builder, sum_of(builder, instruction, address, old.bits, b.bits),
                               old, b);
    return known_unless_nan(builder, format, sum);
}

// What .min and .max of an atomic make of a NaN is not specified: the instructions min and max have
// .NaN for that, and atomics have not.
static struct value atomic_limit(struct builder *builder, const struct instruction *instruction,
                                 struct value old, struct value b) {
    struct expr_pool *pool = builder->pool;
    enum float_format format = format_of(instruction->type);
    bool least = instruction->atomic == ATOMIC_MIN;
    const struct expr *bits = least_or_greatest(pool, least, old.bits, b.bits);
    const struct expr *open =
        expr_or(pool, is_nan(pool, format, old.bits), is_nan(pool, format, b.bits));
    return program_value_choose(builder, open, program_value_unknown(builder, bits->width),
                                program_value_of(builder, bits, old, b));
}

struct value float_atomic(struct builder *builder, const struct instruction *instruction,
                          const struct expr *address, struct value old, struct value b) {
    struct value value = instruction->atomic == ATOMIC_ADD
                             ? atomic_sum(builder, instruction, address, old, b)
                             : atomic_limit(builder, instruction, old, b);
    value.dependencies = dependencies_union(builder, old.dependencies, b.dependencies);
    return value;
}

// --- Registers ---------------------------------------------------------------------------------

static const struct expr *sign_bit(struct expr_pool *pool, unsigned width) {
    return expr_const_u64(pool, width, UINT64_C(1) << (width - 1));
}

// .ftz: "flushes subnormal inputs and results to sign-preserving zero".
static const struct expr *flush(struct expr_pool *pool, const struct instruction *instruction,
                                const struct expr *a) {
    if (!instruction->compute.flushes)
        return a;
    const struct expr *exponent = expr_extract(pool, a, 23, 8);
    return expr_ite(pool, expr_eq(pool, exponent, expr_const_u64(pool, 8, 0)),
                    expr_binary(pool, EXPR_AND, a, sign_bit(pool, a->width)), a);
}

static const struct expr *negated(struct expr_pool *pool, const struct expr *a) {
    return expr_binary(pool, EXPR_XOR, a, sign_bit(pool, a->width));
}

static enum float_format register_format(const struct instruction *instruction) {
    enum float_format format = format_of(instruction->type);
    return format == FLOAT_F32 && instruction->compute.flushes ? FLOAT_F32_FLUSHED : format;
}

// Of a number and a NaN, the number (PTX ISA 9.7.3.11, 9.7.3.12).
static const struct expr *limit_of(struct expr_pool *pool, const struct instruction *instruction,
                                   const struct expr *a, const struct expr *b) {
    enum float_format format = format_of(instruction->type);
    a = flush(pool, instruction, a);
    b = flush(pool, instruction, b);
    const struct expr *limit = least_or_greatest(pool, instruction->opcode == OP_MIN, a, b);
    limit = expr_ite(pool, is_nan(pool, format, b), a, limit);
    return expr_ite(pool, is_nan(pool, format, a), b, limit);
}

// abs.f64 alone passes a NaN through (PTX ISA 9.7.3.9, 9.7.3.10).
static struct value sign_changed(struct builder *builder, const struct instruction *instruction,
                                 struct value a) {
    struct expr_pool *pool = builder->pool;
    const struct expr *bits = flush(pool, instruction, a.bits), *sign = sign_bit(pool, bits->width);
    const struct expr *nan = is_nan(pool, format_of(instruction->type), bits);
    bool absolute = instruction->opcode == OP_ABS;
    const struct expr *changed =
        absolute ? expr_binary(pool, EXPR_AND, bits, expr_not(pool, sign)) : negated(pool, bits);
    if (absolute && instruction->type == TYPE_F64)
        return program_value_of(builder, expr_ite(pool, nan, bits, changed), a, a);
    return known_unless_nan(builder, format_of(instruction->type),
                            program_value_of(builder, changed, a, a));
}

static struct value computed(struct builder *builder, const struct instruction *instruction,
                             struct value a, struct value b) {
    struct expr_pool *pool = builder->pool;
    const struct expr *bits;
    switch (instruction->opcode) {
    case OP_ADD: bits = expr_fadd(pool, register_format(instruction), a.bits, b.bits); break;
    case OP_SUB:
        bits = expr_fadd(pool, register_format(instruction), a.bits, negated(pool, b.bits));
        break;
    case OP_MIN:
    case OP_MAX: bits = limit_of(pool, instruction, a.bits, b.bits); break;
    default: return sign_changed(builder, instruction, a);
    }
    return known_unless_nan(builder, format_of(instruction->type),
                            program_value_of(builder, bits, a, b));
}

// In a module, an unknown operand may be a product that is fused with this sum (PTX ISA 9.7.3.3:
// sequences of mul and add without a rounding): then the sum is not one of any such operand.
static struct value may_be_fused(const struct thread_builder *thread,
                                 const struct instruction *instruction, struct value a,
                                 struct value b, struct value sum) {
    struct builder *builder = thread->builder;
    bool is_sum = instruction->opcode == OP_ADD || instruction->opcode == OP_SUB;
    if (thread->thread->launch == NULL || !is_sum)
        return sum;
    const struct expr *undef = expr_or(builder->pool, a.undef, b.undef);
    return program_value_choose(builder, undef, program_value_unknown(builder, sum.bits->width),
                                sum);
}

void compute_float(struct thread_builder *thread, const struct instruction *instruction) {
    bool unary = instruction->opcode == OP_ABS || instruction->opcode == OP_NEG;
    struct value a = compute_source(thread, instruction, 1);
    struct value b = unary ? a : compute_source(thread, instruction, 2);
    if (instruction->operand_count > 3) { // min and max of three: of that of two and the third
        struct dependency_list dependencies =
            dependencies_union(thread->builder, a.dependencies, b.dependencies);
        const struct expr *bits = limit_of(thread->builder->pool, instruction, a.bits, b.bits);
        a = program_value_of(thread->builder, bits, a, b);
        a.dependencies = dependencies;
        b = compute_source(thread, instruction, 3);
    }
    struct value result = computed(thread->builder, instruction, a, b);
    result = may_be_fused(thread, instruction, a, b, result);
    result.dependencies = dependencies_union(thread->builder, a.dependencies, b.dependencies);
    compute_write(thread, instruction, result);
}
