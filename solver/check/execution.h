// Concrete executions: what a model of the problem says, decoded, and checked again in plain C.
#ifndef PTXLITMUS_SOLVER_CHECK_EXECUTION_H
#define PTXLITMUS_SOLVER_CHECK_EXECUTION_H

#include "program/program.h"
#include "model/cat/model.h"
#include "solver/encode/encode.h"
#include "solver/solver.h"

#include <stdbool.h>

struct arena;

struct execution {
    const struct program *program;
    struct encoder *encoder; // whose model it is
    unsigned n;
    bool *executes;                  // by event
    const struct candidate **places; // of memory events that execute; else NULL
    struct bits128 *values;          // of reads
    bool *undef;                     // the read's value depends on an unknown initial value
    int **sources;                   // of reads: the write, for each cell of the place
    bool *passes;                    // by wait
    int *phases;                     // by arrival: its phase's first arrival, -1 without one
    int *finals;                     // by cell: the final write, -1 if it is not asked for
    struct relation co;              // as the solver chose it
    struct relation sc;              // a total order of the fence.sc that execute
};

// Decodes the encoder's last model. Values are computed from rf alone, in plain C; the solver's
// values are used only for unknown initial values and for reads on a cycle of data flow. The arena
// owns the result. Returns NULL when the model could not be read completely.
struct execution *execution_decode(struct arena *arena, struct encoder *encoder,
                                   const struct program *program);

// Ends the program, as bug does, because the execution is not as it must be. Returns only when the
// model could not be read completely, since then the execution is not evidence.
#define execution_bug(...) execution_bug_at(__FILE__, __LINE__, __VA_ARGS__)

// As execution_bug, for a place in `file`; the format is printf's.
void execution_bug_at(const char *file, int line, const struct execution *execution,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));

// Whether a phase pair of the program holds, given that its wait executes and both are at one
// barrier.
bool execution_has_phase_pair(const struct execution *execution, unsigned pair);

// Whether an exit of the program takes place.
bool execution_exit_releases(struct execution *execution, const struct barrier_exit *exit);

// Returns the value of an expression in the execution.
struct bits128 execution_value(struct execution *execution, const struct expr *expr);

// Returns the base sets and relations of the execution; the arena owns the result.
struct model_facts *execution_facts(struct arena *arena, struct execution *execution);

// Evaluates every axiom that the model requires, and all that memory-model section 2 says of rf,
// co and sc. A disagreement with the solver is a bug of ours and aborts. `claim`, when it is not
// NULL, is an axiom that must hold (`claim_holds`) or must not.
void execution_check(struct execution *execution, const struct model *model,
                     const struct model_axiom *claim, bool claim_holds);

// The same for barriers (check/barriers.c): phases, which waits pass, and that each has a reason to
// (memory-model section 6).
void check_barriers(struct execution *execution);

// The same for an execution in which threads wait for ever: that no further phase can complete.
void check_stuck(struct execution *execution);

// And for one that shows a hang: that some thread waits so.
void check_hang(struct execution *execution);

// The same for an execution of a program with `endings` that never ends under a schedule
// (check/endless.c), and for the fates of its threads that are shown.
void check_endless(struct execution *execution, const struct schedule *schedule,
                   const struct thread_fate *fates);

// Whether two barrier events that execute are at one barrier.
bool execution_same_barrier(struct execution *execution, const struct event *a,
                            const struct event *b);

#endif
