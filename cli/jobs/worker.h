// One worker: a process of its own that does jobs, and what it prints, kept until it is asked for.
#ifndef PTXLITMUS_CLI_JOBS_WORKER_H
#define PTXLITMUS_CLI_JOBS_WORKER_H

#include "cli/jobs/task.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// How long the texts are that a worker leaves for the case that a limit ends it, and where they
// begin in its file.
struct worker_will {
    bool is_made;
    size_t begin;
    struct {
        size_t err, out, note;
    } sizes[LIMIT_COUNT];
    size_t next; // see worker_leave
};

// A worker as its parent sees it.
struct worker {
    pid_t pid;
    int socket;               // jobs go out, messages come in
    int out, err, note, last; // files that its stdout and stderr are, its note, its last texts
    size_t out_at, err_at;    // how much of them is taken
    struct worker_will will;
};

enum worker_event {
    WORKER_PRINTED, // a piece of its output
    WORKER_DONE,    // the last piece of a job, and its note
    WORKER_LOST,    // it has ended; what it had printed to stderr last
};

// Starts a worker. `others` are workers whose sockets it must close. The buffers of stdout and
// stderr must be empty. Returns false, with errno, when the system has no process or file left.
bool worker_start(struct worker *worker, const struct worker_task *task,
                  const struct worker *others, size_t other_count);

// Gives an idle worker the parts of a job from `part` on; returns false when it has ended.
bool worker_send(const struct worker *worker, size_t job, size_t part);

// Waits for what the worker reports, and fills in `text`, whose parts the caller frees. A note
// comes with WORKER_DONE.
enum worker_event worker_receive(struct worker *worker, struct worker_text *text);

// Returns what a lost worker has left for the case that this limit ends it, as text that the caller
// frees, and in `*next` the `next` of its worker_leave. False when it has left nothing.
bool worker_last(const struct worker *worker, enum limit limit, struct worker_text *text,
                 size_t *next);

// Asks a worker to end its job soon, as an interrupt would.
void worker_interrupt(const struct worker *worker);

// Lets a worker end after its job, waits for that, and returns its status as waitpid gives it. What
// it left can be read until worker_close.
int worker_wait(struct worker *worker);

// Closes the files of a worker that has ended.
void worker_close(const struct worker *worker);

// Returns what a worker that has ended had printed to stderr since; the caller frees its parts.
struct worker_text worker_last_words(struct worker *worker);

#endif
