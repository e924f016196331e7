// Rendering a message: the place, the source line with carets, the hint.
//
// Both lines are drawn in columns of a terminal: a tab reaches to the next multiple of 4, an East
// Asian character takes two columns, and what cannot be shown (control characters, marks that turn
// the direction of writing, bytes that are not UTF-8) becomes a '?', so that the carets are where
// they belong and no input reaches the terminal's control sequences.
#include "litmus/source/utf8.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <string.h>

enum {
    TAB_WIDTH = 4,
    WHOLE_LINE_MAX = 120, // bytes: longer lines are cut
    CUT_BEFORE = 40,      // columns kept before the span
    CUT_WIDTH = 100,      // columns kept of a line that is cut
};

struct character {
    unsigned length;  // bytes
    unsigned columns; // 0 for a combining mark
    bool shown;       // else a '?' (a tab: spaces) replaces it
};

// The character at `text`, which ends at `end`.
static struct character decode(const char *text, const char *end) {
    uint32_t code;
    unsigned length = utf8_decode(text, end, &code);
    if (length == 0 || utf8_is_hidden(code))
        return (struct character){.length = length ? length : 1, .columns = 1, .shown = false};
    return (struct character){length, utf8_columns(code), true};
}

// Bytes that a shown line may take: what is kept of a line that is cut has at most
// 4 * CUT_WIDTH bytes, a whole line grows by its tabs, and there are dots at both ends.
enum { CANVAS_SIZE = 1024 };

struct canvas {
    char line[CANVAS_SIZE];
    char carets[CANVAS_SIZE];
    size_t line_length, caret_length;
    unsigned column;
};

static void draw(struct canvas *canvas, const char *text, struct character character, char mark) {
    unsigned columns = character.columns;
    if (character.shown) {
        memcpy(canvas->line + canvas->line_length, text, character.length);
        canvas->line_length += character.length;
    } else if (*text == '\t') {
        columns = TAB_WIDTH - canvas->column % TAB_WIDTH;
        memset(canvas->line + canvas->line_length, ' ', columns);
        canvas->line_length += columns;
    } else {
        canvas->line[canvas->line_length++] = '?';
    }
    memset(canvas->carets + canvas->caret_length, mark, columns);
    canvas->caret_length += columns;
    canvas->column += columns;
}

static void draw_dots(struct canvas *canvas) {
    for (int i = 0; i < 3; i++)
        draw(canvas, ".", (struct character){1, 1, true}, ' ');
}

// The start of the part of the line that is shown: the line's, or some columns before the span.
static const char *cut_begin(const char *line, const char *line_end, const char *begin) {
    if (line_end - line <= WHOLE_LINE_MAX || begin - line <= CUT_BEFORE)
        return line;
    const char *from = begin;
    for (int i = 0; i < CUT_BEFORE && from > line; i++)
        do
            from--;
        while (from > line && begin - from < 4 * CUT_BEFORE &&
               ((unsigned char)*from & 0xC0) == 0x80);
    return from;
}

// Draws the line around [begin, end), which lies in it; one caret when that is empty.
static void draw_line(struct canvas *canvas, const char *line, const char *line_end,
                      const char *begin, const char *end) {
    bool cut = line_end - line > WHOLE_LINE_MAX;
    const char *from = cut_begin(line, line_end, begin), *at = from;
    if (begin == end)
        end++;
    if (at > line)
        draw_dots(canvas);
    while (at < line_end) {
        if (cut && (canvas->column >= CUT_WIDTH || at - from >= 3 * CUT_WIDTH))
            break;
        struct character character = decode(at, line_end);
        draw(canvas, at, character, at >= begin && at < end ? '^' : ' ');
        at += character.length;
    }
    if (at < line_end)
        draw_dots(canvas);
    else if (begin >= line_end) // after the last character
        canvas->carets[canvas->caret_length++] = '^';
}

static int trimmed(const char *text, size_t length) {
    while (length > 0 && text[length - 1] == ' ')
        length--;
    return (int)length;
}

// The source line and the carets under the part of the span that lies in it.
static const char *render_line(struct arena *arena, struct span span, struct position position,
                               const struct diag_style *style) {
    const struct source *source = span.source;
    if (source->unquoted)
        return "";
    const char *line = source->text + source->line_starts[position.line - 1];
    const char *text_end = source->text + source->size;
    const char *line_end = memchr(line, '\n', (size_t)(text_end - line));
    if (!line_end)
        line_end = text_end;
    if (line_end > line && line_end[-1] == '\r')
        line_end--;
    const char *begin = source->text + span.begin, *end = source->text + span.end;
    if (begin > line_end)
        begin = line_end;
    if (end > line_end)
        end = line_end;
    struct canvas canvas = {0};
    draw_line(&canvas, line, line_end, begin, end);
    if (trimmed(canvas.line, canvas.line_length) == 0) // there is nothing to point at
        return "";
    return arena_format(arena, "%.*s\n%s%.*s%s\n", trimmed(canvas.line, canvas.line_length),
                        canvas.line, style->carets, trimmed(canvas.carets, canvas.caret_length),
                        canvas.carets, style->end);
}

const char *diag_render(struct arena *arena, const struct diagnostic *diagnostic) {
    static const struct diag_style plain = {.severities = {"", "", ""}, .carets = "", .end = ""};
    return diag_render_in(arena, diagnostic, &plain);
}

const char *diag_render_in(struct arena *arena, const struct diagnostic *diagnostic,
                           const struct diag_style *style) {
    static const char *const severities[] = {
        [SEVERITY_ERROR] = "error", [SEVERITY_WARNING] = "warning", [SEVERITY_NOTE] = "note"};
    const char *severity = arena_format(arena, "%s%s:%s", style->severities[diagnostic->severity],
                                        severities[diagnostic->severity], style->end);
    const char *hint = diagnostic->hint ? arena_format(arena, "hint: %s\n", diagnostic->hint) : "";
    if (!diagnostic->span.source)
        return arena_format(arena, "%s: %s %s\n%s", diagnostic->path, severity, diagnostic->message,
                            hint);
    struct position position = source_position(diagnostic->span.source, diagnostic->span.begin);
    return arena_format(arena, "%s:%u:%u: %s %s\n%s%s", diagnostic->path, position.line,
                        position.column, severity, diagnostic->message,
                        render_line(arena, diagnostic->span, position, style), hint);
}
