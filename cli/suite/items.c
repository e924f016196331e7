// Lines of JSON as the items of a suite.
#include "cli/suite/suite.h"

#include "check/text/names.h"
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void suite_begin(struct suite *suite, struct arena *arena) {
    *suite = (struct suite){.arena = arena};
}

void suite_end(struct suite *suite) {
    for (size_t i = 0; i < suite->line_count; i++) {
        json_decref(suite->lines[i]);
    }
}

bool suite_item_is_skipped(const struct suite_item *item) {
    return item->result == SUITE_NOT_RUN && item->why &&
           strcmp(item->why, SUITE_AFTER_FAILURE) == 0;
}

// --- Lines -------------------------------------------------------------------------------------

static const char *text_of(const json_t *object, const char *name) {
    return json_string_value(json_object_get(object, name));
}

static size_t number_of(const json_t *object, const char *name) {
    json_int_t value = json_integer_value(json_object_get(object, name));
    return value > 0 ? (size_t)value : 0;
}

// The result that a line names; false where it has none that is known.
static bool result_of(const json_t *object, enum suite_result *result) {
    const char *text = text_of(object, "result");
    if (!text && text_of(object, "error")) {
        *result = SUITE_BROKEN;
        return true;
    }
    return suite_result_named(text, result);
}

static void set_place(struct suite *suite, struct suite_item *item, const json_t *at) {
    const char *file = text_of(at, "file");
    item->place_file = file ? file : item->file;
    item->line = number_of(at, "line");
    item->column = number_of(at, "column");
    const char *shown = escaped(suite->arena, item->place_file);
    item->place = item->line > 0
                      ? arena_format(suite->arena, "%s:%zu:%zu", shown, item->line, item->column)
                      : shown;
}

// What is wrong: a line for each failure, or the reason.
static const char *why_of(struct suite *suite, struct suite_item *item, const json_t *object) {
    const json_t *failures = json_object_get(object, "failures");
    const char *why = NULL, *hint = text_of(object, "hint");
    for (size_t i = 0; i < json_array_size(failures); i++) {
        const json_t *failure = json_array_get(failures, i);
        const char *text = text_of(failure, "why");
        if (i == 0) {
            set_place(suite, item, failure);
        }
        why = arena_format(suite->arena, "%s%s%s", why ? why : "", why ? "\n" : "",
                           text ? text : "?");
    }
    if (!why && text_of(object, "error")) {
        why = arena_format(suite->arena, "%s%s%s", text_of(object, "error"), hint ? "; " : "",
                           hint ? hint : "");
    }
    return why || item->result == SUITE_PASSED ? why : text_of(object, "reason");
}

static bool is_same_index(const json_t *a, const json_t *b) {
    const json_t *x = json_object_get(a, "index"), *y = json_object_get(b, "index");
    return x && y ? json_equal(x, y) : x == y;
}

// A further error in the input that the last item is.
static bool goes_on(const struct suite *suite, const struct suite_item *item,
                    const json_t *object) {
    const struct suite_item *last = suite->count > 0 ? &suite->items[suite->count - 1] : NULL;
    const json_t *before = suite->line_count > 0 ? suite->lines[suite->line_count - 1] : NULL;
    return last && item->result == SUITE_BROKEN && last->result == SUITE_BROKEN &&
           strcmp(last->file, item->file) == 0 && is_same_index(before, object);
}

static void add_item(struct suite *suite, const struct suite_item *item) {
    suite->items = arena_grow(suite->arena, suite->items, suite->count, sizeof *suite->items);
    suite->items[suite->count++] = *item;
    suite->counts[item->result] += item->count;
    suite->cut_off += item->result == SUITE_NOT_RUN && !suite_item_is_skipped(item);
}

static void keep_line(struct suite *suite, json_t *object) {
    suite->lines = arena_grow(suite->arena, suite->lines, suite->line_count, sizeof(json_t *));
    suite->lines[suite->line_count++] = object;
}

const char *suite_take_line(struct suite *suite, const char *text, size_t size) {
    json_error_t error;
    json_t *object = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    struct suite_item item = {.count = 1};
    if (!object) {
        return arena_format(suite->arena, "this line is not JSON, or not all of it is there: %s",
                            error.text);
    }
    item.file = text_of(object, "file");
    if (!json_is_object(object) || !item.file || !result_of(object, &item.result)) {
        bool is_shard = json_object_get(object, "shard") != NULL;
        json_decref(object);
        return is_shard ? "this is the end of a shard: 'ptxlitmus merge' joins shards first"
                        : "this line is not a result of a suite";
    }
    item.test = text_of(object, "test");
    set_place(suite, &item, object);
    item.why = why_of(suite, &item, object);
    item.execution = text_of(object, "execution");
    item.seconds =
        json_number_value(json_object_get(json_object_get(object, "stats"), "total_ms")) / 1000;
    if (json_object_get(object, "tests")) {
        item.count = number_of(object, "tests");
    }
    if (goes_on(suite, &item, object)) {
        struct suite_item *last = &suite->items[suite->count - 1];
        last->why = arena_format(suite->arena, "%s\n%s: %s", last->why, item.place, item.why);
    } else {
        add_item(suite, &item);
    }
    keep_line(suite, object);
    return NULL;
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
    for (int i = 0; i < SUITE_RESULT_COUNT; i++) {
        status = suite->counts[i] > 0 ? exit_status_worse(status, statuses[i]) : status;
    }
    // What --fail-fast leaves out follows what did not pass, unless somebody took that away.
    bool is_cut =
        suite->cut_off > 0 || (status == EXIT_DECIDED && suite->counts[SUITE_NOT_RUN] > 0);
    return is_cut ? exit_status_worse(status, EXIT_UNDECIDED) : status;
}

const char *suite_summary(struct arena *arena, const struct suite *suite) {
    size_t all = 0;
    const char *parts = "";
    for (int i = 0; i < SUITE_RESULT_COUNT; i++) {
        if (i != SUITE_LEFT_OUT) {
            all += suite->counts[i];
        }
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
