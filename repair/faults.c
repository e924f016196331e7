// Decides the test, has a change searched (mend.h), and tells of it as of a repair.
#include "repair/faults.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "repair/candidates.h"
#include "repair/edit.h"
#include "repair/judge.h"
#include "repair/mend.h"
#include "repair/work.h"
#include "solver/backend/watchdog.h"

#include <string.h>

struct faults_work {
    struct solver *solver;
    struct arena *arena;
    const struct test *test;
    size_t index;
    const struct repair_options *options;
    const struct fault_goal *goal;
    struct repair *repair;
};

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
    const struct faults_work *work = context;
    const struct outcomes *before = work->repair->outcomes;
    size_t count;
    (void)program;
    judge_new_flags(work->arena, before, outcomes, &count);
    bool is_worse =
        count > 0 || judge_hangs(before, outcomes) ||
        (outcomes->termination.always != TRUTH_YES && before->termination.always == TRUTH_YES) ||
        (outcomes->reachable != TRUTH_YES && before->reachable == TRUTH_YES);
    return !is_worse && is_faulty(work->goal, outcomes) == TRUTH_NO ? TRUTH_YES : TRUTH_NO;
}

// --- The search ----------------------------------------------------------------------------------

static struct solver_options solver_options_of(const struct faults_work *work, double begun) {
    struct solver_options options = *work->options->solver;
    options.races = false;
    options.progress = PROGRESS_FAIR;
    if (options.timeout_seconds > 0) {
        double left = options.timeout_seconds - (watchdog_now_ms() - begun) / 1e3;
        options.timeout_seconds = left > 1e-3 ? left : 1e-3;
    }
    return options;
}

static const struct outcomes *decide(struct faults_work *work, const struct program *program,
                                     double begun, struct diagnostics *diagnostics) {
    struct solver_options options = solver_options_of(work, begun);
    options.max_states = 1000;
    work->repair->stats.runs++;
    return solver_run(work->solver, work->arena, program, work->options->model, &options,
                      diagnostics);
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

static bool check_flag(struct faults_work *work, struct diagnostics *diagnostics) {
    const struct outcomes *outcomes = work->repair->outcomes;
    for (size_t i = 0; i < outcomes->flag_count; i++)
        if (!work->goal->flag || strcmp(work->goal->flag, flag_name(&outcomes->flags[i])) == 0)
            return true;
    diag_error_path(diagnostics, work->test->source->path, "'--flag %s': the test has no such flag",
                    work->goal->flag);
    diag_hint(diagnostics, "it may have %s", flags_of(work->arena, outcomes));
    return false;
}

static const char strong_reason[] =
    "accesses that are strong do not race, but nothing orders them: what they read may be old. "
    "Where it has to be new, it takes a barrier or a wait";

static void describe(struct arena *arena, const struct mend *mend, struct remedy *remedy) {
    const struct changes *changes = mend->changes;
    remedy->words = ARENA_ARRAY(arena, const char *, changes->count + 1);
    for (size_t i = 0; i < changes->count; i++) {
        const char *words = change_describe(arena, changes, i, mend->choice[i]);
        if (words)
            remedy->words[remedy->word_count++] = words;
    }
}

// What a change comes to, with the expectations that no longer hold turned round.
static void add_remedy(struct faults_work *work, const struct mend *mend, double begun) {
    struct arena *arena = work->arena;
    const struct changes *changes = mend->changes;
    struct diagnostics ignored;
    diagnostics_init(&ignored, arena);
    static const struct edit_options plain = {false};
    const struct test *test =
        edit_apply(arena, changes, mend->choice, &plain, work->index, &ignored, NULL);
    struct remedy remedy = {.choice = mend->choice, .lost_unknown = true};
    remedy.reason = mend_strengthens_weak(mend) ? strong_reason : NULL;
    remedy.program = program_build(arena, test, work->options->program, &ignored);
    remedy.outcomes = decide(work, remedy.program, begun, &ignored);
    bool *stale = ARENA_ARRAY(arena, bool, work->test->expected_count + 1);
    for (size_t i = 0; i < work->test->expected_count; i++)
        stale[i] = outcomes_meet(remedy.outcomes, work->test->expected[i].what) == TRUTH_NO;
    const struct edit_options edit = {.stale = stale};
    remedy.cost = candidates_cost(changes, mend->first, mend->choice);
    remedy.text = edit_text(arena, changes, mend->choice, &edit, NULL);
    remedy.sidecar = edit_sidecar(arena, changes, &edit);
    remedy.diff = edit_diff(arena, changes->file->path, changes->file->text, remedy.text);
    describe(arena, mend, &remedy);
    work->repair->remedies = arena_copy(arena, &remedy, 1, sizeof remedy);
    work->repair->count = 1;
}

static enum truth run_once(void *context, struct arena *arena, const struct test *test) {
    const struct repair_options *options = ((const struct faults_work *)context)->options;
    return options->run(options->run_context, arena, test);
}

static bool is_late(const struct faults_work *work, double begun) {
    double limit = work->options->solver->timeout_seconds;
    return limit > 0 && (watchdog_now_ms() - begun) / 1e3 >= limit;
}

// Whether a limit or an interrupt has kept the search from an answer.
static bool is_stopped(const struct faults_work *work, double begun) {
    const struct repair_options *options = work->options;
    return is_late(work, begun) || (options->is_interrupted && options->is_interrupted());
}

static bool search(struct faults_work *work, double begun, struct diagnostics *diagnostics) {
    struct repair *repair = work->repair;
    const struct solver_options solver = solver_options_of(work, begun);
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
    repair->changes = mend->changes;
    repair->stats.runs += mend->runs;
    switch (mend->state) {
    case MEND_FOUND:
        repair->state = REPAIR_FOUND;
        add_remedy(work, mend, begun);
        break;
    case MEND_NONE:
        repair->state = REPAIR_NONE;
        repair->why = "none of the changes of orders, scopes, fences, barriers and waits that were "
                      "tried does";
        break;
    case MEND_STOPPED:
        repair->why = limit_text(work->arena, work->options, is_late(work, begun));
        break;
    }
    return true;
}

struct repair *faults_repair(struct solver *solver, struct arena *arena, const struct test *test,
                             size_t index, const struct repair_options *options,
                             const struct fault_goal *goal, struct diagnostics *diagnostics) {
    struct repair *repair = ARENA_NEW(arena, struct repair);
    struct faults_work work = {solver, arena, test, index, options, goal, repair};
    double begun = watchdog_now_ms();
    *repair = (struct repair){.state = REPAIR_UNDECIDED};
    repair->before = program_build(arena, test, options->program, diagnostics);
    repair->outcomes = repair->before ? decide(&work, repair->before, begun, diagnostics) : NULL;
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
        repair->why = is_stopped(&work, begun)
                          ? limit_text(arena, options, is_late(&work, begun))
                          : arena_format(arena, "whether it has %s is not known",
                                         fault_goal_text(arena, goal));
        break;
    case TRUTH_YES:
        if (!search(&work, begun, diagnostics))
            return NULL;
        break;
    }
    repair->stats.seconds = (watchdog_now_ms() - begun) / 1e3;
    return repair;
}
