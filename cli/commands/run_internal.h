// The state of a run, and its steps: budget.c counts the time, results.c prints, input.c takes the
// tests of an input through the rooms, parallel.c gives inputs to worker processes, and run.c is
// the whole.
#ifndef PTXLITMUS_CLI_COMMANDS_RUN_INTERNAL_H
#define PTXLITMUS_CLI_COMMANDS_RUN_INTERNAL_H

#include "check/report/exit_status.h"
#include "check/systems.h"
#include "cli/input/files.h"
#include "cli/jobs/task.h"
#include "cli/options/options.h"
#include "cli/suite/suite.h"
#include "litmus/readers/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct arena;
struct diagnostics;
struct report;
struct solver;
struct system;

// What became of an input.
enum input_fate {
    INPUT_NOT_RUN, // an interrupt, --fail-fast or output that cannot be written left it out
    INPUT_RUN,     // it has results, or messages that say what is wrong with it
    INPUT_UNREAD,  // a limit was reached before its first test was read
};

struct run {
    const struct options *options;
    struct system_list systems; // of which several are compared
    size_t test_count;          // decided on at least one of them
    bool has_table;             // a table was printed
    size_t differing_count;
    char *differing; // their names; NULL for none
    bool is_alone;   // there is one input, not a part of others
    struct solver *solver;
    enum exit_status status;
    FILE *out, *err;    // where results and messages go: in a worker, its stdout and stderr
    size_t index;       // of the current input, with --shard; else 0
    size_t test, tests; // the current one, from 0, and how many its file has
    double begun;       // when the limits of the current test began
    struct derived_launch derived; // by launch_size.h
    // A fault that a run of the test at hand has met: the answer where a search gives none; or
    // NULL.
    const struct launch_result *met;
    struct compiled_file compiled; // the current input of a suite, where it is a .cu file
    double part;                   // of the time limit that each test has; 0: all of it
    bool output_failed;            // the standard output cannot be written: no more tests are run
    // Of a suite, in the parent process: called when results were written to `out`. Else NULL.
    void (*take)(void *context);
    void *take_context;
    enum input_fate *fates;           // by input, in the parent process; NULL: not asked for
    bool is_over;                     // no further input is begun
    void (*instead)(struct run *run); // what a worker does with the only input, NULL: run_input
};

// Adds the status of a part to that of the run (exit_status_worse).
void run_add_status(struct run *run, enum exit_status status);

// Begins the limits of a test, in a worker: those of a file's first one with the reading of the
// file, and with several systems, those of all of them together. No solver runs on beyond them.
void run_begin_limits(struct run *run);

// Whether the time of the current test is over.
bool run_is_late(const struct run *run);

// From now on, run_build_is_late says after so many seconds that it is late.
void run_begin_build(double seconds);

// Whether programs are to be given up that are built for a trial (program_options' is_late): its
// time is over, or the run is interrupted.
bool run_build_is_late(void);

// Returns the options of one of the systems that have not run yet, so many: each gets an equal part
// of what is left of the time.
struct solver_options run_share(const struct run *run, size_t systems);

// Runs the tests of an input from the `first`-th on (0: all), and prints their results and
// messages.
void run_input(struct run *run, const struct input *input, size_t first);

// Prints messages about one input, and in JSON an object for each error.
void run_print_diagnostics(struct run *run, struct arena *arena,
                           const struct diagnostics *diagnostics);

// Loads the models and targets of the options; false after messages.
bool run_load_systems(struct run *run, struct arena *arena);

// Says that a file cannot be written, where `error` is why. Returns whether it is NULL.
bool run_has_written(struct run *run, struct arena *arena, const char *path, const char *error);

// Makes a folder for what the run writes, where it is not there; false after a message.
bool run_make_folder(struct run *run, struct arena *arena, const char *folder);

// Prints a message for each expectation that failed, at its place; returns whether one did.
bool run_print_failures(const struct run *run, struct arena *arena, const struct report *report);

// Writes a note of what the parent process needs to know about a run: its status, and which tests
// differ.
void run_write_note(const struct run *run, FILE *out);

// Begins what a copy of a run prints and notes in place of a result: to a text, which run_end_last
// fills.
struct worker_streams run_begin_last(struct run *last, struct worker_text *text);

// Ends that: writes the note, and closes the streams.
void run_end_last(const struct run *last, const struct worker_streams *streams);

// Adds such a note of `size` bytes to a run; returns false when it is not one.
bool run_add_note(struct run *run, const char *note, size_t size);

// Hands what was printed on, to the parent process or the standard output.
void run_flush(struct run *run);

// Prints the head of the table of --verdict over all tests, if there is such a table and its head
// was not printed yet.
void run_print_head(struct run *run);

// Judges the result of a test of a suite, and shows why it failed: sets `report->added->judged`,
// and the findings where a race is to be reported for code scanning. The report has its outcomes.
// (cli/commands/judge.c)
void run_judge(struct run *run, struct arena *arena, const struct system *system,
               struct report *report);

// Has what a manifest expects asked of those tests of an input that have no condition. False after
// an error. (cli/commands/judge.c)
bool run_ask_rows(const struct input *input, const struct test_list *tests,
                  struct diagnostics *diagnostics);

// Keeps the tests of an input that the suite is about, and gives them what its manifest expects.
// Prints what it says of tests that are not there, and how many were left out. False after errors.
// (cli/commands/judge.c)
bool run_choose_tests(struct run *run, struct arena *arena, const struct input *input,
                      struct test_list *tests, bool is_first);

// Prints what an input came to as a whole, or `tests` of its tests, with the reason or NULL, in a
// format that prints such things.
void run_print_input(struct run *run, struct arena *arena, const char *path, size_t index,
                     enum suite_result result, size_t tests, const char *why);

// Says that so many of the last tests of an input were not run, for a reason, in a message and
// where results are data also there.
void run_print_not_run(struct run *run, const char *path, size_t tests, const char *why);

// Prints the results of a test; `reports` has one for each system.
void run_print_results(struct run *run, struct arena *arena, const struct report *reports);

#endif
