// The outcomes of a program: the list of states and the verdict on the condition. What decides the
// verdict does not depend on where the list was cut.

#include "solver/answer/listing.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

// --- Questions ---------------------------------------------------------------------------------

// Whether some execution of the program has an outcome and is as the literal says.
static enum truth ask(struct listing *listing, literal l) {
    struct solver_run *run = listing->run;
    enum truth found =
        run_ask(run, LITERALS(run->filter, run->bounded, run->complete, l), NULL, false);
    if (found == TRUTH_YES)
        run_note_allowed(run);
    return found;
}

// The condition first, before the list adds clauses of its own.
static void prove(struct listing *listing) {
    struct solver_run *run = listing->run;
    listing->satisfiable = ask(listing, run->condition);
    if (listing->satisfiable == TRUTH_NO)
        run_prove(run, LITERALS(run->filter, run->bounded, run->complete, run->condition));
}

static void find_states(struct listing *listing) {
    struct outcomes *outcomes = listing->run->outcomes;
    bool all = listing_enumerate(listing);
    outcomes->states =
        arena_copy(listing->run->arena, listing->states, listing->count, sizeof *listing->states);
    outcomes->state_count = listing->count;
    outcomes->complete = all;
    if (!all)
        return;
    if (listing->satisfiable == TRUTH_UNKNOWN)
        listing->satisfiable = TRUTH_NO;
    if (listing->violable == TRUTH_UNKNOWN)
        listing->violable = TRUTH_NO;
}

// --- The verdict -------------------------------------------------------------------------------

// Executions past the bound of a loop are excluded: what they would show is not known.
static void look_past_bound(struct listing *listing) {
    struct solver_run *run = listing->run;
    const struct program *program = run->program;
    bool asked = program->spinning != NULL && !expr_is_false(program->limits.bound_reached);
    if (!asked && outcomes_flag(run->outcomes, FLAG_BOUND) != TRUTH_NO)
        outcomes_set_flag(run->arena, run->outcomes, FLAG_BOUND,
                          run_ask(run, &run->past_bound, 1, NULL, false));
    if (outcomes_flag(run->outcomes, FLAG_BOUND) == TRUTH_NO)
        return;
    run->outcomes->complete = false;
    if (listing->satisfiable == TRUTH_NO)
        listing->satisfiable = TRUTH_UNKNOWN;
    if (listing->violable == TRUTH_NO)
        listing->violable = TRUTH_UNKNOWN;
}

// Whether "some outcome satisfies the condition" is an answer when it is not known whether all do.
static bool is_about_existence(const struct test *test) {
    return test->quantifier != QUANTIFIER_FORALL && !test_expects(test, EXPECT_ALWAYS);
}

// When there is no outcome, every statement is true of all outcomes: a program that never ends must
// not pass for a correct one.
static enum verdict verdict_of(const struct listing *listing) {
    if (listing->run->outcomes->reachable != TRUTH_YES)
        return VERDICT_UNKNOWN;
    if (listing->satisfiable == TRUTH_NO)
        return VERDICT_FORBIDDEN;
    if (listing->satisfiable == TRUTH_UNKNOWN)
        return VERDICT_UNKNOWN;
    if (listing->violable == TRUTH_NO)
        return VERDICT_ALWAYS;
    if (listing->violable == TRUTH_YES || is_about_existence(listing->run->program->test))
        return VERDICT_ALLOWED;
    return VERDICT_UNKNOWN;
}

static enum truth either(enum truth a, enum truth b) {
    if (a == TRUTH_YES || b == TRUTH_YES)
        return TRUTH_YES;
    return a == TRUTH_NO && b == TRUTH_NO ? TRUTH_NO : TRUTH_UNKNOWN;
}

void outcomes_find(struct solver_run *run) {
    struct listing listing;
    listing_init(&listing, run);
    if (run->options->proof != NULL)
        prove(&listing);
    if (!run->options->verdict_only)
        find_states(&listing);
    if (listing.satisfiable == TRUTH_UNKNOWN)
        listing.satisfiable = ask(&listing, run->condition);
    if (listing.violable == TRUTH_UNKNOWN)
        listing.violable = ask(&listing, -run->condition);
    look_past_bound(&listing);
    run->outcomes->reachable = either(listing.satisfiable, listing.violable);
    run->outcomes->verdict = verdict_of(&listing);
    listing_free(&listing);
}
