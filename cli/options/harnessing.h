// The options of `harness`, besides those of a run.
#ifndef PTXLITMUS_CLI_OPTIONS_HARNESSING_H
#define PTXLITMUS_CLI_OPTIONS_HARNESSING_H

#include "cli/options/options.h"

// Takes the options that only `harness` has out of argv, of which argv[1] is the command, and sets
// them. Returns NULL, or what is wrong, owned by the arena. The words are borrowed.
const char *harnessing_take(struct arena *arena, int *argc, char **argv, struct options *options);

// Checks the options of a run that were given with `harness`. Returns NULL, or what is wrong with
// them, owned by the arena.
const char *harnessing_check(struct arena *arena, struct options *options);

#endif
