// Reading source texts, and finding lines and columns in them.
#include "litmus/source/source.h"

#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SOURCE_SIZE_MAX = 64 * 1024 * 1024 };

unsigned utf8_decode(const char *text, const char *end, uint32_t *code) {
    unsigned char lead = (unsigned char)*text;
    *code = lead;
    if (lead < 0x80)
        return 1;
    unsigned length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || (size_t)(end - text) < length)
        return 0;
    *code = lead & (0xFFU >> (length + 1));
    for (unsigned i = 1; i < length; i++) {
        if (((unsigned char)text[i] & 0xC0) != 0x80)
            return 0;
        *code = *code << 6 | ((unsigned char)text[i] & 0x3F);
    }
    bool overlong = (length == 3 && *code < 0x800) || (length == 4 && *code < 0x10000);
    bool surrogate = *code >= 0xD800 && *code <= 0xDFFF;
    return overlong || surrogate || *code > 0x10FFFF ? 0 : length;
}

bool utf8_is_hidden(uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code <= 0x9F) || code == 0x061C || code == 0x200E ||
           code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

static void find_lines(struct arena *arena, struct source *source) {
    uint32_t count = 1;
    for (uint32_t i = 0; i < source->size; i++)
        count += source->text[i] == '\n';
    source->line_starts = ARENA_ARRAY(arena, uint32_t, count);
    source->line_count = count;
    uint32_t line = 1;
    for (uint32_t i = 0; i < source->size; i++)
        if (source->text[i] == '\n')
            source->line_starts[line++] = i + 1;
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
    const struct source *source = span.source;
    if (!source || !source->origin || source->piece_count == 0)
        return span;
    bool empty = span.begin == span.end; // then it belongs to what stands before it
    uint32_t last = span.end - (span.end > 0), first = empty ? last : span.begin;
    const struct source_piece *piece = piece_of(source, first);
    if (piece != piece_of(source, last))
        return span;
    return (struct span){.source = source->origin,
                         .begin = span.begin - piece->begin + piece->from,
                         .end = span.end - piece->begin + piece->from};
}

const struct source *source_unquoted(struct arena *arena, const struct source *source) {
    struct source *copy = ARENA_NEW(arena, struct source);
    *copy = *source;
    copy->unquoted = true;
    return copy;
}

// Reads all of `file` into a buffer that the caller frees. Returns NULL with errno set; EFBIG when
// there is more than SOURCE_SIZE_MAX.
static char *read_all(int file, size_t *size) {
    size_t capacity = 16 * 1024;
    char *buffer = reallocate(NULL, capacity, 1);
    *size = 0;
    for (;;) {
        ssize_t got = read(file, buffer + *size, capacity - *size);
        if (got == 0)
            return buffer;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            break;
        *size += (size_t)got;
        if (*size > SOURCE_SIZE_MAX) {
            errno = EFBIG;
            break;
        }
        if (*size == capacity) {
            capacity *= 2;
            buffer = reallocate(buffer, capacity, 1);
        }
    }
    int error = errno;
    free(buffer);
    errno = error;
    return NULL;
}

static const struct source *read_failed(struct diagnostics *diagnostics, const char *path) {
    if (errno == EFBIG)
        diag_error_path(diagnostics, path, "the file is larger than %d MiB",
                        SOURCE_SIZE_MAX / (1024 * 1024));
    else
        diag_error_path(diagnostics, path, "cannot read the file: %s", strerror(errno));
    return NULL;
}

const struct source *source_read(struct arena *arena, const char *path,
                                 struct diagnostics *diagnostics) {
    bool is_stdin = strcmp(path, "-") == 0;
    int file = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return read_failed(diagnostics, path);
    struct stat status;
    size_t size = 0;
    char *text = NULL;
    if (fstat(file, &status) == 0 && S_ISDIR(status.st_mode))
        errno = EISDIR;
    else
        text = read_all(file, &size);
    int error = errno;
    if (!is_stdin)
        close(file);
    errno = error;
    if (!text)
        return read_failed(diagnostics, path);
    const struct source *source = source_from_text(arena, path, text, size);
    free(text);
    return source;
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

struct span span_join(struct span first, struct span last) {
    return (struct span){.source = first.source, .begin = first.begin, .end = last.end};
}
