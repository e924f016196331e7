// What the options of commands share: a command takes its own out of argv, and what is left is read
// as the options of a run, of which it refuses some.
#ifndef PTXLITMUS_CLI_OPTIONS_COMMAND_H
#define PTXLITMUS_CLI_OPTIONS_COMMAND_H

#include "cli/options/options.h"

// An option being taken: its word is argv[at].
struct command_line {
    struct arena *arena;
    struct options *options;
    int argc, at;
    char **argv;
    const char *error;   // NULL while there is none
    const char *missing; // what is wrong with an option that lacks its argument, which matters more
};

// Whether the word is this option with an argument, which `*argument` is then: after a '=', or the
// next word; "" where there is none, and then command_take says so.
bool command_option(struct command_line *line, const char *name, const char **argument);

// Whether the word is this option, which takes no argument.
bool command_flag(const struct command_line *line, const char *name);

// Whether a text is digits alone, at least one.
bool command_is_number(const char *text);

// Has `take` look at each word after argv[1], the command, up to a "--", and takes those out of
// argv for which it returns true. Returns NULL, or what is wrong, owned by the arena. The words are
// borrowed.
const char *command_take(struct arena *arena, int *argc, char **argv, struct options *options,
                         bool (*take)(struct command_line *line));

// Options of a run that a command may have no use for.
enum command_refuses {
    REFUSE_VERDICT = 1,
    REFUSE_STATES = 2,
    REFUSE_RACES = 4,
    REFUSE_DUMP = 8,
    REFUSE_EMIT = 16,
    REFUSE_SHARD = 32,
    REFUSE_JOBS = 64,
    REFUSE_QUIET = 128,
    REFUSE_PROGRESS = 256,
    REFUSE_STATS = 512,
    REFUSE_HEX = 1024,
    REFUSE_FORMAT = 2048,
};

// Returns why the options of a run do not fit the command: one of those that it refuses was given,
// or several models or targets. NULL if they do; else a message, owned by the arena.
const char *command_check(struct arena *arena, const struct options *options, const char *command,
                          unsigned refuses);

#endif
