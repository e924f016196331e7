// Makes results: the texts of what was found, all before anyone asks for them, but for the JSON.
#include "api/breakdown.h"
#include "api/result.h"

#include "check/print/changes.h"
#include "check/print/endings.h"
#include "check/print/explanation.h"
#include "check/print/json.h"
#include "check/print/module.h"
#include "check/print/table.h"
#include "check/report/explained.h"
#include "check/report/findings.h"
#include "check/report/launched_races.h"
#include "check/report/races.h"
#include "check/text/condition.h"

#include <string.h>

// --- Every result ------------------------------------------------------------------------------

// What is printed of a result, as a text of its arena.
static const char *text_of(struct ptxlitmus_result *result,
                           void (*print)(FILE *out, const struct ptxlitmus_result *result)) {
    struct arena_text text;
    print(arena_text_begin(&text), result);
    return arena_text_end(result->arena, &text);
}

static void print_condition(FILE *out, const struct ptxlitmus_result *result) {
    const struct program *program = result->report.program;
    fprintf(out, "%s (", quantifier_text(program->test->quantifier));
    condition_print(out, program, CONDITION_PTX);
    fputc(')', out);
}

void result_complete(struct ptxlitmus_result *result) {
    const struct report *report = &result->report;
    size_t rows = report->outcomes->state_count, columns = report->program->observed_count;
    result->flags = flags_shown(result->arena, report->outcomes);
    result->condition = text_of(result, print_condition);
    result->reason = report_reason(result->arena, report);
    result->values = ARENA_ARRAY(result->arena, const char *, rows *columns + 1);
    for (size_t row = 0; row < rows; row++) {
        for (size_t column = 0; column < columns; column++) {
            result->values[row * columns + column] =
                table_cell(result->arena, report, &report->outcomes->states[row], column);
        }
    }
    result->status = PTXLITMUS_CHECKED;
}

static void set_place(struct ptxlitmus_diagnostic *diagnostic, struct span span) {
    if (!span.source)
        return;
    struct position at = source_position(span.source, span.begin);
    struct position end = source_position(span.source, span.end);
    diagnostic->line = at.line;
    diagnostic->column = at.column;
    diagnostic->end_line = end.line;
    diagnostic->end_column = end.column;
}

void result_add_diagnostics(struct ptxlitmus_result *result,
                            const struct diagnostics *diagnostics) {
    static const enum ptxlitmus_severity severities[] = {[SEVERITY_ERROR] = PTXLITMUS_ERROR,
                                                         [SEVERITY_WARNING] = PTXLITMUS_WARNING,
                                                         [SEVERITY_NOTE] = PTXLITMUS_NOTE};
    for (size_t i = 0; i < diagnostics->count; i++) {
        const struct diagnostic *from = &diagnostics->items[i];
        struct ptxlitmus_diagnostic to = {.severity = severities[from->severity],
                                          .path = arena_format(result->arena, "%s", from->path),
                                          .message =
                                              arena_format(result->arena, "%s", from->message),
                                          .text = diag_render(result->arena, from)};
        if (from->hint)
            to.hint = arena_format(result->arena, "%s", from->hint);
        set_place(&to, from->span);
        ARENA_APPEND(result->arena, result->diagnostics, result->diagnostic_count, to);
    }
}

// --- Faults ------------------------------------------------------------------------------------

static struct found_fault *add_fault(struct ptxlitmus_result *result, const char *flag,
                                     const char *why) {
    struct fault_list *faults = &result->faults;
    ARENA_APPEND(result->arena, faults->items, faults->count,
                 (struct found_fault){.flag = flag, .why = why});
    return &faults->items[faults->count - 1];
}

static void add_place(struct found_fault *fault, const char *place, const char *access) {
    fault->places[fault->place_count] = place;
    fault->accesses[fault->place_count++] = access;
}

// The races that a search has found, those of two places once.
static void add_races(struct ptxlitmus_result *result, const struct findings *findings) {
    const struct report *report = &result->report;
    for (size_t i = 0; i < findings->count; i++) {
        const struct race *race = findings->items[i].race;
        const char *why = race_why_text(report, race);
        if (race->possible)
            continue;
        struct found_fault *fault =
            add_fault(result, flag_name(&report->outcomes->flags[race->flag]),
                      why ? why : findings->items[i].why);
        for (unsigned k = 0; k < 2; k++) {
            const struct event *event = &report->program->events[race->events[k]];
            const struct event *other = &report->program->events[race->events[1 - k]];
            add_place(fault, race_line_text(result->arena, report, event->instruction),
                      finding_access(result->arena, report, event, other));
        }
    }
}

// The threads of an execution that never ends.
static void add_hangs(struct ptxlitmus_result *result) {
    const struct report *report = &result->report;
    const struct termination *termination = &report->outcomes->termination;
    if (termination->always != TRUTH_NO || termination->possible || !termination->fates)
        return;
    for (size_t t = 0; t < report->program->test->thread_count; t++) {
        const struct thread_fate *fate = &termination->fates[t];
        if (fate->fate == FATE_ENDS)
            continue;
        struct found_fault *fault =
            add_fault(result, "hang", fate_text(result->arena, report, fate));
        if (fate->at)
            add_place(fault, race_line_text(result->arena, report, fate->at),
                      finding_thread(result->arena, report, (int)t));
    }
}

static bool has_fault(const struct ptxlitmus_result *result, const char *flag) {
    for (size_t i = 0; i < result->faults.count; i++)
        if (strcmp(result->faults.items[i].flag, flag) == 0)
            return true;
    return false;
}

// What else is wrong, by the name of its flag.
static void add_flags(struct ptxlitmus_result *result) {
    const struct outcomes *outcomes = result->report.outcomes;
    for (size_t i = 0; i < outcomes->flag_count; i++) {
        const struct flag *flag = &outcomes->flags[i];
        bool holds = report_flag_is_fault(flag) && flag->holds == TRUTH_YES && !flag->possible;
        if (holds && !has_fault(result, flag_name(flag)))
            add_fault(result, flag_name(flag), flag_meaning(flag_name(flag)));
    }
    if (report_is_clean(&result->report) == TRUTH_NO && result->faults.count == 0)
        add_fault(result, "hang", "an execution never ends");
}

void result_take_met(struct ptxlitmus_result *result, const struct launch_result *launched) {
    size_t count;
    struct arena *arena = result->arena;
    const struct launched_race *races = launched_races(arena, &result->report, launched, &count);
    for (size_t i = 0; i < count; i++) {
        struct found_fault *fault = add_fault(result, races[i].name, races[i].why);
        for (unsigned k = 0; k < 2; k++)
            add_place(fault, races[i].places[k], races[i].accesses[k]);
    }
    for (size_t i = 0; i < launched->wait_count; i++) {
        const struct launch_wait *wait = &launched->waits[i];
        add_place(add_fault(result, "hang",
                            wait->goes_round ? "goes round a loop for ever" : "waits for ever"),
                  race_line_text(arena, &result->report, wait->instruction),
                  finding_thread(arena, &result->report, wait->thread));
    }
    if (launched->misuse) {
        add_place(add_fault(result, launched->misuse->flag, launched->misuse->why),
                  race_line_text(arena, &result->report, launched->misuse->instruction),
                  finding_thread(arena, &result->report, launched->misuse->thread));
    }
    add_flags(result);
}

void result_take_faults(struct ptxlitmus_result *result, const struct findings *findings) {
    add_races(result, findings);
    add_hangs(result);
    add_flags(result);
}

// --- Explanations and modules ------------------------------------------------------------------

static void print_why(FILE *out, const struct ptxlitmus_result *result) {
    print_explanation(out, result->arena, &result->report, (const char *const[2]){"", ""});
}

void result_take_explanation(struct ptxlitmus_result *result) {
    result->explanation = text_of(result, print_why);
    const char *limit = explained_limit(result->arena, &result->report);
    if (!result->reason)
        result->reason = limit ? limit : explained_gap(result->arena, &result->report);
}

void result_take_module(struct ptxlitmus_result *result, const struct module *module) {
    result->module = module;
    result->kernels = ARENA_ARRAY(result->arena, const char *, module->function_count + 1);
    for (size_t i = 0; i < module->function_count; i++)
        if (module->functions[i].is_kernel && !module->functions[i].is_prototype)
            result->kernels[result->kernel_count++] = module->functions[i].demangled;
    result->status = PTXLITMUS_CHECKED;
}

// --- JSON --------------------------------------------------------------------------------------

static void print_result(FILE *out, const struct ptxlitmus_result *result) {
    static const struct fault_goal no_fault = {.flag = NULL};
    switch (result->question) {
    case ASK_OUTCOMES:
    case ASK_FAULTS:
    case QUESTION_COUNT: print_result_json(out, result->arena, &result->report, NULL); break;
    case ASK_EXPLANATION: print_explanation_json(out, result->arena, &result->report); break;
    case ASK_REPAIR:
        print_changes_json(out, result->arena, &result->report, result->repair, "repair",
                           &no_fault);
        break;
    case ASK_MODULE: print_module_json(out, result->arena, result->module, NULL); break;
    }
}

static void make_json(void *context) {
    struct ptxlitmus_result *result = context;
    result->json = text_of(result, print_result);
}

const char *ptxlitmus_json(struct ptxlitmus_result *result) {
    struct breakdown breakdown;
    if (!result || result->status != PTXLITMUS_CHECKED)
        return NULL;
    if (!result->json)
        protect(&breakdown, make_json, result);
    return result->json;
}
