// Instructions that touch registers only: integer arithmetic, moves, conversions. Comparisons are
// in thread/compare.c, bit fields in thread/bitfields.c.

#include "program/builder.h"
#include "program/thread/compute.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"

#include <assert.h>

unsigned compute_width(const struct thread_builder *thread, const struct instruction *instruction) {
    const struct operand *destination = &instruction->operands[0];
    if (instruction->type != TYPE_NONE)
        return scalar_type_bits(instruction->type);
    return destination->kind == OPERAND_REGISTER ? thread->thread->registers[destination->reg].width
                                                 : 32;
}

static bool operation_signed(const struct instruction *instruction) {
    return scalar_type_is_signed(instruction->type);
}

struct value compute_source(struct thread_builder *thread, const struct instruction *instruction,
                            unsigned place) {
    return thread_operand(thread, &instruction->operands[place], compute_width(thread, instruction),
                          operation_signed(instruction));
}

// The value of a source of its own width: positions, lengths and amounts are .u32.
static struct value source_of(struct thread_builder *thread, const struct instruction *instruction,
                              unsigned place) {
    enum opcode opcode = instruction->opcode;
    bool is_number = (opcode == OP_BFE && place >= 2) || (opcode == OP_BFI && place >= 3) ||
                     ((opcode == OP_SHL || opcode == OP_SHR) && place == 2);
    return is_number ? thread_operand(thread, &instruction->operands[place], 32, false)
                     : compute_source(thread, instruction, place);
}

struct value compute_result(struct thread_builder *thread, const struct instruction *instruction,
                            compute_bits *bits_of) {
    struct builder *builder = thread->builder;
    const struct expr *sources[4] = {NULL};
    struct value values[4] = {{0}};
    // After its sources, a lop3 has its table and perhaps a predicate.
    unsigned count = instruction->opcode == OP_LOP3 ? 3 : (unsigned)instruction->operand_count - 1;
    for (unsigned i = 0; i < count; i++) {
        values[i] = source_of(thread, instruction, i + 1);
        sources[i] = values[i].bits;
    }
    const struct expr *bits = bits_of(builder->pool, instruction, sources);
    struct value result = program_value_of(builder, bits, values[0], values[0]);
    for (unsigned i = 1; i < count; i++)
        result = program_value_of(builder, bits, result, values[i]);
    return result;
}

void compute_write(struct thread_builder *thread, const struct instruction *instruction,
                   struct value value) {
    thread_write(thread, &instruction->operands[0], value, operation_signed(instruction));
}

// --- Saturation --------------------------------------------------------------------------------

static const struct expr *all_ones(struct expr_pool *pool, unsigned width) {
    return expr_not(pool, expr_const_u64(pool, width, 0));
}

// The value, whose sign bit counts, kept between the least and the greatest number of `width` bits,
// and cut to them. It is wider than `width` by at least one bit.
static const struct expr *saturate(struct expr_pool *pool, const struct expr *value, unsigned width,
                                   bool is_signed) {
    const struct expr *half = expr_resize(pool, all_ones(pool, width - 1), width, false);
    const struct expr *least = is_signed ? expr_not(pool, half) : expr_const_u64(pool, width, 0);
    const struct expr *greatest = is_signed ? half : all_ones(pool, width);
    const struct expr *low = expr_resize(pool, least, value->width, is_signed);
    const struct expr *high = expr_resize(pool, greatest, value->width, is_signed);
    const struct expr *kept = expr_ite(pool, expr_binary(pool, EXPR_SLT, high, value), greatest,
                                       expr_resize(pool, value, width, false));
    return expr_ite(pool, expr_binary(pool, EXPR_SLT, value, low), least, kept);
}

// Where an instruction saturates, operands are extended so far that the result cannot overflow.
static const struct expr *widen(struct expr_pool *pool, const struct instruction *instruction,
                                const struct expr *bits) {
    return instruction->compute.saturate ? expr_resize(pool, bits, 2 * bits->width, true) : bits;
}

static const struct expr *narrow(struct expr_pool *pool, const struct instruction *instruction,
                                 const struct expr *bits) {
    if (!instruction->compute.saturate)
        return bits;
    return saturate(pool, bits, scalar_type_bits(instruction->type), true);
}

// --- Arithmetic --------------------------------------------------------------------------------

static const struct expr *combined(struct expr_pool *pool, const struct instruction *instruction,
                                   enum expr_op op, const struct expr *x, const struct expr *y) {
    const struct expr *a = widen(pool, instruction, x), *b = widen(pool, instruction, y);
    return narrow(pool, instruction, expr_binary(pool, op, a, b));
}

// The product of the 24 low bits of two operands, of which .lo takes the 32 low bits and .hi the 32
// high ones of 48 (PTX ISA 9.7.1.5, 9.7.1.6).
static const struct expr *product_of_24(struct expr_pool *pool,
                                        const struct instruction *instruction, const struct expr *x,
                                        const struct expr *y) {
    bool is_signed = operation_signed(instruction);
    const struct expr *a = expr_resize(pool, expr_extract(pool, x, 0, 24), 48, is_signed);
    const struct expr *b = expr_resize(pool, expr_extract(pool, y, 0, 24), 48, is_signed);
    return expr_extract(pool, expr_binary(pool, EXPR_MUL, a, b),
                        instruction->compute.mul_part == MUL_HI ? 16 : 0, 32);
}

// mul.lo keeps the low half of the product, .hi the high half, .wide all of it (PTX ISA 9.7.1.3).
static const struct expr *product_of(struct expr_pool *pool, const struct instruction *instruction,
                                     const struct expr *x, const struct expr *y) {
    unsigned width = x->width;
    if (instruction->opcode == OP_MUL24 || instruction->opcode == OP_MAD24)
        return product_of_24(pool, instruction, x, y);
    if (instruction->compute.mul_part != MUL_LO) {
        x = expr_resize(pool, x, 2 * width, operation_signed(instruction));
        y = expr_resize(pool, y, 2 * width, operation_signed(instruction));
    }
    const struct expr *product = expr_binary(pool, EXPR_MUL, x, y);
    return instruction->compute.mul_part == MUL_HI ? expr_extract(pool, product, width, width)
                                                   : product;
}

// mad adds a third operand to what mul computes (PTX ISA 9.7.1.4), mad24 to what mul24 does.
void compute_mad(struct thread_builder *thread, const struct instruction *instruction) {
    struct builder *builder = thread->builder;
    struct expr_pool *pool = builder->pool;
    struct value a = compute_source(thread, instruction, 1);
    struct value b = compute_source(thread, instruction, 2);
    const struct expr *product = product_of(pool, instruction, a.bits, b.bits);
    struct value c = thread_operand(thread, &instruction->operands[3], product->width,
                                    operation_signed(instruction));
    const struct expr *bits = combined(pool, instruction, EXPR_ADD, product, c.bits);
    struct value factors = program_value_of(builder, bits, a, b);
    compute_write(thread, instruction, program_value_of(builder, bits, factors, c));
}

// dp4a adds the products of four bytes each to a third operand, dp2a those of two halves of a and
// two bytes of b (PTX ISA 9.7.1.23, 9.7.1.24).
static const struct expr *dot(struct expr_pool *pool, const struct instruction *instruction,
                              const struct expr *a, const struct expr *b, const struct expr *c) {
    unsigned parts = instruction->opcode == OP_DP4A ? 4 : 2, width = 32 / parts;
    unsigned first = instruction->compute.mul_part == MUL_HI ? 16 : 0;
    const struct expr *sum = c;
    for (unsigned i = 0; i < parts; i++) {
        const struct expr *x = expr_resize(pool, expr_extract(pool, a, i * width, width), 32,
                                           operation_signed(instruction));
        const struct expr *y = expr_resize(pool, expr_extract(pool, b, first + 8 * i, 8), 32,
                                           scalar_type_is_signed(instruction->source_type));
        sum = expr_binary(pool, EXPR_ADD, sum, expr_binary(pool, EXPR_MUL, x, y));
    }
    return sum;
}

// The number is one bit wider than the operands: the bit above them is the carry, or the borrow,
// that comes out (PTX ISA 9.7.2).
static void write_with_carry(struct thread_builder *thread, const struct instruction *instruction,
                             struct value all) {
    struct builder *builder = thread->builder;
    const struct operand *target = &instruction->operands[0];
    unsigned width = compute_width(thread, instruction);
    const struct expr *low = expr_extract(builder->pool, all.bits, 0, width);
    const struct expr *top = expr_extract(builder->pool, all.bits, width, 1);
    thread_write(thread, operand_element(target, 0), program_value_of(builder, low, all, all),
                 operation_signed(instruction));
    if (target->kind == OPERAND_VECTOR)
        thread_write(thread, &target->elements[1], program_value_of(builder, top, all, all), false);
}

// add.cc, addc and their like: the last operand is the carry that comes in.
void compute_carry(struct thread_builder *thread, const struct instruction *instruction) {
    struct builder *builder = thread->builder;
    struct expr_pool *pool = builder->pool;
    unsigned wide = compute_width(thread, instruction) + 1;
    struct value a = compute_source(thread, instruction, 1);
    struct value b = compute_source(thread, instruction, 2);
    struct value carry =
        thread_operand(thread, &instruction->operands[instruction->operand_count - 1], 1, false);
    enum expr_op op = instruction->opcode == OP_SUBC ? EXPR_SUB : EXPR_ADD;
    const struct expr *x = a.bits, *y = b.bits;
    struct value c = b;
    if (instruction->opcode == OP_MADC) {
        c = compute_source(thread, instruction, 3);
        x = product_of(pool, instruction, a.bits, b.bits);
        y = c.bits;
    }
    const struct expr *sum =
        expr_binary(pool, op, expr_resize(pool, x, wide, false), expr_resize(pool, y, wide, false));
    sum = expr_binary(pool, op, sum, expr_resize(pool, carry.bits, wide, false));
    struct value all = program_value_of(builder, sum, program_value_of(builder, sum, a, b), c);
    write_with_carry(thread, instruction, program_value_of(builder, sum, all, carry));
}

// Where what div and rem compute is not specified. Division by zero yields "an unspecified,
// machine-specific value" (PTX ISA 9.7.1.8, 9.7.1.9); rem of negative numbers "depends on whether
// divide rounds towards zero or negative infinity", so both do where these differ.
static const struct expr *division_is_unspecified(struct expr_pool *pool, bool is_signed,
                                                  const struct expr *a, const struct expr *b) {
    const struct expr *zero = expr_const_u64(pool, a->width, 0);
    const struct expr *by_zero = expr_eq(pool, b, zero);
    if (!is_signed)
        return by_zero;
    const struct expr *signs_differ =
        expr_binary(pool, EXPR_SLT, expr_binary(pool, EXPR_XOR, a, b), zero);
    const struct expr *exact = expr_eq(pool, expr_binary(pool, EXPR_SREM, a, b), zero);
    const struct expr *rounds = expr_and(pool, signs_differ, expr_not(pool, exact));
    return expr_or(pool, by_zero, rounds);
}

void compute_div(struct thread_builder *thread, const struct instruction *instruction) {
    struct builder *builder = thread->builder;
    bool is_signed = operation_signed(instruction), is_div = instruction->opcode == OP_DIV;
    struct value a = compute_source(thread, instruction, 1);
    struct value b = compute_source(thread, instruction, 2);
    enum expr_op op = is_div      ? is_signed ? EXPR_SDIV : EXPR_UDIV
                      : is_signed ? EXPR_SREM
                                  : EXPR_UREM;
    struct value result =
        program_value_of(builder, expr_binary(builder->pool, op, a.bits, b.bits), a, b);
    const struct expr *unspecified =
        division_is_unspecified(builder->pool, is_signed, a.bits, b.bits);
    if (!expr_is_false(unspecified)) {
        struct dependency_list dependencies = result.dependencies;
        struct value unknown = program_value_unknown(builder, result.bits->width);
        result = program_value_choose(builder, unspecified, unknown, result);
        result.dependencies = dependencies;
    }
    compute_write(thread, instruction, result);
}

static const struct expr *least_or_greatest(struct expr_pool *pool,
                                            const struct instruction *instruction,
                                            const struct expr *a, const struct expr *b) {
    const struct expr *less =
        expr_binary(pool, operation_signed(instruction) ? EXPR_SLT : EXPR_ULT, a, b);
    return instruction->opcode == OP_MIN ? expr_ite(pool, less, a, b) : expr_ite(pool, less, b, a);
}

// Without its sign; that of the least number is the number itself, as in two's complement.
static const struct expr *absolute(struct expr_pool *pool, const struct expr *x) {
    const struct expr *zero = expr_const_u64(pool, x->width, 0);
    return expr_ite(pool, expr_binary(pool, EXPR_SLT, x, zero), expr_unary(pool, EXPR_NEG, x), x);
}

// sad: c + |a - b| (PTX ISA 9.7.1.7)
static const struct expr *sum_of_distance(struct expr_pool *pool,
                                          const struct instruction *instruction,
                                          const struct expr *a, const struct expr *b,
                                          const struct expr *c) {
    enum expr_op less = operation_signed(instruction) ? EXPR_SLT : EXPR_ULT;
    const struct expr *distance =
        expr_ite(pool, expr_binary(pool, less, a, b), expr_binary(pool, EXPR_SUB, b, a),
                 expr_binary(pool, EXPR_SUB, a, b));
    return expr_binary(pool, EXPR_ADD, c, distance);
}

// The amount is a .u32, and one above the width shifts everything out (PTX ISA 9.7.8.7): values
// narrower than 32 bits are shifted in 32, where every amount fits.
static const struct expr *shift(struct expr_pool *pool, const struct instruction *instruction,
                                const struct expr *a, const struct expr *b) {
    unsigned work = a->width < 32 ? 32 : a->width;
    enum expr_op op = instruction->opcode == OP_SHL   ? EXPR_SHL
                      : operation_signed(instruction) ? EXPR_ASHR
                                                      : EXPR_LSHR;
    const struct expr *x = expr_resize(pool, a, work, op == EXPR_ASHR);
    const struct expr *y = expr_resize(pool, b, work, false);
    return expr_resize(pool, expr_binary(pool, op, x, y), a->width, false);
}

static const struct expr *integer_bits(struct expr_pool *pool,
                                       const struct instruction *instruction,
                                       const struct expr *const *x) {
    switch (instruction->opcode) {
    case OP_ADD: return combined(pool, instruction, EXPR_ADD, x[0], x[1]);
    case OP_SUB: return combined(pool, instruction, EXPR_SUB, x[0], x[1]);
    case OP_AND: return expr_binary(pool, EXPR_AND, x[0], x[1]);
    case OP_OR: return expr_binary(pool, EXPR_OR, x[0], x[1]);
    case OP_XOR: return expr_binary(pool, EXPR_XOR, x[0], x[1]);
    case OP_MUL:
    case OP_MUL24: return product_of(pool, instruction, x[0], x[1]);
    case OP_DP4A:
    case OP_DP2A: return dot(pool, instruction, x[0], x[1], x[2]);
    case OP_MIN:
    case OP_MAX: return least_or_greatest(pool, instruction, x[0], x[1]);
    case OP_SAD: return sum_of_distance(pool, instruction, x[0], x[1], x[2]);
    case OP_SHL:
    case OP_SHR: return shift(pool, instruction, x[0], x[1]);
    case OP_NOT: return expr_not(pool, x[0]);
    case OP_NEG: return expr_unary(pool, EXPR_NEG, x[0]);
    case OP_ABS: return absolute(pool, x[0]);
    case OP_CNOT:
        return expr_resize(pool, expr_eq(pool, x[0], expr_const_u64(pool, x[0]->width, 0)),
                           x[0]->width, false);
    default: bug("opcode %d computes with no integers", (int)instruction->opcode);
    }
}

void compute_integers(struct thread_builder *thread, const struct instruction *instruction) {
    compute_write(thread, instruction, compute_result(thread, instruction, integer_bits));
}

// --- Moves and conversions ---------------------------------------------------------------------

// {a, b}: the first element is the lowest (PTX ISA 9.7.9.3).
static struct value pack(struct thread_builder *thread, const struct operand *vector,
                         unsigned width) {
    assert(width > 0);
    struct builder *builder = thread->builder;
    unsigned part = width / (unsigned)vector->element_count;
    struct value packed = thread_operand(thread, &vector->elements[0], part, false);
    for (size_t i = 1; i < vector->element_count; i++) {
        struct value next = thread_operand(thread, &vector->elements[i], part, false);
        const struct expr *bits = expr_binary(builder->pool, EXPR_CONCAT, next.bits, packed.bits);
        packed = program_value_of(builder, bits, packed, next);
    }
    return packed;
}

static void unpack(struct thread_builder *thread, const struct operand *vector,
                   struct value value) {
    unsigned part = value.bits->width / (unsigned)vector->element_count;
    for (unsigned i = 0; i < vector->element_count; i++) {
        struct value element = value;
        element.bits = expr_extract(thread->builder->pool, value.bits, i * part, part);
        thread_write(thread, &vector->elements[i], element, false);
    }
}

// mov.v2, mov.v4: all elements are read before one is written.
static void move_elements(struct thread_builder *thread, const struct instruction *instruction) {
    const struct operand *to = &instruction->operands[0], *from = &instruction->operands[1];
    unsigned width = scalar_type_bits(instruction->type);
    struct value values[8];
    for (size_t i = 0; i < to->element_count; i++)
        values[i] = thread_operand(thread, &from->elements[i], width, false);
    for (size_t i = 0; i < to->element_count; i++)
        thread_write(thread, &to->elements[i], values[i], false);
}

void compute_mov(struct thread_builder *thread, const struct instruction *instruction) {
    const struct operand *destination = &instruction->operands[0];
    const struct operand *from = &instruction->operands[1];
    if (instruction->vector > 1) {
        move_elements(thread, instruction);
        return;
    }
    struct value value = from->kind == OPERAND_VECTOR
                             ? pack(thread, from, compute_width(thread, instruction))
                             : compute_source(thread, instruction, 1);
    if (destination->kind == OPERAND_VECTOR)
        unpack(thread, destination, value);
    else
        compute_write(thread, instruction, value);
}

void compute_cvt(struct thread_builder *thread, const struct instruction *instruction) {
    struct expr_pool *pool = thread->builder->pool;
    bool is_signed = scalar_type_is_signed(instruction->source_type);
    unsigned width = scalar_type_bits(instruction->source_type);
    unsigned to = compute_width(thread, instruction);
    struct value value = thread_operand(thread, &instruction->operands[1], width, is_signed);
    if (instruction->compute.saturate) {
        unsigned work = (width > to ? width : to) + 1;
        value.bits = saturate(pool, expr_resize(pool, value.bits, work, is_signed), to,
                              operation_signed(instruction));
    } else {
        value.bits = expr_resize(pool, value.bits, to, is_signed);
    }
    compute_write(thread, instruction, value);
}
