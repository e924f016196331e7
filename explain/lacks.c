// A miss is told along its way: what holds by its sentence alone; of what is missing, names that
// have a sentence with what they lack below them, everything else by what it consists of.
#include "explain/lacks.h"

#include "explain/faults.h"
#include "explain/miss_internal.h"
#include "explain/words.h"
#include "litmus/source/arena.h"

#include <assert.h>
#include <string.h>

// --- The tables --------------------------------------------------------------------------------

struct lack_words {
    const char *name, *section, *sentence;
};

static const struct lack_words relation_table[] = {
#define LACKS(name, section, sentence) {name, section, sentence},
#include "explain/lacks.def"
};

static const struct lack_words set_table[BASE_SET_COUNT] = {
#define LACKS_SET(set, section, sentence) [BASE_SET_##set] = {#set, section, sentence},
#include "explain/lacks.def"
};

static const struct lack_words excess_table[BASE_SET_COUNT] = {
#define IS_IN_SET(set, section, sentence) [BASE_SET_##set] = {#set, section, sentence},
#include "explain/lacks.def"
};

// What is said of a relation that a pair is not in; NULL for one that a user's text defines.
static const struct lack_words *words_of(const char *name, bool builtin) {
    for (size_t i = 0; builtin && i < sizeof relation_table / sizeof *relation_table; i++)
        if (strcmp(relation_table[i].name, name) == 0)
            return &relation_table[i];
    return NULL;
}

bool lacks_has_words(const char *name) {
    return words_of(name, true) != NULL;
}

// --- Events ------------------------------------------------------------------------------------

static const struct model_node *node_of(const struct lack_writer *writer, const struct miss *miss) {
    assert(miss->node < writer->steps->model->node_count);
    return &writer->steps->model->nodes[miss->node];
}

static bool is_real(const struct lack_writer *writer, unsigned a) {
    return miss_event_at(writer->finder, a)->event >= 0;
}

static unsigned event_of(const struct lack_writer *writer, unsigned a) {
    assert(is_real(writer, a));
    return (unsigned)miss_event_at(writer->finder, a)->event;
}

static const struct event *program_event(const struct lack_writer *writer, unsigned a) {
    return &writer->steps->execution->program->events[event_of(writer, a)];
}

static const char *name_of(const struct lack_writer *writer, unsigned event) {
    assert(event < writer->steps->names->count);
    return writer->steps->names->items[event];
}

static bool has_step(const struct step_list *list, const struct explained_step *step) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].sentence, step->sentence) == 0)
            return true;
    return false;
}

static void add_step(const struct lack_writer *writer, struct step_list *list,
                     struct explained_step step) {
    if (has_step(list, &step) || has_step(writer->told, &step))
        return;
    steps_append(writer->steps, list, step);
    if (step.lacks)
        steps_append(writer->steps, writer->told, step);
}

// --- Facts -------------------------------------------------------------------------------------

// What a fence that is not there would be: "fence.sc", "release fence", "fence.proxy.async".
static const char *fence_kind(const struct lack_writer *writer, const struct miss_event *fence) {
    static const char *const proxies[] = {
#define PROXY(id, name, traits, about) name,
#include "litmus/proxies.def"
    };
    bool acq_rel = fence->marks[BASE_SET_ACQ_REL];
    bool release = acq_rel || fence->marks[BASE_SET_RELEASE];
    bool acquire = acq_rel || fence->marks[BASE_SET_ACQUIRE];
    if (fence->proxy == PROXY_TENSORMAP)
        return arena_format(writer->steps->arena, "fence.proxy.tensormap::generic.%s",
                            fence->order == ORDER_RELEASE ? "release" : "acquire");
    if (fence->proxy != PROXY_GENERIC)
        return arena_format(writer->steps->arena, "fence.proxy.%s", proxies[fence->proxy]);
    if (fence->marks[BASE_SET_SC])
        return "fence.sc";
    return release && acquire ? "fence.acq_rel"
           : release          ? "release fence"
           : acquire          ? "acquire fence"
                              : "fence";
}

static void add_missing_fence(const struct lack_writer *writer, const struct miss *miss,
                              struct step_list *list) {
    const struct miss_event *fence = miss_event_at(writer->finder, miss->a);
    struct explained_step step = {.a = fence->after, .b = fence->before, .node = miss->node};
    step.lacks = true;
    step.missing = fence_kind(writer, fence);
    step.section = fence->proxy == PROXY_GENERIC ? "8.8" : "8.6";
    step.sentence =
        arena_format(writer->steps->arena, "there is no %s between %s and %s", step.missing,
                     name_of(writer, fence->after), name_of(writer, fence->before));
    add_step(writer, list, step);
}

// An event that is in a base set and must not be, or the other way round.
static void add_set_fact(const struct lack_writer *writer, const struct miss *miss,
                         struct step_list *list) {
    const struct model_node *node = node_of(writer, miss);
    bool lacks = miss->state == MISS_LACKS;
    if (!is_real(writer, miss->a)) {
        if (lacks && miss_is_presence(miss_event_at(writer->finder, miss->a), node->base))
            add_missing_fence(writer, miss, list);
        return;
    }
    unsigned event = event_of(writer, miss->a);
    const struct lack_words *words = lacks ? &set_table[node->base] : &excess_table[node->base];
    bool weak =
        lacks && miss_is_scope(node->base) && program_event(writer, miss->a)->order == ORDER_WEAK;
    struct explained_step step = {.a = event, .b = event, .node = miss->node, .lacks = lacks};
    step.section = words->section == NULL ? "" : words->section;
    step.sentence =
        weak ? arena_format(writer->steps->arena, "%s is weak, and so has no scope",
                            name_of(writer, event))
        : words->sentence == NULL
            ? arena_format(writer->steps->arena, "%s is %sin %s", name_of(writer, event),
                           lacks ? "not " : "", node->name)
            : words_fill(writer->steps->arena, words->sentence, name_of(writer, event), "");
    add_step(writer, list, step);
}

// The order of two fences that are not fence.sc: that they are not.
static bool add_order_fact(const struct lack_writer *writer, const struct miss *miss,
                           struct step_list *list) {
    const struct model *model = writer->steps->model;
    bool told = false;
    for (unsigned i = 0; i < model->node_count; i++)
        for (unsigned end = 0; end < 2; end++) {
            unsigned event = end ? miss->b : miss->a;
            const struct miss fact = {.node = i, .a = event, .b = event, .state = MISS_LACKS};
            if (model->nodes[i].op != NODE_BASE_SET || model->nodes[i].base != BASE_SET_SC ||
                !is_real(writer, event) || program_event(writer, event)->order == ORDER_SC)
                continue;
            add_set_fact(writer, &fact, list);
            told = true;
        }
    return told;
}

// --- Steps -------------------------------------------------------------------------------------

// What holds, by its sentence alone.
static void add_held(const struct lack_writer *writer, const struct miss *miss,
                     struct step_list *list) {
    struct step_list held = {0};
    if (node_of(writer, miss)->is_set || !is_real(writer, miss->a) || !is_real(writer, miss->b))
        return;
    steps_add(writer->steps,
              prover_pair(writer->prover, miss->node, event_of(writer, miss->a),
                          event_of(writer, miss->b)),
              &held);
    for (size_t i = 0; i < held.count; i++) {
        held.items[i].below = (struct step_list){0};
        add_step(writer, list, held.items[i]);
    }
}

static void add_parts(const struct lack_writer *writer, const struct miss *miss,
                      struct step_list *list) {
    for (size_t i = 0; i < miss->part_count; i++)
        lacks_add(writer, miss->parts[i], list);
}

// Where a read takes its bytes from instead.
static const char *sources(const struct lack_writer *writer, unsigned read) {
    const struct found_execution *execution = writer->steps->execution;
    const struct candidate *place = execution->places[read];
    const char *text = "";
    for (unsigned k = 0; place != NULL && k < place->cell_count; k++) {
        unsigned source = (unsigned)execution->sources[read][k];
        const char *name = execution->program->events[source].kind == EVENT_INIT
                               ? "the initial value"
                               : name_of(writer, source);
        if (strstr(text, name) == NULL)
            text = arena_format(writer->steps->arena, "%s%s%s", text, *text ? " and " : "", name);
    }
    return text;
}

static const char *sentence_of(const struct lack_writer *writer, const char *name,
                               const struct lack_words *words, unsigned a, unsigned b) {
    struct arena *arena = writer->steps->arena;
    const char *x = name_of(writer, a), *y = name_of(writer, b);
    const struct event *events = writer->steps->execution->program->events;
    if (words == NULL)
        return arena_format(arena, "%s does not lead from %s to %s", name, x, y);
    const char *sentence = words_fill(arena, words->sentence, x, y);
    if (strcmp(name, "rf") == 0 && events[b].kind == EVENT_READ)
        return arena_format(arena, "%s: it reads %s", sentence, sources(writer, b));
    if (strcmp(name, "ms") == 0 && events[a].thread >= 0 && events[b].thread >= 0)
        return arena_format(
            arena, "%s (PTX ISA 8.7): %s", sentence,
            faults_of_strength(arena, writer->steps->execution, writer->steps->names, a, b));
    if (a == b && strcmp(name, "release-pattern") == 0)
        return arena_format(arena, "%s is not a release pattern by itself", x);
    if (a == b && strcmp(name, "acquire-pattern") == 0)
        return arena_format(arena, "%s is not an acquire pattern by itself", x);
    return sentence;
}

// A pair that no way leads to: the facts that rule it out, as far as each does so alone.
static void add_never(const struct lack_writer *writer, unsigned index, unsigned a, unsigned b,
                      struct step_list *list) {
    const struct model_node *node = &writer->steps->model->nodes[index];
    struct miss miss = {.node = index, .a = a, .b = b, .cost = COST_NEVER, .state = MISS_LACKS};
    if ((node->is_set && a != b) || miss_cost_of(writer->finder, index, a, b) != COST_NEVER)
        return;
    switch (node->op) {
    case NODE_BASE_SET: add_set_fact(writer, &miss, list); break;
    case NODE_BASE_RELATION: lacks_add_named(writer, &miss, node->name, list); break;
    case NODE_INTERSECTION:
        add_never(writer, node->left, a, b, list);
        add_never(writer, node->right, a, b, list);
        break;
    case NODE_DIFFERENCE: add_never(writer, node->left, a, b, list); break;
    case NODE_PRODUCT:
        add_never(writer, node->left, a, a, list);
        add_never(writer, node->right, b, b, list);
        break;
    case NODE_INVERSE: add_never(writer, node->left, b, a, list); break;
    default: break; // too many ways to name what is wrong with each
    }
}

void lacks_add_named(const struct lack_writer *writer, const struct miss *miss, const char *name,
                     struct step_list *list) {
    const struct model_node *node = node_of(writer, miss);
    bool base = node->op == NODE_BASE_RELATION;
    bool builtin = base || words_is_builtin(node->span.source);
    const struct lack_words *words = words_of(name, builtin);
    struct explained_step step = {.a = event_of(writer, miss->a), .b = event_of(writer, miss->b)};
    step.node = miss->node;
    step.lacks = true;
    bool strength = builtin && strcmp(name, "ms") == 0; // the words at fault are in its sentence
    step.section = words == NULL || strength ? "" : words->section;
    step.sentence = sentence_of(writer, name, words, step.a, step.b);
    step.origin = builtin ? NULL : words_origin(writer->steps->arena, node);
    if (!strength)
        add_parts(writer, miss, &step.below);
    if (miss->cost == COST_NEVER && !base)
        add_never(writer, miss->node, miss->a, miss->b, &step.below);
    // One order that is no more than another is told once.
    const struct explained_step *only = step.below.count == 1 ? &step.below.items[0] : NULL;
    if (only != NULL && only->lacks && only->missing == NULL && only->origin == NULL &&
        only->below.count > 0 && only->a == step.a && only->b == step.b)
        step.below = only->below;
    add_step(writer, list, step);
}

// Whether a pair that is missing gets a sentence of its own. Patterns get none: what they lack says
// enough.
static bool is_told(const struct lack_writer *writer, const struct miss *miss) {
    const struct model_node *node = node_of(writer, miss);
    if (node->name == NULL || !is_real(writer, miss->a) || !is_real(writer, miss->b))
        return false;
    if (node->op == NODE_BASE_RELATION || !words_is_builtin(node->span.source))
        return true;
    bool pattern = strcmp(node->name, "release-pattern") == 0 ||
                   strcmp(node->name, "acquire-pattern") == 0 || strcmp(node->name, "ppcb") == 0;
    return words_of(node->name, true) != NULL && (!pattern || miss->part_count == 0);
}

void lacks_add(const struct lack_writer *writer, const struct miss *miss, struct step_list *list) {
    const struct model_node *node = node_of(writer, miss);
    if (miss->state == MISS_HOLDS)
        add_held(writer, miss, list);
    else if (node->op == NODE_BASE_SET)
        add_set_fact(writer, miss, list);
    else if (node->op == NODE_BASE_RELATION && node->base == BASE_REL_SC_ORDER &&
             miss->state == MISS_LACKS && add_order_fact(writer, miss, list))
        return;
    else if (miss->state == MISS_TOO_MUCH && miss->part_count == 0)
        add_held(writer, miss, list);
    else if (miss->state == MISS_LACKS && !node->is_set && is_told(writer, miss))
        lacks_add_named(writer, miss, node->name, list);
    else
        add_parts(writer, miss, list);
}
