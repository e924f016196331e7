// Jobs one after the other in the program itself: their order and output, and where they stop. The
// pool of processes is what libcli has; serial.c is linked into this test before it.
#include "cli/jobs/pool.h"

#include "litmus/source/allocate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

enum { JOBS = 3, FLUSHES = 1 };

// What arrived, in its order; and what the task does to its own state.
struct serial_log {
    char text[512];
    size_t size;
    size_t stop_after, over_after; // jobs that are done; 0: never
    size_t done, entered, left;
};

static void add(struct serial_log *log, const char *text, size_t size) {
    log->size += (size_t)snprintf(log->text + log->size, sizeof log->text - log->size, "%.*s ",
                                  (int)size, text);
}

static void enter(void *context) {
    ((struct serial_log *)context)->entered++;
}

static void leave(void *context) {
    ((struct serial_log *)context)->left++;
}

static void work(void *context, size_t job, size_t part, const struct worker_streams *streams) {
    const struct serial_log *log = context;
    const struct worker_text texts[LIMIT_COUNT] = {{0}};
    assert_int_equal(part, 0);
    assert_int_equal(log->entered, 1);
    assert_int_equal(log->left, 0);
    fprintf(streams->err, "e%zu", job);
    fprintf(streams->out, "o%zu", job);
    worker_leave(texts, 1); // which nothing will ask for
    if (job == FLUSHES) {
        worker_flush();
        worker_flush(); // and there is nothing new
        fputs("more", streams->out);
    }
    fprintf(streams->note, "n%zu", job);
}

static bool never(void *context, size_t job) {
    (void)context;
    (void)job;
    return false;
}

static bool is_stopped(void *context) {
    const struct serial_log *log = context;
    return log->stop_after > 0 && log->done >= log->stop_after;
}

static bool is_over(void *context) {
    const struct serial_log *log = context;
    return log->over_after > 0 && log->done >= log->over_after;
}

static void print(void *context, size_t job, const struct worker_text *text) {
    (void)job;
    add(context, text->err, text->err_size);
    add(context, text->out, text->out_size);
}

static void done(void *context, size_t job, const char *note, size_t size) {
    struct serial_log *log = context;
    assert_int_equal(job, log->done++);
    add(log, note, size);
}

static void failed(void *context, size_t job, enum limit limit, const char *why) {
    (void)context;
    (void)job;
    (void)limit;
    fail_msg("no job fails: %s", why);
}

static void broken(void *context, const char *err, const char *why) {
    (void)context;
    fail_msg("there is no process: %s%s", err, why);
}

static void tick(void *context, size_t finished, const size_t *running, size_t running_count) {
    const struct serial_log *log = context;
    assert_int_equal(finished, log->done);
    assert_int_equal(running_count, 1);
    assert_int_equal(*running, log->done);
}

static size_t run(struct serial_log *log, size_t count) {
    const struct pool_jobs jobs = {
        .task = {.context = log, .enter = enter, .leave = leave, .work = work},
        .count = count,
        .is_alone = never,
        .is_stopped = is_stopped,
        .is_over = is_over,
        .print = print,
        .done = done,
        .failed = failed,
        .broken = broken,
        .tick = tick,
    };
    size_t started = pool_run(&jobs, 4);
    assert_int_equal(log->entered, 1);
    assert_int_equal(log->left, 1);
    return started;
}

static void test_all(void **state) {
    (void)state;
    struct serial_log log = {0};
    assert_int_equal(run(&log, JOBS), JOBS);
    assert_string_equal(log.text, "e0 o0 n0 e1 o1  more n1 e2 o2 n2 ");
    assert_int_equal(pool_processors(), 1);
}

static void test_stops(void **state) {
    (void)state;
    struct serial_log stopped = {.stop_after = 1}, over = {.over_after = 2}, none = {0};
    assert_int_equal(run(&stopped, JOBS), 1);
    assert_string_equal(stopped.text, "e0 o0 n0 ");
    assert_int_equal(run(&over, JOBS), 2);
    assert_int_equal(run(&none, 0), 0);
    assert_int_equal(none.size, 0);
}

// Outside of a job there is nothing to hand on.
static void test_flush(void **state) {
    (void)state;
    worker_flush();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_stops),
        cmocka_unit_test(test_flush),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
