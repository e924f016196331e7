// Races in words.
#include "check/report/races.h"

#include "check/text/names.h"
#include "litmus/source/arena.h"
#include "litmus/source/source.h"

#include <stdio.h>
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

// The beginning of the line before `at`, or NULL.
static const char *line_before(const char *text, const char *at) {
    while (at > text && at[-1] != '\n') {
        at--;
    }
    if (at == text) {
        return NULL;
    }
    for (at--; at > text && at[-1] != '\n';) {
        at--;
    }
    return at;
}

// The words of a line, without the blanks before them; the arena owns the copy.
static const char *words_of(struct arena *arena, const char *line) {
    line += strspn(line, " \t");
    return arena_strndup(arena, line, strcspn(line, "\n"));
}

// The last part of the path that `.file NUMBER "path"` gives, or NULL.
static const char *file_name(struct arena *arena, const struct source *source, unsigned number) {
    for (uint32_t i = source->line_count; i-- > 0;) {
        const char *line = source->text + source->line_starts[i];
        unsigned found;
        line += strspn(line, " \t");
        if (strncmp(line, ".file", 5) != 0 ||
            sscanf(words_of(arena, line), ".file %u", &found) != 1 || found != number) {
            continue;
        }
        const char *begin = strchr(words_of(arena, line), '"');
        if (!begin) {
            return NULL;
        }
        size_t length = strcspn(++begin, "\"");
        const char *last = memrchr(begin, '/', length);
        size_t folder = last ? (size_t)(last + 1 - begin) : 0;
        return arena_strndup(arena, begin + folder, length - folder);
    }
    return NULL;
}

// "mp.cu:8" for a .loc, or NULL; of an inlined function it is the line of the function itself, then
// that of the kernel.
static const char *loc_of(struct arena *arena, const struct source *source, const char *words) {
    unsigned file, line, outer_file, outer_line;
    if (sscanf(words, ".loc %u %u", &file, &line) != 2) {
        return NULL;
    }
    const char *name = file_name(arena, source, file), *inlined = strstr(words, "inlined_at");
    if (!name) {
        return NULL;
    }
    if (inlined && sscanf(inlined, "inlined_at %u %u", &outer_file, &outer_line) == 2) {
        const char *outer = file_name(arena, source, outer_file);
        return arena_format(arena, "%s:%u in %s:%u", name, line, outer ? outer : "?", outer_line);
    }
    return arena_format(arena, "%s:%u", name, line);
}

const char *race_source_text(struct arena *arena, const struct instruction *instruction) {
    const struct span span = instruction->opcode_span;
    const char *line = span.source->text + span.begin;
    while ((line = line_before(span.source->text, line)) != NULL) {
        const char *words = line + strspn(line, " \t");
        if (strncmp(words, ".loc ", 5) == 0 || strncmp(words, ".loc\t", 5) == 0) {
            return loc_of(arena, span.source, words_of(arena, line));
        }
        if (*words == '.' && (strncmp(words, ".entry", 6) == 0 || strncmp(words, ".func", 5) == 0 ||
                              strncmp(words, ".visible", 8) == 0)) {
            return NULL;
        }
    }
    return NULL;
}

const char *race_place_text(struct arena *arena, const struct report *report,
                            const struct event *event) {
    const struct span span = event->instruction->opcode_span;
    const char *loc = race_source_text(arena, event->instruction);
    size_t length = strlen(report->path);
    if (loc && length > 3 && strcmp(report->path + length - 3, ".cu") == 0) {
        return arena_format(arena, "P%u %s", report->program->test->threads[event->thread].number,
                            loc);
    }
    return arena_format(arena, "P%u line %u%s",
                        report->program->test->threads[event->thread].number,
                        source_position(span.source, span.begin).line,
                        loc ? arena_format(arena, " (%s)", loc) : "");
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
