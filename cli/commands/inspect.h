// The command `inspect`: the contents of a PTX module.
#ifndef PTXLITMUS_CLI_COMMANDS_INSPECT_H
#define PTXLITMUS_CLI_COMMANDS_INSPECT_H

#include "check/report/exit_status.h"
#include "cli/options/options.h"

// Reads the modules of the options and prints each. One with errors does not stop the others.
enum exit_status inspect_modules(const struct options *options);

#endif
