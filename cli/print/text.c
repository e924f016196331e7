// Results for people: a table of states and the verdict in words.
#include "check/print/endings.h"
#include "check/print/races.h"
#include "check/print/table.h"
#include "check/report/flags.h"
#include "check/text/condition.h"
#include "check/text/names.h"
#include "cli/print/launched.h"
#include "cli/print/print.h"
#include "cli/print/reason.h"
#include "cli/print/terminal.h"
#include "cli/report/added.h"
#include "litmus/source/arena.h"

#include <string.h>

// Names are ASCII, so bytes are columns on the screen.
static int *column_widths(struct arena *arena, const struct report *report) {
    const struct program *program = report->program;
    int *widths = ARENA_ARRAY(arena, int, program->observed_count + 1);
    for (size_t column = 0; column < program->observed_count; column++) {
        widths[column] = (int)strlen(program->observed[column].json_name);
        for (size_t i = 0; i < report->outcomes->state_count; i++) {
            int width =
                (int)strlen(table_cell(arena, report, &report->outcomes->states[i], column));
            widths[column] = width > widths[column] ? width : widths[column];
        }
    }
    return widths;
}

static void print_table(FILE *out, struct arena *arena, const struct report *report) {
    const struct program *program = report->program;
    const struct outcomes *outcomes = report->outcomes;
    if (program->observed_count == 0 || outcomes->state_count == 0)
        return;
    const int *widths = column_widths(arena, report);
    fputs("   ", out);
    for (size_t column = 0; column < program->observed_count; column++)
        fprintf(out, "  %*s", widths[column], program->observed[column].json_name);
    fputc('\n', out);
    for (size_t i = 0; i < outcomes->state_count; i++) {
        const struct state *state = &outcomes->states[i];
        bool is_coloured = report->added->options->print.colour_out && state->satisfies;
        fprintf(out, "%s  %s", tone_begin(is_coloured, TONE_STRONG), table_mark(state));
        for (size_t column = 0; column < program->observed_count; column++)
            fprintf(out, "  %*s", widths[column], table_cell(arena, report, state, column));
        fprintf(out, "%s\n", tone_end(is_coloured));
    }
    if (report_is_cut(report))
        fputs("     ... there may be more\n", out);
    fputc('\n', out);
}

// exists: "some outcome satisfies exists (C)". ~exists and forall: "... satisfies (C): forall
// fails".
static void print_claim(FILE *out, const struct report *report) {
    enum quantifier quantifier = report->program->test->quantifier;
    bool exists = quantifier == QUANTIFIER_EXISTS;
    fputs(exists ? " exists (" : " (", out);
    condition_print(out, report->program, CONDITION_PTX);
    fputc(')', out);
    if (!exists) {
        enum truth holds = report_holds(report);
        fprintf(out, ": %s %s", quantifier_text(quantifier),
                holds == TRUTH_YES  ? "holds"
                : holds == TRUTH_NO ? "fails"
                                    : "is undecided");
    }
    fputc('\n', out);
}

static bool has_mark(const struct report *report, const char *wanted) {
    for (size_t i = 0; i < report->outcomes->state_count; i++)
        if (strcmp(table_mark(&report->outcomes->states[i]), wanted) == 0)
            return report->program->observed_count > 0;
    return false;
}

static void print_verdict(FILE *out, struct arena *arena, const struct report *report) {
    const struct outcomes *outcomes = report->outcomes;
    const char *reason = report_reason(arena, report);
    bool coloured = report->added->options->print.colour_out;
    fprintf(out, "%s: %s%s%s \u2014 ", escaped(arena, report->program->test->name),
            tone_begin(coloured, TONE_STRONG), verdict_text(outcomes->verdict), tone_end(coloured));
    if (outcomes->reachable == TRUTH_NO)
        fprintf(out, "%s, so none could satisfy", reason);
    else if (outcomes->verdict == VERDICT_UNKNOWN)
        fprintf(out, "%s, so it is not known whether an outcome satisfies", reason);
    else
        fputs(report_counts(arena, report), out);
    print_claim(out, report);
    if (has_mark(report, "*"))
        fputs("  *: satisfies the condition\n", out);
    if (has_mark(report, "~"))
        fputs("  ~: an unknown initial value decides whether it satisfies the condition\n", out);
    if (report_is_cut(report) && outcomes->verdict != VERDICT_UNKNOWN)
        fprintf(out, "  incomplete: %s\n", report_limit(arena, report));
}

// The test's own sentences, a line each.
static void print_description(FILE *out, struct arena *arena, const char *description) {
    while (*description) {
        size_t length = strcspn(description, "\n");
        fprintf(out, "%s\n", escaped(arena, arena_strndup(arena, description, length)));
        description += length + (description[length] == '\n');
    }
}

static void print_flags(FILE *out, struct arena *arena, const struct report *report) {
    const struct shown_flags flags = flags_shown(arena, report->outcomes);
    bool coloured = report->added->options->print.colour_out;
    for (size_t i = 0; i < flags.count; i++) {
        const struct shown_flag *flag = &flags.items[i];
        fprintf(out, "  %s%sflag %s:%s ", tone_begin(coloured, TONE_WARNING),
                flag->possible ? "possible " : "", flag->name, tone_end(coloured));
        if (flag->holds == TRUTH_YES)
            fprintf(out, "%s\n", flag_meaning(flag->name));
        else
            fprintf(out, "undecided: %s\n", report_limit(arena, report));
    }
}

static void print_expected(FILE *out, const struct report *report) {
    const struct test *test = report->program->test;
    for (size_t i = 0; i < test->expected_count; i++) {
        enum truth meets = report_meets_one(report, test->expected[i].what);
        enum tone tone = meets == TRUTH_YES  ? TONE_GOOD
                         : meets == TRUTH_NO ? TONE_BAD
                                             : TONE_WARNING;
        fprintf(out, "  expected %s: %s%s%s\n", expectation_text(test->expected[i].what),
                tone_begin(report->added->options->print.colour_out, tone),
                meets == TRUTH_YES  ? "yes"
                : meets == TRUTH_NO ? "NO"
                                    : "undecided",
                tone_end(report->added->options->print.colour_out));
    }
}

void print_text(FILE *out, struct arena *arena, const struct report *report) {
    const struct test *test = report->program->test;
    const struct target *target = report->target;
    const char *launched = report_derived_launch(report);
    launched_print_derived(out, arena, report);
    fprintf(out, "%s (%s, ", escaped(arena, test->name), escaped(arena, report->path));
    if (target) {
        fprintf(out, "%s%s, ", target_is_simulated(target) ? "simulated memory " : "",
                target->ptx.name);
    }
    fprintf(out, "%s)\n", escaped(arena, report->model));
    print_description(out, arena, *launched ? "" : test->description);
    print_table(out, arena, report);
    print_verdict(out, arena, report);
    reason_print(out, arena, report);
    print_flags(out, arena, report);
    for (size_t i = 0; i < report->program->assumption_count; i++)
        fprintf(out, "  assumed: %s\n", report->program->assumptions[i]);
    if (report->options->solver.races)
        races_print(out, arena, report);
    const struct termination *termination = &report->outcomes->termination;
    if (termination->is_asked) {
        fprintf(out, "  ends (%s): %s\n",
                progress_text(arena, termination->progress, &termination->schedule),
                termination_text(termination));
        endings_print(out, arena, report, "    ");
    }
    print_expected(out, report);
    fputc('\n', out);
}

void print_stats(FILE *out, struct arena *arena, const struct report *report) {
    const struct solver_stats *stats = &report->outcomes->stats;
    const struct program *program = report->program;
    const char *idle = program->idle_threads == 0
                           ? ""
                           : arena_format(arena, "threads %zu of which %zu without events, ",
                                          program->test->thread_count, program->idle_threads);
    fprintf(out,
            "stats: %s: events %zu, %spairs %zu possible of which %zu certain, variables %zu, "
            "assertions %zu, checks %zu, encoding %.1f ms, solving %.1f ms, total %.1f ms, "
            "arena %zu KiB, peak %zu KiB\n",
            escaped(arena, report->program->test->name), stats->events, idle, stats->pairs_may,
            stats->pairs_must, stats->variables, stats->clauses, stats->checks, stats->encode_ms,
            stats->solver_ms, report->seconds * 1000, arena_used(report->program->arena) / 1024,
            report->peak_kb);
}
