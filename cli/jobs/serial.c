// Jobs one after the other in the program itself, for systems without processes, such as a browser.
// What a job prints is kept in memory until worker_flush or its end, and then passed on.
#include "cli/jobs/pool.h"

#include "cli/jobs/signals.h"
#include "litmus/source/allocate.h"

#include <stdbool.h>

// The job that is being done, and how much of its output was passed on.
struct serial_job {
    const struct pool_jobs *jobs;
    size_t number;
    struct worker_streams streams;
    struct worker_text text;
    size_t out_at, err_at;
};

static struct serial_job *current; // for worker_flush, which is told nothing

static void pass_on(struct serial_job *job) {
    fflush(job->streams.out);
    fflush(job->streams.err);
    const struct worker_text piece = {
        .out = job->text.out + job->out_at,
        .err = job->text.err + job->err_at,
        .out_size = job->text.out_size - job->out_at,
        .err_size = job->text.err_size - job->err_at,
    };
    job->out_at = job->text.out_size;
    job->err_at = job->text.err_size;
    if (piece.out_size + piece.err_size > 0)
        job->jobs->print(job->jobs->task.context, job->number, &piece);
}

void worker_flush(void) {
    if (current)
        pass_on(current);
}

void worker_leave(const struct worker_text texts[LIMIT_COUNT], size_t next) {
    (void)texts;
    (void)next;
}

static void do_job(const struct pool_jobs *jobs, size_t number) {
    struct serial_job job = {.jobs = jobs, .number = number}, *outer = current;
    job.streams = worker_text_open(&job.text);
    current = &job;
    if (jobs->tick)
        jobs->tick(jobs->task.context, number, &number, 1);
    jobs->task.work(jobs->task.context, number, 0, &job.streams);
    pass_on(&job);
    current = outer;
    worker_text_close(&job.streams);
    jobs->done(jobs->task.context, number, job.text.note, job.text.note_size);
    worker_texts_free(&job.text, 1);
}

static bool goes_on(const struct pool_jobs *jobs) {
    return !jobs->is_stopped(jobs->task.context) &&
           !(jobs->is_over && jobs->is_over(jobs->task.context));
}

size_t pool_run(const struct pool_jobs *jobs, size_t worker_count) {
    (void)worker_count;
    size_t started = 0;
    limits_end_reading();
    signals_set_stage(STAGE_RUNNING);
    jobs->task.enter(jobs->task.context);
    while (started < jobs->count && goes_on(jobs))
        do_job(jobs, started++);
    jobs->task.leave(jobs->task.context);
    signals_set_stage(STAGE_WRITING);
    return started;
}

size_t pool_processors(void) {
    return 1;
}
