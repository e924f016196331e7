// The door to the engines: for each function of backend.h, the engine whose problem it is.

#include "solver/backend/cadical.h"
#include "solver/backend/internal.h"
#include "solver/backend/sat.h"
#include "solver/backend/walk.h"

#include "litmus/source/allocate.h"
#include "litmus/source/bug.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Engines -----------------------------------------------------------------------------------

bool solver_has_engine(enum engine engine) {
    return engine == ENGINE_Z3 ? z3_is_there() : cadical_is_there();
}

enum engine solver_default_engine(void) {
    return z3_is_there() ? ENGINE_Z3 : ENGINE_CADICAL;
}

const char *solver_engine_name(enum engine engine) {
    return engine == ENGINE_CADICAL ? "CaDiCaL" : "Z3";
}

// --- Problems ----------------------------------------------------------------------------------

// CaDiCaL looks at the watchdog itself.
static void stop_checking(void *context) {
    struct backend *backend = context;
    if (backend->sat == NULL)
        z3_stop(backend);
}

struct backend *backend_new(void) {
    struct backend *backend = allocate(1, sizeof *backend);
    backend->z3 = z3_new();
    backend->watchdog = watchdog_new(z3_is_there() ? stop_checking : NULL, backend);
    return backend;
}

void backend_free(struct backend *backend) {
    if (backend == NULL)
        return;
    watchdog_free(backend->watchdog);
    backend_end(backend);
    z3_free(backend);
    free(backend);
}

void backend_abandon(struct backend *backend) {
    watchdog_free(backend->watchdog);
    z3_abandon(backend);
}

void backend_spare_process(struct backend *backend) {
    backend->spares_process = true;
}

struct watchdog *backend_watchdog(struct backend *backend) {
    return backend->watchdog;
}

void backend_choose(struct backend *backend, enum engine engine) {
    assert(solver_has_engine(engine));
    bool other = engine == ENGINE_Z3 && cadical_is_there() && z3_is_missing();
    backend->engine = other ? ENGINE_CADICAL : engine;
}

void backend_begin(struct backend *backend, size_t memory_mb, bool named) {
    backend_end(backend);
    backend->named = named;
    if (backend->engine == ENGINE_CADICAL)
        sat_begin(backend, memory_mb);
    else
        z3_begin(backend, memory_mb);
}

static void drop_log(struct backend *backend) {
    free(backend->log.at);
    backend->log = (struct literals){NULL, 0, 0};
    backend->log_is_cut = false;
}

void backend_end(struct backend *backend) {
    if (backend->sat != NULL)
        sat_end(backend);
    else
        z3_end(backend);
    drop_log(backend);
    backend->clause_count = backend->check_count = backend->variable_count = 0;
    backend->check_ms = 0;
    backend->failure = backend->reason = REASON_NONE;
    backend->erred = false;
}

void backend_share_memory(struct backend *backend, size_t bytes) {
    if (backend->bound_mb == 0 || backend_failed(backend))
        return;
    if (backend->sat != NULL)
        sat_look_at_memory(backend);
    else
        z3_share_memory(backend, bytes >> 20);
}

// --- What they are made of ---------------------------------------------------------------------

literal backend_variable(struct backend *backend, const char *kind, unsigned a, unsigned b) {
    return backend->sat != NULL ? sat_variable(backend, kind, a, b)
                                : z3_variable(backend, kind, a, b);
}

// Logs a clause for walks, which are for small problems only.
static void log_clause(struct backend *backend, const literal *literals, size_t count) {
    enum { LOG_MAX = 1 << 19 };
    struct literals *log = &backend->log;
    if (backend->log_is_cut)
        return;
    if (log->count + count >= log->capacity) {
        log->capacity = 2 * (log->count + count) + 1024;
        log->at = reallocate(log->at, log->capacity, sizeof *log->at);
    }
    for (size_t i = 0; i < count; i++)
        if (literals[i] != LITERAL_FALSE)
            log->at[log->count++] = literals[i];
    log->at[log->count++] = 0;
    if (log->count <= LOG_MAX)
        return;
    drop_log(backend);
    backend->log_is_cut = true;
}

// A literal that has not been made yet is a mistake of the encoder's; the engines would take the
// clause for another one.
static void check_clause(const struct backend *backend, const literal *literals, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (literals[i] == 0 && !backend_failed(backend))
            bug("a clause has a literal that is not there");
}

void backend_clause(struct backend *backend, const literal *literals, size_t count) {
    assert(literals != NULL || count == 0);
    check_clause(backend, literals, count);
    if (backend->sat != NULL)
        sat_clause(backend, literals, count);
    else if (z3_clause(backend, literals, count))
        log_clause(backend, literals, count);
}

term backend_term_variable(struct backend *backend, unsigned width, const char *kind, unsigned a) {
    assert(width > 0 && width <= WIDTH_MAX);
    return backend->sat != NULL ? sat_term_variable(backend, width, kind, a)
                                : z3_term_variable(backend, width, kind, a);
}

term backend_term_constant(struct backend *backend, unsigned width, struct bits128 value) {
    assert(width > 0 && width <= WIDTH_MAX);
    return backend->sat != NULL ? sat_term_constant(backend, width, value)
                                : z3_term_constant(backend, width, value);
}

term backend_term_apply(struct backend *backend, const struct expr *operation, const term *args) {
    return backend->sat != NULL ? sat_term_apply(backend, operation, args)
                                : z3_term_apply(backend, operation, args);
}

term backend_term_choose(struct backend *backend, literal condition, term then_value,
                         term else_value) {
    if (condition == LITERAL_TRUE)
        return then_value;
    if (condition == LITERAL_FALSE)
        return else_value;
    return backend->sat != NULL ? sat_term_choose(backend, condition, then_value, else_value)
                                : z3_term_choose(backend, condition, then_value, else_value);
}

literal backend_term_equal(struct backend *backend, term a, term b) {
    if (backend_failed(backend))
        return LITERAL_NONE;
    return backend->sat != NULL ? sat_term_equal(backend, a, b) : z3_term_equal(backend, a, b);
}

// --- Checks ------------------------------------------------------------------------------------

static enum answer solve(struct backend *backend, const literal *assumptions, size_t count) {
    double start = watchdog_now_ms();
    enum answer answer = backend->sat != NULL ? sat_solve(backend, assumptions, count)
                                              : z3_solve(backend, assumptions, count);
    backend->check_ms += watchdog_now_ms() - start;
    backend->check_count++;
    return answer;
}

enum answer backend_check(struct backend *backend, const literal *assumptions, size_t count) {
    assert(assumptions != NULL || count == 0);
    backend->reason = REASON_NONE;
    backend->walk = NULL;
    if (backend_failed(backend))
        return ANSWER_UNKNOWN;
    for (size_t i = 0; i < count; i++)
        if (assumptions[i] == LITERAL_FALSE)
            return ANSWER_UNSAT;
    if (backend->sat == NULL)
        z3_drop_model(backend);
    if (!watchdog_enter(backend->watchdog)) {
        backend_stopped(backend);
        return ANSWER_UNKNOWN;
    }
    enum answer answer = solve(backend, assumptions, count);
    if (!watchdog_leave(backend->watchdog)) {
        backend_stopped(backend);
        return ANSWER_UNKNOWN;
    }
    return backend->sat != NULL ? sat_found(backend, answer) : z3_found(backend, answer);
}

static void limit_conflicts(struct backend *backend, unsigned conflicts) {
    if (backend_failed(backend))
        return;
    if (backend->sat != NULL)
        sat_limit_conflicts(backend, conflicts);
    else
        z3_limit_conflicts(backend, conflicts);
}

enum answer backend_check_briefly(struct backend *backend, const literal *assumptions, size_t count,
                                  unsigned conflicts) {
    assert(assumptions != NULL || count == 0);
    limit_conflicts(backend, conflicts);
    enum answer answer = backend_check(backend, assumptions, count);
    limit_conflicts(backend, UINT32_MAX);
    bool stopped_by_watchdog =
        backend->reason == REASON_TIMEOUT || backend->reason == REASON_INTERRUPTED;
    if (answer == ANSWER_UNKNOWN && !backend_failed(backend) && !stopped_by_watchdog &&
        backend->reason != REASON_MEMORY)
        backend->reason = REASON_NONE;
    return answer;
}

bool backend_literal_value(struct backend *backend, literal l) {
    if (l == LITERAL_TRUE || l == LITERAL_FALSE)
        return l == LITERAL_TRUE;
    if (backend->walk != NULL)
        return walk_value(backend->walk, l);
    return backend->sat != NULL ? sat_literal_value(backend, l) : z3_literal_value(backend, l);
}

struct bits128 backend_term_value(struct backend *backend, term t) {
    return backend->sat != NULL ? sat_term_value(backend, t) : z3_term_value(backend, t);
}

// --- Walks -------------------------------------------------------------------------------------

static bool is_stopped(void *context) {
    struct backend *backend = context;
    return backend_failed(backend) || backend_stopped(backend);
}

// The clauses of a problem that has nothing else; NULL when it has, or has too many.
static const struct literals *clauses_alone(const struct backend *backend) {
    bool has_terms = backend->sat != NULL ? sat_has_terms(backend) : z3_has_terms(backend);
    if (has_terms || backend_failed(backend))
        return NULL;
    if (backend->sat != NULL)
        return sat_log(backend);
    return backend->log_is_cut ? NULL : &backend->log;
}

enum walk_end backend_walk(struct backend *backend, const literal *assumptions, size_t count,
                           const struct backend_choice *choices, size_t choice_count,
                           bool (*visit)(void *context), void *context) {
    assert(assumptions != NULL || count == 0);
    const struct literals *log = clauses_alone(backend);
    if (log == NULL)
        return WALK_GAVE_UP;
    struct walk *walk =
        walk_new(backend->variable_count + 1, log->at, log->count, choices, choice_count);
    for (size_t i = 0; i < count; i++)
        walk_assume(walk, assumptions[i]);
    enum walk_end end = walk_next(walk, is_stopped, backend);
    bool goes_on = end == WALK_MORE;
    while (goes_on) {
        backend->walk = walk;
        goes_on = visit(context) && !backend_failed(backend);
        if (goes_on)
            goes_on = (end = walk_next(walk, is_stopped, backend)) == WALK_MORE;
    }
    backend->walk = NULL;
    walk_free(walk);
    return backend_failed(backend) ? WALK_GAVE_UP : end;
}

// --- Reports -----------------------------------------------------------------------------------

char *backend_dump(struct backend *backend, const literal *assumptions, size_t count) {
    assert(assumptions != NULL || count == 0);
    if (backend_failed(backend))
        return NULL;
    return backend->sat != NULL ? sat_dump(backend, assumptions, count)
                                : z3_dump(backend, assumptions, count);
}

bool backend_proof(struct backend *backend, const literal *assumptions, size_t count, FILE *dimacs,
                   FILE *drat, FILE *names) {
    assert(assumptions != NULL || count == 0);
    assert(backend->sat != NULL);
    return !backend_failed(backend) && sat_proof(backend, assumptions, count, dimacs, drat, names);
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
