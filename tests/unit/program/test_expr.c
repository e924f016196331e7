// Expressions: sharing, the rules of simplification, and evaluation against arithmetic done here.

#include "program/expr/expr.h"
#include "program/expr/boolean.h"
#include "litmus/source/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

struct fixture {
    struct arena *arena;
    struct expr_pool *pool;
    const struct expr *x, *y, *z; // reads of 32 bits
    const struct expr *p, *q, *r; // reads of one bit
};

static struct fixture fixture_new(void) {
    struct fixture f = {.arena = arena_new()};
    f.pool = expr_pool_new(f.arena);
    f.x = expr_leaf(f.pool, EXPR_READ, 32, 1);
    f.y = expr_leaf(f.pool, EXPR_READ, 32, 2);
    f.z = expr_leaf(f.pool, EXPR_READ, 32, 3);
    f.p = expr_leaf(f.pool, EXPR_READ, 1, 4);
    f.q = expr_leaf(f.pool, EXPR_READ, 1, 5);
    f.r = expr_leaf(f.pool, EXPR_READ, 1, 6);
    return f;
}

static const struct expr *k32(struct fixture *f, uint64_t value) {
    return expr_const_u64(f->pool, 32, value);
}

static const struct expr *binary(struct fixture *f, enum expr_op op, const struct expr *a,
                                 const struct expr *b) {
    return expr_binary(f->pool, op, a, b);
}

// --- Sharing -----------------------------------------------------------------------------------

static void equal_expressions_are_one(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    assert_ptr_equal(k32(&f, 7), k32(&f, 7));
    assert_ptr_equal(f.x, expr_leaf(f.pool, EXPR_READ, 32, 1));
    assert_ptr_not_equal(f.x, expr_leaf(f.pool, EXPR_FINAL, 32, 1));
    assert_ptr_not_equal(f.x, expr_leaf(f.pool, EXPR_READ, 64, 1));
    assert_ptr_equal(binary(&f, EXPR_ADD, f.x, f.y), binary(&f, EXPR_ADD, f.y, f.x));
    assert_ptr_not_equal(binary(&f, EXPR_SUB, f.x, f.y), binary(&f, EXPR_SUB, f.y, f.x));
    arena_free(f.arena);
}

static void many_expressions_stay_shared(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    const struct expr *first[5000];
    for (unsigned i = 0; i < 5000; i++)
        first[i] = expr_leaf(f.pool, EXPR_READ, 16, i);
    unsigned count = expr_pool_count(f.pool);
    for (unsigned i = 0; i < 5000; i++)
        assert_ptr_equal(first[i], expr_leaf(f.pool, EXPR_READ, 16, i));
    assert_int_equal(expr_pool_count(f.pool), count);
    arena_free(f.arena);
}

static void constants_are_cut_to_their_width(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    assert_int_equal(expr_const_u64(f.pool, 8, 0x1ff)->value.low, 0xff);
    assert_ptr_equal(expr_const_u64(f.pool, 8, 0x1ff), expr_const_u64(f.pool, 8, 0xff));
    arena_free(f.arena);
}

static void operands_come_first(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    const struct expr *sum = binary(&f, EXPR_ADD, f.x, f.y);
    assert_true(sum->id > f.x->id && sum->id > f.y->id);
    arena_free(f.arena);
}

// --- Rules -------------------------------------------------------------------------------------

static void arithmetic_identities(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    const struct expr *zero = k32(&f, 0), *ones = k32(&f, UINT32_MAX);
    assert_ptr_equal(binary(&f, EXPR_XOR, f.x, f.x), zero);
    assert_ptr_equal(binary(&f, EXPR_SUB, f.x, f.x), zero);
    assert_ptr_equal(binary(&f, EXPR_AND, f.x, zero), zero);
    assert_ptr_equal(binary(&f, EXPR_AND, f.x, ones), f.x);
    assert_ptr_equal(binary(&f, EXPR_OR, zero, f.x), f.x);
    assert_ptr_equal(binary(&f, EXPR_ADD, zero, f.x), f.x);
    assert_ptr_equal(binary(&f, EXPR_MUL, f.x, k32(&f, 1)), f.x);
    assert_ptr_equal(binary(&f, EXPR_MUL, zero, f.x), zero);
    assert_ptr_equal(binary(&f, EXPR_SHL, f.x, k32(&f, 32)), zero);
    assert_ptr_equal(expr_unary(f.pool, EXPR_NEG, expr_unary(f.pool, EXPR_NEG, f.x)), f.x);
    assert_ptr_equal(expr_not(f.pool, expr_not(f.pool, f.x)), f.x);
    const struct expr *sum = binary(&f, EXPR_ADD, f.x, k32(&f, 4));
    assert_ptr_equal(binary(&f, EXPR_ADD, sum, k32(&f, UINT32_MAX - 3)), f.x);
    assert_ptr_equal(binary(&f, EXPR_SUB, binary(&f, EXPR_ADD, f.x, f.y), f.x), f.y);
    arena_free(f.arena);
}

// x ^ (x ^ y) is y, wherever the two x are.
static void xor_cancels_out(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    const struct expr *terms[] = {f.x, f.y, f.z, binary(&f, EXPR_ADD, f.x, f.y)};
    for (unsigned i = 0; i < 4; i++)
        for (unsigned k = 0; k < 4; k++) {
            if (i == k)
                continue;
            const struct expr *both = binary(&f, EXPR_XOR, terms[i], terms[k]);
            assert_ptr_equal(binary(&f, EXPR_XOR, terms[i], both), terms[k]);
            assert_ptr_equal(binary(&f, EXPR_XOR, both, terms[i]), terms[k]);
        }
    arena_free(f.arena);
}

static void equality(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    const struct expr *sum = binary(&f, EXPR_ADD, f.x, k32(&f, 4));
    assert_true(expr_is_true(binary(&f, EXPR_EQ, f.x, f.x)));
    assert_true(expr_is_false(binary(&f, EXPR_EQ, k32(&f, 1), k32(&f, 2))));
    assert_ptr_equal(binary(&f, EXPR_EQ, sum, k32(&f, 6)), binary(&f, EXPR_EQ, f.x, k32(&f, 2)));
    assert_ptr_equal(binary(&f, EXPR_EQ, f.p, expr_bool(f.pool, true)), f.p);
    assert_ptr_equal(binary(&f, EXPR_EQ, f.p, expr_bool(f.pool, false)), expr_not(f.pool, f.p));
    const struct expr *wide = expr_resize(f.pool, f.x, 64, false);
    assert_true(
        expr_is_false(binary(&f, EXPR_EQ, wide, expr_const_u64(f.pool, 64, UINT64_C(1) << 40))));
    assert_ptr_equal(binary(&f, EXPR_EQ, wide, expr_const_u64(f.pool, 64, 9)),
                     binary(&f, EXPR_EQ, f.x, k32(&f, 9)));
    const struct expr *choice = expr_ite(f.pool, f.p, k32(&f, 1), k32(&f, 2));
    assert_ptr_equal(binary(&f, EXPR_EQ, choice, k32(&f, 1)), f.p);
    assert_ptr_equal(binary(&f, EXPR_EQ, choice, k32(&f, 2)), expr_not(f.pool, f.p));
    assert_true(expr_is_false(binary(&f, EXPR_EQ, choice, k32(&f, 3))));
    arena_free(f.arena);
}

static void choices(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    const struct expr *yes = expr_bool(f.pool, true), *no = expr_bool(f.pool, false);
    assert_ptr_equal(expr_ite(f.pool, yes, f.x, f.y), f.x);
    assert_ptr_equal(expr_ite(f.pool, no, f.x, f.y), f.y);
    assert_ptr_equal(expr_ite(f.pool, f.p, f.x, f.x), f.x);
    assert_ptr_equal(expr_ite(f.pool, expr_not(f.pool, f.p), f.x, f.y),
                     expr_ite(f.pool, f.p, f.y, f.x));
    assert_ptr_equal(expr_ite(f.pool, f.p, expr_ite(f.pool, f.p, f.x, f.z), f.y),
                     expr_ite(f.pool, f.p, f.x, f.y));
    assert_ptr_equal(expr_ite(f.pool, f.p, yes, no), f.p);
    assert_ptr_equal(expr_ite(f.pool, f.p, no, yes), expr_not(f.pool, f.p));
    assert_ptr_equal(expr_ite(f.pool, f.p, f.q, no), expr_and(f.pool, f.p, f.q));
    // An operation on a choice of constants is a choice of results.
    const struct expr *choice = expr_ite(f.pool, f.p, k32(&f, 1), k32(&f, 2));
    assert_ptr_equal(binary(&f, EXPR_MUL, choice, k32(&f, 3)),
                     expr_ite(f.pool, f.p, k32(&f, 3), k32(&f, 6)));
    arena_free(f.arena);
}

static void conditions(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    struct expr_pool *pool = f.pool;
    const struct expr *not_q = expr_not(pool, f.q), *pq = expr_and(pool, f.p, f.q);
    const struct expr *p_not_q = expr_and(pool, f.p, not_q);
    assert_true(expr_is_false(expr_and(pool, f.q, not_q)));
    assert_true(expr_is_true(expr_or(pool, f.q, not_q)));
    assert_ptr_equal(expr_or(pool, pq, p_not_q), f.p); // two branches that meet
    assert_true(expr_is_false(expr_and(pool, pq, p_not_q)));
    assert_ptr_equal(expr_and(pool, f.p, expr_or(pool, f.p, f.q)), f.p);
    assert_ptr_equal(expr_or(pool, f.p, pq), f.p);
    assert_ptr_equal(expr_and(pool, f.p, pq), pq);
    assert_ptr_equal(expr_or(pool, not_q, pq), expr_or(pool, not_q, f.p));
    assert_true(expr_is_false(expr_and(pool, not_q, pq)));
    // p&q&r, p&q&!r and p&!q meet in p
    const struct expr *pqr = expr_and(pool, pq, f.r);
    const struct expr *pq_not_r = expr_and(pool, pq, expr_not(pool, f.r));
    assert_ptr_equal(expr_or(pool, expr_or(pool, pqr, pq_not_r), p_not_q), f.p);
    arena_free(f.arena);
}

static void pieces(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    struct expr_pool *pool = f.pool;
    const struct expr *low = expr_extract(pool, f.x, 0, 8), *mid = expr_extract(pool, f.x, 8, 8);
    const struct expr *high = expr_extract(pool, f.x, 16, 16);
    assert_ptr_equal(expr_extract(pool, f.x, 0, 32), f.x);
    assert_ptr_equal(expr_binary(pool, EXPR_CONCAT, expr_binary(pool, EXPR_CONCAT, high, mid), low),
                     f.x);
    assert_ptr_equal(expr_extract(pool, expr_extract(pool, f.x, 8, 16), 8, 8),
                     expr_extract(pool, f.x, 16, 8));
    const struct expr *both = expr_binary(pool, EXPR_CONCAT, f.x, f.y);
    assert_ptr_equal(expr_extract(pool, both, 0, 32), f.y);
    assert_ptr_equal(expr_extract(pool, both, 32, 32), f.x);
    // across the boundary, from the middle of the low part
    assert_ptr_equal(expr_extract(pool, both, 24, 16),
                     expr_binary(pool, EXPR_CONCAT, expr_extract(pool, f.x, 0, 8),
                                 expr_extract(pool, f.y, 24, 8)));
    assert_ptr_equal(expr_extract(pool, both, 8, 32),
                     expr_binary(pool, EXPR_CONCAT, expr_extract(pool, f.x, 0, 8),
                                 expr_extract(pool, f.y, 8, 24)));
    assert_ptr_equal(expr_resize(pool, expr_resize(pool, f.x, 64, true), 32, true), f.x);
    assert_ptr_equal(expr_resize(pool, expr_resize(pool, low, 16, false), 64, true),
                     expr_resize(pool, low, 64, false));
    assert_true(expr_is_const(expr_extract(pool, expr_resize(pool, f.x, 64, false), 32, 32)));
    assert_ptr_equal(expr_binary(pool, EXPR_CONCAT, k32(&f, 0), f.x),
                     expr_resize(pool, f.x, 64, false));
    arena_free(f.arena);
}

// --- Evaluation --------------------------------------------------------------------------------

static struct bits128 no_leaf(void *context, const struct expr *leaf) {
    (void)context;
    (void)leaf;
    fail_msg("a constant asked for a leaf");
    return (struct bits128){0};
}

struct arithmetic_case {
    enum expr_op op;
    unsigned width;
    uint64_t a, b, expected;
};

// By hand; division by zero and overflow as SMT-LIB has them.
static const struct arithmetic_case arithmetic_cases[] = {
    {EXPR_ADD, 8, 200, 100, 44},
    {EXPR_SUB, 8, 3, 5, 254},
    {EXPR_MUL, 8, 20, 20, 144},
    {EXPR_UDIV, 8, 200, 7, 28},
    {EXPR_UDIV, 8, 200, 0, 255},
    {EXPR_SDIV, 8, 0xf9, 2, 0xfd},    // -7 / 2 = -3
    {EXPR_SDIV, 8, 7, 0xfe, 0xfd},    // 7 / -2 = -3
    {EXPR_SDIV, 8, 0x80, 0xff, 0x80}, // -128 / -1
    {EXPR_SDIV, 8, 5, 0, 0xff},
    {EXPR_SDIV, 8, 0xfb, 0, 1},
    {EXPR_UREM, 8, 200, 7, 4},
    {EXPR_UREM, 8, 200, 0, 200},
    {EXPR_SREM, 8, 0xf9, 2, 0xff}, // -7 % 2 = -1
    {EXPR_SREM, 8, 7, 0xfe, 1},
    {EXPR_SREM, 8, 0xf9, 0, 0xf9},
    {EXPR_SHL, 8, 3, 7, 0x80},
    {EXPR_SHL, 8, 3, 8, 0},
    {EXPR_LSHR, 8, 0x81, 7, 1},
    {EXPR_LSHR, 8, 0x81, 200, 0},
    {EXPR_ASHR, 8, 0x81, 1, 0xc0},
    {EXPR_ASHR, 8, 0x81, 0, 0x81},
    {EXPR_ASHR, 8, 0x81, 9, 0xff},
    {EXPR_ASHR, 8, 0x41, 9, 0},
    {EXPR_ULT, 8, 0x80, 1, 0},
    {EXPR_SLT, 8, 0x80, 1, 1},
    {EXPR_ULE, 8, 1, 1, 1},
    {EXPR_SLE, 8, 1, 0x80, 0},
    {EXPR_EQ, 8, 4, 4, 1},
    {EXPR_CONCAT, 8, 0x12, 0x34, 0x1234},
};

static void constants_fold(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    for (size_t i = 0; i < sizeof arithmetic_cases / sizeof *arithmetic_cases; i++) {
        const struct arithmetic_case *c = &arithmetic_cases[i];
        const struct expr *e = expr_binary(f.pool, c->op, expr_const_u64(f.pool, c->width, c->a),
                                           expr_const_u64(f.pool, c->width, c->b));
        assert_true(expr_is_const(e));
        if (e->value.low != c->expected)
            fail_msg("case %zu: %llx", i, (unsigned long long)e->value.low);
        struct expr_environment environment = {no_leaf, NULL};
        assert_int_equal(expr_evaluate(f.pool, e, &environment).low, c->expected);
    }
    arena_free(f.arena);
}

static void wide_values(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    const struct expr *big =
        expr_const(f.pool, 128, (struct bits128){.low = UINT64_MAX, .high = 1});
    const struct expr *sum = expr_binary(f.pool, EXPR_ADD, big, expr_const_u64(f.pool, 128, 1));
    assert_int_equal(sum->value.low, 0);
    assert_int_equal(sum->value.high, 2);
    const struct expr *minus = expr_unary(f.pool, EXPR_NEG, expr_const_u64(f.pool, 128, 1));
    const struct expr *shifted =
        expr_binary(f.pool, EXPR_ASHR, minus, expr_const_u64(f.pool, 128, 100));
    assert_ptr_equal(shifted, minus);
    assert_true(expr_is_true(expr_binary(f.pool, EXPR_SLT, minus, expr_const_u64(f.pool, 128, 0))));
    arena_free(f.arena);
}

// --- Simplification against plain evaluation ---------------------------------------------------

// Random terms are built twice at once: as an expression, and as the value that each has for the
// reads' values in `inputs`. Whatever the rules did, both must agree.
enum { ROUNDS = 400, TERMS = 60, INPUTS = 4 };

struct random {
    uint64_t state;
};

static uint64_t next_random(struct random *random) {
    random->state = random->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return random->state >> 33;
}

struct pair {
    const struct expr *expr;
    uint64_t value;
};

static struct bits128 input_leaf(void *context, const struct expr *leaf) {
    const uint64_t *inputs = context;
    return (struct bits128){.low = inputs[leaf->index]};
}

static uint64_t mask_of(unsigned width) {
    return (UINT64_C(1) << width) - 1;
}

static int64_t as_signed(uint64_t value, unsigned width) {
    return (int64_t)(value << (64 - width)) >> (64 - width);
}

static uint64_t plain(enum expr_op op, uint64_t a, uint64_t b, unsigned width) {
    int64_t sa = as_signed(a, width), sb = as_signed(b, width);
    switch (op) {
    case EXPR_AND: return a & b;
    case EXPR_OR: return a | b;
    case EXPR_XOR: return a ^ b;
    case EXPR_ADD: return a + b;
    case EXPR_SUB: return a - b;
    case EXPR_MUL: return a * b;
    case EXPR_UDIV: return b == 0 ? UINT64_MAX : a / b;
    case EXPR_UREM: return b == 0 ? a : a % b;
    case EXPR_SDIV: return (uint64_t)(sb == 0 ? (sa < 0 ? 1 : -1) : sa / sb);
    case EXPR_SREM: return (uint64_t)(sb == 0 ? sa : sa % sb);
    case EXPR_SHL: return b >= width ? 0 : a << b;
    case EXPR_LSHR: return b >= width ? 0 : a >> b;
    case EXPR_ASHR: return (uint64_t)(sa >> (b >= width ? width : b));
    case EXPR_EQ: return a == b;
    case EXPR_ULT: return a < b;
    case EXPR_ULE: return a <= b;
    case EXPR_SLT: return sa < sb;
    case EXPR_SLE: return sa <= sb;
    default: return 0;
    }
}

static const enum expr_op random_operators[] = {
    EXPR_AND,  EXPR_OR,   EXPR_XOR, EXPR_ADD,  EXPR_SUB,  EXPR_MUL, EXPR_UDIV, EXPR_SDIV,
    EXPR_UREM, EXPR_SREM, EXPR_SHL, EXPR_LSHR, EXPR_ASHR, EXPR_EQ,  EXPR_ULT,  EXPR_ULE,
    EXPR_SLT,  EXPR_SLE,  EXPR_AND, EXPR_OR,   EXPR_AND,  EXPR_OR,
};

// A term of this width: an older one, resized when it has another.
static struct pair pick(struct fixture *f, struct random *random, const struct pair *terms,
                        unsigned count, unsigned width) {
    for (unsigned tries = 0; tries < 4; tries++) {
        struct pair term = terms[next_random(random) % count];
        if (term.expr->width == width)
            return term;
    }
    struct pair term = terms[next_random(random) % count];
    bool is_signed = next_random(random) % 2;
    uint64_t value = term.value;
    if (is_signed && width > term.expr->width)
        value = (uint64_t)as_signed(value, term.expr->width);
    return (struct pair){expr_resize(f->pool, term.expr, width, is_signed), value & mask_of(width)};
}

static struct pair random_binary(struct fixture *f, struct random *random, struct pair a,
                                 struct pair b) {
    size_t operators = sizeof random_operators / sizeof *random_operators;
    enum expr_op op = random_operators[next_random(random) % operators];
    const struct expr *expr = expr_binary(f->pool, op, a.expr, b.expr);
    uint64_t value = plain(op, a.value, b.value, a.expr->width);
    return (struct pair){expr, value & mask_of(expr->width)};
}

static struct pair random_piece(struct fixture *f, struct random *random, struct pair a,
                                struct pair b) {
    if (next_random(random) % 2 && a.expr->width + b.expr->width <= 32)
        return (struct pair){expr_binary(f->pool, EXPR_CONCAT, a.expr, b.expr),
                             a.value << b.expr->width | b.value};
    unsigned width = 1 + (unsigned)(next_random(random) % a.expr->width);
    unsigned first = (unsigned)(next_random(random) % (a.expr->width - width + 1));
    return (struct pair){expr_extract(f->pool, a.expr, first, width),
                         a.value >> first & mask_of(width)};
}

static struct pair random_term(struct fixture *f, struct random *random, const struct pair *terms,
                               unsigned count) {
    static const unsigned widths[] = {1, 1, 3, 8};
    unsigned width = widths[next_random(random) % 4];
    struct pair a = pick(f, random, terms, count, width), b = pick(f, random, terms, count, width);
    struct pair c = pick(f, random, terms, count, 1);
    switch (next_random(random) % 8) {
    case 0: return (struct pair){expr_not(f->pool, a.expr), ~a.value & mask_of(width)};
    case 1:
        return (struct pair){expr_unary(f->pool, EXPR_NEG, a.expr), (0 - a.value) & mask_of(width)};
    case 2:
    case 3:
        return (struct pair){expr_ite(f->pool, c.expr, a.expr, b.expr),
                             c.value ? a.value : b.value};
    case 4: return random_piece(f, random, a, b);
    default: return random_binary(f, random, a, b);
    }
}

static void rules_preserve_values(void **state) {
    (void)state;
    struct random random = {.state = 42};
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct fixture f = fixture_new();
        struct pair terms[TERMS];
        uint64_t inputs[INPUTS];
        unsigned count = 0;
        for (; count < INPUTS; count++) {
            unsigned width = count % 2 == 0 ? 1 : 8;
            inputs[count] = next_random(&random) & mask_of(width);
            terms[count] = (struct pair){expr_leaf(f.pool, EXPR_READ, width, count), inputs[count]};
        }
        terms[count++] = (struct pair){expr_const_u64(f.pool, 8, 1), 1};
        terms[count++] = (struct pair){expr_const_u64(f.pool, 8, 0x83), 0x83};
        terms[count++] = (struct pair){expr_const_u64(f.pool, 1, 0), 0};
        struct expr_environment environment = {input_leaf, inputs};
        for (; count < TERMS; count++) {
            terms[count] = random_term(&f, &random, terms, count);
            struct bits128 value = expr_evaluate(f.pool, terms[count].expr, &environment);
            if (value.low != terms[count].value || value.high != 0)
                fail_msg("round %u, term %u: %llx, not %llx", round, count,
                         (unsigned long long)value.low, (unsigned long long)terms[count].value);
        }
        arena_free(f.arena);
    }
}

// A chain of many operations must not need a deep stack.
static void deep_expressions(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    const struct expr *sum = f.x;
    for (unsigned i = 0; i < 200000; i++)
        sum = binary(&f, EXPR_ADD, binary(&f, EXPR_XOR, sum, f.y), f.x);
    uint64_t inputs[] = {0, 1, 0};
    struct expr_environment environment = {input_leaf, inputs};
    assert_int_equal(expr_evaluate(f.pool, sum, &environment).low, 200001);
    arena_free(f.arena);
}

// --- Implications ------------------------------------------------------------------------------

enum { BITS = 5 };

static struct bits128 bit_of(void *context, const struct expr *leaf) {
    const unsigned *assignment = context;
    return (struct bits128){.low = *assignment >> leaf->index & 1};
}

// Whether a condition on BITS reads holds wherever another one does, by trying all values.
static bool always_implies(const struct expr_pool *pool, const struct expr *a,
                           const struct expr *b) {
    for (unsigned assignment = 0; assignment < 1u << BITS; assignment++) {
        struct expr_environment environment = {bit_of, &assignment};
        if (expr_evaluate(pool, a, &environment).low != 0 &&
            expr_evaluate(pool, b, &environment).low == 0)
            return false;
    }
    return true;
}

static const struct expr *random_condition(struct expr_pool *pool, unsigned depth, uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    unsigned choice = (unsigned)(*seed >> 33) % 8;
    if (depth == 0 || choice < 1)
        return expr_leaf(pool, EXPR_READ, 1, (unsigned)(*seed >> 40) % BITS);
    const struct expr *a = random_condition(pool, depth - 1, seed);
    if (choice == 1)
        return expr_not(pool, a);
    const struct expr *b = random_condition(pool, depth - 1, seed);
    return choice < 5 ? expr_and(pool, a, b) : expr_or(pool, a, b);
}

static void implications_hold(void **state) {
    (void)state;
    uint64_t seed = 1;
    unsigned shown = 0, hold = 0;
    for (unsigned i = 0; i < 20000; i++) {
        struct arena *arena = arena_new();
        struct expr_pool *pool = expr_pool_new(arena);
        const struct expr *a = random_condition(pool, 4, &seed);
        const struct expr *b = random_condition(pool, 3, &seed);
        bool implied = expr_implies(pool, a, b), is_true = always_implies(pool, a, b);
        assert_true(!implied || is_true);
        shown += implied;
        hold += is_true;
        arena_free(arena);
    }
    assert_true(10 * shown > 9 * hold);
}

// A path through many branches implies each part of it, and so does one where ways have met.
static void paths_imply_their_beginnings(void **state) {
    (void)state;
    struct fixture f = fixture_new();
    const struct expr *paths[41];
    paths[0] = f.p;
    for (unsigned i = 1; i <= 40; i++)
        paths[i] = expr_and(f.pool, paths[i - 1], expr_leaf(f.pool, EXPR_READ, 1, 10 + i));
    const struct expr *met =
        expr_or(f.pool, expr_and(f.pool, paths[40], f.q), expr_and(f.pool, paths[38], f.r));
    assert_true(expr_implies(f.pool, paths[40], paths[3]));
    assert_false(expr_implies(f.pool, paths[3], paths[40]));
    assert_true(expr_implies(f.pool, met, paths[20]));
    assert_false(expr_implies(f.pool, met, paths[39]));
    arena_free(f.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_expressions_are_one),
        cmocka_unit_test(many_expressions_stay_shared),
        cmocka_unit_test(constants_are_cut_to_their_width),
        cmocka_unit_test(operands_come_first),
        cmocka_unit_test(arithmetic_identities),
        cmocka_unit_test(xor_cancels_out),
        cmocka_unit_test(equality),
        cmocka_unit_test(choices),
        cmocka_unit_test(conditions),
        cmocka_unit_test(pieces),
        cmocka_unit_test(constants_fold),
        cmocka_unit_test(wide_values),
        cmocka_unit_test(rules_preserve_values),
        cmocka_unit_test(deep_expressions),
        cmocka_unit_test(implications_hold),
        cmocka_unit_test(paths_imply_their_beginnings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
