// Questions about pairs, and the axiom that is nearest.
#include "explain/why_not.h"

#include "explain/lacks.h"
#include "explain/words.h"
#include "litmus/source/arena.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

// --- Names -------------------------------------------------------------------------------------

static int compare_names(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

// "'a', 'b' and 'c'", sorted, each once.
static const char *listed(struct arena *arena, const char **names, size_t count) {
    const char *text = "";
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || strcmp(names[i], names[kept - 1]) != 0)
            names[kept++] = names[i];
    for (size_t i = 0; i < kept; i++)
        text = arena_format(arena, "%s%s%s", text,
                            i == 0          ? ""
                            : i + 1 == kept ? " and "
                                            : ", ",
                            names[i]);
    return text;
}

static const char *relations_of(struct arena *arena, const struct model *model) {
    const char **names = ARENA_ARRAY(arena, const char *, model->node_count + 1);
    size_t count = 0;
    for (size_t i = 0; i < model->node_count; i++) {
        const struct model_node *node = &model->nodes[i];
        if (node->name == NULL || node->is_set)
            continue;
        if (words_of_node(node) != NULL ||
            (node->op != NODE_BASE_RELATION &&
             (lacks_has_words(node->name) || !words_is_builtin(node->span.source))))
            names[count++] = node->name;
    }
    qsort(names, count, sizeof *names, compare_names);
    return listed(arena, names, count);
}

static const char *events_of(struct arena *arena, const struct explanation *explanation,
                             const struct found_execution *execution) {
    const char **names = ARENA_ARRAY(arena, const char *, execution->n + 1);
    size_t count = 0;
    for (unsigned e = 0; e < execution->n; e++)
        if (execution->executes[e])
            names[count++] = explanation->names.items[e];
    return listed(arena, names, count);
}

// The node of a relation; a later definition hides earlier ones. NULL after `*error`.
static const struct model_node *find_relation(struct arena *arena, const struct model *model,
                                              const char *name, const char **error) {
    const struct model_node *found = NULL;
    for (size_t i = 0; i < model->node_count; i++)
        if (model->nodes[i].name != NULL && strcmp(model->nodes[i].name, name) == 0)
            found = &model->nodes[i];
    if (found != NULL && !found->is_set)
        return found;
    *error =
        found == NULL
            ? arena_format(arena, "'--why-not' names the relation '%s', but those of %s are %s",
                           name, model->name, relations_of(arena, model))
            : arena_format(arena, "'--why-not' takes a relation, and '%s' is a set of events",
                           name);
    return NULL;
}

// --- One pair ----------------------------------------------------------------------------------

static void write_proof(const struct step_writer *writer, struct prover *prover, unsigned node,
                        struct why_not *why) {
    struct proof *proof = prover_pair(prover, node, why->a, why->b);
    steps_add(writer, proof, &why->steps);
    if (why->steps.count > 0)
        return;
    struct explained_step step = {
        .a = why->a, .b = why->b, .node = node, .section = "", .below = why->steps};
    step.sentence = arena_format(writer->arena, "%s leads from %s to %s", why->relation,
                                 writer->names->items[why->a], writer->names->items[why->b]);
    why->steps = (struct step_list){0};
    steps_append(writer, &why->steps, step);
}

// Writes what is missing: by marks of the events that are there, or, where that takes less, by
// fences too. False for an execution that is too large.
static bool write_miss(const struct step_writer *steps, struct prover *prover, unsigned node,
                       struct why_not *why) {
    unsigned fewest = 0;
    for (enum miss_fences fences = MISS_NO_FENCES; fences <= MISS_ALL_FENCES; fences++) {
        struct miss_finder *finder =
            miss_finder_new(steps->arena, steps->model, why->execution, fences);
        if (finder == NULL)
            return false;
        const struct miss *miss =
            miss_pair(finder, node, miss_index_of(finder, why->a), miss_index_of(finder, why->b));
        bool enough = miss->cost < MISS_COMMUNICATION && miss_is_enough(finder, miss);
        unsigned changes = miss_changes(finder);
        if (fences != MISS_NO_FENCES && (!enough || (why->is_enough && changes >= fewest)))
            continue;
        struct step_list told = {0};
        const struct lack_writer writer = {steps, finder, prover, &told};
        fewest = changes;
        why->by_strength = miss->cost < MISS_COMMUNICATION;
        why->is_enough = enough;
        why->steps = (struct step_list){0};
        lacks_add_named(&writer, miss, why->relation, &why->steps);
    }
    return true;
}

static const struct found_execution *execution_of(const struct explanation *explanation) {
    if (explanation->example != NULL)
        return explanation->example;
    return explanation->breach_count > 0 ? explanation->breaches[0].execution : NULL;
}

const char *why_not_find(struct arena *arena, const struct explanation *explanation,
                         const char *const words[3], const struct why_not **result) {
    const struct found_execution *execution = execution_of(explanation);
    const char *error = NULL;
    const struct model_node *node = find_relation(arena, explanation->model, words[0], &error);
    if (node == NULL)
        return error;
    if (execution == NULL)
        return "'--why-not' asks about an execution, and there is none to show";
    int events[2];
    for (unsigned i = 0; i < 2; i++) {
        events[i] = event_names_find(&explanation->names, words[i + 1]);
        if (events[i] < 0 || !execution->executes[events[i]])
            return arena_format(arena, "'--why-not' names the event '%s', but the execution has %s",
                                words[i + 1], events_of(arena, explanation, execution));
    }
    struct why_not *why = ARENA_NEW(arena, struct why_not);
    *why = (struct why_not){.relation = words[0], .execution = execution};
    why->a = (unsigned)events[0];
    why->b = (unsigned)events[1];
    unsigned index = (unsigned)(node - explanation->model->nodes);
    const struct step_writer steps = {arena, explanation->model, execution, &explanation->names};
    struct prover *prover = prover_new(arena, explanation->model, execution);
    *result = why;
    if (relation_has(&execution->nodes[index].relation, why->a, why->b)) {
        why->holds = true;
        write_proof(&steps, prover, index, why);
        return NULL;
    }
    if (!write_miss(&steps, prover, index, why))
        return "'--why-not' takes executions of at most 300 events";
    return NULL;
}

// --- The nearest axiom -------------------------------------------------------------------------

// The axiom for which the fewest events change; NULL when there is none.
static const struct model_axiom *find_nearest(struct miss_finder *finder, const struct model *model,
                                              unsigned *fewest) {
    const struct model_axiom *nearest = NULL;
    struct miss **misses;
    for (size_t i = model->axiom_count; finder != NULL && i-- > 0;) {
        const struct model_axiom *axiom = &model->axioms[i];
        if (axiom->use != AXIOM_REQUIRED || miss_axiom(finder, axiom, &misses) == 0 ||
            miss_changes(finder) >= *fewest)
            continue;
        *fewest = miss_changes(finder);
        nearest = axiom;
    }
    return nearest;
}

const struct model_axiom *why_not_nearest(struct arena *arena, const struct model *model,
                                          const struct found_execution *execution,
                                          const struct event_names *names,
                                          struct step_list *steps) {
    static const enum miss_fences all[] = {MISS_NO_FENCES, MISS_FENCES, MISS_ALL_FENCES};
    unsigned fewest = UINT_MAX;
    struct miss_finder *finder = NULL;
    const struct model_axiom *nearest = NULL;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct miss_finder *next = miss_finder_new(arena, model, execution, all[i]);
        const struct model_axiom *found = find_nearest(next, model, &fewest);
        finder = found != NULL ? next : finder;
        nearest = found != NULL ? found : nearest;
    }
    if (nearest == NULL)
        return NULL;
    const struct step_writer writer = {arena, model, execution, names};
    struct step_list told = {0};
    const struct lack_writer lacks = {&writer, finder, prover_new(arena, model, execution), &told};
    struct miss **misses;
    size_t count = miss_axiom(finder, nearest, &misses);
    for (size_t i = 0; i < count; i++)
        lacks_add(&lacks, misses[i], steps);
    return nearest;
}

// --- Notes -------------------------------------------------------------------------------------

static bool lacks_sc(const struct step_list *steps) {
    bool found = false;
    for (size_t i = 0; i < steps->count && !found; i++) {
        const struct explained_step *step = &steps->items[i];
        found = (step->missing != NULL && strcmp(step->missing, "fence.sc") == 0) ||
                (step->lacks && strstr(step->sentence, "is not a fence.sc") != NULL) ||
                lacks_sc(&step->below);
    }
    return found;
}

const char *why_not_note(struct arena *arena, const struct event_names *names,
                         const struct step_list *steps) {
    const struct explained_step *pair = NULL; // the one that ought to be ordered
    for (size_t i = 0; i < steps->count && pair == NULL; i++)
        pair = steps->items[i].lacks && steps->items[i].missing == NULL ? &steps->items[i] : NULL;
    if (pair == NULL || !lacks_sc(steps))
        return NULL;
    return arena_format(
        arena,
        "Release and acquire order accesses only along reads that see what was released, and no "
        "such "
        "reads lead from %s to %s. Of fence.sc all threads agree on one order, whatever is read: "
        "with those that are missing, the outcome is forbidden in each order of them.",
        names->items[pair->a], names->items[pair->b]);
}

static const char *join_gist(struct arena *arena, const char *text, const struct step_list *steps) {
    for (size_t i = 0; i < steps->count; i++) {
        const struct explained_step *step = &steps->items[i];
        text = join_gist(arena, text, &step->below);
        if (step->lacks && step->below.count == 0 && strstr(text, step->sentence) == NULL)
            text = arena_format(arena, "%s%s%s", text, *text ? "; " : "", step->sentence);
    }
    return text;
}

const char *why_not_gist(struct arena *arena, const struct step_list *steps) {
    return join_gist(arena, "", steps);
}
