// Findings in columns: what, where, which access by whom, and its text.
#include "cli/print/findings.h"

#include "check/print/endings.h"
#include "cli/print/source_line.h"
#include "check/text/json.h"
#include "check/text/names.h"
#include "check/print/races.h"
#include "check/report/races.h"
#include "cli/report/added.h"
#include "litmus/source/arena.h"

#include <string.h>

enum { TEXT_MAX = 60 };

// --- Races -------------------------------------------------------------------------------------

const char *finding_text(struct arena *arena, const struct report *report,
                         const struct instruction *instruction) {
    const char *line = source_line_text(arena, report, instruction);
    const char *text = line ? escaped(arena, line) : race_instruction_text(arena, instruction);
    return strlen(text) <= TEXT_MAX ? text : arena_format(arena, "%.*s...", TEXT_MAX - 3, text);
}

static int longer(const char *a, const char *b) {
    size_t first = strlen(a), second = strlen(b);
    return (int)(first > second ? first : second);
}

static void print_race(FILE *out, struct arena *arena, const struct report *report,
                       const struct race_finding *finding) {
    const struct race *race = finding->race;
    const struct event *events[2];
    const char *places[2], *accesses[2];
    for (unsigned i = 0; i < 2; i++) {
        events[i] = &report->program->events[race->events[i]];
        places[i] = race_line_text(arena, report, events[i]->instruction);
    }
    for (unsigned i = 0; i < 2; i++)
        accesses[i] = finding_access(arena, report, events[i], events[1 - i]);
    const char *name = flag_name(&report->outcomes->flags[race->flag]);
    unsigned count = race->events[0] == race->events[1] ? 1 : 2;
    const char *label = arena_format(arena, "%s%s", race->possible ? "possible " : "", name);
    int width = strlen(label) > FINDING_LABEL ? (int)strlen(label) : FINDING_LABEL;
    for (unsigned i = 0; i < count; i++) {
        fprintf(out, "  %-*s  %-*s  %-*s  | %s\n", width, i == 0 ? label : "",
                longer(places[0], places[1]), places[i], longer(accesses[0], accesses[1]),
                accesses[i], finding_text(arena, report, events[i]->instruction));
    }
    if (finding->pairs > 1) {
        fprintf(out, "  %-*s  and %zu more pair%s of threads there\n", width, "",
                finding->pairs - 1, finding->pairs == 2 ? "" : "s");
    }
    const char *why = race_why_text(report, race);
    why = why ? why : finding->why;
    if (why)
        fprintf(out, "  %-*s  %s\n", width, "why", why);
    if (report->added->options->print.executions)
        race_execution_print(out, arena, report, race);
}

void findings_print(FILE *out, struct arena *arena, const struct report *report) {
    const struct findings *findings = report->added->findings;
    struct findings own = {0};
    if (!findings) {
        own = findings_of(arena, report);
        findings = &own;
    }
    for (size_t i = 0; i < findings->count; i++)
        print_race(out, arena, report, &findings->items[i]);
    if (report->outcomes->races_cut)
        fputs("  there may be more races: not all pairs were decided\n", out);
}

static json_t *place_json(struct arena *arena, const struct report *report, const struct race *race,
                          unsigned side) {
    const struct event *event = &report->program->events[race->events[side]];
    const struct event *other = &report->program->events[race->events[1 - side]];
    return json_of("{s:o, s:o}", "place",
                   text_json(arena, race_line_text(arena, report, event->instruction)), "access",
                   text_json(arena, finding_access(arena, report, event, other)));
}

json_t *findings_json(struct arena *arena, const struct report *report) {
    const struct findings *findings = report->added->findings;
    json_t *array = json_array();
    for (size_t i = 0; i < findings->count; i++) {
        const struct race_finding *finding = &findings->items[i];
        const struct race *race = finding->race;
        json_t *object =
            json_of("{s:o, s:[o, o], s:I}", "flag",
                    text_json(arena, flag_name(&report->outcomes->flags[race->flag])), "places",
                    place_json(arena, report, race, 0), place_json(arena, report, race, 1), "pairs",
                    (json_int_t)finding->pairs);
        if (finding->why)
            json_field(object, "why", text_json(arena, finding->why));
        json_item(array, object);
    }
    return array;
}

// --- Hangs -------------------------------------------------------------------------------------

// By thread, what becomes of it in an execution that never ends; NULL of those that end.
static const char **fate_texts(struct arena *arena, const struct report *report, size_t count) {
    const char **texts = ARENA_ARRAY(arena, const char *, count + 1);
    for (size_t t = 0; t < count; t++) {
        const struct thread_fate *fate = &report->outcomes->termination.fates[t];
        texts[t] = fate->fate == FATE_ENDS ? NULL : fate_text(arena, report, fate);
    }
    return texts;
}

// "P0, P1", or of more than three "P0 and 5 more like it": the threads with the text of one. It has
// no text after that.
static const char *alike_text(struct arena *arena, const struct report *report, const char **texts,
                              size_t thread, size_t count) {
    enum { NAMED = 3 };
    const char *first = finding_thread(arena, report, (int)thread), *named = first;
    const char *text = texts[thread];
    size_t alike = 0;
    for (size_t t = thread; t < count; t++) {
        if (!texts[t] || strcmp(texts[t], text) != 0)
            continue;
        texts[t] = NULL;
        if (++alike > 1 && alike <= NAMED)
            named = arena_format(arena, "%s, %s", named, finding_thread(arena, report, (int)t));
    }
    return alike <= NAMED ? named
                          : arena_format(arena, "%s and %zu more like it", first, alike - 1);
}

const char *hang_text(struct arena *arena, const struct report *report) {
    size_t count = report->program->test->thread_count;
    const char *all = "an execution never ends";
    if (!report->outcomes->termination.fates)
        return all;
    const char **texts = fate_texts(arena, report, count);
    for (size_t t = 0; t < count; t++) {
        const char *text = texts[t];
        if (text) {
            all = arena_format(arena, "%s\n%s: %s", all, alike_text(arena, report, texts, t, count),
                               text);
        }
    }
    return all;
}

void hang_print(FILE *out, struct arena *arena, const struct report *report) {
    const struct termination *termination = &report->outcomes->termination;
    const char *label = termination->possible ? "possible hang" : "hang";
    size_t count = report->program->test->thread_count;
    if (!termination->fates) {
        fprintf(out, "  %-*s  an execution never ends\n", FINDING_LABEL, label);
        return;
    }
    const char **texts = fate_texts(arena, report, count);
    for (size_t t = 0; t < count; t++) {
        const char *text = texts[t];
        if (text) {
            fprintf(out, "  %-*s  %s: %s\n", FINDING_LABEL, label,
                    alike_text(arena, report, texts, t, count), text);
            label = "";
        }
    }
}
