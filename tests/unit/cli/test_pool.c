// Jobs on worker processes: their order, their output, and what happens when a worker ends.
#include "cli/jobs/pool.h"

#include "litmus/source/allocate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { JOBS = 12, SLOW = 1, KILLED = 3, ENDED = 4, LOUD = 6, LOUD_LINES = 20000 };
enum { WAITING = 8, EXHAUSTED = 9 }; // jobs that limits end

// What arrived: a letter for each event.
struct log {
    char text[1024];
    size_t size;
    size_t loud_bytes;
    size_t stop_after; // jobs that are done; 0: never
    size_t done, ticks, most_running;
};

static void add(struct log *log, const char *text) {
    log->size += (size_t)snprintf(log->text + log->size, sizeof log->text - log->size, "%s ", text);
}

static void nothing(void *context) {
    (void)context;
}

// Waits for what never comes, as a test that reads an idle pipe does, after it has said what is to
// be printed in that case. The rest of the job is another worker's.
static void wait_in_vain(void) {
    struct worker_text texts[LIMIT_COUNT] = {
        [LIMIT_TIME] = {.err = "le", .out = "lo", .note = "ln"},
    };
    texts[LIMIT_TIME].err_size = texts[LIMIT_TIME].out_size = texts[LIMIT_TIME].note_size = 2;
    limits_begin(0.05, 0);
    worker_leave(texts, 1);
    printf("lost");
    fflush(stdout);
    for (;;)
        pause();
}

static void work(void *context, size_t job, size_t part, const struct worker_streams *streams) {
    FILE *note = streams->note;
    (void)context;
    assert_true(part == 0 || (job == WAITING && part == 1));
    if (part > 0) {
        fputs("rest", note);
        return;
    }
    fprintf(stderr, "e%zu", job);
    printf("o%zu", job);
    worker_flush();
    switch (job) {
    case SLOW: usleep(300000); break;
    case KILLED:
        fputs("last", stderr);
        raise(SIGKILL);
        break;
    case ENDED: _exit(7);
    case WAITING: wait_in_vain(); break;
    case EXHAUSTED: out_of_memory();
    case LOUD:
        for (int i = 0; i < LOUD_LINES; i++)
            puts("line");
        break;
    default: break;
    }
    fprintf(note, "n%zu", job);
}

static bool never(void *context, size_t job) {
    (void)context;
    (void)job;
    return false;
}

static bool always(void *context, size_t job) {
    (void)context;
    (void)job;
    return true;
}

static bool is_over(void *context) {
    (void)context;
    return false;
}

static bool is_stopped(void *context) {
    const struct log *log = context;
    return log->stop_after > 0 && log->done >= log->stop_after;
}

static void print(void *context, size_t job, const struct worker_text *text) {
    struct log *log = context;
    if (job == LOUD && text->out_size > 10) {
        log->loud_bytes += text->out_size;
        return;
    }
    add(log, text->err);
    if (text->out_size > 0)
        add(log, text->out);
}

static void done(void *context, size_t job, const char *note, size_t size) {
    (void)job;
    assert_int_equal(size, strlen(note));
    struct log *log = context;
    log->done++;
    add(log, note);
}

static void failed(void *context, size_t job, enum limit limit, const char *why) {
    (void)job;
    add(context, limit == LIMIT_MEMORY ? "memory" : why);
}

static void broken(void *context, const char *err, const char *why) {
    add(context, err);
    add(context, why);
}

static void tick(void *context, size_t finished, const size_t *running, size_t running_count) {
    struct log *log = context;
    log->ticks++;
    assert_true(finished < JOBS && running_count > 0);
    for (size_t i = 0; i < running_count; i++)
        assert_true(running[i] < JOBS);
    log->most_running = running_count > log->most_running ? running_count : log->most_running;
}

static struct pool_jobs jobs_of(struct log *log) {
    return (struct pool_jobs){
        .task = {.context = log, .enter = nothing, .leave = nothing, .work = work},
        .count = JOBS,
        .is_alone = never,
        .is_stopped = is_stopped,
        .is_over = is_over,
        .print = print,
        .done = done,
        .failed = failed,
        .broken = broken,
        .tick = tick,
    };
}

static const char expected[] = "e0 o0 n0 e1 o1 n1 e2 o2 n2 "
                               "e3 o3 last the process that ran it was ended by signal 9 (Killed) "
                               "e4 o4 the process that ran it ended with status 7 "
                               "e5 o5 n5 e6 o6 n6 e7 o7 n7 "
                               "e8 o8 le lo ln rest e9 o9 memory e10 o10 n10 e11 o11 n11 ";

// However many workers there are.
static void test_order(void **state) {
    (void)state;
    for (size_t workers = 1; workers <= JOBS + 1; workers += 3) {
        struct log log = {0};
        struct pool_jobs jobs = jobs_of(&log);
        assert_int_equal(pool_run(&jobs, workers), JOBS);
        assert_string_equal(log.text, expected);
        assert_int_equal(log.loud_bytes, LOUD_LINES * strlen("line\n"));
        assert_true(log.ticks > 0 && log.most_running <= workers);
        assert_true(workers == 1 || log.most_running > 1);
    }
}

// Jobs that must not meet do not.
static void test_alone(void **state) {
    (void)state;
    struct log log = {0};
    struct pool_jobs jobs = jobs_of(&log);
    jobs.is_alone = always;
    assert_int_equal(pool_run(&jobs, 4), JOBS);
    assert_string_equal(log.text, expected);
    assert_int_equal(log.most_running, 1);
}

// What runs is finished and printed, the rest is not begun.
static void test_stop(void **state) {
    (void)state;
    struct log log = {.stop_after = 1};
    struct pool_jobs jobs = jobs_of(&log);
    size_t started = pool_run(&jobs, 2);
    assert_true(started >= 1 && started <= 4);
    assert_int_equal(strncmp(log.text, expected, strlen("e0 o0 n0 ")), 0);
    struct log none = {0};
    jobs = jobs_of(&none);
    jobs.count = 0;
    assert_int_equal(pool_run(&jobs, 2), 0);
    assert_int_equal(none.size, 0);
    assert_true(pool_processors() >= 1);
}

static void leave_badly(void *context) {
    (void)context;
    fputs("leak ", stderr);
    exit(3);
}

// A worker that ends badly after its jobs is heard.
static void test_broken(void **state) {
    (void)state;
    struct log log = {0};
    struct pool_jobs jobs = jobs_of(&log);
    jobs.count = 1;
    jobs.task.leave = leave_badly;
    assert_int_equal(pool_run(&jobs, 1), 1);
    assert_string_equal(log.text,
                        "e0 o0 n0 leak  a process that had done its work ended with status 3 ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_alone),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_broken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
