// Gates: literals for conjunctions and disjunctions, with clauses only in the direction that is
// needed (after Plaisted and Greenbaum).

#include "solver/encode/gates.h"

#include "litmus/source/allocate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void clause1(struct encoder *encoder, literal a) {
    backend_clause(encoder->backend, &a, 1);
}

void clause2(struct encoder *encoder, literal a, literal b) {
    backend_clause(encoder->backend, LITERALS(a, b));
}

void clause3(struct encoder *encoder, literal a, literal b, literal c) {
    backend_clause(encoder->backend, LITERALS(a, b, c));
}

void clause4(struct encoder *encoder, literal a, literal b, literal c, literal d) {
    backend_clause(encoder->backend, LITERALS(a, b, c, d));
}

// --- Disjunctions ------------------------------------------------------------------------------

// Copies the literals of a conjunction without true ones and repetitions. Returns how many are
// left, or -1 when the conjunction is false.
static int simplify(literal *out, const literal *literals, size_t count) {
    assert(out != NULL || count == 0);
    assert(literals != NULL || count == 0);
    int kept = 0;
    for (size_t i = 0; i < count; i++) {
        bool repeated = literals[i] == LITERAL_TRUE;
        if (literals[i] == LITERAL_FALSE)
            return -1;
        for (int k = 0; k < kept; k++) {
            repeated = repeated || out[k] == literals[i];
            if (out[k] == -literals[i])
                return -1;
        }
        if (!repeated)
            out[kept++] = literals[i];
    }
    return kept;
}

void disjunction_add_all(struct disjunction *disjunction, const literal *literals, size_t count) {
    assert(literals != NULL || count == 0);
    struct disjunction *d = disjunction;
    if (d->holds)
        return;
    d->literals = reallocate_for(d->literals, &d->literal_capacity, d->literal_count + count + 1,
                                 sizeof *d->literals);
    d->ends = reallocate_for(d->ends, &d->capacity, d->count + 1, sizeof *d->ends);
    int kept = simplify(d->literals + d->literal_count, literals, count);
    if (kept < 0)
        return;
    d->holds = kept == 0;
    d->literal_count += (size_t)kept;
    d->ends[d->count++] = d->literal_count;
}

void disjunction_add2(struct disjunction *disjunction, literal a, literal b) {
    disjunction_add(disjunction, a, b);
}

void disjunction_drop(struct disjunction *disjunction) {
    free(disjunction->literals);
    free(disjunction->ends);
    *disjunction = (struct disjunction){0};
}

static size_t conjunction_start(const struct disjunction *d, size_t i) {
    return i == 0 ? 0 : d->ends[i - 1];
}

// The conjunction implies the variable.
static void define_over(struct encoder *encoder, const struct disjunction *d, size_t i,
                        literal variable, literal *clause) {
    size_t count = 0;
    for (size_t k = conjunction_start(d, i); k < d->ends[i]; k++)
        clause[count++] = -d->literals[k];
    clause[count++] = variable;
    backend_clause(encoder->backend, clause, count);
}

// A literal that implies the conjunction.
static literal conjunction_under(struct encoder *encoder, const struct disjunction *d, size_t i) {
    size_t start = conjunction_start(d, i);
    if (d->ends[i] - start == 1)
        return d->literals[start];
    literal variable = backend_variable(encoder->backend, "and", (unsigned)i, 0);
    for (size_t k = start; k < d->ends[i]; k++)
        clause2(encoder, -variable, d->literals[k]);
    return variable;
}

void disjunction_define(struct encoder *encoder, struct disjunction *disjunction,
                        enum polarity polarity, literal variable) {
    struct disjunction *d = disjunction;
    if (d->holds && polarity != UNDER)
        clause1(encoder, variable);
    if (!d->holds) {
        size_t room = d->count + d->literal_count + 1;
        literal *clause = allocate(room, sizeof *clause);
        for (size_t i = 0; i < d->count && polarity != UNDER; i++)
            define_over(encoder, d, i, variable, clause);
        if (polarity != OVER && d->count == 1) {
            for (size_t k = 0; k < d->literal_count; k++)
                clause2(encoder, -variable, d->literals[k]);
        } else if (polarity != OVER) {
            size_t count = 0;
            clause[count++] = -variable;
            for (size_t i = 0; i < d->count; i++)
                clause[count++] = conjunction_under(encoder, d, i);
            backend_clause(encoder->backend, clause, count);
        }
        free(clause);
    }
    disjunction_drop(d);
}

literal disjunction_close(struct encoder *encoder, struct disjunction *disjunction,
                          enum polarity polarity, const char *kind, unsigned a, unsigned b) {
    struct disjunction *d = disjunction;
    literal result = 0;
    if (d->holds)
        result = LITERAL_TRUE;
    else if (d->count == 0)
        result = LITERAL_FALSE;
    else if (d->literal_count == 1)
        result = d->literals[0];
    if (result != 0) {
        disjunction_drop(d);
        return result;
    }
    result = backend_variable(encoder->backend, kind, a, b);
    disjunction_define(encoder, d, polarity, result);
    return result;
}

literal gate_and(struct encoder *encoder, literal a, literal b, enum polarity polarity) {
    struct disjunction d = {0};
    disjunction_add2(&d, a, b);
    return disjunction_close(encoder, &d, polarity, "and", 0, 0);
}

literal gate_or(struct encoder *encoder, literal a, literal b, enum polarity polarity) {
    struct disjunction d = {0};
    disjunction_add(&d, a);
    disjunction_add(&d, b);
    return disjunction_close(encoder, &d, polarity, "or", 0, 0);
}

// --- Exactly one -------------------------------------------------------------------------------

// At most one, by running "one of those before" (for more than a few literals).
static void at_most_one(struct encoder *encoder, const literal *literals, size_t count) {
    assert(literals != NULL || count == 0);
    enum { PAIRWISE_MAX = 6 };
    if (count <= PAIRWISE_MAX) {
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < i; k++)
                clause2(encoder, -literals[i], -literals[k]);
        return;
    }
    literal before = literals[0];
    for (size_t i = 1; i < count; i++) {
        clause2(encoder, -before, -literals[i]);
        if (i + 1 == count)
            return;
        literal next = backend_variable(encoder->backend, "before", (unsigned)i, 0);
        clause2(encoder, -before, next);
        clause2(encoder, -literals[i], next);
        before = next;
    }
}

void exactly_one_if(struct encoder *encoder, literal condition, const literal *literals,
                    size_t count) {
    assert(literals != NULL || count == 0);
    literal *clause = allocate(count + 1, sizeof *clause);
    memcpy(clause, literals, count * sizeof *clause);
    clause[count] = -condition;
    backend_clause(encoder->backend, clause, count + 1);
    free(clause);
    at_most_one(encoder, literals, count);
}

// --- Tables ------------------------------------------------------------------------------------

struct pair_table *pair_table_new(struct encoder *encoder) {
    struct pair_table *table = ARENA_NEW(encoder->arena, struct pair_table);
    table->rows = ARENA_ARRAY(encoder->arena, literal *, encoder->n);
    return table;
}

literal *pair_table_at(struct encoder *encoder, struct pair_table *table, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    if (table->rows[a] == NULL)
        table->rows[a] = ARENA_ARRAY(encoder->arena, literal, encoder->n);
    return &table->rows[a][b];
}

literal false_unless_known(const struct encoder *encoder, literal known) {
    if (known != 0)
        return known;
    return backend_failed(encoder->backend) ? LITERAL_NONE : LITERAL_FALSE;
}
