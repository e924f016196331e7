// Answers about results. All texts are made with the result, so that no question can fail.
#include "api/result.h"

#include "api/breakdown.h"
#include "check/print/json.h"
#include "check/print/table.h"
#include "check/text/condition.h"
#include "litmus/source/allocate.h"

#include <stdlib.h>
#include <string.h>

void loaded_release(struct loaded *loaded) {
    if (loaded && atomic_fetch_sub(&loaded->users, 1) == 1) {
        arena_free(loaded->arena);
        free(loaded);
    }
}

// --- Making ------------------------------------------------------------------------------------

static const char *condition_text(struct ptxlitmus_result *result) {
    const struct program *program = result->report.program;
    char *text = NULL;
    size_t size = 0;
    FILE *out = text_open(&text, &size);
    fprintf(out, "%s (", quantifier_text(program->test->quantifier));
    condition_print(out, program, CONDITION_PTX);
    fputc(')', out);
    text_close(out);
    const char *copy = arena_strndup(result->arena, text, size);
    free(text);
    return copy;
}

void result_complete(struct ptxlitmus_result *result) {
    const struct report *report = &result->report;
    size_t rows = report->outcomes->state_count, columns = report->program->observed_count;
    result->flags = flags_shown(result->arena, report->outcomes);
    result->condition = condition_text(result);
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
        if (from->span.source) {
            struct position at = source_position(from->span.source, from->span.begin);
            to.line = at.line;
            to.column = at.column;
        }
        result->diagnostics = arena_grow(result->arena, result->diagnostics,
                                         result->diagnostic_count, sizeof *result->diagnostics);
        result->diagnostics[result->diagnostic_count++] = to;
    }
}

void ptxlitmus_free(struct ptxlitmus_result *result) {
    if (result) {
        arena_free(result->arena);
        loaded_release(result->loaded);
        free(result);
    }
}

// --- Answers -----------------------------------------------------------------------------------

static bool is_checked(const struct ptxlitmus_result *result) {
    return result->status == PTXLITMUS_CHECKED;
}

static enum ptxlitmus_truth truth_of(enum truth truth) {
    switch (truth) {
    case TRUTH_YES: return PTXLITMUS_YES;
    case TRUTH_NO: return PTXLITMUS_NO;
    case TRUTH_UNKNOWN: break;
    }
    return PTXLITMUS_UNKNOWN;
}

enum ptxlitmus_status ptxlitmus_status(const struct ptxlitmus_result *result) {
    return result->status;
}

size_t ptxlitmus_tests(const struct ptxlitmus_result *result) {
    return result->tests;
}

enum ptxlitmus_verdict ptxlitmus_verdict(const struct ptxlitmus_result *result) {
    if (!is_checked(result))
        return PTXLITMUS_VERDICT_UNKNOWN;
    switch (result->report.outcomes->verdict) {
    case VERDICT_FORBIDDEN: return PTXLITMUS_FORBIDDEN;
    case VERDICT_ALLOWED: return PTXLITMUS_ALLOWED;
    case VERDICT_ALWAYS: return PTXLITMUS_ALWAYS;
    case VERDICT_UNKNOWN: break;
    }
    return PTXLITMUS_VERDICT_UNKNOWN;
}

const char *ptxlitmus_verdict_name(enum ptxlitmus_verdict verdict) {
    switch (verdict) {
    case PTXLITMUS_FORBIDDEN: return "forbidden";
    case PTXLITMUS_ALLOWED: return "allowed";
    case PTXLITMUS_ALWAYS: return "always";
    case PTXLITMUS_VERDICT_UNKNOWN: break;
    }
    return "unknown";
}

const char *ptxlitmus_reason(const struct ptxlitmus_result *result) {
    return result->reason;
}

enum ptxlitmus_truth ptxlitmus_expected(const struct ptxlitmus_result *result) {
    return is_checked(result) ? truth_of(report_meets(&result->report)) : PTXLITMUS_UNKNOWN;
}

const char *ptxlitmus_name(const struct ptxlitmus_result *result) {
    return is_checked(result) ? result->report.program->test->name : NULL;
}

const char *ptxlitmus_model(const struct ptxlitmus_result *result) {
    return is_checked(result) ? result->report.model : NULL;
}

const char *ptxlitmus_condition(const struct ptxlitmus_result *result) {
    return result->condition;
}

// --- Outcomes ----------------------------------------------------------------------------------

size_t ptxlitmus_columns(const struct ptxlitmus_result *result) {
    return is_checked(result) ? result->report.program->observed_count : 0;
}

const char *ptxlitmus_column(const struct ptxlitmus_result *result, size_t column) {
    return column < ptxlitmus_columns(result) ? result->report.program->observed[column].json_name
                                              : NULL;
}

size_t ptxlitmus_outcomes(const struct ptxlitmus_result *result) {
    return is_checked(result) ? result->report.outcomes->state_count : 0;
}

bool ptxlitmus_complete(const struct ptxlitmus_result *result) {
    return is_checked(result) && result->report.outcomes->listed &&
           result->report.outcomes->complete;
}

static bool has_value(const struct ptxlitmus_result *result, size_t row, size_t column) {
    return row < ptxlitmus_outcomes(result) && column < ptxlitmus_columns(result);
}

const char *ptxlitmus_value(const struct ptxlitmus_result *result, size_t row, size_t column) {
    return has_value(result, row, column) ? result->values[row * ptxlitmus_columns(result) + column]
                                          : NULL;
}

bool ptxlitmus_bits(const struct ptxlitmus_result *result, size_t row, size_t column,
                    uint64_t bits[2]) {
    if (!has_value(result, row, column))
        return false;
    const struct state_value *value = &result->report.outcomes->states[row].values[column];
    bits[0] = value->undef ? 0 : value->value.low;
    bits[1] = value->undef ? 0 : value->value.high;
    return !value->undef;
}

enum ptxlitmus_truth ptxlitmus_satisfies(const struct ptxlitmus_result *result, size_t row) {
    if (row >= ptxlitmus_outcomes(result))
        return PTXLITMUS_UNKNOWN;
    const struct state *state = &result->report.outcomes->states[row];
    return !state->satisfies ? PTXLITMUS_NO : state->violates ? PTXLITMUS_UNKNOWN : PTXLITMUS_YES;
}

// --- Flags -------------------------------------------------------------------------------------

size_t ptxlitmus_flags(const struct ptxlitmus_result *result) {
    return result->flags.count;
}

const char *ptxlitmus_flag(const struct ptxlitmus_result *result, size_t flag) {
    return flag < result->flags.count ? result->flags.items[flag].name : NULL;
}

enum ptxlitmus_truth ptxlitmus_flag_holds(const struct ptxlitmus_result *result, size_t flag) {
    return flag < result->flags.count && result->flags.items[flag].possible ? PTXLITMUS_UNKNOWN
           : flag < result->flags.count ? truth_of(result->flags.items[flag].holds)
                                        : PTXLITMUS_UNKNOWN;
}

const char *ptxlitmus_flag_meaning(const struct ptxlitmus_result *result, size_t flag) {
    return flag < result->flags.count ? flag_meaning(result->flags.items[flag].name) : NULL;
}

// --- Diagnostics -------------------------------------------------------------------------------

size_t ptxlitmus_diagnostics(const struct ptxlitmus_result *result) {
    return result->diagnostic_count;
}

const struct ptxlitmus_diagnostic *ptxlitmus_diagnostic(const struct ptxlitmus_result *result,
                                                        size_t index) {
    return index < result->diagnostic_count ? &result->diagnostics[index] : NULL;
}

enum ptxlitmus_severity
ptxlitmus_diagnostic_severity(const struct ptxlitmus_diagnostic *diagnostic) {
    return diagnostic->severity;
}

const char *ptxlitmus_diagnostic_path(const struct ptxlitmus_diagnostic *diagnostic) {
    return diagnostic->path;
}

unsigned ptxlitmus_diagnostic_line(const struct ptxlitmus_diagnostic *diagnostic) {
    return diagnostic->line;
}

unsigned ptxlitmus_diagnostic_column(const struct ptxlitmus_diagnostic *diagnostic) {
    return diagnostic->column;
}

const char *ptxlitmus_diagnostic_message(const struct ptxlitmus_diagnostic *diagnostic) {
    return diagnostic->message;
}

const char *ptxlitmus_diagnostic_hint(const struct ptxlitmus_diagnostic *diagnostic) {
    return diagnostic->hint;
}

const char *ptxlitmus_diagnostic_text(const struct ptxlitmus_diagnostic *diagnostic) {
    return diagnostic->text;
}

// --- JSON --------------------------------------------------------------------------------------

static void make_json(void *context) {
    struct ptxlitmus_result *result = context;
    char *text = NULL;
    size_t size = 0;
    FILE *out = text_open(&text, &size);
    print_result_json(out, result->arena, &result->report, NULL);
    text_close(out);
    result->json = arena_strndup(result->arena, text, size);
    free(text);
}

const char *ptxlitmus_json(struct ptxlitmus_result *result) {
    struct breakdown breakdown;
    if (is_checked(result) && !result->json)
        protect(&breakdown, make_json, result);
    return result->json;
}
