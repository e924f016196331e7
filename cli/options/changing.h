// The options of `repair` and `relax` that no other command has.
#ifndef PTXLITMUS_CLI_OPTIONS_CHANGING_H
#define PTXLITMUS_CLI_OPTIONS_CHANGING_H

#include "cli/options/options.h"

struct arena;

// Takes these options, and the command's word, out of a command line whose argv[1] is that word:
// `argc` and `argv` are those of what is left. Returns NULL, or a message, owned by the arena.
const char *changing_take(struct arena *arena, int *argc, char **argv, struct options *options);

// Returns NULL when a command line that was parsed makes sense for the command, or a message, owned
// by the arena. Sets the format where none was given.
const char *changing_check(struct arena *arena, struct options *options);

#endif
