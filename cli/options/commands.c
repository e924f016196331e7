// The table of commands.
#include "cli/options/commands.h"

#include "litmus/source/diagnostics.h"

#include <string.h>

static const struct cli_command *const commands[] = {
#define COMMAND(name) &command_##name,
#include "cli/options/commands.def"
#undef COMMAND
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

const struct cli_command *const *commands_all(size_t *count) {
    *count = COMMANDS;
    return commands;
}

const struct cli_command *commands_find(const char *name) {
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

const struct cli_command *commands_nearest(const char *word) {
    const char *names[COMMANDS];
    for (size_t i = 0; i < COMMANDS; i++)
        names[i] = commands[i]->name;
    const char *near = strlen(word) > 2 ? diag_nearest(word, strlen(word), names, COMMANDS) : NULL;
    return near ? commands_find(near) : NULL;
}
