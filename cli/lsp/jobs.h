// Work that a process does for the server: when it begins, and what it has printed so far.
#ifndef PTXLITMUS_CLI_LSP_JOBS_H
#define PTXLITMUS_CLI_LSP_JOBS_H

#include "cli/jobs/child.h"

#include <stdbool.h>
#include <stddef.h>

enum lsp_job_state {
    JOB_NONE, // nothing is to be done
    JOB_DUE,  // it begins when it is due, and a process may be had for it
    JOB_RUNNING,
    JOB_DONE,
};

// Times are in milliseconds of watchdog_now_ms. Begins zeroed.
struct lsp_job {
    enum lsp_job_state state;
    double due, deadline;
    struct child child; // while it is running
    char *printed;
    size_t size, capacity, taken;
    bool was_cut; // it was ended at its deadline, or has printed too much; or could not be started
};

// Plans the work for a time, in place of what was planned or is being done.
void job_plan(struct lsp_job *job, double due);

// Begins the work, which has to end before a time.
void job_start(struct lsp_job *job, void (*work)(void *context), void *context, double deadline);

// Reads what the process has printed, which must be some, or its end.
void job_read(struct lsp_job *job);

// Ends work whose time is over.
void job_check(struct lsp_job *job, double now);

// Returns the next line that is whole, without its end, and sets *length; NULL when there is none.
// It is borrowed until the next call of a function here.
const char *job_line(struct lsp_job *job, size_t *length);

// Ends the work, and forgets what it has printed.
void job_stop(struct lsp_job *job);

#endif
