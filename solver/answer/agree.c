// Whether two engines have found the same of a program: with --check, an answer holds only when
// both have given it.

#include "solver/answer/run.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <stdio.h>

// What a difference is reported with.
struct engine_pair {
    const struct program *program;
    const char *first, *second; // the engines
};

static void differ(const struct engine_pair *pair, const char *what) {
    bug("test %s: %s and %s do not agree on %s", pair->program->test->name, pair->first,
        pair->second, what);
}

static bool contradict(enum truth a, enum truth b) {
    return a != TRUTH_UNKNOWN && b != TRUTH_UNKNOWN && a != b;
}

static void compare_states(const struct engine_pair *pair, const struct outcomes *a,
                           const struct outcomes *b) {
    size_t width = pair->program->observed_count;
    if (!a->listed || !b->listed || !a->complete || !b->complete)
        return;
    if (a->state_count != b->state_count)
        differ(pair, "how many states there are");
    for (size_t i = 0; i < a->state_count; i++)
        if (state_compare(&a->states[i], &b->states[i], width) != 0 ||
            a->states[i].satisfies != b->states[i].satisfies ||
            a->states[i].violates != b->states[i].violates)
            differ(pair, "a state");
}

static const struct flag *same_flag(const struct outcomes *outcomes, const struct flag *flag) {
    for (size_t i = 0; i < outcomes->flag_count; i++)
        if (outcomes->flags[i].kind == flag->kind && outcomes->flags[i].name == flag->name)
            return &outcomes->flags[i];
    return NULL;
}

static void compare_flags(const struct engine_pair *pair, const struct outcomes *a,
                          const struct outcomes *b) {
    for (size_t i = 0; i < a->flag_count; i++) {
        const struct flag *other = same_flag(b, &a->flags[i]);
        if (contradict(a->flags[i].holds, other != NULL ? other->holds : TRUTH_NO))
            differ(pair, flag_name(&a->flags[i]));
    }
}

// A verdict that no limit has kept unknown is as much of an answer as others.
static bool is_cut(const struct outcomes *outcomes) {
    return outcomes->reason != REASON_NONE;
}

bool run_verdicts_agree(const struct outcomes *a, const struct outcomes *b) {
    bool unknown = a->verdict == VERDICT_UNKNOWN || b->verdict == VERDICT_UNKNOWN;
    if (a->verdict == b->verdict || (unknown && (is_cut(a) || is_cut(b))))
        return true;
    const struct outcomes *some = a->verdict == VERDICT_ALLOWED ? a : b;
    const struct outcomes *all = some == a ? b : a;
    return is_cut(some) && some->verdict == VERDICT_ALLOWED && all->verdict == VERDICT_ALWAYS;
}

void run_compare_engines(const struct program *program, const struct solver_options *options,
                         const struct outcomes *a, const struct outcomes *b, enum engine other) {
    const struct engine_pair pair = {program, solver_engine_name(options->engine),
                                     solver_engine_name(other)};
    if (!run_verdicts_agree(a, b))
        differ(&pair, "the verdict");
    if (contradict(a->reachable, b->reachable))
        differ(&pair, "whether there is an outcome");
    if (contradict(a->ends, b->ends) || contradict(a->termination.always, b->termination.always))
        differ(&pair, "whether it ends");
    compare_states(&pair, a, b);
    compare_flags(&pair, a, b);
}

struct outcomes *run_unchecked(struct arena *arena, const struct program *program,
                               const struct model *model, const struct solver_options *options,
                               const struct outcomes *first, const struct outcomes *second) {
    struct outcomes *unknown = outcomes_unknown(arena, program, model, options, second->reason);
    unknown->reason_text =
        arena_format(arena, "the second engine, by which '--check' has the answer checked: %s",
                     second->reason_text != NULL ? second->reason_text : "a limit was reached");
    unknown->stats = first->stats;
    return unknown;
}
