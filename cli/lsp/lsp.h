// The language server: what editors ask about tests and modules, by the Language Server Protocol.
#ifndef PTXLITMUS_CLI_LSP_LSP_H
#define PTXLITMUS_CLI_LSP_LSP_H

#include "check/report/exit_status.h"
#include "cli/options/options.h"

// Serves the client at the standard input and output until it says `exit`, or closes its end.
// Everything is decided under the options. Returns the status of the process: 0 when `shutdown`
// came before `exit`, else 1; 4 where the output cannot be written.
enum exit_status lsp_serve(const struct options *options);

#endif
