// One test's result, and what follows from it: whether it holds, whether it was expected.
#ifndef PTXLITMUS_CHECK_REPORT_REPORT_H
#define PTXLITMUS_CHECK_REPORT_REPORT_H

#include "check/options.h"
#include "check/report/exit_status.h"
#include "model/targets/targets.h"
#include "program/program.h"
#include "solver/solver.h"

#include <stdint.h>
#include <string.h>

struct added;
struct arena;
struct explained;

// All that is told of a test; everything is borrowed, for as long as the report is used.
struct report {
    const char *path;            // as given
    const char *model;           // its name
    const struct target *target; // NULL: none was asked for
    const struct check_options *options;
    const struct program *program; // and the test in it
    const struct outcomes *outcomes;
    const struct explained *explained; // why, where that is asked (explained.h); or NULL
    struct added *added; // what a command adds for its printers, which no file here looks at
    double seconds;      // of the whole test
    bool stats;          // all that is known of the solver's work is told
    size_t peak_kb; // the most memory that the process had meanwhile, with --stats; 0: not known
    size_t index;   // with --shard, the number of its file among all, from 1; else 0
};

// Whether a path is that of a .cu file.
static inline bool path_is_cuda(const char *path) {
    size_t length = strlen(path);
    return length > 3 && strcmp(path + length - 3, ".cu") == 0;
}

// Whether it is of a .cu file: the text of the module that was made of it is of no use to a reader.
static inline bool report_is_of_cuda(const struct report *report) {
    return path_is_cuda(report->path);
}

// Whether the quantified condition holds: herd's Ok.
enum truth report_holds(const struct report *report);

// Whether the expectations came true: all that `expect` lists and, where it does not speak of the
// verdict, what `~exists` and `forall` claim. An `exists` without `expect` has no expectation, and
// every decided verdict will do. TRUTH_YES only with a verdict, except for tests without outcomes
// that expect to have none.
enum truth report_meets(const struct report *report);

// Whether this expectation came true, even if the test does not have it.
enum truth report_meets_one(const struct report *report, enum expectation what);

// Whether the verdict and every flag is known. A test without outcomes that expects to have none
// needs no verdict.
bool report_is_decided(const struct report *report);

// Whether there is no outcome, without the test expecting just that.
bool report_is_empty(const struct report *report);

// Returns how the kernel was launched, in words, where `check` has derived its launch; else "".
const char *report_derived_launch(const struct report *report);

// Whether a flag says that something is wrong with the execution that has it, as `check` sees it.
bool report_flag_is_fault(const struct flag *flag);

// Whether no execution has a race, hangs, traps, or uses what PTX leaves undefined: what `check`
// asks.
enum truth report_is_clean(const struct report *report);

// Whether that is not known since what was found is possible only: it relies on what is taken for
// granted of threads that a launch leaves out.
bool report_is_possible(const struct report *report);

// Makes all faults that a report has found possible ones only, which rely on what this sentence
// says: an assumption more. The report has outcomes; the arena owns what is changed.
void report_rely(struct arena *arena, struct report *report, const char *assumption);

// Returns what the test adds to the exit status.
enum exit_status report_status(const struct report *report);

// How many outcomes satisfy and violate the condition.
struct witnesses {
    size_t satisfying, violating;
};

// Returns these counts for the outcomes that are listed.
struct witnesses report_witnesses(const struct report *report);

// Whether the list of states was cut.
bool report_is_cut(const struct report *report);

// Returns the name of the variable whose address the value of a column is, when the condition
// compares the column with an address; else NULL. The test owns it.
const char *report_address(const struct report *report, size_t column,
                           const struct state_value *value);

// Returns what distinguishes the report from others of its test: the target's name, or else the
// model's; borrowed.
const char *report_system(const struct report *report);

// Returns "allowed", "forbidden", "always" or "unknown", which live for ever.
const char *verdict_text(enum verdict verdict);

// Returns herd's "Sometimes", "Never" or "Always", or "Unknown", which live for ever.
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

// Returns the expectations that did not come true, owned by the arena.
struct failures report_failures(struct arena *arena, const struct report *report);

// Returns why the verdict, a flag or an expectation is unknown, or why the list is cut: "the time
// limit of 5 s was reached", owned by the arena. NULL when everything is known.
const char *report_reason(struct arena *arena, const struct report *report);

// Returns the part of that which is about limits: why a flag or the rest of the list is not known,
// or NULL.
const char *report_limit(struct arena *arena, const struct report *report);

// Returns how many outcomes satisfy the condition, in words, "1 of 3 outcomes satisfies", owned by
// the arena.
const char *report_counts(struct arena *arena, const struct report *report);

// Returns a hash of the test's text (FNV-1a, 64 bits), which is the same for equal texts, whatever
// the path.
uint64_t report_hash(const struct source *source);

#endif
