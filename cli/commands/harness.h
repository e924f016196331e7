// The command `harness`: tests as CUDA sources, with all that it takes to run them.
#ifndef PTXLITMUS_CLI_COMMANDS_HARNESS_H
#define PTXLITMUS_CLI_COMMANDS_HARNESS_H

#include "check/report/exit_status.h"
#include "cli/options/options.h"

// Writes the tests of the options into the folder of the options, and names those that cannot run,
// with the reason. Returns EXIT_DECIDED; EXIT_BAD_INPUT after a message about a test or the folder,
// or when no test can run; EXIT_INTERNAL when a file cannot be written.
enum exit_status harness_tests(const struct options *options);

#endif
