// What a problem in Z3 is made of: Booleans and clauses, bit-vectors and operations on them.

#include "solver/backend/z3_internal.h"
#include "solver/backend/watchdog.h"

#include "litmus/source/allocate.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { NAME_MAX_BYTES = 64 };

// --- Booleans ----------------------------------------------------------------------------------

// An atom for a Z3 Boolean; both references go to the result's owner.
static struct atom atom_of(struct backend *backend, Z3_ast ast) {
    struct atom atom = {NULL, NULL};
    atom.yes = z3_hold(backend, ast);
    if (atom.yes == NULL)
        return atom;
    atom.no = z3_hold(backend, Z3(mk_not)(backend->z3->context, atom.yes));
    if (atom.no == NULL) {
        z3_drop(backend, atom.yes);
        atom.yes = NULL;
    }
    return atom;
}

static literal literal_of_atom(struct backend *backend, struct atom atom) {
    atoms_add(&backend->z3->atoms, atom);
    return (literal)(backend->z3->atoms.count - 1);
}

static Z3_symbol symbol(struct backend *backend, const char *kind, unsigned a, unsigned b,
                        unsigned number) {
    if (!backend->named)
        return Z3(mk_int_symbol)(backend->z3->context, (int)number);
    char name[NAME_MAX_BYTES];
    snprintf(name, sizeof name, "%s_%u_%u_%u", kind, a, b, number);
    return Z3(mk_string_symbol)(backend->z3->context, name);
}

static struct atom new_constant(struct backend *backend, const char *kind, unsigned a, unsigned b) {
    Z3_symbol name = symbol(backend, kind, a, b, (unsigned)backend->variable_count);
    return atom_of(backend, Z3(mk_const)(backend->z3->context, name, backend->z3->boolean));
}

// Whether nothing more is to be built. A bound that Z3 does not keep by itself is looked at.
static bool is_stopped(struct backend *backend) {
    enum { STEPS = 4096 };
    if (!backend_failed_or_stopped(backend) && backend->spares_process && backend->bound_mb != 0 &&
        backend->steps % STEPS == 0)
        z3_share_memory(backend, 0);
    return backend_failed(backend);
}

literal z3_variable(struct backend *backend, const char *kind, unsigned a, unsigned b) {
    if (is_stopped(backend))
        return LITERAL_NONE;
    backend->variable_count++;
    if (!backend->named && backend->z3->kept_used < backend->z3->kept.count)
        return literal_of_atom(backend, backend->z3->kept.items[backend->z3->kept_used++]);
    struct atom atom = new_constant(backend, kind, a, b);
    if (atom.yes == NULL)
        return LITERAL_NONE;
    atoms_add(backend->named ? &backend->z3->owned : &backend->z3->kept, atom);
    if (!backend->named)
        backend->z3->kept_used++;
    return literal_of_atom(backend, atom);
}

Z3_ast z3_ast(const struct backend *backend, literal l) {
    return l > 0 ? backend->z3->atoms.items[l].yes : backend->z3->atoms.items[-l].no;
}

// Logs a clause for walks, which are for small problems only.
static void log_clause(struct backend *backend, const literal *literals, size_t count) {
    enum { LOG_MAX = 1 << 19 };
    struct literals *log = &backend->z3->log;
    if (backend->z3->log_is_cut)
        return;
    for (size_t i = 0; i < count; i++)
        if (literals[i] != LITERAL_FALSE)
            literals_add(log, literals[i]);
    literals_add(log, 0);
    if (log->count <= LOG_MAX)
        return;
    z3_drop_log(backend);
    backend->z3->log_is_cut = true;
}

const struct literals *z3_log(const struct backend *backend) {
    return backend->z3->log_is_cut ? NULL : &backend->z3->log;
}

void z3_clause(struct backend *backend, const literal *literals, size_t count) {
    assert(literals != NULL || count == 0);
    enum { INLINE = 32 };
    Z3_ast few[INLINE], *asts = few, *many = NULL;
    if (is_stopped(backend))
        return;
    if (count > INLINE)
        asts = many = allocate(count, sizeof *many);
    unsigned kept = 0;
    bool holds = false;
    for (size_t i = 0; i < count && !holds; i++) {
        holds = literals[i] == LITERAL_TRUE;
        if (!holds && literals[i] != LITERAL_FALSE)
            asts[kept++] = z3_ast(backend, literals[i]);
    }
    if (!holds) {
        Z3_ast clause = z3_hold(backend, kept == 1   ? asts[0]
                                         : kept == 0 ? Z3(mk_false)(backend->z3->context)
                                                     : Z3(mk_or)(backend->z3->context, kept, asts));
        if (clause != NULL) {
            Z3(solver_assert)(backend->z3->context, backend->z3->solver, clause);
            z3_drop(backend, clause);
            backend->clause_count++;
        }
        log_clause(backend, literals, count);
    }
    free(many);
}

bool z3_has_terms(const struct backend *backend) {
    return backend->z3->term_count != 0;
}

// --- Bit-vectors -------------------------------------------------------------------------------

// A number for a held bit-vector; the problem takes the reference over. NULL after a failure.
static term term_of(struct backend *backend, Z3_ast ast) {
    struct z3 *z3 = backend->z3;
    z3->terms =
        reallocate_for(z3->terms, &z3->term_capacity, z3->term_count + 1, sizeof *z3->terms);
    z3->terms[z3->term_count] = ast;
    return (term)z3->term_count++;
}

static Z3_sort bits_sort(struct backend *backend, unsigned width) {
    assert(width > 0);
    if (backend->z3->bits[width] == NULL) {
        backend->z3->bits[width] =
            z3_hold_sort(backend, Z3(mk_bv_sort)(backend->z3->context, width));
    }
    return backend->z3->bits[width];
}

term z3_term_variable(struct backend *backend, unsigned width, const char *kind, unsigned a) {
    assert(width > 0);
    if (backend_failed(backend))
        return term_of(backend, NULL);
    // Booleans have numbers of their own, but Z3 tells constants of two sorts apart.
    Z3_symbol name = symbol(backend, kind, a, width, (unsigned)backend->z3->term_count);
    Z3_sort sort = bits_sort(backend, width);
    return term_of(backend, sort == NULL
                                ? NULL
                                : z3_hold(backend, Z3(mk_const)(backend->z3->context, name, sort)));
}

static Z3_ast constant(struct backend *backend, unsigned width, struct bits128 value) {
    assert(width > 0);
    bool bits[WIDTH_MAX] = {false};
    Z3_sort sort = bits_sort(backend, width);
    if (sort == NULL)
        return NULL;
    if (width <= 64)
        return Z3(mk_unsigned_int64)(backend->z3->context, value.low, sort);
    for (unsigned i = 0; i < width && i < 128; i++)
        bits[i] = ((i < 64 ? value.low : value.high) >> (i % 64)) & 1;
    return Z3(mk_bv_numeral)(backend->z3->context, width, bits);
}

term z3_term_constant(struct backend *backend, unsigned width, struct bits128 value) {
    assert(width > 0);
    return term_of(backend, backend_failed(backend)
                                ? NULL
                                : z3_hold(backend, constant(backend, width, value)));
}

// Turns a held Boolean into a held bit-vector of one bit.
static Z3_ast one_bit(struct backend *backend, Z3_ast boolean) {
    Z3_ast one = z3_hold(backend, constant(backend, 1, (struct bits128){1, 0}));
    Z3_ast zero = z3_hold(backend, constant(backend, 1, (struct bits128){0, 0}));
    Z3_ast bit = NULL;
    if (one != NULL && zero != NULL)
        bit = z3_hold(backend, Z3(mk_ite)(backend->z3->context, boolean, one, zero));
    z3_drop(backend, one);
    z3_drop(backend, zero);
    z3_drop(backend, boolean);
    return bit;
}

static Z3_ast choose(struct backend *backend, const Z3_ast *v) {
    Z3_ast one = z3_hold(backend, constant(backend, 1, (struct bits128){1, 0}));
    if (one == NULL)
        return NULL;
    Z3_ast condition = z3_hold(backend, Z3(mk_eq)(backend->z3->context, v[0], one));
    z3_drop(backend, one);
    if (condition == NULL)
        return NULL;
    Z3_ast result = z3_hold(backend, Z3(mk_ite)(backend->z3->context, condition, v[1], v[2]));
    z3_drop(backend, condition);
    return result;
}

// The operation's result, not held: a Boolean for comparisons.
static Z3_ast operate(struct backend *backend, const struct expr *e, const Z3_ast *v) {
    Z3_context c = backend->z3->context;
    switch (e->op) {
    case EXPR_NOT: return Z3(mk_bvnot)(c, v[0]);
    case EXPR_NEG: return Z3(mk_bvneg)(c, v[0]);
    case EXPR_AND: return Z3(mk_bvand)(c, v[0], v[1]);
    case EXPR_OR: return Z3(mk_bvor)(c, v[0], v[1]);
    case EXPR_XOR: return Z3(mk_bvxor)(c, v[0], v[1]);
    case EXPR_ADD: return Z3(mk_bvadd)(c, v[0], v[1]);
    case EXPR_SUB: return Z3(mk_bvsub)(c, v[0], v[1]);
    case EXPR_MUL: return Z3(mk_bvmul)(c, v[0], v[1]);
    case EXPR_UDIV: return Z3(mk_bvudiv)(c, v[0], v[1]);
    case EXPR_SDIV: return Z3(mk_bvsdiv)(c, v[0], v[1]);
    case EXPR_UREM: return Z3(mk_bvurem)(c, v[0], v[1]);
    case EXPR_SREM: return Z3(mk_bvsrem)(c, v[0], v[1]);
    case EXPR_SHL: return Z3(mk_bvshl)(c, v[0], v[1]);
    case EXPR_LSHR: return Z3(mk_bvlshr)(c, v[0], v[1]);
    case EXPR_ASHR: return Z3(mk_bvashr)(c, v[0], v[1]);
    case EXPR_EQ: return Z3(mk_eq)(c, v[0], v[1]);
    case EXPR_ULT: return Z3(mk_bvult)(c, v[0], v[1]);
    case EXPR_ULE: return Z3(mk_bvule)(c, v[0], v[1]);
    case EXPR_SLT: return Z3(mk_bvslt)(c, v[0], v[1]);
    case EXPR_SLE: return Z3(mk_bvsle)(c, v[0], v[1]);
    case EXPR_CONCAT: return Z3(mk_concat)(c, v[0], v[1]);
    case EXPR_EXTRACT: return Z3(mk_extract)(c, e->index + e->width - 1, e->index, v[0]);
    case EXPR_ZEXT: return Z3(mk_zero_ext)(c, e->width - e->args[0]->width, v[0]);
    case EXPR_SEXT: return Z3(mk_sign_ext)(c, e->width - e->args[0]->width, v[0]);
    default: bug("expression %d is not an operation", (int)e->op);
    }
}

static bool is_comparison(enum expr_op op) {
    return op == EXPR_EQ || op == EXPR_ULT || op == EXPR_ULE || op == EXPR_SLT || op == EXPR_SLE;
}

static Z3_ast apply(struct backend *backend, const struct expr *e, const Z3_ast *v) {
    if (e->op == EXPR_ITE)
        return choose(backend, v);
    Z3_ast result = z3_hold(backend, operate(backend, e, v));
    return result != NULL && is_comparison(e->op) ? one_bit(backend, result) : result;
}

term z3_term_apply(struct backend *backend, const struct expr *operation, const term *args) {
    Z3_ast values[3] = {NULL, NULL, NULL};
    if (backend_failed(backend))
        return term_of(backend, NULL);
    for (unsigned i = 0; i < 3 && operation->args[i] != NULL; i++)
        values[i] = backend->z3->terms[args[i]];
    return term_of(backend, apply(backend, operation, values));
}

term z3_term_choose(struct backend *backend, literal condition, term then_value, term else_value) {
    assert(then_value < backend->z3->term_count);
    assert(else_value < backend->z3->term_count);
    if (backend_failed(backend))
        return term_of(backend, NULL);
    Z3_ast chosen = Z3(mk_ite)(backend->z3->context, z3_ast(backend, condition),
                               backend->z3->terms[then_value], backend->z3->terms[else_value]);
    return term_of(backend, z3_hold(backend, chosen));
}

// Gives an atom a Boolean constant: newer versions of Z3 (4.13 does) assume nothing else in
// problems of finite domains.
static literal name_atom(struct backend *backend, literal atom) {
    literal name = z3_variable(backend, "equal", (unsigned)atom, 0);
    if (name == LITERAL_NONE)
        return LITERAL_NONE;
    z3_clause(backend, LITERALS(-name, atom));
    z3_clause(backend, LITERALS(name, -atom));
    return name;
}

literal z3_term_equal(struct backend *backend, term a, term b) {
    assert(a < backend->z3->term_count);
    assert(b < backend->z3->term_count);
    if (backend_failed(backend))
        return LITERAL_NONE;
    if (backend->z3->terms[a] == backend->z3->terms[b])
        return LITERAL_TRUE;
    struct atom atom = atom_of(
        backend, Z3(mk_eq)(backend->z3->context, backend->z3->terms[a], backend->z3->terms[b]));
    if (atom.yes == NULL)
        return LITERAL_NONE;
    atoms_add(&backend->z3->owned, atom);
    return name_atom(backend, literal_of_atom(backend, atom));
}
