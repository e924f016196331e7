// Options of `lower`.
#include "cli/options/commands.h"

#include "litmus/source/arena.h"

#include <string.h>

// tables = name ("," name)*
static void set_tables(struct command_line *line, const char *argument) {
    struct lower_options *lower = &line->options->lower;
    command_add_words(line, "'--table' takes names", argument, &lower->tables, &lower->table_count);
}

static const struct own_option lower_options[] = {
    {"--table", NULL, "NAME|FILE[,...]", "by which table: an included one, or JSON",
     .set = set_tables},
    {"--verify", NULL, NULL, "say whether the result has outcomes that the test does not have",
     SETS_FLAG(lower.checks)},
    {"--source-model", NULL, "NAME|FILE", "the model of C++ for '--verify'",
     SETS_TEXT(check.cpp_model)},
    {"--list-tables", NULL, NULL, "list the included tables and exit", SETS_FLAG(lower.lists)},
};

static void lower_begin(struct options *options) {
    options->lower.asked = true;
    options->check.both_languages = true;
}

// What is wrong with the inputs and tables, or NULL.
static const char *check_inputs(struct arena *arena, const struct options *options) {
    const struct lower_options *lower = &options->lower;
    if (options->input_count == 0) {
        return "no test: give files, folders, or '-' for the standard input\nhint: 'ptxlitmus help "
               "lower' lists the options";
    }
    if (lower->table_count == 0)
        return "'lower' needs '--table NAME'\nhint: 'ptxlitmus lower --list-tables' lists them";
    for (size_t i = 0; lower->checks && i < options->input_count; i++)
        if (strcmp(options->inputs[i], "-") == 0)
            return "'--verify' reads each test twice, so not from the standard input";
    if (lower->checks)
        return NULL;
    if (options->input_count > 1 || lower->table_count > 1) {
        return arena_format(arena, "'lower' writes one test by one table; with '--verify' it takes "
                                   "several");
    }
    return options->check.cpp_model ? "'--source-model' is for '--verify'" : NULL;
}

static const char *lower_check(struct arena *arena, struct options *options) {
    if (options->lower.lists)
        return NULL;
    options->compare.is_json =
        options->print.format_is_given && options->print.format == FORMAT_JSON;
    if (options->compare.is_json && !options->lower.checks)
        return "'--format json' is for '--verify': a test is text";
    options->print.format = FORMAT_JSON; // of messages: results come as records
    options->print.format_is_given = true;
    return check_inputs(arena, options);
}

const struct cli_command command_lower = {
    .name = "lower",
    .group = GROUP_MAKE,
    .usage = "[OPTIONS] --table NAME|FILE[,...] FILE|FOLDER...\n--list-tables",
    .help = "write a test of scoped atomics in C++ as one in PTX, by a table",
    .more = "With '--verify' the exit status is 1 where the test in PTX has other outcomes.",
    .example = "ptxlitmus lower --table libcu++ --verify mp-cpp.litmus",
    OWN_OPTIONS(lower_options),
    .has_run_options = true,
    .refuses = "races dump-smt2 verdict emit-ptx quiet hex shard stats",
    .formats = "text|json",
    .action = OPTIONS_LOWER,
    .begin = lower_begin,
    .check = lower_check,
};
