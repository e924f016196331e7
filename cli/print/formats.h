// What is printed in which format: the table that commands go by, so that none of them names one.
#ifndef PTXLITMUS_CLI_PRINT_FORMATS_H
#define PTXLITMUS_CLI_PRINT_FORMATS_H

#include "check/report/report.h"
#include "cli/options/options.h"

#include <stdbool.h>
#include <stdio.h>

struct arena;
struct diagnostic;
struct record;

// How results of a test under several systems are shown.
enum several_shown {
    SEVERAL_REFUSED, // not at all: bad usage
    SEVERAL_REPORTS, // a report for each
    SEVERAL_TABLE,   // one table, and which tests differ at the end
};

struct format {
    const char *name;
    // Prints one report to a stream that the caller flushes and checks.
    void (*report)(FILE *out, struct arena *arena, const struct report *report);
    // Prints an error in the input with the index of the input, besides the message on stderr;
    // NULL: the format prints no errors.
    void (*error)(FILE *out, struct arena *arena, const struct diagnostic *diagnostic,
                  size_t index);
    // Prints what an input came to as a whole, or tests of it that were not run; NULL: the format
    // prints nothing of that.
    void (*input)(FILE *out, struct arena *arena, const struct record *record);
    enum several_shown several;
    bool is_data; // for programs: in UTF-8 whatever the locale, statistics are in the report, and
                  // results of shards end with what joins them
    bool races_apart; // the report has no place for races: they are printed on stderr
    bool takes_notes; // `error` is for warnings and notes, too
    bool says_why;    // the report of a test that is run alone has a line that says why
};

// The row of a format; never NULL.
const struct format *format_of(const struct options *options);

#endif
