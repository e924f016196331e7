// The only interface to the engines that decide: Booleans, clauses, bit-vectors, checks, values. No
// type of an engine appears in it. Bit-vector operations mean what they mean in SMT-LIB.
//
// There are two engines: Z3, and CaDiCaL, which has clauses only, so that bit-vectors become
// circuits (circuits.h). What they answer is the same; they share nothing but what calls them.
//
// A backend is reused from problem to problem. An error inside Z3 does not end the process:
// after a failure every function is a no-op that returns LITERAL_NONE or some term, and every check
// answers "unknown" with the reason, so that callers need not look after each call.
#ifndef PTXLITMUS_SOLVER_BACKEND_BACKEND_H
#define PTXLITMUS_SOLVER_BACKEND_BACKEND_H

#include "program/expr/expr.h"
#include "solver/solver.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct backend;
struct watchdog;

// A Boolean: one of the two constants, or a variable of the problem; its minus is its negation.
// LITERAL_NONE stands for what was not encoded because the problem had failed: it is neither true
// nor false, and neither is its negation. A literal that is LITERAL_FALSE is false for certain,
// even after a failure.
typedef int literal;
enum { LITERAL_NONE = 0, LITERAL_TRUE = 1, LITERAL_FALSE = -1 };

// Some literals as two arguments: a list, and how many they are.
#define LITERALS(...)                                                                              \
    (const literal[]){__VA_ARGS__}, sizeof((const literal[]){__VA_ARGS__}) / sizeof(literal)

// A bit-vector of the problem, by number.
typedef unsigned term;

enum answer { ANSWER_UNKNOWN, ANSWER_UNSAT, ANSWER_SAT };

// Makes a backend with a watchdog; Z3's context is made with the first problem for it. The caller
// frees it with backend_free. Never NULL; without a context, every check answers "unknown".
struct backend *backend_new(void);

// Chooses the engine of the problems that begin from now on, Z3 before the first call. It must be
// there (solver_has_engine). CaDiCaL takes Z3's place where Z3's library is not found.
void backend_choose(struct backend *backend, enum engine engine);

// Frees a backend and its watchdog.
void backend_free(struct backend *backend);

// From now on, no problem sets a bound that holds for the whole process, whose other parts may use
// Z3, too: what is in use is looked at instead, when something is built and within searches, and
// `memory_mb` is what may come to it.
void backend_spare_process(struct backend *backend);

// Ends the watchdog of a backend and leaves the rest as it is, since its state is not known.
void backend_abandon(struct backend *backend);

// Starts a problem; the one before is forgotten. `memory_mb` bounds the engine's heap, in MiB (0:
// no bound; CaDiCaL's is that of the process); `named` gives variables names that a person can
// read, for backend_dump and backend_proof. The timeout of the run is the watchdog's.
void backend_begin(struct backend *backend, size_t memory_mb, bool named);

// Ends the problem and frees what the engine had for it.
void backend_end(struct backend *backend);

// Says that `bytes` of the bound are in use outside the engine, which may have the rest. It is out
// of memory when both together have passed it.
void backend_share_memory(struct backend *backend, size_t bytes);

// Returns the watchdog, which starts, stops and interrupts runs; it lives as long as the backend.
struct watchdog *backend_watchdog(struct backend *backend);

// Returns why the last check answered "unknown", or why the problem cannot go on; REASON_NONE when
// all is well. `*text` is set to the engine's words, or
// NULL, and is borrowed until the next check.
enum unknown_reason backend_reason(const struct backend *backend, const char **text);

// Whether the problem has failed: all checks answer "unknown" from now on, and values that were
// read since the last check must not be used.
bool backend_failed(const struct backend *backend);

// Whether that is so because a call into the engine went wrong, and not because a limit was
// reached: then none of the problem's answers may be used, including earlier ones.
bool backend_erred(const struct backend *backend);

// --- Booleans ----------------------------------------------------------------------------------

// Returns a new variable; `kind`, `a` and `b` make up its name where the problem is `named`.
literal backend_variable(struct backend *backend, const char *kind, unsigned a, unsigned b);

// Asserts that one of the literals holds. Constants are simplified away.
void backend_clause(struct backend *backend, const literal *literals, size_t count);

// --- Bit-vectors -------------------------------------------------------------------------------

// Returns a new variable of `width` bits; `kind` and `a` make up its name.
term backend_term_variable(struct backend *backend, unsigned width, const char *kind, unsigned a);

// Returns a constant of `width` bits.
term backend_term_constant(struct backend *backend, unsigned width, struct bits128 value);

// Returns the result of an expression's operator (not a leaf or constant) on terms, one for each of
// its operands, whose own values are not looked at.
term backend_term_apply(struct backend *backend, const struct expr *operation, const term *args);

// Returns `then_value` where the condition holds, else `else_value`, which has the same width.
term backend_term_choose(struct backend *backend, literal condition, term then_value,
                         term else_value);

// Returns a literal that holds exactly when two terms of one width are equal.
literal backend_term_equal(struct backend *backend, term a, term b);

// --- Checks ------------------------------------------------------------------------------------

// Whether the clauses have a model in which all assumptions hold.
enum answer backend_check(struct backend *backend, const literal *assumptions, size_t count);

// The same, but answers "unknown" after so many conflicts. That leaves no trace: the next check
// behaves as if there had been none.
enum answer backend_check_briefly(struct backend *backend, const literal *assumptions, size_t count,
                                  unsigned conflicts);

// What tells models apart: whether `none` holds, and where it does not, which of the options does.
// One of them holds in every model, and only one.
struct backend_choice {
    literal none;
    const literal *options;
    size_t count;
};

enum walk_end {
    WALK_MORE,    // `visit` wanted no more
    WALK_ALL,     // there are no other models
    WALK_GAVE_UP, // there may be others: it would have taken a search, or the time was over
};

// Calls `visit` with models of the clauses in which all assumptions hold, one for each way in which
// the choices can be made, until it returns false. The engine has no part in that (walk.h): each
// model is held against all clauses, but whether there are more, only a check can tell for sure.
// Where a problem has bit-vectors, or very many clauses, there is no walk (WALK_GAVE_UP). In
// `visit`, values are those of the model, until a check.
enum walk_end backend_walk(struct backend *backend, const literal *assumptions, size_t count,
                           const struct backend_choice *choices, size_t choice_count,
                           bool (*visit)(void *context), void *context);

// Returns the value of a literal in the model of the last check, which answered ANSWER_SAT, or of a
// walk. When it cannot be read, it is false and backend_failed becomes true: ask that before using
// values.
bool backend_literal_value(struct backend *backend, literal l);

// Returns the value of a term in that model, in the same way; 0 when it cannot be read.
struct bits128 backend_term_value(struct backend *backend, term t);

// Returns the clauses and assumptions in SMT-LIB 2, a text that the caller frees, or NULL when Z3
// cannot print it.
char *backend_dump(struct backend *backend, const literal *assumptions, size_t count);

// Writes that the clauses have no model in which all assumptions hold, which an earlier check has
// said: the clauses, and the assumptions as clauses of one literal, in DIMACS; CaDiCaL's proof, in
// the text form of DRAT; and what each variable stands for, in lines "NUMBER KIND A B" (where the
// problem is `named`). The problem must be CaDiCaL's. Clauses are decided once more for this.
// Returns false when that cannot be done within the limits, or when a stream has an error.
bool backend_proof(struct backend *backend, const literal *assumptions, size_t count, FILE *dimacs,
                   FILE *drat, FILE *names);

// Fills in how many Boolean variables the problem has, how many clauses were handed to the engine
// and how many checks were made for it, and how many milliseconds these took.
void backend_count(const struct backend *backend, struct solver_stats *stats);

#endif
