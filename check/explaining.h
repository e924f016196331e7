// Why the outcome of a test is allowed or forbidden: what `explain` asks.
#ifndef PTXLITMUS_CHECK_EXPLAINING_H
#define PTXLITMUS_CHECK_EXPLAINING_H

#include "check/report/report.h"
#include "check/systems.h"

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct diagnostics;
struct explained;
struct solver;

// What explaining needs besides the report. Everything is borrowed.
struct explaining {
    struct solver *solver;
    struct arena *arena; // that owns what is made
    const struct system_list *systems;
    const struct model *model; // of the report
    size_t index;              // of the test in its file
};

struct explain_question {
    const char *state;      // "P1:%r0=1, x=2"; NULL: the test's condition
    bool violation;         // what violates the condition, whatever the test asks
    const char *why_not[3]; // a relation and two events; NULL: no pair is asked about
    size_t remedies;        // changes that would forbid an allowed outcome, at most
};

// Explains an outcome, and the flags that hold, and sets `report->explained`; the report has its
// outcomes. False after errors in `diagnostics`.
bool explaining_report(const struct explaining *with, const struct explain_question *question,
                       struct report *report, struct diagnostics *diagnostics);

// Explains the condition of a test alone, without changes and flags, within the limits of
// `options`. Returns NULL where there is no explanation; the arena owns it.
const struct explained *explaining_condition(const struct explaining *with,
                                             const struct report *report,
                                             const struct solver_options *options,
                                             struct diagnostics *diagnostics);

#endif
