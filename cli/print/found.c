// Findings with their places in the user's own files, as values.
#include "cli/print/found.h"

#include "check/report/findings.h"
#include "check/report/flags.h"
#include "check/report/judge.h"
#include "check/report/races.h"
#include "check/text/names.h"
#include "cli/print/findings.h"
#include "cli/print/launched.h"
#include "cli/print/mending.h"
#include "cli/report/added.h"
#include "litmus/readers/module/origin.h"
#include "litmus/source/arena.h"
#include "litmus/source/source.h"

#include <string.h>

// The line that a user has written; of a .cu file without one, the file.
static struct record_place place_of(struct arena *arena, const struct report *report,
                                    const struct instruction *instruction, const char *what) {
    struct record_place place = {
        .at = {.file = valid_utf8(arena, report->path)}, .what = what, .instruction = instruction};
    if (!instruction)
        return place;
    const struct line_origin origin = origin_of(arena, instruction);
    if (origin.path) {
        place.at.file = valid_utf8(arena, origin.path);
        place.at.line = origin.line;
    } else if (!report_is_of_cuda(report)) {
        const struct span span = source_in_file(instruction->span);
        const struct judged_place at = judged_place_of(span);
        place.at = at.file ? at : place.at;
        place.at.file = valid_utf8(arena, place.at.file);
    }
    return place;
}

// A finding is added with the fix after its message.
static struct record_finding *add(struct arena *arena, const struct report *report,
                                  struct record *record, const char *rule, const char *message) {
    const char *fix = fix_text(arena, report);
    record->findings =
        arena_grow(arena, record->findings, record->finding_count, sizeof *record->findings);
    struct record_finding *finding = &record->findings[record->finding_count++];
    message = fix ? arena_format(arena, "%s\nfix: %s", message, fix) : message;
    *finding = (struct record_finding){.rule = valid_utf8(arena, rule),
                                       .message = valid_utf8(arena, message),
                                       .places = ARENA_ARRAY(arena, struct record_place, 2)};
    return finding;
}

static void add_race(struct arena *arena, const struct report *report,
                     const struct race_finding *found, struct record *record) {
    const struct race *race = found->race;
    const struct event *events[2] = {&report->program->events[race->events[0]],
                                     &report->program->events[race->events[1]]};
    const char *whats[2], *why = race_why_text(report, race);
    for (int i = 0; i < 2; i++)
        whats[i] = valid_utf8(arena, finding_access(arena, report, events[i], events[1 - i]));
    why = why ? why : found->why;
    const char *name = flag_name(&report->outcomes->flags[race->flag]);
    const char *message = arena_format(arena, "%s: %s, and %s%s%s", name, whats[0], whats[1],
                                       why ? "\nwhy: " : "", why ? why : "");
    struct record_finding *finding = add(arena, report, record, name, message);
    finding->is_open = race->possible;
    for (int i = 0; i < 2; i++) {
        finding->places[finding->place_count++] =
            place_of(arena, report, events[i]->instruction, whats[i]);
    }
}

// What a run has met.
static void add_launched(struct arena *arena, const struct report *report, struct record *record) {
    const struct launch_result *launched = report->added->launched;
    size_t count;
    const struct launched_race *races = launched_found(arena, report, &count);
    for (size_t i = 0; i < count; i++) {
        const struct launched_race *race = &races[i];
        const char *message =
            arena_format(arena, "%s: %s, and %s%s%s", race->name, race->accesses[0],
                         race->accesses[1], race->why ? "\nwhy: " : "", race->why ? race->why : "");
        struct record_finding *finding = add(arena, report, record, race->name, message);
        finding->is_open = report_is_possible(report);
        for (int k = 0; k < 2; k++) {
            finding->places[finding->place_count++] =
                place_of(arena, report, race->race->accesses[k].instruction,
                         valid_utf8(arena, race->accesses[k]));
        }
    }
    if (launched->wait_count > 0) {
        const struct launch_wait *wait = &launched->waits[0];
        struct record_finding *finding =
            add(arena, report, record, "hang",
                arena_format(arena, "hang: %s %s for ever, and %zu more threads do",
                             finding_thread(arena, report, wait->thread),
                             wait->goes_round ? "goes round a loop" : "waits",
                             launched->wait_count - 1));
        finding->is_open = report_is_possible(report);
        finding->places[finding->place_count++] = place_of(arena, report, wait->instruction, NULL);
    }
}

// Where the first thread that never ends stays.
static void add_hang(struct arena *arena, const struct report *report, struct record *record) {
    const struct termination *termination = &report->outcomes->termination;
    const struct instruction *at = NULL;
    for (size_t t = 0; termination->fates && t < report->program->test->thread_count && !at; t++)
        at = termination->fates[t].fate != FATE_ENDS ? termination->fates[t].at : NULL;
    struct record_finding *finding = add(arena, report, record, "hang",
                                         arena_format(arena, "hang: %s", hang_text(arena, report)));
    finding->is_open = termination->possible;
    finding->places[finding->place_count++] = place_of(arena, report, at, NULL);
}

// Whether a finding with places says it.
static bool is_found(const struct record *record, const char *name) {
    for (size_t i = 0; i < record->finding_count; i++)
        if (strcmp(record->findings[i].rule, name) == 0)
            return true;
    return false;
}

static void add_flags(struct arena *arena, const struct report *report, struct record *record) {
    const struct shown_flags flags = flags_shown(arena, report->outcomes);
    for (size_t i = 0; i < flags.count; i++) {
        const struct shown_flag *flag = &flags.items[i];
        bool is_known = flag->holds == TRUTH_YES;
        if (is_known && is_found(record, flag->name))
            continue;
        struct record_finding *finding =
            add(arena, report, record, flag->name,
                arena_format(arena, "%s%s: %s", is_known ? "" : "not decided: ", flag->name,
                             flag_meaning(flag->name)));
        finding->is_open = !is_known || flag->possible;
        finding->places[finding->place_count++] = place_of(arena, report, NULL, NULL);
    }
}

// What is not known, as one finding: never is it left out.
static void add_unknown(struct arena *arena, const struct report *report, struct record *record) {
    const char *reason = report_reason(arena, report);
    if (report_is_clean(report) != TRUTH_UNKNOWN && !report->outcomes->races_cut)
        return;
    struct record_finding *finding =
        add(arena, report, record, "undecided",
            arena_format(arena, "not decided: %s", reason ? reason : "there may be more races"));
    finding->is_open = true;
    finding->places[finding->place_count++] = place_of(arena, report, NULL, NULL);
}

// Whether a test of a suite has failed since it expects this.
static bool fails(const struct report *report, enum expectation what) {
    return test_expects(report->program->test, what) && report_meets_one(report, what) == TRUTH_NO;
}

// Uses that PTX leaves undefined, where no finding with places says them: nothing that the test
// came to means anything then.
static void add_undefined(struct arena *arena, const struct report *report, struct record *record) {
    for (size_t i = 0; i < report->outcomes->flag_count; i++) {
        const struct flag *flag = &report->outcomes->flags[i];
        const char *name = flag_name(flag);
        if (!flag->undefined || flag->holds != TRUTH_YES || is_found(record, name))
            continue;
        struct record_finding *finding = add(
            arena, report, record, name, arena_format(arena, "%s: %s", name, flag_meaning(name)));
        finding->is_open = flag->possible;
        finding->is_beside = true;
        finding->places[finding->place_count++] = place_of(arena, report, NULL, NULL);
    }
}

// A trap, an undefined use, and an execution that never ends, in a test of a suite that expects
// none. Where it is not known which instruction it is of, it is at what is expected.
static void add_failed(struct arena *arena, const struct report *report, struct record *record) {
    const struct judged *judged = report->added->judged;
    size_t before = record->finding_count;
    if (fails(report, EXPECT_NO_HANG) || fails(report, EXPECT_TERMINATES))
        add_hang(arena, report, record);
    if (fails(report, EXPECT_NO_TRAP)) {
        struct record_finding *finding = add(arena, report, record, "trap",
                                             arena_format(arena, "trap: %s", flag_meaning("trap")));
        finding->places[finding->place_count++] = place_of(arena, report, NULL, NULL);
    }
    bool is_passed = judged && judged->result != SUITE_FAILED && judged->result != SUITE_UNDECIDED;
    if (!is_passed)
        add_undefined(arena, report, record);
    for (size_t i = before; judged && i < record->finding_count; i++)
        if (record->findings[i].places[0].at.line == 0 && judged->failure_count == 1) {
            struct record_place *place = &record->findings[i].places[0];
            place->at = judged->failures[0].at;
            place->at.file = valid_utf8(arena, place->at.file);
        }
}

void found_take(struct arena *arena, const struct report *report, struct record *record) {
    const struct findings *found = report->added->findings;
    struct findings own = {0};
    if (!report->options->asks_clean) {
        for (size_t i = 0; found && i < found->count; i++)
            add_race(arena, report, &found->items[i], record);
        if (options_suite_reports(&report->added->options->suite, SUITE_SARIF))
            add_failed(arena, report, record);
        return;
    }
    if (!found) {
        own = findings_of(arena, report);
        found = &own;
    }
    for (size_t i = 0; i < found->count; i++)
        add_race(arena, report, &found->items[i], record);
    if (report->added->launched)
        add_launched(arena, report, record);
    else if (report->outcomes->termination.always == TRUTH_NO)
        add_hang(arena, report, record);
    add_flags(arena, report, record);
    add_unknown(arena, report, record);
}
