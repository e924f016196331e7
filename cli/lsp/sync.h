// The notifications by which a client keeps the server's texts the same as its own.
#ifndef PTXLITMUS_CLI_LSP_SYNC_H
#define PTXLITMUS_CLI_LSP_SYNC_H

#include "cli/lsp/server.h"

// textDocument/didOpen: a text is there, and is decided. One that is not of the form that LSP gives
// it is left out; one that is open already becomes this one.
void sync_open(struct rpc_request *request);

// textDocument/didChange: a text, or parts of it, are another one. Changes that are wrong are left
// out, with all that follow them.
void sync_change(struct rpc_request *request);

// textDocument/didClose: the text is forgotten, with its messages.
void sync_close(struct rpc_request *request);

#endif
