// What `repair` and `relax` print: for each result its cost, its reason and its diff.
#include "cli/print/changes.h"

#include "cli/print/launched.h"

#include "cli/report/added.h"

#include "check/print/table.h"
#include "check/text/condition.h"
#include "check/text/json.h"
#include "check/text/names.h"
#include "check/text/values.h"
#include "cli/print/terminal.h"
#include "litmus/source/arena.h"

#include <jansson.h>
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

// --- JSON --------------------------------------------------------------------------------------

static json_t *state_json(const struct report *report, const struct state *state) {
    json_t *object = json_object();
    const struct program *program = report->program;
    for (size_t i = 0; i < program->observed_count; i++) {
        const struct observed *observed = &program->observed[i];
        json_field(object, observed->json_name,
                   value_json(state->values[i].value, state->values[i].undef, observed->width,
                              observed->is_signed));
    }
    return object;
}

// A form's text; null where nothing is there.
static json_t *form_json(struct arena *arena, const struct change_form *form) {
    return form->is_present ? text_json(arena, form->text) : json_null();
}

// What a result changes at a place: the line of the file, and for a module where that comes from; a
// fence that is new comes before the line.
static json_t *change_json(struct arena *arena, const struct changes *changes, size_t index,
                           size_t form) {
    const struct change_place *place = &changes->places[index];
    const struct position at = source_position(changes->file, place->span.begin);
    json_t *object = json_object();
    json_field(object, "text", text_json(arena, change_describe(arena, changes, index, form)));
    json_field(object, "line", json_integer(at.line));
    json_field(object, "thread",
               place->is_shared ? json_null()
                                : json_integer(changes->test->threads[place->thread].number));
    json_field(object, "source", place->origin ? text_json(arena, place->origin) : json_null());
    json_field(object, "from", form_json(arena, &place->forms[place->written]));
    json_field(object, "to", form_json(arena, &place->forms[form]));
    return object;
}

// An edit of a barrier, in the same way.
static json_t *insert_json(struct arena *arena, const struct changes *changes,
                           const struct change_insert *insert) {
    static const char *const where[] = {"before", "after", "for"};
    const struct position at = source_position(changes->file, insert->span.begin);
    json_t *object = json_object();
    json_field(object, "text", text_json(arena, change_describe_insert(arena, changes, insert)));
    json_field(object, "line", json_integer(at.line));
    json_field(object, "thread",
               insert->is_shared ? json_null()
                                 : json_integer(changes->test->threads[insert->thread].number));
    json_field(object, "source", insert->origin ? text_json(arena, insert->origin) : json_null());
    json_field(object, "from", insert->was ? text_json(arena, insert->was) : json_null());
    json_field(object, "to", text_json(arena, insert->text));
    json_field(object, "where", json_string(where[insert->where]));
    return object;
}

static json_t *remedy_json(struct arena *arena, const struct report *report,
                           const struct changes *changes, const struct remedy *remedy) {
    json_t *object = json_object(), *words = json_array(), *lost = json_array(),
           *flags = json_array();
    for (size_t i = 0; i < changes->count; i++) {
        const struct change_place *place = &changes->places[i];
        const struct change_form *form = &place->forms[remedy->choice[i]];
        if (remedy->choice[i] == place->written)
            continue;
        for (size_t k = 0; k < form->insert_count; k++)
            json_item(words, insert_json(arena, changes, &form->inserts[k]));
        if (form->insert_count == 0)
            json_item(words, change_json(arena, changes, i, remedy->choice[i]));
    }
    for (size_t i = 0; i < remedy->lost_count; i++)
        json_item(lost, state_json(report, remedy->lost[i]));
    for (size_t i = 0; i < remedy->flag_count; i++)
        json_item(flags, text_json(arena, remedy->flags[i]));
    json_field(object, "cost", json_integer(remedy->cost));
    json_field(object, "changes", words);
    json_field(object, "reason", remedy->reason ? text_json(arena, remedy->reason) : json_null());
    json_field(object, "outcomes", json_integer((json_int_t)remedy->outcomes->state_count));
    json_field(object, "lost", remedy->lost_unknown ? json_null() : json_incref(lost));
    json_decref(lost);
    json_field(object, "new_flags", flags);
    json_field(object, "weaker_checked", json_integer((json_int_t)remedy->neighbours));
    json_field(object, "diff", text_json(arena, remedy->diff));
    return object;
}

static json_t *stats_json(const struct repair_stats *stats) {
    json_t *object = json_object();
    json_field(object, "runs", json_integer((json_int_t)stats->runs));
    json_field(object, "evaluations", json_integer((json_int_t)stats->evaluations));
    json_field(object, "rejected", json_integer((json_int_t)stats->rejected));
    json_field(object, "not_monotone", json_integer((json_int_t)stats->not_monotone));
    json_field(object, "seconds", json_real(stats->seconds));
    return object;
}

void print_changes_json(FILE *out, struct arena *arena, const struct report *report,
                        const struct repair *repair) {
    static const char *const states[] = {"found", "nothing-to-do", "none", "undecided"};
    json_t *object = json_object(), *remedies = json_array();
    for (size_t i = 0; i < repair->count; i++)
        json_item(remedies, remedy_json(arena, report, repair->changes, &repair->remedies[i]));
    json_field(object, "command", json_string(is_repair(report) ? "repair" : "relax"));
    json_field(object, "test", text_json(arena, report->program->test->name));
    json_field(object, "file", text_json(arena, report->path));
    json_field(object, "model", text_json(arena, report->model));
    json_field(object, "target",
               report->target ? text_json(arena, report->target->ptx.name) : json_null());
    if (*report_derived_launch(report))
        json_field(object, "launch", text_json(arena, report_derived_launch(report)));
    const char *goal = fault_goal_text(arena, &report->added->options->change.faults);
    if (goal)
        json_field(object, "goal", text_json(arena, goal));
    json_field(object, "state", json_string(states[repair->state]));
    json_field(object, "why", repair->why ? text_json(arena, repair->why) : json_null());
    json_field(object, "complete", json_boolean(repair->is_complete));
    json_field(object, "cut", repair->cut ? text_json(arena, repair->cut) : json_null());
    json_field(object, "none_below", json_integer(repair->tried_cost));
    json_field(object, "results", remedies);
    json_field(object, "stats", stats_json(&repair->stats));
    print_json_line(out, object);
    json_decref(object);
}
