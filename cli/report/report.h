// One test's result, and what follows from it: whether it holds, whether it was expected.
#ifndef PTXLITMUS_CLI_REPORT_REPORT_H
#define PTXLITMUS_CLI_REPORT_REPORT_H

#include "cli/report/exit_status.h"
#include "cli/options/options.h"
#include "litmus/program/program.h"
#include "model/targets/targets.h"
#include "solver/solver.h"

#include <stdint.h>

struct arena;

// All that the printers need; everything is borrowed, for as long as the report is used.
struct report {
    const char *path;            // as given
    const char *model;           // its name
    const struct target *target; // NULL: none was asked for
    const struct options *options;
    const struct program *program; // and the test in it
    const struct outcomes *outcomes;
    double seconds; // of the whole test
    size_t peak_kb; // the process' most memory meanwhile, with --stats; 0: not known
    size_t index;   // with --shard, the number of its file among all, from 1; else 0
};

// Whether the quantified condition holds: herd's Ok.
enum truth report_holds(const struct report *report);

// Whether what was expected came: all that `expect` says and, where that says nothing of the
// verdict, what `~exists` and `forall` say. An `exists` without `expect` expects nothing, which is
// met by every decided verdict. TRUTH_YES only with a verdict, but for tests without outcomes that
// expect to have none.
enum truth report_meets(const struct report *report);

// Whether this expectation came true, be it the test's or not.
enum truth report_meets_one(const struct report *report, enum expectation what);

// Whether the verdict and every flag is known. A test without outcomes that expects to have none
// needs no verdict.
bool report_is_decided(const struct report *report);

// What the test adds to the exit status.
enum exit_status report_status(const struct report *report);

// Outcomes that satisfy and that violate the condition, among those listed.
struct witnesses {
    size_t satisfying, violating;
};
struct witnesses report_witnesses(const struct report *report);

// Whether the list of states was cut.
bool report_is_cut(const struct report *report);

// The variable whose address the value of a column is, when the condition compares the column with
// an address; else NULL.
const char *report_address(const struct report *report, size_t column,
                           const struct state_value *value);

// What distinguishes the report from others of its test: the target's name, or else the model's.
const char *report_system(const struct report *report);

// "allowed", "forbidden", "always", "unknown".
const char *verdict_text(enum verdict verdict);
// herd's "Sometimes", "Never", "Always", and "Unknown".
const char *observation_text(enum verdict verdict);
// An expectation that did not come true.
struct failure {
    const char *expected; // "no race", "forall"
    struct span span;     // of the words of an `expect`; else without a source
    const char *sentence; // what was expected and what came
};
struct failures {
    struct failure *items; // owned by the arena
    size_t count;
};
struct failures report_failures(struct arena *arena, const struct report *report);

// Why the verdict, a flag or an expectation is unknown, or why the list is cut: "the time limit of
// 5 s was reached". NULL when none of it is so.
const char *report_reason(struct arena *arena, const struct report *report);

// The part of that which is about limits: why a flag or a rest of the list is not known.
const char *report_limit(struct arena *arena, const struct report *report);

// How many outcomes satisfy the condition, in words: "1 of 3 outcomes satisfies".
const char *report_counts(struct arena *arena, const struct report *report);

// A hash of the test's text (FNV-1a, 64 bits): equal for equal texts, whatever the path.
uint64_t report_hash(const struct source *source);

#endif
