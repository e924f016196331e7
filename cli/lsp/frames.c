// Finds the messages in what a client sends. Whatever it sends, no more is kept than a message or a
// line of a header may have, and after a header that is wrong the next one is looked for.
#include "cli/lsp/frames.h"

#include "litmus/source/allocate.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LINE_MOST = 8192, DIGITS_MOST = 18 };

static const char length_name[] = "Content-Length:";
enum { NAME_LENGTH = sizeof length_name - 1 };

void frames_add(struct frames *frames, const char *bytes, size_t size) {
    size_t kept = frames->size - frames->taken;
    if (frames->taken > 0)
        memmove(frames->bytes, frames->bytes + frames->taken, kept);
    frames->taken = 0;
    if (kept + size > frames->capacity) {
        frames->capacity = 2 * (kept + size);
        frames->bytes = reallocate(frames->bytes, frames->capacity, 1);
    }
    memcpy(frames->bytes + kept, bytes, size);
    frames->size = kept + size;
}

void frames_free(struct frames *frames) {
    free(frames->bytes);
    *frames = (struct frames){0};
}

// number = " "* digit+ " "*
static void read_length(struct frames *frames, const char *text, const char *end) {
    size_t length = 0, digits = 0;
    while (text < end && (*text == ' ' || *text == '\t'))
        text++;
    for (; text < end && *text >= '0' && *text <= '9' && digits <= DIGITS_MOST; text++, digits++)
        length = 10 * length + (size_t)(*text - '0');
    while (text < end && (*text == ' ' || *text == '\t'))
        text++;
    if (digits == 0 || text < end)
        frames->wrong = "the Content-Length of a message is not a number";
    else if (frames->has_length && length != frames->length)
        frames->wrong = "a message has two Content-Lengths";
    else if (length > FRAME_MOST)
        frames->wrong = "a message is longer than 64 MiB";
    frames->length = length;
    frames->has_length = true;
}

// Where the last Content-Length in a line that is not understood begins: after a body of unknown
// length, which need not end a line. NULL: it has none.
static const char *find_length(const char *line, const char *end) {
    for (const char *at = end - NAME_LENGTH; at >= line; at--)
        if (strncasecmp(at, length_name, NAME_LENGTH) == 0)
            return at;
    return NULL;
}

static void read_line(struct frames *frames, const char *line, const char *end) {
    bool is_length = end - line >= NAME_LENGTH && strncasecmp(line, length_name, NAME_LENGTH) == 0;
    const char *name = is_length ? line : frames->is_lost ? find_length(line, end) : NULL;
    if (!name)
        return;
    frames->is_lost = false;
    read_length(frames, name + NAME_LENGTH, end);
}

// At the empty line after a header. Returns what is wrong with it, or NULL.
static const char *end_header(struct frames *frames) {
    const char *wrong = frames->wrong;
    if (!wrong && !frames->has_length && !frames->is_lost)
        wrong = "a message has no Content-Length";
    frames->in_body = !wrong && frames->has_length;
    frames->is_lost = frames->is_lost || wrong;
    frames->has_length = false;
    frames->wrong = NULL;
    return wrong;
}

// Drops the begin of a line that does not end, but for what may begin a Content-Length.
static bool drop_line(struct frames *frames, const char **wrong) {
    bool was_lost = frames->is_lost;
    if (frames->size - frames->taken < LINE_MOST)
        return false;
    frames->taken = frames->size - NAME_LENGTH;
    frames->is_lost = true;
    frames->has_length = false;
    *wrong = "a line of a message's header is longer than 8192 bytes";
    return !was_lost;
}

enum frame_kind frames_next(struct frames *frames, const char **body, size_t *size,
                            const char **wrong) {
    while (!frames->in_body) {
        const char *line = frames->bytes + frames->taken;
        size_t left = frames->size - frames->taken;
        const char *newline = left > 0 ? memchr(line, '\n', left) : NULL;
        if (!newline)
            return drop_line(frames, wrong) ? FRAME_BAD : FRAME_NONE;
        const char *end = newline > line && newline[-1] == '\r' ? newline - 1 : newline;
        frames->taken += (size_t)(newline - line) + 1;
        if (end > line) {
            read_line(frames, line, end);
        } else {
            *wrong = end_header(frames);
            if (*wrong)
                return FRAME_BAD;
        }
    }
    if (frames->size - frames->taken < frames->length)
        return FRAME_NONE;
    *body = frames->bytes + frames->taken;
    *size = frames->length;
    frames->taken += frames->length;
    frames->in_body = false;
    return FRAME_MESSAGE;
}
