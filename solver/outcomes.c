// The outcomes of a program: the list of states and the verdict on the condition. What decides the
// verdict is known or not known by itself, wherever the list was cut.

#include "solver/listing.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

// --- Questions ---------------------------------------------------------------------------------

// Whether some execution of the program is as the assumption says.
static enum tri ask(struct listing *listing, literal assumption) {
    struct run *run = listing->run;
    literal assumptions[] = {run->filter, run->bounded, run->complete, assumption};
    switch (run_check(run, assumptions, 4, NULL, false)) {
    case ANSWER_SAT: return TRI_YES;
    case ANSWER_UNSAT: return TRI_NO;
    case ANSWER_UNKNOWN: break;
    }
    run_undecided(run);
    return TRI_UNKNOWN;
}

static void find_states(struct listing *listing) {
    struct outcomes *outcomes = listing->run->outcomes;
    bool all = listing_enumerate(listing);
    outcomes->states =
        arena_copy(listing->run->arena, listing->states, listing->count, sizeof *listing->states);
    outcomes->state_count = listing->count;
    outcomes->listed = true;
    outcomes->complete = all;
    if (!all)
        return;
    if (listing->satisfiable == TRI_UNKNOWN)
        listing->satisfiable = TRI_NO;
    if (listing->violable == TRI_UNKNOWN)
        listing->violable = TRI_NO;
}

// --- The verdict -------------------------------------------------------------------------------

static enum answer ask_past_bound(struct run *run) {
    literal passes = -run->bounded;
    if (run->program->spinning != NULL)
        return run->passes_bound;
    if (passes == LITERAL_FALSE)
        return ANSWER_UNSAT;
    enum answer answer = run_check(run, &passes, 1, NULL, false);
    if (answer == ANSWER_UNKNOWN)
        run_undecided(run);
    return answer;
}

// Executions past the bound of a loop are excluded: what they would show is not known (D16, D47).
// Returns whether there are any, as far as we know.
static bool look_past_bound(struct listing *listing) {
    struct run *run = listing->run;
    if (ask_past_bound(run) == ANSWER_UNSAT)
        return false;
    run->outcomes->complete = false;
    if (listing->satisfiable == TRI_NO)
        listing->satisfiable = TRI_UNKNOWN;
    if (listing->violable == TRI_NO)
        listing->violable = TRI_UNKNOWN;
    return true;
}

// Whether "some outcome satisfies the condition" is an answer, when nobody knows whether all do.
static bool is_about_existence(const struct test *test) {
    return test->quantifier != QUANTIFIER_FORALL && test->expectation != EXPECT_ALWAYS;
}

static enum verdict verdict_of(const struct listing *listing) {
    if (listing->satisfiable == TRI_NO)
        return VERDICT_FORBIDDEN;
    if (listing->satisfiable == TRI_UNKNOWN)
        return VERDICT_UNKNOWN;
    if (listing->violable == TRI_NO)
        return VERDICT_ALWAYS;
    if (listing->violable == TRI_YES || is_about_existence(listing->run->program->test))
        return VERDICT_ALLOWED;
    return VERDICT_UNKNOWN;
}

void outcomes_find(struct run *run) {
    struct listing listing;
    listing_init(&listing, run);
    if (!run->options->verdict_only)
        find_states(&listing);
    if (listing.satisfiable == TRI_UNKNOWN)
        listing.satisfiable = ask(&listing, run->condition);
    if (listing.violable == TRI_UNKNOWN)
        listing.violable = ask(&listing, -run->condition);
    if (look_past_bound(&listing)) {
        run->outcomes->flags = ARENA_ARRAY(run->arena, const char *, 1);
        run->outcomes->flags[run->outcomes->flag_count++] = "bound";
    }
    run->outcomes->none = listing.satisfiable == TRI_NO && listing.violable == TRI_NO;
    run->outcomes->verdict = verdict_of(&listing);
    listing_free(&listing);
}
