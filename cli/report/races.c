// Races in words.
#include "cli/report/races.h"

#include "cli/print/names.h"
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
        if (!space) {
            copy[kept++] = copy[i];
        } else if (kept != 0 && copy[kept - 1] != ' ') {
            copy[kept++] = ' ';
        }
    }
    while (kept != 0 && strchr(" ;", copy[kept - 1])) {
        kept--;
    }
    copy[kept] = '\0';
    return escaped(arena, copy);
}

const char *race_place_text(struct arena *arena, const struct report *report,
                            const struct event *event) {
    const struct span span = event->instruction->opcode_span;
    return arena_format(arena, "P%u line %u", report->program->test->threads[event->thread].number,
                        source_position(span.source, span.begin).line);
}

const char *race_access_text(struct arena *arena, const struct report *report, unsigned event) {
    const struct event *e = &report->program->events[event];
    return arena_format(arena, "%s: %s", race_place_text(arena, report, e),
                        race_instruction_text(arena, e->instruction));
}

const char *race_text(struct arena *arena, const struct report *report, const struct race *race) {
    return arena_format(arena, "%s, and %s", race_access_text(arena, report, race->events[0]),
                        race_access_text(arena, report, race->events[1]));
}
