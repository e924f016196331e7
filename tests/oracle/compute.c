// Integers, bits and comparisons; compute_float.c has the floating-point numbers.
//
// A result is unknown as a whole where an operand is, except where bits only move: there it is bit
// by bit.
#include "tests/oracle/compute.h"

#include "tests/oracle/compute_float.h"

#include <stdlib.h>

static u128 smallest(unsigned width) {
    return (u128)1 << (width - 1);
}

static bool is_negative(u128 bits, unsigned width) {
    return bits >> (width - 1) & 1;
}

// --- Truth ---------------------------------------------------------------------------------------

enum truth compute_truth(struct value predicate) {
    if (!value_is_known(predicate))
        return NOT_KNOWN;
    return predicate.bits ? TRUE_NOW : FALSE_NOW;
}

struct value compute_from_truth(enum truth truth) {
    return truth == NOT_KNOWN ? value_unknown(1) : value_known(truth == TRUE_NOW, 1);
}

enum truth compute_combine(enum bool_op combination, enum truth a, enum truth b) {
    bool known = a != NOT_KNOWN && b != NOT_KNOWN;
    switch (combination) {
    case BOOL_AND:
        if (a == FALSE_NOW || b == FALSE_NOW)
            return FALSE_NOW;
        return known ? TRUE_NOW : NOT_KNOWN;
    case BOOL_OR:
        if (a == TRUE_NOW || b == TRUE_NOW)
            return TRUE_NOW;
        return known ? FALSE_NOW : NOT_KNOWN;
    case BOOL_XOR: return !known ? NOT_KNOWN : a != b ? TRUE_NOW : FALSE_NOW;
    default: return a;
    }
}

// --- Comparison ----------------------------------------------------------------------------------

static bool compare_signed(enum compare_op compare, s128 a, s128 b) {
    switch (compare) {
    case COMPARE_LT: return a < b;
    case COMPARE_LE: return a <= b;
    case COMPARE_GT: return a > b;
    default: return a >= b;
    }
}

static bool compare_unsigned(enum compare_op compare, u128 a, u128 b) {
    switch (compare) {
    case COMPARE_LT:
    case COMPARE_LO: return a < b;
    case COMPARE_LE:
    case COMPARE_LS: return a <= b;
    case COMPARE_GT:
    case COMPARE_HI: return a > b;
    default: return a >= b;
    }
}

enum truth compute_compare(enum compare_op compare, enum scalar_type type, bool flushes,
                           struct value a, struct value b) {
    unsigned width = scalar_type_bits(type);
    bool equality = compare == COMPARE_EQ || compare == COMPARE_NE;
    u128 unknown = a.unknown | b.unknown;
    if (unknown && equality && !scalar_type_is_float(type) && ((a.bits ^ b.bits) & ~unknown))
        return compare == COMPARE_NE ? TRUE_NOW : FALSE_NOW;
    if (unknown)
        return NOT_KNOWN;
    bool holds;
    if (scalar_type_is_float(type))
        holds = float_compare(compare, type, flushes, a.bits, b.bits);
    else if (equality)
        holds = (a.bits == b.bits) == (compare == COMPARE_EQ);
    else if (scalar_type_is_signed(type) && compare <= COMPARE_GE)
        holds = compare_signed(compare, as_signed(a.bits, width), as_signed(b.bits, width));
    else
        holds = compare_unsigned(compare, a.bits, b.bits);
    return holds ? TRUE_NOW : FALSE_NOW;
}

// --- Integers (PTX ISA 9.7.1) --------------------------------------------------------------------

// An integer that may be too large for the type, cut or brought to the nearest number of it.
static u128 fit(const struct instruction *instruction, s128 number, unsigned width) {
    s128 top = (s128)(smallest(width) - 1), bottom = -top - 1;
    if (instruction->compute.saturate)
        number = number > top ? top : number < bottom ? bottom : number;
    return (u128)number & low_ones(width);
}

static u128 extended(u128 bits, enum scalar_type type) {
    return scalar_type_is_signed(type) ? (u128)as_signed(bits, scalar_type_bits(type)) : bits;
}

static struct value multiply(const struct instruction *instruction, const struct value *s,
                             bool adds) {
    unsigned width = scalar_type_bits(instruction->type);
    // Of numbers of 64 bits the product has 128, with or without a sign.
    u128 product = extended(s[0].bits, instruction->type) * extended(s[1].bits, instruction->type);
    unsigned result = instruction->compute.mul_part == MUL_WIDE ? 2 * width : width;
    if (instruction->compute.mul_part == MUL_HI)
        product = scalar_type_is_signed(instruction->type) ? (u128)((s128)product >> width)
                                                           : product >> width;
    product &= low_ones(result);
    if (!adds)
        return value_known(product, result);
    if (!instruction->compute.saturate)
        return value_known(product + s[2].bits, result);
    s128 sum = as_signed(product, result) + as_signed(s[2].bits, result);
    return value_known(fit(instruction, sum, result), result);
}

// "Compute the product of two 24-bit integer values held in 32-bit source registers."
static struct value multiply_24(const struct instruction *instruction, u128 a, u128 b, u128 c) {
    int64_t x = (int64_t)(a & 0xffffff), y = (int64_t)(b & 0xffffff);
    if (scalar_type_is_signed(instruction->type)) {
        x -= x >> 23 ? 1 << 24 : 0;
        y -= y >> 23 ? 1 << 24 : 0;
    }
    int64_t product = x * y;
    if (instruction->compute.mul_part == MUL_HI)
        product >>= 16;
    if (!instruction->compute.saturate)
        return value_known((u128)((uint64_t)product + (uint64_t)c) & low_ones(32), 32);
    return value_known(fit(instruction, (s128)(int32_t)product + as_signed(c, 32), 32), 32);
}

// One of the parts of a number, from `first` on.
static int64_t part_of(u128 bits, unsigned first, unsigned width, bool is_signed) {
    int64_t part = (int64_t)(bits >> first & low_ones(width));
    return is_signed && part >> (width - 1) ? part - (1 << width) : part;
}

// "dp4a: the dot product of two vectors of four bytes, and an accumulation"; dp2a: of two halves of
// a, and two bytes of b, the lower or the upper ones.
static struct value dot(const struct instruction *instruction, u128 a, u128 b, u128 c,
                        unsigned count) {
    unsigned width = 32 / count, from = instruction->compute.mul_part == MUL_HI ? 16 : 0;
    uint64_t sum = (uint64_t)c;
    for (unsigned i = 0; i < count; i++)
        sum += (uint64_t)(part_of(a, i * width, width, scalar_type_is_signed(instruction->type)) *
                          part_of(b, from + 8 * i, 8,
                                  scalar_type_is_signed(instruction->source_type)));
    return value_known((u128)sum & low_ones(32), 32);
}

// A division by zero is unspecified, and so is which way the quotient of numbers with different
// signs is rounded (PTX ISA 9.7.1.8, 9.7.1.9).
static struct value divide(const struct instruction *instruction, u128 a, u128 b) {
    unsigned width = scalar_type_bits(instruction->type);
    bool quotient = instruction->opcode == OP_DIV || instruction->atomic == ATOMIC_DIV;
    if (b == 0)
        return value_unknown(width);
    if (!scalar_type_is_signed(instruction->type))
        return value_known(quotient ? a / b : a % b, width);
    s128 x = as_signed(a, width), y = as_signed(b, width);
    if (x % y != 0 && (x < 0) != (y < 0))
        return value_unknown(width);
    return value_known((u128)(quotient ? x / y : x % y), width);
}

static bool is_less(enum scalar_type type, u128 a, u128 b) {
    unsigned width = scalar_type_bits(type);
    return scalar_type_is_signed(type) ? as_signed(a, width) < as_signed(b, width) : a < b;
}

static u128 sum_of_differences(enum scalar_type type, u128 a, u128 b, u128 c) {
    return c + (is_less(type, a, b) ? b - a : a - b);
}

static u128 count_ones(u128 bits) {
    u128 count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

// The position of the highest one, or -1.
static int highest_one(u128 bits) {
    int position = -1;
    for (; bits; bits >>= 1)
        position++;
    return position;
}

// bfind: "the bit position of the most significant non-sign bit"; for negative numbers that is a
// zero.
static u128 find_bit(const struct instruction *instruction, u128 a) {
    unsigned width = scalar_type_bits(instruction->type);
    if (scalar_type_is_signed(instruction->type) && is_negative(a, width))
        a = ~a & low_ones(width);
    int position = highest_one(a);
    if (position >= 0 && instruction->compute.shift_amount)
        position = (int)width - 1 - position;
    return (uint32_t)position;
}

static u128 bit_mask(bool wraps, u128 a, u128 b) {
    u128 first = a % 32, count = b % 32;
    if (!wraps && a >= 32)
        return 0;
    if (!wraps && b >= 32)
        count = 32;
    return (low_ones((unsigned)(first + count)) & ~low_ones((unsigned)first)) & low_ones(32);
}

static struct value integer_arithmetic(const struct instruction *instruction,
                                       const struct value *s) {
    enum scalar_type type = instruction->type;
    unsigned width = scalar_type_bits(type);
    u128 a = s[0].bits, b = s[1].bits;
    switch (instruction->opcode) {
    case OP_ADD:
        return value_known(fit(instruction, as_signed(a, width) + as_signed(b, width), width),
                           width);
    case OP_SUB:
        return value_known(fit(instruction, as_signed(a, width) - as_signed(b, width), width),
                           width);
    case OP_MUL: return multiply(instruction, s, false);
    case OP_MAD: return multiply(instruction, s, true);
    case OP_MUL24: return multiply_24(instruction, a, b, 0);
    case OP_MAD24: return multiply_24(instruction, a, b, s[2].bits);
    case OP_DP4A: return dot(instruction, a, b, s[2].bits, 4);
    case OP_DP2A: return dot(instruction, a, b, s[2].bits, 2);
    case OP_DIV:
    case OP_REM: return divide(instruction, a, b);
    case OP_MIN: return value_known(is_less(type, b, a) ? b : a, width);
    case OP_MAX: return value_known(is_less(type, a, b) ? b : a, width);
    case OP_ABS: return value_known(is_negative(a, width) ? -a : a, width);
    case OP_NEG: return value_known(-a, width);
    case OP_SAD: return value_known(sum_of_differences(type, a, b, s[2].bits), width);
    case OP_CNOT: return value_known(a == 0, width);
    case OP_CLZ: return value_known((u128)((int)width - 1 - highest_one(a)), 32);
    case OP_POPC: return value_known(count_ones(a), 32);
    case OP_BFIND: return value_known(find_bit(instruction, a), 32);
    case OP_BMSK: return value_known(bit_mask(instruction->compute.wraps, a, b), 32);
    default: abort(); // not arithmetic
    }
}

// --- Bits that move (PTX ISA 9.7.8) --------------------------------------------------------------

static struct value masked(struct value value, u128 mask) {
    value.bits &= mask;
    value.unknown &= mask;
    return value;
}

static struct value shifted_left(struct value value, u128 count, unsigned width) {
    if (count >= width)
        return value_known(0, width);
    value.bits <<= (unsigned)count;
    value.unknown <<= (unsigned)count;
    return masked(value, low_ones(width));
}

static struct value shifted_right(struct value value, u128 count, unsigned width, bool is_signed) {
    unsigned by = count > width ? width : (unsigned)count;
    value = value_extend(value, width, 128, is_signed);
    if (is_signed) { // width is at most 64
        value.bits >>= by;
        value.unknown >>= by;
        return masked(value, low_ones(width));
    }
    return by >= width ? value_known(0, width) : value_slice(value, by, width);
}

static struct value bitwise_not(struct value a, unsigned width) {
    a.bits = ~a.bits & ~a.unknown & low_ones(width);
    return a;
}

static struct value bitwise_and(struct value a, struct value b) {
    u128 zero = (~a.bits & ~a.unknown) | (~b.bits & ~b.unknown);
    struct value result = {a.bits & b.bits, (a.unknown | b.unknown) & ~zero};
    return result;
}

static struct value bitwise_or(struct value a, struct value b) {
    u128 one = a.bits | b.bits;
    struct value result = {one, (a.unknown | b.unknown) & ~one};
    return result;
}

static struct value bitwise_xor(struct value a, struct value b) {
    u128 unknown = a.unknown | b.unknown;
    struct value result = {(a.bits ^ b.bits) & ~unknown, unknown};
    return result;
}

// Bit i of the result is bit 4a + 2b + c of the table, for bits i of the operands.
static struct value look_up(const struct value *s, u128 table) {
    struct value result = {0, 0};
    for (unsigned row = 0; row < 8; row++) {
        struct value all = value_known(low_ones(32), 32);
        for (unsigned i = 0; i < 3; i++)
            all = bitwise_and(all, row >> (2 - i) & 1 ? s[i] : bitwise_not(s[i], 32));
        if (table >> row & 1)
            result = bitwise_or(result, all);
    }
    return result;
}

// "If the destination is wider, the msb of the field is copied where the type is signed."
static struct value extract_field(const struct instruction *instruction, const struct value *s) {
    unsigned width = scalar_type_bits(instruction->type), top = width - 1;
    unsigned first = (unsigned)s[1].bits & 0xff, length = (unsigned)s[2].bits & 0xff;
    struct value result = {0, 0};
    if (length == 0)
        return result;
    unsigned last = first + length - 1 < top ? first + length - 1 : top;
    bool is_signed = scalar_type_is_signed(instruction->type);
    struct value sign = is_signed ? value_slice(s[0], last, 1) : value_known(0, 1);
    for (unsigned i = 0; i < width; i++) {
        struct value bit = i < length && first + i <= top ? value_slice(s[0], first + i, 1) : sign;
        result = value_join(result, i, bit);
    }
    return result;
}

static struct value insert_field(const struct instruction *instruction, const struct value *s) {
    unsigned width = scalar_type_bits(instruction->type);
    unsigned first = (unsigned)s[2].bits & 0xff, length = (unsigned)s[3].bits & 0xff;
    struct value result = {0, 0};
    for (unsigned i = 0; i < width; i++) {
        bool inside = i >= first && i < first + length;
        result = value_join(result, i,
                            inside ? value_slice(s[0], i - first, 1) : value_slice(s[1], i, 1));
    }
    return result;
}

static struct value sign_extend_field(const struct instruction *instruction,
                                      const struct value *s) {
    u128 length = s[1].bits;
    if (!instruction->compute.wraps && length >= 32)
        return s[0];
    unsigned from = (unsigned)(length % 32);
    if (from == 0)
        return value_known(0, 32);
    return value_extend(s[0], from, 32, scalar_type_is_signed(instruction->type));
}

static struct value reversed(struct value a, unsigned width) {
    struct value result = {0, 0};
    for (unsigned i = 0; i < width; i++)
        result = value_join(result, i, value_slice(a, width - 1 - i, 1));
    return result;
}

// Which of the bytes b7 ... b0 of {b, a} becomes byte `i` of the result, in a mode whose control is
// `c`.
static unsigned permuted_byte(enum permute_mode mode, unsigned c, unsigned i) {
    c &= 3;
    switch (mode) {
    case PERMUTE_F4E: return (c + i) & 7;
    case PERMUTE_B4E: return (c - i) & 7;
    case PERMUTE_RC8: return c;
    case PERMUTE_ECL: return i > c ? i : c;
    case PERMUTE_ECR: return i < c ? i : c;
    default: return (c & 1) * 2 + (i & 1); // PERMUTE_RC16
    }
}

static struct value permute(const struct instruction *instruction, const struct value *s) {
    struct value bytes = value_join(s[0], 32, s[1]), result = {0, 0};
    for (unsigned i = 0; i < 4; i++) {
        unsigned control = (unsigned)(s[2].bits >> 4 * i) & 0xf;
        unsigned from = instruction->compute.permute == PERMUTE_SELECT
                            ? control & 7
                            : permuted_byte(instruction->compute.permute, (unsigned)s[2].bits, i);
        struct value byte = value_slice(bytes, 8 * from, 8);
        if (instruction->compute.permute == PERMUTE_SELECT && control & 8)
            byte = value_extend(value_slice(byte, 7, 1), 1, 8, true);
        result = value_join(result, 8 * i, byte);
    }
    return result;
}

static struct value funnel(const struct instruction *instruction, const struct value *s) {
    u128 count = instruction->compute.wraps ? s[2].bits % 32 : s[2].bits > 32 ? 32 : s[2].bits;
    struct value both = value_join(s[0], 32, s[1]);
    if (instruction->opcode == OP_SHF_L)
        return value_slice(both, 32 - (unsigned)count, 32);
    return value_slice(both, (unsigned)count, 32);
}

// cvt: "chopped" to the source type, then brought into the range of the other with .sat.
static struct value convert(const struct instruction *instruction, struct value a) {
    unsigned from = scalar_type_bits(instruction->source_type);
    unsigned to = scalar_type_bits(instruction->type);
    bool is_signed = scalar_type_is_signed(instruction->source_type);
    if (!instruction->compute.saturate)
        return value_extend(a, from, to, is_signed);
    if (!value_is_known(a))
        return value_unknown(to);
    s128 number = is_signed ? as_signed(a.bits, from) : (s128)a.bits;
    bool to_signed = scalar_type_is_signed(instruction->type);
    s128 top = (s128)(to_signed ? low_ones(to - 1) : low_ones(to)),
         bottom = to_signed ? -top - 1 : 0;
    return value_known((u128)(number > top ? top : number < bottom ? bottom : number), to);
}

// Which operands have to be known: all but those whose bits only move.
static unsigned first_that_decides(const struct instruction *instruction) {
    switch (instruction->opcode) {
    case OP_SHL:
    case OP_SHR:
    case OP_BFE:
    case OP_SZEXT: return 1;
    case OP_SHF_L:
    case OP_SHF_R:
    case OP_BFI:
    case OP_PRMT:
    case OP_SLCT:
    case OP_SELP: return 2;
    case OP_AND:
    case OP_OR:
    case OP_XOR:
    case OP_NOT:
    case OP_LOP3:
    case OP_BREV:
    case OP_CVT: return 4;
    default: return 0;
    }
}

static bool is_decided(const struct instruction *instruction, const struct value *s) {
    unsigned count = instruction->operand_count - 1;
    for (unsigned i = first_that_decides(instruction); i < count && i < 4; i++)
        if (!value_is_known(s[i]))
            return false;
    return true;
}

static struct value move_bits(const struct instruction *instruction, const struct value *s) {
    unsigned width = scalar_type_bits(instruction->type);
    switch (instruction->opcode) {
    case OP_AND: return bitwise_and(s[0], s[1]);
    case OP_OR: return bitwise_or(s[0], s[1]);
    case OP_XOR: return bitwise_xor(s[0], s[1]);
    case OP_NOT: return bitwise_not(s[0], width);
    case OP_LOP3: return look_up(s, s[3].bits);
    case OP_SHL: return shifted_left(s[0], s[1].bits, width);
    case OP_SHR:
        return shifted_right(s[0], s[1].bits, width, scalar_type_is_signed(instruction->type));
    case OP_SHF_L:
    case OP_SHF_R: return funnel(instruction, s);
    case OP_BFE: return extract_field(instruction, s);
    case OP_BFI: return insert_field(instruction, s);
    case OP_SZEXT: return sign_extend_field(instruction, s);
    case OP_BREV: return reversed(s[0], width);
    case OP_PRMT: return permute(instruction, s);
    case OP_SELP: return s[2].bits ? s[0] : s[1];
    case OP_SLCT: return as_signed(s[2].bits, 32) >= 0 ? s[0] : s[1];
    default: return convert(instruction, s[0]); // OP_CVT
    }
}

// --- All -----------------------------------------------------------------------------------------

// set: all ones or 1.0f when it holds (PTX ISA 9.7.6.1).
static struct value set_number(const struct instruction *instruction, const struct value *s) {
    enum truth holds = compute_compare(instruction->compute.compare, instruction->source_type,
                                       instruction->compute.flushes, s[0], s[1]);
    if (instruction->bool_op != BOOL_NONE)
        holds = compute_combine(instruction->bool_op, holds, compute_truth(s[2]));
    if (holds == NOT_KNOWN)
        return value_unknown(32);
    u128 one = instruction->type == TYPE_F32 ? 0x3f800000 : low_ones(32);
    return value_known(holds == TRUE_NOW ? one : 0, 32);
}

unsigned compute_width(const struct instruction *instruction) {
    unsigned width = scalar_type_bits(instruction->type);
    switch (instruction->opcode) {
    case OP_MUL:
    case OP_MAD: return instruction->compute.mul_part == MUL_WIDE ? 2 * width : width;
    case OP_CLZ:
    case OP_POPC:
    case OP_BFIND: return 32;
    default: return width;
    }
}

unsigned compute_source_width(const struct instruction *instruction, unsigned index) {
    unsigned width = scalar_type_bits(instruction->type);
    switch (instruction->opcode) {
    case OP_MAD: return index == 2 ? compute_width(instruction) : width;
    case OP_ADDC:
    case OP_SUBC: return index == 2 ? 1 : width;
    case OP_MADC: return index == 3 ? 1 : width;
    case OP_BFE: return index == 0 ? width : 32;
    case OP_BFI: return index < 2 ? width : 32;
    case OP_SHL:
    case OP_SHR:
    case OP_SZEXT: return index == 0 ? width : 32;
    case OP_LOP3: return index == 4 ? 1 : 32;
    case OP_SETP: return index == 2 ? 1 : width;
    case OP_SET: return index == 2 ? 1 : scalar_type_bits(instruction->source_type);
    case OP_SELP: return index == 2 ? 1 : width;
    case OP_SLCT: return index == 2 ? 32 : width;
    case OP_CVT: return scalar_type_bits(instruction->source_type);
    default: return width;
    }
}

struct value compute(const struct instruction *instruction, const struct value *sources) {
    if (instruction->opcode == OP_SET)
        return set_number(instruction, sources);
    bool zero =
        (instruction->opcode == OP_MUL) && ((value_is_known(sources[0]) && !sources[0].bits) ||
                                            (value_is_known(sources[1]) && !sources[1].bits));
    if (zero)
        return value_known(0, compute_width(instruction));
    if (!is_decided(instruction, sources))
        return value_unknown(compute_width(instruction));
    if (first_that_decides(instruction) > 0)
        return move_bits(instruction, sources);
    if (scalar_type_is_float(instruction->type))
        return float_arithmetic(instruction, sources);
    return integer_arithmetic(instruction, sources);
}

struct value compute_with_carry(const struct instruction *instruction, const struct value *s,
                                struct value *carry) {
    unsigned width = scalar_type_bits(instruction->type);
    bool adds = instruction->opcode == OP_MADC;
    const struct value *in = &s[adds ? 3 : 2];
    *carry = value_unknown(1);
    for (unsigned i = 0; i < (adds ? 4u : 3u); i++)
        if (!value_is_known(s[i]))
            return value_unknown(width);
    u128 a = adds ? multiply(instruction, s, false).bits : s[0].bits;
    u128 b = adds ? s[2].bits : s[1].bits;
    u128 result = instruction->opcode == OP_SUBC ? a - b - in->bits : a + b + in->bits;
    bool borrows = a < b + in->bits;
    bool out = instruction->opcode == OP_SUBC ? borrows : (result >> width) != 0;
    *carry = value_known(out, 1);
    return value_known(result & low_ones(width), width);
}

// --- Atomics (PTX ISA 9.7.13.5) ------------------------------------------------------------------

static struct value compute_cas(struct value old, struct value b, struct value c,
                                enum truth *writes) {
    u128 unknown = old.unknown | b.unknown;
    if ((old.bits ^ b.bits) & ~unknown)
        *writes = FALSE_NOW;
    else
        *writes = unknown ? NOT_KNOWN : TRUE_NOW;
    return c;
}

static struct value atomic_integer(const struct instruction *instruction, enum scalar_type type,
                                   u128 old, u128 b) {
    unsigned width = scalar_type_bits(type);
    switch (instruction->atomic) {
    case ATOMIC_ADD: return value_known(old + b, width);
    case ATOMIC_SUB: return value_known(old - b, width);
    case ATOMIC_MUL: return value_known(old * b, width);
    case ATOMIC_DIV: return divide(instruction, old, b);
    case ATOMIC_INC: return value_known(old >= b ? 0 : old + 1, width);
    case ATOMIC_DEC: return value_known(old == 0 || old > b ? b : old - 1, width);
    case ATOMIC_MIN: return value_known(is_less(type, b, old) ? b : old, width);
    case ATOMIC_MAX: return value_known(is_less(type, old, b) ? b : old, width);
    default: abort(); // not arithmetic
    }
}

struct value compute_atomic(const struct instruction *instruction, enum scalar_type type,
                            bool flushes, struct value old, struct value b, struct value c,
                            enum truth *writes) {
    *writes = TRUE_NOW;
    switch (instruction->atomic) {
    case ATOMIC_CAS: return compute_cas(old, b, c, writes);
    case ATOMIC_EXCH: return b;
    case ATOMIC_AND: return bitwise_and(old, b);
    case ATOMIC_OR: return bitwise_or(old, b);
    case ATOMIC_XOR: return bitwise_xor(old, b);
    default: break;
    }
    if (!value_is_known(old) || !value_is_known(b))
        return value_unknown(scalar_type_bits(type));
    if (scalar_type_is_float(type))
        return float_atomic(instruction->atomic, type, flushes, old.bits, b.bits);
    return atomic_integer(instruction, type, old.bits, b.bits);
}
