// The state of the language server, and of the request at hand: what its parts share.
#ifndef PTXLITMUS_CLI_LSP_SERVER_H
#define PTXLITMUS_CLI_LSP_SERVER_H

#include "cli/lsp/documents.h"
#include "cli/lsp/output.h"
#include "cli/options/options.h"

#include <jansson.h>
#include <stdbool.h>

struct arena;
struct waiting;

struct server {
    const struct options *options; // of the command line, for all that is decided
    bool is_initialized, is_shut_down;
    bool is_over;                        // `exit` has come
    bool is_utf8;                        // positions are in bytes, not in units of UTF-16
    bool takes_markdown, resolves_edits; // the client
    struct document *documents;
    struct waiting *waiting; // requests that wait for a job
    struct output output;
};

// A request or a notification while it is answered.
struct rpc_request {
    struct server *server;
    struct arena *arena;  // for what is made meanwhile
    const json_t *id;     // NULL: a notification
    const json_t *params; // an object; NULL: none were given
    json_t *result;       // the answer, given away; NULL: null
    const char *why;      // it is refused, with `code`; lives as long as the arena
    enum rpc_error code;
    struct document *waits_for; // the answer comes when more is known of it: it is asked again
};

#endif
