// The outcomes of a program: the list of states and the verdict on the condition.
//
// States are enumerated with one incremental solver: each state that is found is ruled out, until
// nothing is left. What decides the verdict is known or not known by itself, whatever the list
// says.

#include "solver/run.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <stdlib.h>
#include <string.h>

// What is known about a question that more executions might answer.
enum tri { TRI_UNKNOWN, TRI_NO, TRI_YES };

struct listing {
    struct run *run;
    size_t width; // observed values
    const struct value **values;
    literal *undefs;
    literal guard;    // states that were found are ruled out under it
    literal *scratch; // literals that pin or rule out a state, and the guard
    struct state *states;
    size_t count, capacity;
    enum tri satisfiable, violable;
    bool bound_reached; // executions past the bound may exist
};

// --- States ------------------------------------------------------------------------------------

static struct state decode_state(struct listing *listing) {
    struct run *run = listing->run;
    struct state state = {.values = ARENA_ARRAY(run->arena, struct state_value, listing->width)};
    for (size_t i = 0; i < listing->width; i++) {
        state.values[i].undef = backend_literal_value(run->backend, listing->undefs[i]);
        if (!state.values[i].undef)
            state.values[i].value = encode_value_in_model(run->encoder, listing->values[i]);
    }
    bool satisfies = backend_literal_value(run->backend, run->condition);
    state.satisfies = satisfies;
    state.violates = !satisfies;
    return state;
}

static bool has_unknown(const struct listing *listing, const struct state *state) {
    for (size_t i = 0; i < listing->width; i++)
        if (state->values[i].undef)
            return true;
    return false;
}

// The literals that together say "this is the outcome", into the scratch space.
static size_t pin_state(struct listing *listing, const struct state *state) {
    size_t count = 0;
    for (size_t i = 0; i < listing->width; i++)
        if (state->values[i].undef) {
            listing->scratch[count++] = listing->undefs[i];
        } else {
            listing->scratch[count++] = -listing->undefs[i];
            listing->scratch[count++] =
                encode_value_is(listing->run->encoder, listing->values[i], state->values[i].value);
        }
    return count;
}

static void rule_out(struct listing *listing, const struct state *state) {
    size_t count = pin_state(listing, state);
    for (size_t i = 0; i < count; i++)
        listing->scratch[i] = -listing->scratch[i];
    listing->scratch[count++] = -listing->guard;
    backend_clause(listing->run->backend, listing->scratch, count);
}

// Executions of one outcome may differ on the condition when it depends on a value that the outcome
// shows as unknown. Returns false when that could not be decided.
static bool decide_unknown(struct listing *listing, struct state *state) {
    struct run *run = listing->run;
    if (!has_unknown(listing, state))
        return true;
    size_t count = pin_state(listing, state);
    listing->scratch[count++] = state->satisfies ? -run->condition : run->condition;
    listing->scratch[count++] = run->filter;
    listing->scratch[count++] = run->bounded;
    enum answer answer = run_check(run, listing->scratch, count, NULL, false);
    state->satisfies = state->satisfies || answer == ANSWER_SAT;
    state->violates = state->violates || answer == ANSWER_SAT;
    return answer != ANSWER_UNKNOWN;
}

static void keep_state(struct listing *listing, struct state state) {
    if (listing->count == listing->capacity) {
        listing->capacity = listing->capacity * 2 + 16;
        listing->states = realloc(listing->states, listing->capacity * sizeof *listing->states);
        if (listing->states == NULL)
            bug("out of memory");
    }
    listing->states[listing->count++] = state;
    if (state.satisfies)
        listing->satisfiable = TRI_YES;
    if (state.violates)
        listing->violable = TRI_YES;
}

static int compare_values(const struct state_value *a, const struct state_value *b) {
    if (a->undef != b->undef)
        return a->undef ? 1 : -1; // unknown values last
    if (a->value.high != b->value.high)
        return a->value.high < b->value.high ? -1 : 1;
    return (a->value.low > b->value.low) - (a->value.low < b->value.low);
}

static int compare_states(const void *left, const void *right, void *context) {
    const struct state *a = left, *b = right;
    const size_t *width = context;
    for (size_t i = 0; i < *width; i++) {
        int order = compare_values(&a->values[i], &b->values[i]);
        if (order != 0)
            return order;
    }
    return 0;
}

// --- Questions ---------------------------------------------------------------------------------

// Whether some execution of the program is as the assumption says.
static enum tri ask(struct listing *listing, literal assumption) {
    struct run *run = listing->run;
    literal assumptions[] = {run->filter, run->bounded, assumption};
    switch (run_check(run, assumptions, 3, NULL, false)) {
    case ANSWER_SAT: return TRI_YES;
    case ANSWER_UNSAT: return TRI_NO;
    case ANSWER_UNKNOWN: break;
    }
    run_undecided(run);
    return TRI_UNKNOWN;
}

// Enumerates until nothing is left (true), or the list is cut or the solver stopped (false).
static bool enumerate(struct listing *listing) {
    struct run *run = listing->run;
    literal assumptions[] = {run->filter, run->bounded, listing->guard};
    for (;;) {
        enum answer answer = run_check(run, assumptions, 3, NULL, false);
        if (answer == ANSWER_UNSAT)
            return true;
        if (answer == ANSWER_UNKNOWN) {
            run_undecided(run);
            return false;
        }
        if (run->options->max_states != 0 && listing->count == run->options->max_states)
            return false;
        struct state state = decode_state(listing);
        if (backend_reason(run->backend, NULL) != REASON_NONE) {
            run_undecided(run); // the model could not be read to its end
            return false;
        }
        bool decided = decide_unknown(listing, &state);
        keep_state(listing, state);
        rule_out(listing, &state);
        if (!decided) {
            run_undecided(run);
            return false;
        }
    }
}

static void find_states(struct listing *listing) {
    struct run *run = listing->run;
    bool all = enumerate(listing);
    if (listing->count != 0)
        qsort_r(listing->states, listing->count, sizeof *listing->states, compare_states,
                &listing->width);
    run->outcomes->states =
        arena_copy(run->arena, listing->states, listing->count, sizeof *listing->states);
    run->outcomes->state_count = listing->count;
    run->outcomes->listed = true;
    run->outcomes->complete = all;
    if (!all)
        return;
    if (listing->satisfiable == TRI_UNKNOWN)
        listing->satisfiable = TRI_NO;
    if (listing->violable == TRI_UNKNOWN)
        listing->violable = TRI_NO;
}

// --- The verdict -------------------------------------------------------------------------------

// Executions past the bound of a loop are excluded: what they would show is not known (D16).
static void look_past_bound(struct listing *listing) {
    struct run *run = listing->run;
    if (run->bounded == LITERAL_TRUE)
        return;
    literal assumption = -run->bounded;
    enum answer answer = run_check(run, &assumption, 1, NULL, false);
    if (answer == ANSWER_UNSAT)
        return;
    if (answer == ANSWER_UNKNOWN)
        run_undecided(run);
    listing->bound_reached = true;
    run->outcomes->complete = false;
    if (listing->satisfiable == TRI_NO)
        listing->satisfiable = TRI_UNKNOWN;
    if (listing->violable == TRI_NO)
        listing->violable = TRI_UNKNOWN;
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

static void start(struct listing *listing) {
    struct run *run = listing->run;
    const struct program *program = run->program;
    listing->width = program->observed_count;
    listing->values = ARENA_ARRAY(run->arena, const struct value *, listing->width);
    listing->undefs = ARENA_ARRAY(run->arena, literal, listing->width);
    listing->scratch = ARENA_ARRAY(run->arena, literal, 2 * listing->width + 4);
    for (size_t i = 0; i < listing->width; i++) {
        listing->values[i] = encode_expr(run->encoder, program->observed[i].value);
        listing->undefs[i] = encode_condition(run->encoder, program->observed[i].undef);
    }
    listing->guard = backend_variable(run->backend, "listing", 0, 0);
}

void outcomes_find(struct run *run) {
    struct listing listing = {.run = run};
    start(&listing);
    if (!run->options->verdict_only)
        find_states(&listing);
    if (listing.satisfiable == TRI_UNKNOWN)
        listing.satisfiable = ask(&listing, run->condition);
    if (listing.violable == TRI_UNKNOWN)
        listing.violable = ask(&listing, -run->condition);
    look_past_bound(&listing);
    run->outcomes->verdict = verdict_of(&listing);
    if (listing.bound_reached) {
        run->outcomes->flags = ARENA_ARRAY(run->arena, const char *, 1);
        run->outcomes->flags[run->outcomes->flag_count++] = "bound";
    }
    free(listing.states);
}
