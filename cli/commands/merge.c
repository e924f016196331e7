// `ptxlitmus merge`: lines with an "index", put back into their order, and the last lines of
// shards, which say whether all are there.
#include "cli/commands/merge.h"

#include "check/text/json.h"
#include "check/text/names.h"
#include "cli/input/files.h"
#include "cli/options/options.h"
#include "cli/print/states.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "litmus/source/hash.h"

#include <assert.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// The place of a line.
struct line_place {
    const char *path;
    size_t line;
};

struct merge_result {
    struct line_place at;
    size_t index; // of its input, from 1; 0 for an error that is about the whole run
    size_t order; // among all results, as they were read
    json_t *object;
};

struct part {
    struct line_place at;
    struct shard shard;
};

struct merge {
    struct arena *arena; // of paths and messages
    FILE *err;           // where messages go
    struct merge_result *results;
    size_t result_count;
    struct part *parts;
    size_t part_count;
    size_t error_count;
};

enum { MESSAGES_MAX = 20 }; // of errors; more of them are counted

// --- Messages ----------------------------------------------------------------------------------

static const char *place_text(struct merge *merge, const struct line_place *at) {
    const char *path = escaped(merge->arena, at->path);
    return at->line > 0 ? arena_format(merge->arena, "%s:%zu", path, at->line) : path;
}

__attribute__((format(printf, 3, 4))) static void
complain(struct merge *merge, const struct line_place *at, const char *format, ...) {
    if (merge->error_count++ >= MESSAGES_MAX)
        return;
    va_list args;
    va_start(args, format);
    const char *message = arena_vformat(merge->arena, format, args);
    va_end(args);
    fprintf(merge->err, "%s: error: %s\n", at ? place_text(merge, at) : "ptxlitmus", message);
}

// --- Lines -------------------------------------------------------------------------------------

// A whole number of an object, or false.
static bool number_of(const json_t *object, const char *name, size_t *value) {
    const json_t *number = json_object_get(object, name);
    if (!json_is_integer(number) || json_integer_value(number) < 0)
        return false;
    *value = (size_t)json_integer_value(number);
    return true;
}

static bool hash_of(const json_t *object, const char *name, uint64_t *value) {
    const char *text = json_string_value(json_object_get(object, name));
    return text && sscanf(text, "%16" SCNx64, value) == 1;
}

// The last line of a shard; false when it is none.
static bool shard_of(const json_t *object, struct shard *shard) {
    size_t status;
    const json_t *complete = json_object_get(object, "complete");
    if (!number_of(object, "shard", &shard->number) || !number_of(object, "of", &shard->count) ||
        !number_of(object, "inputs", &shard->inputs) || !hash_of(object, "list", &shard->list) ||
        !number_of(object, "not_run", &shard->not_run) || !json_is_boolean(complete) ||
        !number_of(object, "status", &status))
        return false;
    shard->is_suite = json_is_true(json_object_get(object, "suite"));
    shard->is_complete = json_is_true(complete);
    shard->status = (enum exit_status)status;
    return status <= EXIT_INTERNAL && shard->number >= 1 && shard->number <= shard->count;
}

static void add_part(struct merge *merge, const struct line_place *at, const struct shard *shard) {
    const struct part *first = merge->parts;
    if (first && (first->shard.count != shard->count || first->shard.inputs != shard->inputs ||
                  first->shard.list != shard->list || first->shard.is_suite != shard->is_suite)) {
        complain(merge, at, "shard %zu/%zu is of another run than shard %zu/%zu at %s",
                 shard->number, shard->count, first->shard.number, first->shard.count,
                 place_text(merge, &first->at));
        return;
    }
    merge->parts = arena_grow(merge->arena, merge->parts, merge->part_count, sizeof *merge->parts);
    merge->parts[merge->part_count++] = (struct part){*at, *shard};
}

static void add_result(struct merge *merge, const struct line_place *at, json_t *object) {
    struct merge_result result = {
        .at = *at, .order = merge->result_count, .object = json_incref(object)};
    bool indexed = number_of(object, "index", &result.index) && result.index > 0;
    if (!indexed && !json_object_get(object, "error")) {
        complain(merge, at,
                 "this line has no \"index\": only results of runs with --shard can be "
                 "joined");
    }
    json_object_del(object, "index");
    merge->results =
        arena_grow(merge->arena, merge->results, merge->result_count, sizeof *merge->results);
    merge->results[merge->result_count++] = result;
}

static void add_line(struct merge *merge, const struct line_place *at, const char *text,
                     size_t size) {
    json_error_t error;
    json_t *object = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    struct shard shard;
    if (!object)
        complain(merge, at, "this line is not JSON, or not all of it is there: %s", error.text);
    else if (!json_is_object(object))
        complain(merge, at, "this line is not a JSON object");
    else if (!json_object_get(object, "shard"))
        add_result(merge, at, object);
    else if (shard_of(object, &shard))
        add_part(merge, at, &shard);
    else
        complain(merge, at, "this line is not a shard record");
    json_decref(object);
}

// One message per file: a wrong file is wrong on every line.
static void read_file(struct merge *merge, const char *path) {
    struct line_place at = {.path = path};
    struct diagnostics diagnostics;
    struct arena *arena = arena_new(); // of the text
    diagnostics_init(&diagnostics, arena);
    const struct source *source = source_read(arena, path, &diagnostics);
    size_t errors = merge->error_count;
    if (!source)
        complain(merge, &at, "%s", diagnostics.items[0].message);
    for (uint32_t i = 0; source && i < source->line_count && merge->error_count == errors; i++) {
        const char *line = source->text + source->line_starts[i];
        uint32_t end = i + 1 < source->line_count ? source->line_starts[i + 1] : source->size;
        size_t size = end - source->line_starts[i];
        at.line = i + 1;
        if (strspn(line, " \t\r\n") < size)
            add_line(merge, &at, line, size);
    }
    arena_free(arena);
}

// --- Whether all is there ----------------------------------------------------------------------

// Files of the run that a shard takes.
static size_t files_of(const struct shard *shard) {
    return (shard->inputs + shard->count - shard->number) / shard->count;
}

static int by_number(const void *a, const void *b) {
    const struct part *x = *(const struct part *const *)a, *y = *(const struct part *const *)b;
    return x->shard.number != y->shard.number
               ? (x->shard.number > y->shard.number) - (x->shard.number < y->shard.number)
               : (x > y) - (x < y); // as they were read
}

// The parts in the order of their shards.
static const struct part **sorted_parts(struct merge *merge) {
    const struct part **parts = ARENA_ARRAY(merge->arena, const struct part *, merge->part_count);
    for (size_t i = 0; i < merge->part_count; i++)
        parts[i] = &merge->parts[i];
    qsort(parts, merge->part_count, sizeof *parts, by_number);
    for (size_t i = 0; i < merge->part_count; i++) {
        assert(parts[i]->shard.number >= 1 && parts[i]->shard.number <= parts[i]->shard.count);
        assert(i == 0 || parts[i - 1]->shard.number <= parts[i]->shard.number);
    }
    return parts;
}

// The shards from `first` to `last`, of which there may be more than anybody wants to read.
static void complain_missing(struct merge *merge, size_t first, size_t last, size_t count) {
    if (first == last) {
        complain(merge, NULL, "shard %zu/%zu is missing or incomplete", first, count);
    } else if (first < last) {
        complain(merge, NULL, "shards %zu/%zu to %zu/%zu are missing or incomplete", first, count,
                 last, count);
    }
}

// Every shard must be there, once.
static void check_parts(struct merge *merge, const struct part *const *parts) {
    size_t next = 1, count = parts[0]->shard.count;
    assert(merge->part_count > 0 && count > 0);
    for (size_t i = 0; i < merge->part_count; i++) {
        const struct shard *shard = &parts[i]->shard;
        if (i > 0 && parts[i - 1]->shard.number == shard->number) {
            complain(merge, &parts[i]->at, "shard %zu/%zu appears twice: the first one ends at %s",
                     shard->number, count, place_text(merge, &parts[i - 1]->at));
            continue;
        }
        complain_missing(merge, next, shard->number - 1, count);
        next = shard->number + 1;
    }
    complain_missing(merge, next, count, count);
}

static size_t find_part(const struct merge *merge, const struct part *const *parts, size_t number) {
    assert(merge->part_count > 0);
    size_t low = 0, high = merge->part_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (parts[middle]->shard.number <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// Every file that a shard has run must have a line; the results are sorted.
static void check_lines(struct merge *merge, const struct part *const *parts) {
    size_t *found = ARENA_ARRAY(merge->arena, size_t, merge->part_count), last = 0;
    for (size_t i = 0; i < merge->result_count; i++) {
        size_t index = merge->results[i].index;
        if (index > parts[0]->shard.inputs) {
            complain(merge, &merge->results[i].at, "index %zu, but the run has %zu files", index,
                     parts[0]->shard.inputs);
        }
        if (index > 0 && index != last) {
            found[find_part(merge, parts, (index - 1) % parts[0]->shard.count + 1)]++;
            last = index;
        }
    }
    for (size_t i = 0; i < merge->part_count; i++) {
        const struct shard *shard = &parts[i]->shard;
        if (shard->is_complete && found[i] != files_of(shard)) {
            complain(merge, &parts[i]->at, "shard %zu/%zu has results of %zu files, but ran %zu",
                     shard->number, shard->count, found[i], files_of(shard));
        }
    }
}

static void check_all(struct merge *merge) {
    if (merge->part_count == 0) {
        complain(merge, NULL, "no shard record: the results of a run with --shard end with one");
        return;
    }
    const struct part **parts = sorted_parts(merge);
    check_parts(merge, parts);
    if (merge->error_count == 0)
        check_lines(merge, parts);
}

// --- Results -----------------------------------------------------------------------------------

static int by_index(const void *a, const void *b) {
    const struct merge_result *x = a, *y = b;
    return x->index != y->index ? (x->index > y->index) - (x->index < y->index)
                                : (x->order > y->order) - (x->order < y->order);
}

// Whether no such line was printed already.
static bool is_new(const struct merge *merge, struct text_set *printed, const json_t *object) {
    char *text = json_dumps(object, JSON_COMPACT | JSON_SORT_KEYS);
    if (!text)
        bug("an object that JSON cannot say");
    bool is_new = text_set_add(printed, arena_strndup(merge->arena, text, strlen(text)));
    free(text);
    return is_new;
}

// In their order. An error about the whole run is each shard's, and shown once.
static void print_results(const struct merge *merge) {
    struct text_set *printed = text_set_new(merge->arena);
    for (size_t i = 0; i < merge->result_count; i++) {
        const struct merge_result *result = &merge->results[i];
        if (result->index > 0 || is_new(merge, printed, result->object))
            print_json_line(stdout, json_incref(result->object));
    }
    text_set_free(printed);
}

static enum exit_status print_all(struct merge *merge) {
    enum exit_status status = EXIT_DECIDED;
    print_results(merge);
    for (size_t i = 0; i < merge->part_count; i++) {
        struct part *part = &merge->parts[i];
        if (!part->shard.is_complete && part->shard.status == 0) { // nothing is known of the rest
            part->shard.status = EXIT_UNDECIDED;
            fprintf(merge->err, "%s: shard %zu/%zu is not complete\n", place_text(merge, &part->at),
                    part->shard.number, part->shard.count);
        }
        status = exit_status_worse(status, part->shard.status);
        if (part->shard.not_run > 0) {
            fprintf(merge->err, "%s: shard %zu/%zu: %zu of %zu files were not run\n",
                    place_text(merge, &part->at), part->shard.number, part->shard.count,
                    part->shard.not_run, files_of(&part->shard));
        }
    }
    return status;
}

enum exit_status merge_files(const char *const *paths, size_t count, FILE *err) {
    struct merge merge = {.arena = arena_new(), .err = err};
    for (size_t i = 0; i < count; i++)
        read_file(&merge, paths[i]);
    if (merge.result_count > 0)
        qsort(merge.results, merge.result_count, sizeof *merge.results, by_index);
    if (merge.error_count == 0)
        check_all(&merge);
    if (merge.error_count > MESSAGES_MAX) {
        fprintf(err, "ptxlitmus: error: %zu more errors are not shown\n",
                merge.error_count - MESSAGES_MAX);
    }
    enum exit_status status = merge.error_count == 0 ? print_all(&merge) : EXIT_BAD_INPUT;
    for (size_t i = 0; i < merge.result_count; i++)
        json_decref(merge.results[i].object);
    arena_free(merge.arena);
    return status;
}

// --- The last line of a shard ------------------------------------------------------------------

struct shard shard_take(const struct options *options, struct input_list *inputs) {
    if (options->shard_count == 0)
        return (struct shard){.count = 0};
    uint64_t hash = HASH_START; // FNV-1a, 64 bits
    for (size_t i = 0; i < inputs->count; i++) {
        const char *path = inputs->items[i].path;
        hash = hash_bytes(hash, path, strlen(path) + 1); // ends of strings included
    }
    const struct shard shard = {.number = options->shard,
                                .count = options->shard_count,
                                .inputs = inputs->count,
                                .list = hash,
                                .is_suite = options->suite.asked};
    files_take_shard(inputs, options->shard, options->shard_count);
    return shard;
}

void print_shard(FILE *out, const struct shard *shard) {
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, shard->list);
    json_t *object = json_of(
        "{s:I, s:I, s:I, s:s, s:I, s:b, s:i}", "shard", (json_int_t)shard->number, "of",
        (json_int_t)shard->count, "inputs", (json_int_t)shard->inputs, "list", hash, "not_run",
        (json_int_t)shard->not_run, "complete", shard->is_complete, "status", (int)shard->status);
    if (shard->is_suite)
        json_field(object, "suite", json_true());
    print_json_line(out, object);
}
