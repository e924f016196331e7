// One worker: a process of its own that does jobs, and what it prints, kept until it is asked for.
#ifndef PTXLITMUS_WORKER_H
#define PTXLITMUS_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

// What a worker does. The functions are called in its process.
struct worker_task {
    void *context;
    void (*enter)(void *context); // once, before the first job
    void (*leave)(void *context); // once, after the last one
    // Does a job, which prints to stdout and stderr. What it writes to `note` goes to the parent as
    // it is.
    void (*work)(void *context, size_t job, FILE *note);
};

// A worker as its parent sees it.
struct worker {
    pid_t pid;
    int socket;            // jobs go out, struct worker_message comes in
    int out, err, note;    // files that its stdout and stderr are, and its note
    size_t out_at, err_at; // how much of them is taken
};

// Something that the worker printed, both texts malloc'ed: the one on stderr came first.
struct worker_text {
    char *err, *out;
    size_t err_size, out_size;
};

enum worker_event {
    WORKER_PRINTED, // a piece of its output
    WORKER_DONE,    // the last piece of a job, and its note
    WORKER_LOST,    // it has ended; what it had printed to stderr last
};

// Starts a worker. `others` are workers whose sockets it has no business with. Nothing may wait in
// the buffers of stdout and stderr. False, with errno, when the system has no process or file left.
bool worker_start(struct worker *worker, const struct worker_task *task,
                  const struct worker *others, size_t other_count);

// Gives an idle worker a job; false when it has ended.
bool worker_send(const struct worker *worker, size_t job);

// Waits for what the worker tells, and fills in `text`, and `note` after WORKER_DONE; the caller
// frees their parts.
enum worker_event worker_receive(struct worker *worker, struct worker_text *text, char **note,
                                 size_t *note_size);

// Asks a worker to end its job soon, as an interrupt would.
void worker_interrupt(const struct worker *worker);

// Lets a worker end after its job, waits for that, and returns its status as waitpid gives it.
int worker_end(struct worker *worker);

// In a worker: hands what the job printed so far to the parent. Nothing in other processes.
void worker_flush(void);

#endif
