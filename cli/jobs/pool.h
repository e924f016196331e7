// Jobs spread over worker processes, their output in the order of the jobs.
#ifndef PTXLITMUS_CLI_JOBS_POOL_H
#define PTXLITMUS_CLI_JOBS_POOL_H

#include "cli/jobs/worker.h"

#include <stdbool.h>
#include <stddef.h>

// The jobs, by number from 0, and what becomes of their output. All functions but those of `task`
// are called in the parent.
struct pool_jobs {
    struct worker_task task;
    size_t count;
    // Whether a job keeps others like it waiting: they would read the same standard input.
    bool (*is_alone)(void *context, size_t job);
    // Whether no further job shall be started, and those that run shall end soon.
    bool (*is_stopped)(void *context);
    // In the order of the jobs: a piece of output, as soon as no earlier job is unfinished; the end
    // of a job, or of the parts that one worker has done, with its note; or that a job came to no
    // end, and why. `limit`: which one ended it, with nothing left to print instead.
    void (*print)(void *context, size_t job, const struct worker_text *text);
    void (*done)(void *context, size_t job, const char *note, size_t size);
    void (*failed)(void *context, size_t job, enum limit limit, const char *why);
    // A worker that was to end, and had nothing to do, has ended badly; what it said.
    void (*broken)(void *context, const char *err, const char *why);
    // Several times a second: how many jobs are finished, and which run.
    void (*tick)(void *context, size_t done, const size_t *running, size_t running_count);
};

// Does the jobs on at most `worker_count` workers at once. Each gets the next job when it is done
// with its last. A worker that crashes takes one job with it, and another takes its place. One that
// a limit ends takes one part of a job with it: what it left is printed instead. Returns how many
// jobs were started.
size_t pool_run(const struct pool_jobs *jobs, size_t worker_count);

// The number of processors that this process may use, at least 1.
size_t pool_processors(void);

#endif
