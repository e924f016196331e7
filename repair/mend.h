// Changes that leave a test without races, hangs and undefined uses: not the cheapest, but those
// that are likely meant, each judged by a run of its own on the test read again from its text.
#ifndef PTXLITMUS_REPAIR_MEND_H
#define PTXLITMUS_REPAIR_MEND_H

#include "repair/changes.h"
#include "solver/solver.h"

struct arena;
struct diagnostics;

struct mend_options {
    const struct model *model;
    const struct program_options *program;
    const struct solver_options *solver; // of each run; the time limit is for the whole search
    const struct change_limit *limits;
    size_t limit_count;
    const struct costs *costs;
    // Whether a changed test is as it should be, by its program and outcomes.
    enum truth (*is_clean)(void *context, const struct program *program,
                           const struct outcomes *outcomes);
    // Called where stronger orders and scopes of what synchronises do not do, before anything is
    // put in: whether there is a fix of another kind, with which the search ends. Or NULL.
    bool (*elsewhere)(void *context);
    // Asked before a search: whether one run of a changed test shows that it is faulty, or that it
    // is free of races, hangs and undefined uses. Or NULL.
    enum truth (*run)(void *context, struct arena *arena, const struct test *test);
    void *context;  // of all three
    bool only_runs; // what a run does not decide counts as faulty: the test is too large to search
    // Of the accesses that race: changes near them come first. NULL: there are none.
    const struct instruction *raced[2];
    bool (*is_interrupted)(void);
};

enum mend_state {
    MEND_FOUND,
    MEND_NONE,    // none of the changes that are tried does, or there is a fix elsewhere
    MEND_STOPPED, // a limit was reached before
};

struct mend {
    enum mend_state state;
    const struct changes *changes;
    const size_t *choice; // MEND_FOUND: a form for each place; none can be spared or weaker
    const size_t *first;  // what the test has
    size_t runs;
    bool is_run; // one run has shown that what was found does, and no search
};

// Whether the changes that were found make accesses strong that were weak: these no longer race,
// but nothing orders them.
bool mend_strengthens_weak(const struct mend *mend);

// Searches. These are tried in turn: what the test synchronises with already, stronger; waits, and
// what may be wrong beside orders (places.h), with proxy fences where that takes them;
// barriers; fences; accesses that become strong. Of what does, as much as possible is taken back.
// `index` is the test's place in its file. NULL after errors in `diagnostics`, for a test that has
// no such changes. All lives in `arena`.
struct mend *mend_search(struct solver *solver, struct arena *arena, const struct test *test,
                         size_t index, const struct mend_options *options,
                         struct diagnostics *diagnostics);

#endif
