// Trends of nodes, from operands to users. What is a matter of two events alone is tried out
// (pairs.h); the rest follows from its operators, of which complement and difference turn a trend
// round.
#include "repair/polarity.h"

#include "litmus/source/arena.h"
#include "model/cat/walk.h"
#include "repair/pairs.h"

#include <assert.h>
#include <string.h>

static unsigned char turned(unsigned char trend) {
    return (unsigned char)((trend & TREND_UP ? TREND_DOWN : 0) |
                           (trend & TREND_DOWN ? TREND_UP : 0));
}

// The trend of a node that is not a matter of two events. `appears`: the place may be empty, and
// what is put there is an event more, which is in every complement and reflexive closure.
static unsigned char trend_of(const struct model_node *node, const unsigned char *trends,
                              bool appears) {
    unsigned char left = trends[node->left], right = trends[node->right];
    unsigned char more = appears ? TREND_UP : 0;
    switch (node->op) {
    case NODE_UNION:
    case NODE_INTERSECTION:
    case NODE_SEQUENCE:
    case NODE_PRODUCT: return left | right;
    case NODE_DIFFERENCE: return left | turned(right);
    case NODE_COMPLEMENT: return turned(left) | more;
    case NODE_STAR:
    case NODE_OPTION: return left | more;
    case NODE_INVERSE:
    case NODE_PLUS:
    case NODE_IDENTITY:
    case NODE_DOMAIN:
    case NODE_RANGE:
    case NODE_RECURSION: return left;
    default: return TREND_UP | TREND_DOWN;
    }
}

struct trends {
    const struct model *model;
    const struct pairs *pairs;
    bool appears;
    unsigned char *of; // by node
};

// Trends only grow from round to round.
static bool find_trend(void *context, unsigned node) {
    const struct trends *trends = context;
    if (pairs_covers(trends->pairs, node))
        return false;
    unsigned char trend = trend_of(&trends->model->nodes[node], trends->of, trends->appears);
    bool changed = trend != trends->of[node];
    trends->of[node] = trend;
    return changed;
}

static bool suits(const struct model_axiom *axiom, unsigned char trend, bool flags) {
    if (axiom->use == AXIOM_REQUIRED)
        return (trend & TREND_DOWN) == 0;
    if (axiom->use == AXIOM_DEFINED || !flags)
        return true;
    return (trend & (axiom->negated ? TREND_UP : TREND_DOWN)) == 0;
}

bool *polarity_monotone(struct arena *arena, struct change_variants *variants,
                        const struct model *model, bool flags) {
    const struct changes *changes = variants->changes;
    bool *monotone = ARENA_ARRAY(arena, bool, changes->count + 1);
    struct arena *scratch = arena_new();
    const struct pairs *pairs = pairs_new(scratch, variants, model);
    unsigned char *trends = ARENA_ARRAY(scratch, unsigned char, model->node_count + 1);
    for (size_t i = 0; i < changes->count; i++) {
        memset(trends, 0, model->node_count);
        pairs_find_trends(pairs, i, trends);
        struct trends all = {model, pairs, !changes->places[i].forms[0].is_present, trends};
        model_walk(&(struct model_algebra){.model = model, .context = &all, .compute = find_trend});
        monotone[i] = true;
        for (size_t k = 0; k < model->axiom_count; k++)
            monotone[i] =
                monotone[i] && suits(&model->axioms[k], trends[model->axioms[k].node], flags);
    }
    arena_free(scratch);
    return monotone;
}
