// Flags: what a run says about a program besides its outcomes. They are about the program, so the
// test's filter does not count.

#include "solver/answer/run.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <string.h>

// --- The set -----------------------------------------------------------------------------------

// Only flags of the model have a name.
static bool is_flag(const struct flag *flag, enum flag_kind kind, const char *name) {
    return flag->kind == kind && (name == NULL || strcmp(flag->name, name) == 0);
}

// The place of a flag in the set, or the set's end.
static size_t place_of(const struct outcomes *outcomes, enum flag_kind kind, const char *name) {
    size_t i = 0;
    while (i < outcomes->flag_count && !is_flag(&outcomes->flags[i], kind, name))
        i++;
    return i;
}

// A flag of the set, which is added where it is not there.
static struct flag *entry(struct arena *arena, struct outcomes *outcomes, enum flag_kind kind,
                          const char *name) {
    size_t place = place_of(outcomes, kind, name);
    if (place == outcomes->flag_count)
        ARENA_APPEND(arena, outcomes->flags, outcomes->flag_count,
                     (struct flag){.kind = kind, .name = name});
    return &outcomes->flags[place];
}

const char *flag_name(const struct flag *flag) {
    switch (flag->kind) {
    case FLAG_MODEL: return flag->name;
#define FLAG(id, name, meaning)                                                                    \
    case FLAG_##id:                                                                                \
        return name;
#include "solver/flags.def"
#undef FLAG
    }
    bug("flag %d has no name", (int)flag->kind);
}

enum truth outcomes_flag(const struct outcomes *outcomes, enum flag_kind kind) {
    size_t place = place_of(outcomes, kind, NULL);
    return place == outcomes->flag_count ? TRUTH_NO : outcomes->flags[place].holds;
}

void outcomes_set_flag(struct arena *arena, struct outcomes *outcomes, enum flag_kind kind,
                       enum truth holds) {
    entry(arena, outcomes, kind, NULL)->holds = holds;
}

bool outcomes_has_open_flag(const struct outcomes *outcomes) {
    for (size_t i = 0; i < outcomes->flag_count; i++)
        if (outcomes->flags[i].holds == TRUTH_UNKNOWN)
            return true;
    return false;
}

// --- Before anything is asked ------------------------------------------------------------------

// Whether an axiom before this one has its name.
static bool is_first(const struct model *model, size_t at) {
    for (size_t i = 0; i < at; i++)
        if (model->axioms[i].use == AXIOM_FLAG &&
            strcmp(model->axioms[i].name, model->axioms[at].name) == 0)
            return false;
    return true;
}

void run_list_flags(struct arena *arena, struct outcomes *outcomes, const struct model *model,
                    const bool *possible) {
    for (size_t i = 0; i < model->axiom_count; i++) {
        const struct model_axiom *axiom = &model->axioms[i];
        if (axiom->use != AXIOM_FLAG)
            continue;
        struct flag *flag = entry(arena, outcomes, FLAG_MODEL, axiom->name);
        flag->race |= axiom->race;
        flag->undefined |= axiom->undefined;
        if (is_first(model, i))
            flag->holds = TRUTH_NO;
        if (possible[i])
            flag->holds = TRUTH_UNKNOWN;
    }
}

// Lists the flags that a run asks about: undecided, except those that no execution of such a
// program can have.
static void list_flags(struct arena *arena, struct outcomes *outcomes,
                       const struct program *program, const struct model *model) {
    static const enum flag_kind kinds[] = {FLAG_BOUND, FLAG_HANG, FLAG_ENDLESS, FLAG_TRAP};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        bool may_hold = kinds[i] == FLAG_HANG   ? possible_barrier(program)
                        : kinds[i] == FLAG_TRAP ? possible_trap(program)
                                                : possible_loop(program);
        outcomes_set_flag(arena, outcomes, kinds[i], may_hold ? TRUTH_UNKNOWN : TRUTH_NO);
    }
    run_list_flags(arena, outcomes, model, possible_flags(arena, program, model));
    if (program->dependencies.open)
        outcomes_set_flag(arena, outcomes, FLAG_DEPENDENCIES_OPEN, TRUTH_YES);
}

// Whether a run asks if the test ends, and under which promise: that of the options, or of the
// test, or where the test expects something of it, what CUDA promises.
static struct termination termination_to_ask(const struct test *test,
                                             const struct solver_options *options) {
    bool chosen = options->progress != PROGRESS_OFF;
    bool expects = test_expects(test, EXPECT_TERMINATES) || test_expects(test, EXPECT_MAY_HANG);
    enum promise progress = chosen ? options->progress : test->promise.progress;
    if (progress == PROGRESS_OFF && expects)
        progress = PROGRESS_CUDA;
    struct schedule schedule = schedule_of(progress, test->is_cooperative);
    if (progress == PROGRESS_LEVELS)
        schedule = chosen ? options->schedule : test->promise.schedule;
    return (struct termination){
        .is_asked = progress != PROGRESS_OFF, .progress = progress, .schedule = schedule};
}

struct outcomes *outcomes_unknown(struct arena *arena, const struct program *program,
                                  const struct model *model, const struct solver_options *options,
                                  enum unknown_reason reason) {
    struct outcomes *outcomes = ARENA_NEW(arena, struct outcomes);
    outcomes->reason = reason;
    outcomes->allowances = ARENA_ARRAY(arena, struct allowance, options->other_count);
    outcomes->listed = !options->verdict_only;
    outcomes->termination = termination_to_ask(program->test, options);
    list_flags(arena, outcomes, program, model);
    return outcomes;
}

// --- Executions without an outcome -------------------------------------------------------------

// memory-model section 6: executions that hang have no outcome, but the run says that they may.
static enum truth may_hang(struct solver_run *run) {
    if (!possible_barrier(run->program))
        return TRUTH_NO;
    run->hang = encode_hang(run->encoder);
    return run_ask(run, LITERALS(run->hang, run->bounded, run->inside), NULL, false);
}

static enum truth may_end(struct solver_run *run) {
    if (run->outcomes->reachable == TRUTH_YES)
        return TRUTH_YES;
    return run_ask(run, LITERALS(run->bounded, run->complete, run->inside), NULL, false);
}

// An execution with a trap need not be one that ends: others may wait for the thread. What loops do
// after the bound is not known.
static enum truth may_trap(struct solver_run *run) {
    const struct outcomes *outcomes = run->outcomes;
    enum truth trap = outcomes_flag(outcomes, FLAG_TRAP);
    if (!possible_trap(run->program))
        return TRUTH_NO;
    if (run->program->spinning == NULL)
        trap = run_ask(run, LITERALS(run->trapped, run->inside), NULL, false);
    return trap == TRUTH_NO && outcomes_flag(outcomes, FLAG_BOUND) != TRUTH_NO ? TRUTH_UNKNOWN
                                                                               : trap;
}

// Whether no execution ends because some loop waits for what no thread writes, and not because of a
// hang, a trap or the bound of a loop.
static enum truth is_endless(const struct solver_run *run, enum truth hang) {
    enum truth ends = run->outcomes->ends, bound = outcomes_flag(run->outcomes, FLAG_BOUND),
               trap = outcomes_flag(run->outcomes, FLAG_TRAP);
    if (ends == TRUTH_YES || hang == TRUTH_YES || bound == TRUTH_YES || trap == TRUTH_YES ||
        !possible_loop(run->program))
        return TRUTH_NO;
    return ends == TRUTH_NO && hang == TRUTH_NO && bound == TRUTH_NO && trap == TRUTH_NO
               ? TRUTH_YES
               : TRUTH_UNKNOWN;
}

static void find_unended(struct solver_run *run) {
    struct outcomes *outcomes = run->outcomes;
    enum truth hang = may_hang(run);
    outcomes->ends = may_end(run);
    outcomes_set_flag(run->arena, outcomes, FLAG_HANG,
                      hang == TRUTH_NO ? run->hangs_after_loop : hang);
    outcomes_set_flag(run->arena, outcomes, FLAG_TRAP, may_trap(run));
    outcomes_set_flag(run->arena, outcomes, FLAG_ENDLESS, is_endless(run, hang));
}

// --- Flags of the model ------------------------------------------------------------------------

// What is known of "one of the axioms with this name holds", after one more of them.
static enum truth either(enum truth before, bool first, enum truth holds) {
    if (first || holds == TRUTH_YES)
        return holds;
    return before == TRUTH_NO ? holds : before;
}

// What the axioms exclude may happen in an undefined program; what they allow may as well.
static void leave_undefined(struct solver_run *run, const struct model_axiom *axiom,
                            enum truth undefined) {
    struct outcomes *outcomes = run->outcomes;
    if (undefined != TRUTH_NO && !axiom->in_any_program)
        run->is_open = true;
    if (undefined == TRUTH_NO ||
        (outcomes->verdict != VERDICT_FORBIDDEN && outcomes->verdict != VERDICT_ALWAYS))
        return;
    outcomes->verdict = VERDICT_UNKNOWN;
    run->taken_back = true;
}

// Whether an execution has what a flag is about: one that ends, or, where that is there at once,
// one that hangs. Sets run->flag_end to what says which.
static enum truth ask_flag(struct solver_run *run, const struct model_axiom *axiom) {
    literal literals[] = {encode_axiom(run->encoder, axiom, true), run->bounded, run->inside,
                          run->complete};
    run->flag_end = run->complete;
    enum truth holds = run_ask(run, literals, 4, axiom, true);
    bool hangs = run->hang != 0 && outcomes_flag(run->outcomes, FLAG_HANG) != TRUTH_NO;
    if (holds == TRUTH_YES || !axiom->at_once || !hangs)
        return holds;
    literals[3] = run->flag_end = run->hang;
    enum truth in_hang = run_ask(run, literals, 4, axiom, true);
    return in_hang == TRUTH_NO ? holds : in_hang;
}

// The same of executions that hang since a thread stays in a loop, which were asked for before:
// where it is not known whether there are any, what may be undefined is not known either.
static enum truth after_loop(const struct solver_run *run, size_t index, enum truth holds) {
    bool open = run->hangs_after_loop == TRUTH_UNKNOWN && run->possible[index] &&
                run->model->axioms[index].at_once;
    enum truth after = run->flags_after_loop != NULL ? run->flags_after_loop[index]
                       : open                        ? TRUTH_UNKNOWN
                                                     : TRUTH_NO;
    return holds == TRUTH_YES || after == TRUTH_NO ? holds : after;
}

static void find_flag(struct solver_run *run, size_t index) {
    const struct model_axiom *axiom = &run->model->axioms[index];
    size_t place = place_of(run->outcomes, FLAG_MODEL, axiom->name);
    enum truth shown = run->possible[index] ? ask_flag(run, axiom) : TRUTH_NO;
    enum truth holds = after_loop(run, index, shown);
    struct flag *flag = &run->outcomes->flags[place];
    flag->holds = either(flag->holds, is_first(run->model, index), holds);
    if (axiom->undefined)
        leave_undefined(run, axiom, holds);
    if (shown == TRUTH_YES && (axiom->undefined || run->options->races))
        run_find_races(run, axiom, place, run->options->races);
}

void run_find_flags(struct solver_run *run) {
    find_unended(run);
    for (size_t i = 0; i < run->model->axiom_count; i++)
        if (run->model->axioms[i].use == AXIOM_FLAG)
            find_flag(run, i);
}

// --- Expectations ------------------------------------------------------------------------------

static enum truth negation(enum truth truth) {
    return truth == TRUTH_UNKNOWN ? TRUTH_UNKNOWN : truth == TRUTH_NO ? TRUTH_YES : TRUTH_NO;
}

static enum truth any_of(enum truth a, enum truth b) {
    if (a == TRUTH_YES || b == TRUTH_YES)
        return TRUTH_YES;
    return a == TRUTH_NO && b == TRUTH_NO ? TRUTH_NO : TRUTH_UNKNOWN;
}

// What holds only in executions that rely on what is taken for granted of threads that a launch
// leaves out is possible, and not known.
static enum truth known(enum truth holds, bool possible) {
    return possible ? TRUTH_UNKNOWN : holds;
}

static enum truth has_flag(const struct outcomes *outcomes, enum flag_kind kind) {
    size_t place = place_of(outcomes, kind, NULL);
    return place == outcomes->flag_count
               ? TRUTH_NO
               : known(outcomes->flags[place].holds, outcomes->flags[place].possible);
}

static enum truth always_ends(const struct outcomes *outcomes) {
    return known(outcomes->termination.always, outcomes->termination.possible);
}

// If the model flags no races, it is not known whether there are any.
static enum truth has_race(const struct outcomes *outcomes) {
    enum truth found = TRUTH_NO;
    bool any = false;
    for (size_t i = 0; i < outcomes->flag_count; i++)
        if (outcomes->flags[i].race) {
            found = any_of(found, known(outcomes->flags[i].holds, outcomes->flags[i].possible));
            any = true;
        }
    return any ? found : TRUTH_UNKNOWN;
}

static enum truth has_hang(const struct outcomes *outcomes) {
    return any_of(has_flag(outcomes, FLAG_HANG), has_flag(outcomes, FLAG_ENDLESS));
}

enum truth outcomes_meet(const struct outcomes *outcomes, enum expectation what) {
    switch (what) {
    case EXPECT_RACE: return has_race(outcomes);
    case EXPECT_NO_RACE: return negation(has_race(outcomes));
    case EXPECT_HANG: return has_hang(outcomes);
    case EXPECT_NO_HANG: return negation(has_hang(outcomes));
    case EXPECT_TRAP: return has_flag(outcomes, FLAG_TRAP);
    case EXPECT_NO_TRAP: return negation(has_flag(outcomes, FLAG_TRAP));
    case EXPECT_REACHABLE: return outcomes->reachable;
    case EXPECT_UNREACHABLE: return negation(outcomes->reachable);
    case EXPECT_TERMINATES: return always_ends(outcomes);
    case EXPECT_MAY_HANG: return negation(always_ends(outcomes));
    case EXPECT_ALLOWED:
    case EXPECT_FORBIDDEN:
    case EXPECT_ALWAYS:
    case EXPECTATION_COUNT: break;
    }
    return TRUTH_UNKNOWN;
}
