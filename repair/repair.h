// The two searches: all least changes that forbid the outcome of a test (repair), and all weakest
// forms of what is there that keep what is forbidden (relax).
#ifndef PTXLITMUS_REPAIR_REPAIR_H
#define PTXLITMUS_REPAIR_REPAIR_H

#include "repair/changes.h"
#include "solver/solver.h"

struct arena;
struct diagnostics;

enum repair_goal {
    REPAIR_FORBID,        // make the outcome impossible by making the test stronger
    REPAIR_KEEP,          // make it weaker while the outcome remains impossible
    REPAIR_KEEP_OUTCOMES, // and every other one that is impossible, too
};

struct repair_options {
    enum repair_goal goal;
    const struct model *model;
    const struct program_options *program;
    const struct solver_options *solver; // its limits are for the whole search
    const struct change_limit *limits;
    size_t limit_count;
    const struct costs *costs;
    size_t most;       // results to find; 0: all
    unsigned max_cost; // of results; UINT_MAX: any
    bool any;          // of REPAIR_FORBID: the first result that is found will do
    // Called with the changes before they are searched, and may take places and forms out. NULL:
    // none are taken out.
    void (*prune)(void *context, struct changes *changes);
    void *prune_context;
    // Of a search for changes without faults (faults.h): asked before a search whether one run of a
    // changed test shows that it is faulty, or that it is free of races, hangs and undefined uses.
    // NULL: each is searched.
    enum truth (*run)(void *context, struct arena *arena, const struct test *test);
    void *run_context;
    bool (*is_interrupted)(void); // whether the search has to end; NULL: it has not
};

// A result: a choice that no weaker one can replace.
struct remedy {
    const size_t *choice; // a form for each place of the changes
    unsigned cost;        // what it adds; of relax: what is left
    const char *text;     // of the file
    const char *sidecar;  // of the file with what a module expects; NULL: the module has it itself
    const char *diff;
    const char **words; // what it changes, place by place
    size_t word_count;
    const char *reason;            // why it does, one sentence; NULL where there is nothing to say
    const struct program *program; // of the changed test, with its outcomes
    const struct outcomes *outcomes;
    const struct state **lost; // states of the test that were not asked about and are not there now
    size_t lost_count;
    bool lost_unknown;  // too many states to tell
    const char **flags; // that come to hold
    size_t flag_count;
    size_t neighbours; // weaker by one form in one place, each with the outcome in a run of its own
};

enum repair_state {
    REPAIR_FOUND,     // at least one result
    REPAIR_NOT_ASKED, // there is nothing to do: `why`
    REPAIR_NONE,      // there is no result within the limit: `why`
    REPAIR_UNDECIDED, // not known: `why`
};

struct repair_stats {
    size_t runs;         // of the solver
    size_t evaluations;  // of executions under other choices, without it
    size_t rejected;     // choices that the search learned not to do
    size_t not_monotone; // places of which one form says nothing of a stronger one
    double seconds;
};

struct repair {
    enum repair_state state;
    const struct changes *changes;
    const struct program *before; // the test as it is, with its outcomes
    const struct outcomes *outcomes;
    struct remedy *remedies; // the cheapest first
    size_t count;
    bool is_complete;    // there are no others within the cost limit
    const char *cut;     // why not: a sentence; NULL where `most` or `any` is the reason
    unsigned tried_cost; // all that cost less were tried, in the order of their costs
    const char *why;     // a sentence, without REPAIR_FOUND
    struct repair_stats stats;
};

// Searches. `index` is the place of the test in its file. Returns NULL after errors in
// `diagnostics`. All lives in `arena`, and the test must live as long.
struct repair *repair_search(struct solver *solver, struct arena *arena, const struct test *test,
                             size_t index, const struct repair_options *options,
                             struct diagnostics *diagnostics);

#endif
