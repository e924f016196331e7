// What the server says to its client: messages of JSON-RPC, kept until the client reads them.
#ifndef PTXLITMUS_CLI_LSP_OUTPUT_H
#define PTXLITMUS_CLI_LSP_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

// Begins zeroed.
struct output {
    char *bytes;
    size_t size, capacity, written;
};

// Error codes of JSON-RPC and LSP.
enum rpc_error {
    RPC_PARSE_ERROR = -32700,
    RPC_INVALID_REQUEST = -32600,
    RPC_METHOD_NOT_FOUND = -32601,
    RPC_INVALID_PARAMS = -32602,
    RPC_NOT_INITIALIZED = -32002,
    RPC_CONTENT_MODIFIED = -32801,
    RPC_CANCELLED = -32800,
    RPC_REQUEST_FAILED = -32803,
};

// Answers a request; steals the result. The id is borrowed.
void output_result(struct output *output, const json_t *id, json_t *result);

// Refuses a request; an id of NULL is that of a message which has none that can be read.
void output_error(struct output *output, const json_t *id, enum rpc_error code, const char *why);

// Tells the client something; steals the parameters.
void output_notify(struct output *output, const char *method, json_t *params);

// How many bytes wait for the client.
size_t output_pending(const struct output *output);

// Writes a piece of them to the standard output, which has to have room (poll). Returns false when
// it cannot be written.
bool output_write(struct output *output);

// Frees what is kept.
void output_free(struct output *output);

#endif
