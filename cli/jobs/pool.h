// Jobs spread over workers, their output in the order of the jobs. There are two ways to do them,
// of which a build has one: worker processes (pool.c), and one job after the other in the program
// itself (serial.c, with PTXLITMUS_PROCESSES=OFF), where a limit or a crash ends the program.
#ifndef PTXLITMUS_CLI_JOBS_POOL_H
#define PTXLITMUS_CLI_JOBS_POOL_H

#include "cli/jobs/task.h"

#include <stdbool.h>
#include <stddef.h>

// The jobs, by number from 0, and what is done with their output. All functions but those of `task`
// are called in the parent.
struct pool_jobs {
    struct worker_task task;
    size_t count;
    // Whether a job must not run at the same time as others like it, which would read the same
    // standard input.
    bool (*is_alone)(void *context, size_t job);
    // Whether to start no further job, and to end those that run soon.
    bool (*is_stopped)(void *context);
    // Whether to start no further job, and to let those that run end. May be NULL: never.
    bool (*is_over)(void *context);
    // Called in the order of the jobs: for a piece of output, as soon as no earlier job is
    // unfinished; for the end of a job, or of the parts that one worker has done, with its note; or
    // for a job that did not end, with the reason. `limit`: the limit that ended it, when it left
    // no text to print instead.
    void (*print)(void *context, size_t job, const struct worker_text *text);
    void (*done)(void *context, size_t job, const char *note, size_t size);
    void (*failed)(void *context, size_t job, enum limit limit, const char *why);
    // A worker that was idle and was asked to end has ended badly; what it printed to stderr, and
    // how it ended.
    void (*broken)(void *context, const char *err, const char *why);
    // Called several times a second: how many jobs are finished, and which run. May be NULL.
    void (*tick)(void *context, size_t done, const size_t *running, size_t running_count);
};

// Does the jobs on at most `worker_count` workers at once, each of which gets a new job when it has
// finished one. Ends the limits of reading (limits_end_reading), and is at STAGE_WRITING when it
// returns. When a worker crashes, one job fails, and another worker takes its place. When a
// limit ends it, one part of a job fails: what it left for that case is printed instead. Returns
// how many jobs were started.
size_t pool_run(const struct pool_jobs *jobs, size_t worker_count);

// Returns the number of processors that this process may use, at least 1.
size_t pool_processors(void);

#endif
