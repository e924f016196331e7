// Instructions that touch registers only: integer arithmetic, comparisons, selection, conversions.

#include "litmus/program/program_internal.h"

// The width at which an instruction works: its type's, or the destination's where the type is not
// written (Dat3M's dialect).
static unsigned operation_width(const struct thread_builder *thread,
                                const struct instruction *instruction) {
    const struct operand *destination = &instruction->operands[0];
    if (instruction->type != TYPE_NONE)
        return scalar_type_bits(instruction->type);
    return destination->kind == OPERAND_REGISTER ? thread->thread->registers[destination->reg].width
                                                 : 32;
}

static bool operation_signed(const struct instruction *instruction) {
    return scalar_type_is_signed(instruction->type);
}

static struct value source(struct thread_builder *thread, const struct instruction *instruction,
                           unsigned place) {
    return thread_operand(thread, &instruction->operands[place],
                          operation_width(thread, instruction), operation_signed(instruction));
}

static void set_result(struct thread_builder *thread, const struct instruction *instruction,
                       struct value value) {
    thread_write(thread, &instruction->operands[0], value, operation_signed(instruction));
}

// --- Arithmetic --------------------------------------------------------------------------------

static enum expr_op binary_operator(const struct instruction *instruction) {
    switch (instruction->opcode) {
    case OP_ADD: return EXPR_ADD;
    case OP_SUB: return EXPR_SUB;
    case OP_DIV: return operation_signed(instruction) ? EXPR_SDIV : EXPR_UDIV;
    case OP_AND: return EXPR_AND;
    case OP_OR: return EXPR_OR;
    case OP_XOR: return EXPR_XOR;
    default: bug("opcode %d is not binary", (int)instruction->opcode);
    }
}

static void compute_binary(struct thread_builder *thread, const struct instruction *instruction) {
    struct value a = source(thread, instruction, 1), b = source(thread, instruction, 2);
    const struct expr *bits =
        expr_binary(thread->builder->pool, binary_operator(instruction), a.bits, b.bits);
    set_result(thread, instruction, program_value_of(thread->builder, bits, a, b));
}

// mul.lo keeps the low half of the product, .hi the high half, .wide all of it (PTX ISA 9.7.1.3).
static void compute_mul(struct thread_builder *thread, const struct instruction *instruction) {
    struct expr_pool *pool = thread->builder->pool;
    struct value a = source(thread, instruction, 1), b = source(thread, instruction, 2);
    unsigned width = a.bits->width;
    const struct expr *x = a.bits, *y = b.bits;
    if (instruction->mul_part != MUL_LO) {
        x = expr_resize(pool, x, 2 * width, operation_signed(instruction));
        y = expr_resize(pool, y, 2 * width, operation_signed(instruction));
    }
    const struct expr *product = expr_binary(pool, EXPR_MUL, x, y);
    if (instruction->mul_part == MUL_HI)
        product = expr_extract(pool, product, width, width);
    set_result(thread, instruction, program_value_of(thread->builder, product, a, b));
}

// The amount is a .u32, and one above the width shifts everything out (PTX ISA 9.7.8.7): values
// narrower than 32 bits are shifted in 32, where every amount fits.
static void compute_shift(struct thread_builder *thread, const struct instruction *instruction) {
    struct expr_pool *pool = thread->builder->pool;
    unsigned width = operation_width(thread, instruction);
    unsigned work = width < 32 ? 32 : width;
    struct value a = source(thread, instruction, 1);
    struct value b = thread_operand(thread, &instruction->operands[2], 32, false);
    enum expr_op op = instruction->opcode == OP_SHL   ? EXPR_SHL
                      : operation_signed(instruction) ? EXPR_ASHR
                                                      : EXPR_LSHR;
    const struct expr *x = expr_resize(pool, a.bits, work, op == EXPR_ASHR);
    const struct expr *y = expr_resize(pool, b.bits, work, false);
    const struct expr *bits = expr_resize(pool, expr_binary(pool, op, x, y), width, false);
    set_result(thread, instruction, program_value_of(thread->builder, bits, a, b));
}

static void compute_not(struct thread_builder *thread, const struct instruction *instruction) {
    struct value a = source(thread, instruction, 1);
    const struct expr *bits = expr_not(thread->builder->pool, a.bits);
    set_result(thread, instruction, program_value_of(thread->builder, bits, a, a));
}

// --- Moves and conversions ---------------------------------------------------------------------

static void compute_mov(struct thread_builder *thread, const struct instruction *instruction) {
    set_result(thread, instruction, source(thread, instruction, 1));
}

static void compute_cvt(struct thread_builder *thread, const struct instruction *instruction) {
    bool is_signed = scalar_type_is_signed(instruction->source_type);
    unsigned width = scalar_type_bits(instruction->source_type);
    struct value value = thread_operand(thread, &instruction->operands[1], width, is_signed);
    value.bits = expr_resize(thread->builder->pool, value.bits,
                             operation_width(thread, instruction), is_signed);
    set_result(thread, instruction, value);
}

// --- Predicates --------------------------------------------------------------------------------

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

static enum expr_op bool_operator(enum bool_op op) {
    return op == BOOL_AND ? EXPR_AND : op == BOOL_OR ? EXPR_OR : EXPR_XOR;
}

static struct value combine(struct thread_builder *thread, const struct instruction *instruction,
                            struct value compared, struct value c) {
    const struct expr *bits = expr_binary(
        thread->builder->pool, bool_operator(instruction->bool_op), compared.bits, c.bits);
    return program_value_of(thread->builder, bits, compared, c);
}

// setp.cmp{.bool} p{|q}, a, b{, c}: p is (a cmp b) bool c, q is !(a cmp b) bool c (PTX ISA
// 9.7.6.2).
static void compute_setp(struct thread_builder *thread, const struct instruction *instruction) {
    struct builder *builder = thread->builder;
    const struct operand *destination = &instruction->operands[0];
    bool two = destination->kind == OPERAND_VECTOR;
    unsigned width = instruction->type == TYPE_NONE ? 32 : scalar_type_bits(instruction->type);
    bool is_signed = operation_signed(instruction);
    struct value a = thread_operand(thread, &instruction->operands[1], width, is_signed);
    struct value b = thread_operand(thread, &instruction->operands[2], width, is_signed);
    const struct expr *bits =
        program_compare(builder->pool, instruction->compare, is_signed, a.bits, b.bits);
    struct value p = program_value_of(builder, bits, a, b);
    struct value q = p;
    q.bits = expr_not(builder->pool, p.bits);
    if (instruction->bool_op != BOOL_NONE) {
        struct value c = thread_operand(thread, &instruction->operands[3], 1, false);
        p = combine(thread, instruction, p, c);
        q = combine(thread, instruction, q, c);
    }
    thread_write(thread, two ? &destination->elements[0] : destination, p, false);
    if (two)
        thread_write(thread, &destination->elements[1], q, false);
}

static void compute_selp(struct thread_builder *thread, const struct instruction *instruction) {
    struct builder *builder = thread->builder;
    struct value a = source(thread, instruction, 1), b = source(thread, instruction, 2);
    struct value p = thread_operand(thread, &instruction->operands[3], 1, false);
    // Dependencies are syntactic (D6): the value comes from both operands and the predicate.
    struct value result =
        program_value_of(builder, expr_ite(builder->pool, p.bits, a.bits, b.bits), a, b);
    result.dependencies = dependencies_union(builder, result.dependencies, p.dependencies);
    if (!expr_is_const(result.bits))
        result.undef =
            expr_or(builder->pool, p.undef, expr_ite(builder->pool, p.bits, a.undef, b.undef));
    set_result(thread, instruction, result);
}

// --- Dispatch ----------------------------------------------------------------------------------

static bool refuse_float(struct thread_builder *thread, const struct instruction *instruction) {
    bool moves = instruction->opcode == OP_MOV || instruction->opcode == OP_SELP;
    if (moves || (!scalar_type_is_float(instruction->type) &&
                  !scalar_type_is_float(instruction->source_type)))
        return false;
    diag_error(thread->builder->diagnostics, instruction->opcode_span,
               "floating-point arithmetic is not supported yet");
    return true;
}

bool compute_instruction(struct thread_builder *thread, const struct instruction *instruction) {
    void (*compute)(struct thread_builder *, const struct instruction *);
    switch (instruction->opcode) {
    case OP_MOV:
    case OP_CVTA: compute = compute_mov; break;
    case OP_ADD:
    case OP_SUB:
    case OP_DIV:
    case OP_AND:
    case OP_OR:
    case OP_XOR: compute = compute_binary; break;
    case OP_MUL: compute = compute_mul; break;
    case OP_NOT: compute = compute_not; break;
    case OP_SHL:
    case OP_SHR: compute = compute_shift; break;
    case OP_SETP: compute = compute_setp; break;
    case OP_SELP: compute = compute_selp; break;
    case OP_CVT: compute = compute_cvt; break;
    default: return false;
    }
    if (!refuse_float(thread, instruction))
        compute(thread, instruction);
    return true;
}
