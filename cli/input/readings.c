// The readings: a table of rules, and one more run of the solver for each that can matter.
#include "cli/input/readings.h"

#include "cli/report/flags.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "solver/backend/watchdog.h"

#include <string.h>

// Which reading of a rule the options ask for.
enum reading_choice {
    CHOICE_BOTH,  // the usual one, and a flag where the other one decides otherwise
    CHOICE_USUAL, // the usual one alone
    CHOICE_OTHER, // the other one alone
};

static enum reading_choice choice_of_proxy_fences(const struct options *options) {
    switch (options->proxy_fences) {
    case PROXY_FENCES_BOTH: return CHOICE_BOTH;
    case PROXY_FENCES_LOCAL: return CHOICE_USUAL;
    case PROXY_FENCES_PATH: return CHOICE_OTHER;
    }
    return CHOICE_BOTH;
}

// tensormap.cp_fenceproxy is one, too.
static bool has_proxy_fence(const struct program *program) {
    for (size_t t = 0; t < program->test->thread_count; t++) {
        const struct thread *thread = &program->test->threads[t];
        for (size_t i = 0; i < thread->instruction_count; i++) {
            enum opcode opcode = thread->instructions[i].opcode;
            if (opcode == OP_FENCE_PROXY || opcode == OP_TENSORMAP_CP) {
                return true;
            }
        }
    }
    return false;
}

static enum reading_choice choice_of_relaxed_waits(const struct options *options) {
    switch (options->relaxed_waits) {
    case RELAXED_WAITS_BOTH: return CHOICE_BOTH;
    case RELAXED_WAITS_NOTHING: return CHOICE_USUAL;
    case RELAXED_WAITS_COPIES: return CHOICE_OTHER;
    }
    return CHOICE_BOTH;
}

// Whether a wait at an mbarrier is relaxed, and an asynchronous operation completes on one.
static bool has_relaxed_wait(const struct program *program) {
    bool relaxed = !program->events, completes = !program->events;
    for (size_t i = 0; program->events && i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        relaxed |= event_is_mbarrier(event, MBARRIER_KIND_WAIT) && event->order == ORDER_RELAXED;
        completes |= event_is_mbarrier(event, MBARRIER_KIND_COMPLETE);
    }
    return relaxed && completes;
}

static enum reading_choice choice_of_async_proxies(const struct options *options) {
    switch (options->async_proxies) {
    case ASYNC_PROXIES_BOTH: return CHOICE_BOTH;
    case ASYNC_PROXIES_CTA: return CHOICE_USUAL;
    case ASYNC_PROXIES_ONE: return CHOICE_OTHER;
    }
    return CHOICE_BOTH;
}

// Whether several CTAs access memory through the async proxy.
static bool shares_async_proxy(const struct program *program) {
    const struct place *first = NULL;
    for (size_t i = 0; program->events && i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (event->thread < 0 || event->proxy != PROXY_ASYNC || !event_is_access(event)) {
            continue;
        }
        const struct place *place = &program->test->threads[event->thread].place;
        if (first && !test_same_cta(first, place)) {
            return true;
        }
        first = place;
    }
    return !program->events;
}

static enum reading_choice choice_of_st_async(const struct options *options) {
    switch (options->st_async) {
    case ST_ASYNC_BOTH: return CHOICE_BOTH;
    case ST_ASYNC_RELAXED: return CHOICE_USUAL;
    case ST_ASYNC_RELEASE: return CHOICE_OTHER;
    }
    return CHOICE_BOTH;
}

// Whether an asynchronous operation completes without a release.
static bool completes_relaxed(const struct program *program) {
    bool relaxed = !program->events;
    for (size_t i = 0; program->events && i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        relaxed |=
            event_is_mbarrier(event, MBARRIER_KIND_COMPLETE) && event->order == ORDER_RELAXED;
    }
    return relaxed;
}

static enum reading_choice choice_of_async_place(const struct options *options) {
    switch (options->async_place) {
    case ASYNC_PLACE_BOTH: return CHOICE_BOTH;
    case ASYNC_PLACE_ISSUER: return CHOICE_USUAL;
    case ASYNC_PLACE_DESTINATION: return CHOICE_OTHER;
    }
    return CHOICE_BOTH;
}

static bool reaches_other_ctas(const struct program *program) {
    return program->async_reaches_out || !program->events;
}

static enum reading_choice choice_of_dependencies(const struct options *options) {
    return options->program.dependencies == DEPENDENCIES_SEMANTIC ? CHOICE_BOTH : CHOICE_USUAL;
}

static bool leaves_dependencies_out(const struct program *program) {
    return program->dependencies_left_out || !program->events;
}

// The test of a program with other options.
static const struct program *build_again(struct arena *arena, const struct program *program,
                                         const struct program_options *options) {
    struct diagnostics diagnostics; // what the first program had no errors in, the second has not
    diagnostics_init(&diagnostics, arena);
    return program_build(arena, program->test, options, &diagnostics);
}

// The test with its dependencies as written.
static const struct program *with_all_dependencies(struct arena *arena,
                                                   const struct program *program) {
    struct program_options options = program->options;
    options.dependencies = DEPENDENCIES_SYNTACTIC;
    return build_again(arena, program, &options);
}

// The test with asynchronous operations in the CTAs of their destinations.
static const struct program *with_async_at_destination(struct arena *arena,
                                                       const struct program *program) {
    struct program_options options = program->options;
    options.async_destination = true;
    return build_again(arena, program, &options);
}

static enum reading_choice choice_of_tearing(const struct options *options) {
    switch (options->tearing) {
    case TEARING_BOTH: return CHOICE_BOTH;
    case TEARING_BYTES: return CHOICE_USUAL;
    case TEARING_NONE: return CHOICE_OTHER;
    }
    return CHOICE_BOTH;
}

static bool may_tear(const struct program *program) {
    return program->tears || !program->events;
}

// The test with accesses that are read as whole.
static const struct program *with_whole_accesses(struct arena *arena,
                                                 const struct program *program) {
    struct program_options options = program->options;
    options.whole_accesses = true;
    return build_again(arena, program, &options);
}

static const struct rule {
    enum flag_kind flag; // of tests that the two readings decide differently
    enum reading_choice (*choice)(const struct options *options);
    bool (*matters)(const struct program *program); // whether the readings can differ on a program
    bool forbids_more;                              // the other reading only rules executions out
    const char *variant; // under which the models' texts have the other reading; NULL: the model
                         // is the same
    // Makes the program of the other reading; NULL: it is the same.
    const struct program *(*rebuild)(struct arena *arena, const struct program *program);
} rules[READING_COUNT] = {
    // memory-model.md D42
    {FLAG_DEPENDENCY_READING, choice_of_dependencies, leaves_dependencies_out, true, NULL,
     with_all_dependencies},
    // memory-model.md D9
    {FLAG_PROXY_READING, choice_of_proxy_fences, has_proxy_fence, false, "proxy-fences-path", NULL},
    // memory-model.md D22
    {FLAG_RELAXED_WAIT_READING, choice_of_relaxed_waits, has_relaxed_wait, true, "relaxed-wait",
     NULL},
    // memory-model.md D26
    {FLAG_ASYNC_PROXY_READING, choice_of_async_proxies, shares_async_proxy, true, "one-async-proxy",
     NULL},
    // memory-model.md D18
    {FLAG_ASYNC_PLACE_READING, choice_of_async_place, reaches_other_ctas, false, NULL,
     with_async_at_destination},
    // memory-model.md D37
    {FLAG_ST_ASYNC_READING, choice_of_st_async, completes_relaxed, true, "st-async-releases", NULL},
    // memory-model.md D41
    {FLAG_TEARING_READING, choice_of_tearing, may_tear, true, MODEL_WHOLE_ACCESSES,
     with_whole_accesses},
};

// --- Models ------------------------------------------------------------------------------------

// The other readings of a model, one for each rule.
struct other_readings {
    struct arena *arena;
    const char *name;
    const struct target *target;
    const struct options *options;
    bool is_open[READING_COUNT]; // the options chose neither of the two, and the model has both
    // For the other reading of that rule alone; NULL: not loaded yet.
    const struct model *models[READING_COUNT];
};

// The model in the readings that the options choose, except for rule `other` (READING_COUNT: none),
// of which it takes the reading that is not the usual one.
static const struct model *load(const struct other_readings *readings, size_t other,
                                struct diagnostics *diagnostics) {
    const char *variants[READING_COUNT];
    const struct options *options = readings->options;
    struct model_options model_options = {.variants = variants,
                                          .folders = options->include_folders,
                                          .folder_count = options->include_count};
    for (size_t i = 0; i < READING_COUNT; i++) {
        if (rules[i].variant && (i == other || rules[i].choice(options) == CHOICE_OTHER)) {
            variants[model_options.variant_count++] = rules[i].variant;
        }
    }
    if (readings->target) {
        model_options.further = readings->target->further;
        model_options.further_count = readings->target->further_count;
    }
    return model_load_with(readings->arena, readings->name, &model_options, diagnostics);
}

static bool is_builtin(const char *name) {
    size_t count;
    const struct builtin_model *models = model_builtins(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(models[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

// Finds out which other readings there are. Texts that users bring are read in all of them at once,
// so that what is wrong with one of them is said before any test is run.
static void find_others(struct other_readings *others, const struct model *model,
                        struct diagnostics *diagnostics) {
    bool at_once = !is_builtin(others->name);
    for (size_t i = 0; i < READING_COUNT; i++) {
        if (rules[i].choice(others->options) != CHOICE_BOTH) {
            continue;
        }
        if (!rules[i].variant) {
            others->models[i] = model;
        } else if (!model_tests_variant(model, rules[i].variant)) {
            continue;
        } else if (at_once) {
            others->models[i] = load(others, i, diagnostics);
        }
        others->is_open[i] = !at_once || others->models[i];
    }
}

// The model of an other reading that there is.
static const struct model *other_model(struct other_readings *others, size_t rule) {
    if (!others->models[rule]) {
        struct diagnostics diagnostics;
        diagnostics_init(&diagnostics, others->arena);
        others->models[rule] = load(others, rule, &diagnostics);
        if (!others->models[rule]) {
            bug("%s: its reading %zu has errors", others->name, rule);
        }
    }
    return others->models[rule];
}

struct readings readings_load(struct arena *arena, const char *name, const struct target *target,
                              const struct options *options, struct diagnostics *diagnostics) {
    struct other_readings *others = ARENA_NEW(arena, struct other_readings);
    *others =
        (struct other_readings){.arena = arena, .name = name, .target = target, .options = options};
    struct readings readings = {.model = load(others, READING_COUNT, diagnostics),
                                .others = others};
    if (readings.model && !flags_check_names(readings.model, diagnostics)) {
        readings.model = NULL;
    }
    if (readings.model) {
        find_others(others, readings.model, diagnostics);
    }
    return readings;
}

void readings_list(const struct readings *readings, struct arena *arena,
                   const struct program *program, struct outcomes *outcomes) {
    for (size_t i = 0; i < READING_COUNT; i++) {
        if (readings->others->is_open[i] && rules[i].matters(program)) {
            outcomes_set_flag(arena, outcomes, rules[i].flag, TRUTH_UNKNOWN);
        }
    }
}

// --- Runs --------------------------------------------------------------------------------------

// Whether the verdict is unknown because something was cut short: another run could establish it.
static bool was_cut_short(const struct outcomes *outcomes) {
    return outcomes->reason != REASON_NONE && outcomes->verdict == VERDICT_UNKNOWN;
}

// Whether the other reading of a rule decides the program differently: both verdicts have to be
// established, and where one never will be, such as that of an undefined program, it does not. Why
// it is not known is recorded in `outcomes`, unless a reason is recorded already.
static enum truth differs(struct other_readings *others, size_t index,
                          const struct solver_options *options, struct solver *solver,
                          struct arena *arena, const struct program *program,
                          struct outcomes *outcomes) {
    const struct rule *rule = &rules[index];
    struct diagnostics diagnostics; // what the first run found fit, the second does
    diagnostics_init(&diagnostics, arena);
    struct solver_options again = *options;
    again.verdict_only = true;
    again.dump_smt2 = NULL;
    again.proof = NULL;
    if (outcomes->verdict == VERDICT_UNKNOWN) {
        return was_cut_short(outcomes) ? TRUTH_UNKNOWN : TRUTH_NO;
    }
    if (rule->forbids_more && outcomes->verdict != VERDICT_ALLOWED) {
        return TRUTH_NO; // what is true of all executions is true of fewer
    }
    const struct program *read = rule->rebuild ? rule->rebuild(arena, program) : program;
    const struct outcomes *result =
        read ? solver_run(solver, arena, read, other_model(others, index), &again, &diagnostics)
             : NULL;
    if (result && result->verdict != VERDICT_UNKNOWN) {
        return result->verdict != outcomes->verdict ? TRUTH_YES : TRUTH_NO;
    }
    if (result && !was_cut_short(result)) {
        return TRUTH_NO;
    }
    if (result && outcomes->reason == REASON_NONE) {
        outcomes->reason = result->reason;
        outcomes->reason_text = result->reason_text;
    }
    return TRUTH_UNKNOWN;
}

// What is allowed may not be where some dependencies are in doubt, which are left out, unless it is
// with all of them. What is forbidden without them is forbidden with any.
static void doubt_dependencies(struct arena *arena, const struct program *program,
                               struct outcomes *outcomes) {
    if (!program->events || !program->dependencies_open || outcomes->verdict != VERDICT_ALLOWED ||
        outcomes_flag(outcomes, FLAG_DEPENDENCY_READING) == TRUTH_NO) {
        return;
    }
    outcomes->verdict = VERDICT_UNKNOWN;
    if (outcomes_flag(outcomes, FLAG_DEPENDENCY_READING) == TRUTH_YES) {
        outcomes_set_flag(arena, outcomes, FLAG_DEPENDENCY_READING, TRUTH_NO);
    }
}

void readings_compare(const struct readings *readings, const struct solver_options *options,
                      struct solver *solver, struct arena *arena, const struct program *program,
                      struct outcomes *outcomes) {
    for (size_t i = 0; i < READING_COUNT; i++) {
        if (readings->others->is_open[i] && rules[i].matters(program)) {
            enum truth holds =
                differs(readings->others, i, options, solver, arena, program, outcomes);
            outcomes_set_flag(arena, outcomes, rules[i].flag, holds);
        }
    }
    doubt_dependencies(arena, program, outcomes);
}

// The solver's options with what is left of the time.
static struct solver_options remaining(const struct solver_options *options, double begun) {
    static const double least_seconds = 1e-3; // for 0 means no limit
    struct solver_options rest = *options;
    if (options->timeout_seconds > 0) {
        double left = options->timeout_seconds - (watchdog_now_ms() / 1e3 - begun);
        rest.timeout_seconds = left > least_seconds ? left : least_seconds;
    }
    return rest;
}

struct outcomes *readings_decide(const struct readings *readings,
                                 const struct solver_options *options, double begun,
                                 struct solver *solver, struct arena *arena,
                                 const struct program *program, struct diagnostics *diagnostics) {
    struct solver_options rest = remaining(options, begun);
    struct outcomes *outcomes =
        solver_run(solver, arena, program, readings->model, &rest, diagnostics);
    if (outcomes) {
        rest = remaining(options, begun);
        readings_compare(readings, &rest, solver, arena, program, outcomes);
    }
    return outcomes;
}
