// What tests came to as the items of a suite.
#include "cli/suite/suite.h"

#include "check/text/names.h"
#include "litmus/source/arena.h"

#include <string.h>

void suite_begin(struct suite *suite, struct arena *arena) {
    *suite = (struct suite){.arena = arena};
}

bool suite_item_is_skipped(const struct suite_item *item) {
    return item->result == SUITE_NOT_RUN && item->why &&
           strcmp(item->why, SUITE_AFTER_FAILURE) == 0;
}

// --- Records -----------------------------------------------------------------------------------

static void set_place(struct suite *suite, struct suite_item *item, const struct judged_place *at) {
    item->place_file = at->file ? at->file : item->file;
    item->line = at->line;
    item->column = at->column;
    const char *shown = escaped(suite->arena, item->place_file);
    item->place = item->line > 0
                      ? arena_format(suite->arena, "%s:%zu:%zu", shown, item->line, item->column)
                      : shown;
}

// What is wrong: a line for each failure, or the reason.
static const char *why_of(struct suite *suite, const struct record *record) {
    const struct judged *judged = &record->judged;
    const char *why = NULL;
    for (size_t i = 0; i < judged->failure_count; i++) {
        why = arena_format(suite->arena, "%s%s%s", why ? why : "", why ? "\n" : "",
                           judged->failures[i].why);
    }
    return why || judged->result == SUITE_PASSED ? why : record->reason;
}

// A further error in the input that the last item is.
static bool goes_on(const struct suite *suite, const struct record *record) {
    const struct suite_item *last = suite->count > 0 ? &suite->items[suite->count - 1] : NULL;
    return last && record->judged.result == SUITE_BROKEN && last->result == SUITE_BROKEN &&
           strcmp(last->file, record->file) == 0 && suite->last_index == record->index;
}

static void add_item(struct suite *suite, const struct suite_item *item) {
    suite->items = arena_grow(suite->arena, suite->items, suite->count, sizeof *suite->items);
    suite->items[suite->count++] = *item;
    suite->counts[item->result] += item->count;
    suite->cut_off += item->result == SUITE_NOT_RUN && !suite_item_is_skipped(item);
}

// What reports need besides the item.
static void keep_rest(struct suite *suite, const struct record *record) {
    const struct judged *judged = &record->judged;
    if (record->line) {
        suite->lines =
            arena_grow(suite->arena, suite->lines, suite->line_count, sizeof *suite->lines);
        suite->lines[suite->line_count++] = record->line;
    }
    for (size_t i = 0; i < judged->failure_count; i++) {
        if (judged->failures[i].edit) {
            suite->edits =
                arena_grow(suite->arena, suite->edits, suite->edit_count, sizeof *suite->edits);
            suite->edits[suite->edit_count++] = *judged->failures[i].edit;
        }
    }
}

void suite_take(struct suite *suite, const struct record *record) {
    const struct judged *judged = &record->judged;
    struct suite_item item = {
        .result = judged->result,
        .file = record->file,
        .test = record->test,
        .why = why_of(suite, record),
        .execution = judged->execution,
        .seconds = record->seconds,
        .findings = record->findings,
        .finding_count = record->finding_count,
        .count = record->tests,
    };
    const struct judged_place nowhere = {.file = NULL};
    set_place(suite, &item, judged->failure_count > 0 ? &judged->failures[0].at : &nowhere);
    if (goes_on(suite, record)) {
        struct suite_item *last = &suite->items[suite->count - 1];
        last->why = arena_format(suite->arena, "%s\n%s: %s", last->why, item.place, item.why);
    } else {
        add_item(suite, &item);
    }
    suite->last_index = record->index;
    keep_rest(suite, record);
}

// --- The whole ---------------------------------------------------------------------------------

enum exit_status suite_status(const struct suite *suite) {
    static const enum exit_status statuses[SUITE_RESULT_COUNT] = {
        [SUITE_FAILED] = EXIT_FAILED,
        [SUITE_UNDECIDED] = EXIT_UNDECIDED,
        [SUITE_BROKEN] = EXIT_BAD_INPUT,
        [SUITE_INTERNAL] = EXIT_INTERNAL,
    };
    enum exit_status status = EXIT_DECIDED;
    for (int i = 0; i < SUITE_RESULT_COUNT; i++)
        status = suite->counts[i] > 0 ? exit_status_worse(status, statuses[i]) : status;
    // What --fail-fast leaves out follows what did not pass, unless somebody took that away.
    bool is_cut =
        suite->cut_off > 0 || (status == EXIT_DECIDED && suite->counts[SUITE_NOT_RUN] > 0);
    return is_cut ? exit_status_worse(status, EXIT_UNDECIDED) : status;
}

const char *suite_summary(struct arena *arena, const struct suite *suite) {
    size_t all = 0;
    const char *parts = "";
    for (int i = 0; i < SUITE_RESULT_COUNT; i++) {
        if (i != SUITE_LEFT_OUT)
            all += suite->counts[i];
        if (i == SUITE_PASSED || suite->counts[i] > 0) {
            parts = arena_format(arena, "%s%s%zu %s", parts, *parts ? ", " : "", suite->counts[i],
                                 suite_result_text((enum suite_result)i));
        }
    }
    return arena_format(arena, "%zu test%s: %s", all, all == 1 ? "" : "s", parts);
}

const char *suite_item_name(struct arena *arena, const struct suite_item *item) {
    const char *file = escaped(arena, item->file);
    return item->test ? arena_format(arena, "%s (%s)", file, escaped(arena, item->test)) : file;
}
