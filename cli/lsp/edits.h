// Edits of LSP that make one text of another.
#ifndef PTXLITMUS_CLI_LSP_EDITS_H
#define PTXLITMUS_CLI_LSP_EDITS_H

#include "cli/lsp/text.h"

struct arena;

// Returns the edits that a unified diff of a text asks for, as an array of LSP that the caller
// releases: one for each stretch of lines. NULL where the diff is of another text.
json_t *edits_of_diff(struct arena *arena, const struct edited_text *text, const char *diff,
                      bool is_utf8);

#endif
