// Applies the edits that failures name, file by file. A file is written only if what it becomes
// can be read.
#include "cli/suite/update.h"

#include "check/text/names.h"
#include "litmus/readers/reader.h"
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "litmus/source/replace.h"

#include <stdlib.h>
#include <string.h>

static int by_place(const void *a, const void *b) {
    const struct judged_edit *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    return order != 0             ? order
           : x->begin != y->begin ? (x->begin > y->begin) - (x->begin < y->begin)
                                  : strcmp(x->text, y->text);
}

// The text with the edits from `first` to `end`; NULL where two of them are of one place.
static char *changed(const struct source *source, const struct judged_edit *first,
                     const struct judged_edit *end, size_t *count, size_t *size) {
    char *text;
    size_t at = 0;
    bool fits = true;
    FILE *out = text_open(&text, size);
    *count = 0;
    for (const struct judged_edit *edit = first; edit < end; edit++) {
        if (edit > first && edit->begin == edit[-1].begin && strcmp(edit->text, edit[-1].text) == 0)
            continue; // tests that share what is expected
        if (edit->begin < at || (edit > first && edit->begin == edit[-1].begin) ||
            edit->end > source->size) {
            fits = false;
            break;
        }
        fwrite(source->text + at, 1, edit->begin - at, out);
        fputs(edit->text, out);
        at = edit->end;
        ++*count;
    }
    fwrite(source->text + at, 1, source->size - at, out);
    text_close(out);
    if (!fits)
        free(text);
    return fits ? text : NULL;
}

static bool ends(const char *path, const char *end) {
    size_t length = strlen(path), count = strlen(end);
    return length > count && strcmp(path + length - count, end) == 0;
}

// Whether a changed litmus test can be read. A manifest alone cannot.
static bool is_readable(struct arena *arena, const char *path, const char *text, size_t size) {
    struct diagnostics diagnostics;
    struct test_list tests;
    if (!ends(path, ".litmus") || ends(path, ".ptx.litmus") || ends(path, ".cu.litmus"))
        return true;
    diagnostics_init(&diagnostics, arena);
    return test_read_all(arena, source_from_text(arena, path, text, size), SYNTAX_GUESS,
                         &diagnostics, &tests);
}

// Changes a file; false after a message.
static bool update_file(struct arena *arena, const struct judged_edit *first,
                        const struct judged_edit *end, FILE *out, FILE *err) {
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
    size_t count = suite->edit_count;
    if (count == 0)
        return true;
    struct judged_edit *edits = arena_copy(suite->arena, suite->edits, count, sizeof *edits);
    bool good = true;
    qsort(edits, count, sizeof *edits, by_place);
    for (size_t i = 0, end; i < count; i = end) {
        end = i + 1;
        while (end < count && strcmp(edits[end].file, edits[i].file) == 0)
            end++;
        struct arena *arena = arena_new();
        good = update_file(arena, &edits[i], &edits[end], out, err) && good;
        arena_free(arena);
    }
    return good;
}
