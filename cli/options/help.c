// The help, made of the tables of commands and options.
#include "cli/options/help.h"

#include "cli/options/commands.h"
#include "litmus/source/arena.h"

#include <string.h>

static const char *const group_names[GROUPS] = {
    [GROUP_DECIDE] = "decide", [GROUP_CHANGE] = "change", [GROUP_SUITES] = "suites",
    [GROUP_MAKE] = "make",     [GROUP_LOOK] = "look",
};

// --- The program --------------------------------------------------------------------------------

static const char *with_commands(struct arena *arena, const char *help, enum command_group group) {
    size_t count;
    const struct cli_command *const *commands = commands_all(&count);
    help = arena_format(arena, "%s\n%s\n", help, group_names[group]);
    for (size_t i = 0; i < count; i++)
        if (commands[i]->group == group)
            help = arena_format(arena, "%s  %-9s %s\n", help, commands[i]->name, commands[i]->help);
    return help;
}

static const char *of_program(struct arena *arena) {
    const char *help = "usage: ptxlitmus [COMMAND] [OPTIONS] FILE|FOLDER|NAME...\n"
                       "\n"
                       "Decides which outcomes PTX's memory model allows, for litmus tests and "
                       "kernels.\n";
    for (int group = 0; group < GROUPS; group++)
        help = with_commands(arena, help, (enum command_group)group);
    return arena_format(
        arena,
        "%s\n"
        "examples\n"
        "  ptxlitmus MP                                     run an included test\n"
        "  ptxlitmus explain MP                             say why its outcome is not allowed\n"
        "  ptxlitmus check kernel.ptx                       look for races and hangs\n"
        "  ptxlitmus repair racy.litmus                     find the weakest fix\n"
        "  ptxlitmus suite tests --report junit=tests.xml   run a suite in CI\n"
        "\n"
        "'ptxlitmus help COMMAND' lists the options of a command.\n"
        "exit status: 0 decided as expected, 1 not as expected, 2 bad input, 3 undecided, 4 "
        "internal error\n",
        help);
}

// --- A command ----------------------------------------------------------------------------------

static const char *with_usage(struct arena *arena, const struct cli_command *command) {
    const char *help = "";
    for (const char *form = command->usage; *form;) {
        size_t length = strcspn(form, "\n");
        help = arena_format(arena, "%s%s ptxlitmus %s %.*s\n", help,
                            *help ? "      " : "usage:", command->name, (int)length, form);
        form += length + (form[length] == '\n');
    }
    return help;
}

static const char *with_option(struct arena *arena, const char *help, const char *letter,
                               const struct option_text *option) {
    enum { COLUMN = 24 };
    const char *left = arena_format(arena, "%s%s--%s%s%s", letter ? letter : "", letter ? ", " : "",
                                    option->name, *option->argument ? " " : "", option->argument);
    const char *gap = strlen(left) > COLUMN ? "\n                           " : " ";
    return arena_format(arena, "%s  %-24s%s%s\n", help, left, gap, option->help);
}

static const char *with_own_options(struct arena *arena, const char *help,
                                    const struct cli_command *command) {
    if (command->own_count > 0)
        help = arena_format(arena, "%s\noptions:\n", help);
    for (size_t i = 0; i < command->own_count; i++) {
        const struct own_option *own = &command->own[i];
        struct option_text option = {own->name + 2, own->argument ? own->argument : "", own->help};
        help = with_option(arena, help, own->letter, &option);
    }
    return help;
}

static const char *with_run_options(struct arena *arena, const char *help,
                                    const struct cli_command *command) {
    size_t count;
    const struct option_text *const *options = options_texts(&count);
    if (command->has_run_options) {
        help = arena_format(arena, "%s\noptions%s:\n", help,
                            command->own_count > 0 ? " of each run" : "");
    }
    for (size_t i = 0; i < count; i++) {
        struct option_text option = *options[i];
        option.help = options_help(options[i]);
        if (command->formats && strcmp(option.name, "format") == 0) {
            option.argument = command->formats;
            option.help = "a text for people, or an object per line";
        }
        if (command_accepts(command, option.name))
            help = with_option(arena, help, NULL, &option);
    }
    return help;
}

static const char *const statuses =
    "\n"
    "exit status (of several, the first of 4, 2, 1, 3, 0 counts):\n"
    "  0  every test was decided, and no expectation failed\n"
    "  1  an expectation failed, or what the command looks for was found\n"
    "  2  bad usage or bad input; the other files were still run\n"
    "  3  a verdict or flag is undecided (time, memory, loop bound, interrupt)\n"
    "  4  internal error, or the output cannot be written\n";

static const char *of_command(struct arena *arena, const struct cli_command *command) {
    const char *help = with_usage(arena, command);
    help =
        arena_format(arena, "%s\n%c%s.\n", help, command->help[0] - 'a' + 'A', command->help + 1);
    if (command->more)
        help = arena_format(arena, "%s%s\n", help, command->more);
    help = arena_format(arena, "%s\nexample: %s\n", help, command->example);
    help = with_own_options(arena, help, command);
    help = with_run_options(arena, help, command);
    return command->has_run_options && !command->has_own_statuses
               ? arena_format(arena, "%s%s", help, statuses)
               : help;
}

const char *help_text(struct arena *arena, const struct cli_command *command) {
    return command ? of_command(arena, command) : of_program(arena);
}
