// The one door to the SMT solver: Booleans, clauses, bit-vectors, checks, values. No type of Z3
// passes through it.
//
// A backend is reused from problem to problem. Nothing that goes wrong inside Z3 ends the process:
// after a failure every function is a no-op that returns LITERAL_NONE or some term, and every check
// answers "unknown" with the reason, so that callers need not look after each call.
#ifndef PTXLITMUS_SOLVER_BACKEND_BACKEND_H
#define PTXLITMUS_SOLVER_BACKEND_BACKEND_H

#include "litmus/program/expr/expr.h"
#include "solver/solver.h"

#include <stdbool.h>
#include <stddef.h>

struct backend;
struct watchdog;

// A Boolean: one of the two constants, or a variable of the problem; its minus is its negation.
// LITERAL_NONE is what was not encoded since the problem had failed: neither true nor false, and so
// is its negation. A literal that is LITERAL_FALSE cannot be, whatever happened meanwhile.
typedef int literal;
enum { LITERAL_NONE = 0, LITERAL_TRUE = 1, LITERAL_FALSE = -1 };

// A bit-vector of the problem, by number.
typedef unsigned term;

enum answer { ANSWER_UNKNOWN, ANSWER_UNSAT, ANSWER_SAT };

struct backend *backend_new(void);
void backend_free(struct backend *backend);

// Stops what watches over a backend, and leaves the rest as it is, for what it was at is not known.
void backend_abandon(struct backend *backend);

// Starts a problem; the one before is forgotten. `memory_mb` bounds Z3's heap (0: no bound);
// `named` gives variables names that a person can read, for backend_dump. The timeout of the run is
// the watchdog's.
void backend_begin(struct backend *backend, size_t memory_mb, bool named);
void backend_end(struct backend *backend);

// Says that `bytes` of the bound are in use outside Z3, which may have the rest. Z3 is out of
// memory when both together have passed it.
void backend_share_memory(struct backend *backend, size_t bytes);

// Starts, stops and interrupts runs; borrowed until backend_free.
struct watchdog *backend_watchdog(struct backend *backend);

// Why the last check answered "unknown", or why the problem cannot go on: REASON_NONE when all is
// well. The text is borrowed until the next check.
enum unknown_reason backend_reason(const struct backend *backend, const char **text);

// Whether nothing more can be done: all checks answer "unknown" from now on, and values that were
// read since the last check are not to be used.
bool backend_failed(const struct backend *backend);

// Whether that is so because a call into Z3 went wrong, and not because a limit was reached: then
// nothing that the problem gave so far is to be used.
bool backend_erred(const struct backend *backend);

// --- Booleans ----------------------------------------------------------------------------------

// A new variable; `kind`, `a` and `b` make its name where the problem is `named`.
literal backend_variable(struct backend *backend, const char *kind, unsigned a, unsigned b);

// Asserts that one of the literals holds. Constants are simplified away.
void backend_clause(struct backend *backend, const literal *literals, size_t count);

// --- Bit-vectors -------------------------------------------------------------------------------

term backend_term_variable(struct backend *backend, unsigned width, const char *kind, unsigned a);
term backend_term_constant(struct backend *backend, unsigned width, struct bits128 value);
// Applies an operator of expressions (not a leaf or constant) to terms; `width` is the result's.
term backend_term_apply(struct backend *backend, const struct expr *operation, const term *args);
// `then_value` where the condition holds, else `else_value`.
term backend_term_choose(struct backend *backend, literal condition, term then_value,
                         term else_value);
// Whether two terms of one width are equal, as a literal.
literal backend_term_equal(struct backend *backend, term a, term b);

// --- Checks ------------------------------------------------------------------------------------

// Whether the clauses have a model in which all assumptions hold.
enum answer backend_check(struct backend *backend, const literal *assumptions, size_t count);

// The same, but answers "unknown" after that many conflicts, and that leaves no trace: the next
// check is as if this one had not been.
enum answer backend_check_briefly(struct backend *backend, const literal *assumptions, size_t count,
                                  unsigned conflicts);

// Values in the model of the last check, which answered ANSWER_SAT. What cannot be read is 0 and
// makes backend_failed true, so whoever has read values asks that before using them.
bool backend_literal_value(struct backend *backend, literal l);
struct bits128 backend_term_value(struct backend *backend, term t);

// The clauses and assumptions in SMT-LIB 2, a text owned by the caller (free), or NULL.
char *backend_dump(struct backend *backend, const literal *assumptions, size_t count);

size_t backend_variable_count(const struct backend *backend);
size_t backend_clause_count(const struct backend *backend);
size_t backend_check_count(const struct backend *backend);
double backend_check_ms(const struct backend *backend); // spent in checks

#endif
