// What commands do. Results go to the standard output, messages to the standard error; each command
// returns the exit status (docs/command-line.md).
#ifndef PTXLITMUS_CLI_COMMANDS_COMMANDS_H
#define PTXLITMUS_CLI_COMMANDS_COMMANDS_H

#include "check/report/exit_status.h"
#include "cli/options/options.h"

#include <stdio.h>

// `run`, `check` and `explain`: runs every test that the options name and prints each result, which
// is flushed after each test.
enum exit_status run_tests(const struct options *options);

// `repair` and `relax`: searches changes of the tests in the input and prints them, in a process of
// its own, so that a crash of the solver ends in a message. Returns EXIT_DECIDED when there is one
// for each, or nothing to do; EXIT_FAILED when there is none within the limit.
enum exit_status change_test(const struct options *options);

// `suite`: runs the tests of a suite, or reads what they came to, and prints the report, and others
// into the files of the options.
enum exit_status run_suite(const struct options *options);

// `compare`: runs the tests of both inputs and prints how their outcomes are related. Returns
// EXIT_DECIDED when all pairs are equal (with --no-new: when the second has no outcome that the
// first has not), else EXIT_FAILED.
enum exit_status compare_inputs(const struct options *options);

// `diff`: compares the JSON results of two runs, in files ("-": the standard input), and prints
// verdicts, outcomes and flags that differ on `out`. Messages go to `err`. Returns EXIT_FAILED when
// something differs.
enum exit_status diff_results(const char *a, const char *b, FILE *out, FILE *err);

// `generate`: writes the tests of the cycles or edges of the options to the standard output, or to
// files. Returns EXIT_BAD_INPUT after a message about a cycle; EXIT_UNDECIDED when a verdict that
// was asked for is not known, or tests were left out because there are too many.
enum exit_status generate_tests(const struct options *options);

// `lower`: prints what tests in C++ become by the table; with --verify, whether that has outcomes
// which the tests do not have: then it returns EXIT_FAILED.
enum exit_status lower_tests_of(const struct options *options);

// `harness`: writes the tests of the options as CUDA sources into the folder of the options, and
// names those that cannot run, with the reason. Returns EXIT_BAD_INPUT after a message about a test
// or the folder, or when no test can run; EXIT_INTERNAL when a file cannot be written.
enum exit_status harness_tests(const struct options *options);

// `observed`: reads the logs of the options, runs their tests, and prints what becomes of each.
// Returns EXIT_FAILED when a forbidden state was seen, EXIT_BAD_INPUT when a log or a test cannot
// be read, EXIT_UNDECIDED when it is not known whether a state that was seen is allowed.
enum exit_status observed_tests(const struct options *options);

// `report`: writes a page for each test that the options name and an index of them into the
// options' folder, which is made if it is not there. Returns the status of the tests, as a run.
enum exit_status report_tests(const struct options *options);

// `inspect`: reads the modules of the options and prints each. One with errors does not stop the
// others.
enum exit_status inspect_modules(const struct options *options);

#endif
