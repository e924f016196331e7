// compare, observed, diff and merge: commands about results of tests.
#include "cli/options/commands.h"
#include "cli/options/launching.h"

#include "check/text/names.h"
#include "litmus/source/arena.h"

#include <string.h>

// map = name "=" name ("," name "=" name)*. Returns what is wrong, or NULL.
static const char *take_map(struct arena *arena, struct compare_options *compare,
                            const char *text) {
    for (const char *at = text;;) {
        size_t length = strcspn(at, ",");
        const char *equal = memchr(at, '=', length);
        size_t left = equal ? (size_t)(equal - at) : 0;
        if (!equal || left == 0 || left + 1 == length) {
            return arena_format(arena,
                                "'--map' takes pairs of names that correspond, such as "
                                "'P1:%%r0=P1:%%r3,x=y', not '%s'",
                                escaped(arena, text));
        }
        for (size_t side = 0; side < 2; side++) {
            compare->map[side] =
                arena_grow(arena, compare->map[side], compare->map_count, sizeof(char *));
        }
        compare->map[0][compare->map_count] = arena_strndup(arena, at, left);
        compare->map[1][compare->map_count++] = arena_strndup(arena, equal + 1, length - left - 1);
        if (at[length] == '\0')
            return NULL;
        at += length + 1;
    }
}

static void set_map(struct command_line *line, const char *argument) {
    line->error = take_map(line->arena, &line->options->compare, argument);
}

static const struct own_option compare_options[] = {
    {"--map", NULL, "NAME=NAME[,...]", "names of the first and of the second that correspond",
     .set = set_map},
    {"--no-new", NULL, NULL, "the second may have fewer outcomes, but no others",
     SETS_FLAG(compare.no_new)},
    LAUNCHING_OPTIONS_ASKED,
};

// Results come as records (cli/commands/pairs.c), whatever is printed of them; other messages are
// JSON where the command prints JSON.
static void print_as_data(struct options *options) {
    options->compare.is_json =
        options->print.format_is_given && options->print.format == FORMAT_JSON;
    options->print.format = FORMAT_JSON;
    options->print.format_is_given = true;
}

static void compare_begin(struct options *options) {
    options->compare.asked = true;
}

static const char *compare_check(struct arena *arena, struct options *options) {
    if (options->input_count != 2) {
        return arena_format(arena, "'compare' takes two tests, modules or folders, not %zu",
                            options->input_count);
    }
    print_as_data(options);
    return NULL;
}

const struct cli_command command_compare = {
    .name = "compare",
    .group = GROUP_SUITES,
    .usage = "[OPTIONS] FILE|FOLDER FILE|FOLDER\n"
             "[OPTIONS] FILE.cu|MODULE.ptx FILE.cu|MODULE.ptx [-- FLAGS]",
    .help = "say which outcomes only one of two tests, modules or folders has",
    .more = "Each is shown with an execution. The exit status is 1 where they differ, or, with\n"
            "'--no-new', where the second has outcomes that the first has not.\n" LAUNCHING_MORE
            "\nBoth are launched so; '--ask' names the values that are compared.",
    .example = "ptxlitmus compare before.litmus after.litmus --no-new",
    OWN_OPTIONS(compare_options),
    .has_run_options = true,
    .refuses = "races dump-smt2 verdict emit-ptx quiet hex shard stats",
    .formats = "text|json",
    .kernels = 2,
    .action = OPTIONS_COMPARE,
    .begin = compare_begin,
    .check = compare_check,
};

static const char *observed_check(struct arena *arena, struct options *options) {
    (void)arena;
    options->compare.asked = true; // what tests expect does not matter
    print_as_data(options);
    return NULL;
}

const struct cli_command command_observed = {
    .name = "observed",
    .group = GROUP_MAKE,
    .usage = "[OPTIONS] LOG... [FILE|FOLDER...]",
    .help = "compare what tests showed on hardware with what the model allows",
    .more =
        "Logs are as litmus7 and the scripts of 'harness' write them. The exit status is 1 where\n"
        "a state was seen that the model does not allow.",
    .example = "ptxlitmus observed mp.log",
    .has_run_options = true,
    .refuses = "races dump-smt2 verdict emit-ptx quiet hex shard stats states progress",
    .formats = "text|json",
    .files = "*",
    .needs = "no log: give the logs of runs on hardware and, where these are not included tests, "
             "the tests\nhint: 'ptxlitmus help observed' lists the options",
    .action = OPTIONS_OBSERVED,
    .check = observed_check,
};

// --- Results in JSON ----------------------------------------------------------------------------

static const char *diff_check(struct arena *arena, struct options *options) {
    return options->input_count == 2
               ? NULL
               : arena_format(arena,
                              "'diff' takes the JSON results of two runs, not %zu\n"
                              "hint: './diff' names the file",
                              options->input_count);
}

const struct cli_command command_diff = {
    .name = "diff",
    .group = GROUP_SUITES,
    .usage = "RESULTS.json RESULTS.json",
    .help = "print what changed between the JSON results of two runs",
    .more = "The exit status is 1 where something changed.",
    .example = "ptxlitmus diff before.json after.json",
    .files = "*",
    .action = OPTIONS_DIFF,
    .check = diff_check,
};

const struct cli_command command_merge = {
    .name = "merge",
    .group = GROUP_SUITES,
    .usage = "FILE...",
    .help = "join the JSON results of runs with '--shard' to those of the whole run",
    .example = "ptxlitmus merge shard-1.json shard-2.json",
    .files = "*",
    .needs = "'merge' needs files: the JSON results of each shard, or '-'\n"
             "hint: './merge' names the file",
    .action = OPTIONS_MERGE,
};
