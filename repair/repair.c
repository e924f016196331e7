// The search: candidates by cost, executions that tell which of them do not do, and a run of its
// own for each that does.
#include "repair/repair.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "repair/candidates.h"
#include "repair/work.h"
#include "repair/descent.h"
#include "repair/polarity.h"
#include "solver/backend/watchdog.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

enum { DOUBTS_MAX = 100 };
// Of the time, before any result will do.
static const double FIRST_SHARE = 0.5;

// --- Results -----------------------------------------------------------------------------------

// The states that were not asked about and are gone.
static void find_lost(struct change_work *work, struct remedy *remedy) {
    size_t count, kept = 0, width = remedy->program->observed_count;
    const struct outcomes *before = work->repair->outcomes;
    remedy->lost_unknown = !before->complete || !remedy->outcomes->complete;
    if (remedy->lost_unknown)
        return;
    const struct state **missing =
        judge_missing(work->arena, before, remedy->outcomes, width, &count);
    for (size_t i = 0; i < count; i++)
        if (work->violates ? missing[i]->satisfies : !missing[i]->satisfies)
            missing[kept++] = missing[i];
    assert(kept <= before->state_count);
    remedy->lost = missing;
    remedy->lost_count = kept;
}

// Of one cost, what takes fewer other outcomes along comes first.
static bool precedes(const struct remedy *a, const struct remedy *b) {
    return a->cost != b->cost ? a->cost < b->cost : a->lost_count < b->lost_count;
}

static void add_remedy(struct change_work *work, const size_t *choice,
                       const struct judgement *judgement, size_t neighbours) {
    struct repair *repair = work->repair;
    struct arena *arena = work->arena;
    assert(judgement->keeps && !judgement->is_empty);
    struct remedy remedy = work_remedy(work, choice, judgement->program, judgement->outcomes,
                                       work->options->goal == REPAIR_FORBID);
    remedy.neighbours = neighbours;
    find_lost(work, &remedy);
    remedy.flags = judge_new_flags(arena, repair->outcomes, remedy.outcomes, &remedy.flag_count);
    remedy.reason = reason_of_remedy(work, choice);
    ARENA_APPEND(arena, repair->remedies, repair->count, remedy);
    for (size_t i = repair->count - 1; i > 0; i--) {
        struct remedy *before = &repair->remedies[i - 1];
        if (!precedes(&before[1], before))
            break;
        struct remedy later = *before;
        *before = before[1];
        before[1] = later;
    }
}

// --- The search --------------------------------------------------------------------------------

// What the search has met besides results.
struct search_state {
    struct candidates *candidates;
    size_t doubts, empty;
    const char *doubt;
};

static void stop(struct repair *repair, const char *cut) {
    assert(cut != NULL); // what is cut says so
    repair->is_complete = false;
    repair->cut = cut;
}

static bool puts_barrier(const struct change_work *work, const size_t *choice) {
    for (size_t i = 0; i < work->changes->count; i++)
        if (work->changes->places[i].kind == CHANGE_BARRIER && choice[i] != work->first[i])
            return true;
    return false;
}

// Whether a barrier that is put in lets the test hang, or is used in a way that PTX does not
// define.
static bool is_misplaced(const struct change_work *work, const struct judgement *judgement) {
    return judgement->is_undefined ||
           (judgement->keeps && judge_hangs(work->repair->outcomes, judgement->outcomes));
}

// A choice that does as far as its program tells: its text decides. False to stop.
static bool settle(struct change_work *work, struct search_state *state, const size_t *choice) {
    struct judgement judgement = judge_choice(work, choice);
    size_t neighbours;
    if (judgement.is_stopped) {
        stop(work->repair, work_limit_text(work));
        return false;
    }
    if (judgement.is_empty || (puts_barrier(work, choice) && is_misplaced(work, &judgement))) {
        state->empty += !puts_barrier(work, choice);
        candidates_accept(state->candidates); // what is stronger has none either, or may hang
        return true;
    }
    if (!judgement.keeps) {
        state->doubt = judgement.doubt != NULL ? judgement.doubt : state->doubt;
        state->doubts += judgement.doubt != NULL || !judgement.is_undefined; // which is known
        candidates_skip(state->candidates);
        return true;
    }
    switch (choice_is_least(work, choice, &neighbours)) {
    case TRUTH_YES:
        candidates_accept(state->candidates);
        add_remedy(work, choice, &judgement, neighbours);
        return true;
    case TRUTH_NO: // a weaker one does, which is not monotone
        candidates_skip(state->candidates);
        return true;
    case TRUTH_UNKNOWN: break;
    }
    stop(work->repair, work_limit_text(work));
    return false;
}

enum barriers_state { BARRIERS_SUIT, BARRIERS_REFUSED, BARRIERS_DOUBTFUL };

// Whether the reader takes the barriers of a choice, and what is stronger without them is with
// them.
static enum barriers_state look_at_barriers(struct change_work *work, const size_t *choice) {
    struct change_variants *variants = variants_with(work->variants, choice);
    if (variants == NULL)
        return BARRIERS_REFUSED;
    if (variants == work->variants)
        return BARRIERS_SUIT;
    if (!variants->is_judged) {
        struct arena *scratch = arena_new();
        const bool *monotone = polarity_monotone(scratch, variants, work->options->model,
                                                 work->options->goal != REPAIR_FORBID);
        variants->is_judged = variants->suits = true;
        for (size_t i = 0; i < work->changes->count; i++)
            variants->suits = variants->suits && (monotone[i] || !work->monotone[i]);
        arena_free(scratch);
    }
    return variants->suits ? BARRIERS_SUIT : BARRIERS_DOUBTFUL;
}

// Why the solver has not decided.
static const char *why_open(const struct change_work *work) {
    return work->options->solver->memory_mb > 0 || work_is_over(work) ? work_limit_text(work)
                                                                      : "the solver does not know";
}

// Looks at one candidate; false to stop.
static bool step(struct change_work *work, struct search_state *state, size_t *choice) {
    struct repair *repair = work->repair;
    if (!candidates_next(state->candidates, choice)) {
        if (candidates_cut(state->candidates))
            stop(repair, "there are too many combinations");
        return false;
    }
    unsigned cost = candidates_cost(work->changes, work->first, choice);
    if (cost > work->options->max_cost)
        return false;
    repair->tried_cost = work->options->goal == REPAIR_FORBID && state->doubts == 0 ? cost : 0;
    if (work_is_over(work)) {
        stop(repair, work_limit_text(work));
        return false;
    }
    switch (look_at_barriers(work, choice)) {
    case BARRIERS_SUIT: break;
    case BARRIERS_DOUBTFUL:
        state->doubts++;
        state->doubt = "barriers change which forms are stronger under this model";
        // fall through
    case BARRIERS_REFUSED: candidates_accept(state->candidates); return true;
    }
    switch (choice_allows(work, choice, state->candidates)) {
    case TRUTH_YES: return true;
    case TRUTH_UNKNOWN: stop(repair, why_open(work)); return false;
    case TRUTH_NO: break;
    }
    if (!settle(work, state, choice))
        return false;
    if (state->doubts > DOUBTS_MAX) {
        stop(repair, state->doubt != NULL ? state->doubt : "too many choices are not decided");
        return false;
    }
    return true;
}

// Whether as many results as were asked for are known, and none of those that cost less is left.
static bool has_most(const struct change_work *work, unsigned cost) {
    const struct repair *repair = work->repair;
    size_t most = work->options->most;
    return most > 0 && repair->count >= most && repair->remedies[most - 1].cost <= cost;
}

// Tries candidates until there are no more, or the search has to stop.
static void walk(struct change_work *work, struct search_state *state) {
    struct repair *repair = work->repair;
    size_t *choice = ARENA_ARRAY(work->arena, size_t, work->changes->count + 1);
    unsigned cost = 0;
    repair->is_complete = true;
    repair->cut = NULL;
    while (!has_most(work, cost) && step(work, state, choice))
        cost = candidates_cost(work->changes, work->first, choice);
    if (has_most(work, cost)) {
        repair->is_complete = false;
        repair->count = work->options->most;
    }
}

// Whether a choice does, and has no barrier that lets the test hang.
static bool may_begin(struct change_work *work, struct search_state *state, const size_t *start) {
    if (candidates_refute(state->candidates, start) ||
        look_at_barriers(work, start) != BARRIERS_SUIT ||
        choice_allows(work, start, state->candidates) != TRUTH_NO)
        return false;
    if (!puts_barrier(work, start))
        return true;
    struct judgement judgement = judge_choice(work, start);
    return judgement.keeps && !judgement.is_empty && !is_misplaced(work, &judgement);
}

// What a descent learns of choices goes to the candidates.
struct descent_context {
    struct change_work *work;
    struct candidates *candidates;
};

static enum truth descent_allows(void *context, const size_t *choice) {
    struct descent_context *descent = context;
    return candidates_refute(descent->candidates, choice)
               ? TRUTH_YES
               : choice_allows(descent->work, choice, descent->candidates);
}

static bool descend(struct change_work *work, struct search_state *state, size_t *choice) {
    struct descent_context context = {work, state->candidates};
    const struct descent_question question = {work->arena, work->changes, work->first,
                                              descent_allows, &context};
    return descent_find(&question, choice);
}

// Adds the least result below a choice, where there is one.
static bool find_below(struct change_work *work, struct search_state *state, const size_t *start) {
    size_t *choice = arena_copy(work->arena, start, work->changes->count + 1, sizeof *choice);
    size_t neighbours;
    if (work_is_over(work) || !may_begin(work, state, start) || !descend(work, state, choice) ||
        candidates_cost(work->changes, work->first, choice) > work->options->max_cost)
        return false;
    struct judgement judgement = judge_choice(work, choice);
    if (judgement.is_stopped || judgement.is_empty || !judgement.keeps ||
        (puts_barrier(work, choice) && is_misplaced(work, &judgement)) ||
        choice_is_least(work, choice, &neighbours) != TRUTH_YES)
        return false;
    candidates_include(state->candidates, choice);
    add_remedy(work, choice, &judgement, neighbours);
    return true;
}

// Adds a result that need not be the cheapest, where one is found: without a new barrier or another
// wait, or with one.
static void find_any(struct change_work *work, struct search_state *state) {
    const struct changes *changes = work->changes;
    size_t *start = ARENA_ARRAY(work->arena, size_t, changes->count + 1);
    if (!choice_strongest(work, start) || find_below(work, state, start))
        return;
    for (size_t i = 0; i < changes->count; i++) {
        size_t written = start[i];
        if (!change_is_apart(&changes->places[i]))
            continue;
        for (size_t f = 0; f < changes->places[i].form_count; f++) {
            start[i] = f;
            if (f != written && find_below(work, state, start))
                return;
        }
        start[i] = written;
    }
}

// The cheapest first; where half of the time does not do, then any, and then those that cost less.
static void find_remedies(struct change_work *work, struct search_state *state) {
    bool is_repair = work->options->goal == REPAIR_FORBID;
    if (work->options->any && is_repair)
        find_any(work, state);
    if (work->repair->count > 0)
        return;
    work->share = is_repair ? FIRST_SHARE : 1;
    walk(work, state);
    bool is_over = work_is_over(work);
    work->share = 1;
    if (!is_over || work_is_over(work))
        return;
    candidates_again(state->candidates);
    if (work->repair->count == 0)
        find_any(work, state);
    walk(work, state);
}

static void search(struct change_work *work) {
    struct repair *repair = work->repair;
    struct search_state state = {.candidates =
                                     candidates_new(work->changes, work->first, work->monotone)};
    find_remedies(work, &state);
    if (repair->is_complete && state.doubts > 0)
        stop(repair, state.doubt != NULL ? state.doubt : "some choices are not decided");
    bool all = repair->is_complete;
    if (all && work->changes->barriers_cut)
        stop(repair, "barriers are not tried where there are more than 100 ways to put one in");
    if (repair->count > 0)
        repair->state = REPAIR_FOUND;
    else if (!all) {
        repair->state = REPAIR_UNDECIDED;
        repair->why = repair->cut;
    } else {
        repair->state = REPAIR_NONE;
        repair->why = state.empty > 0 ? "what forbids the outcome leaves no outcome at all"
                      : work->options->max_cost < UINT_MAX ? "all that forbid the outcome cost more"
                                                           : reason_of_none(work);
    }
    candidates_free(state.candidates);
}

// --- Before it ---------------------------------------------------------------------------------

static bool has_apart(const struct changes *changes) {
    for (size_t i = 0; i < changes->count; i++)
        if (change_is_apart(&changes->places[i]))
            return true;
    return changes->barriers_cut;
}

// Whether the strongest choice does; else `why` and the state are set.
static bool strongest_does(struct change_work *work) {
    struct repair *repair = work->repair;
    size_t *choice = ARENA_ARRAY(work->arena, size_t, work->changes->count + 1);
    if (!choice_strongest(work, choice))
        return true;
    switch (choice_allows(work, choice, NULL)) {
    case TRUTH_YES:
        if (has_apart(work->changes)) // one of those may do
            return true;
        repair->state = REPAIR_NONE;
        repair->is_complete = true;
        repair->why = reason_of_none(work);
        return false;
    case TRUTH_UNKNOWN: repair->why = work_limit_text(work); return false;
    case TRUTH_NO: break;
    }
    struct judgement judgement = judge_choice(work, choice);
    if (judgement.is_stopped) {
        repair->why = work_limit_text(work);
        return false;
    }
    if (judgement.keeps || (judgement.doubt == NULL && !judgement.is_empty))
        return true;
    bool none = judgement.is_empty || judgement.is_undefined;
    repair->state = none ? REPAIR_NONE : REPAIR_UNDECIDED;
    repair->is_complete = none;
    repair->why = judgement.is_empty       ? "what forbids the outcome leaves no outcome at all"
                  : judgement.is_undefined ? reason_of_none(work)
                                           : judgement.doubt;
    return false;
}

// What a test expects to go wrong besides its outcome, which `repair` does not mend; NULL: nothing.
static const char *other_fault(const struct test *test) {
    if (test_expects(test, EXPECT_MAY_HANG) || test_expects(test, EXPECT_HANG))
        return "the outcome is forbidden already, but the test expects that it may not end: "
               "'ptxlitmus repair --hangs' looks for a change with which it does";
    if (test_expects(test, EXPECT_RACE))
        return "the outcome is forbidden already, but the test expects a race: "
               "'ptxlitmus repair --races' looks for a change without one";
    if (test_expects(test, EXPECT_TRAP))
        return "the outcome is forbidden already, but the test expects a trap, and a repair "
               "forbids "
               "outcomes";
    return NULL;
}

// Why there is no repair of a test without a condition, and what there may be.
static const char *no_condition(const struct test *test) {
    if (test_expects(test, EXPECT_RACE) || test_expects(test, EXPECT_NO_RACE))
        return "the test asks about no outcome: it has no condition; 'ptxlitmus repair --races' "
               "looks for a change without a race";
    if (test_expects(test, EXPECT_HANG) || test_expects(test, EXPECT_NO_HANG) ||
        test_expects(test, EXPECT_MAY_HANG) || test_expects(test, EXPECT_TERMINATES))
        return "the test asks about no outcome: it has no condition; 'ptxlitmus repair --hangs' "
               "looks for a change with which it always ends";
    return "the test asks about no outcome: it has no condition";
}

// What the verdict of the test says about what is asked; false when there is nothing to do.
static bool has_task(struct change_work *work) {
    struct repair *repair = work->repair;
    enum verdict forbidden = work->violates ? VERDICT_ALWAYS : VERDICT_FORBIDDEN;
    enum verdict verdict = repair->outcomes->verdict;
    bool keeps_outcomes = work->options->goal == REPAIR_KEEP_OUTCOMES;
    if (work->test->is_unconditional) {
        repair->state = REPAIR_NONE;
        repair->why = no_condition(work->test);
        return false;
    }
    if (keeps_outcomes ? !repair->outcomes->complete : verdict == VERDICT_UNKNOWN) {
        enum unknown_reason reason = repair->outcomes->reason;
        bool stopped = reason != REASON_NONE && reason != REASON_SOLVER;
        repair->why = stopped          ? work_limit_text(work)
                      : keeps_outcomes ? "the outcomes of the test are not all known"
                                       : "the verdict on the test is not known";
        return false;
    }
    if (work->options->goal == REPAIR_FORBID ? verdict == forbidden
                                             : !keeps_outcomes && verdict != forbidden) {
        repair->state = REPAIR_NOT_ASKED;
        repair->why = work->options->goal == REPAIR_FORBID
                          ? "the outcome is forbidden already"
                          : "the outcome is allowed, and remains so however weak the test becomes";
        const char *fault = work->options->goal == REPAIR_FORBID ? other_fault(work->test) : NULL;
        if (fault != NULL) {
            repair->state = REPAIR_NONE;
            repair->why = fault;
        }
        return false;
    }
    return true;
}

// The outcome first, then, for what is to be kept, the flags of the model that do not hold.
static void add_questions(struct change_work *work) {
    const struct model *model = work->options->model;
    const struct outcomes *outcomes = work->repair->outcomes;
    work->questions = ARENA_ARRAY(work->arena, struct find_question, model->axiom_count + 1);
    work->questions[work->question_count++] = (struct find_question){
        .violates = work->options->goal != REPAIR_KEEP_OUTCOMES && work->violates};
    for (size_t i = 0; work->options->goal != REPAIR_FORBID && i < model->axiom_count; i++) {
        const struct model_axiom *axiom = &model->axioms[i];
        bool known = axiom->use != AXIOM_FLAG;
        for (size_t k = 0; k < outcomes->flag_count && !known; k++)
            known = outcomes->flags[k].kind == FLAG_MODEL &&
                    strcmp(outcomes->flags[k].name, axiom->name) == 0 &&
                    outcomes->flags[k].holds != TRUTH_NO;
        if (!known)
            work->questions[work->question_count++] = (struct find_question){.flag = axiom};
    }
}

static bool prepare(struct change_work *work, struct diagnostics *diagnostics) {
    const struct repair_options *options = work->options;
    bool up = options->goal == REPAIR_FORBID;
    struct change_options change = {.direction = up ? CHANGES_UP : CHANGES_DOWN,
                                    .limits = options->limits,
                                    .limit_count = options->limit_count,
                                    .costs = options->costs};
    struct changes *changes = changes_find(work->arena, work->test, &change, diagnostics);
    if (changes == NULL)
        return false;
    if (options->prune != NULL)
        options->prune(options->prune_context, changes);
    work->repair->changes = work->changes = changes;
    work->variants = variants_new(work->arena, changes, work->index, options->program, diagnostics);
    if (work->variants == NULL)
        return false;
    work->first = up ? changes_as_written(work->arena, changes)
                     : ARENA_ARRAY(work->arena, size_t, changes->count + 1);
    work->monotone = polarity_monotone(work->arena, work->variants, options->model, !up);
    for (size_t i = 0; i < changes->count; i++) {
        bool is_apart = change_is_apart(&changes->places[i]);
        work->repair->stats.not_monotone += !is_apart && !work->monotone[i];
        work->monotone[i] = work->monotone[i] && !is_apart; // what hangs may do
    }
    add_questions(work);
    return true;
}

// Decides the test as it is. False after errors.
static bool decide(struct change_work *work, struct diagnostics *diagnostics) {
    struct solver_options options = work_options(work);
    options.max_states = 1000;
    options.verdict_only = false;
    const struct program *program =
        program_build(work->arena, work->test, work->options->program, diagnostics);
    if (program == NULL)
        return false;
    work->repair->before = program;
    work->repair->outcomes = work_run(work, program, &options, diagnostics);
    return work->repair->outcomes != NULL;
}

struct repair *repair_search(struct solver *solver, struct arena *arena, const struct test *test,
                             size_t index, const struct repair_options *options,
                             struct diagnostics *diagnostics) {
    struct change_work work = work_begin(arena, solver, test, index, options);
    struct repair *repair = work.repair;
    work.violates = test->quantifier == QUANTIFIER_FORALL;
    if (!decide(&work, diagnostics))
        return NULL;
    if (work_is_over(&work)) {
        repair->why = work_limit_text(&work);
    } else if (has_task(&work)) {
        if (!prepare(&work, diagnostics))
            return NULL;
        if (options->goal != REPAIR_FORBID || strongest_does(&work))
            search(&work);
    }
    repair->stats.seconds = (watchdog_now_ms() - work.begun) / 1e3;
    return repair;
}
