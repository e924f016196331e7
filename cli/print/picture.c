// What is in a picture: the relations between events that explain the outcome.
#include "cli/print/picture.h"

#include "check/text/names.h"
#include "check/print/explanation.h"
#include "cli/report/added.h"
#include "check/report/explained.h"
#include "explain/faults.h"
#include "explain/shown.h"
#include "explain/words.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>
#include <string.h>

#define GREY "#767676"

static const struct picture_style styles[] = {
#define EDGE(relation, label, colour, line, width, legend)                                         \
    {relation, label, colour, line, width, legend},
#include "cli/print/picture.def"
#undef EDGE
};

// Pairs that are missing: dashed and grey.
static const struct picture_style not_strong = {
    "",       "not ms", GREY,
    "dashed", 1.2,      "not morally strong: a scope is too small, or an access is weak"};
static const struct picture_style not_synchronised = {
    "", "no sync", GREY, "dashed", 1.2, "do not synchronise: a release or an acquire is missing"};

static const struct picture_style unordered = {
    "", "unordered", GREY, "dashed", 1.2, "coherence order leaves the two unordered"};

// What a list of pictures is made of.
struct picture_maker {
    struct arena *arena;
    const struct report *report;
    const struct explanation *explanation;
    struct picture_list list;
};

static const struct picture_style *style_of(struct arena *arena, const char *relation) {
    for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++)
        if (strcmp(styles[i].relation, relation) == 0)
            return &styles[i];
    struct picture_style *style = ARENA_NEW(arena, struct picture_style);
    const char *label = escaped(arena, relation);
    *style = (struct picture_style){relation, label, GREY, "solid", 1.2, label};
    return style;
}

static bool is_drawn(const char *relation) {
    for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++)
        if (strcmp(styles[i].relation, relation) == 0)
            return true;
    return false;
}

static bool is_initial(const struct picture *picture, unsigned event) {
    return picture->execution->program->events[event].kind == EVENT_INIT;
}

// --- Edges -------------------------------------------------------------------------------------

static void add_edge(struct arena *arena, struct picture *picture,
                     const struct picture_style *style, unsigned a, unsigned b, bool emphasised) {
    for (size_t i = 0; i < picture->edge_count; i++) {
        struct picture_edge *edge = &picture->edges[i];
        if (edge->a == a && edge->b == b && strcmp(edge->style->label, style->label) == 0) {
            edge->is_emphasised = edge->is_emphasised || emphasised;
            return;
        }
    }
    picture->edges = arena_grow(arena, picture->edges, picture->edge_count, sizeof *picture->edges);
    picture->edges[picture->edge_count++] = (struct picture_edge){style, a, b, emphasised};
    picture->shown[a] = picture->shown[b] = true;
}

// The event of the same thread that is shown next, or `n`.
static unsigned next_of_thread(const struct picture *picture, unsigned event) {
    const struct found_execution *execution = picture->execution;
    const struct event *events = execution->program->events;
    unsigned next = event + 1;
    while (next < execution->n &&
           (!execution->executes[next] || events[next].thread != events[event].thread))
        next++;
    return next;
}

// Program order: from each event to the next one of its thread.
static void add_program_order(struct arena *arena, struct picture *picture) {
    const struct found_execution *execution = picture->execution;
    for (unsigned e = 0; e < execution->n; e++) {
        if (!execution->executes[e] || is_initial(picture, e))
            continue;
        unsigned next = next_of_thread(picture, e);
        picture->shown[e] = true;
        if (next < execution->n)
            add_edge(arena, picture, style_of(arena, "po"), e, next, false);
    }
}

// A step of the cycle in program order: each of the edges that it consists of.
static void emphasise_order(struct arena *arena, struct picture *picture, unsigned a, unsigned b) {
    while (a < b) {
        unsigned next = next_of_thread(picture, a);
        if (next >= picture->execution->n)
            return;
        add_edge(arena, picture, style_of(arena, "po"), a, next, true);
        a = next;
    }
}

// The edges of the steps that break an axiom: of a step whose relation is not drawn, those that it
// follows from.
static void add_steps(const struct picture_maker *maker, struct picture *picture,
                      const struct step_list *steps) {
    for (size_t i = 0; i < steps->count; i++) {
        const struct explained_step *step = &steps->items[i];
        const char *relation = maker->explanation->model->nodes[step->node].name;
        relation = relation ? relation : "";
        if (strcmp(relation, "po") == 0) {
            emphasise_order(maker->arena, picture, step->a, step->b);
        } else if (is_drawn(relation) || step->below.count == 0) {
            add_edge(maker->arena, picture, style_of(maker->arena, relation), step->a, step->b,
                     true);
        } else {
            add_steps(maker, picture, &step->below);
        }
    }
}

// Writes that coherence order should have in one order or the other: no step tells of what is not
// there.
static void add_unordered(const struct picture_maker *maker, struct picture *picture,
                          const struct step_list *steps) {
    const struct relation *co = &picture->execution->facts->relations[BASE_REL_CO];
    for (size_t i = 0; i < steps->note_count; i++) {
        const struct explained_note *note = &steps->notes[i];
        if (note->has_pair && !relation_has(co, note->a, note->b) &&
            !relation_has(co, note->b, note->a) &&
            picture->execution->program->events[note->a].kind == EVENT_WRITE &&
            picture->execution->program->events[note->b].kind == EVENT_WRITE)
            add_edge(maker->arena, picture, &unordered, note->a, note->b, true);
    }
}

static void add_shown_edges(const struct picture_maker *maker, struct picture *picture) {
    struct shown_edges edges =
        shown_edges_of(maker->arena, maker->explanation->model, picture->execution);
    const struct event *events = picture->execution->program->events;
    for (size_t i = 0; i < edges.count; i++) {
        const struct shown_edge *edge = &edges.items[i];
        bool is_barrier = strcmp(edge->relation, "barrier") == 0;
        if (!is_initial(picture, edge->a) &&
            !(is_barrier && events[edge->a].thread == events[edge->b].thread)) {
            add_edge(maker->arena, picture, style_of(maker->arena, edge->relation), edge->a,
                     edge->b, false);
        }
    }
}

static void add_faults(const struct picture_maker *maker, struct picture *picture) {
    struct sync_faults faults = faults_find(maker->arena, maker->explanation->model,
                                            picture->execution, &maker->explanation->names);
    for (size_t i = 0; i < faults.count; i++) {
        bool is_strength = strcmp(faults.items[i].relation, "ms") == 0;
        add_edge(maker->arena, picture, is_strength ? &not_strong : &not_synchronised,
                 faults.items[i].a, faults.items[i].b, false);
    }
}

// Whether a write is the first one in coherence order that overwrites what a read has read.
static bool is_first_after(const struct found_execution *execution, unsigned read, unsigned write) {
    const struct relation *fr = &execution->facts->relations[BASE_REL_FR],
                          *co = &execution->facts->relations[BASE_REL_CO],
                          *rmw = &execution->facts->relations[BASE_REL_RMW];
    if (!relation_has(fr, read, write) || relation_has(rmw, read, write))
        return false;
    for (unsigned other = 0; other < execution->n; other++)
        if (relation_has(fr, read, other) && relation_has(co, other, write))
            return false;
    return true;
}

// fr of each read whose value is stale: to the write that overwrites it. An atomic operation that
// is overwritten by the next one has read what it had to.
static void add_stale_reads(const struct picture_maker *maker, struct picture *picture) {
    const struct found_execution *execution = picture->execution;
    const struct event *events = execution->program->events;
    for (unsigned read = 0; read < execution->n; read++)
        for (unsigned write = 0; write < execution->n; write++)
            if (execution->executes[read] && execution->executes[write] &&
                !event_is_atomic(&events[read]) && is_first_after(execution, read, write))
                add_edge(maker->arena, picture, style_of(maker->arena, "fr"), read, write, false);
}

// --- Long programs -----------------------------------------------------------------------------

// Pictures of so many events at most show all of them.
enum { UNFOLDED_MAX = 24 };

static size_t shown_count(const struct picture *picture) {
    size_t count = 0;
    for (unsigned e = 0; e < picture->execution->n; e++)
        count += picture->shown[e];
    return count;
}

static bool is_order_edge(const struct picture_edge *edge) {
    return strcmp(edge->style->relation, "po") == 0;
}

// Leaves out the events at which no edge but program order is, and the edges of these.
static void hide_others(struct arena *arena, struct picture *picture) {
    size_t kept = 0;
    bool *takes_part = ARENA_ARRAY(arena, bool, picture->execution->n + 1);
    for (size_t i = 0; i < picture->edge_count; i++)
        if (!is_order_edge(&picture->edges[i]))
            takes_part[picture->edges[i].a] = takes_part[picture->edges[i].b] = true;
    for (unsigned e = 0; e < picture->execution->n; e++)
        picture->shown[e] = picture->shown[e] && takes_part[e];
    for (size_t i = 0; i < picture->edge_count; i++) {
        const struct picture_edge *edge = &picture->edges[i];
        if (picture->shown[edge->a] && picture->shown[edge->b])
            picture->edges[kept++] = *edge;
    }
    picture->edge_count = kept;
}

// Where events between two of a thread are left out, the edge between the two says how many.
static void bridge(struct arena *arena, struct picture *picture, unsigned a, bool is_emphasised) {
    const struct found_execution *execution = picture->execution;
    size_t hidden = 0;
    unsigned b = next_of_thread(picture, a);
    for (; b < execution->n && !picture->shown[b]; b = next_of_thread(picture, b))
        hidden++;
    if (hidden == 0 || b >= execution->n)
        return;
    struct picture_style *style = ARENA_NEW(arena, struct picture_style);
    *style = *style_of(arena, "po");
    style->line = "dotted";
    style->label = arena_format(arena, "po, %zu not shown", hidden);
    style->legend = "program order, over accesses that take no part";
    add_edge(arena, picture, style, a, b, is_emphasised);
}

static void fold(struct arena *arena, struct picture *picture) {
    bool *is_emphasised = ARENA_ARRAY(arena, bool, picture->execution->n + 1);
    if (shown_count(picture) <= UNFOLDED_MAX)
        return;
    for (size_t i = 0; i < picture->edge_count; i++)
        if (is_order_edge(&picture->edges[i]) && picture->edges[i].is_emphasised)
            is_emphasised[picture->edges[i].a] = true;
    hide_others(arena, picture);
    for (unsigned e = 0; e < picture->execution->n; e++)
        if (picture->shown[e] && !is_initial(picture, e))
            bridge(arena, picture, e, is_emphasised[e]);
}

// --- Relations of --show -----------------------------------------------------------------------

static const char *const base_names[] = {
#define BASE_SET(id, name, doc)
#define BASE_RELATION(id, name, doc) [BASE_REL_##id] = name,
#include "model/cat/base.def"
#undef BASE_SET
#undef BASE_RELATION
};

// The node of a model that has a name, or the model's count.
static size_t node_named(const struct model *model, const char *name, bool is_set) {
    for (size_t i = 0; i < model->node_count; i++) {
        const struct model_node *node = &model->nodes[i];
        if (node->name && node->is_set == is_set && strcmp(node->name, name) == 0)
            return i;
    }
    return model->node_count;
}

static int base_named(const char *name) {
    for (int i = 0; i < BASE_REL_COUNT; i++)
        if (strcmp(base_names[i], name) == 0)
            return i;
    return -1;
}

const char *pictures_check_shown(struct arena *arena, const struct options *options,
                                 const struct model *model) {
    for (size_t i = 0; i < options->explain.shown_count; i++) {
        const char *name = options->explain.shown[i];
        if (base_named(name) >= 0 || node_named(model, name, false) < model->node_count)
            continue;
        if (node_named(model, name, true) < model->node_count) {
            return arena_format(
                arena, "'--show' names '%s', which is a set of the model %s, and not a relation",
                name, model->name);
        }
        const char **names = ARENA_ARRAY(arena, const char *, model->node_count + BASE_REL_COUNT);
        size_t count = 0;
        for (size_t k = 0; k < model->node_count; k++)
            if (model->nodes[k].name && !model->nodes[k].is_set)
                names[count++] = model->nodes[k].name;
        for (int k = 0; k < BASE_REL_COUNT; k++)
            names[count++] = base_names[k];
        const char *near = diag_nearest(name, strlen(name), names, count);
        return arena_format(
            arena, "'--show' names '%s', but the model %s has no such relation%s%s%s", name,
            model->name, near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "");
    }
    return NULL;
}

// Whether a pair follows from two others of a relation.
static bool follows(const struct relation *relation, unsigned a, unsigned b) {
    for (unsigned c = 0; c < relation->n; c++)
        if (c != a && c != b && relation_has(relation, a, c) && relation_has(relation, c, b))
            return true;
    return false;
}

// Whether a relation is closed under that, and leads no way and back.
static bool is_order(const struct relation *relation) {
    for (unsigned a = 0; a < relation->n; a++) {
        for (unsigned b = 0; b < relation->n; b++) {
            bool there = relation_has(relation, a, b);
            bool back = there && relation_has(relation, b, a);
            if (a != b && (back || (!there && follows(relation, a, b))))
                return false;
        }
    }
    return true;
}

static void add_relation(const struct picture_maker *maker, struct picture *picture,
                         const char *name) {
    size_t node = node_named(maker->explanation->model, name, false);
    const struct found_execution *execution = picture->execution;
    const struct relation *relation = node < maker->explanation->model->node_count
                                          ? &execution->nodes[node].relation
                                          : &execution->facts->relations[base_named(name)];
    bool reduced = is_order(relation);
    for (unsigned a = 0; a < relation->n; a++) {
        for (unsigned b = 0; b < relation->n; b++) {
            bool shown = a != b && relation_has(relation, a, b) && execution->executes[a] &&
                         execution->executes[b] && !is_initial(picture, a) &&
                         !is_initial(picture, b);
            if (shown && !(reduced && follows(relation, a, b)))
                add_edge(maker->arena, picture, style_of(maker->arena, name), a, b, false);
        }
    }
}

// --- Pictures ----------------------------------------------------------------------------------

static struct picture *add_picture(struct picture_maker *maker,
                                   const struct found_execution *execution, const char *title) {
    bool is_same = execution->program == maker->explanation->program;
    struct picture_list *list = &maker->list;
    list->items = arena_grow(maker->arena, list->items, list->count, sizeof *list->items);
    struct picture *picture = &list->items[list->count++];
    *picture = (struct picture){.title = title,
                                .execution = execution,
                                .names = &maker->explanation->names,
                                .values = maker->report->options->hex ? VALUE_HEX : VALUE_DECIMAL,
                                .shown = ARENA_ARRAY(maker->arena, bool, execution->n + 1)};
    if (!is_same) {
        struct event_names *names = ARENA_NEW(maker->arena, struct event_names);
        *names = event_names_new(maker->arena, execution->program);
        picture->names = names;
    }
    add_program_order(maker->arena, picture);
    add_shown_edges(maker, picture);
    add_stale_reads(maker, picture);
    const struct explain_options *options = &maker->report->added->options->explain;
    for (size_t i = 0; i < options->shown_count; i++)
        add_relation(maker, picture, options->shown[i]);
    return picture;
}

static void add_breach(struct picture_maker *maker, const struct breach *breach) {
    const struct axiom_words *words = words_of_axiom(breach->axiom);
    const char *title = arena_format(
        maker->arena, "An execution with this outcome, which breaks %s%s%s%s: thick edges",
        escaped(maker->arena, breach->axiom->name), words && *words->section ? " (PTX ISA " : "",
        words ? words->section : "", words && *words->section ? ")" : "");
    struct picture *picture = add_picture(maker, breach->execution, title);
    add_steps(maker, picture, &breach->steps);
    add_unordered(maker, picture, &breach->steps);
}

// How the kernel was launched, one part per line: "launched with grid 2", "assumed: grid".
static void take_launch(struct picture_maker *maker) {
    const char *launched = report_derived_launch(maker->report);
    const char **lines = NULL;
    while (*launched) {
        const char *end = strstr(launched, "; ");
        size_t size = end ? (size_t)(end - launched) : strlen(launched);
        const char *part = escaped(maker->arena, arena_strndup(maker->arena, launched, size));
        lines = arena_grow(maker->arena, lines, maker->list.launch_count, sizeof *lines);
        lines[maker->list.launch_count] = maker->list.launch_count == 0
                                              ? arena_format(maker->arena, "launched with %s", part)
                                              : part;
        maker->list.launch_count++;
        launched += end ? size + 2 : size;
    }
    maker->list.launch = lines;
}

// "MP, ptx-9.1: forbidden: P1:%r0 == 1".
static const char *list_title(struct arena *arena, const struct report *report) {
    if (report->program->test->is_unasked) {
        return escaped(arena, arena_format(arena, "%s, %s: what may go wrong",
                                           report->program->test->name, report->model));
    }
    return escaped(arena, arena_format(arena, "%s, %s: %s: %s", report->program->test->name,
                                       report->model, explained_verdict(report->explained),
                                       explanation_outcome(arena, report)));
}

struct picture_list pictures_of(struct arena *arena, const struct report *report) {
    const struct explained *explained = report->explained;
    const struct explanation *explanation = explained->explanation;
    struct picture_maker maker = {arena, report, explanation, {0}};
    maker.list.title = list_title(arena, report);
    take_launch(&maker);
    assert(explanation);
    if (explanation->example) {
        add_faults(&maker, add_picture(&maker, explanation->example,
                                       "An execution with this outcome, which breaks no axiom"));
    }
    for (size_t i = 0; !explained->is_open && i < explanation->breach_count; i++)
        add_breach(&maker, &explanation->breaches[i]);
    if (explained->endless && explained->endless->termination.execution) {
        add_picture(&maker, explained->endless->termination.execution,
                    "An execution that never ends, even though the schedule serves every thread");
    }
    if (explained->hang) {
        add_picture(&maker, explained->hang,
                    "An execution in which a thread never leaves a barrier");
    }
    for (size_t i = 0; i < maker.list.count; i++)
        fold(arena, &maker.list.items[i]);
    return maker.list;
}
