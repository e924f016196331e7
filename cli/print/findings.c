// Findings in columns: what, where, which access by whom, and its text.
#include "cli/print/findings.h"

#include "check/print/endings.h"
#include "cli/print/source_line.h"
#include "check/text/names.h"
#include "check/print/races.h"
#include "check/report/flags.h"
#include "check/report/races.h"
#include "cli/report/added.h"
#include "litmus/source/arena.h"

#include <string.h>

enum { TEXT_MAX = 60 };

// --- Races -------------------------------------------------------------------------------------

// What an event's instruction is written as: in a .cu file its line, else the instruction.
static const char *text_of(struct arena *arena, const struct report *report,
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
        places[i] = finding_place(arena, report, events[i]->instruction);
    }
    for (unsigned i = 0; i < 2; i++) {
        accesses[i] = finding_access(arena, report, events[i], events[1 - i]);
    }
    const char *name = flag_name(&report->outcomes->flags[race->flag]);
    unsigned count = race->events[0] == race->events[1] ? 1 : 2;
    const char *label = arena_format(arena, "%s%s", race->possible ? "possible " : "", name);
    int width = strlen(label) > FINDING_LABEL ? (int)strlen(label) : FINDING_LABEL;
    for (unsigned i = 0; i < count; i++) {
        fprintf(out, "  %-*s  %-*s  %-*s  | %s\n", width, i == 0 ? label : "",
                longer(places[0], places[1]), places[i], longer(accesses[0], accesses[1]),
                accesses[i], text_of(arena, report, events[i]->instruction));
    }
    if (finding->pairs > 1) {
        fprintf(out, "  %-*s  and %zu more pair%s of threads there\n", width, "",
                finding->pairs - 1, finding->pairs == 2 ? "" : "s");
    }
    const char *why = race_why_text(report, race);
    why = why ? why : finding->why;
    if (why) {
        fprintf(out, "  %-*s  %s\n", width, "why", why);
    }
    if (report->added->options->print.executions) {
        race_execution_print(out, arena, report, race);
    }
}

void findings_print(FILE *out, struct arena *arena, const struct report *report) {
    const struct findings *findings = report->added->findings;
    struct findings own = {0};
    if (!findings) {
        own = findings_of(arena, report);
        findings = &own;
    }
    for (size_t i = 0; i < findings->count; i++) {
        print_race(out, arena, report, &findings->items[i]);
    }
    if (report->outcomes->races_cut) {
        fputs("  there may be more races: not all pairs were decided\n", out);
    }
}

// --- Hangs -------------------------------------------------------------------------------------

// Whether two threads do the same in an execution that never ends.
static bool is_same_fate(struct arena *arena, const struct report *report, size_t a, size_t b) {
    const struct thread_fate *fates = report->outcomes->termination.fates;
    return fates[a].fate == fates[b].fate &&
           strcmp(fate_text(arena, report, &fates[a]), fate_text(arena, report, &fates[b])) == 0;
}

static bool is_first(struct arena *arena, const struct report *report, size_t thread,
                     size_t *alike) {
    *alike = 0;
    for (size_t t = 0; t < report->program->test->thread_count; t++) {
        bool same = is_same_fate(arena, report, t, thread);
        if (same && t < thread) {
            return false;
        }
        *alike += same;
    }
    return true;
}

// "P0, P1", or of more than three "P0 and 5 more like it".
static const char *alike_text(struct arena *arena, const struct report *report, size_t thread,
                              size_t alike) {
    enum { NAMED = 3 };
    const char *text = finding_thread(arena, report, (int)thread);
    if (alike > NAMED) {
        return arena_format(arena, "%s and %zu more like it", text, alike - 1);
    }
    for (size_t t = thread + 1; t < report->program->test->thread_count; t++) {
        if (is_same_fate(arena, report, t, thread)) {
            text = arena_format(arena, "%s, %s", text, finding_thread(arena, report, (int)t));
        }
    }
    return text;
}

void hang_print(FILE *out, struct arena *arena, const struct report *report) {
    const struct termination *termination = &report->outcomes->termination;
    const char *label = termination->possible ? "possible hang" : "hang";
    size_t count = report->program->test->thread_count, alike;
    if (!termination->fates) {
        fprintf(out, "  %-*s  an execution never ends\n", FINDING_LABEL, label);
    }
    for (size_t t = 0; termination->fates && t < count; t++) {
        const struct thread_fate *fate = &termination->fates[t];
        if (fate->fate == FATE_ENDS || !is_first(arena, report, t, &alike)) {
            continue;
        }
        fprintf(out, "  %-*s  %s: %s\n", FINDING_LABEL, label, alike_text(arena, report, t, alike),
                fate_text(arena, report, fate));
        label = "";
    }
}
