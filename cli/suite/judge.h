// What a suite makes of the result of one test.
#ifndef PTXLITMUS_CLI_SUITE_JUDGE_H
#define PTXLITMUS_CLI_SUITE_JUDGE_H

#include "check/report/report.h"
#include "cli/suite/suite.h"

#include <stdbool.h>

struct arena;

// A change of a text that --update makes: the bytes of the span are replaced. In the file itself,
// whatever the test was read from.
struct judged_edit {
    struct span span;
    const char *text;
};

// One thing that is wrong.
struct judged_failure {
    struct span span;         // where it was expected
    const char *why;          // a sentence
    struct judged_edit *edit; // by which it would come true, with --update; NULL: none is known
};

struct judged {
    enum suite_result result;
    struct judged_failure *failures;
    size_t failure_count;
    const char *execution; // what shows it, in lines; NULL without
};

// Judges a report, which has its outcomes. The arena owns the result.
struct judged *judge_report(struct arena *arena, const struct report *report);

// Whether some expectation about outcomes failed, so that an execution or a proof shows why.
bool judged_asks_execution(const struct report *report);

// Whether it is an outcome that violates the condition that shows why.
bool judged_asks_violation(const struct report *report);

// Returns the fields that a suite adds to the result's object: a new reference.
json_t *judged_json(struct arena *arena, const struct judged *judged);

#endif
