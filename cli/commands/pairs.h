// Two tests and their outcomes, for the commands that compare them.
#ifndef PTXLITMUS_CLI_COMMANDS_PAIRS_H
#define PTXLITMUS_CLI_COMMANDS_PAIRS_H

#include "check/record/record.h"
#include "cli/commands/run_internal.h"
#include "cli/print/states.h"

#include <jansson.h>

enum { SIDES = 2 };

// A file, and what its tests came to.
struct compared_file {
    const char *path;
    const char *place;               // below the folder that was given; "" for a file that was
    const struct lowering *lowering; // by which its tests are lowered first, or NULL
    struct record *tests;            // their results
    size_t count;
    bool is_broken;
    bool is_cut; // not all of its tests were run: an interrupt, or a limit before it was read
};

// How the outcomes of a pair are related.
enum compared { EQUAL, FIRST_WITHIN, SECOND_WITHIN, DIFFERENT, OPEN, RELATION_COUNT };

// What one side of a pair has and the other one has not.
struct surplus {
    const char **outcomes;             // texts, with A's names
    const struct state_value **states; // NULL: an execution without an outcome
    size_t count;
    bool may_be_more; // the other side's are listed, but not all of its own
};

struct test_pair {
    const struct compared_file *files[SIDES];
    const struct record *tests[SIDES];
    struct state_columns columns[SIDES];
    struct surplus only[SIDES];
    enum compared relation;
    const char *why; // of OPEN
};

// What comparing takes.
struct pairing {
    struct arena *arena;
    const struct run *run; // whose options say which values correspond
    bool is_broken;        // some input has errors
};

// Runs the inputs, and gives the results to the files that `file_at` returns for the numbers of the
// inputs, from 1; the arena of the pairing owns them. What is wrong with an input, and what was not
// run, is noted in its file, errors also in `pairing`. `run` is that of the pairing, whose `out` is
// as before at the end.
void pair_run_inputs(struct pairing *pairing, struct run *run, const struct input_list *inputs,
                     struct compared_file *file_at(void *context, size_t index), void *context);

// Compares two results: sets all of `pair` but its files and tests.
void pair_judge(struct pairing *pairing, struct test_pair *pair);

// Whether a flag holds for a test.
bool pair_has_flag(const struct record *test, const char *flag);

// Whether it is not known of a flag.
bool pair_has_unknown_flag(const struct record *test, const char *flag);

// Returns, owned by the arena, what shows an outcome that only one side has; NULL when there is
// none, or it has no values.
const char *pair_execution(struct pairing *pairing, const struct test_pair *pair, size_t side);

// Returns what messages call a test of the pair: its file, and its name. The arena owns it.
const char *pair_name(struct arena *arena, const struct test_pair *pair, size_t side);

// Prints the outcomes that only the side called `side` has, the first of them if there are many.
void pair_print_surplus(FILE *out, const struct surplus *surplus, const char *side);

// Prints the end of a line, " 3 equal, 1 differ", of the counts that are not 0. Returns whether
// there is one: else nothing is printed.
bool pair_print_counts(FILE *out, const size_t *counts, const char *const *texts, size_t count);

// Prints a text with each line indented.
void pair_print_indented(FILE *out, const char *text);

// Returns the outcomes that only one side has as an array of texts, which the caller owns.
json_t *pair_surplus_json(struct arena *arena, const struct surplus *surplus);

#endif
