// The command `lower`: tests in C++ as tests in PTX, and whether they do no more.
#ifndef PTXLITMUS_CLI_COMMANDS_LOWER_H
#define PTXLITMUS_CLI_COMMANDS_LOWER_H

#include "check/report/exit_status.h"
#include "cli/options/options.h"

// Prints what the tests become by the table; with --verify, whether that has outcomes which the
// tests do not have. Returns 0 when it has none, 1 when it has some, 2 after bad input, 3 when that
// is not known, and 4 after an internal error.
enum exit_status lower_tests_of(const struct options *options);

#endif
