// What the parameters of a request say. Where they are not of the form that LSP gives them, the
// request is refused.
#ifndef PTXLITMUS_CLI_LSP_PARAMS_H
#define PTXLITMUS_CLI_LSP_PARAMS_H

#include "cli/lsp/server.h"

// Refuses the request.
void request_refuse(struct rpc_request *request, enum rpc_error code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Returns the value at a path of names, "textDocument.uri", or NULL; it is borrowed.
const json_t *params_at(const json_t *params, const char *path);

// Returns the text at a path, or NULL after refusing the request.
const char *params_text(struct rpc_request *request, const char *path);

// Returns the document whose URI is at "textDocument.uri", or NULL after refusing the request.
struct document *params_document(struct rpc_request *request);

// Finds the byte that a position of LSP means in a document. Returns false after refusing the
// request; `path` names the position in the message.
bool params_offset(struct rpc_request *request, const struct document *document,
                   const json_t *position, const char *path, size_t *offset);

// Finds the bytes of a range of LSP in the same way, in their order.
bool params_range(struct rpc_request *request, const struct document *document, const json_t *range,
                  const char *path, size_t *begin, size_t *end);

// Whether an array at a path has a text.
bool params_lists(const json_t *params, const char *path, const char *text);

#endif
