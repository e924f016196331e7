// The list of messages; rendering is in render.c.
#include "litmus/source/diagnostics.h"

#include "litmus/source/arena.h"
#include "litmus/source/utf8.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

void diagnostics_init(struct diagnostics *diagnostics, struct arena *arena) {
    memset(diagnostics, 0, sizeof(*diagnostics));
    diagnostics->arena = arena;
}

// Messages quote the input, which may hold anything: what is not text becomes a '?', and a message
// that a quoted word makes too long is cut.
static const char *format_text(struct arena *arena, const char *format, va_list args) {
    enum { SHOWN_MAX = 500 };
    char *text = arena_vformat(arena, format, args), *end = text + strlen(text), *at = text;
    while (at < end && at - text < SHOWN_MAX) {
        uint32_t code;
        unsigned length = utf8_decode(at, end, &code);
        if (length == 0 || utf8_is_hidden(code)) {
            length = length ? length : 1;
            *at = '?';
            memmove(at + 1, at + length, (size_t)(end - at) - length + 1);
            end -= length - 1;
            length = 1;
        }
        at += length;
    }
    if (at < end)
        return arena_format(arena, "%.*s...", (int)(at - text), text);
    return text;
}

// Whether the same message was given for the same place: a function is read at each call of it.
static bool is_repeated(const struct diagnostics *diagnostics,
                        const struct diagnostic *diagnostic) {
    for (size_t i = 0; i < diagnostics->count; i++) {
        const struct diagnostic *other = &diagnostics->items[i];
        if (other->severity == diagnostic->severity && other->span.source &&
            other->span.source == diagnostic->span.source &&
            other->span.begin == diagnostic->span.begin &&
            other->span.end == diagnostic->span.end &&
            strcmp(other->message, diagnostic->message) == 0)
            return true;
    }
    return false;
}

static void add(struct diagnostics *diagnostics, struct diagnostic diagnostic, const char *format,
                va_list args) {
    if (diagnostic.severity == SEVERITY_ERROR)
        diagnostics->error_count++;
    diagnostics->last_dropped = diagnostics->count == DIAGNOSTICS_KEPT;
    if (diagnostics->last_dropped)
        return;
    diagnostic.message = format_text(diagnostics->arena, format, args);
    diagnostics->last_dropped = is_repeated(diagnostics, &diagnostic);
    if (diagnostics->last_dropped) {
        diagnostics->repeated_errors += diagnostic.severity == SEVERITY_ERROR;
        return;
    }
    diagnostics->items[diagnostics->count++] = diagnostic;
}

static void add_at(struct diagnostics *diagnostics, enum severity severity, struct span span,
                   const char *format, va_list args) {
    assert(span.begin <= span.end);
    span = source_origin(span); // where the user can read it
    add(diagnostics,
        (struct diagnostic){.severity = severity, .span = span, .path = span.source->path}, format,
        args);
}

bool diag_error(struct diagnostics *diagnostics, struct span span, const char *format, ...) {
    assert(span.begin <= span.end);
    va_list args;
    va_start(args, format);
    add_at(diagnostics, SEVERITY_ERROR, span, format, args);
    va_end(args);
    return false;
}

void diag_warning(struct diagnostics *diagnostics, struct span span, const char *format, ...) {
    assert(span.begin <= span.end);
    va_list args;
    va_start(args, format);
    add_at(diagnostics, SEVERITY_WARNING, span, format, args);
    va_end(args);
}

void diag_note(struct diagnostics *diagnostics, struct span span, const char *format, ...) {
    assert(span.begin <= span.end);
    va_list args;
    va_start(args, format);
    add_at(diagnostics, SEVERITY_NOTE, span, format, args);
    va_end(args);
}

bool diag_error_path(struct diagnostics *diagnostics, const char *path, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *copy = arena_strndup(diagnostics->arena, path, strlen(path));
    add(diagnostics, (struct diagnostic){.severity = SEVERITY_ERROR, .path = copy}, format, args);
    va_end(args);
    return false;
}

void diag_error_output(struct diagnostics *diagnostics, const char *path, const char *why) {
    diagnostics->has_output_error = true;
    diag_error_path(diagnostics, path, "cannot write: %s", why);
}

bool diag_kept(const struct diagnostics *diagnostics) {
    return diagnostics->count > 0 && !diagnostics->last_dropped;
}

void diag_hint(struct diagnostics *diagnostics, const char *format, ...) {
    if (!diag_kept(diagnostics))
        return;
    va_list args;
    va_start(args, format);
    diagnostics->items[diagnostics->count - 1].hint = format_text(diagnostics->arena, format, args);
    va_end(args);
}

bool diag_suggest(struct diagnostics *diagnostics, const char *nearest) {
    if (nearest)
        diag_hint(diagnostics, "did you mean '%s'?", nearest);
    return nearest != NULL;
}

bool diag_has_errors(const struct diagnostics *diagnostics) {
    return diagnostics->error_count > 0;
}

enum { NEAREST_LENGTH_MAX = 40 };

static size_t min3(size_t a, size_t b, size_t c) {
    size_t least = a < b ? a : b;
    return least < c ? least : c;
}

// Edits between two words of at most NEAREST_LENGTH_MAX letters: insertions, deletions,
// replacements and swaps of neighbours; upper and lower case are the same.
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    size_t rows[3][NEAREST_LENGTH_MAX + 1]; // row i of the table is rows[i % 3]
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i - 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
            row[j] = min3(above[j] + 1, row[j - 1] + 1, above[j - 1] + (x != y));
            bool swapped = i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                           y == tolower((unsigned char)a[i - 2]);
            if (swapped && rows[(i - 2) % 3][j - 2] + 1 < row[j])
                row[j] = rows[(i - 2) % 3][j - 2] + 1;
        }
    }
    return rows[a_length % 3][b_length];
}

const char *diag_nearest(const char *word, size_t length, const char *const *candidates,
                         size_t count) {
    const char *nearest = NULL;
    size_t limit = (length + 2) / 3; // one slip in three letters
    size_t best = limit + 1;
    if (length == 0 || length > NEAREST_LENGTH_MAX)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        size_t candidate_length = strlen(candidates[i]);
        if (candidate_length > NEAREST_LENGTH_MAX)
            continue;
        size_t distance = edit_distance(word, length, candidates[i], candidate_length);
        if (distance < best && distance < candidate_length) {
            best = distance;
            nearest = candidates[i];
        }
    }
    return nearest;
}
