// The help: of the program on one screen, and of each command.
#ifndef PTXLITMUS_CLI_OPTIONS_HELP_H
#define PTXLITMUS_CLI_OPTIONS_HELP_H

#include "cli/options/command.h"

// Returns the help of a command with all options that it takes, or, with NULL, that of the program.
// The text is owned by the arena.
const char *help_text(struct arena *arena, const struct cli_command *command);

#endif
