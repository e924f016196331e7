// The backend on Z3's C API: the one file that includes z3.h.
//
// The context is reference-counted and reused, since making one costs more than solving a test.
// Boolean constants are kept from problem to problem; all else is released at the end of one. A
// context that was interrupted or ran out of memory, or that has grown, is replaced before the next
// problem.

#include "solver/backend/backend.h"
#include "solver/backend/watchdog.h"

#include "litmus/source/allocate.h"
#include "litmus/source/diagnostics.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <z3.h>

enum { WIDTH_MAX = 256, NAME_MAX_BYTES = 64 };

// A context that has more megabytes in use after a problem is not kept for the next one, to whose
// memory it would add. Making a new one costs more than most tests.
enum { KEPT_MB = 48 };

// A Boolean and its negation.
struct atom {
    Z3_ast yes, no;
};

struct atoms {
    struct atom *items;
    size_t count, capacity;
};

struct backend {
    struct backend *next; // of those with a context
    struct watchdog *watchdog;
    Z3_context context;
    Z3_sort boolean;
    Z3_sort bits[WIDTH_MAX + 1]; // made when needed
    struct atoms kept;           // Boolean constants of the context, by number
    size_t lost_mb;              // in use without any context: Z3 leaks when it is out of memory
    bool must_renew;             // the context is not to be used for another problem
    size_t memory_mb;            // limit of the process as it is set now

    // The problem:
    Z3_solver solver;
    Z3_model model;
    bool named;
    size_t bound_mb;    // of its memory; 0: none
    size_t kept_used;   // how many of `kept` the problem uses
    struct atoms atoms; // by literal: 0 (LITERAL_NONE) and 1 have no ASTs
    struct atoms owned; // atoms to release at its end
    Z3_ast *terms;
    size_t term_count, term_capacity;
    bool checking;               // an error is not one yet: an interrupt may be its cause
    Z3_error_code check_error;   // the first one of this check
    bool erred;                  // nothing that Z3 said is to be trusted
    enum unknown_reason failure; // nothing more can be done
    enum unknown_reason reason;  // of the last check
    char reason_text[256];
    size_t clause_count, check_count, variable_count;
    size_t steps; // of building problems
    double check_ms;
};

// --- Failures ----------------------------------------------------------------------------------

// The backends that have a context: Z3 tells its handler of errors no more than that. Of all
// threads, so with a lock.
static struct backend *open_backends;
static pthread_mutex_t open_backends_lock = PTHREAD_MUTEX_INITIALIZER;

static struct backend *backend_of(Z3_context context) {
    pthread_mutex_lock(&open_backends_lock);
    struct backend *backend = open_backends;
    while (backend != NULL && backend->context != context)
        backend = backend->next;
    pthread_mutex_unlock(&open_backends_lock);
    return backend;
}

static void note_context(struct backend *backend) {
    pthread_mutex_lock(&open_backends_lock);
    backend->next = open_backends;
    open_backends = backend;
    pthread_mutex_unlock(&open_backends_lock);
}

static void fail(struct backend *backend, enum unknown_reason reason, const char *text) {
    backend->must_renew = true;
    if (backend->failure != REASON_NONE)
        return;
    backend->failure = reason;
    snprintf(backend->reason_text, sizeof backend->reason_text, "%s", text);
}

// Something went wrong that is no limit of the run.
static void err(struct backend *backend, enum unknown_reason reason, const char *text) {
    backend->erred = true;
    fail(backend, reason, text);
}

// Running out of memory is a limit where one was asked for, and else an allocation that failed.
static void fail_with_code(struct backend *backend, Z3_error_code code) {
    if (code == Z3_MEMOUT_FAIL && backend->bound_mb != 0)
        fail(backend, REASON_MEMORY, "Z3 is out of memory");
    else if (code == Z3_MEMOUT_FAIL)
        err(backend, REASON_MEMORY, "Z3 is out of memory");
    else
        err(backend, REASON_SOLVER, Z3_get_error_msg(backend->context, code));
}

// Every error of every call into Z3 arrives here, whether or not the caller looks at what it got:
// the next call would forget it. (Without a handler, Z3 ends the process.)
static void notice_error(Z3_context context, Z3_error_code code) {
    struct backend *backend = backend_of(context);
    if (backend == NULL || code == Z3_OK)
        return;
    if (!backend->checking)
        fail_with_code(backend, code);
    else if (backend->check_error == Z3_OK)
        backend->check_error = code;
}

// Whether Z3 gave something: what it says of no error may be nothing all the same.
static bool gave(struct backend *backend, const void *answer, const char *what) {
    char text[64];
    if (backend->failure == REASON_NONE && answer == NULL) {
        snprintf(text, sizeof text, "Z3 could not make a %s", what);
        err(backend, REASON_SOLVER, text);
    }
    return backend->failure == REASON_NONE;
}

static bool failed(const struct backend *backend) {
    return backend->failure != REASON_NONE;
}

// Fails when the run has to end. Returns whether it has to.
static bool stopped(struct backend *backend) {
    switch (watchdog_poll(backend->watchdog)) {
    case WATCHDOG_TIMEOUT: fail(backend, REASON_TIMEOUT, "the time limit was reached"); break;
    case WATCHDOG_INTERRUPTED: fail(backend, REASON_INTERRUPTED, "interrupted"); break;
    case WATCHDOG_QUIET: return false;
    }
    return true;
}

// Building a large problem can take longer than solving it, so it looks at the clock too.
static bool failed_or_stopped(struct backend *backend) {
    enum { STEPS = 256 };
    if (!failed(backend) && ++backend->steps % STEPS == 0)
        stopped(backend);
    return failed(backend);
}

bool backend_failed(const struct backend *backend) {
    return failed(backend);
}

bool backend_erred(const struct backend *backend) {
    return backend->erred;
}

// Takes a reference to a fresh object. NULL after a failure.
static Z3_ast hold(struct backend *backend, Z3_ast ast) {
    if (!gave(backend, ast, "term"))
        return NULL;
    Z3_inc_ref(backend->context, ast);
    return ast;
}

static void drop(struct backend *backend, Z3_ast ast) {
    if (ast != NULL)
        Z3_dec_ref(backend->context, ast);
}

enum unknown_reason backend_reason(const struct backend *backend, const char **text) {
    enum unknown_reason reason = failed(backend) ? backend->failure : backend->reason;
    if (text != NULL)
        *text = reason == REASON_NONE ? NULL : backend->reason_text;
    return reason;
}

// --- Contexts ----------------------------------------------------------------------------------

static void *grow(void *items, size_t *capacity, size_t size) {
    *capacity = *capacity == 0 ? 256 : *capacity * 2;
    items = reallocate(items, *capacity, size);
    return items;
}

static void atoms_add(struct atoms *atoms, struct atom atom) {
    if (atoms->count == atoms->capacity)
        atoms->items = grow(atoms->items, &atoms->capacity, sizeof *atoms->items);
    atoms->items[atoms->count++] = atom;
}

static void set_memory_limit(struct backend *backend, size_t megabytes) {
    if (megabytes == backend->memory_mb)
        return;
    char text[32];
    snprintf(text, sizeof text, "%zu", megabytes);
    Z3_global_param_set("memory_max_size", text);
    backend->memory_mb = megabytes;
}

static size_t in_use_mb(void) {
    return Z3_get_estimated_alloc_size() >> 20;
}

static void context_open(struct backend *backend) {
    backend->lost_mb = in_use_mb();
    backend->must_renew = false;
    Z3_config config = Z3_mk_config();
    backend->context = config == NULL ? NULL : Z3_mk_context_rc(config);
    if (config != NULL)
        Z3_del_config(config);
    if (backend->context == NULL) {
        err(backend, REASON_MEMORY, "Z3 could not make a context");
        return;
    }
    note_context(backend);
    Z3_set_error_handler(backend->context, notice_error);
    backend->boolean = Z3_mk_bool_sort(backend->context);
    if (gave(backend, backend->boolean, "sort"))
        Z3_inc_ref(backend->context, Z3_sort_to_ast(backend->context, backend->boolean));
    else
        backend->boolean = NULL;
}

static void forget_context(struct backend *backend) {
    pthread_mutex_lock(&open_backends_lock);
    struct backend **link = &open_backends;
    while (*link != NULL && *link != backend)
        link = &(*link)->next;
    if (*link != NULL)
        *link = backend->next;
    pthread_mutex_unlock(&open_backends_lock);
}

static void release_atoms(struct backend *backend, struct atoms *atoms) {
    for (size_t i = 0; i < atoms->count; i++) {
        drop(backend, atoms->items[i].yes);
        drop(backend, atoms->items[i].no);
    }
    atoms->count = 0;
}

static void context_close(struct backend *backend) {
    if (backend->context == NULL)
        return;
    release_atoms(backend, &backend->kept);
    for (unsigned width = 0; width <= WIDTH_MAX; width++)
        if (backend->bits[width] != NULL)
            Z3_dec_ref(backend->context, Z3_sort_to_ast(backend->context, backend->bits[width]));
    memset(backend->bits, 0, sizeof backend->bits);
    if (backend->boolean != NULL)
        Z3_dec_ref(backend->context, Z3_sort_to_ast(backend->context, backend->boolean));
    Z3_del_context(backend->context);
    forget_context(backend);
    backend->context = NULL;
}

static void stop_checking(void *context) {
    struct backend *backend = context;
    Z3_interrupt(backend->context);
}

struct backend *backend_new(void) {
    struct backend *backend = allocate(1, sizeof *backend);
    backend->watchdog = watchdog_new(stop_checking, backend);
    return backend;
}

void backend_free(struct backend *backend) {
    if (backend == NULL)
        return;
    watchdog_free(backend->watchdog);
    backend_end(backend);
    set_memory_limit(backend, 0);
    context_close(backend);
    free(backend->kept.items);
    free(backend->atoms.items);
    free(backend->owned.items);
    free(backend->terms);
    free(backend);
}

void backend_abandon(struct backend *backend) {
    watchdog_free(backend->watchdog);
    forget_context(backend);
}

struct watchdog *backend_watchdog(struct backend *backend) {
    return backend->watchdog;
}

// --- Problems ----------------------------------------------------------------------------------

static void set_solver_parameters(struct backend *backend, size_t memory_mb) {
    Z3_context context = backend->context;
    Z3_params params = Z3_mk_params(context);
    if (!gave(backend, params, "parameters"))
        return;
    Z3_params_inc_ref(context, params);
    // Z3 would replace the caller's handler of SIGINT during checks.
    Z3_params_set_bool(context, params, Z3_mk_string_symbol(context, "ctrl_c"), false);
    if (memory_mb != 0 && memory_mb <= UINT32_MAX)
        Z3_params_set_uint(context, params, Z3_mk_string_symbol(context, "max_memory"),
                           (unsigned)memory_mb);
    Z3_solver_set_params(context, backend->solver, params);
    Z3_params_dec_ref(context, params);
}

void backend_begin(struct backend *backend, size_t memory_mb, bool named) {
    backend_end(backend);
    if (backend->context == NULL)
        context_open(backend); // without a limit: an empty context needs memory too
    backend->named = named;
    backend->bound_mb = memory_mb == 0 ? 0 : memory_mb + backend->lost_mb;
    struct atom constants[2] = {{NULL, NULL}, {NULL, NULL}};
    atoms_add(&backend->atoms, constants[0]);
    atoms_add(&backend->atoms, constants[1]);
    if (failed(backend))
        return;
    set_memory_limit(backend, backend->bound_mb);
    Z3_solver solver =
        Z3_mk_solver_for_logic(backend->context, Z3_mk_string_symbol(backend->context, "QF_FD"));
    if (!gave(backend, solver, "solver"))
        return;
    backend->solver = solver;
    Z3_solver_inc_ref(backend->context, backend->solver);
    set_solver_parameters(backend, backend->bound_mb);
}

void backend_share_memory(struct backend *backend, size_t bytes) {
    size_t used_mb = bytes >> 20;
    if (backend->bound_mb == 0 || failed(backend))
        return;
    if (used_mb + in_use_mb() >= backend->bound_mb)
        fail(backend, REASON_MEMORY, "the memory limit was reached");
    else
        set_memory_limit(backend, backend->bound_mb - used_mb);
}

static void drop_model(struct backend *backend) {
    if (backend->model != NULL)
        Z3_model_dec_ref(backend->context, backend->model);
    backend->model = NULL;
}

static bool has_grown(const struct backend *backend) {
    size_t quarter_mb = backend->bound_mb / 4;
    size_t kept_mb = backend->bound_mb > 0 && quarter_mb < KEPT_MB ? quarter_mb : KEPT_MB;
    return in_use_mb() > kept_mb + backend->lost_mb;
}

void backend_end(struct backend *backend) {
    if (backend->context != NULL) {
        drop_model(backend);
        for (size_t i = 0; i < backend->term_count; i++)
            drop(backend, backend->terms[i]);
        release_atoms(backend, &backend->owned);
        if (backend->solver != NULL)
            Z3_solver_dec_ref(backend->context, backend->solver);
        if (backend->must_renew || has_grown(backend)) {
            set_memory_limit(backend, 0);
            context_close(backend);
        }
    }
    backend->solver = NULL;
    backend->kept_used = backend->atoms.count = backend->owned.count = backend->term_count = 0;
    backend->clause_count = backend->check_count = backend->variable_count = 0;
    backend->check_ms = 0;
    backend->failure = backend->reason = REASON_NONE;
    backend->erred = false;
}

// --- Booleans ----------------------------------------------------------------------------------

// An atom for a Z3 Boolean; both references go to the result's owner.
static struct atom atom_of(struct backend *backend, Z3_ast ast) {
    struct atom atom = {NULL, NULL};
    atom.yes = hold(backend, ast);
    if (atom.yes == NULL)
        return atom;
    atom.no = hold(backend, Z3_mk_not(backend->context, atom.yes));
    if (atom.no == NULL) {
        drop(backend, atom.yes);
        atom.yes = NULL;
    }
    return atom;
}

static literal literal_of_atom(struct backend *backend, struct atom atom) {
    atoms_add(&backend->atoms, atom);
    return (literal)(backend->atoms.count - 1);
}

static Z3_symbol symbol(struct backend *backend, const char *kind, unsigned a, unsigned b,
                        unsigned number) {
    if (!backend->named)
        return Z3_mk_int_symbol(backend->context, (int)number);
    char name[NAME_MAX_BYTES];
    snprintf(name, sizeof name, "%s_%u_%u_%u", kind, a, b, number);
    return Z3_mk_string_symbol(backend->context, name);
}

static struct atom new_constant(struct backend *backend, const char *kind, unsigned a, unsigned b) {
    Z3_symbol name = symbol(backend, kind, a, b, (unsigned)backend->variable_count);
    return atom_of(backend, Z3_mk_const(backend->context, name, backend->boolean));
}

literal backend_variable(struct backend *backend, const char *kind, unsigned a, unsigned b) {
    if (failed_or_stopped(backend))
        return LITERAL_NONE;
    backend->variable_count++;
    if (!backend->named && backend->kept_used < backend->kept.count)
        return literal_of_atom(backend, backend->kept.items[backend->kept_used++]);
    struct atom atom = new_constant(backend, kind, a, b);
    if (atom.yes == NULL)
        return LITERAL_NONE;
    atoms_add(backend->named ? &backend->owned : &backend->kept, atom);
    if (!backend->named)
        backend->kept_used++;
    return literal_of_atom(backend, atom);
}

static Z3_ast ast_of(const struct backend *backend, literal l) {
    return l > 0 ? backend->atoms.items[l].yes : backend->atoms.items[-l].no;
}

void backend_clause(struct backend *backend, const literal *literals, size_t count) {
    enum { INLINE = 32 };
    Z3_ast few[INLINE], *asts = few, *many = NULL;
    if (failed_or_stopped(backend))
        return;
    if (count > INLINE) {
        asts = many = allocate(count, sizeof *many);
    }
    unsigned kept = 0;
    bool holds = false;
    for (size_t i = 0; i < count && !holds; i++) {
        holds = literals[i] == LITERAL_TRUE;
        if (!holds && literals[i] != LITERAL_FALSE)
            asts[kept++] = ast_of(backend, literals[i]);
    }
    if (!holds) {
        Z3_ast clause = hold(backend, kept == 1   ? asts[0]
                                      : kept == 0 ? Z3_mk_false(backend->context)
                                                  : Z3_mk_or(backend->context, kept, asts));
        if (clause != NULL) {
            Z3_solver_assert(backend->context, backend->solver, clause);
            drop(backend, clause);
            backend->clause_count++;
        }
    }
    free(many);
}

// --- Bit-vectors -------------------------------------------------------------------------------

// A number for a held bit-vector; the problem takes the reference over. NULL after a failure.
static term term_of(struct backend *backend, Z3_ast ast) {
    if (backend->term_count == backend->term_capacity)
        backend->terms = grow(backend->terms, &backend->term_capacity, sizeof *backend->terms);
    backend->terms[backend->term_count] = ast;
    return (term)backend->term_count++;
}

static Z3_sort bits_sort(struct backend *backend, unsigned width) {
    if (backend->bits[width] == NULL) {
        Z3_sort sort = Z3_mk_bv_sort(backend->context, width);
        if (!gave(backend, sort, "sort"))
            return NULL;
        backend->bits[width] = sort;
        Z3_inc_ref(backend->context, Z3_sort_to_ast(backend->context, sort));
    }
    return backend->bits[width];
}

term backend_term_variable(struct backend *backend, unsigned width, const char *kind, unsigned a) {
    if (failed(backend))
        return term_of(backend, NULL);
    // Booleans have numbers of their own, but Z3 tells constants of two sorts apart.
    Z3_symbol name = symbol(backend, kind, a, width, (unsigned)backend->term_count);
    Z3_sort sort = bits_sort(backend, width);
    return term_of(backend,
                   sort == NULL ? NULL : hold(backend, Z3_mk_const(backend->context, name, sort)));
}

static Z3_ast constant(struct backend *backend, unsigned width, struct bits128 value) {
    bool bits[WIDTH_MAX] = {false};
    Z3_sort sort = bits_sort(backend, width);
    if (sort == NULL)
        return NULL;
    if (width <= 64)
        return Z3_mk_unsigned_int64(backend->context, value.low, sort);
    for (unsigned i = 0; i < width && i < 128; i++)
        bits[i] = ((i < 64 ? value.low : value.high) >> (i % 64)) & 1;
    return Z3_mk_bv_numeral(backend->context, width, bits);
}

term backend_term_constant(struct backend *backend, unsigned width, struct bits128 value) {
    return term_of(backend,
                   failed(backend) ? NULL : hold(backend, constant(backend, width, value)));
}

// Turns a held Boolean into a held bit-vector of one bit.
static Z3_ast one_bit(struct backend *backend, Z3_ast boolean) {
    Z3_ast one = hold(backend, constant(backend, 1, (struct bits128){1, 0}));
    Z3_ast zero = hold(backend, constant(backend, 1, (struct bits128){0, 0}));
    Z3_ast bit = NULL;
    if (one != NULL && zero != NULL)
        bit = hold(backend, Z3_mk_ite(backend->context, boolean, one, zero));
    drop(backend, one);
    drop(backend, zero);
    drop(backend, boolean);
    return bit;
}

static Z3_ast choose(struct backend *backend, const Z3_ast *v) {
    Z3_ast one = hold(backend, constant(backend, 1, (struct bits128){1, 0}));
    if (one == NULL)
        return NULL;
    Z3_ast condition = hold(backend, Z3_mk_eq(backend->context, v[0], one));
    drop(backend, one);
    if (condition == NULL)
        return NULL;
    Z3_ast result = hold(backend, Z3_mk_ite(backend->context, condition, v[1], v[2]));
    drop(backend, condition);
    return result;
}

// The operation's result, not held: a Boolean for comparisons.
static Z3_ast operate(struct backend *backend, const struct expr *e, const Z3_ast *v) {
    Z3_context c = backend->context;
    switch (e->op) {
    case EXPR_NOT: return Z3_mk_bvnot(c, v[0]);
    case EXPR_NEG: return Z3_mk_bvneg(c, v[0]);
    case EXPR_AND: return Z3_mk_bvand(c, v[0], v[1]);
    case EXPR_OR: return Z3_mk_bvor(c, v[0], v[1]);
    case EXPR_XOR: return Z3_mk_bvxor(c, v[0], v[1]);
    case EXPR_ADD: return Z3_mk_bvadd(c, v[0], v[1]);
    case EXPR_SUB: return Z3_mk_bvsub(c, v[0], v[1]);
    case EXPR_MUL: return Z3_mk_bvmul(c, v[0], v[1]);
    case EXPR_UDIV: return Z3_mk_bvudiv(c, v[0], v[1]);
    case EXPR_SDIV: return Z3_mk_bvsdiv(c, v[0], v[1]);
    case EXPR_UREM: return Z3_mk_bvurem(c, v[0], v[1]);
    case EXPR_SREM: return Z3_mk_bvsrem(c, v[0], v[1]);
    case EXPR_SHL: return Z3_mk_bvshl(c, v[0], v[1]);
    case EXPR_LSHR: return Z3_mk_bvlshr(c, v[0], v[1]);
    case EXPR_ASHR: return Z3_mk_bvashr(c, v[0], v[1]);
    case EXPR_EQ: return Z3_mk_eq(c, v[0], v[1]);
    case EXPR_ULT: return Z3_mk_bvult(c, v[0], v[1]);
    case EXPR_ULE: return Z3_mk_bvule(c, v[0], v[1]);
    case EXPR_SLT: return Z3_mk_bvslt(c, v[0], v[1]);
    case EXPR_SLE: return Z3_mk_bvsle(c, v[0], v[1]);
    case EXPR_CONCAT: return Z3_mk_concat(c, v[0], v[1]);
    case EXPR_EXTRACT: return Z3_mk_extract(c, e->index + e->width - 1, e->index, v[0]);
    case EXPR_ZEXT: return Z3_mk_zero_ext(c, e->width - e->args[0]->width, v[0]);
    case EXPR_SEXT: return Z3_mk_sign_ext(c, e->width - e->args[0]->width, v[0]);
    default: bug("expression %d is not an operation", (int)e->op);
    }
}

static bool is_comparison(enum expr_op op) {
    return op == EXPR_EQ || op == EXPR_ULT || op == EXPR_ULE || op == EXPR_SLT || op == EXPR_SLE;
}

static Z3_ast apply(struct backend *backend, const struct expr *e, const Z3_ast *v) {
    if (e->op == EXPR_ITE)
        return choose(backend, v);
    Z3_ast result = hold(backend, operate(backend, e, v));
    return result != NULL && is_comparison(e->op) ? one_bit(backend, result) : result;
}

term backend_term_apply(struct backend *backend, const struct expr *operation, const term *args) {
    Z3_ast values[3] = {NULL, NULL, NULL};
    if (failed(backend))
        return term_of(backend, NULL);
    for (unsigned i = 0; i < 3 && operation->args[i] != NULL; i++)
        values[i] = backend->terms[args[i]];
    return term_of(backend, apply(backend, operation, values));
}

term backend_term_choose(struct backend *backend, literal condition, term then_value,
                         term else_value) {
    if (condition == LITERAL_TRUE)
        return then_value;
    if (condition == LITERAL_FALSE)
        return else_value;
    if (failed(backend))
        return term_of(backend, NULL);
    Z3_ast chosen = Z3_mk_ite(backend->context, ast_of(backend, condition),
                              backend->terms[then_value], backend->terms[else_value]);
    return term_of(backend, hold(backend, chosen));
}

literal backend_term_equal(struct backend *backend, term a, term b) {
    if (failed(backend))
        return LITERAL_NONE;
    if (backend->terms[a] == backend->terms[b])
        return LITERAL_TRUE;
    struct atom atom =
        atom_of(backend, Z3_mk_eq(backend->context, backend->terms[a], backend->terms[b]));
    if (atom.yes == NULL)
        return LITERAL_NONE;
    atoms_add(&backend->owned, atom);
    return literal_of_atom(backend, atom);
}

// --- Checks ------------------------------------------------------------------------------------

// Z3 gives up in good order where it was given a limit: of conflicts, or of memory. What it holds
// after anything else, such as an allocation that failed inside, cannot be trusted again.
static enum answer gave_up(struct backend *backend) {
    char reason[sizeof backend->reason_text];
    const char *text = Z3_solver_get_reason_unknown(backend->context, backend->solver);
    if (!gave(backend, text, "answer"))
        return ANSWER_UNKNOWN;
    bool memory = strstr(text, "memory") != NULL;
    snprintf(reason, sizeof reason, "Z3 gave up: %s", *text == '\0' ? "no reason given" : text);
    if (memory && backend->bound_mb == 0)
        fail_with_code(backend, Z3_MEMOUT_FAIL);
    else if (!memory && strstr(text, "conflicts") == NULL)
        err(backend, REASON_SOLVER, reason);
    backend->reason = memory ? REASON_MEMORY : REASON_SOLVER;
    memcpy(backend->reason_text, reason, sizeof reason);
    backend->must_renew = backend->must_renew || memory;
    return ANSWER_UNKNOWN;
}

static Z3_lbool check(struct backend *backend, const literal *assumptions, size_t count) {
    Z3_ast *asts = count == 0 ? NULL : allocate(count, sizeof *asts);
    unsigned kept = 0;
    for (size_t i = 0; i < count; i++)
        if (assumptions[i] != LITERAL_TRUE)
            asts[kept++] = ast_of(backend, assumptions[i]);
    double start = watchdog_now_ms();
    backend->checking = true;
    backend->check_error = Z3_OK;
    Z3_lbool result =
        kept == 0 ? Z3_solver_check(backend->context, backend->solver)
                  : Z3_solver_check_assumptions(backend->context, backend->solver, kept, asts);
    backend->checking = false;
    backend->check_ms += watchdog_now_ms() - start;
    backend->check_count++;
    free(asts);
    return result;
}

enum answer backend_check(struct backend *backend, const literal *assumptions, size_t count) {
    backend->reason = REASON_NONE;
    if (failed(backend))
        return ANSWER_UNKNOWN;
    for (size_t i = 0; i < count; i++)
        if (assumptions[i] == LITERAL_FALSE)
            return ANSWER_UNSAT;
    drop_model(backend);
    if (!watchdog_enter(backend->watchdog)) {
        stopped(backend);
        return ANSWER_UNKNOWN;
    }
    Z3_lbool result = check(backend, assumptions, count);
    if (!watchdog_leave(backend->watchdog)) {
        stopped(backend);
        return ANSWER_UNKNOWN;
    }
    if (backend->check_error != Z3_OK) {
        fail_with_code(backend, backend->check_error);
        return ANSWER_UNKNOWN;
    }
    if (result == Z3_L_UNDEF)
        return gave_up(backend);
    if (result == Z3_L_FALSE)
        return ANSWER_UNSAT;
    Z3_model model = Z3_solver_get_model(backend->context, backend->solver);
    if (!gave(backend, model, "model"))
        return ANSWER_UNKNOWN;
    backend->model = model;
    Z3_model_inc_ref(backend->context, backend->model);
    return failed(backend) ? ANSWER_UNKNOWN : ANSWER_SAT;
}

static void limit_conflicts(struct backend *backend, unsigned conflicts) {
    Z3_context context = backend->context;
    if (failed(backend))
        return;
    Z3_params params = Z3_mk_params(context);
    if (!gave(backend, params, "parameters"))
        return;
    Z3_params_inc_ref(context, params);
    Z3_params_set_uint(context, params, Z3_mk_string_symbol(context, "max_conflicts"), conflicts);
    Z3_solver_set_params(context, backend->solver, params);
    Z3_params_dec_ref(context, params);
}

enum answer backend_check_briefly(struct backend *backend, const literal *assumptions, size_t count,
                                  unsigned conflicts) {
    limit_conflicts(backend, conflicts);
    enum answer answer = backend_check(backend, assumptions, count);
    limit_conflicts(backend, UINT32_MAX);
    bool stopped_by_watchdog =
        backend->reason == REASON_TIMEOUT || backend->reason == REASON_INTERRUPTED;
    if (answer == ANSWER_UNKNOWN && !failed(backend) && !stopped_by_watchdog &&
        backend->reason != REASON_MEMORY)
        backend->reason = REASON_NONE;
    return answer;
}

// The value of an expression in the model, borrowed until the next call. NULL after a failure, and
// whatever fails here is one: no caller can take it for a value.
static Z3_ast evaluate(struct backend *backend, Z3_ast ast) {
    Z3_ast value = NULL;
    if (!gave(backend, backend->model, "model") || !gave(backend, ast, "term"))
        return NULL;
    bool evaluated = Z3_model_eval(backend->context, backend->model, ast, true, &value);
    return gave(backend, evaluated ? value : NULL, "value") ? value : NULL;
}

bool backend_literal_value(struct backend *backend, literal l) {
    if (l == LITERAL_TRUE || l == LITERAL_FALSE)
        return l == LITERAL_TRUE;
    Z3_ast value = evaluate(backend, ast_of(backend, l));
    if (value == NULL)
        return false;
    Z3_lbool truth = Z3_get_bool_value(backend->context, value);
    if (truth == Z3_L_UNDEF)
        err(backend, REASON_SOLVER, "Z3's model has a Boolean without a value");
    return truth == Z3_L_TRUE;
}

static uint64_t word_value(struct backend *backend, Z3_ast ast) {
    uint64_t word = 0;
    Z3_ast value = evaluate(backend, ast);
    if (value != NULL && !Z3_get_numeral_uint64(backend->context, value, &word))
        err(backend, REASON_SOLVER, "Z3's model has a value that is not a number");
    return word;
}

// 0 after a failure.
static unsigned width_of(struct backend *backend, Z3_ast ast) {
    Z3_sort sort = failed(backend) ? NULL : Z3_get_sort(backend->context, ast);
    if (!gave(backend, sort, "sort"))
        return 0;
    unsigned width = Z3_get_bv_sort_size(backend->context, sort);
    if (width == 0)
        err(backend, REASON_SOLVER, "Z3 has a bit-vector without bits");
    return width;
}

struct bits128 backend_term_value(struct backend *backend, term t) {
    struct bits128 value = {0, 0};
    Z3_ast ast = backend->terms[t];
    unsigned width = width_of(backend, ast);
    if (width <= 64)
        return (struct bits128){width == 0 ? 0 : word_value(backend, ast), 0};
    for (unsigned part = 0; part < 2; part++) {
        unsigned last = part == 0 ? 63 : (width > 128 ? 127 : width - 1);
        Z3_ast word = hold(backend, Z3_mk_extract(backend->context, last, part * 64, ast));
        if (word == NULL)
            return value;
        *(part == 0 ? &value.low : &value.high) = word_value(backend, word);
        drop(backend, word);
    }
    return value;
}

// --- Reports -----------------------------------------------------------------------------------

// A text of Z3's with what asks for a model, a copy owned by the caller.
static char *with_tail(const char *text) {
    static const char tail[] = "(check-sat)\n(get-model)\n";
    size_t length = strlen(text);
    char *result = allocate(length + sizeof tail, 1);
    memcpy(result, text, length);
    memcpy(result + length, tail, sizeof tail);
    return result;
}

// Prints a copy of the solver, to which the assumptions are asserted.
static char *print_copy(struct backend *backend, Z3_ast_vector clauses, const literal *assumptions,
                        size_t count) {
    Z3_context context = backend->context;
    Z3_solver copy = Z3_mk_simple_solver(context);
    if (!gave(backend, copy, "solver"))
        return NULL;
    Z3_solver_inc_ref(context, copy);
    for (unsigned i = 0; i < Z3_ast_vector_size(context, clauses) && !failed(backend); i++)
        Z3_solver_assert(context, copy, Z3_ast_vector_get(context, clauses, i));
    for (size_t i = 0; i < count && !failed(backend); i++)
        if (assumptions[i] != LITERAL_TRUE && assumptions[i] != LITERAL_FALSE)
            Z3_solver_assert(context, copy, ast_of(backend, assumptions[i]));
    const char *text = failed(backend) ? NULL : Z3_solver_to_string(context, copy);
    char *result = gave(backend, text, "text") ? with_tail(text) : NULL;
    Z3_solver_dec_ref(context, copy);
    return result;
}

char *backend_dump(struct backend *backend, const literal *assumptions, size_t count) {
    if (failed(backend))
        return NULL;
    Z3_ast_vector clauses = Z3_solver_get_assertions(backend->context, backend->solver);
    if (!gave(backend, clauses, "list"))
        return NULL;
    Z3_ast_vector_inc_ref(backend->context, clauses);
    char *text = print_copy(backend, clauses, assumptions, count);
    Z3_ast_vector_dec_ref(backend->context, clauses);
    return text;
}

size_t backend_variable_count(const struct backend *backend) {
    return backend->variable_count;
}

size_t backend_clause_count(const struct backend *backend) {
    return backend->clause_count;
}

size_t backend_check_count(const struct backend *backend) {
    return backend->check_count;
}

double backend_check_ms(const struct backend *backend) {
    return backend->check_ms;
}

const char *solver_backend_version(void) {
    return Z3_get_full_version();
}
