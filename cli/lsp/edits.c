// From a unified diff to the edits of LSP.
#include "cli/lsp/edits.h"

#include "check/text/json.h"
#include "litmus/source/arena.h"

#include <stdlib.h>
#include <string.h>

// A stretch of lines that is being replaced: from byte `begin` up to `end`, by `text`.
struct stretch {
    size_t begin, end;
    const char *text;
    bool is_open;
};

// Where the line after the one at a byte begins. Files are cut into lines at '\n' alone.
static size_t next_line(const struct edited_text *text, size_t at) {
    const char *newline = at < text->size ? memchr(text->bytes + at, '\n', text->size - at) : NULL;
    return newline ? (size_t)(newline - text->bytes) + 1 : text->size;
}

static void close_stretch(const struct edited_text *text, struct stretch *stretch, bool is_utf8,
                          json_t *edits) {
    if (!stretch->is_open)
        return;
    json_item(edits, json_of("{s:o, s:s}", "range",
                             text_range(text, stretch->begin, stretch->end, is_utf8), "newText",
                             stretch->text));
    stretch->is_open = false;
}

static void open_stretch(struct stretch *stretch, size_t at) {
    if (!stretch->is_open)
        *stretch = (struct stretch){.begin = at, .end = at, .text = "", .is_open = true};
}

// The byte at which the old lines of a hunk begin: of "@@ -12,3 +12,4 @@", line 12; with no lines,
// "@@ -12,0 ...", what follows line 12.
static size_t hunk_begin(const struct edited_text *text, const char *line) {
    char *rest;
    unsigned long number = strtoul(line + strlen("@@ -"), &rest, 10), at = 0;
    bool is_empty = strncmp(rest, ",0 ", 3) == 0;
    for (unsigned long i = 1; i < number + is_empty; i++)
        at = next_line(text, at);
    return at;
}

// What is made of a diff, line by line.
struct diff_reading {
    struct arena *arena;
    const struct edited_text *text;
    bool is_utf8, in_hunk, is_other; // it is of another text
    size_t at;                       // in the text
    char last;                       // how the line before began
    struct stretch stretch;
    json_t *edits;
};

// Goes past a line of the text, which the diff has to have as it is, but for the end of the last
// one.
static void pass_line(struct diff_reading *reading, const char *line, size_t length) {
    const struct edited_text *text = reading->text;
    size_t next = next_line(text, reading->at), size = next - reading->at;
    bool is_whole = size > 0 && text->bytes[next - 1] == '\n';
    reading->is_other = reading->is_other || length - !is_whole != size ||
                        memcmp(text->bytes + reading->at, line, size) != 0;
    reading->at = next;
}

static void take_line(struct diff_reading *reading, const char *line, size_t length) {
    struct stretch *stretch = &reading->stretch;
    bool is_edit = *line == '-' || *line == '+' || *line == '\\';
    if (!is_edit)
        close_stretch(reading->text, stretch, reading->is_utf8, reading->edits);
    if (*line == '@') {
        reading->at = hunk_begin(reading->text, line);
        reading->in_hunk = true;
    }
    if (!reading->in_hunk || *line == '@')
        return;
    if (*line == '-' || *line == '+')
        open_stretch(stretch, reading->at);
    if (*line == '-' || *line == ' ')
        pass_line(reading, line + 1, length - 1);
    if (*line == '-')
        stretch->end = reading->at;
    if (*line == '+')
        stretch->text =
            arena_format(reading->arena, "%s%.*s", stretch->text, (int)length - 1, line + 1);
    // "\ No newline at end of file" is of the line before
    if (*line == '\\' && reading->last == '+')
        stretch->text = arena_strndup(reading->arena, stretch->text, strlen(stretch->text) - 1);
    reading->last = *line;
}

json_t *edits_of_diff(struct arena *arena, const struct edited_text *text, const char *diff,
                      bool is_utf8) {
    struct diff_reading reading = {
        .arena = arena, .text = text, .is_utf8 = is_utf8, .edits = json_array()};
    for (size_t length; *diff; diff += length) {
        length = strcspn(diff, "\n");
        length += diff[length] == '\n';
        take_line(&reading, diff, length);
    }
    close_stretch(text, &reading.stretch, is_utf8, reading.edits);
    if (!reading.is_other)
        return reading.edits;
    json_decref(reading.edits);
    return NULL;
}
