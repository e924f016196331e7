// What a suite makes of the result of one test.
#ifndef PTXLITMUS_CHECK_REPORT_JUDGE_H
#define PTXLITMUS_CHECK_REPORT_JUDGE_H

#include "check/report/report.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct arena;

// What an item of a suite came to.
enum suite_result {
    SUITE_PASSED,
    SUITE_FAILED,    // an expectation failed, is missing or names no test; or there is no outcome
    SUITE_UNDECIDED, // a limit was reached, or something is left undefined
    SUITE_BROKEN,    // an input with errors
    SUITE_INTERNAL,  // a crash, no memory left
    SUITE_NOT_RUN,   // after --fail-fast, an interrupt, or a limit in an input read only once
    SUITE_LEFT_OUT,  // by --filter
    SUITE_RESULT_COUNT,
};

// A place in a file, which stays known when its text is not there any more.
struct judged_place {
    const char *file;    // NULL: nothing is known but the input
    size_t line, column; // from 1; 0: the file as a whole
};

// A change of a text that --update makes: the bytes from `begin` to `end` are replaced. In the file
// itself, whatever the test was read from.
struct judged_edit {
    const char *file;
    size_t begin, end;
    const char *text;
};

// One thing that is wrong.
struct judged_failure {
    struct judged_place at;   // where it was expected
    const char *why;          // a sentence
    struct judged_edit *edit; // by which it would come true, with --update; NULL: none is known
};

struct judged {
    enum suite_result result;
    struct judged_failure *failures;
    size_t failure_count;
    const char *execution; // what shows it, in lines; NULL without
};

// Judges a report, which has its outcomes; with `updates` it also says which edits would make what
// failed come true. The arena owns the result, which borrows the paths of the test's files.
struct judged *judge_report(struct arena *arena, const struct report *report, bool updates);

// Returns where a span is in the file that it comes from, whose path is borrowed; of a span without
// a source, a place without a file.
struct judged_place judged_place_of(struct span span);

// Whether some expectation about outcomes failed, so that an execution or a proof shows why.
bool judged_asks_execution(const struct report *report);

// Whether it is an outcome that violates the condition that shows why.
bool judged_asks_violation(const struct report *report);

// Returns the fields that a suite adds to the result's object: a new reference.
json_t *judged_json(struct arena *arena, const struct judged *judged);

// Returns "passed", "failed" and so on, which live for ever.
const char *suite_result_text(enum suite_result result);

// Sets the result that such a text says; returns false where it says none, or is NULL.
bool suite_result_named(const char *text, enum suite_result *result);

#endif
