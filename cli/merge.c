// `ptxlitmus merge`: lines with an "index", put back into their order, and the last lines of
// shards, which say whether all are there.
#include "cli/merge.h"

#include "cli/names.h"
#include "cli/print.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

// Where a line stands.
struct line_place {
    const char *path;
    size_t line;
};

struct result {
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
    struct result *results;
    size_t result_count;
    struct part *parts;
    size_t part_count;
    size_t error_count;
};

// --- Messages ----------------------------------------------------------------------------------

__attribute__((format(printf, 3, 4))) static void
complain(struct merge *merge, const struct line_place *at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *message = arena_vformat(merge->arena, format, args);
    va_end(args);
    if (at && at->line > 0) {
        fprintf(stderr, "%s:%zu: error: %s\n", escaped(merge->arena, at->path), at->line, message);
    } else if (at) {
        fprintf(stderr, "%s: error: %s\n", escaped(merge->arena, at->path), message);
    } else {
        fprintf(stderr, "ptxlitmus: error: %s\n", message);
    }
    merge->error_count++;
}

static const char *place_text(struct merge *merge, const struct line_place *at) {
    return arena_format(merge->arena, "%s:%zu", escaped(merge->arena, at->path), at->line);
}

// --- Lines -------------------------------------------------------------------------------------

// A whole number of an object, or false.
static bool number_of(const json_t *object, const char *name, size_t *value) {
    const json_t *number = json_object_get(object, name);
    if (!json_is_integer(number) || json_integer_value(number) < 0) {
        return false;
    }
    *value = (size_t)json_integer_value(number);
    return true;
}

static bool hash_of(const json_t *object, const char *name, uint64_t *value) {
    const char *text = json_string_value(json_object_get(object, name));
    return text && sscanf(text, "%16" SCNx64, value) == 1;
}

static bool is_status(size_t status) {
    return status <= EXIT_INTERNAL;
}

// The last line of a shard; false when it is none.
static bool shard_of(const json_t *object, struct shard *shard) {
    size_t status;
    const json_t *complete = json_object_get(object, "complete");
    if (!number_of(object, "shard", &shard->number) || !number_of(object, "of", &shard->count) ||
        !number_of(object, "inputs", &shard->inputs) || !hash_of(object, "list", &shard->list) ||
        !number_of(object, "not_run", &shard->not_run) || !json_is_boolean(complete) ||
        !number_of(object, "status", &status) || !is_status(status)) {
        return false;
    }
    shard->is_complete = json_is_true(complete);
    shard->status = (enum exit_status)status;
    return shard->number >= 1 && shard->number <= shard->count;
}

static void add_part(struct merge *merge, const struct line_place *at, const struct shard *shard) {
    for (size_t i = 0; i < merge->part_count; i++) {
        const struct part *other = &merge->parts[i];
        if (other->shard.count != shard->count || other->shard.inputs != shard->inputs ||
            other->shard.list != shard->list) {
            complain(merge, at, "shard %zu/%zu is of another run than shard %zu/%zu at %s",
                     shard->number, shard->count, other->shard.number, other->shard.count,
                     place_text(merge, &other->at));
            return;
        }
        if (other->shard.number == shard->number) {
            complain(merge, at, "shard %zu/%zu comes twice: the first one ends at %s",
                     shard->number, shard->count, place_text(merge, &other->at));
            return;
        }
    }
    merge->parts = arena_grow(merge->arena, merge->parts, merge->part_count, sizeof *merge->parts);
    merge->parts[merge->part_count++] = (struct part){*at, *shard};
}

static void add_result(struct merge *merge, const struct line_place *at, json_t *object) {
    struct result result = {.at = *at, .order = merge->result_count, .object = json_incref(object)};
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
    if (!object) {
        complain(merge, at, "this line is not JSON, or not all of it is there: %s", error.text);
    } else if (!json_is_object(object)) {
        complain(merge, at, "this line is no object of JSON");
    } else if (!json_object_get(object, "shard")) {
        add_result(merge, at, object);
    } else if (shard_of(object, &shard)) {
        add_part(merge, at, &shard);
    } else {
        complain(merge, at, "this line says nothing that is known of a shard");
    }
    json_decref(object);
}

static void read_file(struct merge *merge, const char *path) {
    struct line_place at = {.path = path};
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
    if (!file) {
        complain(merge, &at, "cannot be read: %s", strerror(errno));
        return;
    }
    char *text = NULL;
    size_t capacity = 0;
    ssize_t size;
    size_t errors = merge->error_count; // one message a file: a wrong file is wrong on every line
    errno = 0;
    while (merge->error_count == errors && (size = getline(&text, &capacity, file)) >= 0) {
        at.line++;
        if (strspn(text, " \t\r\n") < (size_t)size) {
            add_line(merge, &at, text, (size_t)size);
        }
        errno = 0;
    }
    if (ferror(file)) {
        at.line = 0;
        complain(merge, &at, "cannot be read: %s", strerror(errno));
    }
    free(text);
    if (file != stdin) {
        fclose(file);
    }
}

// --- Whether all is there ----------------------------------------------------------------------

static const struct part *part_of(const struct merge *merge, size_t number) {
    for (size_t i = 0; i < merge->part_count; i++) {
        if (merge->parts[i].shard.number == number) {
            return &merge->parts[i];
        }
    }
    return NULL;
}

// Files of the run that a shard takes.
static size_t files_of(const struct shard *shard) {
    return (shard->inputs + shard->count - shard->number) / shard->count;
}

// Every file that the shard has run must have a line; the results are sorted.
static void check_lines(struct merge *merge, const struct part *part) {
    const struct shard *shard = &part->shard;
    size_t found = 0, last = 0;
    for (size_t i = 0; i < merge->result_count; i++) {
        size_t index = merge->results[i].index;
        if (index > 0 && (index - 1) % shard->count == shard->number - 1 && index != last) {
            found++;
            last = index;
        }
    }
    if (shard->is_complete && found != files_of(shard)) {
        complain(merge, &part->at, "shard %zu/%zu has results of %zu files, but ran %zu",
                 shard->number, shard->count, found, files_of(shard));
    }
}

static void check_index(struct merge *merge, const struct result *result, size_t inputs) {
    if (result->index > inputs) {
        complain(merge, &result->at, "index %zu, but the run has %zu files", result->index, inputs);
    }
}

static void check_all(struct merge *merge) {
    if (merge->part_count == 0) {
        complain(merge, NULL,
                 "no shard: results of runs with --shard end with a line that names it");
        return;
    }
    const struct shard *any = &merge->parts[0].shard;
    for (size_t number = 1; number <= any->count; number++) {
        const struct part *part = part_of(merge, number);
        if (part) {
            check_lines(merge, part);
        } else {
            complain(merge, NULL, "shard %zu/%zu is missing, or did not come to its end", number,
                     any->count);
        }
    }
    for (size_t i = 0; i < merge->result_count; i++) {
        check_index(merge, &merge->results[i], any->inputs);
    }
}

// --- Results -----------------------------------------------------------------------------------

static int by_index(const void *a, const void *b) {
    const struct result *x = a, *y = b;
    return x->index != y->index ? (x->index > y->index) - (x->index < y->index)
                                : (x->order > y->order) - (x->order < y->order);
}

// An error about the whole run is each shard's, and shown once.
static bool is_repeated(const struct merge *merge, size_t at) {
    for (size_t i = 0; i < at && merge->results[at].index == 0; i++) {
        if (json_equal(merge->results[i].object, merge->results[at].object)) {
            return true;
        }
    }
    return false;
}

static enum exit_status print_all(struct merge *merge) {
    enum exit_status status = EXIT_DECIDED;
    for (size_t i = 0; i < merge->result_count; i++) {
        if (!is_repeated(merge, i)) {
            print_json_line(stdout, merge->results[i].object);
        }
    }
    for (size_t i = 0; i < merge->part_count; i++) {
        const struct part *part = &merge->parts[i];
        status = exit_status_worse(status, part->shard.status);
        if (part->shard.not_run > 0) {
            fprintf(stderr, "%s: shard %zu/%zu: %zu of %zu files were not run\n",
                    place_text(merge, &part->at), part->shard.number, part->shard.count,
                    part->shard.not_run, files_of(&part->shard));
        }
    }
    return status;
}

enum exit_status merge_files(const char *const *paths, size_t count) {
    struct merge merge = {.arena = arena_new()};
    for (size_t i = 0; i < count; i++) {
        read_file(&merge, paths[i]);
    }
    if (merge.result_count > 0) {
        qsort(merge.results, merge.result_count, sizeof *merge.results, by_index);
    }
    if (merge.error_count == 0) {
        check_all(&merge);
    }
    enum exit_status status = merge.error_count == 0 ? print_all(&merge) : EXIT_BAD_INPUT;
    for (size_t i = 0; i < merge.result_count; i++) {
        json_decref(merge.results[i].object);
    }
    arena_free(merge.arena);
    return status;
}

// --- The last line of a shard ------------------------------------------------------------------

uint64_t shard_hash(const char *const *paths, size_t count) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325); // FNV-1a, ends of strings included
    for (size_t i = 0; i < count; i++) {
        const char *at = paths[i];
        do {
            hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
        } while (*at++);
    }
    return hash;
}

void print_shard(FILE *out, const struct shard *shard) {
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, shard->list);
    json_t *object = json_object();
    json_object_set_new(object, "shard", json_integer((json_int_t)shard->number));
    json_object_set_new(object, "of", json_integer((json_int_t)shard->count));
    json_object_set_new(object, "inputs", json_integer((json_int_t)shard->inputs));
    json_object_set_new(object, "list", json_string(hash));
    json_object_set_new(object, "not_run", json_integer((json_int_t)shard->not_run));
    json_object_set_new(object, "complete", json_boolean(shard->is_complete));
    json_object_set_new(object, "status", json_integer(shard->status));
    print_json_line(out, object);
    json_decref(object);
}
