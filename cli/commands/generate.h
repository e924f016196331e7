// The command `generate`: tests made of cycles.
#ifndef PTXLITMUS_CLI_COMMANDS_GENERATE_H
#define PTXLITMUS_CLI_COMMANDS_GENERATE_H

#include "check/report/exit_status.h"
#include "cli/options/options.h"

// Writes the tests of the cycles or edges of the options to the standard output, or to files.
// Returns EXIT_DECIDED; EXIT_BAD_INPUT after a message about a cycle; EXIT_UNDECIDED when a verdict
// that was asked for is not known, or tests were left out because there are too many.
enum exit_status generate_tests(const struct options *options);

#endif
