// The state of a run, and its steps: results.c prints, input.c takes the tests of an input through
// the rooms, parallel.c has inputs run by processes, and run.c is the whole.
#ifndef PTXLITMUS_CLI_COMMANDS_RUN_INTERNAL_H
#define PTXLITMUS_CLI_COMMANDS_RUN_INTERNAL_H

#include "cli/report/exit_status.h"
#include "cli/input/files.h"
#include "cli/options/options.h"
#include "cli/input/systems.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct arena;
struct diagnostics;
struct report;
struct solver;

struct run {
    const struct options *options;
    struct system_list systems; // of which several are compared
    size_t test_count;          // decided on at least one of them
    bool has_table;             // a table was printed
    size_t differing_count;
    char *differing; // their names; NULL for none
    struct solver *solver;
    enum exit_status status;
    FILE *out, *err;    // where results and messages go: in a worker, its stdout and stderr
    size_t index;       // of the input in work, with --shard; else 0
    size_t test, tests; // in work, from 0, of how many of its file
    double begun;       // when the limits of the test in work began
    bool output_failed; // the standard output is gone: nothing more is run
};

void run_add_status(struct run *run, enum exit_status status);

// Runs the tests of an input from the `first`-th on (0: all), and prints what comes of it.
void run_input(struct run *run, const struct input *input, size_t first);

// Prints messages about one input, and in JSON an object for each error.
void run_print_diagnostics(struct run *run, struct arena *arena,
                           const struct diagnostics *diagnostics);

// Writes what the parent process is to know of a run: its status, and which tests differ.
void run_write_note(const struct run *run, FILE *out);

// Adds what was written so to a run; returns false when it is no such note.
bool run_add_note(struct run *run, const char *note, size_t size);

// Hands what was printed on.
void run_flush(struct run *run);

// Notes tests that differ, by their names.
void run_note_differences(struct run *run, const char *names, size_t count);

// Prints the head of the one table of --verdict, when there is one and it has none yet.
void run_print_head(struct run *run);

// Prints the results of a test on all systems, a report each.
void run_print_results(struct run *run, struct arena *arena, const struct report *reports);

#endif
