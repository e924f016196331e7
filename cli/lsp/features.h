// The requests about texts: each sets the answer of the request, or refuses it, or waits for a
// document of which more has to be known.
#ifndef PTXLITMUS_CLI_LSP_FEATURES_H
#define PTXLITMUS_CLI_LSP_FEATURES_H

#include "cli/lsp/server.h"

// textDocument/hover: what a word means, and how an instruction is written (hover.c).
void feature_hover(struct rpc_request *request);

// textDocument/completion: what may be written at a place (completion.c).
void feature_completion(struct rpc_request *request);

// textDocument/codeLens: what each test came to, once that is known (lens.c).
void feature_lens(struct rpc_request *request);

// textDocument/codeAction: repairs of what is wrong at a place (actions.c). Their edits are left to
// feature_resolve for a client that asks for them.
void feature_actions(struct rpc_request *request);

// codeAction/resolve: the edit of a repair (actions.c).
void feature_resolve(struct rpc_request *request);

#endif
