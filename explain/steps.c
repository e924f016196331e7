// A proof is told along its path: names that the table has a sentence for become sentences, with
// what they follow from below them; everything else is replaced by what it consists of.
#include "explain/steps.h"

#include "explain/words.h"
#include "litmus/ptx/instructions.h"
#include "litmus/source/arena.h"

#include <assert.h>
#include <string.h>

static const struct event *event_at(const struct step_writer *writer, unsigned event) {
    assert(event < writer->execution->program->event_count);
    return &writer->execution->program->events[event];
}

static const char *name_of(const struct step_writer *writer, unsigned event) {
    assert(event < writer->names->count);
    return writer->names->items[event];
}

static void add_note(const struct step_writer *writer, struct step_list *list,
                     struct explained_note note) {
    for (size_t i = 0; i < list->note_count; i++)
        if (strcmp(list->notes[i].text, note.text) == 0)
            return;
    ARENA_APPEND(writer->arena, list->notes, list->note_count, note);
}

static struct explained_note note_of(const struct proof *proof, const char *text) {
    return (struct explained_note){text, true, proof->node, proof->a, proof->b};
}

static struct explained_note plain_note(const char *text) {
    return (struct explained_note){.text = text};
}

// --- Sentences ---------------------------------------------------------------------------------

static unsigned thread_number(const struct step_writer *writer, unsigned event) {
    assert(event_at(writer, event)->thread >= 0); // initial writes have none
    return writer->execution->program->test->threads[event_at(writer, event)->thread].number;
}

// Why two events are morally strong.
static const char *strength(const struct step_writer *writer, unsigned a, unsigned b) {
    if (a > b) { // it is symmetric
        unsigned first = b;
        b = a;
        a = first;
    }
    const struct event *x = event_at(writer, a), *y = event_at(writer, b);
    if (x->thread == y->thread)
        return arena_format(writer->arena, "%s and %s are of one thread (8.7)", name_of(writer, a),
                            name_of(writer, b));
    return arena_format(
        writer->arena, "morally strong (8.7): %s of %s includes P%u, and %s of %s includes P%u",
        ptx_spelling(CLASS_SCOPE, (int)x->scope), name_of(writer, a), thread_number(writer, b),
        ptx_spelling(CLASS_SCOPE, (int)y->scope), name_of(writer, b), thread_number(writer, a));
}

static const char *pattern(const struct step_writer *writer, const char *kind, unsigned a,
                           unsigned b) {
    if (a == b)
        return arena_format(writer->arena, "%s is %s pattern by itself", name_of(writer, a), kind);
    return arena_format(writer->arena, "%s and %s make %s pattern", name_of(writer, a),
                        name_of(writer, b), kind);
}

static const char *sentence(const struct step_writer *writer, const struct relation_words *words,
                            unsigned a, unsigned b) {
    if (strcmp(words->name, "release-pattern") == 0)
        return pattern(writer, "a release", a, b);
    if (strcmp(words->name, "acquire-pattern") == 0)
        return pattern(writer, "an acquire", a, b);
    if (strcmp(words->name, "fr") == 0 && event_at(writer, b)->kind == EVENT_WRITE)
        return arena_format(writer->arena, "%s reads a value that %s overwrites",
                            name_of(writer, a), name_of(writer, b));
    return words_fill(writer->arena, words->sentence, name_of(writer, a), name_of(writer, b));
}

// --- Steps -------------------------------------------------------------------------------------

static void add_operands(const struct step_writer *writer, const struct proof *proof,
                         struct step_list *list);

void steps_append(const struct step_writer *writer, struct step_list *list,
                  struct explained_step step) {
    ARENA_APPEND(writer->arena, list->items, list->count, step);
}

// What a proof follows from. One order that is no more than another is told once.
static struct step_list below_of(const struct step_writer *writer, const struct proof *proof) {
    struct step_list below = {0};
    add_operands(writer, proof, &below);
    const struct explained_step *only = below.count == 1 ? &below.items[0] : NULL;
    bool is_same = only != NULL && only->below.count > 0 && only->origin == NULL &&
                   below.note_count == 0 && only->a == proof->a && only->b == proof->b;
    return is_same ? only->below : below;
}

static bool is_defined_by_user(const struct model_node *node) {
    return node->name != NULL && !node->is_set && node->op != NODE_BASE_RELATION &&
           !words_is_builtin(node->span.source);
}

static void add_step(const struct step_writer *writer, const struct proof *proof,
                     const struct relation_words *words, struct step_list *list) {
    struct explained_step step = {.a = proof->a,
                                  .b = proof->b,
                                  .node = proof->node,
                                  .sentence = sentence(writer, words, proof->a, proof->b),
                                  .section = words->section};
    if (words->telling == TELL_STEP)
        step.below = below_of(writer, proof);
    const struct explained_step *first = step.below.items;
    if (strcmp(words->name, "bc") == 0 && step.below.count == 1 && step.below.note_count == 0 &&
        first->a == proof->a && first->b == proof->b) {
        steps_append(writer, list, *first); // base causality is no more than that
        return;
    }
    bool initial = event_at(writer, proof->a)->kind == EVENT_INIT;
    if (words->telling == TELL_STEP && step.below.count == 0 && initial) {
        step.below = (struct step_list){0};
        add_note(writer, &step.below, plain_note("initial writes precede all other accesses"));
    }
    steps_append(writer, list, step);
}

static void add_of_user(const struct step_writer *writer, const struct proof *proof,
                        struct step_list *list) {
    const struct model_node *node = &writer->model->nodes[proof->node];
    struct explained_step step = {.a = proof->a, .b = proof->b, .node = proof->node, .section = ""};
    step.sentence = arena_format(writer->arena, "%s leads from %s to %s", node->name,
                                 name_of(writer, proof->a), name_of(writer, proof->b));
    step.origin = words_origin(writer->arena, node);
    step.below = below_of(writer, proof);
    steps_append(writer, list, step);
}

// A base relation without a sentence, or none that has one: what is not told.
static bool is_silent(const struct proof *proof) {
    enum { COMMUNICATION = 1000 };
    return proof->cost < COMMUNICATION;
}

// Both sides of an intersection: the dearer one first; the other is told only by remarks, unless it
// is communication itself.
static void add_both(const struct step_writer *writer, const struct proof *proof,
                     struct step_list *list) {
    const struct proof *first = proof->operands[0], *second = proof->operands[1];
    if (second->cost > first->cost) {
        first = proof->operands[1];
        second = proof->operands[0];
    }
    size_t before = list->count;
    steps_add(writer, first, list);
    if (!is_silent(second)) {
        steps_add(writer, second, list);
        return;
    }
    struct step_list aside = {0};
    steps_add(writer, second, &aside);
    // Of one step, the remarks are on it.
    struct step_list *with = list->count == before + 1 ? &list->items[before].below : list;
    for (size_t i = 0; i < aside.note_count; i++)
        add_note(writer, with, aside.notes[i]);
}

static void add_operands(const struct step_writer *writer, const struct proof *proof,
                         struct step_list *list) {
    enum node_op op = writer->model->nodes[proof->node].op;
    if (op == NODE_INTERSECTION) {
        add_both(writer, proof, list);
        return;
    }
    for (size_t i = 0; i < proof->operand_count; i++)
        steps_add(writer, proof->operands[i], list);
}

void steps_add(const struct step_writer *writer, const struct proof *proof,
               struct step_list *list) {
    const struct model_node *node = &writer->model->nodes[proof->node];
    const struct relation_words *words = words_of_node(node);
    if (node->is_set)
        return;
    if (words != NULL && strcmp(words->name, "ms") == 0)
        add_note(writer, list, note_of(proof, strength(writer, proof->a, proof->b)));
    else if (words != NULL && words->telling == TELL_NOTE)
        add_note(writer, list, note_of(proof, sentence(writer, words, proof->a, proof->b)));
    else if (words != NULL)
        add_step(writer, proof, words, list);
    else if (is_defined_by_user(node))
        add_of_user(writer, proof, list);
    else
        add_operands(writer, proof, list);
}

// --- What an axiom asks for --------------------------------------------------------------------

static bool in_co(const struct step_writer *writer, unsigned a, unsigned b) {
    return relation_has(&writer->execution->facts->relations[BASE_REL_CO], a, b);
}

// What a difference at the top of `empty` misses: the order that the axiom asks for.
static const char *missing(const struct step_writer *writer, const struct model_axiom *axiom,
                           const struct proof *proof) {
    const struct model_node *node = &writer->model->nodes[axiom->node];
    const char *a = name_of(writer, proof->a), *b = name_of(writer, proof->b);
    const struct model_node *right = &writer->model->nodes[node->right];
    bool is_base = right->op == NODE_BASE_RELATION;
    const char *wanted = is_base ? right->name : words_of_span(writer->arena, right->span);
    bool known = words_is_builtin(axiom->span.source) &&
                 (strcmp(wanted, "co") == 0 || strcmp(wanted, "co | co^-1") == 0);
    if (known && in_co(writer, proof->b, proof->a))
        return arena_format(writer->arena, "but coherence order has %s before %s", b, a);
    if (known)
        return arena_format(writer->arena, "but coherence order leaves %s and %s unordered", a, b);
    return arena_format(writer->arena, "but %s does not lead from %s to %s", wanted, a, b);
}

void steps_add_breach(const struct step_writer *writer, const struct model_axiom *axiom,
                      const struct proof *proof, struct step_list *list) {
    const struct model_node *node = &writer->model->nodes[axiom->node];
    steps_add(writer, proof, list);
    if (axiom->kind == AXIOM_EMPTY && node->op == NODE_DIFFERENCE && !node->is_set)
        add_note(writer, list, plain_note(missing(writer, axiom, proof)));
}
