// The pool of expressions: equal expressions are one object, so that comparing pointers compares
// values, and operands come before their users.

#include "program/expr/expr.h"

#include "program/expr/float.h"
#include "program/expr/internal.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>
#include <string.h>

struct expr_pool {
    struct arena *arena;
    const struct expr **items; // by id
    unsigned count;
    unsigned capacity;
    unsigned *buckets;     // open addressing: id + 1, 0 when free
    unsigned bucket_count; // a power of two, more than twice `count`
};

enum { POOL_INITIAL = 256 };

struct expr_pool *expr_pool_new(struct arena *arena) {
    struct expr_pool *pool = ARENA_NEW(arena, struct expr_pool);
    pool->arena = arena;
    pool->capacity = POOL_INITIAL;
    pool->items = ARENA_ARRAY(arena, const struct expr *, pool->capacity);
    pool->bucket_count = 4 * POOL_INITIAL;
    pool->buckets = ARENA_ARRAY(arena, unsigned, pool->bucket_count);
    return pool;
}

unsigned expr_pool_count(const struct expr_pool *pool) {
    return pool->count;
}

const struct expr *expr_at(const struct expr_pool *pool, unsigned id) {
    return pool->items[id];
}

// --- Hash consing ------------------------------------------------------------------------------

static uint64_t mix(uint64_t hash, uint64_t part) {
    hash = (hash ^ part) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint64_t hash_expr(const struct expr *expr) {
    uint64_t hash = mix((uint64_t)expr->op << 32 | expr->width, expr->index);
    hash = mix(mix(hash, expr->value.low), expr->value.high);
    for (unsigned i = 0; i < 3; i++)
        hash = mix(hash, expr->args[i] == NULL ? 0 : (uint64_t)expr->args[i]->id + 1);
    return hash;
}

static bool same_expr(const struct expr *a, const struct expr *b) {
    return a->op == b->op && a->width == b->width && a->index == b->index &&
           bits_equal(a->value, b->value) && a->args[0] == b->args[0] && a->args[1] == b->args[1] &&
           a->args[2] == b->args[2];
}

// The bucket where an expression is, or the free one where it belongs.
static unsigned find_bucket(const struct expr_pool *pool, const struct expr *expr) {
    unsigned mask = pool->bucket_count - 1;
    unsigned bucket = (unsigned)hash_expr(expr) & mask;
    while (pool->buckets[bucket] != 0 && !same_expr(pool->items[pool->buckets[bucket] - 1], expr))
        bucket = (bucket + 1) & mask;
    return bucket;
}

static void grow_pool(struct expr_pool *pool) {
    const struct expr **items = ARENA_ARRAY(pool->arena, const struct expr *, 2 * pool->capacity);
    memcpy(items, pool->items, pool->count * sizeof *items);
    pool->items = items;
    pool->capacity *= 2;
    pool->bucket_count *= 2;
    pool->buckets = ARENA_ARRAY(pool->arena, unsigned, pool->bucket_count);
    for (unsigned id = 0; id < pool->count; id++)
        pool->buckets[find_bucket(pool, items[id])] = id + 1;
}

static const struct expr *intern(struct expr_pool *pool, const struct expr *wanted) {
    unsigned bucket = find_bucket(pool, wanted);
    if (pool->buckets[bucket] != 0)
        return pool->items[pool->buckets[bucket] - 1];
    if (pool->count == pool->capacity) {
        grow_pool(pool);
        bucket = find_bucket(pool, wanted);
    }
    struct expr *expr = arena_copy(pool->arena, wanted, 1, sizeof *wanted);
    expr->id = pool->count++;
    pool->items[expr->id] = expr;
    pool->buckets[bucket] = expr->id + 1;
    return expr;
}

const struct expr *expr_intern(struct expr_pool *pool, const struct expr_operation *operation) {
    struct expr wanted = {.op = operation->op,
                          .width = operation->width,
                          .index = operation->index,
                          .args = {operation->args[0], operation->args[1], operation->args[2]}};
    return intern(pool, &wanted);
}

// --- Constants and leaves ----------------------------------------------------------------------

static void check_width(unsigned width) {
    assert(width > 0);
    if (width == 0 || width > BITS_MAX)
        bug("an expression of %u bits", width);
}

const struct expr *expr_const(struct expr_pool *pool, unsigned width, struct bits128 value) {
    assert(width > 0);
    check_width(width);
    struct expr wanted = {.op = EXPR_CONST,
                          .width = width,
                          .value = bits_from_wide(bits_to_wide(value) & bits_mask(width))};
    return intern(pool, &wanted);
}

const struct expr *expr_const_u64(struct expr_pool *pool, unsigned width, uint64_t value) {
    assert(width > 0);
    return expr_const(pool, width, (struct bits128){.low = value});
}

const struct expr *expr_bool(struct expr_pool *pool, bool value) {
    return expr_const_u64(pool, 1, value);
}

const struct expr *expr_leaf(struct expr_pool *pool, enum expr_op op, unsigned width,
                             unsigned index) {
    assert(width > 0);
    check_width(width);
    struct expr wanted = {.op = op, .width = width, .index = index};
    return intern(pool, &wanted);
}

bool expr_is_const(const struct expr *expr) {
    return expr->op == EXPR_CONST;
}

bool expr_is_true(const struct expr *expr) {
    return expr->op == EXPR_CONST && expr->width == 1 && expr->value.low == 1;
}

bool expr_is_false(const struct expr *expr) {
    return expr->op == EXPR_CONST && expr->width == 1 && expr->value.low == 0;
}

// --- Operations --------------------------------------------------------------------------------

static bool all_constant(const struct expr_operation *operation) {
    for (unsigned i = 0; i < expr_arity(operation->op); i++)
        if (!expr_is_const(operation->args[i]))
            return false;
    return true;
}

static const struct expr *fold_constants(struct expr_pool *pool,
                                         const struct expr_operation *operation) {
    uint128 values[3] = {0};
    for (unsigned i = 0; i < expr_arity(operation->op); i++)
        values[i] = bits_to_wide(operation->args[i]->value);
    return expr_const(pool, operation->width, bits_from_wide(expr_apply(operation, values)));
}

// Operands of commutative operations are ordered by id, constants last, so that a+b is b+a.
static void order_operands(struct expr_operation *operation) {
    const struct expr **args = operation->args;
    if (!expr_is_commutative(operation->op) || expr_is_const(args[1]))
        return;
    if (expr_is_const(args[0]) || args[0]->id > args[1]->id) {
        const struct expr *first = args[0];
        args[0] = args[1];
        args[1] = first;
    }
}

const struct expr *expr_make(struct expr_pool *pool, struct expr_operation operation) {
    check_width(operation.width);
    if (all_constant(&operation))
        return fold_constants(pool, &operation);
    order_operands(&operation);
    const struct expr *simpler = expr_simplify(pool, &operation);
    return simpler != NULL ? simpler : expr_intern(pool, &operation);
}

const struct expr *expr_unary(struct expr_pool *pool, enum expr_op op, const struct expr *a) {
    if (op != EXPR_NOT && op != EXPR_NEG)
        bug("operator %d has not one operand", (int)op);
    return expr_make(pool, (struct expr_operation){op, a->width, 0, {a, NULL, NULL}});
}

static unsigned binary_width(enum expr_op op, const struct expr *a, const struct expr *b) {
    switch (op) {
    case EXPR_CONCAT: return a->width + b->width;
    case EXPR_EQ:
    case EXPR_ULT:
    case EXPR_ULE:
    case EXPR_SLT:
    case EXPR_SLE: return 1;
    default: return a->width;
    }
}

const struct expr *expr_binary(struct expr_pool *pool, enum expr_op op, const struct expr *a,
                               const struct expr *b) {
    if (expr_arity(op) != 2 || op == EXPR_FADD)
        bug("operator %d has not two operands", (int)op);
    if (op != EXPR_CONCAT && a->width != b->width)
        bug("operator %d on %u and %u bits", (int)op, a->width, b->width);
    return expr_make(pool, (struct expr_operation){op, binary_width(op, a, b), 0, {a, b, NULL}});
}

const struct expr *expr_fadd(struct expr_pool *pool, enum float_format format, const struct expr *a,
                             const struct expr *b) {
    assert((unsigned)format <= FLOAT_F64);
    if (a->width != float_width(format) || b->width != a->width)
        bug("a sum of %u and %u bits in format %d", a->width, b->width, (int)format);
    return expr_make(pool, (struct expr_operation){EXPR_FADD, a->width, format, {a, b, NULL}});
}

const struct expr *expr_ite(struct expr_pool *pool, const struct expr *condition,
                            const struct expr *then_value, const struct expr *else_value) {
    assert(condition->width == 1);
    if (condition->width != 1 || then_value->width != else_value->width)
        bug("ite on %u, %u and %u bits", condition->width, then_value->width, else_value->width);
    return expr_make(pool,
                     (struct expr_operation){
                         EXPR_ITE, then_value->width, 0, {condition, then_value, else_value}});
}

const struct expr *expr_extract(struct expr_pool *pool, const struct expr *a, unsigned first_bit,
                                unsigned width) {
    assert(width > 0);
    if (width > a->width || first_bit > a->width - width)
        bug("bits %u to %u of %u", first_bit, first_bit + width, a->width);
    return expr_make(pool,
                     (struct expr_operation){EXPR_EXTRACT, width, first_bit, {a, NULL, NULL}});
}

const struct expr *expr_resize(struct expr_pool *pool, const struct expr *a, unsigned width,
                               bool is_signed) {
    assert(width > 0);
    if (width == a->width)
        return a;
    if (width < a->width)
        return expr_extract(pool, a, 0, width);
    enum expr_op op = is_signed ? EXPR_SEXT : EXPR_ZEXT;
    return expr_make(pool, (struct expr_operation){op, width, 0, {a, NULL, NULL}});
}
