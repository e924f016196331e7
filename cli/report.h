// One test's result, and what follows from it: whether it holds, whether it was expected.
#ifndef PTXLITMUS_REPORT_H
#define PTXLITMUS_REPORT_H

#include "cli/exit_status.h"
#include "cli/options.h"
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

// Whether what was expected came: what `expect` says, else what `~exists` and `forall` say. An
// `exists` without `expect` expects nothing, which is met by every decided verdict.
enum truth report_meets(const struct report *report);

// Whether the verdict and every flag is known.
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
// The word of an `expect`, or NULL.
const char *expectation_text(enum expectation expectation);

// A sentence that says what was expected and what came, or NULL when the test did not fail; owned
// by `arena`.
const char *report_failure(struct arena *arena, const struct report *report);

// Why the verdict or a flag is unknown, or why the list is cut: "the time limit of 5 s was
// reached". NULL when none of it is so.
const char *report_reason(struct arena *arena, const struct report *report);

// How many outcomes satisfy the condition, in words: "1 of 3 outcomes satisfies".
const char *report_counts(struct arena *arena, const struct report *report);

// A hash of the test's text (FNV-1a, 64 bits): equal for equal texts, whatever the path.
uint64_t report_hash(const struct source *source);

#endif
