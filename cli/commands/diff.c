// Compares results of runs, line by line: tests are the same by file and name.
#include "cli/commands/commands.h"

#include "check/text/names.h"
#include "cli/print/states.h"
#include "cli/print/terminal.h"
#include "litmus/source/arena.h"
#include "litmus/source/containers.h"
#include "litmus/source/diagnostics.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

// What a run says of a test, or of an input with errors.
struct diff_entry {
    const char *key;  // file and test, and which of several it is
    const char *name; // for people
    json_t *object;
    const char *errors; // of an input with errors
    bool is_matched;
    UT_hash_handle hh;
};

struct diff_run {
    struct arena *arena;
    const char *path;
    struct diff_entry **entries; // in their order
    size_t count;
    struct diff_entry *by_key;
    struct text_set *cuts; // files of which not all tests were run
};

static const char *text_of(const json_t *object, const char *name) {
    return json_string_value(json_object_get(object, name));
}

// --- Reading -----------------------------------------------------------------------------------

static struct diff_entry *find(const struct diff_run *run, const char *key) {
    struct diff_entry *entry;
    HASH_FIND_STR(run->by_key, key, entry);
    return entry;
}

// The key of a result that is the n-th of its file and test: several, under several targets.
static const char *key_of(struct diff_run *run, const char *file, const char *test) {
    for (size_t n = 0;; n++) {
        const char *key = arena_format(run->arena, "%s\n%s\n%zu", file, test ? test : "", n);
        if (!find(run, key))
            return key;
    }
}

static void add_entry(struct diff_run *run, json_t *object) {
    const char *file = text_of(object, "file"), *test = text_of(object, "test");
    const char *error = text_of(object, "error"), *result = text_of(object, "result");
    const char *first = arena_format(run->arena, "%s\n\n0", file);
    struct diff_entry *known = error ? find(run, first) : NULL;
    bool not_run = result && strcmp(result, "not run") == 0;
    if (not_run)
        text_set_add(run->cuts, arena_format(run->arena, "%s", file));
    if (not_run || (result && strcmp(result, "left out") == 0)) {
        json_decref(object);
        return;
    }
    if (known) {
        known->errors = arena_format(run->arena, "%s; %s", known->errors, error);
        json_decref(object);
        return;
    }
    struct diff_entry *entry = ARENA_NEW(run->arena, struct diff_entry);
    const char *shown = escaped(run->arena, file);
    *entry = (struct diff_entry){
        .key = error ? first : key_of(run, file, test),
        .name =
            test ? arena_format(run->arena, "%s (%s)", shown, escaped(run->arena, test)) : shown,
        .object = object,
        .errors = error};
    run->entries = arena_grow(run->arena, run->entries, run->count, sizeof(struct diff_entry *));
    run->entries[run->count++] = entry;
    HASH_ADD_KEYPTR(hh, run->by_key, entry->key, strlen(entry->key), entry);
}

// What is wrong with a line, or NULL.
static const char *take_line(struct diff_run *run, const char *text, size_t size) {
    json_error_t error;
    json_t *object = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (!object) {
        return arena_format(run->arena, "this line is not JSON, or not all of it is there: %s",
                            error.text);
    }
    bool is_shard = json_object_get(object, "shard") != NULL;
    if (text_of(object, "file") &&
        (text_of(object, "verdict") || text_of(object, "error") || text_of(object, "result"))) {
        add_entry(run, object);
        return NULL;
    }
    json_decref(object);
    return is_shard ? "this is the end of a shard: 'ptxlitmus merge' joins shards first"
                    : "this line is not the result of a run";
}

// False after a message.
static bool read_run(struct diff_run *run, FILE *err) {
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, run->arena);
    const struct source *source = source_read(run->arena, run->path, &diagnostics);
    for (uint32_t i = 0; source && i < source->line_count && !diag_has_errors(&diagnostics); i++) {
        uint32_t begin = source->line_starts[i];
        uint32_t end = i + 1 < source->line_count ? source->line_starts[i + 1] : source->size;
        const char *error = strspn(source->text + begin, " \t\r\n") >= end - begin
                                ? NULL
                                : take_line(run, source->text + begin, end - begin);
        if (error)
            diag_error_path(&diagnostics, run->path, "line %u: %s", i + 1, error);
    }
    size_t cut_count;
    text_set_texts(run->cuts, &cut_count);
    if (source && run->count == 0 && cut_count == 0 && !diag_has_errors(&diagnostics))
        diag_error_path(&diagnostics, run->path, "there are no results in this file");
    for (size_t i = 0; i < diagnostics.count; i++)
        print_diagnostic(err, run->arena, &diagnostics.items[i], false);
    return !diag_has_errors(&diagnostics);
}

static void end_run(struct diff_run *run) {
    for (size_t i = 0; i < run->count; i++)
        json_decref(run->entries[i]->object);
    HASH_CLEAR(hh, run->by_key);
    text_set_free(run->cuts);
}

// --- Comparing ---------------------------------------------------------------------------------

// The differences of one test, in lines.
struct diff_text {
    struct arena *arena;
    const char *lines;
};

static void add_line(struct diff_text *text, const char *line) {
    text->lines = arena_format(text->arena, "%s  %s\n", text->lines, line);
}

static bool lists(const json_t *object) {
    return json_is_true(json_object_get(object, "complete"));
}

// States that one run has and the other one has not.
static void diff_states(struct diff_text *text, const json_t *from, const json_t *to,
                        const char *sign) {
    const json_t *states = json_object_get(from, "states"), *others = json_object_get(to, "states");
    if (!json_is_array(others) || !lists(to))
        return; // what is not listed may be there
    struct text_set *set = text_set_new(text->arena);
    for (size_t i = 0; i < json_array_size(others); i++)
        text_set_add(set, state_text_json(text->arena, json_array_get(others, i)));
    for (size_t i = 0; i < json_array_size(states); i++) {
        const char *state = state_text_json(text->arena, json_array_get(states, i));
        if (!text_set_has(set, state))
            add_line(text, arena_format(text->arena, "%s outcome %s", sign, state));
    }
    text_set_free(set);
}

static bool has_flag(const json_t *object, const char *field, const char *flag) {
    const json_t *flags = json_object_get(object, field);
    for (size_t i = 0; i < json_array_size(flags); i++)
        if (strcmp(json_string_value(json_array_get(flags, i)), flag) == 0)
            return true;
    return false;
}

static void diff_flags(struct diff_text *text, const json_t *from, const json_t *to,
                       const char *field, const char *sign, const char *what) {
    const json_t *flags = json_object_get(from, field);
    for (size_t i = 0; i < json_array_size(flags); i++) {
        const char *flag = json_string_value(json_array_get(flags, i));
        if (!has_flag(to, field, flag))
            add_line(text, arena_format(text->arena, "%s %s %s", sign, what, flag));
    }
}

static void diff_words(struct diff_text *text, const char *what, const char *a, const char *b) {
    a = a ? a : "none";
    b = b ? b : "none";
    if (strcmp(a, b) != 0)
        add_line(text, arena_format(text->arena, "%s %s, then %s", what, a, b));
}

// The differences; "" where there are none.
static const char *diff_entries(struct arena *arena, const struct diff_entry *a,
                                const struct diff_entry *b) {
    struct diff_text text = {arena, ""};
    const json_t *x = a->object, *y = b->object;
    diff_words(&text, "error", a->errors, b->errors);
    if (a->errors || b->errors)
        return text.lines;
    diff_words(&text, "verdict", text_of(x, "verdict"), text_of(y, "verdict"));
    if (lists(x) != lists(y)) {
        add_line(&text, lists(x) ? "outcomes listed completely, then not"
                                 : "outcomes not listed completely, then completely");
    }
    diff_states(&text, x, y, "-");
    diff_states(&text, y, x, "+");
    diff_flags(&text, x, y, "flags", "-", "flag");
    diff_flags(&text, y, x, "flags", "+", "flag");
    diff_flags(&text, x, y, "unknown_flags", "-", "unknown flag");
    diff_flags(&text, y, x, "unknown_flags", "+", "unknown flag");
    return text.lines;
}

// What came of the comparison.
struct diff_counts {
    size_t differing; // tests
    size_t open;      // tests, or files, of which that is not known: a run has left them out
};

// A test that only one run has: with the other one that may be because it was not run there.
static void print_single(const struct diff_entry *entry, const struct diff_run *other,
                         const char *sign, FILE *out, struct diff_counts *counts) {
    if (text_set_has(other->cuts, text_of(entry->object, "file"))) {
        fprintf(out, "? %s\n  not run in %s\n", entry->name, escaped(other->arena, other->path));
        counts->open++;
    } else {
        fprintf(out, "%s %s\n", sign, entry->name);
        counts->differing++;
    }
}

// Files that neither run has run, or not all of.
static void print_cuts(const struct diff_run *a, const struct diff_run *b, FILE *out,
                       struct diff_counts *counts) {
    size_t count;
    const char *const *files = text_set_texts(a->cuts, &count);
    for (size_t i = 0; i < count; i++) {
        if (text_set_has(b->cuts, files[i])) {
            fprintf(out, "? %s\n  not run, or not all of it\n", escaped(a->arena, files[i]));
            counts->open++;
        }
    }
}

static struct diff_counts print_differences(struct diff_run *a, struct diff_run *b, FILE *out) {
    struct diff_counts counts = {0};
    for (size_t i = 0; i < a->count; i++) {
        struct diff_entry *entry = a->entries[i], *other = find(b, entry->key);
        const char *lines = other ? diff_entries(a->arena, entry, other) : "";
        if (!other) {
            print_single(entry, b, "-", out, &counts);
            continue;
        }
        other->is_matched = true;
        if (*lines) {
            fprintf(out, "%s\n%s", entry->name, lines);
            counts.differing++;
        }
    }
    for (size_t i = 0; i < b->count; i++)
        if (!b->entries[i]->is_matched)
            print_single(b->entries[i], a, "+", out, &counts);
    print_cuts(a, b, out, &counts);
    return counts;
}

static size_t matched(const struct diff_run *run) {
    size_t count = 0;
    for (size_t i = 0; i < run->count; i++)
        count += run->entries[i]->is_matched;
    return count;
}

enum exit_status diff_results(const char *a, const char *b, FILE *out, FILE *err) {
    struct arena *arena = arena_new();
    struct diff_run before = {.arena = arena, .path = a, .cuts = text_set_new(arena)},
                    after = {.arena = arena, .path = b, .cuts = text_set_new(arena)};
    enum exit_status status = EXIT_BAD_INPUT;
    bool read = read_run(&before, err);
    if (read_run(&after, err) && read) {
        struct diff_counts counts = print_differences(&before, &after, out);
        if (counts.differing > 0) {
            fprintf(out, "%zu of %zu tests differ\n", counts.differing,
                    before.count + after.count - matched(&after));
        }
        if (counts.open > 0)
            fprintf(out, "%zu could not be compared\n", counts.open);
        status = counts.differing > 0 ? EXIT_FAILED
                 : counts.open > 0    ? EXIT_UNDECIDED
                                      : EXIT_DECIDED;
    }
    end_run(&before);
    end_run(&after);
    arena_free(arena);
    return status;
}
