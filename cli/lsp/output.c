// Writes messages of JSON-RPC.
#include "cli/lsp/output.h"

#include "check/text/json.h"
#include "litmus/source/allocate.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void add(struct output *output, const char *bytes, size_t size) {
    size_t kept = output->size - output->written;
    if (output->written > 0)
        memmove(output->bytes, output->bytes + output->written, kept);
    output->written = 0;
    if (kept + size > output->capacity) {
        output->capacity = 2 * (kept + size);
        output->bytes = reallocate(output->bytes, output->capacity, 1);
    }
    memcpy(output->bytes + kept, bytes, size);
    output->size = kept + size;
}

// Adds a message, which is given away.
static void add_message(struct output *output, json_t *message) {
    char header[64];
    char *text = json_dumps(message, JSON_COMPACT);
    if (!text)
        out_of_memory();
    int length = snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", strlen(text));
    add(output, header, (size_t)length);
    add(output, text, strlen(text));
    free(text);
    json_decref(message);
}

void output_result(struct output *output, const json_t *id, json_t *result) {
    add_message(output, json_of("{s:s, s:o, s:o}", "jsonrpc", "2.0", "id", json_deep_copy(id),
                                "result", result));
}

void output_error(struct output *output, const json_t *id, enum rpc_error code, const char *why) {
    add_message(output, json_of("{s:s, s:o, s:{s:i, s:s}}", "jsonrpc", "2.0", "id",
                                id ? json_deep_copy(id) : json_null(), "error", "code", (int)code,
                                "message", why));
}

void output_notify(struct output *output, const char *method, json_t *params) {
    add_message(output,
                json_of("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method", method, "params", params));
}

size_t output_pending(const struct output *output) {
    return output->size - output->written;
}

// A pipe that has room takes PIPE_BUF bytes without waiting.
bool output_write(struct output *output) {
    size_t size = output_pending(output) < PIPE_BUF ? output_pending(output) : PIPE_BUF;
    ssize_t written = write(STDOUT_FILENO, output->bytes + output->written, size);
    if (written < 0)
        return errno == EINTR || errno == EAGAIN;
    output->written += (size_t)written;
    return true;
}

void output_free(struct output *output) {
    free(output->bytes);
    *output = (struct output){0};
}
