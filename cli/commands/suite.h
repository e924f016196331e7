// The command `suite`: many tests, for a continuous integration.
#ifndef PTXLITMUS_CLI_COMMANDS_SUITE_H
#define PTXLITMUS_CLI_COMMANDS_SUITE_H

#include "check/report/exit_status.h"
#include "cli/options/options.h"

// Runs the tests of a suite, or reads what they came to, and prints the report on the standard
// output, and others into the files of the options. Returns the exit status.
enum exit_status run_suite(const struct options *options);

#endif
