// The enumeration of states with one incremental solver, in two ways.
//
// The first state is found by a check. From there a walk (solver/backend/walk.h) goes through the
// models of the clauses, which finds all states of most tests; they are ruled out, and a check says
// whether that was all. Where the walk gives up, each state that a check finds is ruled out by a
// clause, until none is left. But every such clause makes every later check slower, so after some
// states the list goes on as a search tree: the observed values are decided one after another, by
// assumptions alone, and at each node one check asks for values other than those that are known to
// lead to states.

#include "solver/answer/listing.h"

#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <stdlib.h>
#include <string.h>

enum { RULED_OUT_MAX = 40, KEPT_MAX = 16384 };

void listing_init(struct listing *listing, struct solver_run *run) {
    const struct program *program = run->program;
    *listing = (struct listing){.run = run, .width = program->observed_count};
    listing->values = ARENA_ARRAY(run->arena, const struct encoded_value *, listing->width);
    listing->undefs = ARENA_ARRAY(run->arena, literal, listing->width);
    listing->pinned = ARENA_ARRAY(run->arena, literal, 2 * listing->width + 5);
    for (size_t i = 0; i < listing->width; i++) {
        listing->values[i] = encode_expr(run->encoder, program->observed[i].value);
        listing->undefs[i] = encode_condition(run->encoder, program->observed[i].undef);
    }
}

void listing_free(struct listing *listing) {
    free(listing->states);
    free(listing->assumptions.at);
}

// --- States ------------------------------------------------------------------------------------

static struct state decode_state(struct listing *listing) {
    struct solver_run *run = listing->run;
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

static literal value_literal(struct listing *listing, const struct state *state, size_t i) {
    return encode_value_is(listing->run->encoder, listing->values[i], state->values[i].value);
}

// The literals that together say "this is the outcome", into listing->pinned.
static size_t pin_state(struct listing *listing, const struct state *state) {
    size_t count = 0;
    for (size_t i = 0; i < listing->width; i++)
        count += listing_pin(listing, i, &state->values[i], listing->pinned + count);
    return count;
}

// Executions of one outcome may differ on the condition when it depends on a value that the outcome
// shows as unknown. Returns false when that could not be decided.
static bool decide_unknown(struct listing *listing, struct state *state) {
    struct solver_run *run = listing->run;
    if (!has_unknown(listing, state))
        return true;
    size_t count = pin_state(listing, state);
    listing->pinned[count++] = state->satisfies ? -run->condition : run->condition;
    listing->pinned[count++] = run->filter;
    listing->pinned[count++] = run->bounded;
    listing->pinned[count++] = run->complete;
    enum truth other = run_ask(run, listing->pinned, count, NULL, false);
    state->satisfies = state->satisfies || other == TRUTH_YES;
    state->violates = state->violates || other == TRUTH_YES;
    return other != TRUTH_UNKNOWN;
}

static void keep_state(struct listing *listing, struct state state) {
    listing->states =
        reallocate_for(listing->states, &listing->capacity, listing->count + 1, sizeof state);
    listing->states[listing->count++] = state;
    if (state.satisfies)
        listing->satisfiable = TRUTH_YES;
    if (state.violates)
        listing->violable = TRUTH_YES;
}

static int compare_values(const struct state_value *a, const struct state_value *b) {
    if (a->undef != b->undef)
        return a->undef ? 1 : -1; // unknown values last
    if (a->value.high != b->value.high)
        return a->value.high < b->value.high ? -1 : 1;
    return (a->value.low > b->value.low) - (a->value.low < b->value.low);
}

int state_compare(const struct state *a, const struct state *b, size_t width) {
    for (size_t i = 0; i < width; i++) {
        int order = compare_values(&a->values[i], &b->values[i]);
        if (order != 0)
            return order;
    }
    return 0;
}

static _Thread_local size_t
    sorted_width; // qsort hands nothing on, and not every system has qsort_r

static int compare_states(const void *left, const void *right) {
    return state_compare(left, right, sorted_width);
}

// Sorts the states from `begin` on by their values.
static void sort_states(struct listing *listing, size_t begin) {
    sorted_width = listing->width;
    if (listing->count - begin > 1)
        qsort(listing->states + begin, listing->count - begin, sizeof *listing->states,
              compare_states);
}

// --- Checks ------------------------------------------------------------------------------------

static void assume(struct listing *listing, literal l) {
    literals_add(&listing->assumptions, l);
}

enum found { FOUND_STATE, FOUND_NONE, FOUND_END };

// Takes the state of the backend's model into the list. FOUND_END: the list is full, or something
// could not be decided.
static enum found take_state(struct listing *listing) {
    struct solver_run *run = listing->run;
    if (run->options->max_states != 0 && listing->count == run->options->max_states)
        return FOUND_END;
    run_note_allowed(run);
    struct state state = decode_state(listing);
    // The values cannot be trusted when the model could not be read completely.
    if (backend_failed(run->backend)) {
        run_note_undecided(run);
        return FOUND_END;
    }
    bool decided = decide_unknown(listing, &state);
    keep_state(listing, state);
    return decided ? FOUND_STATE : FOUND_END;
}

// Looks for a state under the assumptions and takes it into the list, in the same way.
static enum found find_state(struct listing *listing) {
    enum truth more =
        run_ask(listing->run, listing->assumptions.at, listing->assumptions.count, NULL, false);
    if (more == TRUTH_NO)
        return FOUND_NONE;
    return more == TRUTH_UNKNOWN ? FOUND_END : take_state(listing);
}

// --- The walk ----------------------------------------------------------------------------------

struct listing_walk {
    struct listing *listing;
    enum found found;
};

// Takes a state that the walk has come to. Returns whether it is to go on.
static bool visit_state(void *context) {
    enum { SHARE_STATES = 256 };
    struct listing_walk *walk = context;
    struct listing *listing = walk->listing;
    run_check_found(listing->run, NULL, false);
    walk->found = take_state(listing);
    if (listing->count % SHARE_STATES == 0)
        backend_share_memory(listing->run->backend, arena_used(listing->run->arena));
    return walk->found == FOUND_STATE;
}

// Goes on from the first states as far as no search is needed, and rules out what it finds. Sets
// `*all` where these seem to be all states. FOUND_STATE: the list goes on.
static enum found walk_states(struct listing *listing, literal guard, bool *all) {
    struct solver_run *run = listing->run;
    struct listing_walk walk = {listing, FOUND_STATE};
    size_t begin = listing->count;
    struct backend_choice *choices = allocate(listing->width + 1, sizeof *choices);
    for (size_t i = 0; i < listing->width; i++)
        choices[i] = (struct backend_choice){listing->undefs[i], listing->values[i]->literals,
                                             listing->values[i]->count};
    enum walk_end end =
        backend_walk(run->backend, listing->assumptions.at, listing->assumptions.count, choices,
                     listing->width, visit_state, &walk);
    free(choices);
    *all = end == WALK_ALL;
    if (backend_failed(run->backend)) {
        run_note_undecided(run);
        return FOUND_END;
    }
    if (walk.found == FOUND_STATE) {
        sort_states(listing, begin);
        listing_rule_out(listing, begin, guard);
    }
    return walk.found;
}

// --- Checks ------------------------------------------------------------------------------------

static void rule_out_last(struct listing *listing, literal guard) {
    size_t count = pin_state(listing, &listing->states[listing->count - 1]);
    for (size_t i = 0; i < count; i++)
        listing->pinned[i] = -listing->pinned[i];
    listing->pinned[count++] = -guard;
    backend_clause(listing->run->backend, listing->pinned, count);
}

// Rules states out as they are found, up to some number of them, or all that the walk finds.
// FOUND_STATE: there may be more.
static enum found rule_out_states(struct listing *listing) {
    struct backend *backend = listing->run->backend;
    literal guard = backend_variable(backend, "listing", 0, 0);
    size_t before = listing->assumptions.count;
    bool walked = false, all = false;
    enum found found = FOUND_STATE;
    assume(listing, guard);
    while (found == FOUND_STATE && (all || listing->count < RULED_OUT_MAX)) {
        all = false;
        found = find_state(listing);
        if (found == FOUND_STATE)
            rule_out_last(listing, guard);
        if (found == FOUND_STATE && !walked)
            found = walk_states(listing, guard, &all);
        walked = true;
    }
    listing->assumptions.count = before;
    backend_clause(backend, &(literal){-guard}, 1);
    return found;
}

// --- The search tree ---------------------------------------------------------------------------

// Two decisions for each observed value: whether it is unknown, and what it is.
static bool is_decided(const struct listing *listing, const struct state *state, size_t decision) {
    size_t i = decision / 2;
    literal undef = listing->undefs[i];
    if (decision % 2 == 0)
        return undef == LITERAL_FALSE || undef == LITERAL_TRUE;
    return state->values[i].undef || listing->values[i]->count == 1;
}

static literal decision_literal(struct listing *listing, const struct state *state,
                                size_t decision) {
    size_t i = decision / 2;
    if (decision % 2 == 0)
        return state->values[i].undef ? listing->undefs[i] : -listing->undefs[i];
    return value_literal(listing, state, i);
}

static bool agree(const struct listing *listing, size_t decision, size_t a, size_t b) {
    const struct state_value *x = &listing->states[a].values[decision / 2];
    const struct state_value *y = &listing->states[b].values[decision / 2];
    return decision % 2 == 0 ? x->undef == y->undef : compare_values(x, y) == 0;
}

// Moves the members that agree with the first one to the front. Returns how many.
static size_t take_group(const struct listing *listing, size_t decision, size_t *members,
                         size_t count) {
    size_t kept = 1;
    for (size_t i = 1; i < count; i++)
        if (agree(listing, decision, members[0], members[i])) {
            size_t other = members[kept];
            members[kept++] = members[i];
            members[i] = other;
        }
    return kept;
}

static bool explore(struct listing *listing, size_t decision, size_t *members, size_t count);

// A decision, and the choices that were made there.
struct decision_node {
    size_t decision;
    struct literals choices;
};

// Makes the choice that the members share, and explores what lies below it.
static bool explore_choice(struct listing *listing, struct decision_node *node, size_t *members,
                           size_t count) {
    literal choice = decision_literal(listing, &listing->states[members[0]], node->decision);
    literals_add(&node->choices, choice);
    assume(listing, choice);
    bool all = explore(listing, node->decision + 1, members, count);
    listing->assumptions.count--;
    return all;
}

// Whether every choice that the decision has was made.
static bool is_exhausted(const struct listing *listing, const struct decision_node *node) {
    size_t i = node->decision / 2;
    return node->choices.count == (node->decision % 2 == 0 ? 2 : listing->values[i]->count);
}

static enum found find_other_choice(struct listing *listing, const struct decision_node *node) {
    size_t before = listing->assumptions.count;
    for (size_t i = 0; i < node->choices.count; i++)
        assume(listing, -node->choices.at[i]);
    enum found found = find_state(listing);
    listing->assumptions.count = before;
    return found;
}

// Completes the list below a node of the tree: `members` are the states that are known there, at
// least one. False when the list ends early.
static bool explore(struct listing *listing, size_t decision, size_t *members, size_t count) {
    while (decision < 2 * listing->width &&
           is_decided(listing, &listing->states[members[0]], decision))
        decision++;
    if (decision == 2 * listing->width)
        return true;
    struct decision_node node = {.decision = decision};
    bool all = true, open = true;
    while (all && count != 0) {
        size_t group = take_group(listing, decision, members, count);
        all = explore_choice(listing, &node, members, group);
        members += group;
        count -= group;
    }
    while (all && open && !is_exhausted(listing, &node)) {
        enum found found = find_other_choice(listing, &node);
        size_t last = listing->count - 1;
        open = found == FOUND_STATE;
        all = found != FOUND_END;
        if (open)
            all = explore_choice(listing, &node, &last, 1);
    }
    free(node.choices.at);
    return all;
}

// Moves a state that satisfies the condition, or one that violates it, to a place, if there is one.
static void move_to(struct listing *listing, size_t place, bool satisfies) {
    struct state *states = listing->states, other = states[place];
    for (size_t i = place; i < listing->count; i++)
        if (satisfies ? states[i].satisfies : states[i].violates) {
            states[place] = states[i];
            states[i] = other;
            return;
        }
}

// Keeps no more states than can be sorted and printed in the moment that is left when a limit was
// reached: those that were found first, and what answers the condition.
static void shorten(struct listing *listing) {
    move_to(listing, 0, true);
    move_to(listing, 1, false);
    listing->count = KEPT_MAX;
}

bool listing_enumerate(struct listing *listing) {
    assume(listing, listing->run->filter);
    assume(listing, listing->run->bounded);
    assume(listing, listing->run->complete);
    enum found found = rule_out_states(listing);
    bool all = found == FOUND_NONE;
    if (found == FOUND_STATE) {
        size_t count = listing->count, *members = allocate(count, sizeof *members);
        for (size_t i = 0; i < count; i++)
            members[i] = i;
        all = explore(listing, 0, members, count);
        free(members);
    }
    if (listing->count > KEPT_MAX && backend_failed(listing->run->backend))
        shorten(listing);
    sort_states(listing, 0);
    return all;
}
