// Decides the test, has a change searched (mend.h), and tells of it as of a repair.
#include "repair/faults.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "repair/work.h"
#include "repair/mend.h"
#include "solver/backend/watchdog.h"

#include <string.h>

const char *fault_goal_text(struct arena *arena, const struct fault_goal *goal) {
    const char *text = goal->races ? "data races" : NULL;
    if (goal->hangs)
        text = text ? arena_format(arena, "%s, hangs", text) : "hangs";
    if (goal->flag)
        text = arena_format(arena, "%s%sflag %s", text ? text : "", text ? ", " : "", goal->flag);
    return text;
}

// --- What is wrong -------------------------------------------------------------------------------

static enum truth either(enum truth a, enum truth b) {
    return a == TRUTH_YES || b == TRUTH_YES           ? TRUTH_YES
           : a == TRUTH_UNKNOWN || b == TRUTH_UNKNOWN ? TRUTH_UNKNOWN
                                                      : TRUTH_NO;
}

static bool is_meant(const struct fault_goal *goal, const struct flag *flag) {
    return (goal->races && flag->race) || (goal->flag && strcmp(goal->flag, flag_name(flag)) == 0);
}

static enum truth hangs(const struct outcomes *outcomes) {
    enum truth always = outcomes->termination.always;
    enum truth never_ends = always == TRUTH_NO    ? TRUTH_YES
                            : always == TRUTH_YES ? TRUTH_NO
                                                  : TRUTH_UNKNOWN;
    return either(never_ends, either(outcomes_flag(outcomes, FLAG_HANG),
                                     outcomes_flag(outcomes, FLAG_ENDLESS)));
}

// Whether what is to go is there.
static enum truth is_faulty(const struct fault_goal *goal, const struct outcomes *outcomes) {
    enum truth faulty = goal->hangs ? hangs(outcomes) : TRUTH_NO;
    for (size_t i = 0; i < outcomes->flag_count; i++)
        if (is_meant(goal, &outcomes->flags[i]))
            faulty = either(faulty, outcomes->flags[i].holds);
    return faulty;
}

// Whether a changed test does: without what is to go, and with nothing else that is wrong.
static enum truth is_clean(void *context, const struct program *program,
                           const struct outcomes *outcomes) {
    const struct change_work *work = context;
    const struct outcomes *before = work->repair->outcomes;
    size_t count;
    (void)program;
    judge_new_flags(work->arena, before, outcomes, &count);
    bool is_worse =
        count > 0 || judge_hangs(before, outcomes) ||
        (outcomes->termination.always != TRUTH_YES && before->termination.always == TRUTH_YES) ||
        (outcomes->reachable != TRUTH_YES && before->reachable == TRUTH_YES);
    return !is_worse && is_faulty(work->faults, outcomes) == TRUTH_NO ? TRUTH_YES : TRUTH_NO;
}

// --- The search ----------------------------------------------------------------------------------

static struct solver_options solver_options_of(const struct change_work *work) {
    struct solver_options options = work_options(work);
    options.races = false;
    options.progress = PROGRESS_FAIR;
    return options;
}

static const struct outcomes *decide(struct change_work *work, const struct program *program,
                                     struct diagnostics *diagnostics) {
    struct solver_options options = solver_options_of(work);
    options.max_states = 1000;
    return work_run(work, program, &options, diagnostics);
}

// The names of the flags that a test can have: "'data-race', 'hang'".
static const char *flags_of(struct arena *arena, const struct outcomes *outcomes) {
    const char *names = "";
    for (size_t i = 0; i < outcomes->flag_count; i++) {
        names = arena_format(arena, "%s%s'%s'", names, i > 0 ? ", " : "",
                             flag_name(&outcomes->flags[i]));
    }
    return names;
}

static bool check_flag(struct change_work *work, struct diagnostics *diagnostics) {
    const struct outcomes *outcomes = work->repair->outcomes;
    for (size_t i = 0; i < outcomes->flag_count; i++)
        if (!work->faults->flag || strcmp(work->faults->flag, flag_name(&outcomes->flags[i])) == 0)
            return true;
    diag_error_path(diagnostics, work->test->source->path, "'--flag %s': the test has no such flag",
                    work->faults->flag);
    diag_hint(diagnostics, "it may have %s", flags_of(work->arena, outcomes));
    return false;
}

static const char strong_reason[] =
    "accesses that are strong do not race, but nothing orders them: what they read may be old. "
    "Where it has to be new, it takes a barrier or a wait";

// What a change comes to, with the expectations that no longer hold turned round.
static void add_remedy(struct change_work *work, const struct mend *mend) {
    struct diagnostics ignored;
    diagnostics_init(&ignored, work->arena);
    const struct program *program = judge_program(work, mend->choice);
    struct remedy remedy =
        work_remedy(work, mend->choice, program, decide(work, program, &ignored), false);
    remedy.lost_unknown = true;
    remedy.reason = mend_strengthens_weak(mend) ? strong_reason : NULL;
    work->repair->remedies = arena_copy(work->arena, &remedy, 1, sizeof remedy);
    work->repair->count = 1;
}

static enum truth run_once(void *context, struct arena *arena, const struct test *test) {
    const struct repair_options *options = ((const struct change_work *)context)->options;
    return options->run(options->run_context, arena, test);
}

static bool search(struct change_work *work, struct diagnostics *diagnostics) {
    struct repair *repair = work->repair;
    const struct solver_options solver = solver_options_of(work);
    const struct mend_options options = {.model = work->options->model,
                                         .program = work->options->program,
                                         .solver = &solver,
                                         .limits = work->options->limits,
                                         .limit_count = work->options->limit_count,
                                         .costs = work->options->costs,
                                         .is_clean = is_clean,
                                         .run = work->options->run ? run_once : NULL,
                                         .context = work,
                                         .is_interrupted = work->options->is_interrupted};
    const struct mend *mend =
        mend_search(work->solver, work->arena, work->test, work->index, &options, diagnostics);
    if (!mend)
        return false;
    repair->changes = work->changes = mend->changes;
    work->first = mend->first;
    repair->stats.runs += mend->runs;
    switch (mend->state) {
    case MEND_FOUND:
        repair->state = REPAIR_FOUND;
        add_remedy(work, mend);
        break;
    case MEND_NONE:
        repair->state = REPAIR_NONE;
        repair->why = "none of the changes of orders, scopes, fences, barriers and waits that were "
                      "tried does";
        break;
    case MEND_STOPPED: repair->why = work_limit_text(work); break;
    }
    return true;
}

struct repair *faults_repair(struct solver *solver, struct arena *arena, const struct test *test,
                             size_t index, const struct repair_options *options,
                             const struct fault_goal *goal, struct diagnostics *diagnostics) {
    struct change_work work = work_begin(arena, solver, test, index, options);
    struct repair *repair = work.repair;
    work.faults = goal;
    repair->before = program_build(arena, test, options->program, diagnostics);
    repair->outcomes = repair->before ? decide(&work, repair->before, diagnostics) : NULL;
    if (!repair->outcomes || !check_flag(&work, diagnostics))
        return NULL;
    switch (is_faulty(goal, repair->outcomes)) {
    case TRUTH_NO:
        repair->state = REPAIR_NOT_ASKED;
        repair->why = goal->races + goal->hangs + (goal->flag != NULL) > 1
                          ? "it has none of these"
                          : arena_format(arena, "it has no %s", fault_goal_text(arena, goal));
        break;
    case TRUTH_UNKNOWN:
        repair->why = work_is_over(&work) ? work_limit_text(&work)
                                          : arena_format(arena, "whether it has %s is not known",
                                                         fault_goal_text(arena, goal));
        break;
    case TRUTH_YES:
        if (!search(&work, diagnostics))
            return NULL;
        break;
    }
    repair->stats.seconds = (watchdog_now_ms() - work.begun) / 1e3;
    return repair;
}
