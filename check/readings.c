// The readings: a table of rules, and one more run of the solver for each that can matter.
#include "check/readings.h"

#include "check/report/flags.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "solver/backend/watchdog.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

// tensormap.cp_fenceproxy is one, too.
static bool has_proxy_fence(const struct program *program) {
    for (size_t t = 0; t < program->test->thread_count; t++) {
        const struct thread *thread = &program->test->threads[t];
        for (size_t i = 0; i < thread->instruction_count; i++)
            if (opcode_has(thread->instructions[i].opcode, TRAIT_PROXIES))
                return true;
    }
    return false;
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

// Whether several CTAs access memory through the async proxy.
static bool shares_async_proxy(const struct program *program) {
    const struct place *first = NULL;
    for (size_t i = 0; program->events && i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (event->thread < 0 || event->proxy != PROXY_ASYNC || !event_is_access(event))
            continue;
        const struct place *place = &program->test->threads[event->thread].place;
        if (first && !test_same_cta(first, place))
            return true;
        first = place;
    }
    return !program->events;
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

static bool reaches_other_ctas(const struct program *program) {
    return program->async_reaches_out || !program->events;
}

static bool leaves_dependencies_out(const struct program *program) {
    return program->dependencies.left_out || !program->events;
}

static bool may_tear(const struct program *program) {
    return program->memory.tears || !program->events;
}

static bool share_object(const struct event *a, const struct event *b) {
    for (size_t i = 0; i < a->candidate_count; i++) {
        for (size_t k = 0; k < b->candidate_count; k++)
            if (a->candidates[i].object == b->candidates[k].object)
                return true;
    }
    return false;
}

// Whether memory is accessed through a multimem address and through another one.
static bool shares_multimem(const struct program *program) {
    for (size_t i = 0; program->events && i < program->event_count; i++) {
        const struct event *a = &program->events[i];
        for (size_t k = program->init_count; event_is_access(a) && k < program->event_count; k++) {
            const struct event *b = &program->events[k];
            if (a->thread >= 0 && event_is_access(b) && event_is_multimem(a) &&
                !event_is_multimem(b) && share_object(a, b))
                return true;
        }
    }
    return !program->events;
}

// Whether a thread waits for grids before its own, and memory is accessed through another proxy
// than the generic one, or has aliases.
static bool has_grid_wait(const struct program *program) {
    bool waits = !program->events;
    bool crosses =
        !program->events || program->memory.virtual_range_count > program->memory.object_count;
    for (size_t i = 0; program->events && i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        waits |= event_is_grid_wait(event);
        crosses |= event->thread >= 0 && event_is_access(event) && event->proxy != PROXY_GENERIC;
    }
    return waits && crosses;
}

// Whether two threads make accesses of more than 64 bits, one of them a write.
static bool shares_wide_accesses(const struct program *program) {
    for (size_t i = program->init_count; program->events && i < program->event_count; i++) {
        const struct event *a = &program->events[i];
        for (size_t k = program->init_count; event_is_wide(a) && k < program->event_count; k++) {
            const struct event *b = &program->events[k];
            if (event_is_wide(b) && a->kind == EVENT_WRITE && a->thread != b->thread &&
                share_object(a, b))
                return true;
        }
    }
    return false;
}

// --- What waits at mbarriers observe -----------------------------------------------------------

// Whether an event is an operation of its thread that a wait may acquire from. Asynchronous
// operations are of their phase in both readings.
static bool signals_mbarrier(const struct event *event) {
    return event->kind == EVENT_WRITE && (event_is_mbarrier(event, MBARRIER_KIND_ARRIVE) ||
                                          event_is_mbarrier(event, MBARRIER_KIND_TX));
}

static bool in_one_cta(const struct program *program, const struct event *a,
                       const struct event *b) {
    return test_same_cta(&program->test->threads[a->thread].place,
                         &program->test->threads[b->thread].place);
}

// Whether some operation on the object of both has a scope that ends at its CTA.
static bool may_be_cut(const struct program *program, const struct event *arrival,
                       const struct event *wait) {
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (event != arrival && event->kind == EVENT_WRITE && event->mbarrier &&
            event->scope == SCOPE_CTA && share_object(event, wait))
            return true;
    }
    return false;
}

// Whether a chain of operations from an arrival to a wait in another CTA may have a link that is
// not morally strong, so that the wait acquires from it in the reading of phases alone.
static bool may_cut_chains(const struct program *program) {
    for (size_t i = program->init_count; program->events && i < program->event_count; i++) {
        const struct event *wait = &program->events[i];
        for (size_t k = program->init_count; k < program->event_count; k++) {
            const struct event *arrival = &program->events[k];
            if (event_is_mbarrier(wait, MBARRIER_KIND_WAIT) && signals_mbarrier(arrival) &&
                share_object(wait, arrival) && !in_one_cta(program, wait, arrival) &&
                may_be_cut(program, arrival, wait))
                return true;
        }
    }
    return false;
}

// Whether there may be an operation on the object of a wait in another phase than that which the
// wait finds complete: more arrivals than one phase expects, or operations that do not arrive.
static bool has_other_phases(const struct program *program, const struct event *wait) {
    const struct object *object = &program->memory.objects[wait->candidates[0].object];
    const struct variable *variable = &program->test->variables[object->variable];
    unsigned arrivals = 0;
    if (wait->candidate_count > 1 || !variable->is_mbarrier || wait->mbarrier->completable)
        return true;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (!event->mbarrier || event->kind != EVENT_WRITE || !share_object(event, wait))
            continue;
        bool counts = event->mbarrier->arrivals > 0 && !event->mbarrier->changes;
        if (!counts && !event_is_mbarrier(event, MBARRIER_KIND_COMPLETE))
            return true;
        arrivals += event->mbarrier->arrivals;
    }
    return arrivals > variable->initial[0].value.low;
}

// Whether a wait at an mbarrier may observe more, or less, along chains of operations.
static bool has_chains(const struct program *program) {
    for (size_t i = program->init_count; program->events && i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (event_is_mbarrier(event, MBARRIER_KIND_WAIT) && event->candidate_count > 0 &&
            has_other_phases(program, event))
            return true;
    }
    return !program->events || may_cut_chains(program);
}

// --- Rules -------------------------------------------------------------------------------------

static void keep_dependencies(struct program_options *options) {
    options->dependencies = DEPENDENCIES_SYNTACTIC; // as written
}

static void place_at_destination(struct program_options *options) {
    options->async_destination = true;
}

static void read_whole(struct program_options *options) {
    options->whole_accesses = true;
}

static void resolve_multimem(struct program_options *options) {
    options->multimem_variables = true;
}

static bool always(const struct program *program) {
    (void)program;
    return true;
}

// The option of the dependencies, which has three choices.
#define OF_DEPENDENCIES SIZE_MAX
#define OPTION_OF(field) offsetof(struct reading_choices, field)

static const struct rule {
    enum flag_kind flag; // of tests that the two readings decide differently
    size_t option;       // where struct reading_choices has the choice
    bool (*matters)(const struct program *program); // whether the readings can differ on a program
    // Whether the other reading can allow what the usual one forbids; NULL: it only rules
    // executions out.
    bool (*allows)(const struct program *program);
    const char *variant; // under which the models' texts have the other reading; NULL: the model
                         // is the same
    // Makes the options those with which the program of the other reading is built; NULL: it is the
    // same program.
    void (*change)(struct program_options *options);
    // Whether the readings are compared by the races of a program, too; NULL: by its verdict alone.
    bool (*decides_races)(const struct program *program);
} rules[READING_COUNT] = {
    // memory-model: semantic dependencies
    {FLAG_DEPENDENCY_READING, OF_DEPENDENCIES, leaves_dependencies_out, NULL, NULL,
     keep_dependencies, NULL},
    // memory-model: proxy fences at the access
    {FLAG_PROXY_READING, OPTION_OF(proxy_fences), has_proxy_fence, always, "proxy-fences-path",
     NULL, NULL},
    // memory-model: relaxed waits show no copy
    {FLAG_RELAXED_WAIT_READING, OPTION_OF(relaxed_waits), has_relaxed_wait, NULL, "relaxed-wait",
     NULL, NULL},
    // memory-model: one async proxy per CTA
    {FLAG_ASYNC_PROXY_READING, OPTION_OF(async_proxies), shares_async_proxy, NULL,
     "one-async-proxy", NULL, NULL},
    // memory-model: place of asynchronous work
    {FLAG_ASYNC_PLACE_READING, OPTION_OF(async_place), reaches_other_ctas, always, NULL,
     place_at_destination, NULL},
    // memory-model: versions named by tests
    {FLAG_ST_ASYNC_READING, OPTION_OF(st_async), completes_relaxed, NULL, "st-async-releases", NULL,
     NULL},
    // memory-model: waits acquire from their phase
    {FLAG_MBARRIER_READING, OPTION_OF(mbarrier_observation), has_chains, may_cut_chains,
     "mbarrier-chains", NULL, NULL},
    // memory-model: dependent grids
    {FLAG_GRID_WAIT_READING, OPTION_OF(grid_waits), has_grid_wait, NULL, "grid-waits-cross", NULL,
     NULL},
    // memory-model: multimem addresses are aliases
    {FLAG_MULTIMEM_READING, OPTION_OF(multimem), shares_multimem, NULL, NULL, resolve_multimem,
     NULL},
    // memory-model: torn accesses
    {FLAG_TEARING_READING, OPTION_OF(tearing), may_tear, NULL, MODEL_WHOLE_ACCESSES, read_whole,
     shares_wide_accesses},
};

// Which reading of a rule the options ask for. That of dependencies is one of three.
static enum reading choice(const struct rule *rule, const struct check_options *options) {
    if (rule->option == OF_DEPENDENCIES) {
        bool semantic = options->program.dependencies == DEPENDENCIES_SEMANTIC;
        return semantic ? READING_BOTH : READING_USUAL;
    }
    return *(const enum reading *)((const char *)&options->readings + rule->option);
}

// --- Models ------------------------------------------------------------------------------------

// The other readings of a model, one for each rule.
struct other_readings {
    struct arena *arena;
    const char *name;
    const struct target *target;
    const struct check_options *options;
    bool is_open[READING_COUNT]; // the options chose neither of the two, and the model has both
    // Where the model of a rule is among those that the run in the usual readings is asked about;
    // READING_COUNT: not there.
    size_t slots[READING_COUNT];
    // For the other reading of that rule alone; NULL: not loaded yet.
    const struct model *models[READING_COUNT];
};

// The model in the readings that the options choose, except for rule `other` (READING_COUNT: none),
// of which it takes the reading that is not the usual one.
static const struct model *load(const struct other_readings *readings, size_t other,
                                struct diagnostics *diagnostics) {
    const char *variants[READING_COUNT];
    const struct check_options *options = readings->options;
    struct model_options model_options = {.variants = variants,
                                          .folders = options->include_folders,
                                          .folder_count = options->include_count};
    for (size_t i = 0; i < READING_COUNT; i++)
        if (rules[i].variant && (i == other || choice(&rules[i], options) == READING_OTHER))
            variants[model_options.variant_count++] = rules[i].variant;
    if (readings->target) {
        model_options.further = readings->target->further;
        model_options.further_count = readings->target->further_count;
    }
    return model_load_with(readings->arena, readings->name, &model_options, diagnostics);
}

static bool is_builtin(const char *name) {
    size_t count;
    const struct builtin_model *models = model_builtins(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(models[i].name, name) == 0)
            return true;
    return false;
}

// Finds out which other readings there are. Texts that users bring are read in all of them at once,
// so that what is wrong with one of them is said before any test is run.
static void find_others(struct other_readings *others, const struct model *model,
                        struct diagnostics *diagnostics) {
    bool at_once = !is_builtin(others->name);
    for (size_t i = 0; i < READING_COUNT; i++) {
        if (choice(&rules[i], others->options) != READING_BOTH)
            continue;
        if (!rules[i].variant)
            others->models[i] = model;
        else if (!model_tests_variant(model, rules[i].variant))
            continue;
        else if (at_once)
            others->models[i] = load(others, i, diagnostics);
        others->is_open[i] = !at_once || others->models[i];
    }
}

// The model of an other reading that there is.
static const struct model *other_model(struct other_readings *others, size_t rule) {
    if (!others->models[rule]) {
        struct diagnostics diagnostics;
        diagnostics_init(&diagnostics, others->arena);
        others->models[rule] = load(others, rule, &diagnostics);
        if (!others->models[rule])
            bug("%s: its reading %zu has errors", others->name, rule);
    }
    return others->models[rule];
}

struct readings readings_load(struct arena *arena, const char *name, const struct target *target,
                              const struct check_options *options,
                              struct diagnostics *diagnostics) {
    struct other_readings *others = ARENA_NEW(arena, struct other_readings);
    *others =
        (struct other_readings){.arena = arena, .name = name, .target = target, .options = options};
    struct readings readings = {.model = load(others, READING_COUNT, diagnostics),
                                .others = others};
    if (readings.model && !flags_check_names(readings.model, diagnostics))
        readings.model = NULL;
    if (readings.model)
        find_others(others, readings.model, diagnostics);
    return readings;
}

void readings_list(const struct readings *readings, struct arena *arena,
                   const struct program *program, struct outcomes *outcomes) {
    for (size_t i = 0; i < READING_COUNT; i++)
        if (readings->others->is_open[i] && rules[i].matters(program))
            outcomes_set_flag(arena, outcomes, rules[i].flag, TRUTH_UNKNOWN);
}

// --- Runs --------------------------------------------------------------------------------------

// Whether the verdict is unknown because something was cut short: another run could establish it.
static bool was_cut_short(const struct outcomes *outcomes) {
    return outcomes->reason != REASON_NONE && outcomes->verdict == VERDICT_UNKNOWN;
}

// Whether some execution races.
static enum truth has_race(const struct outcomes *outcomes) {
    enum truth found = TRUTH_NO;
    for (size_t i = 0; i < outcomes->flag_count && found != TRUTH_YES; i++)
        if (outcomes->flags[i].race && outcomes->flags[i].holds != TRUTH_NO)
            found = outcomes->flags[i].holds;
    return found;
}

// Whether two verdicts are established and differ. One that will never be, such as that of an
// undefined program, differs from none.
static enum truth verdicts_differ(const struct outcomes *usual, const struct outcomes *other) {
    if (was_cut_short(usual) || was_cut_short(other))
        return TRUTH_UNKNOWN;
    bool known = usual->verdict != VERDICT_UNKNOWN && other->verdict != VERDICT_UNKNOWN;
    return known && usual->verdict != other->verdict ? TRUTH_YES : TRUTH_NO;
}

static enum truth races_differ(const struct outcomes *usual, const struct outcomes *other) {
    enum truth a = has_race(usual), b = has_race(other);
    if (a == TRUTH_UNKNOWN || b == TRUTH_UNKNOWN)
        return TRUTH_UNKNOWN;
    return a != b ? TRUTH_YES : TRUTH_NO;
}

// What the readings of a rule are compared by, for a program.
struct question {
    bool verdict, races;
};

// What is left to ask after the usual reading: what is true of all executions is true of fewer.
static struct question question_for(const struct other_readings *others, size_t index,
                                    const struct program *program,
                                    const struct outcomes *outcomes) {
    const struct rule *rule = &rules[index];
    bool allows = rule->allows && rule->allows(program);
    bool by_races =
        others->options->asks_clean || (rule->decides_races && rule->decides_races(program));
    bool allowed = outcomes->verdict == VERDICT_ALLOWED;
    if (allowed && others->slots[index] < READING_COUNT) {
        const struct allowance *seen = &outcomes->allowances[others->slots[index]];
        allowed = !seen->satisfied || !seen->violated; // else it is allowed there as well
    }
    bool excluded = outcomes->verdict == VERDICT_FORBIDDEN || outcomes->verdict == VERDICT_ALWAYS;
    return (struct question){.verdict = allowed || (allows && excluded),
                             .races = by_races && (allows || has_race(outcomes) == TRUTH_YES)};
}

// The other reading of a rule, with what the solver needs to find its verdict and its flags; NULL:
// not found.
static const struct outcomes *run_other(struct other_readings *others, size_t index,
                                        const struct solver_options *options, struct solver *solver,
                                        struct arena *arena, const struct program *program) {
    const struct rule *rule = &rules[index];
    struct diagnostics diagnostics; // what the first run found fit, the second does
    diagnostics_init(&diagnostics, arena);
    struct solver_options again = *options;
    again.verdict_only = true;
    again.races = false;
    again.other_count = 0;
    again.dump_smt2 = again.proof = NULL;
    struct program_options program_options = program->options;
    if (rule->change) {
        rule->change(&program_options);
        program = program_build(arena, program->test, &program_options, &diagnostics);
    }
    return program ? solver_run(solver, arena, program, other_model(others, index), &again,
                                &diagnostics)
                   : NULL;
}

// Whether the other reading of a rule decides the program differently. Why that is not known is
// recorded in `outcomes`, unless a reason is recorded already.
static enum truth differs(struct other_readings *others, size_t index,
                          const struct solver_options *options, struct solver *solver,
                          struct arena *arena, const struct program *program,
                          struct outcomes *outcomes) {
    struct question question = question_for(others, index, program, outcomes);
    if (was_cut_short(outcomes))
        return TRUTH_UNKNOWN;
    if (!question.verdict && !question.races)
        return TRUTH_NO;
    const struct outcomes *result = run_other(others, index, options, solver, arena, program);
    if (!result)
        return TRUTH_UNKNOWN;
    enum truth verdict = question.verdict ? verdicts_differ(outcomes, result) : TRUTH_NO;
    enum truth races = question.races ? races_differ(outcomes, result) : TRUTH_NO;
    enum truth found = verdict == TRUTH_YES || races == TRUTH_NO ? verdict : races;
    if (found == TRUTH_UNKNOWN && outcomes->reason == REASON_NONE) {
        outcomes->reason = result->reason;
        outcomes->reason_text = result->reason_text;
    }
    return found;
}

// What is allowed may not be where some dependencies are in doubt, which are left out, unless it is
// with all of them. What is forbidden without them is forbidden with any.
static void doubt_dependencies(struct arena *arena, const struct program *program,
                               struct outcomes *outcomes) {
    if (!program->events || !program->dependencies.open || outcomes->verdict != VERDICT_ALLOWED ||
        outcomes_flag(outcomes, FLAG_DEPENDENCY_READING) == TRUTH_NO)
        return;
    outcomes->verdict = VERDICT_UNKNOWN;
    if (outcomes_flag(outcomes, FLAG_DEPENDENCY_READING) == TRUTH_YES)
        outcomes_set_flag(arena, outcomes, FLAG_DEPENDENCY_READING, TRUTH_NO);
}

static void compare(const struct readings *readings, const struct solver_options *options,
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

// Has a run note which of its executions are allowed in the other readings that have the same
// program: a verdict that they share need not be decided again.
static void ask_others(struct other_readings *others, struct arena *arena,
                       const struct program *program, struct solver_options *options) {
    const struct model **models = ARENA_ARRAY(arena, const struct model *, READING_COUNT);
    size_t count = 0;
    for (size_t i = 0; i < READING_COUNT; i++) {
        bool same = others->is_open[i] && !rules[i].change && rules[i].matters(program);
        others->slots[i] = same ? count : READING_COUNT;
        if (same)
            models[count++] = other_model(others, i);
    }
    options->others = models;
    options->other_count = count;
}

struct outcomes *readings_decide(const struct readings *readings,
                                 const struct solver_options *options, double begun,
                                 struct solver *solver, struct arena *arena,
                                 const struct program *program, struct diagnostics *diagnostics) {
    struct solver_options rest = remaining(options, begun);
    ask_others(readings->others, arena, program, &rest);
    struct outcomes *outcomes =
        solver_run(solver, arena, program, readings->model, &rest, diagnostics);
    if (outcomes) {
        rest = remaining(options, begun);
        compare(readings, &rest, solver, arena, program, outcomes);
    }
    return outcomes;
}
