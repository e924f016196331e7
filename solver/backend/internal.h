// What the files of the backend share: the backend, its engines, and how it fails. backend.c is the
// door, the z3 files are one engine; sat.c (clauses and models), cadical.c (the thin end to
// CaDiCaL) and circuits.c (bit-vectors) are the other.
#ifndef PTXLITMUS_SOLVER_BACKEND_INTERNAL_H
#define PTXLITMUS_SOLVER_BACKEND_INTERNAL_H

#include "solver/backend/backend.h"
#include "solver/backend/circuits.h"
#include "solver/backend/literals.h"
#include "solver/backend/watchdog.h"

struct sat;
struct walk;
struct z3;

// What an engine does.
struct engine_calls {
#define ENGINE_FUNCTION(result, name, ...) result (*name)(__VA_ARGS__);
#include "solver/backend/engine.def"
#undef ENGINE_FUNCTION
    // See backend_proof; NULL where the engine writes none.
    bool (*proof)(struct backend *backend, const literal *assumptions, size_t count, FILE *dimacs,
                  FILE *drat, FILE *names);
};

// Z3 and CaDiCaL; NULL where a build, or a program, has none.
extern const struct engine_calls *const z3_engine, *const sat_engine;

struct backend {
    struct watchdog *watchdog;
    struct z3 *z3;
    struct sat *sat;
    const struct engine_calls *next; // of problems that begin
    bool spares_process;             // bounds are looked at, not set
    // The problem:
    const struct engine_calls *engine; // NULL: there is none
    const struct walk *walk;           // at a model that no check has replaced yet; else NULL
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

// Whether Z3's library cannot be found when it is first needed. (Not where memory ends then: that
// is a failure, which is said.)
bool z3_is_missing(void);
// Returns the state of Z3, which z3_free releases with all that it has.
struct z3 *z3_new(void);
// See backend_free.
void z3_free(struct backend *backend);
// See backend_abandon.
void z3_abandon(struct backend *backend);

#endif
