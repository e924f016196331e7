// What the files of the backend share: the backend, and how it fails. backend.c is the door, the
// z3 files are one engine; sat.c (clauses and models), cadical.c (the thin end to CaDiCaL) and
// circuits.c (bit-vectors) are the other.
#ifndef PTXLITMUS_SOLVER_BACKEND_INTERNAL_H
#define PTXLITMUS_SOLVER_BACKEND_INTERNAL_H

#include "solver/backend/backend.h"
#include "solver/backend/circuits.h"
#include "solver/backend/watchdog.h"

struct sat;
struct walk;
struct z3;

// A list of literals that grows: clauses have a 0 after each, and no constants.
struct literals {
    literal *at;
    size_t count, capacity;
};

struct backend {
    struct watchdog *watchdog;
    struct z3 *z3;
    enum engine engine;  // of problems that begin
    bool spares_process; // bounds are looked at, not set
    // The problem:
    struct sat *sat;         // NULL: it is Z3's
    struct literals log;     // Z3's clauses
    bool log_is_cut;         // there were too many: they are not there any more
    const struct walk *walk; // at a model that no check has replaced yet; else NULL
    bool named;
    size_t bound_mb;             // of its memory; 0: none
    bool erred;                  // no answer of the engine is to be trusted
    enum unknown_reason failure; // the problem cannot go on
    enum unknown_reason reason;  // of the last check
    char reason_text[256];
    size_t clause_count, check_count, variable_count;
    size_t steps; // of building problems
    double check_ms;
};

// Fails for a limit of the run, or an interrupt: the problem cannot go on. The
// first reason stays. `text` is copied.
void backend_fail(struct backend *backend, enum unknown_reason reason, const char *text);

// Fails because something went wrong that is not a limit of the run.
void backend_err(struct backend *backend, enum unknown_reason reason, const char *text);

// Fails when the run has to end (timeout, interrupt). Returns whether it has to.
bool backend_stopped(struct backend *backend);

// Whether the problem has failed, or the run has to end: cheap, looks at the clock now and then.
bool backend_failed_or_stopped(struct backend *backend);

// --- Z3 ----------------------------------------------------------------------------------------
// For problems that are Z3's and have not failed.

// Whether this build has Z3. Without it no problem is Z3's.
bool z3_is_there(void);

// Whether Z3's library cannot be found when it is first needed. (Not where memory ends then: that
// is a failure, which is said.)
bool z3_is_missing(void);
// Returns the state of Z3, which z3_free releases with all that it has.
struct z3 *z3_new(void);
// See backend_free.
void z3_free(struct backend *backend);
// See backend_abandon.
void z3_abandon(struct backend *backend);
// See backend_begin.
void z3_begin(struct backend *backend, size_t memory_mb);
// See backend_end.
void z3_end(struct backend *backend);
// See backend_share_memory; in MiB.
void z3_share_memory(struct backend *backend, size_t used_mb);
// See backend_variable.
literal z3_variable(struct backend *backend, const char *kind, unsigned a, unsigned b);
// See backend_clause. Returns whether the engine got a clause.
bool z3_clause(struct backend *backend, const literal *literals, size_t count);
// Whether the problem has bit-vectors.
bool z3_has_terms(const struct backend *backend);
// See backend_term_variable.
term z3_term_variable(struct backend *backend, unsigned width, const char *kind, unsigned a);
// See backend_term_constant.
term z3_term_constant(struct backend *backend, unsigned width, struct bits128 value);
// See backend_term_apply.
term z3_term_apply(struct backend *backend, const struct expr *operation, const term *args);
// See backend_term_choose.
term z3_term_choose(struct backend *backend, literal condition, term then_value, term else_value);
// See backend_term_equal.
literal z3_term_equal(struct backend *backend, term a, term b);
// See backend_literal_value.
bool z3_literal_value(struct backend *backend, literal l);
// See backend_term_value.
struct bits128 z3_term_value(struct backend *backend, term t);
// See backend_dump.
char *z3_dump(struct backend *backend, const literal *assumptions, size_t count);

// Forgets the model of the last check.
void z3_drop_model(struct backend *backend);

// Runs a check, in which z3_stop may be called.
enum answer z3_solve(struct backend *backend, const literal *assumptions, size_t count);

// Looks at what became of it, and takes the model. Returns the answer that holds.
enum answer z3_found(struct backend *backend, enum answer answer);

// Interrupts a check from another thread.
void z3_stop(struct backend *backend);

// Bounds the conflicts of later checks; UINT32_MAX: not.
void z3_limit_conflicts(struct backend *backend, unsigned conflicts);

#endif
