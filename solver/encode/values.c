// Values: the graph of expressions as constants with literals where few values are possible, as
// bit-vectors elsewhere.
//
// Most reads of a litmus test can return a handful of constants, each tied to one choice of rf. A
// bit-vector for them would only hide that from the solver.

#include "program/expr/float.h"

#include "litmus/source/allocate.h"
#include "solver/encode/barriers.h"
#include "solver/encode/gates.h"
#include "solver/encode/memory.h"
#include "solver/encode/values.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MANY_WAYS = 2 }; // for each case

// --- Making values -----------------------------------------------------------------------------

struct encoded_value *values_new(struct encoder *encoder, unsigned width, size_t case_capacity) {
    assert(width > 0);
    struct encoded_value *value = ARENA_NEW(encoder->arena, struct encoded_value);
    value->width = width;
    value->constants = ARENA_ARRAY(encoder->arena, struct bits128, case_capacity);
    value->literals = ARENA_ARRAY(encoder->arena, literal, case_capacity);
    value->memo = ARENA_NEW(encoder->arena, struct term_memo);
    return value;
}

static void add_case(struct encoded_value *value, struct bits128 constant, literal l) {
    value->constants[value->count] = constant;
    value->literals[value->count++] = l;
}

const struct encoded_value *values_of_constant(struct encoder *encoder, unsigned width,
                                               struct bits128 constant) {
    assert(width > 0);
    struct encoded_value *value = values_new(encoder, width, 1);
    add_case(value, constant, LITERAL_TRUE);
    return value;
}

const struct encoded_value *values_of_literal(struct encoder *encoder, literal l) {
    if (l == LITERAL_TRUE || l == LITERAL_FALSE)
        return values_of_constant(encoder, 1, (struct bits128){l == LITERAL_TRUE, 0});
    struct encoded_value *value = values_new(encoder, 1, 2);
    add_case(value, (struct bits128){0, 0}, -l);
    add_case(value, (struct bits128){1, 0}, l);
    return value;
}

static const struct encoded_value *value_of_term(struct encoder *encoder, unsigned width, term t) {
    struct encoded_value *value = values_new(encoder, width, 0);
    *value->memo = (struct term_memo){.has_term = true, .term = t};
    return value;
}

const struct encoded_value *values_of_variable(struct encoder *encoder, unsigned width,
                                               const char *kind, unsigned number) {
    assert(width > 0);
    return value_of_term(encoder, width,
                         backend_term_variable(encoder->backend, width, kind, number));
}

term values_term(struct encoder *encoder, const struct encoded_value *value) {
    if (value->memo->has_term)
        return value->memo->term;
    term t = backend_term_constant(encoder->backend, value->width, value->constants[0]);
    for (size_t i = 1; i < value->count; i++) {
        term constant = backend_term_constant(encoder->backend, value->width, value->constants[i]);
        t = backend_term_choose(encoder->backend, value->literals[i], constant, t);
    }
    value->memo->has_term = true;
    value->memo->term = t;
    return t;
}

literal encode_value_is(struct encoder *encoder, const struct encoded_value *value,
                        struct bits128 constant) {
    for (size_t i = 0; i < value->count; i++)
        if (bits_equal(value->constants[i], constant))
            return value->literals[i];
    if (value->count != 0)
        return LITERAL_FALSE;
    term t = backend_term_constant(encoder->backend, value->width, constant);
    return backend_term_equal(encoder->backend, values_term(encoder, value), t);
}

// Asked again, the same one: a Boolean that is made after a check has no value in its model.
static literal value_literal(struct encoder *encoder, const struct encoded_value *value) {
    if (value->memo->one == LITERAL_NONE)
        value->memo->one = encode_value_is(encoder, value, (struct bits128){1, 0});
    return value->memo->one;
}

struct bits128 encode_value_in_model(struct encoder *encoder, const struct encoded_value *value) {
    for (size_t i = 0; i < value->count; i++)
        if (i + 1 == value->count || backend_literal_value(encoder->backend, value->literals[i]))
            return value->constants[i];
    return backend_term_value(encoder->backend, values_term(encoder, value));
}

// Adds to the negated conditions in `clause`: where one value is some constant, so is the other.
static void equate_cases(struct encoder *encoder, literal *clause, size_t count,
                         const struct encoded_value *cases, const struct encoded_value *other) {
    assert(clause != NULL || count == 0);
    for (size_t i = 0; i < cases->count; i++) {
        clause[count] = -cases->literals[i];
        clause[count + 1] = encode_value_is(encoder, other, cases->constants[i]);
        backend_clause(encoder->backend, clause, count + 2);
    }
}

void values_equate(struct encoder *encoder, const literal *conditions, size_t count,
                   const struct encoded_value *a, const struct encoded_value *b) {
    assert(conditions != NULL || count == 0);
    enum { CONDITIONS_MAX = 4 };
    literal clause[CONDITIONS_MAX + 2];
    assert(count <= CONDITIONS_MAX && a->width == b->width);
    if (a == b)
        return;
    for (size_t i = 0; i < count; i++)
        clause[i] = -conditions[i];
    if (a->count == 0 && b->count == 0) {
        clause[count] =
            backend_term_equal(encoder->backend, values_term(encoder, a), values_term(encoder, b));
        backend_clause(encoder->backend, clause, count + 1);
        return;
    }
    // Both directions: what is false of one value is false of the other without a decision.
    equate_cases(encoder, clause, count, a, b);
    equate_cases(encoder, clause, count, b, a);
}

literal values_equal(struct encoder *encoder, const struct encoded_value *a,
                     const struct encoded_value *b) {
    if (a->count == 0 || b->count == 0)
        return backend_term_equal(encoder->backend, values_term(encoder, a),
                                  values_term(encoder, b));
    struct disjunction d = {0};
    for (size_t i = 0; i < a->count; i++)
        disjunction_add2(&d, a->literals[i], encode_value_is(encoder, b, a->constants[i]));
    return disjunction_close(encoder, &d, EXACT, "equal", 0, 0);
}

// --- Cases -------------------------------------------------------------------------------------

static void add_group(struct groups *groups, struct bits128 constant) {
    if (groups->count == groups->capacity) {
        groups->capacity = groups->capacity * 2 + 4;
        groups->constants =
            reallocate(groups->constants, groups->capacity, sizeof *groups->constants);
        groups->ways = reallocate(groups->ways, groups->capacity, sizeof *groups->ways);
    }
    groups->constants[groups->count] = constant;
    groups->ways[groups->count++] = (struct disjunction){0};
}

void groups_add(struct groups *groups, struct bits128 constant, const literal *literals,
                size_t count) {
    assert(literals != NULL || count == 0);
    size_t i = 0;
    while (i < groups->count && !bits_equal(groups->constants[i], constant))
        i++;
    if (i == VALUE_CASES_MAX) {
        groups->too_many = true;
        return;
    }
    if (i == groups->count)
        add_group(groups, constant);
    disjunction_add_all(&groups->ways[i], literals, count);
}

static void groups_drop(struct groups *groups) {
    for (size_t i = 0; i < groups->count; i++)
        disjunction_drop(&groups->ways[i]);
    free(groups->constants);
    free(groups->ways);
    *groups = (struct groups){0};
}

static size_t drop_impossible(struct groups *groups) {
    size_t kept = 0;
    for (size_t i = 0; i < groups->count; i++) {
        struct disjunction way = groups->ways[i];
        bool possible = way.holds || way.count != 0;
        if (!possible) {
            disjunction_drop(&way);
            continue;
        }
        groups->constants[kept] = groups->constants[i];
        groups->ways[kept++] = way;
    }
    return groups->count = kept;
}

// A value that can be computed in many ways needs no literal for each way to say that a case holds
// only if some way does: one of the ways holds, which gives its case, and at most one case does.
static bool has_many_ways(const struct groups *groups) {
    size_t ways = 0;
    for (size_t i = 0; i < groups->count; i++)
        ways += groups->ways[i].count;
    return ways >= MANY_WAYS * groups->count;
}

static void close_cases(struct encoder *encoder, struct groups *groups,
                        struct encoded_value *value) {
    bool many = has_many_ways(groups);
    enum polarity polarity = many ? OVER : EXACT;
    for (size_t i = 0; i < groups->count; i++)
        if (i == 1 && groups->count == 2) { // the other way's negation
            add_case(value, groups->constants[1], -value->literals[0]);
            if (many)
                disjunction_define(encoder, &groups->ways[1], OVER, value->literals[1]);
        } else {
            add_case(value, groups->constants[i],
                     disjunction_close(encoder, &groups->ways[i], polarity, "is", value->width, 0));
        }
    if (many && groups->count > 2)
        exactly_one_if(encoder, LITERAL_TRUE, value->literals, value->count);
}

const struct encoded_value *groups_close(struct encoder *encoder, struct groups *groups,
                                         unsigned width) {
    assert(width > 0);
    if (groups->too_many) {
        groups_drop(groups);
        return NULL;
    }
    if (drop_impossible(groups) <= 1) {
        struct bits128 constant =
            groups->capacity != 0 ? groups->constants[0] : (struct bits128){0, 0};
        groups_drop(groups);
        return values_of_constant(encoder, width, constant);
    }
    struct encoded_value *value = values_new(encoder, width, groups->count);
    close_cases(encoder, groups, value);
    groups_drop(groups);
    return value;
}

// An operation on values of few cases, over all their combinations.
static const struct encoded_value *apply_to_cases(struct encoder *encoder,
                                                  const struct expr *operation,
                                                  const struct encoded_value *const *args,
                                                  size_t count) {
    size_t total = 1, index[3] = {0, 0, 0};
    for (size_t i = 0; i < count; i++)
        total *= args[i]->count;
    if (total == 0 || total > VALUE_PRODUCT_MAX)
        return NULL;
    struct groups groups = {0};
    for (size_t combination = 0; combination < total; combination++) {
        struct bits128 operands[3];
        literal literals[3];
        size_t rest = combination;
        for (size_t i = 0; i < count; i++) {
            index[i] = rest % args[i]->count;
            rest /= args[i]->count;
            operands[i] = args[i]->constants[index[i]];
            literals[i] = args[i]->literals[index[i]];
        }
        groups_add(&groups, fold_operation(encoder->folder, operation, operands), literals, count);
    }
    return groups_close(encoder, &groups, operation->width);
}

const struct encoded_value *values_choose(struct encoder *encoder, literal condition,
                                          const struct encoded_value *then_value,
                                          const struct encoded_value *else_value) {
    if (condition == LITERAL_TRUE || then_value == else_value)
        return then_value;
    if (condition == LITERAL_FALSE)
        return else_value;
    if (then_value->count != 0 && else_value->count != 0) {
        struct groups groups = {0};
        for (size_t i = 0; i < then_value->count; i++)
            groups_add(&groups, then_value->constants[i],
                       LITERALS(condition, then_value->literals[i]));
        for (size_t i = 0; i < else_value->count; i++)
            groups_add(&groups, else_value->constants[i],
                       LITERALS(-condition, else_value->literals[i]));
        const struct encoded_value *value = groups_close(encoder, &groups, then_value->width);
        if (value != NULL)
            return value;
    }
    term then_term = values_term(encoder, then_value), else_term = values_term(encoder, else_value);
    return value_of_term(encoder, then_value->width,
                         backend_term_choose(encoder->backend, condition, then_term, else_term));
}

const struct encoded_value *values_concat(struct encoder *encoder, const struct encoded_value *high,
                                          const struct encoded_value *low) {
    size_t total = high->count * low->count;
    struct expr parts[2] = {{.width = high->width}, {.width = low->width}};
    struct expr operation = {
        .op = EXPR_CONCAT, .width = high->width + low->width, .args = {&parts[0], &parts[1], NULL}};
    const struct encoded_value *value = NULL;
    if (total != 0 && total <= VALUE_PRODUCT_MAX)
        value = apply_to_cases(encoder, &operation, (const struct encoded_value *[]){high, low}, 2);
    if (value != NULL)
        return value;
    term terms[2] = {values_term(encoder, high), values_term(encoder, low)};
    return value_of_term(encoder, operation.width,
                         backend_term_apply(encoder->backend, &operation, terms));
}

// --- Expressions -------------------------------------------------------------------------------

static const struct encoded_value *encode_leaf(struct encoder *encoder, const struct expr *leaf) {
    switch (leaf->op) {
    case EXPR_CONST: return values_of_constant(encoder, leaf->width, leaf->value);
    case EXPR_READ: return reads_value(encoder, leaf->index);
    case EXPR_READ_UNDEF: return values_of_literal(encoder, reads_undef(encoder, leaf->index));
    case EXPR_FINAL: return finals_value(encoder, leaf->index);
    case EXPR_FINAL_UNDEF: return values_of_literal(encoder, finals_undef(encoder, leaf->index));
    case EXPR_UNKNOWN: return values_of_variable(encoder, leaf->width, "unknown", leaf->index);
    case EXPR_CHOICE:
        return values_of_literal(encoder,
                                 backend_variable(encoder->backend, "choice", leaf->index, 0));
    case EXPR_PASSES: return values_of_literal(encoder, barriers_passes(encoder, leaf->index));
    case EXPR_PHASE_PAIR:
        return values_of_literal(encoder, barriers_phase_pair(encoder, leaf->index));
    case EXPR_REDUCED: return barriers_reduced(encoder, leaf->index);
    case EXPR_REDUCED_UNDEF:
        return values_of_literal(encoder, barriers_reduced_undef(encoder, leaf->index));
    default: bug("expression %d is not a leaf", (int)leaf->op);
    }
}

static literal encode_xor(struct encoder *encoder, literal a, literal b) {
    struct disjunction d = {0};
    disjunction_add2(&d, a, -b);
    disjunction_add2(&d, -a, b);
    return disjunction_close(encoder, &d, EXACT, "xor", 0, 0);
}

// Operations on one bit become gates. There is no OR of one bit: expr_simplify_or makes it an AND.
static const struct encoded_value *encode_gate(struct encoder *encoder, const struct expr *expr,
                                               const struct encoded_value *const *args) {
    literal v[3] = {0, 0, 0};
    for (unsigned i = 0; i < 3 && expr->args[i] != NULL; i++)
        v[i] = value_literal(encoder, args[i]);
    switch (expr->op) {
    case EXPR_NOT: return values_of_literal(encoder, -v[0]);
    case EXPR_AND: return values_of_literal(encoder, gate_and(encoder, v[0], v[1], EXACT));
    case EXPR_XOR: return values_of_literal(encoder, encode_xor(encoder, v[0], v[1]));
    case EXPR_EQ: return values_of_literal(encoder, -encode_xor(encoder, v[0], v[1]));
    default: return NULL;
    }
}

static const struct encoded_value *encode_operation(struct encoder *encoder,
                                                    const struct expr *expr) {
    const struct encoded_value *args[3] = {NULL, NULL, NULL};
    unsigned count = 0;
    for (; count < 3 && expr->args[count] != NULL; count++)
        args[count] = encoder->values[expr->args[count]->id];
    if (expr->op == EXPR_ITE)
        return values_choose(encoder, value_literal(encoder, args[0]), args[1], args[2]);
    const struct encoded_value *value = NULL;
    if (expr->args[0]->width == 1)
        value = encode_gate(encoder, expr, args);
    if (value == NULL)
        value = apply_to_cases(encoder, expr, args, count);
    if (value != NULL)
        return value;
    if (expr->op == EXPR_FADD) // the finite-domain solver has no floating-point numbers
        return encode_expr(encoder,
                           expr_float_bits(encoder->program->pool, (enum float_format)expr->index,
                                           expr->args[0], expr->args[1]));
    term terms[3] = {0, 0, 0};
    for (unsigned i = 0; i < count; i++)
        terms[i] = values_term(encoder, args[i]);
    return value_of_term(encoder, expr->width, backend_term_apply(encoder->backend, expr, terms));
}

static const struct encoded_value **memo(struct encoder *encoder, const struct expr *expr) {
    if (expr->id >= encoder->value_capacity) {
        size_t capacity = encoder->value_capacity * 2;
        capacity = capacity > expr->id ? capacity : (size_t)expr->id + 64;
        const struct encoded_value **values =
            ARENA_ARRAY(encoder->arena, const struct encoded_value *, capacity);
        if (encoder->value_capacity != 0)
            memcpy(values, encoder->values, encoder->value_capacity * sizeof *values);
        encoder->values = values;
        encoder->value_capacity = capacity;
    }
    return &encoder->values[expr->id];
}

// An operand that has no value yet, or NULL.
static const struct expr *missing_operand(struct encoder *encoder, const struct expr *expr) {
    for (unsigned i = 0; i < 3 && expr->args[i] != NULL; i++)
        if (*memo(encoder, expr->args[i]) == NULL)
            return expr->args[i];
    return NULL;
}

const struct encoded_value *encode_expr(struct encoder *encoder, const struct expr *expr) {
    const struct encoded_value **known = memo(encoder, expr);
    if (*known != NULL)
        return *known;
    // Depth first with a stack of our own: expressions can be deep.
    size_t depth = 0, capacity = 0;
    const struct expr **stack = NULL;
    for (const struct expr *next = expr; next != NULL || depth != 0;) {
        stack = reallocate_for(stack, &capacity, depth + 1, sizeof *stack);
        if (next != NULL)
            stack[depth++] = next;
        next = missing_operand(encoder, stack[depth - 1]);
        if (next == NULL) {
            const struct expr *top = stack[--depth];
            const struct encoded_value *value =
                top->args[0] == NULL ? encode_leaf(encoder, top) : encode_operation(encoder, top);
            *memo(encoder, top) = value;
        }
    }
    free(stack);
    return *memo(encoder, expr);
}

literal encode_condition(struct encoder *encoder, const struct expr *expr) {
    return value_literal(encoder, encode_expr(encoder, expr));
}
