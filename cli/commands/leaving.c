// The results that are printed where a limit ends the process.
#include "cli/commands/leaving.h"

#include "check/readings.h"
#include "check/report/judge.h"
#include "check/report/report.h"
#include "cli/commands/launched.h"
#include "cli/commands/run_internal.h"
#include "cli/report/added.h"
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"

#include <string.h>

static char *copy_of(const char *text) {
    size_t size = text ? strlen(text) + 1 : 0;
    return text ? memcpy(allocate(size, 1), text, size) : NULL;
}

// What is printed and noted instead of a result when a test is undecided from the start, for this
// reason.
static struct worker_text result_unknown(const struct run *run, const struct program *program,
                                         const char *path, enum unknown_reason reason) {
    struct worker_text text;
    struct run last = *run;
    struct arena *arena = arena_new();
    struct report *reports = ARENA_ARRAY(arena, struct report, run->systems.count);
    if (run->met)
        reports[0] = launched_report(&last, arena, path, run->met);
    for (size_t i = 0; i < run->systems.count && !run->met; i++) {
        const struct readings *readings = &run->systems.items[i].readings;
        struct outcomes *outcomes =
            outcomes_unknown(arena, program, readings->model, &run->options->check.solver, reason);
        readings_list(readings, arena, program, outcomes);
        reports[i] = report_of_program(arena, run->options, &run->systems.items[i], program, path);
        reports[i].index = run->index;
        reports[i].outcomes = outcomes;
        reports[i].seconds = run->options->check.solver.timeout_seconds;
        reports[i].added->judged =
            run->options->suite.asked ? judge_report(arena, &reports[i], run->options->suite.update)
                                      : NULL;
    }
    struct worker_streams streams = run_begin_last(&last, &text);
    last.differing = copy_of(run->differing);
    run_print_results(&last, arena, reports);
    run_end_last(&last, &streams);
    free(last.differing);
    arena_free(arena);
    return text;
}

// The same when an interrupt ends it: the tests of the file from it on were not run.
static struct worker_text result_interrupted(const struct run *run, const char *path) {
    struct worker_text text;
    struct run last = *run;
    struct worker_streams streams = run_begin_last(&last, &text);
    run_print_not_run(&last, path, run->tests - run->test, "interrupted");
    run_end_last(&last, &streams);
    return text;
}

bool leaving_keeps_fault(const struct run *run) {
    return run->derived.is_faulty && !run->met;
}

void leaving_unknown(struct run *run, const struct program *program, const char *path) {
    const struct solver_options *options = &run->options->check.solver;
    struct worker_text texts[LIMIT_COUNT] = {0};
    if (leaving_keeps_fault(run))
        return;
    if (options->timeout_seconds > 0)
        texts[LIMIT_TIME] = result_unknown(run, program, path, REASON_TIMEOUT);
    if (options->memory_mb > 0)
        texts[LIMIT_MEMORY] = result_unknown(run, program, path, REASON_MEMORY);
    if (run->met)
        texts[LIMIT_INTERRUPT] = result_unknown(run, program, path, REASON_INTERRUPTED);
    else if (run->test > 0)
        texts[LIMIT_INTERRUPT] = result_interrupted(run, path);
    worker_leave(texts, run->test + 1 < run->tests ? run->test + 1 : 0);
    worker_texts_free(texts, LIMIT_COUNT);
}

void leaving_report(const struct run *run, const struct report *report) {
    struct worker_text text = {0}, texts[LIMIT_COUNT] = {0};
    struct run last = *run;
    struct arena *arena = arena_new();
    struct worker_streams streams = run_begin_last(&last, &text);
    run_print_results(&last, arena, report);
    run_end_last(&last, &streams);
    texts[LIMIT_TIME] = texts[LIMIT_MEMORY] = texts[LIMIT_INTERRUPT] = text;
    worker_leave(texts, run->test + 1 < run->tests ? run->test + 1 : 0);
    worker_texts_free(&text, 1);
    arena_free(arena);
}

// A run with the systems that a test is decided on.
static struct run run_of(const struct run *run, const struct test *test) {
    struct run trying = *run;
    trying.systems = systems_of(&run->systems, test);
    return trying;
}

void leaving_trial_unknown(const struct run *run, struct arena *arena, const struct test *test,
                           const char *path) {
    struct run trying = run_of(run, test);
    leaving_unknown(&trying, &(struct program){.test = test, .arena = arena}, path);
}

void leaving_trial(const struct run *run, const struct report *report) {
    const struct run trying = run_of(run, report->program->test);
    if (trying.systems.count == 1)
        leaving_report(&trying, report);
}
