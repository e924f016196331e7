// What the tests are run on: the models and targets of the command line.
#ifndef PTXLITMUS_CHECK_SYSTEMS_H
#define PTXLITMUS_CHECK_SYSTEMS_H

#include "check/options.h"
#include "check/readings.h"
#include "litmus/ptx/emit/emit.h"
#include "model/targets/targets.h"

#include <stdio.h>

struct all_targets;
struct arena;
struct diagnostics;

// A model, and the target that it holds on when there is one.
struct system {
    const struct target *target; // NULL: all of PTX
    struct readings readings;
};

struct system_list {
    struct system *items; // in the order of the command line; several are compared
    size_t count;
    struct system *defaults[2]; // without '--target' and '--model': of tests in PTX, in C++
    struct system *later;       // without '--model': instead of `items`, of tests in versions of
                                // PTX after PTX_USUAL
    struct arena *arena;        // of what is loaded when a test first asks for it: models of
                                // `defaults` and `later` are NULL until then
    const struct check_options *options;
    struct all_targets *targets; // systems.c
};

// Loads what the options name into `arena`; without '--target' and '--model', the default model.
// Returns false after errors in `diagnostics`. `arena`, and what the options point to, have to live
// as long as the list.
bool systems_load(struct arena *arena, const struct check_options *options,
                  struct system_list *list, struct diagnostics *diagnostics);

// Returns the list with the systems of a test's language and version: those that the options name,
// else the default, which is loaded if no test has asked for it yet. systems_check_test says when
// those that they name are of the other language.
struct system_list systems_of(const struct system_list *list, const struct test *test);

// Whether no value depends on itself under any of the models, with the dependencies that the
// options leave.
bool systems_forbid_thin_air(const struct system_list *list, const struct check_options *options);

// Returns all `*count` targets that there are, which live as long as the list.
const struct target *systems_targets(const struct system_list *list, size_t *count);

// Returns the target that a test is written for, which exists; NULL where it names none.
const struct target *systems_target_of(const struct system_list *list, const struct test *test);

// Returns the target of that name, or NULL after an error at `span` that lists those that exist;
// for a span without a source, the error is about the command line.
const struct target *systems_find_target(struct arena *arena, const struct system_list *list,
                                         const char *name, struct span span,
                                         struct diagnostics *diagnostics);

// Whether the test uses only what the version and the target that it is written for have: those of
// its own directives, else the version of the options (their targets are not looked at). False
// after errors in `diagnostics`. Notes where the options take the place of the test's `progress`.
bool systems_check_test(struct arena *arena, const struct system_list *list,
                        const struct check_options *options, const struct test *test,
                        struct diagnostics *diagnostics);

// Whether a test for which systems_check_test is true runs on the target of a system; a system
// without one takes all. False after errors.
bool systems_take_test(const struct system_list *list, const struct system *system,
                       const struct test *test, struct diagnostics *diagnostics);

// Returns the version and the target that a test which passes systems_check_test is written for:
// its own, else those of the options, else the first that have all that it needs.
struct emit_head systems_head(const struct system_list *list, const struct check_options *options,
                              const struct test *test);

// Prints the table of --list-targets.
void systems_print_targets(FILE *out, struct arena *arena);

#endif
