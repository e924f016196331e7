// The messages of a client, and what is done with each.
#ifndef PTXLITMUS_CLI_LSP_REQUESTS_H
#define PTXLITMUS_CLI_LSP_REQUESTS_H

#include "cli/lsp/server.h"

#include <stddef.h>

// Takes a message, of which nothing is known but its bytes.
void requests_take(struct server *server, const char *body, size_t size);

// Answers what waits for a document of which more is known now.
void requests_settle(struct server *server);

// Drops all that waits.
void requests_drop(struct server *server);

#endif
