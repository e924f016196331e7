// Explanations as JSON: docs/explain.md has the fields.
#include "check/text/deeds.h"
#include "check/print/explanation.h"
#include "check/print/endings.h"
#include "check/print/json.h"
#include "check/print/races.h"
#include "check/report/races.h"
#include "check/text/json.h"
#include "check/text/names.h"
#include "check/text/values.h"
#include "check/report/explained.h"
#include "explain/faults.h"
#include "explain/shown.h"
#include "explain/words.h"
#include "litmus/source/arena.h"
#include "litmus/source/source.h"

#include <jansson.h>
#include <string.h>

// What the parts of one object share.
struct explanation_object {
    struct arena *arena;
    const struct explanation *explanation;
};

static json_t *name_json(const struct explanation_object *object, unsigned event) {
    return text_json(object->arena, object->explanation->names.items[event]);
}

// --- Events ------------------------------------------------------------------------------------

static const char *kind_text(const struct event *event) {
    switch (event->kind) {
    case EVENT_INIT: return "initial";
    case EVENT_READ: return "read";
    case EVENT_WRITE: return "write";
    case EVENT_FENCE: return "fence";
    case EVENT_PROXY_FENCE: return "proxy-fence";
    case EVENT_BARRIER: return event->barrier->is_arrival ? "arrive" : "wait";
    case EVENT_ISSUE: return "issue";
    case EVENT_ASYNC_WAIT: return "group-wait";
    case EVENT_GRID_LAUNCH: return "grid-launch";
    case EVENT_WGMMA_FENCE: return "wgmma-fence";
    case EVENT_TENSOR_FENCE: return "tcgen05-fence";
    case EVENT_PRECONDITION: return "precondition";
    }
    return "";
}

// Where a read takes its bytes from, from the lowest address on.
static json_t *sources_json(const struct explanation_object *object,
                            const struct found_execution *execution, unsigned read) {
    const struct candidate *place = execution->places[read];
    json_t *sources = json_array();
    for (unsigned k = 0; place && k < place->cell_count; k++) {
        const struct cell *cell = &execution->program->memory.cells[place->first_cell + k];
        json_t *source = json_object();
        json_field(source, "event", name_json(object, (unsigned)execution->sources[read][k]));
        json_field(source, "bytes", json_integer(cell->size));
        json_item(sources, source);
    }
    return sources;
}

// The state of an mbarrier: null where it is not initialised.
static json_t *mbarrier_json(uint64_t bits) {
    struct deed_state state = deed_state(bits);
    json_t *json = json_object();
    if (!state.is_there) {
        json_decref(json);
        return json_null();
    }
    json_field(json, "phase", json_integer(state.phase));
    json_field(json, "pending", json_integer(state.pending));
    json_field(json, "expected", json_integer(state.expected));
    json_field(json, "bytes", json_integer(state.bytes));
    json_field(json, "layout", json_integer(state.layout));
    return json;
}

static json_t *event_json(const struct explanation_object *object,
                          const struct found_execution *execution, unsigned e) {
    const struct event *event = &execution->program->events[e];
    const struct span span = event->instruction->opcode_span;
    struct position at = source_position(span.source, span.begin);
    const struct candidate *place = execution->places[e];
    json_t *json = json_object();
    json_field(json, "name", name_json(object, e));
    json_field(json, "thread",
               json_integer(execution->program->test->threads[event->thread].number));
    json_field(json, "line", json_integer(at.line));
    json_field(json, "column", json_integer(at.column));
    json_field(json, "instruction",
               text_json(object->arena, race_instruction_text(object->arena, event->instruction)));
    json_field(json, "kind", json_string(kind_text(event)));
    if (event_is_access(event) && place) {
        json_field(json, "place",
                   text_json(object->arena,
                             event_place_name(object->arena, execution->program, event, place)));
        json_field(json, "value",
                   value_json(execution->values[e], execution->undef[e], 8 * event->size, false));
    }
    if (event->mbarrier && place && !execution->undef[e])
        json_field(json, "mbarrier", mbarrier_json(execution->values[e].low));
    if (event->kind == EVENT_READ && place)
        json_field(json, "from", sources_json(object, execution, e));
    if (execution->repeats)
        json_field(json, "repeats", json_boolean(execution->repeats[e]));
    if (event->kind == EVENT_BARRIER && event->barrier->is_wait)
        json_field(json, "passes", json_boolean(execution->passes[e]));
    return json;
}

// --- Executions --------------------------------------------------------------------------------

static json_t *pair_json(const struct explanation_object *object, unsigned a, unsigned b) {
    json_t *pair = json_array();
    json_item(pair, name_json(object, a));
    json_item(pair, name_json(object, b));
    return pair;
}

// All pairs of a relation but those from initial writes.
static json_t *pairs_json(const struct explanation_object *object,
                          const struct found_execution *execution,
                          const struct relation *relation) {
    json_t *pairs = json_array();
    for (unsigned a = 0; a < relation->n; a++) {
        for (unsigned b = 0; b < relation->n; b++)
            if (relation_has(relation, a, b) && execution->program->events[a].kind != EVENT_INIT)
                json_item(pairs, pair_json(object, a, b));
    }
    return pairs;
}

static json_t *edges_json(const struct explanation_object *object,
                          const struct found_execution *execution) {
    struct shown_edges edges = shown_edges_of(object->arena, object->explanation->model, execution);
    json_t *list = json_array();
    for (size_t i = 0; i < edges.count; i++) {
        json_t *edge = json_object();
        json_field(edge, "relation", json_string(edges.items[i].relation));
        json_field(edge, "from", name_json(object, edges.items[i].a));
        json_field(edge, "to", name_json(object, edges.items[i].b));
        json_item(list, edge);
    }
    return list;
}

// The axioms that an execution breaks, of those that are required.
static json_t *broken_json(const struct explanation_object *object,
                           const struct found_execution *execution) {
    const struct model *model = object->explanation->model;
    json_t *names = json_array();
    for (size_t i = 0; i < model->axiom_count; i++)
        if (model->axioms[i].use == AXIOM_REQUIRED &&
            !model_axiom_holds(&model->axioms[i], execution->nodes))
            json_item(names, text_json(object->arena, model->axioms[i].name));
    return names;
}

// The threads of CTAs whose launch is cancelled, each with the request that does.
static json_t *cancelled_json(const struct explanation_object *object,
                              const struct found_execution *execution) {
    const struct test *test = execution->program->test;
    json_t *all = json_array();
    for (size_t t = 0; t < test->thread_count; t++) {
        if (execution->cancelled_by[t] >= 0) {
            json_t *one = json_object();
            json_field(one, "thread", json_integer(test->threads[t].number));
            json_field(one, "by", name_json(object, (unsigned)execution->cancelled_by[t]));
            json_item(all, one);
        }
    }
    return all;
}

static json_t *execution_json(const struct explanation_object *object,
                              const struct found_execution *execution) {
    const struct relation *base = execution->facts->relations;
    json_t *json = json_object(), *events = json_array();
    for (unsigned e = 0; e < execution->n; e++)
        if (execution->executes[e] && execution->program->events[e].thread >= 0)
            json_item(events, event_json(object, execution, e));
    json_field(json, "events", events);
    if (execution->program->cancelled_by)
        json_field(json, "cancelled", cancelled_json(object, execution));
    json_field(json, "co", pairs_json(object, execution, &base[BASE_REL_CO]));
    json_field(json, "sc", pairs_json(object, execution, &base[BASE_REL_SC_ORDER]));
    json_field(json, "phase", pairs_json(object, execution, &base[BASE_REL_PHASE]));
    json_field(json, "edges", edges_json(object, execution));
    json_field(json, "breaks", broken_json(object, execution));
    return json;
}

// --- Steps -------------------------------------------------------------------------------------

static json_t *notes_json(const struct explanation_object *object, const struct step_list *steps) {
    json_t *list = json_array();
    for (size_t i = 0; i < steps->note_count; i++) {
        const struct explained_note *note = &steps->notes[i];
        json_t *json = json_object();
        const char *relation = object->explanation->model->nodes[note->node].name;
        if (note->has_pair) {
            json_field(json, "relation", text_json(object->arena, relation));
            json_field(json, "from", name_json(object, note->a));
            json_field(json, "to", name_json(object, note->b));
        }
        json_field(json, "sentence", text_json(object->arena, note->text));
        json_item(list, json);
    }
    return list;
}

static json_t *steps_json(const struct explanation_object *object, const struct step_list *steps) {
    json_t *list = json_array();
    for (size_t i = 0; i < steps->count; i++) {
        const struct explained_step *step = &steps->items[i];
        const char *relation = object->explanation->model->nodes[step->node].name;
        json_t *json = json_object();
        if (step->missing)
            json_field(json, "missing", text_json(object->arena, step->missing));
        else
            json_field(json, "relation", text_json(object->arena, relation));
        if (step->lacks)
            json_field(json, "holds", json_false());
        json_field(json, "from", name_json(object, step->a));
        json_field(json, "to", name_json(object, step->b));
        json_field(json, "sentence", text_json(object->arena, step->sentence));
        json_field(json, "section",
                   text_json(object->arena, *step->section ? step->section : NULL));
        if (step->origin)
            json_field(json, "definition", text_json(object->arena, step->origin));
        json_field(json, "notes", notes_json(object, &step->below));
        json_field(json, "because", steps_json(object, &step->below));
        json_item(list, json);
    }
    return list;
}

static json_t *breach_json(const struct explanation_object *object, const struct breach *breach) {
    const struct axiom_words *words = words_of_axiom(breach->axiom);
    json_t *json = json_object();
    json_field(json, "axiom", text_json(object->arena, breach->axiom->name));
    json_field(json, "section",
               text_json(object->arena, words && *words->section ? words->section : NULL));
    json_field(json, "rule",
               text_json(object->arena,
                         words ? words->rule : words_of_span(object->arena, breach->axiom->span)));
    json_field(json, "alone", json_boolean(breach->alone));
    json_field(json, "execution", execution_json(object, breach->execution));
    json_field(json, "because", steps_json(object, &breach->steps));
    json_field(json, "notes", notes_json(object, &breach->steps));
    return json;
}

// The axioms that count for the outcome: where a flag leaves the program undefined, not all do.
static json_t *axioms_json(const struct explanation_object *object) {
    const struct model *model = object->explanation->model;
    json_t *names = json_array();
    for (size_t i = 0; i < model->axiom_count; i++)
        if (model->axioms[i].use == AXIOM_REQUIRED)
            json_item(names, text_json(object->arena, model->axioms[i].name));
    return names;
}

// The pairs that do not synchronise, or are not morally strong, and why.
static json_t *faults_json(const struct explanation_object *object) {
    const struct explanation *explanation = object->explanation;
    struct sync_faults faults =
        faults_find(object->arena, explanation->model, explanation->example, &explanation->names);
    json_t *list = json_array();
    for (size_t i = 0; i < faults.count; i++) {
        json_t *json = json_object();
        json_field(json, "relation", json_string(faults.items[i].relation));
        json_field(json, "from", name_json(object, faults.items[i].a));
        json_field(json, "to", name_json(object, faults.items[i].b));
        json_field(json, "sentence", text_json(object->arena, faults.items[i].sentence));
        json_item(list, json);
    }
    return list;
}

// The axiom that is nearest to excluding the example.
static json_t *nearest_json(const struct explanation_object *object) {
    const struct explanation *explanation = object->explanation;
    if (!explanation->nearest)
        return json_null();
    json_t *json = json_object();
    json_field(json, "axiom", text_json(object->arena, explanation->nearest->name));
    json_field(json, "because", steps_json(object, &explanation->lacking));
    json_field(json, "note",
               text_json(object->arena,
                         why_not_note(object->arena, &explanation->names, &explanation->lacking)));
    return json;
}

// The pair that was asked about.
static json_t *why_not_json(const struct explanation_object *object, const struct why_not *why) {
    json_t *json = json_object();
    json_field(json, "relation", text_json(object->arena, why->relation));
    json_field(json, "from", name_json(object, why->a));
    json_field(json, "to", name_json(object, why->b));
    json_field(json, "holds", json_boolean(why->holds));
    json_field(json, "enough", json_boolean(why->is_enough));
    json_field(json, "by_strength", json_boolean(why->by_strength));
    json_field(json, "because", steps_json(object, &why->steps));
    return json;
}

static json_t *remedies_json(struct arena *arena, const struct repair *repair) {
    json_t *list = json_array();
    for (size_t i = 0; repair && i < repair->count; i++) {
        json_t *words = json_array();
        for (size_t k = 0; k < repair->remedies[i].word_count; k++)
            json_item(words, text_json(arena, repair->remedies[i].words[k]));
        json_item(list, words);
    }
    return list;
}

// The races of the run, each with its events and an execution in full where one was found.
static json_t *flag_races_json(const struct explanation_object *object,
                               const struct report *report) {
    json_t *races = races_json(object->arena, report);
    for (size_t i = 0; object->explanation && i < json_array_size(races); i++) {
        const struct race *race = &report->outcomes->races[i];
        const struct found_execution **found = report->explained->races;
        json_t *json = json_array_get(races, i);
        json_field(json, "events", pair_json(object, race->events[0], race->events[1]));
        json_field(json, "example",
                   found && found[i] ? execution_json(object, found[i]) : json_null());
    }
    return races;
}

// How the threads fare in an execution that never ends, and that one, whose events are of a program
// of its own.
static json_t *endless_json(const struct explanation_object *object, const struct report *report) {
    struct report fair = *report;
    fair.outcomes = report->explained->endless;
    const struct found_execution *execution = fair.outcomes->termination.execution;
    json_t *json = endings_json(object->arena, &fair);
    if (!execution || !object->explanation)
        return json;
    struct explanation explanation = *object->explanation;
    explanation.program = execution->program;
    explanation.names = event_names_new(object->arena, execution->program);
    struct explanation_object other = {object->arena, &explanation};
    json_field(json, "example", execution_json(&other, execution));
    return json;
}

// --- The whole ---------------------------------------------------------------------------------

static json_t *missing_json(const struct explanation_object *object,
                            const struct missing_value *missing) {
    const struct observed *observed = &object->explanation->program->observed[missing->observed];
    json_t *json = json_object(), *possible = json_array();
    for (size_t i = 0; i < missing->possible_count; i++) {
        json_item(possible,
                  value_json(missing->possible[i], false, observed->width, observed->is_signed));
    }
    json_field(json, "name", text_json(object->arena, observed->json_name));
    json_field(json, "wanted",
               missing->has_wanted
                   ? value_json(missing->wanted, false, observed->width, observed->is_signed)
                   : json_null());
    json_field(json, "possible", possible);
    json_field(json, "complete", json_boolean(!missing->cut));
    return json;
}

void print_explanation_json(FILE *out, struct arena *arena, const struct report *report) {
    const struct explanation *explanation = report->explained->explanation;
    struct explanation_object object = {arena, explanation};
    const char *limit = explained_limit(arena, report);
    json_t *json = json_object(), *core = json_array(), *missing = json_array();
    json_head(json, arena, report);
    if (explanation)
        json_field(json, "axioms", axioms_json(&object));
    json_field(json, "outcome", text_json(arena, explanation_outcome(arena, report)));
    json_field(json, "verdict", json_string(explained_verdict(report->explained)));
    bool known = explanation && !report->explained->is_open;
    for (size_t i = 0; known && i < explanation->breach_count; i++)
        json_item(core, breach_json(&object, &explanation->breaches[i]));
    for (size_t i = 0; known && i < explanation->missing_count; i++)
        json_item(missing, missing_json(&object, &explanation->missing[i]));
    bool shown = explanation && explanation->example;
    json_field(json, "example",
               shown ? execution_json(&object, explanation->example) : json_null());
    if (shown) {
        json_field(json, "lacks", faults_json(&object));
        json_field(json, "nearest", nearest_json(&object));
    }
    if (report->explained->why_not)
        json_field(json, "why_not", why_not_json(&object, report->explained->why_not));
    json_field(json, "core", core);
    if (explanation && explanation->assumed)
        json_field(json, "assumed", text_json(arena, explanation->assumed->name));
    json_field(json, "missing", missing);
    const struct repair *repair = report->explained->repair;
    bool open = repair && repair->state == REPAIR_UNDECIDED;
    json_field(json, "remedies", open ? json_null() : remedies_json(arena, repair));
    json_field(json, "races", flag_races_json(&object, report));
    if (report->explained->endless)
        json_field(json, "endless", endless_json(&object, report));
    if (report->explained->hang)
        json_field(json, "hang", execution_json(&object, report->explained->hang));
    const char *reason = limit ? limit : explained_gap(arena, report);
    if (reason)
        json_field(json, "reason", text_json(arena, reason));
    print_json_line(out, json);
}
