// Problems of clauses alone, for CaDiCaL: a log of the clauses, from which proofs and texts are
// made, the model of the last check, and bit-vectors as lists of literals (circuits.h).
//
// The functions are for problems that are CaDiCaL's, and have no effect after a failure.
#ifndef PTXLITMUS_SOLVER_BACKEND_SAT_H
#define PTXLITMUS_SOLVER_BACKEND_SAT_H

#include "solver/backend/internal.h"

// See backend_begin.
void sat_begin(struct backend *backend, size_t memory_mb);
// See backend_end.
void sat_end(struct backend *backend);

// See backend_variable.
literal sat_variable(struct backend *backend, const char *kind, unsigned a, unsigned b);
// See backend_clause.
void sat_clause(struct backend *backend, const literal *literals, size_t count);

// Returns the clauses.
const struct literals *sat_log(const struct backend *backend);
// Whether the problem has bit-vectors.
bool sat_has_terms(const struct backend *backend);

// See backend_term_variable.
term sat_term_variable(struct backend *backend, unsigned width, const char *kind, unsigned a);
// See backend_term_constant.
term sat_term_constant(struct backend *backend, unsigned width, struct bits128 value);
// See backend_term_apply.
term sat_term_apply(struct backend *backend, const struct expr *operation, const term *args);
// See backend_term_choose.
term sat_term_choose(struct backend *backend, literal condition, term then_value, term else_value);
// See backend_term_equal.
literal sat_term_equal(struct backend *backend, term a, term b);

// Runs a check, which ends when the watchdog says so.
enum answer sat_solve(struct backend *backend, const literal *assumptions, size_t count);

// Looks at what became of it, and takes the model. Returns the answer that holds.
enum answer sat_found(struct backend *backend, enum answer answer);

// Bounds the conflicts of the next check; UINT32_MAX: not.
void sat_limit_conflicts(struct backend *backend, unsigned conflicts);

// See backend_literal_value.
bool sat_literal_value(struct backend *backend, literal l);
// See backend_term_value.
struct bits128 sat_term_value(struct backend *backend, term t);

// Fails when the process has more on its heap than the problem's bound.
void sat_look_at_memory(struct backend *backend);

// See backend_dump.
char *sat_dump(struct backend *backend, const literal *assumptions, size_t count);
// See backend_proof.
bool sat_proof(struct backend *backend, const literal *assumptions, size_t count, FILE *dimacs,
               FILE *drat, FILE *names);

#endif
