// Checks of a problem in Z3, the values in the model that a check found, and a problem as SMT-LIB.

#include "solver/backend/z3_internal.h"
#include "solver/backend/watchdog.h"

#include "litmus/source/allocate.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Checks ------------------------------------------------------------------------------------

// Z3 stops cleanly when it was given a limit of conflicts. What it holds after anything else cannot
// be trusted again: an allocation that failed inside looks like the limit of memory.
static enum answer gave_up(struct backend *backend) {
    char reason[sizeof backend->reason_text];
    const char *text = Z3(solver_get_reason_unknown)(backend->z3->context, backend->z3->solver);
    if (!z3_gave(backend, text, "answer"))
        return ANSWER_UNKNOWN;
    bool memory = strstr(text, "memory") != NULL;
    snprintf(reason, sizeof reason, "Z3 gave up: %s", *text == '\0' ? "no reason given" : text);
    if (memory)
        z3_fail_with_code(backend, Z3_MEMOUT_FAIL);
    else if (strstr(text, "conflicts") == NULL)
        backend_err(backend, REASON_SOLVER, reason);
    backend->reason = memory ? REASON_MEMORY : REASON_SOLVER;
    memcpy(backend->reason_text, reason, sizeof reason);
    backend->z3->must_renew = backend->z3->must_renew || memory;
    return ANSWER_UNKNOWN;
}

enum answer z3_solve(struct backend *backend, const literal *assumptions, size_t count) {
    assert(assumptions != NULL || count == 0);
    Z3_ast *asts = count == 0 ? NULL : allocate(count, sizeof *asts);
    unsigned kept = 0;
    for (size_t i = 0; i < count; i++)
        if (assumptions[i] != LITERAL_TRUE)
            asts[kept++] = z3_ast(backend, assumptions[i]);
    backend->z3->checking = true;
    backend->z3->check_error = Z3_OK;
    Z3_lbool result = kept == 0 ? Z3(solver_check)(backend->z3->context, backend->z3->solver)
                                : Z3(solver_check_assumptions)(backend->z3->context,
                                                               backend->z3->solver, kept, asts);
    backend->z3->checking = false;
    free(asts);
    return result == Z3_L_UNDEF ? ANSWER_UNKNOWN : result == Z3_L_FALSE ? ANSWER_UNSAT : ANSWER_SAT;
}

enum answer z3_found(struct backend *backend, enum answer answer) {
    if (backend->z3->check_error != Z3_OK) {
        z3_fail_with_code(backend, backend->z3->check_error);
        return ANSWER_UNKNOWN;
    }
    if (answer == ANSWER_UNKNOWN)
        return gave_up(backend);
    if (answer == ANSWER_UNSAT)
        return ANSWER_UNSAT;
    Z3_model model = Z3(solver_get_model)(backend->z3->context, backend->z3->solver);
    if (!z3_gave(backend, model, "model"))
        return ANSWER_UNKNOWN;
    backend->z3->model = model;
    Z3(model_inc_ref)(backend->z3->context, backend->z3->model);
    return backend_failed(backend) ? ANSWER_UNKNOWN : ANSWER_SAT;
}

void z3_limit_conflicts(struct backend *backend, unsigned conflicts) {
    Z3_context context = backend->z3->context;
    Z3_params params = Z3(mk_params)(context);
    if (!z3_gave(backend, params, "parameters"))
        return;
    Z3(params_inc_ref)(context, params);
    Z3(params_set_uint)(context, params, Z3(mk_string_symbol)(context, "max_conflicts"), conflicts);
    Z3(solver_set_params)(context, backend->z3->solver, params);
    Z3(params_dec_ref)(context, params);
}

// The value of an expression in the model, borrowed until the next call. NULL after a failure, and
// whatever fails here is one: no caller can take it for a value.
static Z3_ast evaluate(struct backend *backend, Z3_ast ast) {
    Z3_ast value = NULL;
    if (!z3_gave(backend, backend->z3->model, "model") || !z3_gave(backend, ast, "term"))
        return NULL;
    bool evaluated = Z3(model_eval)(backend->z3->context, backend->z3->model, ast, true, &value);
    return z3_gave(backend, evaluated ? value : NULL, "value") ? value : NULL;
}

bool z3_literal_value(struct backend *backend, literal l) {
    Z3_ast value = evaluate(backend, z3_ast(backend, l));
    if (value == NULL)
        return false;
    Z3_lbool truth = Z3(get_bool_value)(backend->z3->context, value);
    if (truth == Z3_L_UNDEF)
        backend_err(backend, REASON_SOLVER, "Z3's model has a Boolean without a value");
    return truth == Z3_L_TRUE;
}

static uint64_t word_value(struct backend *backend, Z3_ast ast) {
    uint64_t word = 0;
    Z3_ast value = evaluate(backend, ast);
    if (value != NULL && !Z3(get_numeral_uint64)(backend->z3->context, value, &word))
        backend_err(backend, REASON_SOLVER, "Z3's model has a value that is not a number");
    return word;
}

// 0 after a failure.
static unsigned width_of(struct backend *backend, Z3_ast ast) {
    Z3_sort sort = backend_failed(backend) ? NULL : Z3(get_sort)(backend->z3->context, ast);
    if (!z3_gave(backend, sort, "sort"))
        return 0;
    unsigned width = Z3(get_bv_sort_size)(backend->z3->context, sort);
    if (width == 0)
        backend_err(backend, REASON_SOLVER, "Z3 has a bit-vector without bits");
    return width;
}

struct bits128 z3_term_value(struct backend *backend, term t) {
    assert(t < backend->z3->term_count);
    struct bits128 value = {0, 0};
    Z3_ast ast = backend->z3->terms[t];
    unsigned width = width_of(backend, ast);
    if (width <= 64)
        return (struct bits128){width == 0 ? 0 : word_value(backend, ast), 0};
    for (unsigned part = 0; part < 2; part++) {
        unsigned last = part == 0 ? 63 : (width > 128 ? 127 : width - 1);
        Z3_ast word = z3_hold(backend, Z3(mk_extract)(backend->z3->context, last, part * 64, ast));
        if (word == NULL)
            return value;
        *(part == 0 ? &value.low : &value.high) = word_value(backend, word);
        z3_drop(backend, word);
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
    assert(assumptions != NULL || count == 0);
    Z3_context context = backend->z3->context;
    Z3_solver copy = Z3(mk_simple_solver)(context);
    if (!z3_gave(backend, copy, "solver"))
        return NULL;
    Z3(solver_inc_ref)(context, copy);
    for (unsigned i = 0; i < Z3(ast_vector_size)(context, clauses) && !backend_failed(backend); i++)
        Z3(solver_assert)(context, copy, Z3(ast_vector_get)(context, clauses, i));
    for (size_t i = 0; i < count && !backend_failed(backend); i++)
        if (assumptions[i] != LITERAL_TRUE && assumptions[i] != LITERAL_FALSE)
            Z3(solver_assert)(context, copy, z3_ast(backend, assumptions[i]));
    const char *text = backend_failed(backend) ? NULL : Z3(solver_to_string)(context, copy);
    char *result = z3_gave(backend, text, "text") ? with_tail(text) : NULL;
    Z3(solver_dec_ref)(context, copy);
    return result;
}

char *z3_dump(struct backend *backend, const literal *assumptions, size_t count) {
    assert(assumptions != NULL || count == 0);
    Z3_ast_vector clauses = Z3(solver_get_assertions)(backend->z3->context, backend->z3->solver);
    if (!z3_gave(backend, clauses, "list"))
        return NULL;
    Z3(ast_vector_inc_ref)(backend->z3->context, clauses);
    char *text = print_copy(backend, clauses, assumptions, count);
    Z3(ast_vector_dec_ref)(backend->z3->context, clauses);
    return text;
}
