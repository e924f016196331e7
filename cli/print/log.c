// herd's log. docs/command-line.md says what mcompare7 makes of each line; the grammar is
// checked by tests/cases/check_log.c.
#include "check/print/endings.h"
#include "check/report/flags.h"
#include "check/text/condition.h"
#include "check/text/names.h"
#include "check/text/values.h"
#include "cli/print/print.h"

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
    return "??"; // herd's own word for an unknown result
}

static void print_value(FILE *out, const struct report *report, size_t column,
                        const struct state_value *value) {
    const struct observed *observed = &report->program->observed[column];
    const char *address = report_address(report, column, value);
    char text[VALUE_TEXT_SIZE];
    if (value->undef) {
        fputs("undef", out);
    } else if (address) {
        herd_location_print(out, address);
    } else {
        fputs(value_text(text, value->value, observed->width, observed->is_signed,
                         report->options->hex ? VALUE_HEX : VALUE_HERD),
              out);
    }
}

// state = (location "=" value ";" " ")*
static void print_state(FILE *out, const struct report *report, const struct state *state) {
    const struct program *program = report->program;
    for (size_t i = 0; i < program->observed_count; i++) {
        fputs(i == 0 ? "" : " ", out);
        herd_location_print(out, program->observed[i].log_name);
        fputc('=', out);
        print_value(out, report, i, &state->values[i]);
        fputc(';', out);
    }
    fputc('\n', out);
}

static void print_states(FILE *out, const struct report *report) {
    const struct outcomes *outcomes = report->outcomes;
    fprintf(out, "States %zu\n", outcomes->state_count);
    for (size_t i = 0; i < outcomes->state_count; i++)
        print_state(out, report, &outcomes->states[i]);
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
    if (report->outcomes->listed)
        fprintf(out, "%zu %zu\n", witnesses.satisfying, witnesses.violating);
    else
        fputs("? ?\n", out);
}

void print_log(FILE *out, struct arena *arena, const struct report *report) {
    const struct test *test = report->program->test;
    const struct outcomes *outcomes = report->outcomes;
    const char *name = herd_test_name(arena, test->name);
    fprintf(out, "Test %s %s\n", name, kind_text(test->quantifier));
    if (outcomes->listed)
        print_states(out, report);
    fprintf(out, "%s\n", validation_text(report_holds(report)));
    print_witnesses(out, report);
    const struct shown_flags flags = flags_shown(arena, outcomes);
    for (size_t i = 0; i < flags.count; i++) {
        fprintf(out, "Flag %s%s\n", flags.items[i].name,
                flags.items[i].possible             ? "-possible"
                : flags.items[i].holds == TRUTH_YES ? ""
                                                    : "-unknown");
    }
    if (report->target && target_is_simulated(report->target))
        fputs("Flag simulated\n", out);
    if (report_is_cut(report))
        fputs("Flag incomplete\n", out);
    fprintf(out, "Condition %s (", quantifier_text(test->quantifier));
    condition_print(out, report->program, CONDITION_HERD);
    fputs(")\n", out);
    print_observation(out, name, report);
    if (*report_derived_launch(report))
        fprintf(out, "Launched with %s\n", report_derived_launch(report));
    for (size_t i = 0; i < report->program->assumption_count; i++)
        fprintf(out, "Assumed %s\n", report->program->assumptions[i]);
    if (outcomes->termination.is_asked) {
        fprintf(out, "Terminates %s\n", termination_text(&outcomes->termination));
        endings_print(out, arena, report, "Thread ");
    }
    fprintf(out, "Time %s %.2f\n", name, report->seconds);
    fprintf(out, "Hash=%016" PRIx64 "\n\n", report_hash(test->source));
}
