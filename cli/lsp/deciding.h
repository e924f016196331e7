// Has the open texts decided and repaired, in processes with time limits, and takes what these
// find.
#ifndef PTXLITMUS_CLI_LSP_DECIDING_H
#define PTXLITMUS_CLI_LSP_DECIDING_H

#include "cli/lsp/server.h"

// Begins what is due, as far as there are processors for it; ends what takes too long.
void deciding_begin(struct server *server, double now);

// Takes what the process that decides a document has printed, and tells the client its messages.
// What can be read of it must be there.
void deciding_read(struct server *server, struct document *document);

// Begins to look for repairs of the tests of a document for a goal (copied), unless that is done
// already. Returns the work, which the document owns.
const struct lsp_job *deciding_repair(struct server *server, struct document *document,
                                      const char *goal);

#endif
