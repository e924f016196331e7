// What a command is: the word after the program's name, with what it does with the command line.
// The help, the manual page and the completions are made of the same values.
#ifndef PTXLITMUS_CLI_OPTIONS_COMMAND_H
#define PTXLITMUS_CLI_OPTIONS_COMMAND_H

#include "cli/options/options.h"

#include <stdbool.h>
#include <stddef.h>

struct arena;

// The command line while the options of a command are taken from it. The option at hand, or the
// last of its words that was taken, is argv[at].
struct command_line {
    struct arena *arena;
    struct options *options;
    const struct own_option *option; // at hand
    int argc, at;
    char **argv;
    const char *error; // NULL while there is none; owned by the arena
};

// An option that one command has, or some.
struct own_option {
    const char *name;     // "--map"
    const char *letter;   // "-o", or NULL
    const char *argument; // "NAME=NAME[,...]"; NULL: it takes none
    const char *help;     // what it does, in a few words
    // Sets what the option says, or line->error. `argument` is NULL for an option without one.
    // NULL: there is no more to set than the field.
    void (*set)(struct command_line *line, const char *argument);
    bool takes_words; // its arguments are the next words, which `set` takes by itself
    // Where the field of the options is that is set to the argument (SETS_TEXT), or to true
    // (SETS_FLAG); 0: there is none.
    size_t field;
};

// The own options of a command, an array.
#define OWN_OPTIONS(options) .own = options, .own_count = sizeof options / sizeof options[0]

#define SETS_TEXT(member)                                                                          \
    .field = _Generic(((struct options *)NULL)->member,                                            \
                      const char *: offsetof(struct options, member))
#define CHECKED_TEXT(check, member) .set = check, SETS_TEXT(member)
#define SETS_FLAG(member)                                                                          \
    .field = _Generic(((struct options *)NULL)->member, bool : offsetof(struct options, member))

// What commands do, as the help groups them.
enum command_group { GROUP_DECIDE, GROUP_CHANGE, GROUP_SUITES, GROUP_MAKE, GROUP_LOOK, GROUPS };

struct cli_command {
    const char *name;
    enum command_group group;
    const char *usage; // what follows the name; "\n" separates forms
    const char *help;  // one line, as in "run tests for CI, and report what failed"
    const char *more;  // sentences that say more, or NULL; "\n" ends a line
    const char *example;
    const struct own_option *own;
    size_t own_count;
    bool has_run_options; // those of cli/options/options.def, but for:
    const char
        *refuses;      // names of such options that it does not take, with blanks between; or NULL
    const char *needs; // what is wrong where there is no input; NULL: nothing
    const char *formats;        // of --format, where it takes fewer than a run; else NULL
    const char *files;          // pattern of the files that it reads; "": none; NULL: tests
    bool runs_tests;            // needs at least one test, and may write proofs
    unsigned kernels;           // how many kernels without a manifest, or .cu files, it takes
    bool compiles_tests;        // its tests may be .cu files with manifests, also those of folders
    bool has_own_statuses;      // its exit status is not that of a run
    bool takes_several;         // models and targets, which it compares
    enum options_action action; // when all is right
    // Sets what the command does without an option. NULL: nothing.
    void (*begin)(struct options *options);
    // Returns NULL when the options fit each other, or what is wrong, owned by the arena. It may
    // set what follows from them. NULL: they do.
    const char *(*check)(struct arena *arena, struct options *options);
};

// Appends the words of a text, with commas between them, to a list. Sets line->error, with the name
// of the option and what it takes ("'--table' takes names"), where a word is empty.
void command_add_words(struct command_line *line, const char *what, const char *text,
                       const char ***words, size_t *count);

// Takes the own options of a command out of argv, from argv[first] up to a "--". Returns NULL, or
// what is wrong, owned by the arena. The words are borrowed.
const char *command_take(struct arena *arena, int first, int *argc, char **argv,
                         struct options *options, const struct cli_command *command);

// Whether a command takes the option of a run of this name (without dashes).
bool command_accepts(const struct cli_command *command, const char *name);

// Returns why the options of a run do not fit the command: one that it refuses was given, or
// several models or targets. NULL if they do; else a message, owned by the arena.
const char *command_refusal(struct arena *arena, const struct options *options,
                            const struct cli_command *command);

#endif
