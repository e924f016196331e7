// Reads manifests of suites, line by line:
//
// line = path ("#" test)? (":" expected ("," expected)*)? | "#" comment | nothing
//
// Paths are relative to the manifest's folder; a folder means the tests in it.
#include "cli/suite/manifest.h"

#include "check/text/names.h"
#include "litmus/readers/reader.h"
#include "litmus/source/arena.h"
#include "litmus/source/containers.h"
#include "litmus/source/diagnostics.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

// An input of the list, found by its path.
struct known_input {
    const char *path;
    size_t index;
    UT_hash_handle hh;
};

struct suite_manifest {
    struct arena *arena;
    const struct source *source;
    struct diagnostics *diagnostics;
    struct input_list *list;
    struct known_input *known;
    const char *folder; // "tests/", or ""
};

bool manifest_is_named(const char *path) {
    static const char ending[] = ".suite";
    size_t length = strlen(path);
    struct stat status;
    return length >= sizeof ending && strcmp(path + length - (sizeof ending - 1), ending) == 0 &&
           !(stat(path, &status) == 0 && S_ISDIR(status.st_mode));
}

// --- Inputs ------------------------------------------------------------------------------------

// Returns the input's index.
static size_t add_input(struct suite_manifest *manifest, const struct input *input) {
    struct input_list *list = manifest->list;
    struct known_input *known;
    HASH_FIND_STR(manifest->known, input->path, known);
    if (known)
        return known->index;
    known = ARENA_NEW(manifest->arena, struct known_input);
    *known = (struct known_input){.path = input->path, .index = list->count};
    HASH_ADD_KEYPTR(hh, manifest->known, known->path, strlen(known->path), known);
    files_add(manifest->arena, list, input);
    return known->index;
}

static bool is_dangling(const char *path) {
    struct stat status;
    return stat(path, &status) != 0 && errno != EACCES;
}

// The inputs that a line names: one, but for a folder. Returns how many, and the index of the
// first.
static size_t add_path(struct suite_manifest *manifest, const char *path, size_t *first) {
    struct input_list found;
    if (is_dangling(path)) {
        const struct input nothing = {.path = path,
                                      .error = "this line names no test: there is no such file",
                                      .is_nothing = true};
        *first = add_input(manifest, &nothing);
        return 1;
    }
    files_collect_compiled(manifest->arena, &path, 1, &found);
    for (size_t i = 0; i < found.count; i++) {
        found.items[i].is_listed = true;
        size_t index = add_input(manifest, &found.items[i]);
        *first = i == 0 ? index : *first;
    }
    return found.count;
}

static void add_row(struct suite_manifest *manifest, struct input *input,
                    const struct input_row *row) {
    for (size_t i = 0; i < input->row_count; i++) {
        const char *a = input->rows[i].test, *b = row->test;
        if ((!a && !b) || (a && b && strcmp(a, b) == 0)) {
            diag_error(manifest->diagnostics, row->span, "this test has a row already");
            diag_hint(manifest->diagnostics, "it is on line %u",
                      source_position(manifest->source, input->rows[i].span.begin).line);
            return;
        }
    }
    struct input_row *rows = ARENA_ARRAY(manifest->arena, struct input_row, input->row_count + 1);
    for (size_t i = 0; i < input->row_count; i++)
        rows[i] = input->rows[i];
    rows[input->row_count++] = *row;
    input->rows = rows;
}

// --- Lines -------------------------------------------------------------------------------------

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

// The span without blanks at its ends.
static struct span trim(struct span span) {
    while (span.begin < span.end && is_blank(span.source->text[span.begin]))
        span.begin++;
    while (span.begin < span.end && is_blank(span.source->text[span.end - 1]))
        span.end--;
    return span;
}

static const char *text_of(struct suite_manifest *manifest, struct span span) {
    return arena_strndup(manifest->arena, span.source->text + span.begin, span.end - span.begin);
}

// The last of these characters in a span, after which there is a blank or nothing, unless `tight`;
// its end where there is none.
static uint32_t find_last(struct span span, char wanted, bool tight) {
    for (uint32_t at = span.end; at > span.begin; at--)
        if (span.source->text[at - 1] == wanted &&
            (tight || at == span.end || is_blank(span.source->text[at])))
            return at - 1;
    return span.end;
}

static const char *path_of(struct suite_manifest *manifest, struct span span) {
    const char *text = text_of(manifest, span);
    while (strncmp(text, "./", 2) == 0 && text[2] != '\0')
        text += 2;
    if (strcmp(text, ".") == 0 || strcmp(text, "./") == 0) {
        return *manifest->folder
                   ? arena_strndup(manifest->arena, manifest->folder, strlen(manifest->folder) - 1)
                   : ".";
    }
    return text[0] == '/' ? text : arena_format(manifest->arena, "%s%s", manifest->folder, text);
}

// What is expected of the test of a row; false after errors.
static bool read_expected(struct suite_manifest *manifest, struct span words,
                          struct input_row *row) {
    struct test test = {0};
    if (!test_read_expected(manifest->arena, manifest->source, words.begin, words.end,
                            manifest->diagnostics, &test))
        return false;
    row->expected = test.expected;
    row->count = test.expected_count;
    return true;
}

static void read_line(struct suite_manifest *manifest, struct span line) {
    line = trim(line);
    if (line.begin == line.end || line.source->text[line.begin] == '#')
        return;
    struct input_row row = {.span = line};
    uint32_t colon = find_last(line, ':', false);
    struct span path = trim((struct span){line.source, line.begin, colon});
    uint32_t hash = find_last(path, '#', true);
    if (hash < path.end) {
        row.test = text_of(manifest, trim((struct span){path.source, hash + 1, path.end}));
        path = trim((struct span){path.source, path.begin, hash});
    }
    if (path.begin == path.end) {
        diag_error(manifest->diagnostics, line, "this line has no path");
        return;
    }
    struct span words = {line.source, colon + (colon < line.end), line.end};
    if (colon < line.end && !read_expected(manifest, trim(words), &row))
        return;
    if (row.test && colon == line.end) {
        diag_error(manifest->diagnostics, line, "the line says nothing of the test '%s'",
                   escaped(manifest->arena, row.test));
        diag_hint(manifest->diagnostics, "such as ': forbidden' follows; without '#' and a name, a "
                                         "line lists a file with all its tests");
        return;
    }
    const char *text = path_of(manifest, path);
    size_t index = 0, count = add_path(manifest, text, &index);
    struct input *first = &manifest->list->items[index];
    if (row.count > 0 && (count > 1 || strcmp(first->path, text) != 0)) {
        diag_error(manifest->diagnostics, path,
                   "what is expected is said file by file, and this is "
                   "a folder");
    } else if (row.count > 0) {
        add_row(manifest, first, &row);
    } else if (first->is_nothing) {
        first->error = arena_format(manifest->arena,
                                    "line %u of %s names no test: there is no such "
                                    "file",
                                    source_position(line.source, line.begin).line,
                                    escaped(manifest->arena, manifest->source->path));
    }
}

bool manifest_collect(struct arena *arena, const char *path, struct diagnostics *diagnostics,
                      struct input_list *list) {
    size_t errors = diagnostics->error_count, first = list->count;
    const struct source *source = source_read(arena, path, diagnostics);
    if (!source)
        return false;
    const char *slash = strrchr(path, '/');
    struct suite_manifest manifest = {
        .arena = arena,
        .source = source,
        .diagnostics = diagnostics,
        .list = list,

        .folder = slash ? arena_strndup(arena, path, (size_t)(slash - path) + 1) : ""};
    for (uint32_t i = 0; i < source->line_count; i++) {
        uint32_t begin = source->line_starts[i];
        uint32_t end = i + 1 < source->line_count ? source->line_starts[i + 1] - 1 : source->size;
        end -= end > begin && source->text[end - 1] == '\n';
        read_line(&manifest, (struct span){source, begin, end});
    }
    HASH_CLEAR(hh, manifest.known);
    if (list->count == first && diagnostics->error_count == errors)
        diag_error_path(diagnostics, path, "no tests in this manifest: it has no line with a path");
    return diagnostics->error_count == errors;
}
