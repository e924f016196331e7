// The run over all inputs.
#ifndef PTXLITMUS_CLI_COMMANDS_RUN_H
#define PTXLITMUS_CLI_COMMANDS_RUN_H

#include "check/report/exit_status.h"
#include "cli/options/options.h"

// Runs every test that the options name and prints each result on the standard output, which is
// flushed after each test, and messages on the standard error. Returns the status of the whole run.
enum exit_status run_tests(const struct options *options);

#endif
