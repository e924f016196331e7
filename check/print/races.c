// Races for people and for JSON: the two instructions, and an execution in which they race.
#include "check/print/races.h"

#include "check/report/flags.h"
#include "check/report/races.h"
#include "check/text/json.h"
#include "check/text/names.h"
#include "check/text/values.h"
#include "litmus/source/arena.h"
#include "litmus/source/source.h"

#include <string.h>

static const struct event *event_at(const struct report *report, unsigned event) {
    return &report->program->events[event];
}

// --- Text --------------------------------------------------------------------------------------

static const char *event_value(struct arena *arena, const struct report *report,
                               const struct witness_event *shown) {
    char text[VALUE_TEXT_SIZE];
    enum value_style style = report->options->hex ? VALUE_HEX : VALUE_DECIMAL;
    if (shown->undef)
        return "an unknown value";
    return arena_format(
        arena, "%s",
        value_text(text, shown->value, 8 * event_at(report, shown->event)->size, false, style));
}

static void print_event(FILE *out, struct arena *arena, const struct report *report,
                        const struct witness_event *shown) {
    const struct event *event = event_at(report, shown->event);
    bool read = event->kind == EVENT_READ;
    fprintf(out, "      %s %s %s", race_access_text(arena, report, shown->event),
            read ? "reads" : "writes", event_value(arena, report, shown));
    for (size_t i = 0; i < shown->source_count; i++) {
        const struct event *source = event_at(report, shown->sources[i]);
        fprintf(out, "%s%s", i == 0 ? " from " : " and ",
                source->instruction ? race_place_text(arena, report, source) : "the initial value");
    }
    fputc('\n', out);
}

void race_execution_print(FILE *out, struct arena *arena, const struct report *report,
                          const struct race *race) {
    for (size_t k = 0; k < race->witness->count; k++)
        print_event(out, arena, report, &race->witness->events[k]);
}

void races_print(FILE *out, struct arena *arena, const struct report *report) {
    const struct outcomes *outcomes = report->outcomes;
    for (size_t i = 0; i < outcomes->race_count; i++) {
        const struct race *race = &outcomes->races[i];
        fprintf(out, "  %s%s between %s; for one, in this execution:\n",
                race->possible ? "possible " : "", flag_name(&outcomes->flags[race->flag]),
                race_text(arena, report, race));
        race_execution_print(out, arena, report, race);
        const char *why = race_why_text(report, race);
        if (why)
            fprintf(out, "      %s\n", why);
    }
    if (outcomes->races_cut)
        fputs("  there may be more races: not all pairs were decided\n", out);
}

// --- JSON --------------------------------------------------------------------------------------

// Where an event is in the test; null for an initial write.
static json_t *place_json(struct arena *arena, const struct report *report, unsigned event) {
    const struct event *e = event_at(report, event);
    if (!e->instruction)
        return json_null();
    const struct span span = e->instruction->opcode_span;
    struct position at = source_position(span.source, span.begin);
    const char *thread =
        arena_format(arena, "P%u", report->program->test->threads[e->thread].number);
    json_t *place = json_pack("{s:s, s:I, s:I, s:s}", "thread", thread, "line", (json_int_t)at.line,
                              "column", (json_int_t)at.column, "instruction",
                              valid_utf8(arena, race_instruction_text(arena, e->instruction)));
    const char *loc = race_source_text(arena, e->instruction);
    if (loc)
        json_field(place, "source", json_string(valid_utf8(arena, loc)));
    return place;
}

static json_t *event_json(struct arena *arena, const struct report *report,
                          const struct witness_event *shown) {
    const struct event *event = event_at(report, shown->event);
    bool read = event->kind == EVENT_READ;
    json_t *object = place_json(arena, report, shown->event);
    json_field(object, read ? "reads" : "writes",
               value_json(shown->value, shown->undef, 8 * event->size, false));
    json_t *sources = json_array();
    for (size_t i = 0; i < shown->source_count; i++)
        json_item(sources, place_json(arena, report, shown->sources[i]));
    if (read)
        json_field(object, "from", sources);
    else
        json_decref(sources);
    return object;
}

json_t *races_json(struct arena *arena, const struct report *report) {
    json_t *races = json_array();
    for (size_t i = 0; i < report->outcomes->race_count; i++) {
        const struct race *race = &report->outcomes->races[i];
        json_t *execution = json_array();
        for (size_t k = 0; k < race->witness->count; k++)
            json_item(execution, event_json(arena, report, &race->witness->events[k]));
        json_t *object = json_pack(
            "{s:s, s:[o, o], s:o}", "flag", flag_name(&report->outcomes->flags[race->flag]),
            "between", place_json(arena, report, race->events[0]),
            place_json(arena, report, race->events[1]), "execution", execution);
        const char *why = race_why_text(report, race);
        if (why)
            json_field(object, "why", json_string(why));
        if (race->possible)
            json_field(object, "possible", json_true());
        json_item(races, object);
    }
    return races;
}
