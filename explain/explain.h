// Explanations: an execution that has an outcome, or what it takes to forbid it.
#ifndef PTXLITMUS_EXPLAIN_EXPLAIN_H
#define PTXLITMUS_EXPLAIN_EXPLAIN_H

#include "explain/events.h"
#include "explain/steps.h"
#include "solver/search.h"

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct diagnostics;

// A value that a column of the states has.
struct wanted_value {
    size_t observed; // index into program->observed
    struct bits128 value;
};

// The outcome that is explained: the test's condition, its negation, or a state.
struct explain_target {
    bool negated;
    const struct wanted_value
        *values; // of a state, which may leave columns out; NULL: the condition
    size_t value_count;
};

// An execution that has the outcome and breaks one axiom of those that it takes, and no other of
// them.
struct breach {
    const struct model_axiom *axiom;
    const struct found_execution *execution;
    bool alone;             // it breaks no other axiom of the model at all
    struct step_list steps; // the cycle, or the pair, that the axiom forbids
};

// A part of the outcome that no choice of writes gives; or, where the parts are possible one by
// one, what a column can be.
struct missing_value {
    size_t observed; // the column
    bool has_wanted;
    struct bits128 wanted;    // by the outcome
    struct bits128 *possible; // what it can be at all
    size_t possible_count;
    bool cut; // there may be more of these
};

struct explanation {
    const struct program *program; // of the executions
    const struct model *model;
    struct event_names names;
    enum truth reachable;       // whether some execution that the model allows has the outcome
    enum unknown_reason reason; // why that, or the rest, is not known
    const char *reason_text;
    const struct found_execution *example; // TRUTH_YES: one that has
    const struct model_axiom *nearest;     // the axiom that is nearest to excluding that; or NULL
    struct step_list lacking;              // what it would take: orders, scopes and fences
    // TRUTH_NO: the axioms that it takes together to forbid it, of which none can be spared, each
    // with an execution. None when no execution at all has the outcome.
    struct breach *breaches;
    size_t breach_count;
    // The axiom that was never left out, since without it the solver does not come to an end; NULL:
    // there is none.
    const struct model_axiom *assumed;
    struct missing_value *missing; // then: why
    size_t missing_count;
};

// Explains whether an outcome is possible. The result lives in `arena`; the other arguments are
// borrowed, and the program, the model and the test have to live as long as the result. NULL after
// errors in `diagnostics`.
struct explanation *explain_outcome(struct arena *arena, struct solver *solver,
                                    const struct program *program, const struct model *model,
                                    const struct explain_target *target,
                                    const struct solver_options *options,
                                    struct diagnostics *diagnostics);

// Returns an execution in which some thread never leaves a barrier; NULL when there is none, or
// when a limit was reached. The arguments are those of explain_outcome.
const struct found_execution *explain_hang(struct arena *arena, struct solver *solver,
                                           const struct program *program, const struct model *model,
                                           const struct solver_options *options,
                                           struct diagnostics *diagnostics);

// Finds an execution for each race of a run's outcomes, at most `most` of them: an array by race,
// which the arena owns, NULL where there is none or a limit was reached. The other arguments are
// those of explain_outcome.
const struct found_execution **
explain_races(struct arena *arena, struct solver *solver, const struct program *program,
              const struct model *model, const struct outcomes *outcomes, size_t most,
              const struct solver_options *options, struct diagnostics *diagnostics);

// Returns whether there is an execution of a race in which the thread of one access has, before it,
// read a value that the thread of the other has stored after it, and sets `*found` to one: it shows
// what does not synchronise, where there is something. `flag` is the flag of the model that the
// race has; the other arguments are those of explain_outcome.
enum truth explain_heard_race(struct arena *arena, struct solver *solver,
                              const struct program *program, const struct model *model,
                              const char *flag, const struct race *race,
                              const struct solver_options *options, struct diagnostics *diagnostics,
                              const struct found_execution **found);

// Returns the outcome as an expression (one bit) of a program of the test.
const struct expr *explain_target_expr(const struct program *program,
                                       const struct explain_target *target);

#endif
