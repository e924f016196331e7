// Races in words.
#include "check/report/races.h"

#include "check/text/names.h"
#include "litmus/readers/module/origin.h"
#include "litmus/source/arena.h"
#include "litmus/source/source.h"

#include <string.h>

const char *race_instruction_text(struct arena *arena, const struct instruction *instruction) {
    const struct span span = instruction->span;
    const char *text = span.source->text + span.begin;
    size_t length = span.end - span.begin, kept = 0;
    char *copy = arena_strndup(arena, text, length);
    for (size_t i = 0; i < length; i++) {
        bool space = strchr(" \t\r\n", copy[i]) != NULL;
        if (!space)
            copy[kept++] = copy[i];
        else if (kept != 0 && copy[kept - 1] != ' ')
            copy[kept++] = ' ';
    }
    while (kept != 0 && strchr(" ;", copy[kept - 1]))
        kept--;
    copy[kept] = '\0';
    return escaped(arena, copy);
}

const char *race_source_text(struct arena *arena, const struct instruction *instruction) {
    struct line_origin origin = origin_of(arena, instruction);
    return origin_text(arena, &origin);
}

const char *race_line_text(struct arena *arena, const struct report *report,
                           const struct instruction *instruction) {
    const char *line = race_source_text(arena, instruction);
    if (line && report_is_of_cuda(report))
        return escaped(arena, line);
    const struct span span = instruction->opcode_span;
    unsigned number = source_position(span.source, span.begin).line;
    return line ? arena_format(arena, "line %u (%s)", number, escaped(arena, line))
                : arena_format(arena, "line %u", number);
}

const char *race_place_text(struct arena *arena, const struct report *report,
                            const struct event *event) {
    return arena_format(arena, "P%u %s", report->program->test->threads[event->thread].number,
                        race_line_text(arena, report, event->instruction));
}

const char *race_access_text(struct arena *arena, const struct report *report, unsigned event) {
    const struct event *e = &report->program->events[event];
    return arena_format(arena, "%s: %s", race_place_text(arena, report, e),
                        race_instruction_text(arena, e->instruction));
}

const char *race_text(struct arena *arena, const struct report *report, const struct race *race) {
    if (race->events[0] == race->events[1])
        return race_access_text(arena, report, race->events[0]);
    return arena_format(arena, "%s, and %s", race_access_text(arena, report, race->events[0]),
                        race_access_text(arena, report, race->events[1]));
}

static bool is_of_vector(const struct event *event) {
    return event->instruction && event->instruction->vector > 1;
}

const char *race_why_text(const struct report *report, const struct race *race) {
    const struct event *a = &report->program->events[race->events[0]];
    const struct event *b = &report->program->events[race->events[1]];
    if ((event_is_wide(a) && a->order != ORDER_WEAK) ||
        (event_is_wide(b) && b->order != ORDER_WEAK)) {
        return "accesses of 128 bits are morally strong to those of their own thread alone: the "
               "model relates accesses of at most 64 bits (PTX ISA 8.2.4; docs/readings.md, "
               "\"Accesses of 128 bits\")";
    }
    if (is_of_vector(a) || is_of_vector(b)) {
        return "the elements of a vector are accesses of their own, in no order, and each may be "
               "torn (PTX ISA 8.2.2; docs/readings.md, \"Torn accesses\")";
    }
    return NULL;
}
