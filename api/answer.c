// Reads a text as its question wants it, and answers.
#include "api/answer.h"

#include "check/asking.h"
#include "check/change_limits.h"
#include "check/explaining.h"
#include "check/launched.h"
#include "check/race_reasons.h"
#include "check/report/explained.h"
#include "check/report/findings.h"
#include "check/text/names.h"
#include "launch/launch.h"
#include "litmus/readers/module/module.h"
#include "solver/backend/watchdog.h"

#include <limits.h>
#include <string.h>

// The call that the thread is in, for those who ask whether they have to stop.
static _Thread_local const struct asking *current;

static bool is_interrupted(void) {
    return atomic_load(current->is_interrupted);
}

static bool is_late(void) {
    enum { SECONDS = 10 };
    double limit = current->result->loaded->options.solver.timeout_seconds / 2;
    double seconds = limit > 0 && limit < SECONDS ? limit : SECONDS;
    return is_interrupted() || watchdog_now_ms() / 1e3 > current->begun + seconds;
}

// --- Reading -----------------------------------------------------------------------------------

// The text with the manifest, if it is a module without one of its own.
static const struct source *source_of(struct asking *asking) {
    struct arena *arena = asking->result->arena;
    if (asking->size > SOURCE_SIZE_MAX) {
        diag_error_path(&asking->diagnostics, asking->name, "the text is larger than 64 MiB");
        return NULL;
    }
    const char *text = asking->text ? asking->text : "";
    const struct source *source = source_from_text(arena, asking->name, text, asking->size);
    const struct source *manifest = asking->manifest;
    if (!manifest || !module_recognise(source))
        return source;
    manifest = source_from_text(arena, manifest->path, manifest->text, manifest->size);
    return module_with_manifest_text(arena, source, manifest);
}

// The test that is asked about, or NULL after errors.
static const struct test *read_one(struct asking *asking, const struct source *source) {
    struct ptxlitmus_result *result = asking->result;
    struct test_list tests;
    if (!test_read_all(result->arena, source, result->loaded->options.syntax, &asking->diagnostics,
                       &tests))
        return NULL;
    if (asking->question == ASK_FAULTS)
        asking_nothing(result->arena, &tests);
    else if (!asking_is_there(&tests, &asking->diagnostics))
        return NULL;
    result->tests = tests.count;
    if (asking->index < tests.count)
        return tests.items[asking->index];
    diag_error_path(&asking->diagnostics, asking->name, "there is no test %zu: the text has %zu",
                    asking->index, tests.count);
    return NULL;
}

// --- Outcomes ----------------------------------------------------------------------------------

// What the answer to a question about a test needs.
struct asked_test {
    const struct test *test;
    struct system_list systems;
    const struct system *system;
};

static struct report report_of(const struct asking *asking, const struct asked_test *asked,
                               const struct program *program) {
    return (struct report){.path = arena_format(asking->result->arena, "%s", asking->name),
                           .model = asked->system->readings.model->name,
                           .target = asked->system->target,
                           .options = &asking->result->loaded->options,
                           .program = program};
}

static const struct program *build(struct asking *asking, const struct asked_test *asked) {
    const struct check_options *check = &asking->result->loaded->options;
    struct program_options options = check->program;
    options.no_thin_air = systems_forbid_thin_air(&asked->systems, check);
    return program_build(asking->result->arena, asked->test, &options, &asking->diagnostics);
}

// Searches for the outcomes of a test. False after errors.
static bool search(struct asking *asking, const struct asked_test *asked, struct report *report) {
    const struct program *program = build(asking, asked);
    if (!program)
        return false;
    *report = report_of(asking, asked, program);
    report->outcomes =
        readings_decide(&asked->system->readings, &report->options->solver, asking->begun,
                        asking->solver, asking->result->arena, program, &asking->diagnostics);
    return report->outcomes != NULL;
}

// Makes the report that of the result.
static void take_report(struct asking *asking, struct report *report) {
    report->seconds = watchdog_now_ms() / 1e3 - asking->begun;
    asking->result->report = *report;
    result_complete(asking->result);
}

static void answer_outcomes(struct asking *asking, const struct asked_test *asked) {
    struct report report;
    if (search(asking, asked, &report))
        take_report(asking, &report);
}

// --- Faults ------------------------------------------------------------------------------------

// The report of what a run of the test has shown (docs/launches.md).
static struct report report_of_run(struct asking *asking, const struct asked_test *asked,
                                   const struct launch_result *launched) {
    struct arena *arena = asking->result->arena;
    struct program *program = ARENA_NEW(arena, struct program);
    *program = (struct program){.test = launched->test,
                                .arena = arena,
                                .assumptions = launched->test->assumptions,
                                .assumption_count = launched->test->assumption_count};
    struct report report = report_of(asking, asked, program);
    report.outcomes = launched_outcomes(arena, program, asked->system->readings.model,
                                        &report.options->solver, launched);
    return report;
}

// What a run of the test shows, or NULL where it may not answer.
static const struct launch_result *run_once(struct asking *asking, const struct asked_test *asked) {
    enum { INSTRUCTIONS_MAX = 100000000 };
    const struct launch_limits limits = {INSTRUCTIONS_MAX, is_late};
    const struct check_options *options = &asking->result->loaded->options;
    if (!launched_may_answer(&asked->systems, options) ||
        asked->test->promise.progress != PROGRESS_OFF)
        return NULL;
    struct launch_result *launched = ARENA_NEW(asking->result->arena, struct launch_result);
    *launched =
        launch_run(asking->result->arena, whole_launches(asking->result->arena, asked->test),
                   &options->program, &limits);
    launched->is_by_place &= options->readings.async_place == READING_BOTH;
    return launched;
}

// The faults that a search has found, with reasons where these do not take long.
static void explain_faults(struct asking *asking, const struct asked_test *asked) {
    enum { SECONDS = 5 };
    struct ptxlitmus_result *result = asking->result;
    const struct report *report = &result->report;
    struct findings findings = findings_of(result->arena, report);
    struct solver_options options = report->options->solver;
    bool is_limited = options.timeout_seconds > 0 && options.timeout_seconds < SECONDS;
    options.timeout_seconds = is_limited ? options.timeout_seconds : SECONDS;
    options.races = false;
    if (findings.count > 0 && !is_interrupted())
        race_reasons(asking->solver, result->arena, asked->system->readings.model, report, &options,
                     &findings);
    result_take_faults(result, &findings);
}

// Whether a fault that a run has met is the answer, since a search of so many threads may take
// long.
static bool is_too_large(const struct asked_test *asked) {
    enum { SEARCHED_THREADS = 32 };
    return asked->test->thread_count > SEARCHED_THREADS;
}

static void answer_faults(struct asking *asking, const struct asked_test *asked) {
    struct report report;
    const struct launch_result *launched = run_once(asking, asked);
    enum launch_answer answer = launched ? launched->answer : LAUNCH_IS_OPEN;
    bool is_met = answer == LAUNCH_IS_FREE || (answer == LAUNCH_IS_FAULTY && is_too_large(asked));
    if (!is_met) {
        if (!search(asking, asked, &report))
            return;
        is_met = answer == LAUNCH_IS_FAULTY && launched_says_more(launched, &report);
    }
    if (is_met)
        report = report_of_run(asking, asked, launched);
    take_report(asking, &report);
    if (is_met)
        result_take_met(asking->result, launched);
    else
        explain_faults(asking, asked);
}

// --- Explanations and repairs ------------------------------------------------------------------

static void answer_explanation(struct asking *asking, const struct asked_test *asked) {
    enum { REMEDIES = 2 };
    struct ptxlitmus_result *result = asking->result;
    struct report report;
    if (!search(asking, asked, &report))
        return;
    const struct explaining with = {asking->solver, result->arena, &asked->systems,
                                    asked->system->readings.model, asking->index};
    const struct explain_question question = {
        .state = asking->state ? arena_format(result->arena, "%s", asking->state) : NULL,
        .remedies = REMEDIES};
    report.explained = ARENA_NEW(result->arena, struct explained);
    if (!is_interrupted() && !explaining_report(&with, &question, &report, &asking->diagnostics))
        return;
    take_report(asking, &report);
    result_take_explanation(result);
}

static void answer_repair(struct asking *asking, const struct asked_test *asked) {
    enum { SHOWN = 5 };
    struct ptxlitmus_result *result = asking->result;
    const struct check_options *check = &result->loaded->options;
    struct change_limit limits[CHANGE_LIMITS_MAX];
    struct program_options program = check->program;
    struct costs costs = costs_default();
    program.no_thin_air = systems_forbid_thin_air(&asked->systems, check);
    const struct repair_options options = {
        .goal = REPAIR_FORBID,
        .model = asked->system->readings.model,
        .program = &program,
        .solver = &check->solver,
        .limits = limits,
        .limit_count = change_limits(&asked->systems, check, asked->test, limits),
        .costs = &costs,
        .most = SHOWN,
        .max_cost = UINT_MAX,
        .is_interrupted = is_interrupted};
    const struct repair *repair = repair_search(asking->solver, result->arena, asked->test,
                                                asking->index, &options, &asking->diagnostics);
    if (!repair)
        return;
    struct report report = report_of(asking, asked, repair->before);
    report.outcomes = repair->outcomes;
    result->repair = repair;
    take_report(asking, &report);
}

// --- Modules -----------------------------------------------------------------------------------

static void answer_module(struct asking *asking, const struct source *source) {
    struct ptxlitmus_result *result = asking->result;
    const struct module *module = module_read(result->arena, source, &asking->diagnostics);
    if (module)
        result_take_module(result, module);
}

// --- All ---------------------------------------------------------------------------------------

static void answer_test(struct asking *asking, const struct test *test) {
    static void (*const answers[])(struct asking * asking, const struct asked_test *asked) = {
        [ASK_OUTCOMES] = answer_outcomes,
        [ASK_FAULTS] = answer_faults,
        [ASK_EXPLANATION] = answer_explanation,
        [ASK_REPAIR] = answer_repair,
    };
    struct ptxlitmus_result *result = asking->result;
    struct asked_test asked = {.test = test, .systems = systems_of(&result->loaded->systems, test)};
    asked.system = &asked.systems.items[0];
    if (systems_check_test(result->arena, &asked.systems, &result->loaded->options, test,
                           &asking->diagnostics) &&
        systems_take_test(&asked.systems, asked.system, test, &asking->diagnostics))
        answers[asking->question](asking, &asked);
}

void answer(struct asking *asking) {
    double seconds = asking->result->loaded->options.solver.timeout_seconds;
    current = asking;
    solver_end_at(asking->solver, seconds > 0 ? (asking->begun + seconds) * 1e3 : 0);
    const struct source *source = source_of(asking);
    if (source && asking->question == ASK_MODULE) {
        answer_module(asking, source);
    } else if (source) {
        const struct test *test = read_one(asking, source);
        if (test)
            answer_test(asking, test);
    }
}
