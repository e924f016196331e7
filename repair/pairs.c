// Pairs of events under all forms of their places. What the program leaves open of a pair (who
// reads from whom, say) is tried both ways.
#include "repair/pairs.h"

#include "litmus/source/arena.h"
#include "repair/strength.h"
#include "solver/bounds/facts.h"

#include <assert.h>
#include <string.h>

enum { OPEN_MAX = 8 };

struct pairs {
    struct arena *arena;
    struct change_variants *variants;
    const struct model *model;
    unsigned n;
    const struct facts *facts; // with every fence
    size_t form_max;           // the most forms that a place has
    bool *covered;             // by node
    bool *members;             // by form, event, node: of sets
    bool used[BASE_REL_COUNT]; // by nodes that are covered
};

// --- Nodes -------------------------------------------------------------------------------------

static bool is_identity(const struct model *model, unsigned node) {
    return model->nodes[node].op == NODE_IDENTITY;
}

// Whether a node is a matter of one pair, given that its operands are known to be or not.
static bool is_covered(const struct model *model, const bool *covered, unsigned index) {
    const struct model_node *node = &model->nodes[index];
    if (node->recursive)
        return false;
    switch (node->op) {
    case NODE_BASE_SET:
    case NODE_BASE_RELATION:
    case NODE_EMPTY:
    case NODE_UNIVERSE: return true;
    case NODE_UNION:
    case NODE_INTERSECTION:
    case NODE_DIFFERENCE:
    case NODE_PRODUCT: return covered[node->left] && covered[node->right];
    case NODE_COMPLEMENT:
    case NODE_INVERSE:
    case NODE_OPTION:
    case NODE_IDENTITY: return covered[node->left];
    case NODE_SEQUENCE:
        return covered[node->left] && covered[node->right] &&
               (is_identity(model, node->left) || is_identity(model, node->right));
    default: return false;
    }
}

bool pairs_covers(const struct pairs *pairs, unsigned node) {
    assert(node < pairs->model->node_count);
    return pairs->covered[node];
}

// --- Sets --------------------------------------------------------------------------------------

static bool *member(const struct pairs *pairs, size_t form, unsigned event, unsigned node) {
    assert(event < pairs->n);
    return &pairs->members[(form * pairs->n + event) * pairs->model->node_count + node];
}

// The forms of an event: those of its place, or one.
static size_t form_count(const struct pairs *pairs, unsigned event) {
    int place = pairs->variants->places[event];
    return place < 0 ? 1 : pairs->variants->changes->places[place].form_count;
}

static bool is_present(const struct pairs *pairs, unsigned event, size_t form) {
    int place = pairs->variants->places[event];
    return place < 0 || pairs->variants->changes->places[place].forms[form].is_present;
}

// The value of a set in which the event is or is not, from those of the operands.
static bool in_set(const struct pairs *pairs, const struct facts *facts, size_t form,
                   unsigned event, unsigned index) {
    const struct model_node *node = &pairs->model->nodes[index];
    bool left = *member(pairs, form, event, node->left);
    bool right = *member(pairs, form, event, node->right);
    if (!is_present(pairs, event, form))
        return false;
    switch (node->op) {
    case NODE_BASE_SET: return event_set_has(&facts->sets[node->base], event);
    case NODE_UNIVERSE: return true;
    case NODE_UNION: return left || right;
    case NODE_INTERSECTION: return left && right;
    case NODE_DIFFERENCE: return left && !right;
    case NODE_COMPLEMENT: return !left;
    default: return false;
    }
}

// Which sets an event is in with each form of its place.
static void find_members(struct pairs *pairs) {
    const struct changes *changes = pairs->variants->changes;
    size_t *choice = ARENA_ARRAY(pairs->arena, size_t, changes->count + 1);
    pairs->members =
        ARENA_ARRAY(pairs->arena, bool, pairs->form_max * pairs->n * pairs->model->node_count);
    for (size_t form = 0; form < pairs->form_max; form++) {
        struct arena *scratch = arena_new();
        for (size_t i = 0; i < changes->count; i++)
            if (change_is_apart(&changes->places[i]))
                choice[i] = pairs->variants->barriers[i];
            else
                choice[i] = form < changes->places[i].form_count ? form : 0;
        const struct facts *facts =
            facts_new(scratch, variants_program(scratch, pairs->variants, choice));
        for (unsigned e = 0; e < pairs->n; e++)
            for (unsigned node = 0; form < form_count(pairs, e) && node < pairs->model->node_count;
                 node++)
                if (pairs->covered[node] && pairs->model->nodes[node].is_set)
                    *member(pairs, form, e, node) = in_set(pairs, facts, form, e, node);
        arena_free(scratch);
    }
}

struct pairs *pairs_new(struct arena *arena, struct change_variants *variants,
                        const struct model *model) {
    struct pairs *pairs = ARENA_NEW(arena, struct pairs);
    *pairs = (struct pairs){.arena = arena,
                            .variants = variants,
                            .model = model,
                            .n = (unsigned)variants->program->event_count,
                            .form_max = 1};
    pairs->facts = facts_new(arena, variants->program);
    pairs->covered = ARENA_ARRAY(arena, bool, model->node_count + 1);
    for (unsigned node = 0; node < model->node_count; node++) {
        pairs->covered[node] = is_covered(model, pairs->covered, node);
        if (pairs->covered[node] && model->nodes[node].op == NODE_BASE_RELATION)
            pairs->used[model->nodes[node].base] = true;
    }
    for (size_t i = 0; i < variants->changes->count; i++)
        if (variants->changes->places[i].form_count > pairs->form_max)
            pairs->form_max = variants->changes->places[i].form_count;
    find_members(pairs);
    return pairs;
}

// --- One pair ----------------------------------------------------------------------------------

// A pair with forms, and what is assumed of it where the program leaves it open. Index 0 is for
// (a, b), index 1 for (b, a).
struct pair_case {
    unsigned events[2];
    size_t forms[2];
    bool base[BASE_REL_COUNT][2];
};

// Whether a base relation may hold on a pair with these forms.
static bool base_fits(const struct pairs *pairs, const struct pair_case *at, unsigned relation,
                      unsigned way) {
    const struct event *events = pairs->variants->program->events;
    unsigned from = at->events[way], to = at->events[1 - way];
    int places[2] = {pairs->variants->places[from], pairs->variants->places[to]};
    size_t forms[2] = {at->forms[way], at->forms[1 - way]};
    if (relation == BASE_REL_SC_ORDER) // between fence.sc alone
        for (unsigned i = 0; i < 2; i++)
            if (places[i] >= 0 &&
                pairs->variants->changes->places[places[i]].forms[forms[i]].order != ORDER_SC)
                return false;
    if (relation == BASE_REL_BARRIER) { // not from an arrival that is relaxed
        enum access_order order =
            places[0] >= 0 ? pairs->variants->changes->places[places[0]].forms[forms[0]].order
                           : events[from].order;
        return order != ORDER_RELAXED;
    }
    return true;
}

static bool in_pair(const struct pairs *pairs, const struct pair_case *at, const bool *values,
                    unsigned index, unsigned way) {
    const struct model_node *node = &pairs->model->nodes[index];
    unsigned a = at->events[way], b = at->events[1 - way];
    size_t fa = at->forms[way], fb = at->forms[1 - way];
    bool left = values[2 * node->left + way], right = values[2 * node->right + way];
    switch (node->op) {
    case NODE_BASE_RELATION:
        return at->base[node->base][way] && base_fits(pairs, at, node->base, way);
    case NODE_UNIVERSE: return true;
    case NODE_UNION: return left || right;
    case NODE_INTERSECTION: return left && right;
    case NODE_DIFFERENCE: return left && !right;
    case NODE_COMPLEMENT: return !left;
    case NODE_PRODUCT:
        return *member(pairs, fa, a, node->left) && *member(pairs, fb, b, node->right);
    case NODE_INVERSE: return values[2 * node->left + (1 - way)];
    case NODE_OPTION: return left || a == b;
    case NODE_IDENTITY: return a == b && *member(pairs, fa, a, node->left);
    case NODE_SEQUENCE: // one of the two is an identity
        if (is_identity(pairs->model, node->left))
            return *member(pairs, fa, a, pairs->model->nodes[node->left].left) && right;
        return *member(pairs, fb, b, pairs->model->nodes[node->right].left) && left;
    default: return false;
    }
}

// The values of all nodes on a pair, two for each.
static void evaluate(const struct pairs *pairs, const struct pair_case *at, bool *values) {
    bool there = is_present(pairs, at->events[0], at->forms[0]) &&
                 is_present(pairs, at->events[1], at->forms[1]);
    memset(values, 0, 2 * pairs->model->node_count * sizeof *values);
    for (unsigned node = 0; there && node < pairs->model->node_count; node++)
        for (unsigned way = 0; way < 2 && pairs->covered[node]; way++)
            if (!pairs->model->nodes[node].is_set)
                values[2 * node + way] = in_pair(pairs, at, values, node, way);
}

// --- Trends ------------------------------------------------------------------------------------

struct trend_search {
    const struct pairs *pairs;
    size_t place;
    unsigned char *trends;
    size_t form_count, step_count;
    size_t (*steps)[2]; // from a form to the next stronger ones
    bool *values;       // by form, node and way
};

static void note(const struct trend_search *search, unsigned node, bool before, bool after) {
    if (before != after)
        search->trends[node] |= after ? TREND_UP : TREND_DOWN;
}

// The values of all nodes on a pair, for each form of the place.
static void evaluate_forms(const struct trend_search *search, struct pair_case *at,
                           const bool *moves) {
    const struct pairs *pairs = search->pairs;
    size_t width = 2 * pairs->model->node_count;
    for (size_t form = 0; form < search->form_count; form++) {
        for (unsigned i = 0; i < 2; i++)
            if (moves[i])
                at->forms[i] = form;
        evaluate(pairs, at, search->values + form * width);
    }
}

// Each step from a form to a stronger one, with each form of the other event.
static void compare_forms(const struct trend_search *search, struct pair_case *at,
                          const bool *moves) {
    const struct pairs *pairs = search->pairs;
    unsigned other = moves[0] ? 1 : 0;
    size_t others = moves[other] ? 1 : form_count(pairs, at->events[other]);
    size_t width = 2 * pairs->model->node_count;
    for (size_t k = 0; k < others; k++) {
        at->forms[other] = k;
        evaluate_forms(search, at, moves);
        for (size_t i = 0; i < search->step_count; i++) {
            const bool *before = search->values + search->steps[i][0] * width;
            const bool *after = search->values + search->steps[i][1] * width;
            if (memcmp(before, after, width) == 0)
                continue;
            for (unsigned node = 0; node < width; node++)
                note(search, node / 2, before[node], after[node]);
        }
    }
}

// With all that the program leaves open of the pair.
static void compare_pair(const struct trend_search *search, unsigned a, unsigned b) {
    const struct pairs *pairs = search->pairs;
    bool moves[2] = {pairs->variants->places[a] == (int)search->place,
                     pairs->variants->places[b] == (int)search->place};
    struct pair_case at = {.events = {a, b}};
    bool *open[2 * BASE_REL_COUNT];
    size_t count = 0;
    for (unsigned r = 0; r < BASE_REL_COUNT; r++)
        for (unsigned way = 0; way < 2 && pairs->used[r]; way++) {
            unsigned from = at.events[way], to = at.events[1 - way];
            at.base[r][way] = relation_has(&pairs->facts->must[r], from, to);
            if (!at.base[r][way] && relation_has(&pairs->facts->may[r], from, to))
                open[count++] = &at.base[r][way];
        }
    if (count > OPEN_MAX) { // too many cases: not known
        for (unsigned node = 0; node < pairs->model->node_count; node++)
            if (pairs->covered[node] && !pairs->model->nodes[node].is_set)
                search->trends[node] = TREND_UP | TREND_DOWN;
        return;
    }
    for (unsigned bits = 0; bits < 1U << count; bits++) {
        for (size_t i = 0; i < count; i++)
            *open[i] = (bits >> i & 1) != 0;
        compare_forms(search, &at, moves);
    }
}

static void compare_sets(const struct trend_search *search, unsigned event) {
    const struct pairs *pairs = search->pairs;
    for (size_t i = 0; i < search->step_count; i++)
        for (unsigned node = 0; node < pairs->model->node_count; node++)
            if (pairs->covered[node] && pairs->model->nodes[node].is_set)
                note(search, node, *member(pairs, search->steps[i][0], event, node),
                     *member(pairs, search->steps[i][1], event, node));
}

static void find_steps(struct trend_search *search, struct arena *arena,
                       const struct change_place *place) {
    search->form_count = place->form_count;
    for (size_t from = 0; from < place->form_count; from++)
        for (size_t to = 0; to < place->form_count; to++) {
            if (!change_is_next(place, to, from))
                continue;
            search->steps =
                arena_grow(arena, search->steps, search->step_count, sizeof *search->steps);
            search->steps[search->step_count][0] = from;
            search->steps[search->step_count++][1] = to;
        }
}

void pairs_find_trends(const struct pairs *pairs, size_t place, unsigned char *trends) {
    struct arena *arena = arena_new();
    struct trend_search search = {.pairs = pairs, .place = place, .trends = trends};
    find_steps(&search, arena, &pairs->variants->changes->places[place]);
    search.values = ARENA_ARRAY(arena, bool, search.form_count * 2 * pairs->model->node_count + 1);
    for (unsigned node = 0; node < pairs->model->node_count; node++)
        if (pairs->covered[node])
            trends[node] = 0;
    for (unsigned a = 0; a < pairs->n; a++) {
        if (pairs->variants->places[a] != (int)place)
            continue;
        compare_sets(&search, a);
        for (unsigned b = 0; b < pairs->n; b++)
            if (pairs->variants->places[b] != (int)place || a <= b)
                compare_pair(&search, a, b);
    }
    arena_free(arena);
}
