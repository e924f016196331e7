// The pool: one loop in the parent that hands out jobs, waits for the workers' messages, and passes
// their output on in the order of the jobs.
#include "cli/jobs/pool.h"

#include "cli/jobs/signals.h"
#include "cli/jobs/worker.h"
#include "litmus/source/allocate.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { TICK_MILLISECONDS = 100 };

enum job_state { JOB_UNFINISHED, JOB_WAITING, JOB_DONE, JOB_FAILED };

// The state of a job that was started: the output that waits for that of earlier jobs.
struct job {
    enum job_state state;
    struct worker_text *texts;
    size_t text_count;
    size_t part;      // with JOB_WAITING: where another worker goes on
    char *why;        // with JOB_FAILED
    enum limit limit; // of that failure, too
};

// A worker, and what it does. Those that run are in front.
struct hand {
    size_t job;
    bool is_busy;
};

struct pool {
    const struct pool_jobs *jobs;
    struct job *states;
    struct worker *workers;
    struct hand *hands; // one for each worker
    struct pollfd *polled;
    size_t *running; // for tick
    size_t worker_count, worker_max;
    size_t started, delivered;
    size_t waiting; // jobs for which another worker is wanted
    bool is_stopped;
};

// Says how a process has ended; the caller frees the text.
__attribute__((format(printf, 1, 2))) static char *why_text(const char *format, ...) {
    char *text;
    va_list args;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0)
        out_of_memory();
    va_end(args);
    return text;
}

static char *end_text(int status) {
    return WIFSIGNALED(status) ? why_text("was ended by signal %d (%s)", WTERMSIG(status),
                                          strsignal(WTERMSIG(status)))
                               : why_text("ended with status %d", WEXITSTATUS(status));
}

// Records why a job did not end.
static void fail(struct pool *pool, size_t job, enum limit limit, char *why) {
    pool->states[job].state = JOB_FAILED;
    pool->states[job].limit = limit;
    pool->states[job].why = why;
}

// --- Workers -----------------------------------------------------------------------------------

// An idle worker, one that is started for it, or NULL. There is no other way to go on when none can
// be started and none is at work: the job has failed.
static struct hand *idle_hand(struct pool *pool, size_t job) {
    for (size_t i = 0; i < pool->worker_count; i++)
        if (!pool->hands[i].is_busy)
            return &pool->hands[i];
    if (pool->worker_count == pool->worker_max)
        return NULL;
    struct worker *worker = &pool->workers[pool->worker_count];
    if (!worker_start(worker, &pool->jobs->task, pool->workers, pool->worker_count)) {
        if (pool->worker_count == 0) {
            pool->started += job == pool->started;
            fail(pool, job, LIMIT_NONE,
                 why_text("cannot start a process for it: %s", strerror(errno)));
        }
        return NULL;
    }
    struct hand *hand = &pool->hands[pool->worker_count++];
    *hand = (struct hand){0};
    return hand;
}

static void keep_text(struct job *job, struct worker_text text) {
    if (text.err_size + text.out_size == 0 && !text.note) {
        worker_texts_free(&text, 1);
        return;
    }
    job->texts = reallocate(job->texts, job->text_count + 1, sizeof *job->texts);
    job->texts[job->text_count++] = text;
}

// A limit has ended a worker: what it left for that case replaces what it could no longer print.
static bool take_last(struct pool *pool, const struct worker *worker, enum limit limit,
                      size_t number) {
    struct job *job = &pool->states[number];
    struct worker_text text;
    size_t next;
    if (limit == LIMIT_NONE || !worker_last(worker, limit, &text, &next))
        return false;
    keep_text(job, text);
    job->state = next > 0 ? JOB_WAITING : JOB_DONE;
    job->part = next;
    pool->waiting += next > 0;
    return true;
}

// Removes a worker that has ended, and reports what happened to its job. What it had printed last
// is passed on, unless a limit ended it, perhaps in the middle of a line.
static void bury(struct pool *pool, size_t index, struct worker_text last_words) {
    assert(index < pool->worker_count && pool->worker_count <= pool->worker_max);
    struct hand hand = pool->hands[index];
    struct worker worker = pool->workers[index];
    int status = worker_wait(&worker);
    enum limit limit = WIFEXITED(status) ? limits_of_status(WEXITSTATUS(status)) : LIMIT_NONE;
    pool->worker_count--;
    pool->workers[index] = pool->workers[pool->worker_count];
    pool->hands[index] = pool->hands[pool->worker_count];
    if (hand.is_busy && limit == LIMIT_NONE)
        keep_text(&pool->states[hand.job], last_words);
    else
        free(last_words.err);
    if (hand.is_busy && !take_last(pool, &worker, limit, hand.job)) {
        char *end = end_text(status);
        fail(pool, hand.job, limit, why_text("the process that ran it %s", end));
        free(end);
    }
    worker_close(&worker);
}

static bool must_wait(const struct pool *pool, size_t job) {
    const struct pool_jobs *jobs = pool->jobs;
    if (!jobs->is_alone(jobs->task.context, job))
        return false;
    for (size_t i = 0; i < pool->worker_count; i++)
        if (pool->hands[i].is_busy && jobs->is_alone(jobs->task.context, pool->hands[i].job))
            return true;
    return false;
}

// Gives a job to a worker. False when none is free.
static bool give(struct pool *pool, size_t job) {
    struct hand *hand = idle_hand(pool, job);
    if (!hand)
        return false;
    size_t index = (size_t)(hand - pool->hands);
    assert(!hand->is_busy);
    assert(job <= pool->started); // handed out in order, or again
    hand->job = job;
    hand->is_busy = true;
    pool->started += job == pool->started;
    pool->states[job].state = JOB_UNFINISHED;
    if (!worker_send(&pool->workers[index], job, pool->states[job].part))
        bury(pool, index, (struct worker_text){0});
    return true;
}

static void hand_out_again(struct pool *pool) {
    for (size_t job = pool->delivered; job < pool->started && pool->waiting > 0; job++) {
        if (pool->states[job].state == JOB_WAITING) {
            pool->waiting--;
            if (!give(pool, job) && pool->states[job].state == JOB_WAITING) {
                pool->waiting++;
                return;
            }
        }
    }
}

// Whether no further job is to be started, and those that run may end.
static bool is_over(const struct pool_jobs *jobs) {
    return jobs->is_over && jobs->is_over(jobs->task.context);
}

static void hand_out(struct pool *pool) {
    hand_out_again(pool);
    while (!is_over(pool->jobs) && pool->started < pool->jobs->count &&
           !must_wait(pool, pool->started) && give(pool, pool->started)) {
    }
}

// --- Output ------------------------------------------------------------------------------------

// Passes on what a job has printed since the last time.
static void print_texts(struct pool *pool, size_t number) {
    const struct pool_jobs *jobs = pool->jobs;
    struct job *job = &pool->states[number];
    for (size_t i = 0; i < job->text_count; i++) {
        const struct worker_text *text = &job->texts[i];
        if (text->err_size + text->out_size > 0)
            jobs->print(jobs->task.context, number, text);
        if (text->note)
            jobs->done(jobs->task.context, number, text->note, text->note_size);
    }
    worker_texts_free(job->texts, job->text_count);
    free(job->texts);
    job->texts = NULL;
    job->text_count = 0;
}

static void finish_job(struct pool *pool, size_t number) {
    const struct pool_jobs *jobs = pool->jobs;
    struct job *job = &pool->states[number];
    if (job->state == JOB_FAILED)
        jobs->failed(jobs->task.context, number, job->limit, job->why);
    free(job->why);
}

static void deliver(struct pool *pool) {
    assert(pool->delivered <= pool->started && pool->started <= pool->jobs->count);
    while (pool->delivered < pool->started) {
        print_texts(pool, pool->delivered);
        enum job_state state = pool->states[pool->delivered].state;
        if (state == JOB_UNFINISHED || state == JOB_WAITING)
            return;
        finish_job(pool, pool->delivered++);
    }
}

// --- The loop ----------------------------------------------------------------------------------

// Takes what a worker reports. An idle one can only report its end.
static void listen_to(struct pool *pool, size_t index) {
    struct hand *hand = &pool->hands[index];
    struct job *job = &pool->states[hand->job];
    struct worker_text text;
    enum worker_event event = worker_receive(&pool->workers[index], &text);
    if (event == WORKER_LOST) {
        bury(pool, index, text);
        return;
    }
    keep_text(job, text);
    if (event == WORKER_DONE) {
        hand->is_busy = false;
        job->state = JOB_DONE;
    }
}

static void wait_for_news(struct pool *pool) {
    for (size_t i = 0; i < pool->worker_count; i++)
        pool->polled[i] = (struct pollfd){.fd = pool->workers[i].socket, .events = POLLIN};
    if (poll(pool->polled, (nfds_t)pool->worker_count, TICK_MILLISECONDS) <= 0)
        return;
    // backwards: the last worker takes the place of one that is removed
    for (size_t i = pool->worker_count; i-- > 0;)
        if (pool->polled[i].revents != 0)
            listen_to(pool, i);
}

// Reports which workers run; false when none does.
static bool tick(struct pool *pool) {
    const struct pool_jobs *jobs = pool->jobs;
    size_t count = 0;
    for (size_t i = 0; i < pool->worker_count; i++)
        if (pool->hands[i].is_busy)
            pool->running[count++] = pool->hands[i].job;
    if (count > 0 && jobs->tick)
        jobs->tick(jobs->task.context, pool->started - count, pool->running, count);
    return count > 0;
}

// No job is handed out any more, not even the rest of one.
static void stop(struct pool *pool) {
    pool->is_stopped = true;
    for (size_t job = pool->delivered; job < pool->started; job++)
        if (pool->states[job].state == JOB_WAITING)
            fail(pool, job, LIMIT_INTERRUPT, why_text("the run was stopped"));
    pool->waiting = 0;
    for (size_t i = 0; i < pool->worker_count; i++)
        worker_interrupt(&pool->workers[i]);
}

// Hands out and collects until no job runs and none is to be started.
static void loop(struct pool *pool) {
    const struct pool_jobs *jobs = pool->jobs;
    for (;;) {
        if (!pool->is_stopped && jobs->is_stopped(jobs->task.context))
            stop(pool);
        if (!pool->is_stopped)
            hand_out(pool);
        deliver(pool);
        bool ends = pool->is_stopped || (is_over(jobs) && pool->delivered == pool->started);
        if (!tick(pool) && (ends || pool->delivered == jobs->count))
            return;
        wait_for_news(pool);
    }
}

// Ends an idle worker, which is silent unless something is wrong, such as memory that was not
// freed.
static void end(const struct pool *pool, struct worker *worker) {
    int status = worker_wait(worker);
    struct worker_text text = worker_last_words(worker);
    if (status != 0 && !(WIFEXITED(status) && limits_of_status(WEXITSTATUS(status)))) {
        char *end = end_text(status);
        char *why = why_text("a process that had done its work %s", end);
        pool->jobs->broken(pool->jobs->task.context, text.err ? text.err : "", why);
        free(why);
        free(end);
    }
    free(text.err);
    worker_close(worker);
}

size_t pool_run(const struct pool_jobs *jobs, size_t worker_count) {
    struct pool pool = {.jobs = jobs, .worker_max = worker_count};
    limits_end_reading();
    signals_set_stage(STAGE_RUNNING);
    pool.states = allocate(jobs->count, sizeof *pool.states);
    pool.workers = allocate(worker_count, sizeof *pool.workers);
    pool.hands = allocate(worker_count, sizeof *pool.hands);
    pool.polled = allocate(worker_count, sizeof *pool.polled);
    pool.running = allocate(worker_count, sizeof *pool.running);
    loop(&pool);
    assert(pool.delivered == pool.started);
    assert(pool.waiting == 0);
    for (size_t i = 0; i < pool.worker_count; i++)
        end(&pool, &pool.workers[i]);
    free(pool.states);
    free(pool.workers);
    free(pool.hands);
    free(pool.polled);
    free(pool.running);
    signals_set_stage(STAGE_WRITING);
    return pool.started;
}

size_t pool_processors(void) {
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count > 0 ? (size_t)count : 1;
}
