// Three-valued evaluation of expressions, lazy where an operand does not matter.
#include "tests/oracle/evaluate.h"

#include "tests/oracle/float.h"

#include <stdio.h>
#include <stdlib.h>

enum progress { NOT_SEEN, IN_PROGRESS, DONE };

struct remembered {
    unsigned stamp; // another stamp than the evaluation's: NOT_SEEN
    enum progress progress;
    struct value value;
};

void evaluation_init(struct evaluation *evaluation, unsigned count) {
    evaluation->memory = calloc(count ? count : 1, sizeof *evaluation->memory);
    if (!evaluation->memory) {
        fputs("out of memory\n", stderr);
        exit(4);
    }
    evaluation->stamp = 1;
}

void evaluation_free(struct evaluation *evaluation) {
    free(evaluation->memory);
    evaluation->memory = NULL;
}

void evaluation_forget(struct evaluation *evaluation) {
    evaluation->stamp++;
    evaluation->met_unknown = false;
}

static const struct value unknown = {.known = false};

static u128 mask(unsigned width) {
    return width >= 128 ? ~(u128)0 : ((u128)1 << width) - 1;
}

static struct value known(u128 bits, unsigned width) {
    struct value value = {.known = true, .bits = bits & mask(width)};
    return value;
}

static s128 as_signed(u128 bits, unsigned width) {
    if (width < 128 && (bits >> (width - 1)) & 1)
        bits |= ~mask(width);
    return (s128)bits;
}

// x / 0 and x % 0 as SMT-LIB's bit-vectors have them: all ones (1 for negative dividends), and x.
static u128 divide(enum expr_op op, u128 a, u128 b, unsigned width) {
    bool is_signed = op == EXPR_SDIV || op == EXPR_SREM;
    bool is_quotient = op == EXPR_UDIV || op == EXPR_SDIV;
    bool negative_a = is_signed && as_signed(a, width) < 0;
    bool negative_b = is_signed && as_signed(b, width) < 0;
    if (b == 0)
        return is_quotient ? (negative_a ? 1 : mask(width)) : a;
    u128 left = negative_a ? (-a & mask(width)) : a;
    u128 right = negative_b ? (-b & mask(width)) : b;
    if (is_quotient)
        return negative_a != negative_b ? -(left / right) : left / right;
    return negative_a ? -(left % right) : left % right;
}

static u128 shift(enum expr_op op, u128 a, u128 by, unsigned width) {
    if (op == EXPR_ASHR)
        return (u128)(as_signed(a, width) >> (by >= width ? width - 1 : (unsigned)by));
    if (by >= width)
        return 0;
    return op == EXPR_SHL ? a << (unsigned)by : a >> (unsigned)by;
}

// `width` is that of the operands.
static u128 apply(enum expr_op op, u128 a, u128 b, unsigned width) {
    switch (op) {
    case EXPR_AND: return a & b;
    case EXPR_OR: return a | b;
    case EXPR_XOR: return a ^ b;
    case EXPR_ADD: return a + b;
    case EXPR_SUB: return a - b;
    case EXPR_MUL: return a * b;
    case EXPR_UDIV:
    case EXPR_SDIV:
    case EXPR_UREM:
    case EXPR_SREM: return divide(op, a, b, width);
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR: return shift(op, a, b, width);
    case EXPR_EQ: return a == b;
    case EXPR_ULT: return a < b;
    case EXPR_ULE: return a <= b;
    case EXPR_SLT: return as_signed(a, width) < as_signed(b, width);
    case EXPR_SLE: return as_signed(a, width) <= as_signed(b, width);
    default: abort(); // not a binary operation
    }
}

static u128 add_numbers(enum float_format format, u128 a, u128 b) {
    static const struct float_layout layouts[] = {[FLOAT_F16] = {5, 10, false},
                                                  [FLOAT_BF16] = {8, 7, false},
                                                  [FLOAT_F32] = {8, 23, false},
                                                  [FLOAT_F32_FLUSHED] = {8, 23, true},
                                                  [FLOAT_F64] = {11, 52, false}};
    return float_sum(&layouts[format], (uint64_t)a, (uint64_t)b);
}

static struct value evaluate_binary(struct evaluation *evaluation, const struct expr *expr) {
    struct value a = evaluate(evaluation, expr->args[0]);
    unsigned width = expr->args[0]->width;
    // An operand that decides alone: needed where the other is a read that does not execute.
    if (a.known &&
        ((expr->op == EXPR_AND && a.bits == 0) || (expr->op == EXPR_OR && a.bits == mask(width))))
        return a;
    struct value b = evaluate(evaluation, expr->args[1]);
    if (b.known &&
        ((expr->op == EXPR_AND && b.bits == 0) || (expr->op == EXPR_OR && b.bits == mask(width))))
        return b;
    if (!a.known || !b.known)
        return unknown;
    if (expr->op == EXPR_FADD)
        return known(add_numbers((enum float_format)expr->index, a.bits, b.bits), expr->width);
    return known(apply(expr->op, a.bits, b.bits, width), expr->width);
}

// The branch that is taken, or the value on which both branches agree.
static struct value evaluate_ite(struct evaluation *evaluation, const struct expr *expr) {
    struct value condition = evaluate(evaluation, expr->args[0]);
    if (condition.known)
        return evaluate(evaluation, expr->args[condition.bits ? 1 : 2]);
    struct value a = evaluate(evaluation, expr->args[1]);
    struct value b = evaluate(evaluation, expr->args[2]);
    return a.known && b.known && a.bits == b.bits ? a : unknown;
}

static struct value evaluate_concat(struct evaluation *evaluation, const struct expr *expr) {
    struct value high = evaluate(evaluation, expr->args[0]);
    struct value low = evaluate(evaluation, expr->args[1]);
    if (!high.known || !low.known)
        return unknown;
    return known(high.bits << expr->args[1]->width | low.bits, expr->width);
}

static struct value evaluate_unary(struct evaluation *evaluation, const struct expr *expr) {
    struct value a = evaluate(evaluation, expr->args[0]);
    if (!a.known)
        return unknown;
    switch (expr->op) {
    case EXPR_NOT: return known(~a.bits, expr->width);
    case EXPR_NEG: return known(-a.bits, expr->width);
    case EXPR_EXTRACT: return known(a.bits >> expr->index, expr->width);
    case EXPR_SEXT: return known((u128)as_signed(a.bits, expr->args[0]->width), expr->width);
    default: return known(a.bits, expr->width); // EXPR_ZEXT
    }
}

static struct value compute(struct evaluation *evaluation, const struct expr *expr) {
    if (expr->width > 128 || expr->op == EXPR_UNKNOWN)
        evaluation->met_unknown = true;
    if (expr->width > 128)
        return unknown;
    switch (expr->op) {
    case EXPR_CONST: return known((u128)expr->value.high << 64 | expr->value.low, expr->width);
    case EXPR_READ:
    case EXPR_READ_UNDEF:
    case EXPR_FINAL:
    case EXPR_FINAL_UNDEF:
    case EXPR_UNKNOWN:
    case EXPR_PASSES:
    case EXPR_MEETS:
    case EXPR_REDUCED:
    case EXPR_REDUCED_UNDEF: return evaluation->leaf(evaluation->context, expr);
    case EXPR_NOT:
    case EXPR_NEG:
    case EXPR_EXTRACT:
    case EXPR_ZEXT:
    case EXPR_SEXT: return evaluate_unary(evaluation, expr);
    case EXPR_ITE: return evaluate_ite(evaluation, expr);
    case EXPR_CONCAT: return evaluate_concat(evaluation, expr);
    default: return evaluate_binary(evaluation, expr);
    }
}

struct value evaluate(struct evaluation *evaluation, const struct expr *expr) {
    struct remembered *remembered = &evaluation->memory[expr->id];
    if (remembered->stamp != evaluation->stamp) {
        remembered->stamp = evaluation->stamp;
        remembered->progress = IN_PROGRESS;
        remembered->value = compute(evaluation, expr);
        remembered->progress = DONE;
    }
    return remembered->progress == DONE ? remembered->value : unknown;
}
