// The door to the engines: for each function of backend.h, the engine whose problem it is.

#include "solver/backend/internal.h"
#include "solver/backend/walk.h"

#include "litmus/source/allocate.h"
#include "litmus/source/bug.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Engines -----------------------------------------------------------------------------------

bool solver_has_engine(enum engine engine) {
    return (engine == ENGINE_Z3 ? z3_engine : sat_engine) != NULL;
}

enum engine solver_default_engine(void) {
    return z3_engine != NULL ? ENGINE_Z3 : ENGINE_CADICAL;
}

const char *solver_engine_name(enum engine engine) {
    return engine == ENGINE_CADICAL ? "CaDiCaL" : "Z3";
}

// --- Problems ----------------------------------------------------------------------------------

static void stop_checking(void *context) {
    struct backend *backend = context;
    backend->engine->stop(backend);
}

struct backend *backend_new(void) {
    struct backend *backend = allocate(1, sizeof *backend);
    backend->z3 = z3_new();
    backend->next = z3_engine;
    backend->watchdog = watchdog_new(z3_engine != NULL ? stop_checking : NULL, backend);
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
    bool other = engine == ENGINE_Z3 && sat_engine != NULL && z3_is_missing();
    backend->next = engine == ENGINE_CADICAL || other ? sat_engine : z3_engine;
}

void backend_begin(struct backend *backend, size_t memory_mb, bool named) {
    backend_end(backend);
    backend->named = named;
    backend->engine = backend->next;
    backend->engine->begin(backend, memory_mb);
}

void backend_end(struct backend *backend) {
    if (backend->engine != NULL)
        backend->engine->end(backend);
    backend->engine = NULL;
    backend->clause_count = backend->check_count = backend->variable_count = 0;
    backend->check_ms = 0;
    backend->failure = backend->reason = REASON_NONE;
    backend->erred = false;
}

void backend_share_memory(struct backend *backend, size_t bytes) {
    if (backend->bound_mb == 0 || backend_failed(backend))
        return;
    backend->engine->share_memory(backend, bytes >> 20);
}

// --- What they are made of ---------------------------------------------------------------------

literal backend_variable(struct backend *backend, const char *kind, unsigned a, unsigned b) {
    return backend->engine->variable(backend, kind, a, b);
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
    backend->engine->clause(backend, literals, count);
}

term backend_term_variable(struct backend *backend, unsigned width, const char *kind, unsigned a) {
    assert(width > 0 && width <= WIDTH_MAX);
    return backend->engine->term_variable(backend, width, kind, a);
}

term backend_term_constant(struct backend *backend, unsigned width, struct bits128 value) {
    assert(width > 0 && width <= WIDTH_MAX);
    return backend->engine->term_constant(backend, width, value);
}

term backend_term_apply(struct backend *backend, const struct expr *operation, const term *args) {
    return backend->engine->term_apply(backend, operation, args);
}

term backend_term_choose(struct backend *backend, literal condition, term then_value,
                         term else_value) {
    if (condition == LITERAL_TRUE)
        return then_value;
    if (condition == LITERAL_FALSE)
        return else_value;
    return backend->engine->term_choose(backend, condition, then_value, else_value);
}

literal backend_term_equal(struct backend *backend, term a, term b) {
    if (backend_failed(backend))
        return LITERAL_NONE;
    return backend->engine->term_equal(backend, a, b);
}

// --- Checks ------------------------------------------------------------------------------------

static enum answer solve(struct backend *backend, const literal *assumptions, size_t count) {
    double start = watchdog_now_ms();
    enum answer answer = backend->engine->solve(backend, assumptions, count);
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
    backend->engine->drop_model(backend);
    if (!watchdog_enter(backend->watchdog)) {
        backend_stopped(backend);
        return ANSWER_UNKNOWN;
    }
    enum answer answer = solve(backend, assumptions, count);
    if (!watchdog_leave(backend->watchdog)) {
        backend_stopped(backend);
        return ANSWER_UNKNOWN;
    }
    return backend->engine->found(backend, answer);
}

static void limit_conflicts(struct backend *backend, unsigned conflicts) {
    if (!backend_failed(backend))
        backend->engine->limit_conflicts(backend, conflicts);
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
    return backend->engine->literal_value(backend, l);
}

struct bits128 backend_term_value(struct backend *backend, term t) {
    return backend->engine->term_value(backend, t);
}

// --- Walks -------------------------------------------------------------------------------------

static bool is_stopped(void *context) {
    struct backend *backend = context;
    return backend_failed(backend) || backend_stopped(backend);
}

// The clauses of a problem that has nothing else; NULL when it has, or has too many.
static const struct literals *clauses_alone(const struct backend *backend) {
    bool has_more = backend->engine->has_terms(backend) || backend_failed(backend);
    return has_more ? NULL : backend->engine->log(backend);
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
    return backend->engine->dump(backend, assumptions, count);
}

bool backend_proof(struct backend *backend, const literal *assumptions, size_t count, FILE *dimacs,
                   FILE *drat, FILE *names) {
    assert(assumptions != NULL || count == 0);
    assert(backend->engine->proof != NULL);
    return !backend_failed(backend) &&
           backend->engine->proof(backend, assumptions, count, dimacs, drat, names);
}

void backend_count(const struct backend *backend, struct solver_stats *stats) {
    stats->variables = backend->variable_count;
    stats->clauses = backend->clause_count;
    stats->checks = backend->check_count;
    stats->solver_ms = backend->check_ms;
}
