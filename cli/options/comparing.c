// Options of `compare`, `diff` and `observed`.
#include "cli/options/comparing.h"

#include "cli/options/command.h"
#include "cli/print/names.h"
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
        if (at[length] == '\0') {
            return NULL;
        }
        at += length + 1;
    }
}

// Whether the word was an option of this command.
static bool take(struct command_line *taken) {
    const char *argument;
    if (command_flag(taken, "--no-new")) {
        taken->options->compare.no_new = true;
    } else if (command_option(taken, "--map", &argument)) {
        taken->error = take_map(taken->arena, &taken->options->compare, argument);
    } else {
        return false;
    }
    return true;
}

const char *comparing_take(struct arena *arena, int *argc, char **argv, struct options *options) {
    options->compare.asked = true;
    return command_take(arena, argc, argv, options, take);
}

const char *comparing_check(struct arena *arena, struct options *options) {
    const char *error = command_check(arena, options, "compare",
                                      REFUSE_RACES | REFUSE_DUMP | REFUSE_VERDICT | REFUSE_EMIT |
                                          REFUSE_QUIET | REFUSE_HEX | REFUSE_SHARD | REFUSE_STATS);
    if (error) {
        return error;
    }
    if (options->format_is_given && options->format == FORMAT_LOG) {
        return "'compare' prints '--format text' or 'json', not 'log'";
    }
    if (options->input_count != 2) {
        return arena_format(arena, "'compare' takes two tests, modules or folders, not %zu",
                            options->input_count);
    }
    options->compare.is_json = options->format_is_given && options->format == FORMAT_JSON;
    options->format = FORMAT_JSON; // in which the tests are run
    options->format_is_given = true;
    return NULL;
}

const char *observed_check(struct arena *arena, struct options *options) {
    const char *error = command_check(arena, options, "observed",
                                      REFUSE_RACES | REFUSE_DUMP | REFUSE_VERDICT | REFUSE_EMIT |
                                          REFUSE_QUIET | REFUSE_HEX | REFUSE_SHARD | REFUSE_STATS |
                                          REFUSE_STATES | REFUSE_PROGRESS);
    if (error) {
        return error;
    }
    if (options->format_is_given && options->format == FORMAT_LOG) {
        return "'observed' prints '--format text' or 'json', not 'log'";
    }
    if (options->input_count == 0) {
        return "no log: give the logs of runs on hardware and, where these are not included tests, "
               "the tests\nhint: '--help' lists the options";
    }
    options->compare.asked = true; // what tests expect does not matter
    options->compare.is_json = options->format_is_given && options->format == FORMAT_JSON;
    options->format = FORMAT_JSON; // in which the tests are run
    options->format_is_given = true;
    return NULL;
}

const char *diff_take(struct arena *arena, int argc, char **argv, struct options *options) {
    options->inputs = ARENA_ARRAY(arena, const char *, (size_t)argc);
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            options->input_count = 0;
            return NULL;
        }
        if (argv[i][0] == '-' && argv[i][1] != '\0') {
            return arena_format(arena, "'diff' takes two files and no options, not '%s'",
                                escaped(arena, argv[i]));
        }
        options->inputs[options->input_count++] = argv[i];
    }
    return options->input_count == 2
               ? NULL
               : arena_format(arena,
                              "'diff' takes the JSON results of two runs, not %zu\n"
                              "hint: './diff' names the file",
                              options->input_count);
}
