// The options of `generate`, besides those of a run.
#ifndef PTXLITMUS_CLI_OPTIONS_GENERATING_H
#define PTXLITMUS_CLI_OPTIONS_GENERATING_H

#include "cli/options/options.h"

// Takes the options that only `generate` has out of argv, of which argv[1] is the command, and sets
// them. Returns NULL, or what is wrong, owned by the arena. The words are borrowed.
const char *generating_take(struct arena *arena, int *argc, char **argv, struct options *options);

// Checks the options of a run that were given with `generate`. Returns NULL, or what is wrong with
// them, owned by the arena.
const char *generating_check(struct arena *arena, struct options *options);

#endif
