// Instructions that move, count and look up bits (PTX ISA 9.7.1.14 to 9.7.1.22, 9.7.8.6, 9.7.8.8,
// 9.7.9.7).

#include "program/builder.h"
#include "program/thread/compute.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"

// --- Words -------------------------------------------------------------------------------------

static const struct expr *word(struct expr_pool *pool, unsigned width, uint64_t value) {
    return expr_const_u64(pool, width, value);
}

static const struct expr *apply(struct expr_pool *pool, enum expr_op op, const struct expr *a,
                                const struct expr *b) {
    return expr_binary(pool, op, a, b);
}

// The low 8 bits of an operand, in a word of `width`.
static const struct expr *low_byte(struct expr_pool *pool, const struct expr *a, unsigned width) {
    return expr_resize(pool, expr_extract(pool, a, 0, 8), width, false);
}

// The low `count` bits set: all of them from the width on.
static const struct expr *low_ones(struct expr_pool *pool, const struct expr *count) {
    const struct expr *one = word(pool, count->width, 1);
    return apply(pool, EXPR_SUB, apply(pool, EXPR_SHL, one, count), one);
}

// A mask of `width` bits in which runs of `run` zeros and ones alternate, beginning with ones.
static const struct expr *stripes(struct expr_pool *pool, unsigned width, unsigned run) {
    return word(pool, width, UINT64_MAX / ((UINT64_C(1) << run) + 1));
}

// --- Counting ----------------------------------------------------------------------------------

// How many bits are set, in a word of the same width: the counts of neighbours are added, in fields
// that double.
static const struct expr *count_ones(struct expr_pool *pool, const struct expr *x) {
    for (unsigned run = 1; run < x->width; run *= 2) {
        const struct expr *mask = stripes(pool, x->width, run);
        const struct expr *shifted = apply(pool, EXPR_LSHR, x, word(pool, x->width, run));
        x = apply(pool, EXPR_ADD, apply(pool, EXPR_AND, x, mask),
                  apply(pool, EXPR_AND, shifted, mask));
    }
    return x;
}

// All bits set from the highest one that is, down.
static const struct expr *smear(struct expr_pool *pool, const struct expr *x) {
    for (unsigned run = 1; run < x->width; run *= 2)
        x = apply(pool, EXPR_OR, x, apply(pool, EXPR_LSHR, x, word(pool, x->width, run)));
    return x;
}

static const struct expr *leading_zeros(struct expr_pool *pool, const struct expr *x) {
    return count_ones(pool, expr_not(pool, smear(pool, x)));
}

// The position of the highest bit that differs from the sign, or the shift that brings it to the
// top; all ones when there is none.
static const struct expr *find_bit(struct expr_pool *pool, const struct instruction *instruction,
                                   const struct expr *x) {
    unsigned width = x->width;
    const struct expr *zero = word(pool, width, 0), *top = word(pool, width, width - 1);
    if (scalar_type_is_signed(instruction->type))
        x = expr_ite(pool, apply(pool, EXPR_SLT, x, zero), expr_not(pool, x), x);
    const struct expr *zeros = leading_zeros(pool, x);
    const struct expr *found =
        instruction->compute.shift_amount ? zeros : apply(pool, EXPR_SUB, top, zeros);
    return expr_ite(pool, expr_eq(pool, x, zero), expr_not(pool, zero), found);
}

static const struct expr *reverse(struct expr_pool *pool, const struct expr *x) {
    for (unsigned run = 1; run < x->width; run *= 2) {
        const struct expr *mask = stripes(pool, x->width, run), *by = word(pool, x->width, run);
        const struct expr *up = apply(pool, EXPR_SHL, apply(pool, EXPR_AND, x, mask), by);
        const struct expr *down = apply(pool, EXPR_AND, apply(pool, EXPR_LSHR, x, by), mask);
        x = apply(pool, EXPR_OR, up, down);
    }
    return x;
}

// --- Fields ------------------------------------------------------------------------------------

// The sign bit of a field of `length` bits, at least 1, copied to all bits above: x ^ s - s, where
// s is the sign bit's place, which is 0 when it lies above the word.
static const struct expr *extend_field(struct expr_pool *pool, const struct expr *field,
                                       const struct expr *length) {
    const struct expr *one = word(pool, field->width, 1);
    const struct expr *sign = apply(pool, EXPR_SHL, one, apply(pool, EXPR_SUB, length, one));
    return apply(pool, EXPR_SUB, apply(pool, EXPR_XOR, field, sign), sign);
}

// bfe d, a, b, c: c bits of a from bit b on. The shift fills with what lies beyond the top bit:
// zeros, or its copies.
static const struct expr *extract_field(struct expr_pool *pool,
                                        const struct instruction *instruction, const struct expr *a,
                                        const struct expr *b, const struct expr *c) {
    bool is_signed = scalar_type_is_signed(instruction->type);
    const struct expr *length = low_byte(pool, c, a->width), *zero = word(pool, a->width, 0);
    const struct expr *shifted =
        apply(pool, is_signed ? EXPR_ASHR : EXPR_LSHR, a, low_byte(pool, b, a->width));
    const struct expr *field = apply(pool, EXPR_AND, shifted, low_ones(pool, length));
    if (!is_signed)
        return field;
    return expr_ite(pool, expr_eq(pool, length, zero), zero, extend_field(pool, field, length));
}

// bfi f, a, b, c, d: b with the low d bits of a from bit c on.
static const struct expr *insert_field(struct expr_pool *pool, const struct expr *a,
                                       const struct expr *b, const struct expr *c,
                                       const struct expr *d) {
    const struct expr *position = low_byte(pool, c, a->width);
    const struct expr *ones = low_ones(pool, low_byte(pool, d, a->width));
    const struct expr *mask = apply(pool, EXPR_SHL, ones, position);
    const struct expr *kept = apply(pool, EXPR_AND, b, expr_not(pool, mask));
    const struct expr *moved = apply(pool, EXPR_SHL, a, position);
    return apply(pool, EXPR_OR, kept, apply(pool, EXPR_AND, moved, mask));
}

// A position or length: its low five bits with .wrap, else as it is.
static const struct expr *wrapped(struct expr_pool *pool, const struct instruction *instruction,
                                  const struct expr *a) {
    return instruction->compute.wraps ? apply(pool, EXPR_AND, a, word(pool, 32, 31)) : a;
}

// bmsk d, a, b: b ones from bit a on.
static const struct expr *mask_field(struct expr_pool *pool, const struct instruction *instruction,
                                     const struct expr *a, const struct expr *b) {
    return apply(pool, EXPR_SHL, low_ones(pool, wrapped(pool, instruction, b)),
                 wrapped(pool, instruction, a));
}

// szext d, a, b: the low b bits of a, extended.
static const struct expr *extend(struct expr_pool *pool, const struct instruction *instruction,
                                 const struct expr *a, const struct expr *b) {
    const struct expr *length = wrapped(pool, instruction, b), *zero = word(pool, 32, 0);
    const struct expr *field = apply(pool, EXPR_AND, a, low_ones(pool, length));
    if (!scalar_type_is_signed(instruction->type))
        return field;
    return expr_ite(pool, expr_eq(pool, length, zero), zero, extend_field(pool, field, length));
}

// shf d, a, b, c: {b, a} shifted by c, which .clamp takes for 32 at most; the high word of a left
// shift, the low one of a right shift.
static const struct expr *funnel(struct expr_pool *pool, const struct instruction *instruction,
                                 const struct expr *a, const struct expr *b, const struct expr *c) {
    bool left = instruction->opcode == OP_SHF_L;
    const struct expr *most = word(pool, 32, 32);
    const struct expr *amount = wrapped(pool, instruction, c);
    amount = expr_ite(pool, apply(pool, EXPR_ULT, most, amount), most, amount);
    const struct expr *both = apply(pool, EXPR_CONCAT, b, a);
    const struct expr *shifted =
        apply(pool, left ? EXPR_SHL : EXPR_LSHR, both, expr_resize(pool, amount, 64, false));
    return expr_extract(pool, shifted, left ? 32 : 0, 32);
}

// --- Tables ------------------------------------------------------------------------------------

// lop3: bit 4a + 2b + c of the table, bit by bit.
static const struct expr *look_up(struct expr_pool *pool, uint64_t table, const struct expr *a,
                                  const struct expr *b, const struct expr *c) {
    const struct expr *result = word(pool, a->width, 0);
    for (unsigned row = 0; row < 8; row++) {
        if (!(table >> row & 1))
            continue;
        const struct expr *x = row & 4 ? a : expr_not(pool, a);
        const struct expr *y = row & 2 ? b : expr_not(pool, b);
        const struct expr *z = row & 1 ? c : expr_not(pool, c);
        const struct expr *both = apply(pool, EXPR_AND, x, y);
        result = apply(pool, EXPR_OR, result, apply(pool, EXPR_AND, both, z));
    }
    return result;
}

// One byte of a prmt without a mode: the low three bits of its selector say which of the eight
// bytes, the fourth that its sign alone counts.
static const struct expr *select_byte(struct expr_pool *pool, const struct expr *bytes,
                                      const struct expr *selector) {
    const struct expr *number = expr_resize(pool, expr_extract(pool, selector, 0, 3), 64, false);
    const struct expr *shift = apply(pool, EXPR_SHL, number, word(pool, 64, 3));
    const struct expr *byte = expr_extract(pool, apply(pool, EXPR_LSHR, bytes, shift), 0, 8);
    const struct expr *sign = apply(pool, EXPR_ASHR, byte, word(pool, 8, 7));
    return expr_ite(pool, expr_extract(pool, selector, 3, 1), sign, byte);
}

// The bytes that the modes of prmt choose, by the low two bits of the selector; from the highest
// byte of the result down (PTX ISA, table 36).
static const char *const permutations[][4] = {
    [PERMUTE_F4E] = {"3210", "4321", "5432", "6543"},
    [PERMUTE_B4E] = {"5670", "6701", "7012", "0123"},
    [PERMUTE_RC8] = {"0000", "1111", "2222", "3333"},
    [PERMUTE_ECL] = {"3210", "3211", "3222", "3333"},
    [PERMUTE_ECR] = {"0000", "1110", "2210", "3210"},
    [PERMUTE_RC16] = {"1010", "3232", "1010", "3232"},
};

static const struct expr *pick_bytes(struct expr_pool *pool, const struct expr *bytes,
                                     const char *numbers) {
    const struct expr *result = NULL;
    for (unsigned i = 0; i < 4; i++) {
        const struct expr *byte = expr_extract(pool, bytes, 8 * (unsigned)(numbers[i] - '0'), 8);
        result = result ? apply(pool, EXPR_CONCAT, result, byte) : byte;
    }
    return result;
}

// prmt d, a, b, c: bytes of {b, a} as c says.
static const struct expr *permute(struct expr_pool *pool, enum permute_mode mode,
                                  const struct expr *a, const struct expr *b,
                                  const struct expr *c) {
    const struct expr *bytes = apply(pool, EXPR_CONCAT, b, a), *result = NULL;
    if (mode == PERMUTE_SELECT) {
        for (unsigned i = 4; i-- > 0;) {
            const struct expr *byte = select_byte(pool, bytes, expr_extract(pool, c, 4 * i, 4));
            result = result ? apply(pool, EXPR_CONCAT, result, byte) : byte;
        }
        return result;
    }
    const struct expr *selector = expr_extract(pool, c, 0, 2);
    for (unsigned i = 0; i < 4; i++) {
        const struct expr *picked = pick_bytes(pool, bytes, permutations[mode][i]);
        result = result ? expr_ite(pool, expr_eq(pool, selector, word(pool, 2, i)), picked, result)
                        : picked;
    }
    return result;
}

// --- Instructions ------------------------------------------------------------------------------

static const struct expr *result_bits(struct expr_pool *pool, const struct instruction *instruction,
                                      const struct expr *const *x) {
    switch (instruction->opcode) {
    case OP_BFIND: return find_bit(pool, instruction, x[0]);
    case OP_BREV: return reverse(pool, x[0]);
    case OP_CLZ: return leading_zeros(pool, x[0]);
    case OP_POPC: return count_ones(pool, x[0]);
    case OP_BMSK: return mask_field(pool, instruction, x[0], x[1]);
    case OP_SZEXT: return extend(pool, instruction, x[0], x[1]);
    case OP_LOP3: return look_up(pool, instruction->operands[4].immediate.low, x[0], x[1], x[2]);
    case OP_BFE: return extract_field(pool, instruction, x[0], x[1], x[2]);
    case OP_PRMT: return permute(pool, instruction->compute.permute, x[0], x[1], x[2]);
    case OP_SHF_L:
    case OP_SHF_R: return funnel(pool, instruction, x[0], x[1], x[2]);
    case OP_BFI: return insert_field(pool, x[0], x[1], x[2], x[3]);
    default: bug("opcode %d is about no bits", (int)instruction->opcode);
    }
}

// lop3 d|p: p says whether d is not zero, combined with the last operand.
static void write_with_predicate(struct thread_builder *thread,
                                 const struct instruction *instruction, struct value value) {
    struct expr_pool *pool = thread->builder->pool;
    const struct operand *elements = instruction->operands[0].elements;
    struct value p = value;
    p.bits = expr_not(pool, expr_eq(pool, value.bits, word(pool, value.bits->width, 0)));
    p = compute_combine(thread, instruction, p, 5);
    thread_write(thread, &elements[0], value, false);
    thread_write(thread, &elements[1], p, false);
}

void compute_bitfield(struct thread_builder *thread, const struct instruction *instruction) {
    struct value value = compute_result(thread, instruction, result_bits);
    if (instruction->operands[0].kind == OPERAND_VECTOR)
        write_with_predicate(thread, instruction, value);
    else
        compute_write(thread, instruction, value);
}
