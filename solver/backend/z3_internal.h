// What the files of Z3 share: its context, and what every call into Z3 goes through. z3.c has
// contexts and problems, z3_terms.c what problems are made of, z3_check.c checks and what they
// found.
#ifndef PTXLITMUS_SOLVER_BACKEND_Z3_INTERNAL_H
#define PTXLITMUS_SOLVER_BACKEND_Z3_INTERNAL_H

#include "solver/backend/internal.h"
#include "solver/backend/z3_functions.h"

// A Boolean and its negation.
struct atom {
    Z3_ast yes, no;
};

struct atoms {
    struct atom *items;
    size_t count, capacity;
};

struct z3 {
    struct backend *next; // of those with a context
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
    size_t kept_used;    // how many of `kept` the problem uses
    struct atoms atoms;  // by literal: 0 (LITERAL_NONE) and 1 have no ASTs
    struct atoms owned;  // atoms to release at its end
    struct literals log; // the clauses
    bool log_is_cut;     // there were too many: they are not there any more
    Z3_ast *terms;
    size_t term_count, term_capacity;
    bool checking;             // an error is not one yet: an interrupt may be its cause
    Z3_error_code check_error; // the first one of this check
};

// What Z3 does: the functions of its table.
#define ENGINE_FUNCTION(result, name, ...) result z3_##name(__VA_ARGS__);
#include "solver/backend/engine.def"
#undef ENGINE_FUNCTION

// Fails with an error of Z3's: running out of memory is a limit where one was asked for, and else
// an allocation that failed.
void z3_fail_with_code(struct backend *backend, Z3_error_code code);

// Whether Z3 gave something, after whatever call: false, with a failure, when `answer` is NULL, and
// when an earlier call failed. `what`: its kind, for the message.
bool z3_gave(struct backend *backend, const void *answer, const char *what);

// Takes a reference to a fresh object, for the caller to drop. NULL after a failure.
Z3_ast z3_hold(struct backend *backend, Z3_ast ast);

// The same for a sort, which is kept with the context.
Z3_sort z3_hold_sort(struct backend *backend, Z3_sort sort);
void z3_drop(struct backend *backend, Z3_ast ast); // NULL: nothing

// Appends an atom; its references go to the owner of the list.
void atoms_add(struct atoms *atoms, struct atom atom);

// Empties the log.
void z3_drop_log(struct backend *backend);

// The Z3 Boolean of a literal of the problem, not a constant. Borrowed until the problem's end.
Z3_ast z3_ast(const struct backend *backend, literal l);

#endif
