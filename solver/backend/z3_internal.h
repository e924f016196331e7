// What the files of the backend share: one backend with its context, and what every call into Z3
// goes through. z3.c has contexts and problems, z3_terms.c what problems are made of, z3_check.c
// checks and what they found. Only these include z3.h.
#ifndef PTXLITMUS_SOLVER_BACKEND_Z3_INTERNAL_H
#define PTXLITMUS_SOLVER_BACKEND_Z3_INTERNAL_H

#include "solver/backend/backend.h"

#include <z3.h>

// The widest bit-vector.
enum { WIDTH_MAX = 256 };

// A Boolean and its negation.
struct atom {
    Z3_ast yes, no;
};

struct atoms {
    struct atom *items;
    size_t count, capacity;
};

struct backend {
    struct backend *next; // of those with a context
    struct watchdog *watchdog;
    Z3_context context;
    Z3_sort boolean;
    Z3_sort bits[WIDTH_MAX + 1]; // made when needed
    struct atoms kept;           // Boolean constants of the context, by number
    size_t lost_mb;              // in use without any context: Z3 leaks when it is out of memory
    bool must_renew;             // the context is not to be used for another problem
    size_t memory_mb;            // limit of the process as it is set now

    // The problem:
    Z3_solver solver;
    Z3_model model;
    bool named;
    size_t bound_mb;    // of its memory; 0: none
    size_t kept_used;   // how many of `kept` the problem uses
    struct atoms atoms; // by literal: 0 (LITERAL_NONE) and 1 have no ASTs
    struct atoms owned; // atoms to release at its end
    Z3_ast *terms;
    size_t term_count, term_capacity;
    bool checking;               // an error is not one yet: an interrupt may be its cause
    Z3_error_code check_error;   // the first one of this check
    bool erred;                  // no answer of Z3 is to be trusted
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

// Fails with an error of Z3's: running out of memory is a limit where one was asked for, and else
// an allocation that failed.
void backend_fail_with_code(struct backend *backend, Z3_error_code code);

// Whether Z3 gave something, after whatever call: false, with a failure, when `answer` is NULL, and
// when an earlier call failed. `what`: its kind, for the message.
bool backend_gave(struct backend *backend, const void *answer, const char *what);

// Fails when the run has to end (timeout, interrupt). Returns whether it has to.
bool backend_stopped(struct backend *backend);

// Whether the problem has failed, or the run has to end: cheap, looks at the clock now and then.
bool backend_failed_or_stopped(struct backend *backend);

// Takes a reference to a fresh object, for the caller to drop. NULL after a failure.
Z3_ast backend_hold(struct backend *backend, Z3_ast ast);
void backend_drop(struct backend *backend, Z3_ast ast); // NULL: nothing

// Appends an atom; its references go to the owner of the list.
void atoms_add(struct atoms *atoms, struct atom atom);

// An array with more room, of items of `size` bytes: in place of `items`, which are moved.
void *backend_grow(void *items, size_t *capacity, size_t size);

// Forgets the model of the last check.
void backend_drop_model(struct backend *backend);

// The Z3 Boolean of a literal of the problem, not a constant. Borrowed until the problem's end.
Z3_ast backend_ast(const struct backend *backend, literal l);

#endif
