// From an expression's bits to diagrams. One sweep down finds which bits of each operand are asked
// for at all, so that `(a * b) & 1` needs no more than the lowest bits; one sweep up makes these.

#include "program/dependency/cone.h"

#include "program/expr/internal.h"
#include "litmus/source/arena.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// --- Cones -------------------------------------------------------------------------------------

struct cones {
    struct arena *arena;
    const struct expr_pool *pool;
    unsigned *place, *seen; // by id of an expression; in the cone that `seen` says
    unsigned *found;        // ids, of the current cone
    size_t capacity;
    unsigned number; // of the current cone
};

struct cones *cones_new(struct arena *arena, const struct expr_pool *pool) {
    struct cones *cones = ARENA_NEW(arena, struct cones);
    cones->arena = arena;
    cones->pool = pool;
    return cones;
}

static void make_room(struct cones *cones) {
    size_t wanted = expr_pool_count(cones->pool);
    if (wanted <= cones->capacity)
        return;
    cones->capacity = 2 * wanted;
    cones->place = ARENA_ARRAY(cones->arena, unsigned, cones->capacity);
    cones->seen = ARENA_ARRAY(cones->arena, unsigned, cones->capacity);
    cones->found = ARENA_ARRAY(cones->arena, unsigned, cones->capacity);
}

static int compare_ids(const void *left, const void *right) {
    unsigned a = *(const unsigned *)left, b = *(const unsigned *)right;
    return a < b ? -1 : a > b;
}

// Puts the ids of the root and of all below it into `found`; returns how many they are.
static size_t find_ids(struct cones *cones, const struct expr *root) {
    size_t count = 0;
    cones->number++;
    cones->seen[root->id] = cones->number;
    cones->found[count++] = root->id;
    for (size_t next = 0; next < count; next++) {
        const struct expr *expr = expr_at(cones->pool, cones->found[next]);
        for (unsigned i = 0; i < expr_arity(expr->op); i++) {
            unsigned id = expr->args[i]->id;
            if (cones->seen[id] != cones->number)
                cones->found[count++] = id;
            cones->seen[id] = cones->number;
        }
    }
    qsort(cones->found, count, sizeof *cones->found, compare_ids);
    return count;
}

struct cone cone_of(struct cones *cones, struct arena *scratch, const struct expr *root) {
    make_room(cones);
    size_t count = find_ids(cones, root);
    struct cone cone = {.items = ARENA_ARRAY(scratch, const struct expr *, count),
                        .count = count,
                        .leaves = ARENA_ARRAY(scratch, size_t, count),
                        .place = cones->place};
    for (size_t i = 0; i < count; i++) {
        cones->place[cones->found[i]] = (unsigned)i;
        cone.items[i] = expr_at(cones->pool, cones->found[i]);
        if (expr_is_leaf(cone.items[i]))
            cone.leaves[cone.leaf_count++] = i;
    }
    return cone;
}

// --- Which bits are asked for ------------------------------------------------------------------

struct blaster {
    struct diagrams *diagrams;
    const struct cone *cone;
    uint128 *asked; // by place: the bits that some user needs
    diagram **bits; // by place: the diagrams of these
};

// All bits up to the highest one of a mask.
static uint128 up_to_highest(uint128 mask) {
    for (unsigned shift = 1; shift < BITS_MAX; shift *= 2)
        mask |= mask >> shift;
    return mask;
}

static uint128 shifted_left(uint128 mask, uint128 amount) {
    return amount >= BITS_MAX ? 0 : mask << amount;
}

static uint128 shifted_right(uint128 mask, uint128 amount) {
    return amount >= BITS_MAX ? 0 : mask >> amount;
}

// What a shift by a constant needs of the number that is shifted.
static uint128 asked_of_shifted(const struct expr *expr, uint128 asked) {
    uint128 amount = bits_to_wide(expr->args[1]->value);
    uint128 sign = (uint128)1 << (expr->width - 1);
    if (expr->op == EXPR_SHL)
        return shifted_right(asked, amount);
    if (expr->op == EXPR_LSHR)
        return shifted_left(asked, amount);
    return shifted_left(asked, amount) | sign;
}

// What an operation needs of operand `i`, where `asked` is needed of its result, which is not 0.
static uint128 asked_of_operand(const struct expr *expr, unsigned i, uint128 asked) {
    const struct expr *operand = expr->args[i];
    const struct expr *other = expr_arity(expr->op) == 2 ? expr->args[1 - i] : NULL;
    switch (expr->op) {
    case EXPR_NOT:
    case EXPR_XOR: return asked;
    case EXPR_AND: return expr_is_const(other) ? asked & bits_to_wide(other->value) : asked;
    case EXPR_OR: return expr_is_const(other) ? asked & ~bits_to_wide(other->value) : asked;
    case EXPR_NEG:
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL: return up_to_highest(asked);
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR:
        return i == 0 && expr_is_const(other) ? asked_of_shifted(expr, asked) : ~(uint128)0;
    case EXPR_ITE: return i == 0 ? 1 : asked;
    case EXPR_CONCAT: return i == 1 ? asked : asked >> expr->args[1]->width;
    case EXPR_EXTRACT: return asked << expr->index;
    case EXPR_ZEXT: return asked;
    case EXPR_SEXT:
        return asked >> operand->width == 0 ? asked : asked | (uint128)1 << (operand->width - 1);
    default: return ~(uint128)0;
    }
}

static void find_asked(struct blaster *blaster) {
    const struct cone *cone = blaster->cone;
    size_t root = cone->count - 1;
    blaster->asked[root] = bits_mask(cone->items[root]->width);
    for (size_t at = cone->count; at-- > 0;) {
        const struct expr *expr = cone->items[at];
        for (unsigned i = 0; blaster->asked[at] != 0 && i < expr_arity(expr->op); i++) {
            uint128 asked = asked_of_operand(expr, i, blaster->asked[at]);
            blaster->asked[cone->place[expr->args[i]->id]] |=
                asked & bits_mask(expr->args[i]->width);
        }
    }
}

// --- Making bits -------------------------------------------------------------------------------

static diagram constant_bit(const struct expr *expr, unsigned bit) {
    return bits_to_wide(expr->value) >> bit & 1 ? DIAGRAM_TRUE : DIAGRAM_FALSE;
}

static const diagram *operand_bits(const struct blaster *blaster, const struct expr *expr,
                                   unsigned i) {
    return blaster->bits[blaster->cone->place[expr->args[i]->id]];
}

// Sums a, b and a carry, for the lowest `count` bits.
static void add_bits(struct diagrams *d, const diagram *a, const diagram *b, bool negates_b,
                     diagram carry, unsigned count, diagram *out) {
    for (unsigned i = 0; i < count; i++) {
        diagram x = a[i], y = negates_b ? diagram_not(d, b[i]) : b[i];
        diagram either = diagram_xor(d, x, y);
        out[i] = diagram_xor(d, either, carry);
        carry = diagram_choose(d, either, carry, x);
    }
}

// The product's lowest `count` bits: a sum of shifted a, one for each bit of b.
static void multiply(struct diagrams *d, const diagram *a, const diagram *b, unsigned count,
                     diagram *out) {
    diagram row[BITS_MAX], sum[BITS_MAX];
    for (unsigned i = 0; i < count; i++)
        out[i] = DIAGRAM_FALSE;
    for (unsigned k = 0; k < count; k++) {
        if (b[k] == DIAGRAM_FALSE)
            continue;
        for (unsigned i = 0; i < count; i++)
            row[i] = i < k ? DIAGRAM_FALSE : diagram_and(d, a[i - k], b[k]);
        add_bits(d, out, row, false, DIAGRAM_FALSE, count, sum);
        memcpy(out, sum, count * sizeof *out);
    }
}

// Whether a < b, unsigned, or a <= b with `or_equal`; signed: the highest bits change places.
static diagram less(struct diagrams *d, const diagram *a, const diagram *b, unsigned width,
                    bool or_equal, bool is_signed) {
    assert(width > 0);
    diagram result = or_equal ? DIAGRAM_TRUE : DIAGRAM_FALSE;
    for (unsigned i = 0; i < width; i++) {
        bool swaps = is_signed && i == width - 1;
        diagram higher = swaps ? a[i] : b[i];
        result = diagram_choose(d, diagram_xor(d, a[i], b[i]), higher, result);
    }
    return result;
}

static diagram equal(struct diagrams *d, const diagram *a, const diagram *b, unsigned width) {
    assert(width > 0);
    diagram result = DIAGRAM_TRUE;
    for (unsigned i = width; i-- > 0;)
        result = diagram_and(d, diagram_not(d, diagram_xor(d, a[i], b[i])), result);
    return result;
}

// Long division, the quotient's highest bit first. By zero it gives all ones and the dividend.
static void divide(struct diagrams *d, const diagram *a, const diagram *b, unsigned width,
                   diagram *quotient, diagram *rest) {
    assert(width > 0);
    diagram shifted[BITS_MAX + 1], difference[BITS_MAX + 1], divisor[BITS_MAX + 1];
    memcpy(divisor, b, width * sizeof *b);
    divisor[width] = DIAGRAM_FALSE;
    for (unsigned i = 0; i < width; i++)
        rest[i] = DIAGRAM_FALSE;
    for (unsigned k = width; k-- > 0;) {
        shifted[0] = a[k];
        memcpy(shifted + 1, rest, width * sizeof *rest);
        quotient[k] = less(d, divisor, shifted, width + 1, true, false);
        add_bits(d, shifted, divisor, true, DIAGRAM_TRUE, width + 1, difference);
        for (unsigned i = 0; i < width; i++)
            rest[i] = diagram_choose(d, quotient[k], difference[i], shifted[i]);
    }
}

// The number or, where `sign` holds, its negation.
static void negate_if(struct diagrams *d, diagram sign, const diagram *bits, unsigned width,
                      diagram *out) {
    assert(width > 0);
    diagram zero[BITS_MAX] = {DIAGRAM_FALSE}, negated[BITS_MAX];
    add_bits(d, zero, bits, true, DIAGRAM_TRUE, width, negated);
    for (unsigned i = 0; i < width; i++)
        out[i] = diagram_choose(d, sign, negated[i], bits[i]);
}

// Division of the numbers without their signs. The quotient is negative where the signs differ, the
// rest where the dividend is, also in what SMT-LIB has for a divisor of zero.
static void divide_signed(struct diagrams *d, const diagram *a, const diagram *b, unsigned width,
                          diagram *quotient, diagram *rest) {
    assert(width > 0);
    diagram plain_a[BITS_MAX], plain_b[BITS_MAX], plain_quotient[BITS_MAX], plain_rest[BITS_MAX];
    negate_if(d, a[width - 1], a, width, plain_a);
    negate_if(d, b[width - 1], b, width, plain_b);
    divide(d, plain_a, plain_b, width, plain_quotient, plain_rest);
    diagram differ = diagram_xor(d, a[width - 1], b[width - 1]);
    negate_if(d, differ, plain_quotient, width, quotient);
    negate_if(d, a[width - 1], plain_rest, width, rest);
}

// Shifts by each bit of the amount in turn. `fill` is what comes in.
static void shift(struct blaster *blaster, const struct expr *expr, diagram *out) {
    struct diagrams *d = blaster->diagrams;
    unsigned width = expr->width;
    const diagram *amount = operand_bits(blaster, expr, 1);
    memcpy(out, operand_bits(blaster, expr, 0), width * sizeof *out);
    diagram fill = expr->op == EXPR_ASHR ? out[width - 1] : DIAGRAM_FALSE;
    for (unsigned k = 0; k < width; k++) {
        diagram moved[BITS_MAX];
        for (unsigned i = 0; i < width; i++) {
            unsigned distance = k < 7 ? 1U << k : BITS_MAX;
            bool left = expr->op == EXPR_SHL;
            bool inside = left ? i >= distance : distance < width - i;
            moved[i] = inside ? out[left ? i - distance : i + distance] : fill;
        }
        for (unsigned i = 0; i < width && amount[k] != DIAGRAM_FALSE; i++)
            out[i] = diagram_choose(d, amount[k], moved[i], out[i]);
    }
}

static diagram bitwise(struct blaster *blaster, const struct expr *expr, unsigned bit) {
    struct diagrams *d = blaster->diagrams;
    const diagram *a = operand_bits(blaster, expr, 0);
    const diagram *b = expr_arity(expr->op) > 1 ? operand_bits(blaster, expr, 1) : NULL;
    switch (expr->op) {
    case EXPR_NOT: return diagram_not(d, a[bit]);
    case EXPR_AND: return diagram_and(d, a[bit], b[bit]);
    case EXPR_OR: return diagram_or(d, a[bit], b[bit]);
    case EXPR_XOR: return diagram_xor(d, a[bit], b[bit]);
    case EXPR_ITE: return diagram_choose(d, a[0], b[bit], operand_bits(blaster, expr, 2)[bit]);
    case EXPR_CONCAT: {
        unsigned low = expr->args[1]->width;
        return bit < low ? b[bit] : a[bit - low];
    }
    case EXPR_EXTRACT: return a[bit + expr->index];
    case EXPR_ZEXT: return bit < expr->args[0]->width ? a[bit] : DIAGRAM_FALSE;
    case EXPR_SEXT: return a[bit < expr->args[0]->width ? bit : expr->args[0]->width - 1];
    default: return DIAGRAM_TOO_LARGE;
    }
}

static diagram compare(struct blaster *blaster, const struct expr *expr) {
    struct diagrams *d = blaster->diagrams;
    const diagram *a = operand_bits(blaster, expr, 0), *b = operand_bits(blaster, expr, 1);
    unsigned width = expr->args[0]->width;
    bool is_signed = expr->op == EXPR_SLT || expr->op == EXPR_SLE;
    bool or_equal = expr->op == EXPR_ULE || expr->op == EXPR_SLE;
    if (expr->op == EXPR_EQ)
        return equal(d, a, b, width);
    return less(d, a, b, width, or_equal, is_signed);
}

// Makes the bits of an operation that are asked for, which are some.
static void make_bits(struct blaster *blaster, const struct expr *expr, uint128 asked,
                      diagram *out) {
    struct diagrams *d = blaster->diagrams;
    unsigned count = 0;
    diagram unused[BITS_MAX], none[BITS_MAX] = {DIAGRAM_FALSE};
    while (count < expr->width && asked >> count != 0)
        count++;
    const diagram *a = operand_bits(blaster, expr, 0);
    const diagram *b = expr_arity(expr->op) > 1 ? operand_bits(blaster, expr, 1) : NULL;
    switch (expr->op) {
    case EXPR_NEG: add_bits(d, none, a, true, DIAGRAM_TRUE, count, out); break;
    case EXPR_ADD: add_bits(d, a, b, false, DIAGRAM_FALSE, count, out); break;
    case EXPR_SUB: add_bits(d, a, b, true, DIAGRAM_TRUE, count, out); break;
    case EXPR_MUL: multiply(d, a, b, count, out); break;
    case EXPR_UDIV: divide(d, a, b, expr->width, out, unused); break;
    case EXPR_UREM: divide(d, a, b, expr->width, unused, out); break;
    case EXPR_SDIV: divide_signed(d, a, b, expr->width, out, unused); break;
    case EXPR_SREM: divide_signed(d, a, b, expr->width, unused, out); break;
    case EXPR_SHL:
    case EXPR_LSHR:
    case EXPR_ASHR: shift(blaster, expr, out); break;
    case EXPR_EQ:
    case EXPR_ULT:
    case EXPR_ULE:
    case EXPR_SLT:
    case EXPR_SLE: out[0] = compare(blaster, expr); break;
    default: // FADD has no diagrams
        for (unsigned i = 0; i < count; i++)
            if (asked >> i & 1)
                out[i] = bitwise(blaster, expr, i);
    }
}

// The leaf's place among the variables is its bit's rank.
static void make_leaf(struct blaster *blaster, size_t leaf, enum cone_order order, unsigned *first,
                      diagram *out, uint128 asked) {
    const struct cone *cone = blaster->cone;
    const struct expr *expr = cone->items[cone->leaves[leaf]];
    for (unsigned i = 0; i < expr->width; i++) {
        unsigned rank =
            order == CONE_BIT_BY_BIT ? i * (unsigned)cone->leaf_count + (unsigned)leaf : *first + i;
        if (asked >> i & 1)
            out[i] = diagram_variable(blaster->diagrams, rank);
    }
    *first += expr->width;
}

static void make_all(struct blaster *blaster, struct arena *scratch, enum cone_order order) {
    const struct cone *cone = blaster->cone;
    unsigned first = 0;
    size_t leaf = 0;
    for (size_t at = 0; at < cone->count; at++) {
        const struct expr *expr = cone->items[at];
        diagram *out = blaster->bits[at] = ARENA_ARRAY(scratch, diagram, expr->width);
        for (unsigned i = 0; i < expr->width; i++)
            out[i] = expr->op == EXPR_CONST ? constant_bit(expr, i) : DIAGRAM_TOO_LARGE;
        if (expr_is_leaf(expr))
            make_leaf(blaster, leaf++, order, &first, out, blaster->asked[at]);
        else if (expr->op != EXPR_CONST && blaster->asked[at] != 0)
            make_bits(blaster, expr, blaster->asked[at], out);
    }
}

// --- Dependence --------------------------------------------------------------------------------

static unsigned variable_count(const struct cone *cone, enum cone_order order) {
    unsigned sum = 0, widest = 0;
    for (size_t i = 0; i < cone->leaf_count; i++) {
        unsigned width = cone->items[cone->leaves[i]]->width;
        sum += width;
        widest = width > widest ? width : widest;
    }
    return order == CONE_BIT_BY_BIT ? widest * (unsigned)cone->leaf_count : sum;
}

bool cone_depends(struct arena *scratch, struct diagrams *diagrams, const struct cone *cone,
                  enum cone_order order, unsigned steps, bool *depends) {
    struct blaster blaster = {diagrams, cone, ARENA_ARRAY(scratch, uint128, cone->count),
                              ARENA_ARRAY(scratch, diagram *, cone->count)};
    unsigned variables = variable_count(cone, order), first = 0;
    if (variables > DIAGRAM_VARIABLES_MAX)
        return false;
    diagrams_begin(diagrams, steps);
    find_asked(&blaster);
    make_all(&blaster, scratch, order);
    bool *occurs = ARENA_ARRAY(scratch, bool, DIAGRAM_VARIABLES_MAX + 1);
    const struct expr *root = cone->items[cone->count - 1];
    for (unsigned i = 0; i < root->width; i++) {
        if (blaster.bits[cone->count - 1][i] == DIAGRAM_TOO_LARGE)
            return false;
        diagram_mark_variables(diagrams, blaster.bits[cone->count - 1][i], occurs);
    }
    for (size_t leaf = 0; leaf < cone->leaf_count; leaf++) {
        unsigned width = cone->items[cone->leaves[leaf]]->width;
        depends[leaf] = false;
        for (unsigned i = 0; i < width; i++)
            depends[leaf] |=
                occurs[order == CONE_BIT_BY_BIT ? i * (unsigned)cone->leaf_count + (unsigned)leaf
                                                : first + i];
        first += width;
    }
    return true;
}
