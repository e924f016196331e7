// Source texts and spans in them: the ground on which every message stands.
#ifndef PTXLITMUS_SOURCE_H
#define PTXLITMUS_SOURCE_H

#include <stddef.h>
#include <stdint.h>

struct arena;
struct diagnostics;

// One file's text. `text` has a NUL after its last byte, which `size` does not count; the text
// itself may hold NUL bytes.
struct source {
    const char *path; // as the user gave it
    const char *text;
    uint32_t size;
    uint32_t *line_starts; // byte offset of the first byte of each line
    uint32_t line_count;
};

// A half-open range of bytes of one source. An empty span (begin == end) points between bytes.
struct span {
    const struct source *source;
    uint32_t begin;
    uint32_t end;
};

// A place as people count it: lines and columns from 1, columns in bytes of UTF-8 characters
// counted once.
struct position {
    uint32_t line;
    uint32_t column;
};

// The bytes of the UTF-8 character at `text`, which ends before `end`, with its code in `*code`; 0
// when it is none (a wrong byte, an overlong form, a surrogate, cut off).
unsigned utf8_decode(const char *text, const char *end, uint32_t *code);

// Reads a file into the arena. Returns NULL after an error in `diagnostics` (missing, unreadable,
// a directory, larger than 64 MiB). "-" is the standard input.
const struct source *source_read(struct arena *arena, const char *path,
                                 struct diagnostics *diagnostics);

// Makes a source of a text that the caller already has; `path` and `text` are copied.
const struct source *source_from_text(struct arena *arena, const char *path, const char *text,
                                      size_t size);

// The line and column of a byte offset (at most source->size).
struct position source_position(const struct source *source, uint32_t offset);

// The span from the first byte of `first` to the last of `last`; both of one source.
struct span span_join(struct span first, struct span last);

#endif
