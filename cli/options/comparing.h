// The options of `compare`, besides those of a run, and of `diff`, which has none.
#ifndef PTXLITMUS_CLI_OPTIONS_COMPARING_H
#define PTXLITMUS_CLI_OPTIONS_COMPARING_H

#include "cli/options/options.h"

// Takes the options that only `compare` has out of argv, of which argv[1] is the command, and sets
// them. Returns NULL, or what is wrong, owned by the arena. The words are borrowed.
const char *comparing_take(struct arena *arena, int *argc, char **argv, struct options *options);

// Checks the options of a run that were given with `compare`. Returns NULL, or what is wrong with
// them, owned by the arena.
const char *comparing_check(struct arena *arena, struct options *options);

// Checks the options of a run that were given with `observed`. Returns NULL, or what is wrong with
// them, owned by the arena.
const char *observed_check(struct arena *arena, struct options *options);

// Takes the files of `diff`; no inputs when help is asked for. Returns NULL, or what is wrong,
// owned by the arena.
const char *diff_take(struct arena *arena, int argc, char **argv, struct options *options);

#endif
