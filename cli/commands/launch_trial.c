// Reads, runs and searches one launch that is derived.
#include "cli/commands/launch_trial.h"

#include "check/report/report.h"
#include "cli/commands/kernel.h"
#include "cli/commands/launched.h"
#include "cli/commands/leaving.h"
#include "cli/commands/run_internal.h"
#include "cli/jobs/signals.h"
#include "cli/print/module.h"
#include "cli/report/added.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "litmus/source/source.h"
#include "solver/backend/watchdog.h"
#include <string.h>

double launch_trial_seconds(const struct run *run) {
    enum { SECONDS = 5, PARTS = 8 };
    double given = run->options->check.solver.timeout_seconds / PARTS;
    return given > 0 && given < SECONDS ? given : SECONDS;
}

bool launch_trial_is_over(const struct launch_sizing *sizing) {
    return signals_interrupted() || watchdog_now_ms() > sizing->end;
}

static enum launch_trial refuse(struct launch_sizing *sizing,
                                const struct diagnostics *diagnostics) {
    sizing->why = "refused";
    for (size_t i = diagnostics->count; i > 0; i--) { // down to the first error
        const struct diagnostic *item = &diagnostics->items[i - 1];
        if (item->severity == SEVERITY_ERROR)
            sizing->why = arena_format(sizing->arena, "refused (%s)", item->message);
    }
    return LAUNCH_REFUSED;
}

static bool is_alike(const struct test *test, const struct instruction *a, int first,
                     const struct instruction *b, int second) {
    return a->span.source == b->span.source && a->span.begin == b->span.begin &&
           !test_same_cta(&test->threads[first].place, &test->threads[second].place);
}

// Notes whether two blocks do the same in one place, as those of a kernel do that is made for one
// block. Of blocks that do different things, it goes without saying that one alone has no race.
static void note_alike(struct launch_sizing *sizing, const struct test *test,
                       const struct launch_result *launched, const struct report *report) {
    const struct outcomes *outcomes = report ? report->outcomes : NULL;
    for (size_t i = 0; launched && i < launched->race_count; i++) {
        const struct launch_access *sides = launched->races[i].accesses;
        sizing->are_alike |= is_alike(test, sides[0].instruction, sides[0].thread,
                                      sides[1].instruction, sides[1].thread);
    }
    for (size_t i = 0; outcomes && i < outcomes->race_count; i++) {
        const struct event *events = report->program->events;
        const struct event *a = &events[outcomes->races[i].events[0]];
        const struct event *b = &events[outcomes->races[i].events[1]];
        sizing->are_alike |= is_alike(test, a->instruction, a->thread, b->instruction, b->thread);
    }
}

static bool is_of_stores(const struct launch_race *race) {
    const struct launch_access *a = &race->accesses[0], *b = &race->accesses[1];
    return a->writes && b->writes && !a->is_atomic && !b->is_atomic;
}

// Notes what a run has met, and where it was left open.
static void note_run(struct launch_sizing *sizing, const struct test *test,
                     const struct launch_result *launched) {
    bool races = launched->race_count > 0 && launched->wait_count == 0 && !launched->misuse;
    sizing->found.are_stores = sizing->found.are_collisions = races;
    sizing->found.rests_on = launch_maps_blame(launched);
    memcpy(sizing->found.block, test->threads[0].launch->block, sizeof sizing->found.block);
    sizing->found.open_at = launched->open ? launched->open->span.begin : LAUNCH_NOWHERE;
    for (unsigned k = 0; k < 2; k++)
        sizing->found.raced[k] =
            races ? launched->races[0].accesses[k].instruction->span.begin : LAUNCH_NOWHERE;
    for (size_t i = 0; i < launched->race_count; i++) {
        const struct launch_access *sides = launched->races[i].accesses;
        sizing->found.are_stores &= is_of_stores(&launched->races[i]);
        sizing->found.are_collisions &=
            sizing->found.are_stores && launched->races[i].variable != LAUNCH_TENSOR_MEMORY &&
            test->variables[launched->races[i].variable].space == SPACE_SHARED;
        for (unsigned k = 0; k < 2; k++)
            if (sides[0].instruction->span.begin != sizing->found.raced[k] &&
                sides[1].instruction->span.begin != sizing->found.raced[k])
                sizing->found.raced[k] = LAUNCH_NOWHERE;
    }
}

// Takes away what objects hold at first that the launch, and not the module, declares.
static void forget_contents(const struct test *test) {
    const struct source *sidecar = test->source->sidecar;
    for (size_t i = 0; i < test->variable_count; i++) {
        struct variable *variable = &test->variables[i];
        variable->is_unknown = variable->span.source == sidecar && !variable->has_initial &&
                               strcmp(variable->name, DERIVED_WORKSPACE) != 0;
    }
}

// These seconds, or those that are left for all trials.
static double left_of(const struct launch_sizing *sizing, double seconds) {
    double left = (sizing->deadline - watchdog_now_ms()) / 1e3;
    return left < seconds ? left : seconds;
}

// Runs a launch, and notes what that shows. NULL: it is not run.
static const struct launch_result *run_trial(struct launch_sizing *sizing, struct arena *arena,
                                             const struct test *test) {
    enum { PARTS = 4 };
    double given = sizing->run->options->check.solver.timeout_seconds / PARTS;
    double seconds = sizing->kind != TRIAL_WHOLE             ? launch_trial_seconds(sizing->run)
                     : given > 0 && given < LAUNCHED_SECONDS ? given
                                                             : LAUNCHED_SECONDS;
    const struct launch_result *launched =
        sizing->kind == TRIAL_BY_SEARCH
            ? NULL
            : launched_try(sizing->run, arena, test, left_of(sizing, seconds));
    sizing->found.is_misplaced = launched && launched->is_misplaced;
    sizing->found.is_unmapped = launched && launched->lacks_map;
    if (launched)
        note_run(sizing, test, launched);
    return launched;
}

// Leaves a fault for the case that a limit ends the process. The first one that is found is that of
// the answer, unless it is found with other contents than those of the launch.
static void leave_fault(struct launch_sizing *sizing, const struct report *report) {
    if (sizing->leaves && !sizing->has_left)
        leaving_trial(sizing->run, report);
    sizing->has_left = true;
}

// The same of one that a run has met.
static void leave_met(struct launch_sizing *sizing, struct arena *arena, const struct test *test,
                      const struct launch_result *launched) {
    struct run run = *sizing->run;
    run.systems = systems_of(&run.systems, test);
    const struct report report = launched_report(&run, arena, sizing->path, launched);
    leave_fault(sizing, &report);
}

// Searches a launch.
static enum launch_trial search_trial(struct launch_sizing *sizing, struct arena *arena,
                                      struct test *test, struct diagnostics *diagnostics) {
    struct run *run = sizing->run;
    const struct system_list systems = systems_of(&run->systems, test);
    const struct system *system = &systems.items[0];
    struct program_options program_options = run->options->check.program;
    program_options.no_thin_air = systems_forbid_thin_air(&systems, &run->options->check);
    program_options.is_late = run_build_is_late;
    double seconds = left_of(sizing, sizing->seconds);
    run_begin_build(seconds);
    const struct program *program = program_build(arena, test, &program_options, diagnostics);
    if (!program && !run_build_is_late())
        return refuse(sizing, diagnostics);
    struct solver_options options = run->options->check.solver;
    options.timeout_seconds = left_of(sizing, sizing->seconds);
    if (!program || options.timeout_seconds <= 0) {
        sizing->why = seconds > 0 ? arena_format(sizing->arena, "not decided in %g s", seconds)
                                  : "not tried in the time that there is";
        return LAUNCH_UNDECIDED;
    }
    run_begin_build(options.timeout_seconds);
    options.races = options.races && sizing->names_races;
    options.dump_smt2 = options.proof = NULL;
    struct report report = report_of_program(arena, run->options, system, program, sizing->path);
    report.outcomes =
        solver_run(run->solver, arena, program, system->readings.model, &options, diagnostics);
    enum truth clean = report.outcomes ? report_is_clean(&report) : TRUTH_UNKNOWN;
    note_alike(sizing, test, NULL, &report);
    if (clean == TRUTH_NO)
        leave_fault(sizing, &report);
    if (clean != TRUTH_UNKNOWN)
        return clean == TRUTH_YES ? LAUNCH_FREE : LAUNCH_FAULTY;
    sizing->why = arena_format(sizing->arena, "not decided in %g s", options.timeout_seconds);
    return LAUNCH_UNDECIDED;
}

static enum launch_trial decide(struct launch_sizing *sizing, struct arena *arena,
                                const struct derived_launch *derived, struct test *test,
                                struct diagnostics *diagnostics) {
    enum check_method method = sizing->run->options->method;
    test_ask_nothing(arena, test);
    if (derived->has_any_contents)
        forget_contents(test);
    else if (sizing->leaves && !sizing->has_left)
        leaving_trial_unknown(sizing->run, arena, test, sizing->path);
    const struct launch_result *launched = run_trial(sizing, arena, test);
    if (sizing->found.is_unmapped && !derived->objects.is_mapped)
        return LAUNCH_UNMAPPED;
    if (sizing->found.is_misplaced && !derived->objects.is_measured)
        return LAUNCH_MISPLACED;
    note_alike(sizing, test, launched, NULL);
    bool is_faulty = launched && launched->answer == LAUNCH_IS_FAULTY && method <= METHOD_RUN;
    if (is_faulty && !derived->has_any_contents)
        leave_met(sizing, arena, test, launched);
    if (launched && launched->answer == LAUNCH_IS_FREE && method <= METHOD_RUN)
        return LAUNCH_FREE;
    if (is_faulty && sizing->kind != TRIAL_SMALL)
        return LAUNCH_SHOWN;
    if (method == METHOD_RUN || sizing->kind == TRIAL_BY_RUN)
        return is_faulty ? LAUNCH_SHOWN : LAUNCH_LEFT_OPEN;
    const char *open = launched ? launched->why : NULL;
    sizing->open = open ? arena_strndup(sizing->arena, open, strlen(open)) : sizing->open;
    if (launched && launched_is_too_large(test)) {
        sizing->why = arena_format(sizing->arena, "not tried with %zu threads", test->thread_count);
        return is_faulty ? LAUNCH_SHOWN : LAUNCH_UNDECIDED;
    }
    enum launch_trial trial = search_trial(sizing, arena, test, diagnostics);
    return is_faulty && trial != LAUNCH_FREE && trial != LAUNCH_FAULTY ? LAUNCH_SHOWN : trial;
}

static void note_constant(struct launch_sizing *sizing, unsigned value) {
    enum { TRIED = 3, MOST = 1024 }; // 0 to 3 are tried anyway
    for (size_t i = 0; i < sizing->constant_count; i++)
        if (sizing->constants[i] == value)
            return;
    if (value > TRIED && value <= MOST && sizing->constant_count < CONSTANTS_MAX)
        sizing->constants[sizing->constant_count++] = value;
}

// What the kernel's comparisons name: whether an integer is less than that, or more, may decide
// what the kernel does.
static void note_constants(struct launch_sizing *sizing, const struct test *test) {
    for (size_t i = 0; test->thread_count > 0 && i < test->threads[0].instruction_count; i++) {
        const struct instruction *instruction = &test->threads[0].instructions[i];
        bool compares = instruction->compute.compare != COMPARE_NONE;
        for (size_t k = 0; compares && k < instruction->operand_count; k++) {
            const struct operand *operand = &instruction->operands[k];
            if (operand->kind == OPERAND_IMMEDIATE && operand->immediate.high == 0 &&
                operand->immediate.low < UINT32_MAX) {
                note_constant(sizing, (unsigned)operand->immediate.low);
                note_constant(sizing, (unsigned)operand->immediate.low + 1);
            }
        }
    }
}

enum launch_trial launch_trial_once(struct launch_sizing *sizing,
                                    const struct derived_launch *derived) {
    struct arena *scratch = arena_new();
    struct options options = *sizing->run->options;
    struct diagnostics messages;
    struct test_list tests = {0};
    const char *launched = NULL;
    enum launch_trial trial = LAUNCH_GIVEN;
    diagnostics_init(&messages, scratch);
    options.launch.derived = *derived;
    const struct source *source =
        kernel_source(scratch, &options, sizing->path, NULL, &messages, &launched);
    if (source && launched && strcmp(launched, sizing->before) == 0) {
        trial = LAUNCH_SAME;
    } else if (source && launched) {
        sizing->before = arena_strndup(sizing->arena, launched, strlen(launched));
        bool fine = test_read_all(scratch, source, options.check.syntax, &messages, &tests);
        if (fine && tests.count == 1) {
            note_constants(sizing, tests.items[0]);
            tests.items[0]->description = launched;
        }
        trial = fine && tests.count == 1
                    ? decide(sizing, scratch, derived, tests.items[0], &messages)
                    : refuse(sizing, &messages);
    }
    arena_free(scratch);
    return trial;
}

// --- Sizes ---------------------------------------------------------------------------------------

// Takes the sizes of those variables of which a run has accessed more than they usually have, in
// the place of those of an earlier run.
static void take_sizes(struct launch_sizing *sizing, struct derived_launch *derived,
                       const struct test *test, const uint64_t *reached) {
    enum { ALIGNMENT = 16 };
    struct derived_size *sizes = NULL;
    derived->objects.size_count = 0;
    for (size_t i = 0; i < test->variable_count; i++) {
        const struct variable *variable = &test->variables[i];
        uint64_t usual = variable->space == SPACE_SHARED ? DERIVED_DYNAMIC_BYTES : DERIVED_BYTES;
        if (reached[i] > usual) {
            sizes = arena_grow(sizing->arena, sizes, derived->objects.size_count, sizeof *sizes);
            sizes[derived->objects.size_count++] = (struct derived_size){
                arena_strndup(sizing->arena, variable->name, strlen(variable->name)),
                (reached[i] + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT};
        }
    }
    derived->objects.sizes = sizes;
}

// How many bytes all objects have that are measured. Memory that no access touches is not in use,
// but it is asked for, many times as much: what is kept of accesses has a place for each.
static uint64_t measured_bytes(const struct options *options) {
    enum { MOST = 1 << 29, PARTS = 48 };
    uint64_t given = (uint64_t)options->check.solver.memory_mb << 20;
    return given > 0 && given / PARTS < MOST ? given / PARTS : MOST;
}

// Runs a launch with very large variables, to find how large they have to be. That is asked where a
// run has met an access outside of all of them, and answered only where one with larger ones has
// not: an access to what is not even there then is none that more memory would help.
static void measure(struct launch_sizing *sizing, struct derived_launch *derived) {
    enum { TRIALS = 4 }; // it may take as long as so many: nothing is decided without it
    struct arena *scratch = arena_new();
    derived->objects.is_measured = true;
    struct derived_launch measuring = *derived;
    measuring.measured = measured_bytes(sizing->run->options);
    const struct test *test = kernel_test(scratch, sizing->run->options, sizing->path, &measuring);
    const struct launch_result *result =
        test ? launched_try(sizing->run, scratch, test,
                            left_of(sizing, TRIALS * launch_trial_seconds(sizing->run)))
             : NULL;
    if (result && result->reached && !result->is_misplaced)
        take_sizes(sizing, derived, test, result->reached);
    arena_free(scratch);
}

void launch_trial_find_maps(struct launch_sizing *sizing, struct derived_launch *derived) {
    sizing->maps.run = sizing->run;
    sizing->maps.arena = sizing->arena;
    sizing->maps.path = sizing->path;
    launch_maps_find(&sizing->maps, derived, left_of(sizing, launch_trial_seconds(sizing->run)),
                     measured_bytes(sizing->run->options));
    derived->objects.is_measured = false;
}

enum launch_trial launch_trial_run(struct launch_sizing *sizing, struct derived_launch *derived) {
    enum launch_trial trial = launch_trial_once(sizing, derived);
    while (trial == LAUNCH_UNMAPPED || trial == LAUNCH_MISPLACED) {
        if (trial == LAUNCH_UNMAPPED)
            launch_trial_find_maps(sizing, derived);
        else
            measure(sizing, derived);
        sizing->before = "";
        trial = launch_trial_once(sizing, derived);
    }
    return trial;
}
