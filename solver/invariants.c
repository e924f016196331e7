// What is said of facts, bounds and outcomes in their headers, as assertions.
#include "solver/invariants.h"

#include "solver/bounds/bounds.h"
#include "solver/bounds/facts.h"
#include "solver/solver.h"

#include <assert.h>

#ifdef NDEBUG
void facts_assert(struct arena *arena, const struct facts *facts) {
    (void)arena;
    (void)facts;
}

void bounds_assert(struct arena *arena, const struct bounds *bounds) {
    (void)arena;
    (void)bounds;
}

void outcomes_assert(const struct program *program, const struct outcomes *outcomes) {
    (void)program;
    (void)outcomes;
}
#else

// Whether all pairs of `a` are in `b`; `rest` has their size.
static bool is_within(struct relation *rest, const struct relation *a, const struct relation *b) {
    relation_difference(rest, a, b);
    return relation_is_empty(rest);
}

// --- Facts ---------------------------------------------------------------------------------------

static unsigned count_sets(const struct facts *facts, unsigned event, const enum base_set *sets,
                           size_t count) {
    unsigned result = 0;
    for (size_t i = 0; i < count; i++)
        result += event_set_has(&facts->sets[sets[i]], event);
    return result;
}

// Reads, writes, fences, proxy fences and barriers are apart; so are scopes, and orders of
// accesses.
static void assert_sets(const struct facts *facts, unsigned event) {
    static const enum base_set kinds[] = {BASE_SET_R,
                                          BASE_SET_W,
                                          BASE_SET_F,
                                          BASE_SET_SYNC_RESTRICT,
                                          BASE_SET_PF,
                                          BASE_SET_B,
                                          BASE_SET_MBARRIER,
                                          BASE_SET_INIT_FENCE,
                                          BASE_SET_ISSUE,
                                          BASE_SET_GROUP_WAIT,
                                          BASE_SET_WGMMA_FENCE,
                                          BASE_SET_TC_BEFORE,
                                          BASE_SET_TC_AFTER,
                                          BASE_SET_GRID_LAUNCH,
                                          BASE_SET_TC_ALLOC,
                                          BASE_SET_TC_DEALLOC,
                                          BASE_SET_TC_RELINQUISH,
                                          BASE_SET_MB_COUNT,
                                          BASE_SET_CANCEL_QUERY,
                                          BASE_SET_WARP,
                                          BASE_SET_BAR_OPERANDS};
    static const enum base_set scopes[] = {BASE_SET_CTA, BASE_SET_CLUSTER, BASE_SET_GPU,
                                           BASE_SET_SYS};
    static const enum base_set orders[] = {BASE_SET_WEAK,     BASE_SET_RELAXED, BASE_SET_ACQUIRE,
                                           BASE_SET_RELEASE,  BASE_SET_ACQ_REL, BASE_SET_SC,
                                           BASE_SET_VOLATILE, BASE_SET_MMIO};
    const struct event_set *sets = facts->sets;
    bool memory = event_set_has(&sets[BASE_SET_M], event);
    assert(count_sets(facts, event, kinds, sizeof kinds / sizeof *kinds) == 1);
    assert(count_sets(facts, event, scopes, sizeof scopes / sizeof *scopes) <= 1);
    assert(count_sets(facts, event, orders, sizeof orders / sizeof *orders) <= 1);
    assert(memory ==
           (event_set_has(&sets[BASE_SET_R], event) || event_set_has(&sets[BASE_SET_W], event)));
    assert(!event_set_has(&sets[BASE_SET_IW], event) || event_set_has(&sets[BASE_SET_W], event));
    assert(!event_set_has(&sets[BASE_SET_SC], event) || memory ||
           event_set_has(&sets[BASE_SET_F], event));
    assert(!event_set_has(&sets[BASE_SET_ATOMIC], event) || memory);
    assert(!event_set_has(&sets[BASE_SET_ARRIVE], event) ||
           event_set_has(&sets[BASE_SET_B], event));
}

// The relations in which no event is related to itself.
static void assert_irreflexive(const struct facts *facts) {
    static const enum base_relation relations[] = {
        BASE_REL_PO,  BASE_REL_INT,  BASE_REL_EXT,   BASE_REL_RF,         BASE_REL_CO,
        BASE_REL_RMW, BASE_REL_ADDR, BASE_REL_CTRL,  BASE_REL_SC_ORDER,   BASE_REL_SAME_BARRIER,
        BASE_REL_FR,  BASE_REL_DATA, BASE_REL_PHASE, BASE_REL_SAME_PHASE, BASE_REL_SAME_COUNT};
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++)
        assert(relation_is_irreflexive(&facts->may[relations[i]]));
}

// What one relation is a part of, in every execution.
static void assert_inclusions(struct arena *arena, const struct facts *facts) {
    static const enum base_relation parts[][2] = {{BASE_REL_VLOC, BASE_REL_LOC},
                                                  {BASE_REL_SAME_EXTENT, BASE_REL_VLOC},
                                                  {BASE_REL_RF, BASE_REL_LOC},
                                                  {BASE_REL_CO, BASE_REL_LOC},
                                                  {BASE_REL_FR, BASE_REL_LOC},
                                                  {BASE_REL_RMW, BASE_REL_PO},
                                                  {BASE_REL_PO, BASE_REL_INT},
                                                  {BASE_REL_BARRIER, BASE_REL_PHASE},
                                                  {BASE_REL_SAME_CTA, BASE_REL_SAME_CLUSTER},
                                                  {BASE_REL_SAME_CLUSTER, BASE_REL_SAME_GPU},
                                                  {BASE_REL_SAME_PHASE, BASE_REL_SAME_BARRIER},
                                                  {BASE_REL_SAME_COUNT, BASE_REL_SAME_BARRIER}};
    struct relation rest = relation_new(arena, facts->n);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        assert(is_within(&rest, &facts->may[parts[i][0]], &facts->may[parts[i][1]]));
}

// An event depends on reads that come before it in program order, or before the issue of the
// asynchronous operation that does it, or on those of that operation itself.
static void assert_dependencies(const struct facts *facts, enum base_relation relation) {
    assert((unsigned)relation < BASE_REL_COUNT);
    for (unsigned a = 0; a < facts->n; a++)
        for (unsigned b = 0; b < facts->n; b++) {
            const struct event *event = &facts->program->events[b];
            unsigned after = event_is_detached(event) ? event->async->issue : b;
            assert(!relation_has(&facts->may[relation], a, b) ||
                   relation_has(&facts->may[BASE_REL_PO], a, after) ||
                   relation_has(&facts->must[BASE_REL_WITHIN], a, b));
        }
}

void facts_assert(struct arena *arena, const struct facts *facts) {
    struct relation rest = relation_new(arena, facts->n);
    assert(facts->n == facts->program->event_count);
    for (unsigned event = 0; event < facts->n; event++) {
        assert_sets(facts, event);
        assert(!facts->all_execute || event_set_has(&facts->always, event));
        assert(relation_has(&facts->implies, event, event));
    }
    assert_dependencies(facts, BASE_REL_ADDR);
    assert_dependencies(facts, BASE_REL_CTRL);
    for (unsigned r = 0; r < BASE_REL_COUNT; r++) {
        assert(is_within(&rest, &facts->must[r], &facts->may[r]));
        assert(is_within(&rest, &facts->may[r], &facts->together));
    }
    assert_irreflexive(facts);
    assert_inclusions(arena, facts);
}

// --- Bounds --------------------------------------------------------------------------------------

void bounds_assert(struct arena *arena, const struct bounds *bounds) {
    struct relation rest = relation_new(arena, bounds->facts->n);
    for (size_t i = 0; i < bounds->model->node_count; i++) {
        const struct bound *bound = &bounds->nodes[i];
        const struct model_node *node = &bounds->model->nodes[i];
        if (!bound->needed)
            continue;
        assert((bound->group > 0) == node->recursive);
        if (node->is_set) {
            assert(bound->may_set.n == bounds->facts->n);
            for (unsigned k = 0; k < bound->may_set.words; k++)
                assert((bound->must_set.bits[k] & ~bound->may_set.bits[k]) == 0);
        } else {
            assert(bound->may.n == bounds->facts->n);
            assert(is_within(&rest, &bound->must, &bound->may));
            assert(is_within(&rest, &bound->may, &bounds->facts->together));
        }
    }
}

// --- Outcomes ------------------------------------------------------------------------------------

static void assert_states(const struct program *program, const struct outcomes *outcomes) {
    bool satisfied = false, violated = false;
    for (size_t i = 0; i < outcomes->state_count; i++) {
        const struct state *state = &outcomes->states[i];
        assert(state->satisfies || state->violates);
        satisfied |= state->satisfies;
        violated |= state->violates;
        if (i > 0) // sorted, each once
            assert(state_compare(&state[-1], state, program->observed_count) < 0);
    }
    assert(outcomes->listed || outcomes->state_count == 0);
    assert(outcomes->state_count == 0 || outcomes->reachable == TRUTH_YES);
    assert(outcomes->verdict != VERDICT_FORBIDDEN || !satisfied);
    assert(outcomes->verdict != VERDICT_ALWAYS || !violated);
    assert(outcomes->verdict != VERDICT_ALLOWED || !outcomes->complete || satisfied);
}

static void assert_races(const struct program *program, const struct outcomes *outcomes) {
    for (size_t i = 0; i < outcomes->race_count; i++) {
        const struct race *race = &outcomes->races[i];
        assert(race->flag < outcomes->flag_count);
        assert(outcomes->flags[race->flag].race || outcomes->flags[race->flag].undefined);
        assert(outcomes->flags[race->flag].holds == TRUTH_YES);
        assert(race->witness != NULL);
        for (unsigned k = 0; k < 2; k++)
            assert(race->events[k] < program->event_count);
    }
}

void outcomes_assert(const struct program *program, const struct outcomes *outcomes) {
    assert((unsigned)outcomes->verdict <= VERDICT_ALWAYS);
    assert_states(program, outcomes);
    assert_races(program, outcomes);
    for (size_t i = 0; i < outcomes->flag_count; i++) {
        const struct flag *flag = &outcomes->flags[i];
        assert((flag->kind == FLAG_MODEL) == (flag->name != NULL));
        assert(!flag->undefined || flag->kind == FLAG_MODEL);
        assert(!flag->race || flag->kind == FLAG_MODEL);
    }
    assert(outcomes->termination.fates == NULL || outcomes->termination.always == TRUTH_NO);
}
#endif
