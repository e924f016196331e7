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

void backend_fail(struct backend *backend, enum unknown_reason reason, const char *text) {
    backend->must_renew = true;
    if (backend->failure != REASON_NONE)
        return;
    backend->failure = reason;
    snprintf(backend->reason_text, sizeof backend->reason_text, "%s", text);
}

// Something went wrong that is not a limit of the run.
void backend_err(struct backend *backend, enum unknown_reason reason, const char *text) {
    backend->erred = true;
    backend_fail(backend, reason, text);
}

// Running out of memory is a limit where one was asked for, and else an allocation that failed.
void backend_fail_with_code(struct backend *backend, Z3_error_code code) {
    if (code == Z3_MEMOUT_FAIL && backend->bound_mb != 0)
        backend_fail(backend, REASON_MEMORY, "Z3 is out of memory");
    else if (code == Z3_MEMOUT_FAIL)
        backend_err(backend, REASON_MEMORY, "Z3 is out of memory");
    else
        backend_err(backend, REASON_SOLVER, Z3_get_error_msg(backend->context, code));
}

// Every error of every call into Z3 arrives here, whether or not the caller looks at what it got:
// the next call would forget it. (Without a handler, Z3 ends the process.)
static void notice_error(Z3_context context, Z3_error_code code) {
    struct backend *backend = backend_of(context);
    if (backend == NULL || code == Z3_OK)
        return;
    if (!backend->checking)
        backend_fail_with_code(backend, code);
    else if (backend->check_error == Z3_OK)
        backend->check_error = code;
}

// Whether Z3 returned an object: it may return none without an error.
bool backend_gave(struct backend *backend, const void *answer, const char *what) {
    char text[64];
    if (backend->failure == REASON_NONE && answer == NULL) {
        snprintf(text, sizeof text, "Z3 could not make a %s", what);
        backend_err(backend, REASON_SOLVER, text);
    }
    return backend->failure == REASON_NONE;
}

// Fails when the run has to end. Returns whether it has to.
bool backend_stopped(struct backend *backend) {
    switch (watchdog_poll(backend->watchdog)) {
    case WATCHDOG_TIMEOUT:
        backend_fail(backend, REASON_TIMEOUT, "the time limit was reached");
        break;
    case WATCHDOG_INTERRUPTED: backend_fail(backend, REASON_INTERRUPTED, "interrupted"); break;
    case WATCHDOG_QUIET: return false;
    }
    return true;
}

// Building a large problem can take longer than solving it, so it looks at the clock too.
bool backend_failed_or_stopped(struct backend *backend) {
    enum { STEPS = 256 };
    if (!backend_failed(backend) && ++backend->steps % STEPS == 0)
        backend_stopped(backend);
    return backend_failed(backend);
}

bool backend_failed(const struct backend *backend) {
    return backend->failure != REASON_NONE;
}

bool backend_erred(const struct backend *backend) {
    return backend->erred;
}

// Takes a reference to a fresh object. NULL after a failure.
Z3_ast backend_hold(struct backend *backend, Z3_ast ast) {
    if (!backend_gave(backend, ast, "term"))
        return NULL;
    Z3_inc_ref(backend->context, ast);
    return ast;
}

void backend_drop(struct backend *backend, Z3_ast ast) {
    if (ast != NULL)
        Z3_dec_ref(backend->context, ast);
}

enum unknown_reason backend_reason(const struct backend *backend, const char **text) {
    enum unknown_reason reason = backend_failed(backend) ? backend->failure : backend->reason;
    if (text != NULL)
        *text = reason == REASON_NONE ? NULL : backend->reason_text;
    return reason;
}

// --- Contexts ----------------------------------------------------------------------------------

void *backend_grow(void *items, size_t *capacity, size_t size) {
    *capacity = *capacity == 0 ? 256 : *capacity * 2;
    items = reallocate(items, *capacity, size);
    return items;
}

void atoms_add(struct atoms *atoms, struct atom atom) {
    if (atoms->count == atoms->capacity)
        atoms->items = backend_grow(atoms->items, &atoms->capacity, sizeof *atoms->items);
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

// The first context of a process also sets up what Z3 keeps for all of them. When there is no
// memory for that, it is left half made, and the next attempt may go round in it for ever
// (Z3 4.8.12 does): then no context is made in this process any more.
static atomic_bool is_set_up, is_half_made;

static Z3_context new_context(void) {
    if (atomic_load(&is_half_made))
        return NULL;
    Z3_config config = Z3_mk_config();
    Z3_context context = config == NULL ? NULL : Z3_mk_context_rc(config);
    if (config != NULL)
        Z3_del_config(config);
    if (context != NULL)
        atomic_store(&is_set_up, true);
    else if (!atomic_load(&is_set_up))
        atomic_store(&is_half_made, true);
    return context;
}

static void context_open(struct backend *backend) {
    backend->lost_mb = in_use_mb();
    backend->must_renew = false;
    backend->context = new_context();
    if (backend->context == NULL) {
        backend_err(backend, REASON_MEMORY, "Z3 could not make a context");
        return;
    }
    note_context(backend);
    Z3_set_error_handler(backend->context, notice_error);
    backend->boolean = Z3_mk_bool_sort(backend->context);
    if (backend_gave(backend, backend->boolean, "sort"))
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
        backend_drop(backend, atoms->items[i].yes);
        backend_drop(backend, atoms->items[i].no);
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
    if (!backend_gave(backend, params, "parameters"))
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
    if (backend_failed(backend))
        return;
    set_memory_limit(backend, backend->bound_mb);
    Z3_solver solver =
        Z3_mk_solver_for_logic(backend->context, Z3_mk_string_symbol(backend->context, "QF_FD"));
    if (!backend_gave(backend, solver, "solver"))
        return;
    backend->solver = solver;
    Z3_solver_inc_ref(backend->context, backend->solver);
    set_solver_parameters(backend, backend->bound_mb);
}

void backend_share_memory(struct backend *backend, size_t bytes) {
    size_t used_mb = bytes >> 20;
    if (backend->bound_mb == 0 || backend_failed(backend))
        return;
    if (used_mb + in_use_mb() >= backend->bound_mb)
        backend_fail(backend, REASON_MEMORY, "the memory limit was reached");
    else
        set_memory_limit(backend, backend->bound_mb - used_mb);
}

void backend_drop_model(struct backend *backend) {
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
        backend_drop_model(backend);
        for (size_t i = 0; i < backend->term_count; i++)
            backend_drop(backend, backend->terms[i]);
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

const char *solver_backend_version(void) {
    return Z3_get_full_version();
}
