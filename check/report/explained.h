// What `ptxlitmus explain` has found about one test.
#ifndef PTXLITMUS_CHECK_REPORT_EXPLAINED_H
#define PTXLITMUS_CHECK_REPORT_EXPLAINED_H

#include "check/report/report.h"
#include "explain/explain.h"
#include "explain/why_not.h"
#include "repair/repair.h"

struct arena;

// An explanation, and of what it is one.
struct explained {
    const char *state; // of --state; NULL: the test's condition
    struct explain_target target;
    bool is_open;                  // no execution has the outcome, but what others do is not known
    const struct repair *repair;   // of an allowed outcome: changes that forbid it, or NULL
    const struct why_not *why_not; // a pair that is asked about, or NULL
    const struct found_execution **races; // an execution for each race of the run, or NULL
    const struct outcomes *endless;       // where no execution ends: with the fates of one; or NULL
    const struct found_execution *hang;   // in which a thread never leaves a barrier, or NULL
    bool lacks_executions;                // of flags that hold: a limit was reached before
    const struct explanation *explanation; // NULL when there is none: a limit was reached before
};

// Returns "allowed", "forbidden" or "unknown", which live for ever: whether the outcome that is
// explained is.
const char *explained_verdict(const struct explained *explained);

// Returns why something that was asked is not known, owned by the arena, or NULL.
const char *explained_limit(struct arena *arena, const struct report *report);

// Returns what else of an explanation is not known, although its outcome is: the changes that would
// forbid it, or an execution with a flag. Owned by the arena, or NULL.
const char *explained_gap(struct arena *arena, const struct report *report);

// Reads a state, "P1:%r0=1, x=2", into the values of a target, which the arena owns. Returns NULL,
// or what is wrong with it, owned by the arena.
const char *explained_parse_state(struct arena *arena, const struct program *program,
                                  const char *text, struct explain_target *target);

#endif
