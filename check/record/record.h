// What a test, or an input, came to, as a process hands it to the one that started it: results are
// found once and handed on as values.
#ifndef PTXLITMUS_CHECK_RECORD_RECORD_H
#define PTXLITMUS_CHECK_RECORD_RECORD_H

#include "check/report/judge.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct arena;
struct instruction;
struct state_value;

// A value that the states of a test show.
struct record_column {
    const char *name; // as in JSON, "P1:%r0"
    size_t width;     // in bits
    bool is_signed;
};

// The outcomes of a test.
struct record_outcomes {
    bool is_complete;              // all of them are listed
    struct record_column *columns; // none where there are no states
    size_t column_count;
    struct state_value *values; // of one state after the other, a value for each column
    size_t state_count;
    const char **flags; // that hold
    size_t flag_count;
    const char **unknown_flags; // of which that is not known
    size_t unknown_flag_count;
};

// A place that a finding is about, and what happens there.
struct record_place {
    struct judged_place at;
    const char *what; // NULL: nothing to say
    const struct instruction
        *instruction; // it is not written; NULL: none, or a record that was read
};

// Something that `check` has found, or could not decide.
struct record_finding {
    const char *rule;    // the name of the flag
    const char *message; // what, why and a fix, in lines
    bool is_open;        // it is not known, or possible only
    bool is_beside;      // of a suite: it says nothing of what a test expects and does not come to
    struct record_place *places;
    size_t place_count;
};

// All texts are UTF-8, but for the path of an edit.
struct record {
    const char *file;     // the input
    const char *test;     // NULL: this is about the input as a whole, or about `tests` of its tests
    size_t index;         // of the input among all, from 1; 0: not known
    size_t tests;         // that this is about
    struct judged judged; // SUITE_BROKEN: the only failure is an error in the input; outside of
                          // suites, a test has passed
    const char *launched; // how it was launched, where that was derived; NULL: it was not
    const char *reason;   // why something is not known, or was not run; NULL: nothing to say
    double seconds;       // of the test; 0: not known
    struct record_outcomes outcomes;
    struct record_finding *findings; // of `check`
    size_t finding_count;
    const char *line; // the same in JSON, to be printed as it is; NULL: not asked for
};

// Writes a record, in a form for processes of the same program only: a mark, how many bytes follow,
// and the fields in the order of the structs. The caller flushes and checks the stream.
void record_write(FILE *out, const struct record *record);

// Reads the record with which these bytes begin; the arena owns all of it. Returns how many bytes
// it takes, or 0 where they do not begin with a whole record.
size_t record_read(struct arena *arena, const char *bytes, size_t size, struct record *record);

// Returns the values of the n-th state, which the record owns.
const struct state_value *record_state(const struct record_outcomes *outcomes, size_t n);

#endif
