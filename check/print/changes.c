// Repairs and relaxed forms as JSON: docs/repair.md has the fields.
#include "check/print/changes.h"

#include "check/print/json.h"
#include "check/text/json.h"
#include "litmus/source/arena.h"

#include <jansson.h>

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
    json_field(object, "source", text_json(arena, place->origin));
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
    json_field(object, "source", text_json(arena, insert->origin));
    json_field(object, "from", text_json(arena, insert->was));
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
        json_item(lost, state_json(arena, report->program, remedy->lost[i]));
    for (size_t i = 0; i < remedy->flag_count; i++)
        json_item(flags, text_json(arena, remedy->flags[i]));
    json_field(object, "cost", json_integer(remedy->cost));
    json_field(object, "changes", words);
    json_field(object, "reason", text_json(arena, remedy->reason));
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
                        const struct repair *repair, const char *command,
                        const struct fault_goal *faults) {
    static const char *const states[] = {"found", "nothing-to-do", "none", "undecided"};
    json_t *object = json_object(), *remedies = json_array();
    for (size_t i = 0; i < repair->count; i++)
        json_item(remedies, remedy_json(arena, report, repair->changes, &repair->remedies[i]));
    json_field(object, "command", json_string(command));
    json_head(object, arena, report);
    const char *goal = fault_goal_text(arena, faults);
    if (goal)
        json_field(object, "goal", text_json(arena, goal));
    json_field(object, "state", json_string(states[repair->state]));
    json_field(object, "why", text_json(arena, repair->why));
    json_field(object, "complete", json_boolean(repair->is_complete));
    json_field(object, "cut", text_json(arena, repair->cut));
    json_field(object, "none_below", json_integer(repair->tried_cost));
    json_field(object, "results", remedies);
    json_field(object, "stats", stats_json(&repair->stats));
    print_json_line(out, object);
}
