// A minimal set of axioms: they are dropped one by one while the outcome stays forbidden, those
// first that follow from others or are about little.
#include "explain/core.h"

#include "explain/prove.h"
#include "explain/words.h"
#include "litmus/source/arena.h"

#include <assert.h>
#include <string.h>

// A search for one outcome.
struct core_search {
    struct arena *arena;
    struct search *search;
    const struct model *model;
    struct search_question question;
    enum search_wish *wishes;          // of the question
    const struct model_axiom *assumed; // that holds in every execution; or NULL
};

static bool is_assumed(const struct core_search *core, size_t axiom) {
    return &core->model->axioms[axiom] == core->assumed;
}

static enum truth ask(struct core_search *core, const struct found_execution **found) {
    core->question.wishes = core->wishes;
    return search_ask(core->search, &core->question, found);
}

static void require_all(struct core_search *core, enum search_wish wish) {
    for (size_t i = 0; i < core->model->axiom_count; i++)
        core->wishes[i] = is_assumed(core, i)                            ? WISH_HOLDS
                          : core->model->axioms[i].use == AXIOM_REQUIRED ? wish
                                                                         : WISH_NONE;
}

static unsigned rank(const struct model_axiom *axiom) {
    assert(axiom->use == AXIOM_REQUIRED); // flags are in no core
    const struct axiom_words *words = words_of_axiom(axiom);
    return words != NULL ? words->rank : 0;
}

// Returns the next axiom to try to do without: of those that are required and were not tried, the
// one of lowest rank; the model's count when there is none.
static size_t next_to_drop(const struct core_search *core, const bool *tried) {
    size_t best = core->model->axiom_count;
    for (size_t i = 0; i < core->model->axiom_count; i++)
        if (core->wishes[i] == WISH_HOLDS && !tried[i] && !is_assumed(core, i) &&
            (best == core->model->axiom_count ||
             rank(&core->model->axioms[i]) < rank(&core->model->axioms[best])))
            best = i;
    return best;
}

// Leaves the wishes of the core. False when a limit was reached.
static bool minimise(struct core_search *core) {
    bool *tried = ARENA_ARRAY(core->arena, bool, core->model->axiom_count + 1);
    require_all(core, WISH_HOLDS);
    for (size_t i; (i = next_to_drop(core, tried)) < core->model->axiom_count;) {
        assert(core->wishes[i] == WISH_HOLDS && !tried[i]);
        tried[i] = true;
        core->wishes[i] = WISH_NONE;
        enum truth found = ask(core, NULL);
        if (found == TRUTH_UNKNOWN)
            return false;
        if (found == TRUTH_YES)
            core->wishes[i] = WISH_HOLDS;
    }
    return true;
}

// Adds the axioms outside the core to what holds, as far as that is possible. False when a limit
// was reached.
static bool add_others(struct core_search *core, const bool *in_core, bool *all) {
    size_t count = core->model->axiom_count;
    enum search_wish *before = arena_copy(core->arena, core->wishes, count, sizeof *core->wishes);
    for (size_t i = 0; i < count; i++)
        if (core->model->axioms[i].use == AXIOM_REQUIRED && !in_core[i])
            core->wishes[i] = WISH_HOLDS;
    enum truth found = ask(core, NULL);
    *all = found == TRUTH_YES;
    if (found != TRUTH_NO)
        return found == TRUTH_YES;
    memcpy(core->wishes, before, count * sizeof *before);
    for (size_t i = count; i-- > 0;) {
        if (core->model->axioms[i].use != AXIOM_REQUIRED || in_core[i])
            continue;
        core->wishes[i] = WISH_HOLDS;
        found = ask(core, NULL);
        if (found == TRUTH_UNKNOWN)
            return false;
        if (found == TRUTH_NO)
            core->wishes[i] = WISH_NONE;
    }
    return true;
}

// --- The execution of one axiom ----------------------------------------------------------------

static void write_steps(struct core_search *core, const struct explanation *explanation,
                        struct breach *breach) {
    struct prover *prover = prover_new(core->arena, core->model, breach->execution);
    struct step_writer writer = {core->arena, core->model, breach->execution, &explanation->names};
    size_t count = 0;
    struct proof *pair = NULL;
    struct proof **cycle = &pair;
    assert(breach->execution != NULL);
    if (breach->axiom->kind == AXIOM_EMPTY) {
        pair = prover_any(prover, breach->axiom->node);
        count = pair != NULL;
    } else if (breach->axiom->kind == AXIOM_IRREFLEXIVE) {
        uint64_t best = COST_NEVER;
        for (unsigned e = 0; e < breach->execution->n; e++) {
            uint64_t cost = prover_cost(prover, breach->axiom->node, e, e);
            if (cost < best) {
                best = cost;
                pair = prover_pair(prover, breach->axiom->node, e, e);
                count = 1;
            }
        }
    } else {
        cycle = prover_cycle(prover, breach->axiom->node, &count);
    }
    for (size_t i = 0; i < count; i++)
        steps_add_breach(&writer, breach->axiom, cycle[i], &breach->steps);
}

static bool find_breach(struct core_search *core, const bool *in_core, size_t axiom,
                        struct explanation *explanation) {
    assert(axiom < core->model->axiom_count);
    assert(in_core[axiom]);
    struct breach breach = {.axiom = &core->model->axioms[axiom]};
    for (size_t i = 0; i < core->model->axiom_count; i++)
        core->wishes[i] = i == axiom                          ? WISH_BROKEN
                          : in_core[i] || is_assumed(core, i) ? WISH_HOLDS
                                                              : WISH_NONE;
    if (!add_others(core, in_core, &breach.alone) || ask(core, &breach.execution) != TRUTH_YES)
        return false;
    write_steps(core, explanation, &breach);
    ARENA_APPEND(core->arena, explanation->breaches, explanation->breach_count, breach);
    return true;
}

enum truth core_find(struct arena *arena, struct search *search, const struct expr *condition,
                     struct explanation *explanation) {
    struct core_search core = {.arena = arena,
                               .search = search,
                               .model = explanation->model,
                               .assumed = explanation->assumed,
                               .question = {.condition = condition}};
    size_t count = core.model->axiom_count;
    core.wishes = ARENA_ARRAY(arena, enum search_wish, count + 1);
    require_all(&core, WISH_NONE);
    enum truth at_all = ask(&core, NULL);
    if (at_all != TRUTH_YES) // no execution, whatever the axioms say
        return at_all == TRUTH_NO ? TRUTH_YES : TRUTH_UNKNOWN;
    require_all(&core, WISH_HOLDS);
    enum truth allowed = ask(&core, NULL);
    if (allowed != TRUTH_NO)
        return allowed == TRUTH_YES ? TRUTH_NO : TRUTH_UNKNOWN;
    if (!minimise(&core))
        return TRUTH_UNKNOWN;
    bool *in_core = ARENA_ARRAY(arena, bool, count + 1);
    for (size_t i = 0; i < count; i++)
        in_core[i] = core.wishes[i] == WISH_HOLDS && !is_assumed(&core, i);
    for (size_t i = count; i-- > 0;) // the last ones are those that most readers know
        if (in_core[i] && !find_breach(&core, in_core, i, explanation))
            return TRUTH_UNKNOWN;
    return TRUTH_YES;
}
