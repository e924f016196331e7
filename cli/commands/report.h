// The command `report`: pages in HTML.
#ifndef PTXLITMUS_CLI_COMMANDS_REPORT_H
#define PTXLITMUS_CLI_COMMANDS_REPORT_H

#include "check/report/exit_status.h"
#include "cli/options/options.h"

// Writes a page for each test that the options name and an index of them into the options' folder,
// which is made if it is not there. Returns the status of the tests, as a run would.
enum exit_status report_tests(const struct options *options);

#endif
