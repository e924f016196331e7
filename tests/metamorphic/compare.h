// What the programs here share: tests of files and folders, and what two runs have in common.
#ifndef PTXLITMUS_TEST_METAMORPHIC_COMPARE_H
#define PTXLITMUS_TEST_METAMORPHIC_COMPARE_H

#include "program/program.h"
#include "litmus/test.h"
#include "model/cat/model.h"
#include "solver/solver.h"

// Of tests with more states, the verdict and the flags are compared.
enum { STATES_MAX = 200 };

struct compare_run {
    struct solver *solver;
    const struct model *model;
    size_t tests, compared, open; // `open`: a limit was reached, and nothing is known
    bool failed;
};

// What is compared.
struct result {
    const struct program *program;
    const struct outcomes *outcomes; // NULL after errors
};

// Builds the program of a test in `arena`; both are NULL after errors.
struct result result_build(struct arena *arena, const struct test *test,
                           const struct program_options *program);

// Decides a test that was built, if it was and is not decided yet.
void result_decide(struct compare_run *run, struct arena *arena, struct result *result,
                   double timeout_seconds);

// Builds and decides a test; the result lives in `arena`.
struct result result_of(struct compare_run *run, struct arena *arena, const struct test *test,
                        const struct program_options *program, double timeout_seconds);

// Whether each flag of `some` that may hold is one of `all`.
bool flags_are_among(const struct outcomes *some, const struct outcomes *all);

// Whether each state of `some`, as far as `width` values go, is one of `all`.
bool states_are_among(const struct outcomes *some, const struct outcomes *all, size_t width);

// Returns what of two runs is not the same, the verdict, the flags or the first `width` values of
// the states, or NULL.
const char *result_difference(const struct result *a, const struct result *b, size_t width);

// Calls `compare` for each test of a file, or of all litmus tests in a folder. What cannot be read
// makes the run fail.
void compare_path(struct compare_run *run, const char *path,
                  void (*compare)(struct compare_run *run, const char *path,
                                  const struct test *test));

// Starts a run from arguments "[--model M] FILE|FOLDER...", compares all, prints what was done and
// returns the exit status: 0 when all agree, 1 when some do not or there is nothing, 2 for wrong
// arguments.
int compare_main(int argc, char **argv,
                 void (*compare)(struct compare_run *run, const char *path,
                                 const struct test *test));

#endif
