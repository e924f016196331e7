// The commands of the program, and what each of them does with the command line.
#ifndef PTXLITMUS_CLI_OPTIONS_COMMANDS_H
#define PTXLITMUS_CLI_OPTIONS_COMMANDS_H

#include "cli/options/options.h"

#include <stdbool.h>

struct arena;

// A command: the word after the program's name. Messages are owned by the arena, words are
// borrowed.
struct cli_command {
    const char *name; // "" for the program without a command
    // Reads the command line of a command without the options of a run. Sets the error, and returns
    // OPTIONS_BAD, where it is wrong. NULL: the command has these options, and what follows counts.
    enum options_action (*parse)(struct arena *arena, int argc, char **argv,
                                 struct options *options, const char **error);
    // Takes the command's word and its own options out of argv, before those of a run are read.
    // Returns NULL, or what is wrong.
    const char *(*take)(struct arena *arena, int *argc, char **argv, struct options *options);
    // Returns NULL when all options fit the command, or what is wrong. NULL: any do.
    const char *(*check)(struct arena *arena, struct options *options);
    enum options_action action; // when all is right
    bool runs_tests;            // needs at least one test, and may write proofs
};

// Returns the command of this name, or that of the program without a command. It lives for ever.
const struct cli_command *commands_find(const char *name);

#endif
