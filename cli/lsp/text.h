// An edited text, and the positions of LSP in it: lines from 0, and in them units of UTF-16, or
// bytes where the client takes these.
#ifndef PTXLITMUS_CLI_LSP_TEXT_H
#define PTXLITMUS_CLI_LSP_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct edited_text {
    char *bytes; // with a NUL after the last one
    size_t size;
    size_t *lines; // where each begins
    size_t line_count;
};

// Replaces all of the text (copied).
void text_set(struct edited_text *text, const char *bytes, size_t size);

// Replaces the bytes from `begin` to `end` by others (copied).
void text_change(struct edited_text *text, size_t begin, size_t end, const char *bytes,
                 size_t size);

// Returns where a position is, in bytes. One after the end of its line is at that end, and one
// after the last line at the end of the text.
size_t text_offset(const struct edited_text *text, size_t line, size_t character, bool is_utf8);

// Returns the number of the line that a byte is in, from 0.
size_t text_line_of(const struct edited_text *text, size_t offset);

// Returns where a line ends, before the marks of its end.
size_t text_line_end(const struct edited_text *text, size_t line);

// Returns the range of two bytes as an object of LSP, which the caller releases.
json_t *text_range(const struct edited_text *text, size_t begin, size_t end, bool is_utf8);

// Frees what is kept.
void text_free(struct edited_text *text);

#endif
