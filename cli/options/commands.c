// The table of commands, and the reading of those that are too small for a file of their own.
#include "cli/options/commands.h"

#include "cli/options/changing.h"
#include "cli/options/command.h"
#include "cli/options/comparing.h"
#include "cli/options/explaining.h"
#include "cli/options/generating.h"
#include "cli/options/harnessing.h"
#include "cli/options/lowers.h"
#include "cli/options/suiting.h"
#include "cli/print/names.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <string.h>

// merge = "merge" FILE...
static enum options_action merge(struct arena *arena, int argc, char **argv,
                                 struct options *options, const char **error) {
    options->inputs = ARENA_ARRAY(arena, const char *, (size_t)argc);
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return OPTIONS_HELP;
        }
        if (argv[i][0] == '-' && argv[i][1] != '\0') {
            *error = arena_format(arena, "'merge' takes files and no options, not '%s'",
                                  escaped(arena, argv[i]));
            return OPTIONS_BAD;
        }
        options->inputs[options->input_count++] = argv[i];
    }
    if (options->input_count == 0) {
        *error = "'merge' needs files: the JSON results of each shard, or '-'\n"
                 "hint: './merge' names the file";
        return OPTIONS_BAD;
    }
    return OPTIONS_MERGE;
}

static void inspect_format(struct command_line *parse, const char *format) {
    if (strcmp(format, "json") != 0 && strcmp(format, "text") != 0) {
        parse->error =
            arena_format(parse->arena, "'inspect' prints '--format text' or 'json', not '%s'",
                         escaped(parse->arena, format));
    }
    parse->options->format = strcmp(format, "json") == 0 ? FORMAT_JSON : FORMAT_TEXT;
}

// inspect = "inspect" (FILE | "--kernel" NAME | "--sidecar" | "--format" (text | json))...
static bool take_inspect(struct command_line *line) {
    const char *word = line->argv[line->at], *argument;
    if (command_option(line, "--kernel", &argument)) {
        line->options->kernel = argument;
    } else if (command_option(line, "--format", &argument)) {
        inspect_format(line, argument);
    } else if (command_flag(line, "--sidecar")) {
        line->options->sidecar = true;
    } else if (word[0] == '-' && word[1] != '\0') {
        line->error = arena_format(
            line->arena,
            "'inspect' takes '--kernel NAME', '--sidecar' and '--format text|json', not '%s'",
            escaped(line->arena, word));
    } else {
        return false;
    }
    return true;
}

static bool asks_help(int argc, char **argv) {
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return true;
        }
    }
    return false;
}

static enum options_action inspect(struct arena *arena, int argc, char **argv,
                                   struct options *options, const char **error) {
    options->format = FORMAT_TEXT;
    if (asks_help(argc, argv)) {
        return OPTIONS_HELP;
    }
    *error = command_take(arena, &argc, argv, options, take_inspect);
    options->inputs = ARENA_ARRAY(arena, const char *, (size_t)argc);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") != 0) {
            options->inputs[options->input_count++] = argv[i];
        }
    }
    if (!*error && options->sidecar && options->format == FORMAT_JSON) {
        *error = "'--sidecar' prints a manifest, not JSON";
    }
    if (!*error && options->input_count == 0) {
        *error = "'inspect' needs a module of PTX, or '-'\n"
                 "hint: './inspect' names the file";
    }
    return *error ? OPTIONS_BAD : OPTIONS_INSPECT;
}

// list = "list" TOPIC*; show = "show" NAME+
static enum options_action list_or_show(struct arena *arena, int argc, char **argv,
                                        struct options *options, const char **error) {
    bool is_list = strcmp(argv[1], "list") == 0;
    options->inputs = ARENA_ARRAY(arena, const char *, (size_t)argc);
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return OPTIONS_HELP;
        }
        if (argv[i][0] == '-') {
            *error = arena_format(arena, "'%s' takes %s and no options, not '%s'", argv[1],
                                  is_list ? "topics" : "names of tests", escaped(arena, argv[i]));
            return OPTIONS_BAD;
        }
        options->inputs[options->input_count++] = argv[i];
    }
    if (!is_list && options->input_count == 0) {
        *error = "'show' needs the name of an included test\n"
                 "hint: 'ptxlitmus list' prints their topics";
        return OPTIONS_BAD;
    }
    return is_list ? OPTIONS_LIST : OPTIONS_SHOW;
}

// report = "report" ("-o" DIR | "--output" DIR | an option of a run | FILE)...
static bool take_report(struct command_line *line) {
    const char *argument;
    if (!command_option(line, "-o", &argument) && !command_option(line, "--output", &argument)) {
        return false;
    }
    line->options->report_folder = argument;
    return true;
}

static const char *report_take(struct arena *arena, int *argc, char **argv,
                               struct options *options) {
    options->report_folder = "";
    return command_take(arena, argc, argv, options, take_report);
}

// Why `report` does not take these options, or NULL.
static const char *report_check(struct arena *arena, struct options *options) {
    if (options->model_count > 1 || options->target_count > 1) {
        return "'report' takes one model or target: each page compares targets";
    }
    const char *error = command_check(arena, options, "report",
                                      REFUSE_FORMAT | REFUSE_VERDICT | REFUSE_EMIT | REFUSE_DUMP |
                                          REFUSE_SHARD | REFUSE_QUIET | REFUSE_STATS);
    return error                     ? error
           : *options->report_folder ? NULL
                                     : "'report' needs '-o DIR', the folder of the pages";
}

static void drop_word(int *argc, char **argv) {
    memmove(argv + 1, argv + 2, (size_t)(*argc - 1) * sizeof *argv);
    --*argc;
}

static const char *observed_take(struct arena *arena, int *argc, char **argv,
                                 struct options *options) {
    (void)arena, (void)options;
    drop_word(argc, argv);
    return NULL;
}

static const char *check_take(struct arena *arena, int *argc, char **argv,
                              struct options *options) {
    (void)arena;
    drop_word(argc, argv);
    options->checks = options->solver.races = true;
    options->solver.progress = PROGRESS_FAIR;
    return NULL;
}

// Why `check` does not take these options, or NULL.
static const char *check_check(struct arena *arena, struct options *options) {
    (void)arena;
    if (options->model_count > 1 || options->target_count > 1) {
        return "'check' is about one model and one target";
    }
    if (options->format_is_given && options->format == FORMAT_LOG) {
        return "'check' prints '--format text' or 'json', not 'log'";
    }
    return options->emit_ptx ? "'check' takes no '--emit-ptx'" : NULL;
}

// diff = "diff" FILE FILE
static enum options_action diff(struct arena *arena, int argc, char **argv, struct options *options,
                                const char **error) {
    *error = diff_take(arena, argc, argv, options);
    return *error ? OPTIONS_BAD : options->input_count == 0 ? OPTIONS_HELP : OPTIONS_DIFF;
}

static const struct cli_command commands[] = {
    {.name = "diff", .parse = diff},
    {.name = "merge", .parse = merge},
    {.name = "inspect", .parse = inspect},
    {.name = "list", .parse = list_or_show},
    {.name = "show", .parse = list_or_show},
    {"explain", NULL, explaining_take, NULL, OPTIONS_RUN, true},
    {"check", NULL, check_take, check_check, OPTIONS_RUN, true},
    {"report", NULL, report_take, report_check, OPTIONS_REPORT, true},
    {"repair", NULL, changing_take, changing_check, OPTIONS_CHANGE, true},
    {"relax", NULL, changing_take, changing_check, OPTIONS_CHANGE, true},
    {"suite", NULL, suiting_take, suiting_check, OPTIONS_SUITE, false},
    {"compare", NULL, comparing_take, comparing_check, OPTIONS_COMPARE, false},
    {"observed", NULL, observed_take, observed_check, OPTIONS_OBSERVED, false},
    {"lower", NULL, lowers_take, lowers_check, OPTIONS_LOWER, false},
    {"generate", NULL, generating_take, generating_check, OPTIONS_GENERATE, false},
    {"harness", NULL, harnessing_take, harnessing_check, OPTIONS_HARNESS, false},
};

static const struct cli_command no_command = {
    .name = "", .action = OPTIONS_RUN, .runs_tests = true};

const struct cli_command *commands_find(const char *name) {
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(commands[i].name, name) == 0) {
            return &commands[i];
        }
    }
    return &no_command;
}
