// inspect, list, show and help: commands that show what is there.
#include "cli/options/commands.h"
#include "cli/options/launching.h"

#include "check/text/names.h"
#include "litmus/source/arena.h"

#include <string.h>

// --- inspect ------------------------------------------------------------------------------------

static void set_format(struct command_line *line, const char *argument) {
    if (strcmp(argument, "json") != 0 && strcmp(argument, "text") != 0) {
        line->error =
            arena_format(line->arena, "'inspect' prints '--format text' or 'json', not '%s'",
                         escaped(line->arena, argument));
    }
    line->options->print.format = strcmp(argument, "json") == 0 ? FORMAT_JSON : FORMAT_TEXT;
}

static const struct own_option inspect_options[] = {
    {"--kernel", NULL, "NAME", "only this kernel", SETS_TEXT(launch.kernel)},
    {"--sidecar", NULL, NULL, "print a manifest to fill in, by which 'check' runs a kernel",
     SETS_FLAG(sidecar)},
    {"--format", NULL, "text|json", "a text or an object (default text)", .set = set_format},
    LAUNCHING_COMPILER,
};

static void inspect_begin(struct options *options) {
    options->print.format = FORMAT_TEXT;
}

static const char *inspect_check(struct arena *arena, struct options *options) {
    (void)arena;
    if (options->sidecar && options->print.format == FORMAT_JSON)
        return "'--sidecar' prints a manifest, not JSON";
    return options->input_count > 0 ? NULL
                                    : "'inspect' needs a module of PTX, or '-'\n"
                                      "hint: './inspect' names the file";
}

const struct cli_command command_inspect = {
    .name = "inspect",
    .group = GROUP_LOOK,
    .usage = "[OPTIONS] MODULE.ptx...\n[OPTIONS] FILE.cu|MODULE.ptx [KERNEL] [-- FLAGS]",
    .help = "show the kernels of PTX modules, what they access, and what is not read",
    .example = "ptxlitmus inspect kernel.ptx --sidecar",
    OWN_OPTIONS(inspect_options),
    .files = "*.ptx",
    .kernels = 1,
    .action = OPTIONS_INSPECT,
    .begin = inspect_begin,
    .check = inspect_check,
};

// --- The included tests -------------------------------------------------------------------------

const struct cli_command command_list = {
    .name = "list",
    .group = GROUP_LOOK,
    .usage = "[TOPIC...]",
    .help = "list the topics of the included tests, or the tests of a topic",
    .example = "ptxlitmus list barriers",
    .files = "",
    .action = OPTIONS_LIST,
};

const struct cli_command command_show = {
    .name = "show",
    .group = GROUP_LOOK,
    .usage = "NAME...",
    .help = "print included tests",
    .example = "ptxlitmus show MP+addr",
    .files = "",
    .needs = "'show' needs the name of an included test\n"
             "hint: 'ptxlitmus list' prints their topics",
    .action = OPTIONS_SHOW,
};

// --- help ---------------------------------------------------------------------------------------

const struct cli_command command_help = {
    .name = "help",
    .group = GROUP_LOOK,
    .usage = "[COMMAND]",
    .help = "show the options of a command",
    .example = "ptxlitmus help check",
    .files = "",
    .action = OPTIONS_HELP,
};
