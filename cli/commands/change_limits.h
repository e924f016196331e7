// The versions and targets by which a changed test has to go.
#ifndef PTXLITMUS_CLI_COMMANDS_CHANGE_LIMITS_H
#define PTXLITMUS_CLI_COMMANDS_CHANGE_LIMITS_H

#include "repair/changes.h"

#include <stddef.h>

struct run;
struct test;

enum { CHANGE_LIMITS_MAX = 2 };

// Fills in the versions and targets whose instructions a changed test may use; returns how many.
// `limits` has room for CHANGE_LIMITS_MAX.
size_t change_limits(const struct run *run, const struct test *test, struct change_limit *limits);

#endif
