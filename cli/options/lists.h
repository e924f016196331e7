// Arguments that are in files: @FILE.
#ifndef PTXLITMUS_LISTS_H
#define PTXLITMUS_LISTS_H

#include <stdbool.h>

struct arena;

// Replaces each argument '@FILE' before '--' by the lines of FILE ('@-': of the standard input),
// one argument per line, without blank lines and those that begin with '#'. Lines may be '@FILE'
// themselves; every path is relative to the working directory. argv[0] is kept. The new list, with
// a NULL after its end, and its words live in `arena`. Returns false, with a message in `*error`
// that the arena owns, when a list cannot be read or includes itself.
bool lists_expand(struct arena *arena, int *argc, char ***argv, const char **error);

#endif
