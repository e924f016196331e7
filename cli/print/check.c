// What `check` says: whether a test is free of races, hangs and undefined uses, and if not, where.
#include "check/report/flags.h"
#include "check/text/names.h"
#include "cli/print/print.h"
#include "cli/print/terminal.h"
#include "cli/print/findings.h"
#include "cli/print/launched.h"
#include "cli/print/mending.h"
#include "cli/report/added.h"
#include "launch/launch.h"
#include "litmus/source/arena.h"

#include <string.h>

static void print_head(FILE *out, struct arena *arena, const struct report *report) {
    enum truth clean = report_is_clean(report);
    bool coloured = report->added->options->print.colour_out;
    enum tone tone = clean == TRUTH_YES && !launched_shares_nothing(report) ? TONE_GOOD
                     : clean == TRUTH_NO                                    ? TONE_BAD
                                                                            : TONE_WARNING;
    bool possible = report_is_possible(report);
    bool assumes = clean == TRUTH_YES && report->program->assumption_count > 0;
    const char *launched = report_derived_launch(report);
    launched_print_derived(out, arena, report);
    fprintf(out, "%s (%s, %s): %s%s%s%s%s%s\n", escaped(arena, report->program->test->name),
            escaped(arena, report->path), escaped(arena, report->model), tone_begin(coloured, tone),
            launched_shares_nothing(report) ? launched_nothing_shared
            : clean == TRUTH_YES            ? "free of data races, hangs and undefined uses"
            : clean == TRUTH_NO             ? "not free of data races, hangs and undefined uses"
            : possible                      ? "possible data races, hangs or undefined uses"
                                            : "undecided",
            assumes    ? ", if what is assumed holds"
            : possible ? ", which rely on what is assumed"
                       : "",
            *launched && clean == TRUTH_YES ? ", when launched with " : "",
            *launched && clean == TRUTH_YES ? escaped(arena, launched) : "", tone_end(coloured));
}

// Races are listed with their instructions, and hangs with their threads: they need no sentence.
static bool is_listed(const struct report *report, const char *name) {
    const struct outcomes *outcomes = report->outcomes;
    if (strcmp(name, "hang") == 0 && outcomes->termination.always == TRUTH_NO &&
        outcomes->termination.fates)
        return true;
    if (report->added->launched && (strcmp(name, "hang") == 0 || strcmp(name, "data-race") == 0 ||
                                    strcmp(name, "mixed-size-race") == 0))
        return true;
    for (size_t i = 0; i < outcomes->race_count; i++)
        if (strcmp(flag_name(&outcomes->flags[outcomes->races[i].flag]), name) == 0)
            return true;
    return false;
}

// Flags that hold, a sentence each; those that are not decided on one line.
static void print_flags(FILE *out, struct arena *arena, const struct report *report) {
    const struct shown_flags flags = flags_shown(arena, report->outcomes);
    const char *undecided = NULL;
    for (size_t i = 0; i < flags.count; i++) {
        const struct shown_flag *flag = &flags.items[i];
        if (is_listed(report, flag->name))
            continue;
        if (flag->holds == TRUTH_YES) {
            fprintf(out, "  %s%s: %s\n", flag->possible ? "possible " : "", flag->name,
                    flag_meaning(flag->name));
        } else {
            undecided =
                undecided ? arena_format(arena, "%s, %s", undecided, flag->name) : flag->name;
        }
    }
    if (undecided)
        fprintf(out, "  undecided: %s\n", undecided);
}

static void print_assumptions(FILE *out, const struct report *report) {
    for (size_t i = 0; i < report->program->assumption_count; i++)
        fprintf(out, "  assumed: %s\n", report->program->assumptions[i]);
}

void print_check(FILE *out, struct arena *arena, const struct report *report) {
    const struct outcomes *outcomes = report->outcomes;
    print_head(out, arena, report);
    print_flags(out, arena, report);
    if (report->added->launched) {
        launched_print(out, arena, report);
        print_assumptions(out, report);
        return;
    }
    findings_print(out, arena, report);
    if (outcomes->termination.always == TRUTH_NO)
        hang_print(out, arena, report);
    fix_print(out, arena, report);
    print_assumptions(out, report);
}
