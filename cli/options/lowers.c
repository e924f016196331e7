// Options of `lower`.
#include "cli/options/lowers.h"

#include "cli/options/command.h"
#include "cli/print/names.h"
#include "litmus/source/arena.h"

#include <string.h>

// tables = name ("," name)*
static void set_tables(struct command_line *taken, const char *text) {
    struct lower_options *lower = &taken->options->lower;
    for (const char *at = text;;) {
        size_t length = strcspn(at, ",");
        if (length == 0) {
            taken->error = arena_format(
                taken->arena, "'--table' takes names separated by commas, and '%s' leaves one out",
                escaped(taken->arena, text));
            return;
        }
        lower->tables =
            arena_grow(taken->arena, lower->tables, lower->table_count, sizeof *lower->tables);
        lower->tables[lower->table_count++] = arena_strndup(taken->arena, at, length);
        at += length;
        if (*at++ == '\0') {
            return;
        }
    }
}

// Whether the word was an option of this command.
static bool take(struct command_line *taken) {
    struct lower_options *lower = &taken->options->lower;
    const char *argument;
    if (command_flag(taken, "--check")) {
        lower->checks = true;
    } else if (command_flag(taken, "--list-tables")) {
        lower->lists = true;
    } else if (command_option(taken, "--source-model", &argument)) {
        lower->source_model = argument;
    } else if (command_option(taken, "--table", &argument)) {
        set_tables(taken, argument);
    } else {
        return false;
    }
    return true;
}

const char *lowers_take(struct arena *arena, int *argc, char **argv, struct options *options) {
    options->lower.asked = true;
    return command_take(arena, argc, argv, options, take);
}

// What is wrong with the inputs and tables, or NULL.
static const char *check_inputs(struct arena *arena, const struct options *options) {
    const struct lower_options *lower = &options->lower;
    if (options->input_count == 0) {
        return "no test: give files, folders, or '-' for the standard input\nhint: '--help' lists "
               "the options";
    }
    if (lower->table_count == 0) {
        return "'lower' needs '--table NAME'\nhint: 'ptxlitmus lower --list-tables' lists them";
    }
    for (size_t i = 0; lower->checks && i < options->input_count; i++) {
        if (strcmp(options->inputs[i], "-") == 0) {
            return "'--check' reads each test twice, so not from the standard input";
        }
    }
    if (lower->checks) {
        return NULL;
    }
    if (options->input_count > 1 || lower->table_count > 1) {
        return arena_format(arena, "'lower' writes one test by one table; with '--check' it takes "
                                   "several");
    }
    return lower->source_model ? "'--source-model' is for '--check'" : NULL;
}

const char *lowers_check(struct arena *arena, struct options *options) {
    const char *error = command_check(arena, options, "lower",
                                      REFUSE_RACES | REFUSE_DUMP | REFUSE_VERDICT | REFUSE_EMIT |
                                          REFUSE_QUIET | REFUSE_HEX | REFUSE_SHARD | REFUSE_STATS);
    if (error || options->lower.lists) {
        return error;
    }
    if (options->format_is_given && options->format == FORMAT_LOG) {
        return "'lower' prints '--format text' or 'json', not 'log'";
    }
    options->compare.is_json = options->format_is_given && options->format == FORMAT_JSON;
    if (options->compare.is_json && !options->lower.checks) {
        return "'--format json' is for '--check': a test is text";
    }
    options->format = FORMAT_JSON; // in which the tests are run
    options->format_is_given = true;
    return check_inputs(arena, options);
}
