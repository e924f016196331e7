// One execution of a program, and whether it remains allowed when the program is made stronger.
#ifndef PTXLITMUS_SOLVER_FIND_H
#define PTXLITMUS_SOLVER_FIND_H

#include "solver/solver.h"

struct held_execution;

// What the execution has to be.
struct find_question {
    bool violates;                  // it does not satisfy the condition, where it otherwise has to
    const struct model_axiom *flag; // it has this flag, whatever the condition says; or NULL
};

// Called with an execution that was found, while it is known. The execution is `found`'s until
// then.
typedef void (*found_visitor)(void *context, struct held_execution *found);

// Looks for an execution of `program` that ends, within the bounds of loops, and answers the
// question (and passes the filter, where it is about the condition). `visit` may be NULL.
// TRUTH_UNKNOWN for the reason in `*reason`.
enum truth solver_find(struct solver *solver, struct arena *arena, const struct program *program,
                       const struct model *model, const struct solver_options *options,
                       const struct find_question *question, enum unknown_reason *reason,
                       found_visitor visit, void *context);

// Whether the execution that was found answers the same question of a changed program: the same
// events with other orders, scopes, spaces and kinds of fences, or with fences that did not execute
// in the first one. Reads take their values from the same writes, coherence is the same. False also
// where that is not known, since fence.sc that are new would have to be ordered in too many ways.
// `changed` shares the expressions of the program that was asked about. The order of fence.sc with
// which it was allowed is kept for the next question, about a program that is stronger.
bool found_is_allowed(struct held_execution *found, const struct program *changed);

// What keeps the execution that was found out of a changed program.
struct found_break {
    const struct model_axiom *axiom; // the first that it breaks, or NULL
    unsigned (*pairs)[2];            // of the relation, in the changed program and not before
    size_t pair_count;
};

// Evaluates the execution in a changed program, and which pairs of events a relation of the model,
// given by its name in the text, has there that it did not have. `arena` owns the pairs.
struct found_break found_compare(struct held_execution *found, const struct program *changed,
                                 const char *relation, struct arena *arena);

#endif
