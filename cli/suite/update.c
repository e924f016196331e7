// Applies the changes that failures name, file by file. A file is written only if what it becomes
// can be read.
#include "cli/suite/update.h"

#include "check/text/names.h"
#include "litmus/readers/reader.h"
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "litmus/source/replace.h"

#include <stdlib.h>
#include <string.h>

struct change {
    const char *file, *text;
    size_t begin, end;
};

struct change_list {
    struct change *items;
    size_t count;
};

static size_t number_of(const json_t *object, const char *name) {
    json_int_t value = json_integer_value(json_object_get(object, name));
    return value > 0 ? (size_t)value : 0;
}

static void collect(const struct suite *suite, struct change_list *changes) {
    for (size_t i = 0; i < suite->line_count; i++) {
        const json_t *failures = json_object_get(suite->lines[i], "failures");
        for (size_t j = 0; j < json_array_size(failures); j++) {
            const json_t *update = json_object_get(json_array_get(failures, j), "update");
            if (!update) {
                continue;
            }
            changes->items =
                arena_grow(suite->arena, changes->items, changes->count, sizeof *changes->items);
            changes->items[changes->count++] =
                (struct change){json_string_value(json_object_get(update, "file")),
                                json_string_value(json_object_get(update, "text")),
                                number_of(update, "begin"), number_of(update, "end")};
        }
    }
}

static int by_place(const void *a, const void *b) {
    const struct change *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    return order != 0             ? order
           : x->begin != y->begin ? (x->begin > y->begin) - (x->begin < y->begin)
                                  : strcmp(x->text, y->text);
}

// The text with the changes from `first` to `end`; NULL where two of them are of one place.
static char *changed(const struct source *source, const struct change *first,
                     const struct change *end, size_t *count, size_t *size) {
    char *text;
    size_t at = 0;
    bool fits = true;
    FILE *out = text_open(&text, size);
    *count = 0;
    for (const struct change *change = first; change < end; change++) {
        if (change > first && change->begin == change[-1].begin &&
            strcmp(change->text, change[-1].text) == 0) {
            continue; // tests that share what is expected
        }
        if (change->begin < at || (change > first && change->begin == change[-1].begin) ||
            change->end > source->size) {
            fits = false;
            break;
        }
        fwrite(source->text + at, 1, change->begin - at, out);
        fputs(change->text, out);
        at = change->end;
        ++*count;
    }
    fwrite(source->text + at, 1, source->size - at, out);
    text_close(out);
    if (!fits) {
        free(text);
    }
    return fits ? text : NULL;
}

// Whether a changed litmus test can be read.
static bool is_readable(struct arena *arena, const char *path, const char *text, size_t size) {
    static const char ending[] = ".litmus", sidecar[] = ".ptx.litmus";
    size_t length = strlen(path);
    bool is_litmus =
        length >= sizeof ending && strcmp(path + length - (sizeof ending - 1), ending) == 0 &&
        !(length >= sizeof sidecar && strcmp(path + length - (sizeof sidecar - 1), sidecar) == 0);
    if (!is_litmus) {
        return true;
    }
    struct diagnostics diagnostics;
    struct test_list tests;
    diagnostics_init(&diagnostics, arena);
    return test_read_all(arena, source_from_text(arena, path, text, size), SYNTAX_GUESS,
                         &diagnostics, &tests);
}

// Changes a file; false after a message.
static bool update_file(struct arena *arena, const struct change *first, const struct change *end,
                        FILE *out, FILE *err) {
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    const char *shown = escaped(arena, first->file);
    const struct source *source = source_read(arena, first->file, &diagnostics);
    size_t count = 0, size = 0;
    char *text = source ? changed(source, first, end, &count, &size) : NULL;
    bool good = text && is_readable(arena, first->file, text, size);
    const char *error = good ? replace_file(arena, first->file, text, size) : NULL;
    if (!text) {
        fprintf(err, "%s: error: not updated: its tests do not agree on what to expect\n", shown);
    } else if (!good) {
        fprintf(err, "%s: error: not updated: it could not be read afterwards\n", shown);
    } else if (error) {
        fprintf(err, "ptxlitmus: error: cannot write %s: %s\n", shown, error);
        good = false;
    } else {
        fprintf(out, "updated %s: %zu expectation%s\n", shown, count, count == 1 ? "" : "s");
    }
    free(text);
    return good;
}

bool suite_update(const struct suite *suite, FILE *out, FILE *err) {
    struct change_list changes = {0};
    bool good = true;
    collect(suite, &changes);
    if (changes.count > 0) {
        qsort(changes.items, changes.count, sizeof *changes.items, by_place);
    }
    for (size_t i = 0, end; i < changes.count; i = end) {
        end = i + 1;
        while (end < changes.count && strcmp(changes.items[end].file, changes.items[i].file) == 0) {
            end++;
        }
        struct arena *arena = arena_new();
        good = update_file(arena, &changes.items[i], &changes.items[end], out, err) && good;
        arena_free(arena);
    }
    return good;
}
