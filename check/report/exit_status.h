// The exit statuses of ptxlitmus: the one table of them (litmus-format.md section 4).
#ifndef PTXLITMUS_CHECK_REPORT_EXIT_STATUS_H
#define PTXLITMUS_CHECK_REPORT_EXIT_STATUS_H

enum exit_status {
    EXIT_DECIDED = 0,   // every test was decided, and no expectation failed
    EXIT_FAILED = 1,    // an expectation failed: `~exists` reachable, `forall` violated, `expect`
    EXIT_BAD_INPUT = 2, // bad usage or bad input, at least one file; the others were still run
    EXIT_UNDECIDED = 3, // at least one test undecided or not run (interrupt), none failed
    EXIT_INTERNAL = 4,  // internal error: a broken invariant, output that cannot be written
};

// A second Ctrl-C ends the program at once with the shell's status of an interrupted program.
enum { EXIT_SECOND_INTERRUPT = 130 };

// Returns the status of a run in which both happened: 4, 2, 1, 3, 0 in that order of precedence.
enum exit_status exit_status_worse(enum exit_status a, enum exit_status b);

#endif
