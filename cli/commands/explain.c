// Explains the verdict of one test.
#include "cli/commands/explain.h"

#include "cli/print/names.h"
#include "cli/report/explained.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>

// Whether the question of a test is what violates its condition: where all outcomes satisfy it, or
// where that is what it claims.
static bool asks_violation(const struct report *report) {
    return report->outcomes->verdict == VERDICT_ALWAYS ||
           report->program->test->quantifier == QUANTIFIER_FORALL;
}

// The run and the explanation have searched in two ways.
static void check_agreement(const struct report *report, const struct explained *explained) {
    enum verdict verdict = report->outcomes->verdict;
    enum truth reachable = explained->explanation->reachable;
    if (explained->state || reachable == TRUTH_UNKNOWN) {
        return;
    }
    enum truth by_run = verdict == VERDICT_UNKNOWN     ? TRUTH_UNKNOWN
                        : verdict == VERDICT_FORBIDDEN ? TRUTH_NO
                                                       : TRUTH_YES;
    if (explained->target.negated) {
        by_run = verdict == VERDICT_ALWAYS      ? TRUTH_NO
                 : verdict == VERDICT_FORBIDDEN ? TRUTH_YES
                                                : TRUTH_UNKNOWN;
    }
    if (by_run != TRUTH_UNKNOWN && by_run != reachable) {
        bug("the run and the explanation of %s disagree", report->path);
    }
}

bool explain_report(struct run *run, struct arena *arena, const struct model *model,
                    struct report *report, struct diagnostics *diagnostics) {
    assert(report->outcomes);
    struct explained *explained = ARENA_NEW(arena, struct explained);
    report->explained = explained;
    explained->state = run->options->explain.state;
    explained->target.negated = !explained->state && asks_violation(report);
    const char *error =
        explained->state
            ? explained_parse_state(arena, report->program, explained->state, &explained->target)
            : NULL;
    if (error) {
        diag_error_path(diagnostics, report->path, "%s", escaped(arena, error));
        return false;
    }
    explained->explanation =
        explain_outcome(arena, run->solver, report->program, model, &explained->target,
                        &run->options->solver, diagnostics);
    if (!explained->explanation) {
        return false;
    }
    check_agreement(report, explained);
    return true;
}
