// What `repair` and `relax` print for people: for each result its cost, its reason and its diff.
#include "cli/print/changes.h"

#include "cli/print/launched.h"

#include "cli/report/added.h"

#include "check/print/table.h"
#include "check/text/condition.h"
#include "check/text/names.h"
#include "cli/print/terminal.h"
#include "litmus/source/arena.h"

#include <string.h>

static bool is_repair(const struct report *report) {
    return report->added->options->change.what == CHANGING_REPAIR;
}

static const char *plural(size_t count) {
    return count == 1 ? "" : "s";
}

// --- Text --------------------------------------------------------------------------------------

static const char *state_text(struct arena *arena, const struct report *report,
                              const struct state *state) {
    const struct program *program = report->program;
    const char *text = "";
    for (size_t i = 0; i < program->observed_count; i++) {
        text = arena_format(arena, "%s%s%s=%s", text, i > 0 ? ", " : "",
                            program->observed[i].json_name, table_cell(arena, report, state, i));
    }
    return text;
}

static void print_diff(FILE *out, const struct report *report, const char *diff) {
    bool coloured = report->added->options->print.colour_out;
    while (*diff) {
        size_t length = strcspn(diff, "\n");
        bool added = *diff == '+', gone = *diff == '-';
        enum tone tone = added ? TONE_GOOD : TONE_BAD;
        fprintf(out, "%s%.*s%s\n", tone_begin(coloured && (added || gone), tone), (int)length, diff,
                tone_end(coloured && (added || gone)));
        diff += length + (diff[length] == '\n');
    }
}

static void print_lost(FILE *out, struct arena *arena, const struct report *report,
                       const struct remedy *remedy) {
    enum { SHOWN = 4 };
    if (fault_goal_is_set(&report->added->options->change.faults))
        return;
    if (remedy->lost_unknown)
        fputs("   Which other outcomes are gone is not known: there are too many.\n", out);
    if (remedy->lost_count == 0)
        return;
    fprintf(out, "   Also gone: ");
    for (size_t i = 0; i < remedy->lost_count && i < SHOWN; i++)
        fprintf(out, "%s%s", i > 0 ? "; " : "", state_text(arena, report, remedy->lost[i]));
    if (remedy->lost_count > SHOWN)
        fprintf(out, "; and %zu more", remedy->lost_count - SHOWN);
    fputs("\n", out);
}

static void print_checks(FILE *out, struct arena *arena, const struct report *report,
                         const struct remedy *remedy) {
    const struct outcomes *outcomes = remedy->outcomes;
    const char *goal = fault_goal_text(arena, &report->added->options->change.faults);
    if (goal) {
        fprintf(out, "   Checked: without %s in a run of its own, and without another fault.\n",
                goal);
        return;
    }
    fprintf(
        out, "   Checked: %s in a run of its own, with %zu%s outcome%s left",
        report->added->options->change.what == CHANGING_RELAX_OUTCOMES ? "no other outcome"
                                                                       : "the outcome is forbidden",
        outcomes->state_count, outcomes->complete ? "" : " or more", plural(outcomes->state_count));
    const char *allows = is_repair(report) ? "allows it" : "allows more";
    if (remedy->neighbours == 1)
        fprintf(out, "; the form one step weaker %s", allows);
    else if (remedy->neighbours > 1)
        fprintf(out, "; each of the %zu forms one step weaker %s", remedy->neighbours, allows);
    fputs(".\n", out);
}

static void print_remedy(FILE *out, struct arena *arena, const struct report *report,
                         const struct remedy *remedy, size_t number) {
    fprintf(out, "\n%s%zu. cost %u%s\n",
            tone_begin(report->added->options->print.colour_out, TONE_STRONG), number, remedy->cost,
            tone_end(report->added->options->print.colour_out));
    for (size_t i = 0; i < remedy->word_count; i++)
        fprintf(out, "   %s\n", remedy->words[i]);
    if (remedy->word_count == 0)
        fputs("   Nothing in it can be weaker.\n", out);
    if (remedy->reason)
        fprintf(out, "   Why: %s.\n", remedy->reason);
    print_checks(out, arena, report, remedy);
    print_lost(out, arena, report, remedy);
    for (size_t i = 0; i < remedy->flag_count; i++) {
        fprintf(out, "   %sNew flag: %s%s\n",
                tone_begin(report->added->options->print.colour_out, TONE_WARNING),
                remedy->flags[i], tone_end(report->added->options->print.colour_out));
    }
    print_diff(out, report, remedy->diff);
}

static const char *noun(const struct report *report, size_t count) {
    if (is_repair(report))
        return count == 1 ? "repair" : "repairs";
    return count == 1 ? "weakest form" : "weakest forms";
}

static void print_head(FILE *out, struct arena *arena, const struct report *report,
                       const struct repair *repair) {
    static const char *const verdicts[] = {"unknown", "forbidden", "allowed", "always"};
    launched_print_derived(out, arena, report);
    fprintf(out, "%s (%s): ", escaped(arena, report->program->test->name),
            escaped(arena, report->path));
    const char *goal = fault_goal_text(arena, &report->added->options->change.faults);
    if (goal) {
        fprintf(out, "to mend: %s\n", goal);
        return;
    }
    fputs(repair->outcomes->listed ? verdicts[repair->outcomes->verdict] : "unknown", out);
    fprintf(out, ", %s (", quantifier_text(report->program->test->quantifier));
    condition_print(out, report->program, CONDITION_PTX);
    fputs(")\n", out);
}

void print_changes_text(FILE *out, struct arena *arena, const struct report *report,
                        const struct repair *repair) {
    print_head(out, arena, report, repair);
    switch (repair->state) {
    case REPAIR_NOT_ASKED: fprintf(out, "Nothing to do: %s.\n", repair->why); return;
    case REPAIR_NONE: fprintf(out, "No %s: %s.\n", noun(report, 1), repair->why); break;
    case REPAIR_UNDECIDED:
        fprintf(out, "Undecided: %s.\n", repair->why);
        if (repair->tried_cost > 0) {
            fprintf(out, "Found so far: no %s costs less than %u.\n", noun(report, 1),
                    repair->tried_cost);
        }
        break;
    case REPAIR_FOUND:
        if (fault_goal_is_set(&report->added->options->change.faults)) {
            fputs("1 repair; others may cost less\n", out);
            break;
        }
        if (report->added->options->change.any && !repair->is_complete && !repair->cut) {
            fputs("1 repair; without '--any', the cheapest is looked for\n", out);
            break;
        }
        fprintf(out, "%zu %s, cheapest first%s\n", repair->count, noun(report, repair->count),
                repair->is_complete ? "; there are no others"
                : repair->cut       ? ""
                                    : "; '--all' looks for more");
        break;
    }
    for (size_t i = 0; i < repair->count; i++)
        print_remedy(out, arena, report, &repair->remedies[i], i + 1);
    if (repair->cut && repair->state == REPAIR_FOUND) {
        bool is_cheapest = repair->tried_cost >= repair->remedies[0].cost || !is_repair(report);
        fprintf(out, "\nThere may be %s: %s.\n", is_cheapest ? "more" : "others, and cheaper ones",
                repair->cut);
        if (!is_cheapest && repair->tried_cost > 0)
            fprintf(out, "None costs less than %u.\n", repair->tried_cost);
    }
    if (repair->cut && repair->state == REPAIR_NONE)
        fprintf(out, "Not all was tried: %s.\n", repair->cut);
}
