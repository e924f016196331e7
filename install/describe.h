// What an installation tells of commands and options, made of their tables.
#ifndef PTXLITMUS_INSTALL_DESCRIBE_H
#define PTXLITMUS_INSTALL_DESCRIBE_H

#include "cli/options/commands.h"

// What an option's argument may be.
enum argument_kind {
    ARGUMENT_NONE,
    ARGUMENT_CHOICE, // one of the words between '|', in lower case
    ARGUMENT_MODEL,
    ARGUMENT_TARGET,
    ARGUMENT_FOLDER,
    ARGUMENT_FILE,
    ARGUMENT_OTHER, // a number, a version
};

// Returns what the argument of an option is, by its name without dashes and its argument as the
// help has it ("" without one).
enum argument_kind describe_kind(const struct option_text *option);

// Returns an own option of a command as one of a run is described. The strings are borrowed.
struct option_text describe_own(const struct own_option *own);

// Print the completions of a shell.
void describe_bash(void);
void describe_zsh(void);
void describe_fish(void);

#endif
