// The loop: one thread that waits for the client, for the processes, and for time to pass. It never
// waits for anything else.
#include "cli/lsp/lsp.h"

#include "cli/jobs/limits.h"
#include "cli/jobs/signals.h"
#include "cli/lsp/deciding.h"
#include "cli/lsp/frames.h"
#include "cli/lsp/requests.h"
#include "litmus/source/allocate.h"
#include "solver/backend/watchdog.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PIECE = 64 * 1024, OUTPUT_MOST = 8 * 1024 * 1024 };
enum { LAST_MS = 1000 }; // for which the server waits for a reader at its end

// What is waited for: the client, and each process with the document that it works for.
struct watched {
    struct pollfd *files; // the first two are the standard input and output
    struct lsp_job **jobs;
    struct document **documents;
    size_t count, capacity;
};

static void watch(struct watched *watched, int file, short events, struct lsp_job *job,
                  struct document *document) {
    if (watched->count == watched->capacity) {
        size_t capacity = watched->capacity = 2 * watched->capacity + 8;
        watched->files = reallocate(watched->files, capacity, sizeof *watched->files);
        watched->jobs = reallocate(watched->jobs, capacity, sizeof(struct lsp_job *));
        watched->documents = reallocate(watched->documents, capacity, sizeof(struct document *));
    }
    watched->files[watched->count] = (struct pollfd){.fd = file, .events = events};
    watched->jobs[watched->count] = job;
    watched->documents[watched->count++] = document;
}

static void watch_job(struct watched *watched, struct lsp_job *job, struct document *document) {
    if (job->state == JOB_RUNNING)
        watch(watched, job->child.out, POLLIN, job, document);
}

// A client that does not read its answers is not read either.
static void watch_all(struct watched *watched, struct server *server, bool has_input) {
    size_t pending = output_pending(&server->output);
    watched->count = 0;
    watch(watched, has_input && pending < OUTPUT_MOST ? STDIN_FILENO : -1, POLLIN, NULL, NULL);
    watch(watched, pending > 0 ? STDOUT_FILENO : -1, POLLOUT, NULL, NULL);
    for (struct document *one = server->documents; one; one = one->next) {
        watch_job(watched, &one->decision, one);
        for (struct document_repair *repair = one->repairs; repair; repair = repair->next)
            watch_job(watched, &repair->job, one);
    }
}

// How long nothing happens by itself, in milliseconds; -1: for ever.
static int pause_ms(const struct server *server, double now) {
    double next = INFINITY;
    for (const struct document *one = server->documents; one; one = one->next) {
        const struct lsp_job *job = &one->decision;
        if (job->state == JOB_DUE && job->due > now) // else it waits for a processor
            next = fmin(next, job->due);
        if (job->state == JOB_RUNNING)
            next = fmin(next, job->deadline);
        for (const struct document_repair *repair = one->repairs; repair; repair = repair->next)
            if (repair->job.state == JOB_RUNNING)
                next = fmin(next, repair->job.deadline);
    }
    return isinf(next) ? -1 : next <= now ? 0 : (int)ceil(next - now);
}

// Reads what the client sends; false at its end.
static bool receive(struct server *server, struct frames *frames) {
    static char piece[PIECE];
    const char *body, *wrong;
    size_t size;
    enum frame_kind kind;
    ssize_t got = read(STDIN_FILENO, piece, sizeof piece);
    if (got <= 0)
        return got < 0 && errno == EINTR;
    frames_add(frames, piece, (size_t)got);
    while (!server->is_over && (kind = frames_next(frames, &body, &size, &wrong)) != FRAME_NONE)
        if (kind == FRAME_BAD)
            output_error(&server->output, NULL, RPC_PARSE_ERROR, wrong);
        else
            requests_take(server, body, size);
    return true;
}

// What the processes have printed. The documents are those that were watched: nothing is closed
// meanwhile.
static void read_jobs(struct server *server, const struct watched *watched) {
    for (size_t i = 2; i < watched->count; i++) {
        struct lsp_job *job = watched->jobs[i];
        if (watched->files[i].revents == 0)
            continue;
        if (job == &watched->documents[i]->decision)
            deciding_read(server, watched->documents[i]);
        else
            job_read(job);
    }
}

// Writes what is left at the end, unless the client does not read it.
static bool flush(struct server *server) {
    struct pollfd file = {.fd = STDOUT_FILENO, .events = POLLOUT};
    while (output_pending(&server->output) > 0)
        if (poll(&file, 1, LAST_MS) <= 0 || !output_write(&server->output))
            return false;
    return true;
}

// Serves until the client is gone; false where it cannot be written to.
static bool serve(struct server *server, struct frames *frames, struct watched *watched) {
    bool has_input = true;
    while (!server->is_over && has_input && !signals_interrupted()) {
        double now = watchdog_now_ms();
        deciding_begin(server, now);
        requests_settle(server);
        watch_all(watched, server, has_input);
        if (poll(watched->files, watched->count, pause_ms(server, now)) < 0) {
            if (errno != EINTR)
                return false;
            continue;
        }
        read_jobs(server, watched);
        if (watched->files[1].revents && !output_write(&server->output))
            return false;
        if (watched->files[0].revents)
            has_input = receive(server, frames);
    }
    return flush(server);
}

enum exit_status lsp_serve(const struct options *options) {
    struct server server = {.options = options};
    struct frames frames = {0};
    struct watched watched = {0};
    if (isatty(STDIN_FILENO))
        fputs("ptxlitmus: note: 'lsp' waits for an editor, which starts it (docs/editor.md)\n",
              stderr);
    limits_end_reading();
    signals_set_stage(STAGE_RUNNING);
    bool is_written = serve(&server, &frames, &watched);
    while (server.documents)
        document_close(&server.documents, server.documents);
    requests_drop(&server);
    frames_free(&frames);
    output_free(&server.output);
    free(watched.files);
    free(watched.jobs);
    free(watched.documents);
    return !is_written                             ? EXIT_INTERNAL
           : server.is_over && server.is_shut_down ? EXIT_DECIDED
                                                   : EXIT_FAILED;
}
