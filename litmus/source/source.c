// Source texts, and finding lines and columns in them.
#include "litmus/source/source.h"

#include "litmus/source/arena.h"
#include "litmus/source/bug.h"

#include <assert.h>
#include <string.h>

static void find_lines(struct arena *arena, struct source *source) {
    uint32_t count = 1;
    const char *end = source->text + source->size, *at = source->text;
    while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        at++;
        count++;
    }
    source->line_starts = ARENA_ARRAY(arena, uint32_t, count);
    source->line_count = count;
    uint32_t line = 1;
    at = source->text;
    while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL)
        source->line_starts[line++] = (uint32_t)(++at - source->text);
}

const struct source *source_from_text(struct arena *arena, const char *path, const char *text,
                                      size_t size) {
    if (size > SOURCE_SIZE_MAX)
        bug("a source of %zu bytes", size);
    struct source *source = ARENA_NEW(arena, struct source);
    source->path = arena_strndup(arena, path, strlen(path));
    source->text = arena_strndup(arena, text, size);
    source->size = (uint32_t)size;
    find_lines(arena, source);
    return source;
}

const struct source *source_from_pieces(struct arena *arena, const struct source *origin,
                                        const struct source_piece *pieces, size_t count) {
    uint32_t size = pieces[count].begin;
    if (size > SOURCE_SIZE_MAX)
        bug("a source of %u bytes", size);
    struct source *source = ARENA_NEW(arena, struct source);
    char *text = arena_alloc(arena, (size_t)size + 1);
    for (size_t i = 0; i < count; i++)
        memcpy(text + pieces[i].begin, origin->text + pieces[i].from,
               pieces[i + 1].begin - pieces[i].begin);
    *source = (struct source){.path = origin->path,
                              .text = text,
                              .size = size,
                              .origin = origin,
                              .pieces = arena_copy(arena, pieces, count, sizeof *pieces),
                              .piece_count = count};
    find_lines(arena, source);
    return source;
}

// The last piece that begins at or before the byte.
static const struct source_piece *piece_of(const struct source *source, uint32_t byte) {
    size_t low = 0, high = source->piece_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (source->pieces[middle].begin <= byte)
            low = middle;
        else
            high = middle;
    }
    return &source->pieces[low];
}

struct span source_origin(struct span span) {
    assert(span.begin <= span.end);
    const struct source *source = span.source;
    if (!source || !source->origin || source->piece_count == 0)
        return span;
    bool empty = span.begin == span.end; // then it belongs to what precedes it
    uint32_t last = span.end - (span.end > 0), first = empty ? last : span.begin;
    const struct source_piece *piece = piece_of(source, first);
    if (piece != piece_of(source, last))
        return span;
    return (struct span){.source = source->origin,
                         .begin = span.begin - piece->begin + piece->from,
                         .end = span.end - piece->begin + piece->from};
}

struct span source_in_file(struct span span) {
    assert(span.begin <= span.end);
    while (span.source != NULL && span.source->origin != NULL) {
        struct span outer = source_origin(span);
        if (outer.source == span.source)
            break;
        span = outer;
    }
    return span;
}

const struct source *source_unquoted(struct arena *arena, const struct source *source) {
    struct source *copy = ARENA_NEW(arena, struct source);
    *copy = *source;
    copy->unquoted = true;
    return copy;
}

struct position source_position(const struct source *source, uint32_t offset) {
    uint32_t low = 0, high = source->line_count; // line_starts[low] <= offset < line_starts[high]
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (source->line_starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    uint32_t column = 1;
    for (uint32_t i = source->line_starts[low]; i < offset; i++)
        column += ((unsigned char)source->text[i] & 0xC0) != 0x80; // not inside a character
    return (struct position){.line = low + 1, .column = column};
}

char *span_text(struct arena *arena, struct span span) {
    assert(span.begin <= span.end);
    return arena_strndup(arena, span.source->text + span.begin, span.end - span.begin);
}

struct span span_join(struct span first, struct span last) {
    assert(first.begin <= first.end);
    assert(last.begin <= last.end);
    return (struct span){.source = first.source, .begin = first.begin, .end = last.end};
}

uint32_t span_line(struct span span) {
    assert(span.begin <= span.end);
    return source_position(span.source, span.begin).line;
}

struct span span_of(const struct source *source, uint32_t begin, uint32_t end) {
    assert(begin <= end);
    return (struct span){.source = source, .begin = begin, .end = end};
}

struct span span_after(struct span span) {
    assert(span.begin <= span.end);
    span.begin = span.end;
    return span;
}
