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

static json_t *message(void) {
    json_t *object = json_object();
    json_field(object, "jsonrpc", json_string("2.0"));
    return object;
}

void output_result(struct output *output, const json_t *id, json_t *result) {
    json_t *object = message();
    json_field(object, "id", json_deep_copy(id));
    json_field(object, "result", result);
    add_message(output, object);
}

void output_error(struct output *output, const json_t *id, enum rpc_error code, const char *why) {
    json_t *object = message(), *error = json_object();
    json_field(error, "code", json_integer(code));
    json_field(error, "message", json_string(why));
    json_field(object, "id", id ? json_deep_copy(id) : json_null());
    json_field(object, "error", error);
    add_message(output, object);
}

void output_notify(struct output *output, const char *method, json_t *params) {
    json_t *object = message();
    json_field(object, "method", json_string(method));
    json_field(object, "params", params);
    add_message(output, object);
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
