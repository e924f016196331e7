// Contexts of Z3, their failures, and the problems that are put to them, one after the other.
//
// The context is reference-counted and reused, since making one costs more than solving a test.
// Boolean constants are kept from problem to problem; all else is released at the end of one. A
// context that was interrupted or ran out of memory, or that has grown, is replaced before the next
// problem.

#include "solver/backend/z3_internal.h"
#include "solver/backend/watchdog.h"

#include "litmus/source/allocate.h"
#include "litmus/source/diagnostics.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A context that has more megabytes in use after a problem is not kept for the next one, to whose
// memory it would add. Making a new one costs more than most tests.
enum { KEPT_MB = 48 };

// --- Failures ----------------------------------------------------------------------------------

// The backends that have a context: Z3 tells its handler of errors no more than that. Of all
// threads, so with a lock.
static struct backend *open_backends;
static pthread_mutex_t open_backends_lock = PTHREAD_MUTEX_INITIALIZER;

static struct backend *backend_of(Z3_context context) {
    pthread_mutex_lock(&open_backends_lock);
    struct backend *backend = open_backends;
    while (backend != NULL && backend->z3->context != context)
        backend = backend->z3->next;
    pthread_mutex_unlock(&open_backends_lock);
    return backend;
}

static void note_context(struct backend *backend) {
    pthread_mutex_lock(&open_backends_lock);
    backend->z3->next = open_backends;
    open_backends = backend;
    pthread_mutex_unlock(&open_backends_lock);
}

// Running out of memory is a limit where one was asked for, and else an allocation that failed.
void z3_fail_with_code(struct backend *backend, Z3_error_code code) {
    if (code == Z3_MEMOUT_FAIL && backend->bound_mb != 0)
        backend_fail(backend, REASON_MEMORY, "Z3 is out of memory");
    else if (code == Z3_MEMOUT_FAIL)
        backend_err(backend, REASON_MEMORY, "Z3 is out of memory");
    else
        backend_err(backend, REASON_SOLVER, Z3(get_error_msg)(backend->z3->context, code));
}

// Every error of every call into Z3 arrives here, whether or not the caller looks at what it got:
// the next call would forget it. (Without a handler, Z3 ends the process.)
static void notice_error(Z3_context context, Z3_error_code code) {
    struct backend *backend = backend_of(context);
    if (backend == NULL || code == Z3_OK)
        return;
    if (!backend->z3->checking)
        z3_fail_with_code(backend, code);
    else if (backend->z3->check_error == Z3_OK)
        backend->z3->check_error = code;
}

// Whether Z3 returned an object: it may return none without an error.
bool z3_gave(struct backend *backend, const void *answer, const char *what) {
    char text[64];
    if (backend->failure == REASON_NONE && answer == NULL) {
        snprintf(text, sizeof text, "Z3 could not make a %s", what);
        backend_err(backend, REASON_SOLVER, text);
    }
    return backend->failure == REASON_NONE;
}

// Takes a reference to a fresh object. NULL after a failure.
Z3_ast z3_hold(struct backend *backend, Z3_ast ast) {
    if (!z3_gave(backend, ast, "term"))
        return NULL;
    Z3(inc_ref)(backend->z3->context, ast);
    return ast;
}

Z3_sort z3_hold_sort(struct backend *backend, Z3_sort sort) {
    if (!z3_gave(backend, sort, "sort"))
        return NULL;
    Z3(inc_ref)(backend->z3->context, Z3(sort_to_ast)(backend->z3->context, sort));
    return sort;
}

void z3_drop(struct backend *backend, Z3_ast ast) {
    if (ast != NULL)
        Z3(dec_ref)(backend->z3->context, ast);
}

static void drop_sort(struct backend *backend, Z3_sort sort) {
    if (sort != NULL)
        z3_drop(backend, Z3(sort_to_ast)(backend->z3->context, sort));
}

// --- Contexts ----------------------------------------------------------------------------------

void atoms_add(struct atoms *atoms, struct atom atom) {
    atoms->items =
        reallocate_for(atoms->items, &atoms->capacity, atoms->count + 1, sizeof *atoms->items);
    atoms->items[atoms->count++] = atom;
}

void z3_drop_log(struct backend *backend) {
    free(backend->z3->log.at);
    backend->z3->log = (struct literals){0};
    backend->z3->log_is_cut = false;
}

static void set_memory_limit(struct backend *backend, size_t megabytes) {
    if (backend->spares_process || megabytes == backend->z3->memory_mb)
        return;
    char text[32];
    snprintf(text, sizeof text, "%zu", megabytes);
    Z3(global_param_set)("memory_max_size", text);
    backend->z3->memory_mb = megabytes;
}

static size_t in_use_mb(void) {
    return Z3(get_estimated_alloc_size)() >> 20;
}

// The first context of a process also sets up what Z3 keeps for all of them. When there is no
// memory for that, it is left half made, and the next attempt may go round in it for ever
// (Z3 4.8.12 does): then no context is made in this process any more.
static atomic_bool is_set_up, is_half_made;

static Z3_context new_context(void) {
    if (atomic_load(&is_half_made))
        return NULL;
    // Models without functions have nothing to make compact, and looking for it takes long.
    Z3(global_param_set)("model.compact", "false");
    Z3_config config = Z3(mk_config)();
    Z3_context context = config == NULL ? NULL : Z3(mk_context_rc)(config);
    if (config != NULL)
        Z3(del_config)(config);
    if (context != NULL)
        atomic_store(&is_set_up, true);
    else if (!atomic_load(&is_set_up))
        atomic_store(&is_half_made, true);
    return context;
}

static void context_open(struct backend *backend) {
    const char *lack = z3_functions_find();
    if (lack != NULL) {
        backend_err(backend, REASON_SOLVER, lack);
        return;
    }
    backend->z3->lost_mb = in_use_mb();
    backend->z3->must_renew = false;
    backend->z3->context = new_context();
    if (backend->z3->context == NULL) {
        backend_err(backend, REASON_MEMORY, "Z3 could not make a context");
        return;
    }
    note_context(backend);
    Z3(set_error_handler)(backend->z3->context, notice_error);
    backend->z3->boolean = z3_hold_sort(backend, Z3(mk_bool_sort)(backend->z3->context));
}

static void forget_context(struct backend *backend) {
    pthread_mutex_lock(&open_backends_lock);
    struct backend **link = &open_backends;
    while (*link != NULL && *link != backend)
        link = &(*link)->z3->next;
    if (*link != NULL)
        *link = backend->z3->next;
    pthread_mutex_unlock(&open_backends_lock);
}

static void release_atoms(struct backend *backend, struct atoms *atoms) {
    for (size_t i = 0; i < atoms->count; i++) {
        z3_drop(backend, atoms->items[i].yes);
        z3_drop(backend, atoms->items[i].no);
    }
    atoms->count = 0;
}

static void context_close(struct backend *backend) {
    if (backend->z3->context == NULL)
        return;
    release_atoms(backend, &backend->z3->kept);
    for (unsigned width = 0; width <= WIDTH_MAX; width++)
        drop_sort(backend, backend->z3->bits[width]);
    memset(backend->z3->bits, 0, sizeof backend->z3->bits);
    drop_sort(backend, backend->z3->boolean);
    Z3(del_context)(backend->z3->context);
    forget_context(backend);
    backend->z3->context = NULL;
}

void z3_stop(struct backend *backend) {
    Z3(interrupt)(backend->z3->context);
}

struct z3 *z3_new(void) {
    return allocate(1, sizeof(struct z3));
}

void z3_free(struct backend *backend) {
    set_memory_limit(backend, 0);
    context_close(backend);
    free(backend->z3->kept.items);
    free(backend->z3->atoms.items);
    free(backend->z3->owned.items);
    free(backend->z3->terms);
    free(backend->z3);
}

void z3_abandon(struct backend *backend) {
    forget_context(backend);
}

// --- Problems ----------------------------------------------------------------------------------

static void set_solver_parameters(struct backend *backend, size_t memory_mb) {
    Z3_context context = backend->z3->context;
    Z3_params params = Z3(mk_params)(context);
    if (!z3_gave(backend, params, "parameters"))
        return;
    Z3(params_inc_ref)(context, params);
    // Restarts that keep the most active decisions keep it where it is: of locks that are broken,
    // some were not decided in minutes, by luck (docs/encodings.md).
    Z3(params_set_bool)(context, params, Z3(mk_string_symbol)(context, "restart.fast"), false);
    // Z3 would replace the caller's handler of SIGINT during checks.
    Z3(params_set_bool)(context, params, Z3(mk_string_symbol)(context, "ctrl_c"), false);
    if (memory_mb != 0 && memory_mb <= UINT32_MAX)
        Z3(params_set_uint)
    (context, params, Z3(mk_string_symbol)(context, "max_memory"), (unsigned)memory_mb);
    Z3(solver_set_params)(context, backend->z3->solver, params);
    Z3(params_dec_ref)(context, params);
}

void z3_begin(struct backend *backend, size_t memory_mb) {
    if (backend->z3->context == NULL)
        context_open(backend); // without a limit: an empty context needs memory too
    size_t before_mb = memory_mb > 0 && backend->spares_process && backend->z3->context
                           ? in_use_mb()
                           : backend->z3->lost_mb;
    backend->bound_mb = memory_mb == 0 ? 0 : memory_mb + before_mb;
    struct atom constants[2] = {{NULL, NULL}, {NULL, NULL}};
    atoms_add(&backend->z3->atoms, constants[0]);
    atoms_add(&backend->z3->atoms, constants[1]);
    if (backend_failed(backend))
        return;
    set_memory_limit(backend, backend->bound_mb);
    Z3_solver solver = Z3(mk_solver_for_logic)(backend->z3->context,
                                               Z3(mk_string_symbol)(backend->z3->context, "QF_FD"));
    if (!z3_gave(backend, solver, "solver"))
        return;
    backend->z3->solver = solver;
    Z3(solver_inc_ref)(backend->z3->context, backend->z3->solver);
    set_solver_parameters(backend, backend->bound_mb);
}

void z3_share_memory(struct backend *backend, size_t used_mb) {
    if (used_mb + in_use_mb() >= backend->bound_mb)
        backend_fail(backend, REASON_MEMORY, "the memory limit was reached");
    else
        set_memory_limit(backend, backend->bound_mb - used_mb);
}

void z3_drop_model(struct backend *backend) {
    if (backend->z3->model != NULL)
        Z3(model_dec_ref)(backend->z3->context, backend->z3->model);
    backend->z3->model = NULL;
}

static bool has_grown(const struct backend *backend) {
    size_t quarter_mb = backend->bound_mb / 4;
    size_t kept_mb = backend->bound_mb > 0 && quarter_mb < KEPT_MB ? quarter_mb : KEPT_MB;
    return in_use_mb() > kept_mb + backend->z3->lost_mb;
}

void z3_end(struct backend *backend) {
    if (backend->z3->context != NULL) {
        z3_drop_model(backend);
        for (size_t i = 0; i < backend->z3->term_count; i++)
            z3_drop(backend, backend->z3->terms[i]);
        release_atoms(backend, &backend->z3->owned);
        if (backend->z3->solver != NULL)
            Z3(solver_dec_ref)(backend->z3->context, backend->z3->solver);
        if (backend->z3->must_renew || backend_failed(backend) || has_grown(backend)) {
            set_memory_limit(backend, 0);
            context_close(backend);
        }
    }
    backend->z3->solver = NULL;
    backend->z3->kept_used = backend->z3->atoms.count = 0;
    backend->z3->owned.count = backend->z3->term_count = 0;
    z3_drop_log(backend);
}

const char *solver_lacks_z3(void) {
    return z3_functions_find();
}

bool z3_is_missing(void) {
    return z3_functions_find() != NULL && !z3_functions_lacked_memory();
}

const char *solver_backend_version(void) {
    return z3_functions_find() == NULL ? Z3(get_full_version)() : "not found";
}
