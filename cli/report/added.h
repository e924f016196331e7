// What a command adds to the report of a test, for its printers.
#ifndef PTXLITMUS_CLI_REPORT_ADDED_H
#define PTXLITMUS_CLI_REPORT_ADDED_H

#include "check/report/report.h"
#include "check/systems.h"
#include "cli/options/options.h"

struct explained;
struct findings;
struct judged;
struct launch_result;
struct mending;

struct added {
    const struct options *options;        // of the command
    const struct explained *explained;    // of `explain`, else NULL (check/report/explained.h)
    const struct explained *why;          // in brief, for a line on the page, or NULL
    const struct findings *findings;      // of `check`, or NULL (check/report/findings.h)
    const struct mending *mending;        // a fix of them, or NULL (cli/print/mending.h)
    const struct launch_result *launched; // what a run has shown, or NULL (launch/launch.h)
    const struct report *smaller;         // of a launch of fewer threads, with findings; NULL: none
    const struct judged *judged;          // of `suite`, else NULL (check/report/judge.h)
};

// Returns the report of a program under a system, yet without its outcomes, for a command with
// these options; the arena owns what is added.
struct report report_of_program(struct arena *arena, const struct options *options,
                                const struct system *system, const struct program *program,
                                const char *path);

#endif
