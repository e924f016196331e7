// Executions of a program one at a time, under some of the axioms of a model: what explanations are
// made of.
#ifndef PTXLITMUS_SOLVER_SEARCH_H
#define PTXLITMUS_SOLVER_SEARCH_H

#include "solver/solver.h"

struct arena;
struct search;

// What an execution that is looked for has to do with an axiom.
enum search_wish {
    WISH_NONE,   // nothing
    WISH_HOLDS,  // it holds; of a flag: its relation has a pair
    WISH_BROKEN, // it does not
};

struct search_question {
    // By axiom of the model; NULL: each axiom that the model requires holds.
    const enum search_wish *wishes;
    const struct expr *condition;   // one bit, which must be 1; NULL: none
    bool hangs;                     // some thread never leaves a barrier; else the execution ends
    const struct model_axiom *flag; // of the model: `pair` is in its relation; NULL: none
    unsigned pair[2];
};

// An execution that was found, with the value of every node of the model in it.
struct found_execution {
    const struct program *program;
    unsigned n;                      // events of the program
    bool *executes;                  // by event
    const struct candidate **places; // of memory events that execute; else NULL
    struct bits128 *values;          // of reads and writes that execute
    bool *undef;                     // the value depends on an unknown initial one
    int **sources;                   // of reads: the write, for each cell of the place
    bool *passes;                    // of waits: they pass
    int *cancelled_by; // by thread: the issue of the request that cancels its CTA, or -1
    bool *repeats;     // in rounds of a loop without end; NULL where all threads come to an end
    int *phases;       // of arrivals: the first arrival of the phase, -1 without a phase
    struct bits128 *observed; // by what states show; zero where a thread never leaves a barrier
    const struct model_facts *facts;
    const struct node_value *nodes; // by node of the model
};

// Starts looking for executions. All arguments are borrowed until search_free; the solver must not
// be used for anything else until then. The search lives in `arena`. Returns NULL when the program
// cannot be encoded: after errors in `diagnostics`, or because a limit was reached; then *reason
// says which, unless it is NULL.
struct search *search_new(struct solver *solver, struct arena *arena, const struct program *program,
                          const struct model *model, const struct solver_options *options,
                          struct diagnostics *diagnostics, enum unknown_reason *reason);

// Ends the search. What it found stays in its arena. NULL is allowed.
void search_free(struct search *search);

// Whether there is such an execution. With `found`, it is set to one where there is: of those that
// there are, one that no flag leaves undefined, in which reads take their bytes from the first
// write that they can, and writes and fences are ordered as the program is written as far as that
// is possible, so that the choice depends on the program alone. TRUTH_UNKNOWN when a limit was
// reached, or the execution could not be read.
enum truth search_ask(struct search *search, const struct search_question *question,
                      const struct found_execution **found);

// Why the last answer was unknown; `*text` as in struct outcomes.
enum unknown_reason search_reason(const struct search *search, const char **text);

#endif
