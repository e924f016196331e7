// The commands `repair` and `relax`: a test made stronger, or weaker.
#ifndef PTXLITMUS_CLI_COMMANDS_CHANGE_H
#define PTXLITMUS_CLI_COMMANDS_CHANGE_H

#include "check/report/exit_status.h"
#include "cli/options/options.h"

// Searches changes of the tests in the input and prints them, in a process of its own, so that a
// crash of the solver ends in a message. Returns EXIT_DECIDED when there is one for each, or
// nothing to do; EXIT_FAILED when there is none within the limit; EXIT_UNDECIDED when that is not
// known.
enum exit_status change_test(const struct options *options);

#endif
