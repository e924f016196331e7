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
    json_t *edit = json_object();
    json_field(edit, "range", text_range(text, stretch->begin, stretch->end, is_utf8));
    json_field(edit, "newText", json_string(stretch->text));
    json_item(edits, edit);
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

json_t *edits_of_diff(struct arena *arena, const struct edited_text *text, const char *diff,
                      bool is_utf8) {
    json_t *edits = json_array();
    struct stretch stretch = {0};
    size_t at = 0;
    bool in_hunk = false;
    for (size_t length; *diff; diff += length) {
        length = strcspn(diff, "\n");
        length += diff[length] == '\n';
        char mark = *diff;
        if (mark == '@') {
            close_stretch(text, &stretch, is_utf8, edits);
            at = hunk_begin(text, diff);
            in_hunk = true;
        } else if (in_hunk && mark == '-') {
            open_stretch(&stretch, at);
            at = stretch.end = next_line(text, at);
        } else if (in_hunk && mark == '+') {
            open_stretch(&stretch, at);
            stretch.text = arena_format(arena, "%s%.*s", stretch.text, (int)length - 1, diff + 1);
        } else if (in_hunk && mark == '\\' && stretch.is_open && *stretch.text) {
            // "\ No newline at end of file" is of the line before
            stretch.text = arena_strndup(arena, stretch.text, strlen(stretch.text) - 1);
        } else if (in_hunk && mark == ' ') {
            close_stretch(text, &stretch, is_utf8, edits);
            at = next_line(text, at);
        }
    }
    close_stretch(text, &stretch, is_utf8, edits);
    return edits;
}
