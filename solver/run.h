// One run in progress: what solver.c, outcomes.c and defined.c share.
#ifndef PTXLITMUS_SOLVER_RUN_H
#define PTXLITMUS_SOLVER_RUN_H

#include "solver/encode.h"
#include "solver/solver.h"

enum { RUN_ASSUMPTIONS_MAX = 8 };

struct run {
    struct arena *arena;
    struct backend *backend;
    struct encoder *encoder;
    const struct program *program;
    const struct model *model;
    const struct solver_options *options;
    struct diagnostics *diagnostics;
    struct outcomes *outcomes;
    literal condition, filter;
    literal bounded; // no loop goes on past its bound
    // Whether an execution of program->spinning passes the bound, where there is that program.
    enum answer passes_bound;
    literal complete; // no thread is blocked at a barrier
    literal hang;     // some thread never leaves a barrier; 0 before it is asked for
    literal inside;   // all accesses lie inside variables
    bool dumped;      // the first query is in the file
};

// Checks under assumptions, of which true ones do not matter. In debug builds, and with
// options->check_executions, the execution that is found is checked again; `claim` is an axiom that
// it must (`claim_holds`) or must not satisfy, or NULL.
enum answer run_check(struct run *run, const literal *assumptions, size_t count,
                      const struct model_axiom *claim, bool claim_holds);

// Records why the run could not decide something, when nothing is recorded yet.
void run_undecided(struct run *run);

// Whether some execution passes the bound, also one in which threads stay in spin loops
// (program->spinning, which must not be NULL). A problem of its own for the backend: none may be
// open.
enum answer run_ask_past_bound(struct run *run);

// Fills the list of states, the verdict and what goes with them.
void outcomes_find(struct run *run);

// Whether the model says what the program means: reports what is undefined. False after errors.
bool run_is_defined(struct run *run);

// Finds pairs of instructions that an axiom flags, and an execution for each: all, or the first.
void run_find_races(struct run *run, const struct model_axiom *axiom, bool all);

// Finds the flags that hold in some execution.
void run_find_flags(struct run *run);

#endif
