// The state of a run, between run.c, which takes one test through it, and parallel.c, which spreads
// inputs over processes.
#ifndef PTXLITMUS_RUN_INTERNAL_H
#define PTXLITMUS_RUN_INTERNAL_H

#include "cli/exit_status.h"
#include "cli/files.h"
#include "cli/options.h"
#include "cli/systems.h"

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct diagnostics;
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
    size_t index;       // of the input in work, with --shard; else 0
    bool output_failed; // the standard output is gone: nothing more is run
};

void run_add_status(struct run *run, enum exit_status status);

// Runs the tests of an input, and prints what comes of it.
void run_input(struct run *run, const struct input *input);

// Prints messages about one input, and in JSON an object for each error.
void run_print_diagnostics(struct run *run, struct arena *arena,
                           const struct diagnostics *diagnostics);

// Hands what was printed on.
void run_flush(struct run *run);

// Notes tests that differ, by their names.
void run_note_differences(struct run *run, const char *names, size_t count);

// Prints the head of the one table of --verdict, when there is one and it has none yet.
void run_print_head(struct run *run);

#endif
