// Messages in a stream of bytes, each after a header with its length, as LSP frames them.
#ifndef PTXLITMUS_CLI_LSP_FRAMES_H
#define PTXLITMUS_CLI_LSP_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

// The most bytes that a message may have.
enum { FRAME_MOST = 64 * 1024 * 1024 };

// What was received and not taken yet. Begins zeroed.
struct frames {
    char *bytes;
    size_t size, capacity, taken;
    bool has_length, in_body;
    size_t length;     // of the body
    const char *wrong; // with the header at hand; NULL: nothing
    bool is_lost;      // after such a header: up to the next Content-Length nothing is understood
};

enum frame_kind {
    FRAME_NONE,    // more bytes are needed
    FRAME_MESSAGE, // a body
    FRAME_BAD,     // a header that says no length, or one that cannot be
};

// Adds bytes that were received (copied).
void frames_add(struct frames *frames, const char *bytes, size_t size);

// Takes the next message, whose body is borrowed until the next call of a function here; or, of
// FRAME_BAD, what is wrong, a sentence that lives for ever.
enum frame_kind frames_next(struct frames *frames, const char **body, size_t *size,
                            const char **wrong);

// Frees what is kept.
void frames_free(struct frames *frames);

#endif
