// The commands `repair` and `relax`: a test made stronger, or weaker.
#ifndef PTXLITMUS_CLI_COMMANDS_CHANGE_H
#define PTXLITMUS_CLI_COMMANDS_CHANGE_H

#include "cli/options/options.h"
#include "cli/report/exit_status.h"
#include "repair/changes.h"

struct run;

enum { CHANGE_LIMITS_MAX = 2 };

// Fills in the versions and targets whose instructions a changed test may use; returns how many.
// `limits` has room for CHANGE_LIMITS_MAX.
size_t change_limits(const struct run *run, const struct test *test, struct change_limit *limits);

// Searches changes of the tests in the input and prints them. Returns EXIT_DECIDED when there is
// one for each, or nothing to do; EXIT_FAILED when there is none within the limit; EXIT_UNDECIDED
// when that is not known.
enum exit_status change_test(const struct options *options);

#endif
