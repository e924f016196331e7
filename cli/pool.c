// The pool: one loop in the parent that hands out jobs, waits for what the workers tell, and passes
// their output on in the order of the jobs.
#include "cli/pool.h"

#include "litmus/source/diagnostics.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { TICK_MILLISECONDS = 100 };

enum job_state { JOB_UNFINISHED, JOB_DONE, JOB_FAILED };

// What is known of a job that was started: the output that waits for that of earlier jobs.
struct job {
    enum job_state state;
    struct worker_text *texts;
    size_t text_count;
    char *note; // with JOB_DONE
    size_t note_size;
    char *why; // with JOB_FAILED
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
    bool is_stopped;
};

static void *allocate(size_t count, size_t size) {
    void *memory = calloc(count > 0 ? count : 1, size);
    if (!memory) {
        bug("no memory for %zu jobs", count);
    }
    return memory;
}

// Records why a job came to no end.
__attribute__((format(printf, 3, 4))) static void fail(struct pool *pool, size_t job,
                                                       const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (vasprintf(&pool->states[job].why, format, args) < 0) {
        bug("no memory for a message");
    }
    va_end(args);
    pool->states[job].state = JOB_FAILED;
}

// --- Workers -----------------------------------------------------------------------------------

// An idle worker, one that is started for it, or NULL. There is no other way to go on when none can
// be started and none is at work: the next job has failed.
static struct hand *idle_hand(struct pool *pool) {
    for (size_t i = 0; i < pool->worker_count; i++) {
        if (!pool->hands[i].is_busy) {
            return &pool->hands[i];
        }
    }
    if (pool->worker_count == pool->worker_max) {
        return NULL;
    }
    struct worker *worker = &pool->workers[pool->worker_count];
    if (!worker_start(worker, &pool->jobs->task, pool->workers, pool->worker_count)) {
        if (pool->worker_count == 0) {
            fail(pool, pool->started++, "no process can be started for it: %s", strerror(errno));
        }
        return NULL;
    }
    struct hand *hand = &pool->hands[pool->worker_count++];
    *hand = (struct hand){0};
    return hand;
}

// Takes an ended worker out, and says what became of its job.
static void bury(struct pool *pool, size_t index) {
    struct hand hand = pool->hands[index];
    int status = worker_end(&pool->workers[index]);
    pool->worker_count--;
    pool->workers[index] = pool->workers[pool->worker_count];
    pool->hands[index] = pool->hands[pool->worker_count];
    if (!hand.is_busy) {
        return;
    }
    if (WIFSIGNALED(status)) {
        fail(pool, hand.job, "the process that ran it was ended by signal %d (%s)",
             WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else {
        fail(pool, hand.job, "the process that ran it ended with status %d", WEXITSTATUS(status));
    }
}

static bool must_wait(const struct pool *pool, size_t job) {
    const struct pool_jobs *jobs = pool->jobs;
    if (!jobs->is_alone(jobs->task.context, job)) {
        return false;
    }
    for (size_t i = 0; i < pool->worker_count; i++) {
        if (pool->hands[i].is_busy && jobs->is_alone(jobs->task.context, pool->hands[i].job)) {
            return true;
        }
    }
    return false;
}

static void hand_out(struct pool *pool) {
    while (pool->started < pool->jobs->count && !must_wait(pool, pool->started)) {
        struct hand *hand = idle_hand(pool);
        if (!hand) {
            return;
        }
        size_t index = (size_t)(hand - pool->hands);
        hand->job = pool->started++;
        hand->is_busy = true;
        if (!worker_send(&pool->workers[index], hand->job)) {
            bury(pool, index);
        }
    }
}

// --- Output ------------------------------------------------------------------------------------

static void keep_text(struct job *job, struct worker_text text) {
    if (text.err_size + text.out_size == 0) {
        free(text.err);
        free(text.out);
        return;
    }
    job->texts = realloc(job->texts, (job->text_count + 1) * sizeof *job->texts);
    if (!job->texts) {
        bug("no memory for the output of a test");
    }
    job->texts[job->text_count++] = text;
}

// Passes on what a job has printed since the last time.
static void print_texts(struct pool *pool, size_t number) {
    const struct pool_jobs *jobs = pool->jobs;
    struct job *job = &pool->states[number];
    for (size_t i = 0; i < job->text_count; i++) {
        jobs->print(jobs->task.context, number, &job->texts[i]);
        free(job->texts[i].err);
        free(job->texts[i].out);
    }
    free(job->texts);
    job->texts = NULL;
    job->text_count = 0;
}

static void finish_job(struct pool *pool, size_t number) {
    const struct pool_jobs *jobs = pool->jobs;
    struct job *job = &pool->states[number];
    if (job->state == JOB_DONE) {
        jobs->done(jobs->task.context, number, job->note, job->note_size);
    } else {
        jobs->failed(jobs->task.context, number, job->why);
    }
    free(job->note);
    free(job->why);
}

static void deliver(struct pool *pool) {
    while (pool->delivered < pool->started) {
        print_texts(pool, pool->delivered);
        if (pool->states[pool->delivered].state == JOB_UNFINISHED) {
            return;
        }
        finish_job(pool, pool->delivered++);
    }
}

// --- The loop ----------------------------------------------------------------------------------

// Takes what a worker tells. An idle one has nothing to tell but its end.
static void listen_to(struct pool *pool, size_t index) {
    struct hand *hand = &pool->hands[index];
    struct job *job = &pool->states[hand->job];
    struct worker_text text;
    char *note;
    size_t note_size;
    enum worker_event event = worker_receive(&pool->workers[index], &text, &note, &note_size);
    if (hand->is_busy) {
        keep_text(job, text);
    } else {
        free(text.err);
    }
    if (event == WORKER_DONE) {
        hand->is_busy = false;
        job->state = JOB_DONE;
        job->note = note;
        job->note_size = note_size;
    } else if (event == WORKER_LOST) {
        bury(pool, index);
    }
}

static void wait_for_news(struct pool *pool) {
    for (size_t i = 0; i < pool->worker_count; i++) {
        pool->polled[i] = (struct pollfd){.fd = pool->workers[i].socket, .events = POLLIN};
    }
    if (poll(pool->polled, (nfds_t)pool->worker_count, TICK_MILLISECONDS) <= 0) {
        return;
    }
    // from behind: the last worker takes the place of one that is buried
    for (size_t i = pool->worker_count; i-- > 0;) {
        if (pool->polled[i].revents != 0) {
            listen_to(pool, i);
        }
    }
}

// Tells who runs; false when nobody does.
static bool tick(struct pool *pool) {
    const struct pool_jobs *jobs = pool->jobs;
    size_t count = 0;
    for (size_t i = 0; i < pool->worker_count; i++) {
        if (pool->hands[i].is_busy) {
            pool->running[count++] = pool->hands[i].job;
        }
    }
    if (count > 0) {
        jobs->tick(jobs->task.context, pool->started - count, pool->running, count);
    }
    return count > 0;
}

static void stop(struct pool *pool) {
    pool->is_stopped = true;
    for (size_t i = 0; i < pool->worker_count; i++) {
        worker_interrupt(&pool->workers[i]);
    }
}

// Hands out and collects until nothing runs and nothing is to be started.
static void loop(struct pool *pool) {
    const struct pool_jobs *jobs = pool->jobs;
    for (;;) {
        if (!pool->is_stopped && jobs->is_stopped(jobs->task.context)) {
            stop(pool);
        }
        if (!pool->is_stopped) {
            hand_out(pool);
        }
        deliver(pool);
        if (!tick(pool) && (pool->is_stopped || pool->started == jobs->count)) {
            return;
        }
        wait_for_news(pool);
    }
}

size_t pool_run(const struct pool_jobs *jobs, size_t worker_count) {
    struct pool pool = {.jobs = jobs, .worker_max = worker_count};
    pool.states = allocate(jobs->count, sizeof *pool.states);
    pool.workers = allocate(worker_count, sizeof *pool.workers);
    pool.hands = allocate(worker_count, sizeof *pool.hands);
    pool.polled = allocate(worker_count, sizeof *pool.polled);
    pool.running = allocate(worker_count, sizeof *pool.running);
    loop(&pool);
    for (size_t i = 0; i < pool.worker_count; i++) {
        worker_end(&pool.workers[i]);
    }
    free(pool.states);
    free(pool.workers);
    free(pool.hands);
    free(pool.polled);
    free(pool.running);
    return pool.started;
}

size_t pool_processors(void) {
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count > 0 ? (size_t)count : 1;
}
