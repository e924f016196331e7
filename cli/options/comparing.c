// Options of `compare` and `diff`.
#include "cli/options/comparing.h"

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

// The argument of an option at argv[*at], which `*error` is about when there is none; NULL when the
// word is another one.
static const char *argument_of(struct arena *arena, int argc, char **argv, int *at,
                               const char *name, const char **error) {
    size_t length = strlen(name);
    if (strncmp(argv[*at], name, length) != 0 ||
        (argv[*at][length] != '=' && argv[*at][length] != '\0')) {
        return NULL;
    }
    if (argv[*at][length] == '=') {
        return argv[*at] + length + 1;
    }
    if (*at + 1 < argc) {
        return argv[++*at];
    }
    *error = arena_format(arena, "'%s' needs an argument", name);
    return "";
}

const char *comparing_take(struct arena *arena, int *argc, char **argv, struct options *options) {
    struct compare_options *compare = &options->compare;
    const char *error = NULL, *argument;
    bool is_over = false;
    int kept = 1;
    compare->asked = true;
    for (int at = 2; at < *argc && !error; at++) {
        is_over = is_over || strcmp(argv[at], "--") == 0;
        if (!is_over && strcmp(argv[at], "--no-new") == 0) {
            compare->no_new = true;
        } else if (!is_over && (argument = argument_of(arena, *argc, argv, &at, "--map", &error))) {
            error = error ? error : take_map(arena, compare, argument);
        } else {
            argv[kept++] = argv[at];
        }
    }
    *argc = kept;
    argv[kept] = NULL;
    return error;
}

// An option of runs that says nothing about comparisons, or NULL.
static const char *stray(const struct options *options) {
    return options->solver.races          ? "--races"
           : options->solver.dump_smt2    ? "--dump-smt2"
           : options->solver.verdict_only ? "--verdict"
           : options->emit_ptx            ? "--emit-ptx"
           : options->quiet               ? "--quiet"
           : options->hex                 ? "--hex"
           : options->shard_count         ? "--shard"
           : options->stats               ? "--stats"
                                          : NULL;
}

const char *comparing_check(struct arena *arena, struct options *options) {
    if (stray(options)) {
        return arena_format(arena, "'compare' has no option '%s'", stray(options));
    }
    if (options->model_count > 1 || options->target_count > 1) {
        return "'compare' takes one model and one target";
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
