// A suite: what each of its tests came to, and the reports that are made of that. The command
// (cli/commands/suite.c) runs the tests and hands on their records, or has the lines of JSON read
// that an earlier run has printed.
#ifndef PTXLITMUS_CLI_SUITE_SUITE_H
#define PTXLITMUS_CLI_SUITE_SUITE_H

#include "check/record/record.h"
#include "check/report/exit_status.h"
#include "cli/options/options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct arena;

// Why --fail-fast left an input out, in the data that reports are made of.
#define SUITE_AFTER_FAILURE "after a test that did not pass"

// A test, or an input with errors, as reports speak of it. The strings belong to the suite.
struct suite_item {
    enum suite_result result;
    const char *file, *test; // `test`: NULL for a whole input
    const char *place;       // "FILE:LINE:COLUMN" of what is wrong, or the file
    size_t line, column;     // of that in `place_file`, or 0
    const char *place_file;
    const char *why;       // one line for each thing that is wrong; NULL for a test that passed
    const char *execution; // lines that show it; NULL without
    double seconds;        // of the test; 0 where it is not known
    const struct record_finding *findings; // of `check`
    size_t finding_count;
    size_t count; // tests that it is: 1, unless --filter left some out
};

struct suite {
    struct arena *arena;
    struct suite_item *items;
    size_t count;
    size_t counts[SUITE_RESULT_COUNT]; // of tests, by result
    size_t cut_off;                    // tests that were not run, and not because of --fail-fast
    size_t last_index;                 // that the record of the last item has
    const char **lines;                // of JSON, where records have them, in their order
    size_t line_count;
    struct judged_edit *edits; // by which what failed would come true
    size_t edit_count;
};

// Starts an empty suite, all of which lives in `arena`.
void suite_begin(struct suite *suite, struct arena *arena);

// Takes what a test or an input has come to; the suite's arena owns what is in the record.
void suite_take(struct suite *suite, const struct record *record);

// Takes a line of JSON of `size` bytes, as an earlier run of the suite has printed it. Returns
// NULL, or what is wrong with it, owned by the suite's arena. (cli/suite/results.c)
const char *suite_take_line(struct suite *suite, const char *text, size_t size);

// Returns the exit status of the items together.
enum exit_status suite_status(const struct suite *suite);

// Returns "3 tests: 1 passed, 2 failed", owned by the arena.
const char *suite_summary(struct arena *arena, const struct suite *suite);

// Whether an item was left out as --fail-fast asks. What else was not run is nothing that passed.
bool suite_item_is_skipped(const struct suite_item *item);

// Returns the item's file with the test's name, "tests/mp.ptx (mp_relaxed)", owned by the arena.
const char *suite_item_name(struct arena *arena, const struct suite_item *item);

// --- Reports -----------------------------------------------------------------------------------

// Prints what did not pass, from the `first`-th item on, for people; with `github` also as
// annotations of GitHub Actions.
void suite_print_items(FILE *out, const struct suite *suite, size_t first, bool github);

// Prints a whole report in the format to a stream that the caller flushes and checks.
void suite_print(FILE *out, const struct suite *suite, enum suite_format format);

// Prints a whole report as JUnit's XML, as suite_print does.
void suite_print_junit(FILE *out, const struct suite *suite);

// Prints a whole report as SARIF 2.1.0 for code scanning, as suite_print does: one result per
// finding or failure; what is not known is a result of kind "open" and a notification. `status`
// says whether the run came to its end.
void suite_print_sarif(FILE *out, const struct suite *suite, enum exit_status status);

// Prints a whole report in the Test Anything Protocol, as suite_print does.
void suite_print_tap(FILE *out, const struct suite *suite);

#endif
