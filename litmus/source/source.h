// Source texts and spans in them, to which every message refers.
#ifndef PTXLITMUS_SOURCE_H
#define PTXLITMUS_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct diagnostics;

// A piece of a source that was put together from pieces of another one, its origin: the bytes from
// `begin` on, up to the next piece, are those of the origin from `from` on.
struct source_piece {
    uint32_t begin;
    uint32_t from;
};

// One file's text. `text` has a NUL after its last byte, which `size` does not count; the text
// itself may hold NUL bytes.
struct source {
    const char *path; // as the user gave it
    const char *text;
    uint32_t size;
    uint32_t *line_starts; // byte offset of the first byte of each line
    uint32_t line_count;
    bool unquoted;                     // messages give places in it and never show its text
    const struct source *sidecar;      // of NAME.ptx: the text of NAME.ptx.litmus, or of
                                       // all.ptx.litmus in its folder; NULL without one
    bool shares_sidecar;               // it is that of the folder
    const struct source *origin;       // NULL: this is the text of a file
    const struct source_piece *pieces; // by `begin`, the first one at 0
    size_t piece_count;
};

// A half-open range of bytes of one source. An empty span (begin == end) points between bytes.
struct span {
    const struct source *source;
    uint32_t begin;
    uint32_t end;
};

// A place as people count it: lines and columns from 1, columns in UTF-8 characters.
struct position {
    uint32_t line;
    uint32_t column;
};

// The most bytes that a source may have.
enum { SOURCE_SIZE_MAX = 64 * 1024 * 1024 };

// Reads a file into the arena. Returns NULL after an error in `diagnostics` (missing, unreadable,
// a directory, larger than 64 MiB). "-" is the standard input. With NAME.ptx its sidecar is read.
const struct source *source_read(struct arena *arena, const char *path,
                                 struct diagnostics *diagnostics);

// Has source_read take this text for that of the file, whatever is on the disk, from now on and for
// this thread: an editor's text may not be saved yet. Both are borrowed for ever.
void source_override(const char *path, const char *text, size_t size);

// Whether a file of this name is in the folder of another file.
bool source_is_beside(struct arena *arena, const char *path, const char *name);

// Makes a source of a text that the caller already has; `path` and `text` are copied.
const struct source *source_from_text(struct arena *arena, const char *path, const char *text,
                                      size_t size);

// Returns the same source for messages that do not show its text, since a file that is not what it
// should be may contain anything.
const struct source *source_unquoted(struct arena *arena, const struct source *source);

// Makes a source of `count` pieces (copied) of the text of `origin`, whose path it takes. Piece i
// has the bytes of the origin from pieces[i].from on, pieces[i + 1].begin - pieces[i].begin of
// them. One more entry ends the list: its `begin` is the size of the text (at most SOURCE_SIZE_MAX
// bytes).
const struct source *source_from_pieces(struct arena *arena, const struct source *origin,
                                        const struct source_piece *pieces, size_t count);

// Returns the span of the origin from which a span comes. A span of several pieces, or of a source
// without an origin, is returned unchanged.
struct span source_origin(struct span span);

// Returns the span of the file from which a span comes, through all origins as far as they go.
struct span source_in_file(struct span span);

// Returns the line and column of a byte offset (at most source->size).
struct position source_position(const struct source *source, uint32_t offset);

// Returns the span of the bytes from `begin` to `end` of a source.
struct span span_of(const struct source *source, uint32_t begin, uint32_t end);

// Returns the empty span after a span.
struct span span_after(struct span span);

// Returns the text of a span, NUL-terminated, owned by the arena.
char *span_text(struct arena *arena, struct span span);

// Returns the line on which a span begins.
uint32_t span_line(struct span span);

// Returns the span from the first byte of `first` to the last of `last`, which are of one source.
struct span span_join(struct span first, struct span last);

#endif
