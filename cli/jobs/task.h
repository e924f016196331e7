// What is done with one job after the other, wherever that is: in worker processes (worker.c), or,
// on systems without them, in the program itself (serial.c).
#ifndef PTXLITMUS_CLI_JOBS_TASK_H
#define PTXLITMUS_CLI_JOBS_TASK_H

#include "cli/jobs/limits.h"

#include <stddef.h>
#include <stdio.h>

// Where a job prints its results and messages, and what it notes for the program.
struct worker_streams {
    FILE *out, *err, *note;
};

// What a worker does. In worker processes, `context` is a copy of the program's; elsewhere it is
// the same, so a task keeps apart what both of them write.
struct worker_task {
    void *context;
    void (*enter)(void *context); // once, before the first job
    void (*leave)(void *context); // once, after the last one
    // Does the parts of a job from `part` on (0: all of it). What it writes to `note` goes to the
    // program as it is.
    void (*work)(void *context, size_t job, size_t part, const struct worker_streams *streams);
};

// What the worker printed, all of it malloc'ed; what is on stderr came first. `note` is NULL when
// there is none.
struct worker_text {
    char *err, *out, *note;
    size_t err_size, out_size, note_size;
};

// Opens streams into a text, which is filled when they are closed.
struct worker_streams worker_text_open(struct worker_text *text);

// Closes them.
void worker_text_close(const struct worker_streams *streams);

// Frees what each of these texts has.
void worker_texts_free(struct worker_text texts[], size_t count);

// --- In a worker; elsewhere these do nothing ---------------------------------------------------

// Hands what the job printed so far to the program, and forgets what worker_leave left.
void worker_flush(void);

// Leaves, for each limit that may end the worker now, what the program prints and notes in that
// case instead of the output since the last worker_flush. `next` is the part of the job from which
// another worker goes on; 0: none. The texts are copied. Does nothing where no limit can end a
// worker.
void worker_leave(const struct worker_text texts[LIMIT_COUNT], size_t next);

#endif
