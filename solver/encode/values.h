// Values of expressions during encoding, and the sets of values that they may have.
#ifndef PTXLITMUS_SOLVER_ENCODE_VALUES_H
#define PTXLITMUS_SOLVER_ENCODE_VALUES_H

#include "solver/encode/gates.h"

// --- Values (encode/values.c, encode/fold.c) ---------------------------------------------------

enum { VALUE_CASES_MAX = 128, VALUE_PRODUCT_MAX = 1024 };

// Returns a value of `width` bits that has no cases yet and room for `case_capacity` of them.
struct encoded_value *values_new(struct encoder *encoder, unsigned width, size_t case_capacity);

// Returns the value that is always `constant`.
const struct encoded_value *values_of_constant(struct encoder *encoder, unsigned width,
                                               struct bits128 constant);

// Returns a literal as a value of one bit.
const struct encoded_value *values_of_literal(struct encoder *encoder, literal l);

// Returns an unconstrained value; `kind` and `number` make up its name in dumps.
const struct encoded_value *values_of_variable(struct encoder *encoder, unsigned width,
                                               const char *kind, unsigned number);

// Returns a value as a bit-vector, which is made when it is first asked for.
term values_term(struct encoder *encoder, const struct encoded_value *value);

// Returns `then_value` where the condition holds, else `else_value`, which has the same width.
const struct encoded_value *values_choose(struct encoder *encoder, literal condition,
                                          const struct encoded_value *then_value,
                                          const struct encoded_value *else_value);

// Returns the concatenation of two values, whose widths are added.
const struct encoded_value *values_concat(struct encoder *encoder, const struct encoded_value *high,
                                          const struct encoded_value *low);

// Whether two values of one width are equal.
literal values_equal(struct encoder *encoder, const struct encoded_value *a,
                     const struct encoded_value *b);

// Asserts that two values of one width are equal where all `count` conditions hold.
void values_equate(struct encoder *encoder, const literal *conditions, size_t count,
                   const struct encoded_value *a, const struct encoded_value *b);

// The possible results of an operation, each with the ways to get it. Start with {0}.
struct groups {
    size_t count, capacity;
    struct bits128 *constants;
    struct disjunction *ways;
    bool too_many;
};

// Adds a way to get a constant: that all `count` literals (copied) hold. Sets `too_many` instead
// when there is no room for another constant.
void groups_add(struct groups *groups, struct bits128 constant, const literal *literals,
                size_t count);

// Returns the value with these cases, NULL when they were too many; frees the groups. In every
// model some way must hold, and all ways that do must lead to one constant.
const struct encoded_value *groups_close(struct encoder *encoder, struct groups *groups,
                                         unsigned width);

// Returns what an operation gives on constants that have the widths of its operands.
struct bits128 fold_operation(struct expr_pool *folder, const struct expr *operation,
                              const struct bits128 *operands);

// Returns the concatenation of two constants, the lower of `low_width` bits; at most 128 in all.
struct bits128 fold_concat(struct bits128 high, struct bits128 low, unsigned low_width);

// Calls `visit` for an expression and all its parts, operands before their users, and each once:
// parts marked in `seen` (by id) are skipped, and those visited are marked.
void walk_expr(const struct expr *root, bool *seen,
               void (*visit)(void *context, const struct expr *expr), void *context);

// A constant's set of possible values; `any` when there are too many to name.
struct domain {
    bool any;
    unsigned count;
    const struct bits128 *values;
};

// Returns the values that a read may return, given that no value depends on itself
// (encode/domains.c; memory-model section 4). NULL when the model is not known to guarantee
// that, or when there are too many values.
const struct domain *domain_of_read(struct encoder *encoder, unsigned read);

#endif
