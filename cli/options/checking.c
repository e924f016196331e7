// check: whether a test or a launch is free of faults.
#include "cli/options/commands.h"
#include "cli/options/launching.h"

#include "check/text/names.h"
#include "litmus/source/arena.h"

#include <string.h>

static void check_begin(struct options *options) {
    options->check.asks_clean = options->check.solver.races = true;
    options->check.solver.progress = PROGRESS_FAIR;
}

static void set_format(struct command_line *line, const char *argument) {
    struct print_options *print = &line->options->print;
    bool is_text = strcmp(argument, "text") == 0, is_json = strcmp(argument, "json") == 0;
    print->is_sarif = strcmp(argument, "sarif") == 0;
    print->format = is_text ? FORMAT_TEXT : is_json ? FORMAT_JSON : FORMAT_RECORD;
    print->format_is_given = true;
    if (!is_text && !is_json && !print->is_sarif) {
        line->error =
            arena_format(line->arena, "'check' prints '--format text', 'json' or 'sarif', not '%s'",
                         escaped(line->arena, argument));
    }
}

static const char *check_fits(struct arena *arena, struct options *options) {
    (void)arena;
    return options->print.is_sarif && options->shard_count > 0
               ? "'--shard' prints '--format json', which 'ptxlitmus merge' joins"
               : NULL;
}

static void set_method(struct command_line *line, const char *argument) {
    static const char *const names[] = {NULL, "run", "search", "both"};
    for (unsigned i = METHOD_RUN; i <= METHOD_BOTH; i++) {
        if (strcmp(argument, names[i]) == 0) {
            line->options->method = (enum check_method)i;
            return;
        }
    }
    line->error = "'--method' takes run, search or both";
}

static const struct own_option check_options[] = {
    {"--format", NULL, "text|json|sarif", "how to report (default text)", .set = set_format},
    {"--executions", "-v", NULL, "print an execution of each race", SETS_FLAG(print.executions)},
    {"--no-fix", NULL, NULL, "do not look for a fix", SETS_FLAG(print.no_fix)},
    {"--method", NULL, "run|search|both",
     "run the threads once, search all executions, or do both (default: run, then search)",
     .set = set_method},
    LAUNCHING_OPTIONS,
    LAUNCHING_SAVE,
};

const struct cli_command command_check = {
    .name = "check",
    .group = GROUP_DECIDE,
    .usage = "[OPTIONS] FILE|FOLDER|NAME...\n" LAUNCHING_USAGE,
    .help = "say whether tests or launches are free of races, hangs and undefined uses",
    .more = "A test needs no condition. The exit status is 1 where one is not free of them. "
            "\n" LAUNCHING_MORE,
    .example = "ptxlitmus check kernel.cu --grid 2 --block 64 --arg 1=3",
    OWN_OPTIONS(check_options),
    .has_run_options = true,
    .refuses = "emit-ptx",
    .runs_tests = true,
    .kernels = 1,
    .action = OPTIONS_RUN,
    .begin = check_begin,
    .check = check_fits,
};
