// What results say. All texts were made with the result, so that no question can fail.
#include "api/result.h"

#include "litmus/source/allocate.h"

#include <stdlib.h>

void loaded_release(struct loaded *loaded) {
    if (loaded && atomic_fetch_sub(&loaded->users, 1) == 1) {
        arena_free(loaded->arena);
        free(loaded);
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

// Whether there is an answer about a test.
static bool is_checked(const struct ptxlitmus_result *result) {
    return result && result->status == PTXLITMUS_CHECKED && result->report.outcomes;
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
    return result ? result->status : PTXLITMUS_FAULT;
}

size_t ptxlitmus_tests(const struct ptxlitmus_result *result) {
    return result ? result->tests : 0;
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
    return result ? result->reason : NULL;
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
    return result ? result->condition : NULL;
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
    if (!bits || !has_value(result, row, column))
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
    return result ? result->flags.count : 0;
}

const char *ptxlitmus_flag(const struct ptxlitmus_result *result, size_t flag) {
    return flag < ptxlitmus_flags(result) ? result->flags.items[flag].name : NULL;
}

enum ptxlitmus_truth ptxlitmus_flag_holds(const struct ptxlitmus_result *result, size_t flag) {
    return flag < ptxlitmus_flags(result) && result->flags.items[flag].possible ? PTXLITMUS_UNKNOWN
           : flag < ptxlitmus_flags(result) ? truth_of(result->flags.items[flag].holds)
                                            : PTXLITMUS_UNKNOWN;
}

const char *ptxlitmus_flag_meaning(const struct ptxlitmus_result *result, size_t flag) {
    return flag < ptxlitmus_flags(result) ? flag_meaning(result->flags.items[flag].name) : NULL;
}

// --- Diagnostics -------------------------------------------------------------------------------

size_t ptxlitmus_diagnostics(const struct ptxlitmus_result *result) {
    return result ? result->diagnostic_count : 0;
}

const struct ptxlitmus_diagnostic *ptxlitmus_diagnostic(const struct ptxlitmus_result *result,
                                                        size_t index) {
    return index < ptxlitmus_diagnostics(result) ? &result->diagnostics[index] : NULL;
}

enum ptxlitmus_severity
ptxlitmus_diagnostic_severity(const struct ptxlitmus_diagnostic *diagnostic) {
    return diagnostic ? diagnostic->severity : PTXLITMUS_ERROR;
}

const char *ptxlitmus_diagnostic_path(const struct ptxlitmus_diagnostic *diagnostic) {
    return diagnostic ? diagnostic->path : NULL;
}

unsigned ptxlitmus_diagnostic_line(const struct ptxlitmus_diagnostic *diagnostic) {
    return diagnostic ? diagnostic->line : 0;
}

unsigned ptxlitmus_diagnostic_column(const struct ptxlitmus_diagnostic *diagnostic) {
    return diagnostic ? diagnostic->column : 0;
}

unsigned ptxlitmus_diagnostic_end_line(const struct ptxlitmus_diagnostic *diagnostic) {
    return diagnostic ? diagnostic->end_line : 0;
}

unsigned ptxlitmus_diagnostic_end_column(const struct ptxlitmus_diagnostic *diagnostic) {
    return diagnostic ? diagnostic->end_column : 0;
}

const char *ptxlitmus_diagnostic_message(const struct ptxlitmus_diagnostic *diagnostic) {
    return diagnostic ? diagnostic->message : NULL;
}

const char *ptxlitmus_diagnostic_hint(const struct ptxlitmus_diagnostic *diagnostic) {
    return diagnostic ? diagnostic->hint : NULL;
}

const char *ptxlitmus_diagnostic_text(const struct ptxlitmus_diagnostic *diagnostic) {
    return diagnostic ? diagnostic->text : NULL;
}

// --- Faults ------------------------------------------------------------------------------------

enum ptxlitmus_truth ptxlitmus_clean(const struct ptxlitmus_result *result) {
    return is_checked(result) && result->question == ASK_FAULTS
               ? truth_of(report_is_clean(&result->report))
               : PTXLITMUS_UNKNOWN;
}

size_t ptxlitmus_findings(const struct ptxlitmus_result *result) {
    return result ? result->faults.count : 0;
}

const char *ptxlitmus_finding_flag(const struct ptxlitmus_result *result, size_t finding) {
    return finding < ptxlitmus_findings(result) ? result->faults.items[finding].flag : NULL;
}

const char *ptxlitmus_finding_why(const struct ptxlitmus_result *result, size_t finding) {
    return finding < ptxlitmus_findings(result) ? result->faults.items[finding].why : NULL;
}

size_t ptxlitmus_finding_places(const struct ptxlitmus_result *result, size_t finding) {
    return finding < ptxlitmus_findings(result) ? result->faults.items[finding].place_count : 0;
}

const char *ptxlitmus_finding_place(const struct ptxlitmus_result *result, size_t finding,
                                    size_t place) {
    return place < ptxlitmus_finding_places(result, finding)
               ? result->faults.items[finding].places[place]
               : NULL;
}

const char *ptxlitmus_finding_access(const struct ptxlitmus_result *result, size_t finding,
                                     size_t place) {
    return place < ptxlitmus_finding_places(result, finding)
               ? result->faults.items[finding].accesses[place]
               : NULL;
}

// --- Explanations and repairs ------------------------------------------------------------------

const char *ptxlitmus_explanation(const struct ptxlitmus_result *result) {
    return result ? result->explanation : NULL;
}

enum ptxlitmus_repaired ptxlitmus_repaired(const struct ptxlitmus_result *result) {
    if (!result || !result->repair)
        return PTXLITMUS_REPAIR_UNKNOWN;
    switch (result->repair->state) {
    case REPAIR_FOUND: return PTXLITMUS_REPAIR_FOUND;
    case REPAIR_NOT_ASKED: return PTXLITMUS_REPAIR_NOT_NEEDED;
    case REPAIR_NONE: return PTXLITMUS_REPAIR_NONE;
    case REPAIR_UNDECIDED: break;
    }
    return PTXLITMUS_REPAIR_UNKNOWN;
}

const char *ptxlitmus_repair_why(const struct ptxlitmus_result *result) {
    return result && result->repair ? result->repair->why : NULL;
}

size_t ptxlitmus_remedies(const struct ptxlitmus_result *result) {
    return result && result->repair ? result->repair->count : 0;
}

static const struct remedy *remedy_at(const struct ptxlitmus_result *result, size_t remedy) {
    return remedy < ptxlitmus_remedies(result) ? &result->repair->remedies[remedy] : NULL;
}

unsigned ptxlitmus_remedy_cost(const struct ptxlitmus_result *result, size_t remedy) {
    const struct remedy *found = remedy_at(result, remedy);
    return found ? found->cost : 0;
}

const char *ptxlitmus_remedy_text(const struct ptxlitmus_result *result, size_t remedy) {
    const struct remedy *found = remedy_at(result, remedy);
    return found ? found->text : NULL;
}

const char *ptxlitmus_remedy_manifest(const struct ptxlitmus_result *result, size_t remedy) {
    const struct remedy *found = remedy_at(result, remedy);
    return found ? found->sidecar : NULL;
}

const char *ptxlitmus_remedy_diff(const struct ptxlitmus_result *result, size_t remedy) {
    const struct remedy *found = remedy_at(result, remedy);
    return found ? found->diff : NULL;
}

const char *ptxlitmus_remedy_reason(const struct ptxlitmus_result *result, size_t remedy) {
    const struct remedy *found = remedy_at(result, remedy);
    return found ? found->reason : NULL;
}

// --- Modules -----------------------------------------------------------------------------------

size_t ptxlitmus_kernels(const struct ptxlitmus_result *result) {
    return result ? result->kernel_count : 0;
}

const char *ptxlitmus_kernel(const struct ptxlitmus_result *result, size_t kernel) {
    return kernel < ptxlitmus_kernels(result) ? result->kernels[kernel] : NULL;
}
