// Processes that work for the server.
#include "cli/lsp/jobs.h"

#include "litmus/source/allocate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PRINTED_MOST = 16 * 1024 * 1024, PIECE = 64 * 1024 };

void job_stop(struct lsp_job *job) {
    if (job->state == JOB_RUNNING)
        child_end(&job->child);
    free(job->printed);
    *job = (struct lsp_job){0};
}

void job_plan(struct lsp_job *job, double due) {
    job_stop(job);
    job->state = JOB_DUE;
    job->due = due;
}

void job_start(struct lsp_job *job, void (*work)(void *context), void *context, double deadline) {
    job_stop(job);
    job->was_cut = !child_start(&job->child, work, context);
    job->state = job->was_cut ? JOB_DONE : JOB_RUNNING;
    job->deadline = deadline;
}

static void end(struct lsp_job *job, bool was_cut) {
    child_end(&job->child);
    job->state = JOB_DONE;
    job->was_cut = was_cut;
}

void job_read(struct lsp_job *job) {
    if (job->size + PIECE > job->capacity) {
        job->capacity = 2 * (job->size + PIECE);
        job->printed = reallocate(job->printed, job->capacity, 1);
    }
    ssize_t got = read(job->child.out, job->printed + job->size, PIECE);
    if (got < 0 && errno == EINTR)
        return;
    job->size += got > 0 ? (size_t)got : 0;
    if (got <= 0)
        end(job, got < 0);
    else if (job->size > PRINTED_MOST)
        end(job, true);
}

void job_check(struct lsp_job *job, double now) {
    if (job->state == JOB_RUNNING && now >= job->deadline)
        end(job, true);
}

const char *job_line(struct lsp_job *job, size_t *length) {
    size_t left = job->size - job->taken;
    const char *line = job->printed + job->taken;
    const char *newline = left > 0 ? memchr(line, '\n', left) : NULL;
    if (!newline)
        return NULL;
    *length = (size_t)(newline - line);
    job->taken += *length + 1;
    return line;
}
