// CaDiCaL's problems, which are clauses alone: a log of them, from which proofs and texts are made,
// the model of the last check, and bit-vectors as lists of literals (circuits.h).

#include "solver/backend/cadical.h"
#include "solver/backend/heap.h"
#include "solver/backend/internal.h"

#include "litmus/source/allocate.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

// What a variable stands for.
struct sat_name {
    const char *kind;
    unsigned a, b;
};

struct sat {
    struct cadical *cadical;
    struct literals log;    // the clauses
    struct sat_name *names; // by variable, where the problem is named
    size_t name_capacity;
    bool *model; // by variable, of the last check
    size_t model_capacity, modelled;
    struct bits *terms;
    size_t term_count, term_capacity;
    bool is_over_memory;
    unsigned polls;
};

// The variable 1 is true in every problem, as LITERAL_TRUE says.
static const int truth[] = {LITERAL_TRUE};

// --- Memory ------------------------------------------------------------------------------------

static bool is_over_memory(const struct backend *backend) {
    return backend->bound_mb != 0 && heap_bytes() >> 20 >= backend->bound_mb;
}

// What is in use outside CaDiCaL is on the heap, too.
static void sat_share_memory(struct backend *backend, size_t used_mb) {
    (void)used_mb;
    if (is_over_memory(backend))
        backend_fail(backend, REASON_MEMORY, "the memory limit was reached");
}

// CaDiCaL asks within its searches, so that a deadline or an interrupt needs no other thread.
static bool must_stop(void *context) {
    enum { POLLS = 1024 };
    const struct backend *backend = context;
    struct sat *sat = backend->sat;
    if (++sat->polls % POLLS == 0 && is_over_memory(backend))
        sat->is_over_memory = true;
    return sat->is_over_memory || watchdog_poll(backend->watchdog) != WATCHDOG_QUIET;
}

// Whether nothing more is to be built.
static bool is_stopped(struct backend *backend) {
    enum { STEPS = 4096 };
    if (!backend_failed_or_stopped(backend) && backend->steps % STEPS == 0)
        sat_share_memory(backend, 0);
    return backend_failed(backend);
}

// --- Problems ----------------------------------------------------------------------------------

static void sat_begin(struct backend *backend, size_t memory_mb) {
    struct sat *sat = allocate(1, sizeof *sat);
    backend->sat = sat;
    size_t before_mb = backend->spares_process ? heap_bytes() >> 20 : 0;
    backend->bound_mb = memory_mb == 0 ? 0 : memory_mb + before_mb;
    sat->cadical = cadical_new(must_stop, backend);
    cadical_clause(sat->cadical, truth, 1);
    literals_add(&sat->log, LITERAL_TRUE);
    literals_add(&sat->log, 0);
}

static void sat_end(struct backend *backend) {
    struct sat *sat = backend->sat;
    cadical_free(sat->cadical);
    for (size_t i = 0; i < sat->term_count; i++)
        free(sat->terms[i].at);
    free(sat->terms);
    free(sat->log.at);
    free(sat->names);
    free(sat->model);
    free(sat);
    backend->sat = NULL;
}

static literal sat_variable(struct backend *backend, const char *kind, unsigned a, unsigned b) {
    struct sat *sat = backend->sat;
    if (is_stopped(backend))
        return LITERAL_NONE;
    literal l = (literal)(++backend->variable_count) + LITERAL_TRUE;
    if (backend->named) {
        sat->names =
            reallocate_for(sat->names, &sat->name_capacity, (size_t)l + 1, sizeof *sat->names);
        sat->names[l] = (struct sat_name){kind, a, b};
    }
    return l;
}

static void sat_clause(struct backend *backend, const literal *literals, size_t count) {
    struct sat *sat = backend->sat;
    size_t begin = sat->log.count;
    if (is_stopped(backend))
        return;
    for (size_t i = 0; i < count; i++) {
        assert(literals[i] != LITERAL_NONE);
        if (literals[i] == LITERAL_TRUE) {
            sat->log.count = begin;
            return;
        }
        if (literals[i] != LITERAL_FALSE)
            literals_add(&sat->log, literals[i]);
    }
    cadical_clause(sat->cadical, sat->log.at + begin, sat->log.count - begin);
    literals_add(&sat->log, 0);
    backend->clause_count++;
}

static const struct literals *sat_log(const struct backend *backend) {
    return &backend->sat->log;
}

static bool sat_has_terms(const struct backend *backend) {
    return backend->sat->term_count != 0;
}

// --- Bit-vectors -------------------------------------------------------------------------------

static literal gate_variable(void *context, const char *kind) {
    return sat_variable(context, kind, 0, 0);
}

static void gate_clause(void *context, const literal *literals, size_t count) {
    sat_clause(context, literals, count);
}

static struct gates gates_of(struct backend *backend) {
    return (struct gates){backend, gate_variable, gate_clause};
}

// A number for a new bit-vector, all of whose bits are LITERAL_NONE.
static term new_term(struct sat *sat, unsigned width) {
    assert(width > 0 && width <= WIDTH_MAX);
    sat->terms =
        reallocate_for(sat->terms, &sat->term_capacity, sat->term_count + 1, sizeof *sat->terms);
    sat->terms[sat->term_count] = (struct bits){width, allocate(width, sizeof(literal))};
    return (term)sat->term_count++;
}

static term sat_term_variable(struct backend *backend, unsigned width, const char *kind,
                              unsigned a) {
    term t = new_term(backend->sat, width);
    for (unsigned i = 0; i < width; i++)
        backend->sat->terms[t].at[i] = sat_variable(backend, kind, a, i);
    return t;
}

static term sat_term_constant(struct backend *backend, unsigned width, struct bits128 value) {
    term t = new_term(backend->sat, width);
    for (unsigned i = 0; i < width; i++) {
        uint64_t word = i < 64 ? value.low : i < 128 ? value.high : 0;
        backend->sat->terms[t].at[i] = word >> i % 64 & 1 ? LITERAL_TRUE : LITERAL_FALSE;
    }
    return t;
}

static term sat_term_apply(struct backend *backend, const struct expr *operation,
                           const term *args) {
    struct sat *sat = backend->sat;
    struct bits bits[3] = {{0, NULL}, {0, NULL}, {0, NULL}};
    const struct gates gates = gates_of(backend);
    term t = new_term(sat, operation->width);
    for (unsigned i = 0; i < 3 && operation->args[i] != NULL; i++)
        bits[i] = sat->terms[args[i]];
    if (!backend_failed(backend))
        circuit_apply(&gates, operation, bits, sat->terms[t].at);
    return t;
}

static term sat_term_choose(struct backend *backend, literal condition, term then_value,
                            term else_value) {
    struct sat *sat = backend->sat;
    assert(sat->terms[then_value].width == sat->terms[else_value].width);
    term t = new_term(sat, sat->terms[then_value].width);
    const struct gates gates = gates_of(backend);
    circuit_choose(&gates, condition, sat->terms[then_value].at, sat->terms[else_value].at,
                   sat->terms[t].at, sat->terms[t].width);
    return t;
}

static literal sat_term_equal(struct backend *backend, term a, term b) {
    const struct sat *sat = backend->sat;
    assert(sat->terms[a].width == sat->terms[b].width);
    const struct gates gates = gates_of(backend);
    return circuit_equal(&gates, sat->terms[a].at, sat->terms[b].at, sat->terms[a].width);
}

// --- Checks ------------------------------------------------------------------------------------

// Assumptions without the constant ones; the caller frees `at`.
static struct literals open_assumptions(const literal *assumptions, size_t count) {
    struct literals list = {NULL, 0, 0};
    for (size_t i = 0; i < count; i++)
        if (assumptions[i] != LITERAL_TRUE)
            literals_add(&list, assumptions[i]);
    return list;
}

static enum answer sat_solve(struct backend *backend, const literal *assumptions, size_t count) {
    struct sat *sat = backend->sat;
    struct literals list = open_assumptions(assumptions, count);
    int answer = cadical_solve(sat->cadical, list.at, list.count);
    free(list.at);
    return answer > 0 ? ANSWER_SAT : answer < 0 ? ANSWER_UNSAT : ANSWER_UNKNOWN;
}

// The model is copied, since CaDiCaL forgets it with the next clause.
static enum answer sat_found(struct backend *backend, enum answer answer) {
    struct sat *sat = backend->sat;
    if (sat->is_over_memory)
        backend_fail(backend, REASON_MEMORY, "the memory limit was reached");
    if (answer == ANSWER_UNKNOWN && backend->reason == REASON_NONE) {
        backend->reason = REASON_SOLVER;
        memcpy(backend->reason_text, "CaDiCaL gave up", sizeof "CaDiCaL gave up");
    }
    if (answer != ANSWER_SAT || backend_failed(backend))
        return backend_failed(backend) ? ANSWER_UNKNOWN : answer;
    sat->modelled = backend->variable_count + 2;
    sat->model =
        reallocate_for(sat->model, &sat->model_capacity, sat->modelled, sizeof *sat->model);
    sat->model[LITERAL_TRUE] = true;
    for (size_t i = 2; i < sat->modelled; i++)
        sat->model[i] = cadical_value(sat->cadical, (int)i);
    return ANSWER_SAT;
}

static void sat_drop_model(struct backend *backend) {
    backend->sat->modelled = 0;
}

// CaDiCaL looks at the watchdog itself.
static void sat_stop(struct backend *backend) {
    (void)backend;
}

static void sat_limit_conflicts(struct backend *backend, unsigned conflicts) {
    if (conflicts <= INT_MAX)
        cadical_limit_conflicts(backend->sat->cadical, (int)conflicts);
}

// A variable that is newer than the check was left open by it.
static bool sat_literal_value(struct backend *backend, literal l) {
    const struct sat *sat = backend->sat;
    size_t variable = (size_t)(l < 0 ? -l : l);
    if (backend_failed(backend) || l == LITERAL_NONE)
        return false;
    return (variable < sat->modelled && sat->model[variable]) == (l > 0);
}

static struct bits128 sat_term_value(struct backend *backend, term t) {
    struct bits128 value = {0, 0};
    const struct bits *bits = &backend->sat->terms[t];
    for (unsigned i = 0; i < bits->width && i < 128; i++) {
        uint64_t bit = sat_literal_value(backend, bits->at[i]);
        *(i < 64 ? &value.low : &value.high) |= bit << i % 64;
    }
    return value;
}

// --- Reports -----------------------------------------------------------------------------------

// Calls `visit` for each clause of the log, and each assumption as a clause.
static void each_clause(const struct sat *sat, const struct literals *assumptions,
                        void (*visit)(void *context, const int *clause, size_t count),
                        void *context) {
    size_t begin = 0;
    for (size_t i = 0; i < sat->log.count; i++)
        if (sat->log.at[i] == 0) {
            visit(context, sat->log.at + begin, i - begin);
            begin = i + 1;
        }
    for (size_t i = 0; i < assumptions->count; i++)
        visit(context, assumptions->at + i, 1);
}

static void print_smt_clause(void *out, const int *clause, size_t count) {
    fputs(count > 1 ? "(assert (or" : "(assert", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, clause[i] > 0 ? " v%d" : " (not v%d)", abs(clause[i]));
    fputs(count == 0 ? " false)\n" : count > 1 ? "))\n" : ")\n", out);
}

static char *sat_dump(struct backend *backend, const literal *assumptions, size_t count) {
    struct literals list = open_assumptions(assumptions, count);
    char *text = NULL;
    size_t size = 0;
    FILE *out = text_open(&text, &size);
    fputs("(declare-const v1 Bool) ; true\n", out);
    for (size_t i = 2; i < backend->variable_count + 2; i++) {
        const struct sat_name *name = backend->named ? &backend->sat->names[i] : NULL;
        fprintf(out, "(declare-const v%zu Bool)", i);
        if (name != NULL)
            fprintf(out, " ; %s %u %u", name->kind, name->a, name->b);
        fputc('\n', out);
    }
    each_clause(backend->sat, &list, print_smt_clause, out);
    fputs("(check-sat)\n(get-model)\n", out);
    text_close(out);
    free(list.at);
    return text;
}

static void print_dimacs_clause(void *out, const int *clause, size_t count) {
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%d ", clause[i]);
    fputs("0\n", out);
}

static void print_names(const struct backend *backend, FILE *out) {
    for (size_t i = 2; i < backend->variable_count + 2; i++) {
        const struct sat_name *name = &backend->sat->names[i];
        fprintf(out, "%zu %s %u %u\n", i, name->kind, name->a, name->b);
    }
}

static void give_clause(void *cadical, const int *clause, size_t count) {
    cadical_clause(cadical, clause, count);
}

// Decides the clauses once more in a solver of its own, which tells what it learns.
static bool trace(struct backend *backend, const struct literals *assumptions, FILE *drat) {
    struct cadical *cadical = cadical_new(must_stop, backend);
    cadical_trace(cadical, print_dimacs_clause, drat);
    each_clause(backend->sat, assumptions, give_clause, cadical);
    int answer = 0;
    if (watchdog_enter(backend->watchdog)) {
        answer = cadical_solve(cadical, NULL, 0);
        if (!watchdog_leave(backend->watchdog))
            answer = 0;
    }
    cadical_free(cadical);
    return answer < 0;
}

static bool sat_proof(struct backend *backend, const literal *assumptions, size_t count,
                      FILE *dimacs, FILE *drat, FILE *names) {
    struct literals list = open_assumptions(assumptions, count);
    assert(backend->named);
    fprintf(dimacs, "p cnf %zu %zu\n", backend->variable_count + 1,
            backend->clause_count + 1 + list.count);
    each_clause(backend->sat, &list, print_dimacs_clause, dimacs);
    print_names(backend, names);
    bool is_proven = trace(backend, &list, drat);
    if (is_proven)
        fputs("0\n", drat);
    free(list.at);
    return is_proven && !ferror(dimacs) && !ferror(drat) && !ferror(names);
}

// --- The table ---------------------------------------------------------------------------------

static const struct engine_calls functions = {
#define ENGINE_FUNCTION(result, name, ...) .name = sat_##name,
#include "solver/backend/engine.def"
#undef ENGINE_FUNCTION
    .proof = sat_proof,
};

const struct engine_calls *const sat_engine = &functions;
