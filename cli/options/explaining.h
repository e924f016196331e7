// The options that `explain` has besides those of a run.
#ifndef PTXLITMUS_CLI_OPTIONS_EXPLAINING_H
#define PTXLITMUS_CLI_OPTIONS_EXPLAINING_H

#include "cli/options/options.h"

// Takes the options that only `explain` has out of argv, of which argv[1] is the command, and sets
// them. Returns NULL, or what is wrong, owned by the arena. The words are borrowed.
const char *explaining_take(struct arena *arena, int *argc, char **argv, struct options *options);

#endif
