// What an axiom would need to exclude an execution: the cheapest pair or cycle, turned on and
// evaluated once more, since sums of costs may count a fact twice and know nothing of facts that
// exclude each other.
#include "explain/miss_internal.h"

#include "litmus/source/arena.h"

#include <assert.h>
#include <string.h>

// --- The facts turned on -----------------------------------------------------------------------

static bool is_there(const struct miss_finder *finder, unsigned a) {
    static const enum base_set sets[] = {BASE_SET_F, BASE_SET_PF, BASE_SET_ALIAS};
    bool there = miss_is_real(finder, a);
    for (size_t i = 0; i < sizeof sets / sizeof *sets && !there; i++)
        there = miss_is_presence(&finder->events[a], sets[i]) && finder->events[a].marks[sets[i]];
    return there;
}

static void fill_sets(const struct miss_finder *finder, struct model_facts *facts) {
    for (unsigned a = 0; a < finder->n; a++) {
        const struct miss_event *event = &finder->events[a];
        if (!is_there(finder, a))
            continue;
        event_set_add(&facts->executed, a);
        for (unsigned set = 0; set < BASE_SET_COUNT; set++)
            if (event->event >= 0
                    ? event_set_has(&finder->execution->facts->sets[set], (unsigned)event->event)
                    : miss_is_presence(event, set) || miss_is_of_kind(event, set) ||
                          event->marks[set])
                event_set_add(&facts->sets[set], a);
    }
}

static void fill_relations(const struct miss_finder *finder, struct model_facts *facts) {
    const struct relation *known = finder->execution->facts->relations;
    for (unsigned relation = 0; relation < BASE_REL_COUNT; relation++)
        for (unsigned a = 0; a < finder->n; a++)
            for (unsigned b = 0; b < finder->n; b++) {
                bool real = miss_is_real(finder, a) && miss_is_real(finder, b);
                bool there = real
                                 ? relation_has(&known[relation], (unsigned)finder->events[a].event,
                                                (unsigned)finder->events[b].event)
                                 : relation != BASE_REL_SC_ORDER &&
                                       miss_would_be_in(finder, (enum base_relation)relation, a, b);
                if (there)
                    relation_add(&facts->relations[relation], a, b);
            }
}

static void set_member(struct event_set *set, unsigned a, bool holds) {
    uint64_t bit = (uint64_t)1 << (a % 64);
    set->bits[a / 64] = holds ? set->bits[a / 64] | bit : set->bits[a / 64] & ~bit;
}

// Makes a fact true or false. False where it is none that could be otherwise.
static bool turn_on(const struct miss_finder *finder, const struct wanted_fact *fact,
                    struct model_facts *facts) {
    const struct model_node *node = &finder->model->nodes[fact->node];
    if (node->op == NODE_BASE_SET) {
        set_member(&facts->sets[node->base], fact->a, fact->holds);
        bool order = node->base == BASE_SET_ACQUIRE || node->base == BASE_SET_RELEASE;
        if (fact->holds && order) { // takes the place of these
            set_member(&facts->sets[BASE_SET_WEAK], fact->a, false);
            set_member(&facts->sets[BASE_SET_RELAXED], fact->a, false);
        }
        return true;
    }
    if (node->op != NODE_BASE_RELATION || !fact->holds)
        return false;
    relation_add(&facts->relations[node->base], fact->a, fact->b);
    for (unsigned end = 0; node->base == BASE_REL_SC_ORDER && end < 2; end++)
        set_member(&facts->sets[BASE_SET_SC], end ? fact->b : fact->a, true);
    return true;
}

// Returns the execution with the facts of the last way, NULL where some cannot be so. The order of
// fence.sc has those pairs that the way asks for.
static struct model_facts *with_facts(struct arena *arena, const struct miss_finder *finder) {
    struct model_facts *facts = ARENA_NEW(arena, struct model_facts);
    facts->n = finder->n;
    facts->executed = event_set_new(arena, finder->n);
    for (unsigned set = 0; set < BASE_SET_COUNT; set++)
        facts->sets[set] = event_set_new(arena, finder->n);
    for (unsigned relation = 0; relation < BASE_REL_COUNT; relation++)
        facts->relations[relation] = relation_new(arena, finder->n);
    fill_sets(finder, facts);
    fill_relations(finder, facts);
    for (size_t i = 0; i < finder->fact_count; i++)
        if (!turn_on(finder, &finder->facts[i], facts))
            return NULL;
    return facts;
}

bool miss_is_enough(struct miss_finder *finder, const struct miss *miss) {
    struct arena *arena = arena_new();
    struct model_facts *facts = with_facts(arena, finder);
    bool enough = false;
    if (facts != NULL && !finder->model->nodes[miss->node].is_set) {
        relation_close(&facts->relations[BASE_REL_SC_ORDER]);
        const struct node_value *values = model_evaluate(arena, finder->model, facts);
        enough = relation_has(&values[miss->node].relation, miss->a, miss->b);
    }
    arena_free(arena);
    return enough;
}

// --- Orders of fence.sc ------------------------------------------------------------------------

// A search for an order in which the execution is allowed.
struct sc_search {
    const struct miss_finder *finder;
    struct model_facts *facts;
    unsigned *order, *added;
    unsigned count, added_count;
    unsigned tries; // that are left
};

static bool is_sc(const struct model_facts *facts, unsigned a) {
    return event_set_has(&facts->executed, a) && event_set_has(&facts->sets[BASE_SET_F], a) &&
           event_set_has(&facts->sets[BASE_SET_SC], a);
}

// Whether a required axiom excludes the execution with this order.
static bool excludes(const struct sc_search *search) {
    const struct model *model = search->finder->model;
    struct arena *arena = arena_new();
    struct relation *sc = &search->facts->relations[BASE_REL_SC_ORDER];
    *sc = relation_new(arena, search->facts->n);
    for (unsigned b = 0; b < search->count; b++)
        for (unsigned a = 0; a < b; a++)
            relation_add(sc, search->order[a], search->order[b]);
    const struct node_value *values = model_evaluate(arena, model, search->facts);
    bool found = false;
    for (size_t i = 0; i < model->axiom_count && !found; i++)
        found =
            model->axioms[i].use == AXIOM_REQUIRED && !model_axiom_holds(&model->axioms[i], values);
    arena_free(arena);
    return found;
}

// Whether every order is excluded in which the fences from the `next`-th new one on come somewhere.
static bool all_excluded(struct sc_search *search, unsigned next) {
    if (search->tries == 0)
        return false;
    if (next == search->added_count) {
        search->tries--;
        return excludes(search);
    }
    search->count++;
    for (unsigned at = 0; at < search->count; at++) {
        memmove(search->order + at + 1, search->order + at,
                (search->count - 1 - at) * sizeof *search->order);
        search->order[at] = search->added[next];
        bool good = all_excluded(search, next + 1);
        memmove(search->order + at, search->order + at + 1,
                (search->count - 1 - at) * sizeof *search->order);
        if (!good)
            return false;
    }
    search->count--;
    return true;
}

// Whether the execution is excluded with the facts of the last way.
static bool is_excluded(const struct miss_finder *finder) {
    enum { TRIES = 200 };
    struct arena *arena = arena_new();
    struct sc_search search = {
        .finder = finder, .facts = with_facts(arena, finder), .tries = TRIES};
    const struct relation *sc = &finder->execution->facts->relations[BASE_REL_SC_ORDER];
    search.order = ARENA_ARRAY(arena, unsigned, finder->n + 1);
    search.added = ARENA_ARRAY(arena, unsigned, finder->n + 1);
    for (unsigned a = 0; search.facts != NULL && a < finder->n; a++) {
        if (!is_sc(search.facts, a))
            continue;
        bool known =
            miss_is_real(finder, a) && event_set_has(&finder->execution->facts->sets[BASE_SET_SC],
                                                     (unsigned)finder->events[a].event);
        unsigned at = 0;
        while (known && at < search.count &&
               relation_has(sc, (unsigned)finder->events[search.order[at]].event,
                            (unsigned)finder->events[a].event))
            at++;
        if (!known) {
            search.added[search.added_count++] = a;
            continue;
        }
        memmove(search.order + at + 1, search.order + at,
                (search.count - at) * sizeof *search.order);
        search.order[at] = a;
        search.count++;
    }
    bool excluded = search.facts != NULL && all_excluded(&search, 0);
    arena_free(arena);
    return excluded;
}

// --- Axioms ------------------------------------------------------------------------------------

// The cheapest pair, or event that is related to itself.
static size_t cheapest_pair(struct miss_finder *finder, const struct model_axiom *axiom,
                            struct miss ***misses) {
    uint64_t best = MISS_COMMUNICATION;
    unsigned x = 0, y = 0;
    size_t count = 0;
    for (unsigned a = 0; a < finder->n; a++)
        for (unsigned b = 0; b < finder->n; b++) {
            uint64_t cost = miss_cost_of(finder, axiom->node, a, b);
            bool same =
                axiom->kind == AXIOM_IRREFLEXIVE || finder->model->nodes[axiom->node].is_set;
            if ((a == b) != same || cost >= best)
                continue;
            best = cost;
            x = a;
            y = b;
        }
    if (best < MISS_COMMUNICATION)
        ARENA_APPEND(finder->arena, *misses, count, miss_way(finder, axiom->node, x, y));
    return count;
}

static size_t cheapest_cycle(struct miss_finder *finder, unsigned node, struct miss ***misses) {
    size_t steps = 0, count = 0;
    const unsigned *cycle = costs_cycle(&finder->table, node, MISS_COMMUNICATION, &steps);
    for (size_t i = 0; i < steps; i++)
        ARENA_APPEND(finder->arena, *misses, count, miss_way(finder, node, cycle[i], cycle[i + 1]));
    return count;
}

size_t miss_axiom(struct miss_finder *finder, const struct model_axiom *axiom,
                  struct miss ***misses) {
    assert(axiom->use == AXIOM_REQUIRED);
    *misses = NULL;
    costs_prepare(&finder->table, axiom->node);
    miss_forget(finder);
    size_t count = axiom->kind == AXIOM_ACYCLIC ? cheapest_cycle(finder, axiom->node, misses)
                                                : cheapest_pair(finder, axiom, misses);
    return count > 0 && is_excluded(finder) ? count : 0;
}

unsigned miss_changes(const struct miss_finder *finder) {
    unsigned count = 0;
    for (unsigned e = 0; e < finder->n; e++) {
        bool changed = false;
        for (size_t i = 0; i < finder->fact_count && !changed; i++) {
            const struct wanted_fact *fact = &finder->facts[i];
            bool about = fact->a == e || fact->b == e;
            changed = about && (miss_is_real(finder, e) ? finder->model->nodes[fact->node].is_set
                                                        : is_there(finder, e));
        }
        count += changed;
    }
    return count;
}
