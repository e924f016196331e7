// Circuits for the operations of SMT-LIB's bit-vectors: adders that carry from bit to bit, shifts
// by one power of two after the other, multiplication and division as in school.

#include "solver/backend/circuits.h"

#include "litmus/source/bug.h"

#include <assert.h>

// --- Gates -------------------------------------------------------------------------------------

static void clause3(const struct gates *gates, literal a, literal b, literal c) {
    gates->clause(gates->context, LITERALS(a, b, c));
}

static literal gate(const struct gates *gates, const char *kind) {
    return gates->variable(gates->context, kind);
}

static literal and_gate(const struct gates *gates, literal a, literal b) {
    if (a == LITERAL_FALSE || b == LITERAL_FALSE)
        return LITERAL_FALSE;
    if (a == LITERAL_NONE || b == LITERAL_NONE)
        return LITERAL_NONE;
    if (a == -b)
        return LITERAL_FALSE;
    if (a == LITERAL_TRUE || a == b)
        return b;
    if (b == LITERAL_TRUE)
        return a;
    literal both = gate(gates, "and");
    gates->clause(gates->context, LITERALS(-both, a));
    gates->clause(gates->context, LITERALS(-both, b));
    clause3(gates, both, -a, -b);
    return both;
}

static literal or_gate(const struct gates *gates, literal a, literal b) {
    return -and_gate(gates, -a, -b);
}

static literal xor_gate(const struct gates *gates, literal a, literal b) {
    if (a == LITERAL_NONE || b == LITERAL_NONE)
        return LITERAL_NONE;
    if (a == LITERAL_FALSE || b == LITERAL_FALSE)
        return a == LITERAL_FALSE ? b : a;
    if (a == LITERAL_TRUE || b == LITERAL_TRUE)
        return a == LITERAL_TRUE ? -b : -a;
    if (a == b || a == -b)
        return a == b ? LITERAL_FALSE : LITERAL_TRUE;
    literal odd = gate(gates, "xor");
    clause3(gates, -odd, a, b);
    clause3(gates, -odd, -a, -b);
    clause3(gates, odd, -a, b);
    clause3(gates, odd, a, -b);
    return odd;
}

static literal choose_gate(const struct gates *gates, literal condition, literal a, literal b) {
    if (condition == LITERAL_NONE || a == LITERAL_NONE || b == LITERAL_NONE)
        return LITERAL_NONE;
    if (condition == LITERAL_TRUE || a == b)
        return a;
    if (condition == LITERAL_FALSE)
        return b;
    if (a == LITERAL_TRUE || a == condition)
        return or_gate(gates, condition, b);
    if (a == LITERAL_FALSE || a == -condition)
        return and_gate(gates, -condition, b);
    if (b == LITERAL_TRUE || b == -condition)
        return or_gate(gates, -condition, a);
    if (b == LITERAL_FALSE || b == condition)
        return and_gate(gates, condition, a);
    literal chosen = gate(gates, "choose");
    clause3(gates, -chosen, -condition, a);
    clause3(gates, chosen, -condition, -a);
    clause3(gates, -chosen, condition, b);
    clause3(gates, chosen, condition, -b);
    return chosen;
}

// Whether at least two of three hold.
static literal majority_gate(const struct gates *gates, literal a, literal b, literal c) {
    if (a == LITERAL_NONE || b == LITERAL_NONE || c == LITERAL_NONE)
        return LITERAL_NONE;
    if (a == b || a == -b)
        return a == b ? a : c;
    return or_gate(gates, and_gate(gates, a, b), and_gate(gates, c, or_gate(gates, a, b)));
}

// --- Sums --------------------------------------------------------------------------------------

// result = a + b + carry; `result` may be `a` or `b`. Returns the carry out.
static literal add(const struct gates *gates, const literal *a, const literal *b, literal carry,
                   literal *result, unsigned width) {
    for (unsigned i = 0; i < width; i++) {
        literal odd = xor_gate(gates, a[i], b[i]);
        literal next = majority_gate(gates, a[i], b[i], carry);
        result[i] = xor_gate(gates, odd, carry);
        carry = next;
    }
    return carry;
}

static void copy(const literal *from, literal *to, unsigned width) {
    for (unsigned i = 0; i < width; i++)
        to[i] = from[i];
}

static void invert(const literal *a, literal *result, unsigned width) {
    for (unsigned i = 0; i < width; i++)
        result[i] = -a[i];
}

static void zeros(literal *result, unsigned width) {
    for (unsigned i = 0; i < width; i++)
        result[i] = LITERAL_FALSE;
}

// Returns whether a >= b, without signs; with `result`, writes a - b there.
static literal subtract(const struct gates *gates, const literal *a, const literal *b,
                        literal *result, unsigned width) {
    literal inverse[WIDTH_MAX + 1] = {LITERAL_NONE};
    invert(b, inverse, width);
    if (result != NULL)
        return add(gates, a, inverse, LITERAL_TRUE, result, width);
    literal carry = LITERAL_TRUE; // the sums are not needed
    for (unsigned i = 0; i < width; i++)
        carry = majority_gate(gates, a[i], inverse[i], carry);
    return carry;
}

static void negate(const struct gates *gates, const literal *a, literal *result, unsigned width) {
    literal none[WIDTH_MAX] = {LITERAL_NONE};
    zeros(none, width);
    subtract(gates, none, a, result, width);
}

// --- Products and quotients --------------------------------------------------------------------

static void multiply(const struct gates *gates, const literal *a, const literal *b, literal *result,
                     unsigned width) {
    literal sum[WIDTH_MAX], row[WIDTH_MAX];
    zeros(sum, width);
    for (unsigned i = 0; i < width; i++) {
        if (b[i] == LITERAL_FALSE)
            continue;
        for (unsigned k = i; k < width; k++)
            row[k] = and_gate(gates, a[k - i], b[i]);
        add(gates, sum + i, row + i, LITERAL_FALSE, sum + i, width - i);
    }
    copy(sum, result, width);
}

// Division bit by bit from the top. By zero, the quotient is all ones and the remainder is `a`, as
// SMT-LIB has it: nothing is less than zero, and subtracting it changes nothing.
static void divide(const struct gates *gates, const literal *a, const literal *b, literal *quotient,
                   literal *remainder, unsigned width) {
    literal rest[WIDTH_MAX + 1], less[WIDTH_MAX + 1], divisor[WIDTH_MAX + 1];
    zeros(rest, width + 1);
    copy(b, divisor, width);
    divisor[width] = LITERAL_FALSE;
    for (unsigned i = width; i-- > 0;) {
        for (unsigned k = width; k > 0; k--)
            rest[k] = rest[k - 1];
        rest[0] = a[i];
        quotient[i] = subtract(gates, rest, divisor, less, width + 1);
        circuit_choose(gates, quotient[i], less, rest, rest, width + 1);
    }
    copy(rest, remainder, width);
}

static void magnitude(const struct gates *gates, const literal *a, literal *result,
                      unsigned width) {
    literal negative[WIDTH_MAX];
    negate(gates, a, negative, width);
    circuit_choose(gates, a[width - 1], negative, a, result, width);
}

// The quotient is negative when the signs differ, the remainder has the sign of `a`.
static void divide_signed(const struct gates *gates, const literal *a, const literal *b,
                          bool wants_quotient, literal *result, unsigned width) {
    literal high[WIDTH_MAX], low[WIDTH_MAX], quotient[WIDTH_MAX], remainder[WIDTH_MAX];
    literal negative[WIDTH_MAX];
    magnitude(gates, a, high, width);
    magnitude(gates, b, low, width);
    divide(gates, high, low, quotient, remainder, width);
    const literal *without_sign = wants_quotient ? quotient : remainder;
    literal sign = wants_quotient ? xor_gate(gates, a[width - 1], b[width - 1]) : a[width - 1];
    negate(gates, without_sign, negative, width);
    circuit_choose(gates, sign, negative, without_sign, result, width);
}

// --- Shifts ------------------------------------------------------------------------------------

// Shifts to the left, or to the right, in which `filler` comes in.
static void shift(const struct gates *gates, const struct bits *args, bool is_left, literal filler,
                  literal *result) {
    unsigned width = args[0].width;
    literal moved[WIDTH_MAX], too_far = LITERAL_FALSE, fill[WIDTH_MAX];
    copy(args[0].at, result, width);
    for (unsigned i = 0; i < width; i++)
        fill[i] = filler;
    for (unsigned bit = 0; bit < args[1].width; bit++) {
        if (bit >= 9 || 1u << bit >= width) { // WIDTH_MAX is less than 2 to the 9th
            too_far = or_gate(gates, too_far, args[1].at[bit]);
            continue;
        }
        unsigned distance = 1u << bit;
        for (unsigned i = 0; i < width; i++) {
            bool inside = is_left ? i >= distance : i + distance < width;
            moved[i] = inside ? result[is_left ? i - distance : i + distance] : filler;
        }
        circuit_choose(gates, args[1].at[bit], moved, result, result, width);
    }
    circuit_choose(gates, too_far, fill, result, result, width);
}

// --- Operations --------------------------------------------------------------------------------

void circuit_choose(const struct gates *gates, literal condition, const literal *b,
                    const literal *c, literal *result, unsigned width) {
    for (unsigned i = 0; i < width; i++)
        result[i] = choose_gate(gates, condition, b[i], c[i]);
}

literal circuit_equal(const struct gates *gates, const literal *a, const literal *b,
                      unsigned width) {
    literal equal = LITERAL_TRUE;
    for (unsigned i = 0; i < width; i++)
        equal = and_gate(gates, equal, -xor_gate(gates, a[i], b[i]));
    return equal;
}

// With signs, numbers are ordered as they are without when their top bits are inverted.
static literal less(const struct gates *gates, const struct bits *args, bool or_equal,
                    bool has_signs) {
    unsigned width = args[0].width;
    literal a[WIDTH_MAX], b[WIDTH_MAX];
    copy(args[0].at, a, width);
    copy(args[1].at, b, width);
    if (has_signs) {
        a[width - 1] = -a[width - 1];
        b[width - 1] = -b[width - 1];
    }
    return or_equal ? subtract(gates, b, a, NULL, width) : -subtract(gates, a, b, NULL, width);
}

static bool is_comparison(enum expr_op op) {
    return op == EXPR_EQ || op == EXPR_ULT || op == EXPR_ULE || op == EXPR_SLT || op == EXPR_SLE;
}

static literal compare(const struct gates *gates, enum expr_op op, const struct bits *args) {
    switch (op) {
    case EXPR_EQ: return circuit_equal(gates, args[0].at, args[1].at, args[0].width);
    case EXPR_ULT: return less(gates, args, false, false);
    case EXPR_ULE: return less(gates, args, true, false);
    case EXPR_SLT: return less(gates, args, false, true);
    default: assert(op == EXPR_SLE); return less(gates, args, true, true);
    }
}

static void extend(const struct bits *from, literal filler, literal *result, unsigned width) {
    for (unsigned i = 0; i < width; i++)
        result[i] = i < from->width ? from->at[i] : filler;
}

static void join(const struct bits *high, const struct bits *low, literal *result) {
    copy(low->at, result, low->width);
    copy(high->at, result + low->width, high->width);
}

static void bitwise(const struct gates *gates, enum expr_op op, const struct bits *args,
                    literal *result) {
    for (unsigned i = 0; i < args[0].width; i++) {
        literal a = args[0].at[i], b = args[1].at[i];
        result[i] = op == EXPR_AND  ? and_gate(gates, a, b)
                    : op == EXPR_OR ? or_gate(gates, a, b)
                                    : xor_gate(gates, a, b);
    }
}

static void calculate(const struct gates *gates, enum expr_op op, const struct bits *args,
                      literal *result) {
    const literal *a = args[0].at, *b = args[1].at;
    unsigned width = args[0].width;
    literal other[WIDTH_MAX];
    switch (op) {
    case EXPR_ADD: add(gates, a, b, LITERAL_FALSE, result, width); break;
    case EXPR_SUB: subtract(gates, a, b, result, width); break;
    case EXPR_MUL: multiply(gates, a, b, result, width); break;
    case EXPR_UDIV: divide(gates, a, b, result, other, width); break;
    case EXPR_UREM: divide(gates, a, b, other, result, width); break;
    case EXPR_SDIV: divide_signed(gates, a, b, true, result, width); break;
    case EXPR_SREM: divide_signed(gates, a, b, false, result, width); break;
    case EXPR_SHL: shift(gates, args, true, LITERAL_FALSE, result); break;
    case EXPR_LSHR: shift(gates, args, false, LITERAL_FALSE, result); break;
    case EXPR_ASHR: shift(gates, args, false, a[width - 1], result); break;
    default: bug("expression %d is not an operation", (int)op);
    }
}

void circuit_apply(const struct gates *gates, const struct expr *operation, const struct bits *args,
                   literal *result) {
    enum expr_op op = operation->op;
    if (is_comparison(op)) {
        *result = compare(gates, op, args);
        return;
    }
    switch (op) {
    case EXPR_NOT: invert(args[0].at, result, args[0].width); break;
    case EXPR_NEG: negate(gates, args[0].at, result, args[0].width); break;
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_XOR: bitwise(gates, op, args, result); break;
    case EXPR_ITE:
        circuit_choose(gates, args[0].at[0], args[1].at, args[2].at, result, args[1].width);
        break;
    case EXPR_CONCAT: join(&args[0], &args[1], result); break;
    case EXPR_EXTRACT: copy(args[0].at + operation->index, result, operation->width); break;
    case EXPR_ZEXT: extend(&args[0], LITERAL_FALSE, result, operation->width); break;
    case EXPR_SEXT:
        extend(&args[0], args[0].at[args[0].width - 1], result, operation->width);
        break;
    default: calculate(gates, op, args, result); break;
    }
}
