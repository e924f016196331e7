// Lines of JSON that an earlier run of a suite has printed, as records.
#include "cli/suite/suite.h"

#include "check/text/json.h"
#include "litmus/source/arena.h"

#include <jansson.h>
#include <string.h>

static const char *text_of(struct arena *arena, const json_t *object, const char *name) {
    const char *text = json_string_value(json_object_get(object, name));
    return text ? arena_strndup(arena, text, strlen(text)) : NULL;
}

static size_t number_of(const json_t *object, const char *name) {
    json_int_t value = json_integer_value(json_object_get(object, name));
    return value > 0 ? (size_t)value : 0;
}

static struct judged_failure failure_of(struct arena *arena, const json_t *at, const char *why) {
    return (struct judged_failure){
        .at = {text_of(arena, at, "file"), number_of(at, "line"), number_of(at, "column")},
        .why = why ? why : "?",
    };
}

// An error is a failure at its place; else those that the line lists.
static void read_failures(struct arena *arena, const json_t *object, struct judged *judged) {
    const json_t *failures = json_object_get(object, "failures");
    const char *error = text_of(arena, object, "error"), *hint = text_of(arena, object, "hint");
    size_t count = json_array_size(failures);
    judged->failures = ARENA_ARRAY(arena, struct judged_failure, count + 1);
    for (size_t i = 0; i < count; i++) {
        const json_t *failure = json_array_get(failures, i);
        judged->failures[i] = failure_of(arena, failure, text_of(arena, failure, "why"));
    }
    judged->failure_count = count;
    if (count == 0 && error) {
        const char *why = hint ? arena_format(arena, "%s; %s", error, hint) : error;
        judged->failures[judged->failure_count++] = failure_of(arena, object, why);
    }
}

// Reads what the line says of the result; false where that is nothing.
static bool read_judged(struct arena *arena, const json_t *object, struct judged *judged) {
    const char *result = text_of(arena, object, "result");
    if (!result && text_of(arena, object, "error"))
        judged->result = SUITE_BROKEN;
    else if (!suite_result_named(result, &judged->result))
        return false;
    judged->execution = text_of(arena, object, "execution");
    read_failures(arena, object, judged);
    return true;
}

// An object as we print it, whatever spaces there were in its line.
static const char *line_of(struct arena *arena, json_t *object) {
    struct arena_text text;
    print_json_line(arena_text_begin(&text), json_incref(object));
    char *line = arena_text_end(arena, &text);
    line[text.size - 1] = '\0';
    return line;
}

// Reads the record of a test or an input; false where the object is none.
static bool read_record(struct arena *arena, json_t *object, struct record *record) {
    const json_t *stats = json_object_get(object, "stats");
    *record = (struct record){
        .file = text_of(arena, object, "file"),
        .test = text_of(arena, object, "test"),
        .index = number_of(object, "index"),
        .tests = json_object_get(object, "tests") ? number_of(object, "tests") : 1,
        .reason = text_of(arena, object, "reason"),
        .seconds = json_number_value(json_object_get(stats, "total_ms")) / 1000,
    };
    if (!record->file || !read_judged(arena, object, &record->judged))
        return false;
    record->line = line_of(arena, object);
    return true;
}

const char *suite_take_line(struct suite *suite, const char *text, size_t size) {
    json_error_t error;
    json_t *object = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    struct record record;
    if (!object) {
        return arena_format(suite->arena, "this line is not JSON, or not all of it is there: %s",
                            error.text);
    }
    bool is_shard = json_object_get(object, "shard") != NULL;
    bool is_result = read_record(suite->arena, object, &record);
    json_decref(object);
    if (!is_result) {
        return is_shard ? "this is the end of a shard: 'ptxlitmus merge' joins shards first"
                        : "this line is not a result of a suite";
    }
    suite_take(suite, &record);
    return NULL;
}
