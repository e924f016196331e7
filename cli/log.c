// herd's log. What mcompare7 makes of each line stands in docs/command-line.md; the grammar is
// checked by tests/cases/check_log.awk.
#include "cli/condition.h"
#include "cli/names.h"
#include "cli/print.h"
#include "cli/values.h"

#include <inttypes.h>

static const char *kind_text(enum quantifier quantifier) {
    switch (quantifier) {
    case QUANTIFIER_EXISTS: return "Allowed";
    case QUANTIFIER_NOT_EXISTS: return "Forbidden";
    case QUANTIFIER_FORALL: return "Required";
    }
    return "Unknown";
}

static const char *validation_text(enum truth truth) {
    switch (truth) {
    case TRUTH_YES: return "Ok";
    case TRUTH_NO: return "No";
    case TRUTH_UNKNOWN: break;
    }
    return "??"; // herd's own word for a result that nobody knows
}

// state = (location "=" value ";" " ")*
static void print_state(FILE *out, const struct report *report, const struct state *state) {
    const struct program *program = report->program;
    enum value_style style = report->options->hex ? VALUE_HEX : VALUE_HERD;
    for (size_t i = 0; i < program->observed_count; i++) {
        const struct observed *observed = &program->observed[i];
        const struct state_value *value = &state->values[i];
        char text[VALUE_TEXT_SIZE];
        const char *address = report_address(report, i, value);
        const char *shown =
            value->undef ? "undef"
            : address    ? address
                      : value_text(text, value->value, observed->width, observed->is_signed, style);
        fprintf(out, "%s%s=%s;", i == 0 ? "" : " ", observed->log_name, shown);
    }
    fputc('\n', out);
}

static void print_states(FILE *out, const struct report *report) {
    const struct outcomes *outcomes = report->outcomes;
    fprintf(out, "States %zu\n", outcomes->state_count);
    for (size_t i = 0; i < outcomes->state_count; i++) {
        print_state(out, report, &outcomes->states[i]);
    }
}

// As herd, `Witnesses` counts for and against what the quantifier claims, `Observation` for and
// against the condition: for ~exists the two are swapped.
static void print_witnesses(FILE *out, const struct report *report) {
    struct witnesses witnesses = report_witnesses(report);
    bool swap = report->program->test->quantifier == QUANTIFIER_NOT_EXISTS;
    fputs("Witnesses\n", out);
    if (report->outcomes->listed) {
        fprintf(out, "Positive: %zu Negative: %zu\n",
                swap ? witnesses.violating : witnesses.satisfying,
                swap ? witnesses.satisfying : witnesses.violating);
    } else {
        fputs("Positive: ? Negative: ?\n", out);
    }
}

static void print_observation(FILE *out, const char *name, const struct report *report) {
    struct witnesses witnesses = report_witnesses(report);
    fprintf(out, "Observation %s %s ", name, observation_text(report->outcomes->verdict));
    if (report->outcomes->listed) {
        fprintf(out, "%zu %zu\n", witnesses.satisfying, witnesses.violating);
    } else {
        fputs("? ?\n", out);
    }
}

void print_log(FILE *out, struct arena *arena, const struct report *report) {
    const struct test *test = report->program->test;
    const struct outcomes *outcomes = report->outcomes;
    const char *name = herd_test_name(arena, test->name);
    fprintf(out, "Test %s %s\n", name, kind_text(test->quantifier));
    if (outcomes->listed) {
        print_states(out, report);
    }
    fprintf(out, "%s\n", validation_text(report_holds(report)));
    print_witnesses(out, report);
    for (size_t i = 0; i < outcomes->flag_count; i++) {
        fprintf(out, "Flag %s\n", outcomes->flags[i]);
    }
    if (report_is_cut(report)) {
        fputs("Flag incomplete\n", out);
    }
    fprintf(out, "Condition %s (", quantifier_text(test->quantifier));
    condition_print(out, report->program, CONDITION_HERD);
    fputs(")\n", out);
    print_observation(out, name, report);
    fprintf(out, "Time %s %.2f\n", name, report->seconds);
    fprintf(out, "Hash=%016" PRIx64 "\n\n", report_hash(test->source));
}
