// The command `compare`: the outcomes of two tests, modules or folders.
#ifndef PTXLITMUS_CLI_COMMANDS_COMPARE_H
#define PTXLITMUS_CLI_COMMANDS_COMPARE_H

#include "cli/options/options.h"

// Runs the tests of both inputs and prints how their outcomes are related. Returns 0 when all pairs
// are equal (with --no-new: when the second has no outcome that the first has not), 1 when not, 2
// after bad input, 3 when that is not known, and 4 after an internal error.
int compare_inputs(const struct options *options);

#endif
