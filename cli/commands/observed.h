// The command `observed`: what was seen on hardware, against what the model allows.
#ifndef PTXLITMUS_CLI_COMMANDS_OBSERVED_H
#define PTXLITMUS_CLI_COMMANDS_OBSERVED_H

#include "check/report/exit_status.h"
#include "cli/options/options.h"

// Reads the logs of the options, runs their tests, and prints what becomes of each. Returns
// EXIT_FAILED when a forbidden state was seen, EXIT_BAD_INPUT when a log or a test cannot be read,
// EXIT_UNDECIDED when it is not known whether a state that was seen is allowed, else EXIT_DECIDED.
enum exit_status observed_tests(const struct options *options);

#endif
