// The versions and targets by which a changed test has to go.
#ifndef PTXLITMUS_CHECK_CHANGE_LIMITS_H
#define PTXLITMUS_CHECK_CHANGE_LIMITS_H

#include "check/systems.h"
#include "repair/changes.h"

#include <stddef.h>

struct test;

enum { CHANGE_LIMITS_MAX = 2 };

// Fills in the versions and targets whose instructions a changed test may use, under the first of
// the systems; returns how many. `limits` has room for CHANGE_LIMITS_MAX.
size_t change_limits(const struct system_list *systems, const struct check_options *options,
                     const struct test *test, struct change_limit *limits);

#endif
