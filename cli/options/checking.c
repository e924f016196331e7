// check: its options say how a kernel is launched whose module does not.
#include "cli/options/commands.h"

#include "check/text/names.h"
#include "litmus/source/arena.h"

#include <stdlib.h>
#include <string.h>

static void check_begin(struct options *options) {
    options->check.asks_clean = options->check.solver.races = true;
    options->check.solver.progress = PROGRESS_FAIR;
}

// Whether a text is numbers from `low` to `high` with commas between them, at most `most`.
static bool are_numbers(const char *text, unsigned long low, unsigned long high, unsigned most) {
    for (unsigned count = 1; count <= most; count++) {
        size_t digits = strspn(text, "0123456789");
        unsigned long number = strtoul(text, NULL, 10);
        if (digits == 0 || digits > 5 || number < low || number > high) {
            return false;
        }
        if (text[digits] == '\0') {
            return true;
        }
        if (text[digits] != ',') {
            return false;
        }
        text += digits + 1;
    }
    return false;
}

static const char *extent(struct command_line *line, const char *name, const char *text) {
    if (!are_numbers(text, 1, 65535, 3)) {
        line->error = arena_format(line->arena,
                                   "'%s' takes one to three numbers from 1 to 65535, such as 2 or "
                                   "16,8,1, not '%s'",
                                   name, escaped(line->arena, text));
    }
    return text;
}

static void set_kernel(struct command_line *line, const char *argument) {
    line->options->launch.kernel = argument;
}

static void set_grid(struct command_line *line, const char *argument) {
    line->options->launch.grid = extent(line, "--grid", argument);
}

static void set_block(struct command_line *line, const char *argument) {
    line->options->launch.block = extent(line, "--block", argument);
}

static void set_cluster(struct command_line *line, const char *argument) {
    line->options->launch.cluster = extent(line, "--cluster", argument);
}

static void set_threads(struct command_line *line, const char *argument) {
    if (!are_numbers(argument, 0, 1023, 1024)) {
        line->error = arena_format(line->arena,
                                   "'--threads' takes numbers of threads of a block, such as "
                                   "0,1,32, not '%s'",
                                   escaped(line->arena, argument));
    }
    line->options->launch.threads = argument;
}

static void add_argument(struct command_line *line, const char *argument) {
    struct launch_options *launch = &line->options->launch;
    const char *equal = strchr(argument, '=');
    if (!equal || equal == argument || equal[1] == '\0' || strpbrk(argument, "\r\n")) {
        line->error = arena_format(line->arena,
                                   "'--arg' takes NAME=VALUE or NUMBER=VALUE, such as 1=3 for the "
                                   "second parameter, not '%s'",
                                   escaped(line->arena, argument));
    }
    launch->arguments = arena_grow(line->arena, launch->arguments, launch->argument_count,
                                   sizeof *launch->arguments);
    launch->arguments[launch->argument_count++] = argument;
}

static void set_save(struct command_line *line, const char *argument) {
    const char *equal = strchr(line->argv[line->at], '=');
    (void)argument;
    line->options->launch.is_saved = true;
    line->options->launch.saved = equal ? equal + 1 : NULL;
    if (equal && equal[1] == '\0') {
        line->error = "'--save=' needs the name of a file";
    }
}

static void set_compiler(struct command_line *line, const char *argument) {
    line->options->launch.compiler = argument;
}

static void show_executions(struct command_line *line, const char *argument) {
    (void)argument;
    line->options->print.executions = true;
}

static void look_for_no_fix(struct command_line *line, const char *argument) {
    (void)argument;
    line->options->print.no_fix = true;
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
    {"--format", NULL, "text|json|sarif", "how to report (default text)", set_format, false},
    {"--executions", "-v", NULL, "print an execution of each race", show_executions, false},
    {"--no-fix", NULL, NULL, "do not look for a fix", look_for_no_fix, false},
    {"--method", NULL, "run|search|both",
     "run the threads once, search all executions, or do both (default: run, then search)",
     set_method, false},
    {"--kernel", NULL, "NAME", "the kernel, as the word after the module", set_kernel, false},
    {"--grid", NULL, "N[,N[,N]]", "launch so many blocks (default 2)", set_grid, false},
    {"--block", NULL, "N[,N[,N]]", "of so many threads (default: as the kernel says, or 64)",
     set_block, false},
    {"--cluster", NULL, "N[,N[,N]]", "in clusters of so many blocks", set_cluster, false},
    {"--threads", NULL, "N[,N...]", "model these threads of each block (default: all)", set_threads,
     false},
    {"--arg", NULL, "NAME=VALUE", "an argument, by the parameter's name or number", add_argument,
     false},
    {"--save", NULL, "FILE", "keep the launch as a manifest; '--save' alone: next to the kernel",
     set_save, true},
    {"--compiler", NULL, "PROGRAM", "compile .cu files with it (default: $NVCC, $CUDACXX, nvcc)",
     set_compiler, false},
};

const struct cli_command command_check = {
    .name = "check",
    .group = GROUP_DECIDE,
    .usage = "[OPTIONS] FILE|FOLDER|NAME...\n[OPTIONS] FILE.cu|MODULE.ptx [KERNEL] [-- FLAGS]",
    .help = "say whether tests or launches are free of races, hangs and undefined uses",
    .more = "A test needs no condition. The exit status is 1 where one is not free of them. A .cu\n"
            "file is compiled first, with the flags. Where no manifest says how a kernel is\n"
            "launched, options do, and the rest is derived, as the first line says.",
    .example = "ptxlitmus check kernel.cu --grid 2 --block 64 --arg 1=3",
    .own = check_options,
    .own_count = sizeof check_options / sizeof check_options[0],
    .has_run_options = true,
    .refuses = "emit-ptx",
    .runs_tests = true,
    .action = OPTIONS_RUN,
    .begin = check_begin,
    .check = check_fits,
};
