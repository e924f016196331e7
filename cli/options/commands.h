// The table of commands.
#ifndef PTXLITMUS_CLI_OPTIONS_COMMANDS_H
#define PTXLITMUS_CLI_OPTIONS_COMMANDS_H

#include "cli/options/command.h"

#define COMMAND(name) extern const struct cli_command command_##name;
#include "cli/options/commands.def"
#undef COMMAND

// Returns the commands in the order of the help, and sets *count. They live for ever.
const struct cli_command *const *commands_all(size_t *count);

// Returns the command of a name, or NULL. It lives for ever.
const struct cli_command *commands_find(const char *name);

// Returns the command whose name a word may be meant to be, or NULL where none is near.
const struct cli_command *commands_nearest(const char *word);

#endif
