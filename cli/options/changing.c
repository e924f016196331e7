// Options of `repair` and `relax`: what they share with runs is read as there.
#include "cli/options/changing.h"

#include "cli/print/names.h"
#include "litmus/source/arena.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// An option being taken: its word is argv[at].
struct changing_line {
    struct arena *arena;
    struct options *options;
    int argc, at;
    char **argv;
    const char *error;
};

// Whether the word is this option with an argument, which `*argument` is then.
static bool takes(struct changing_line *taken, const char *name, const char **argument) {
    const char *word = taken->argv[taken->at];
    size_t length = strlen(name);
    if (strncmp(word, name, length) != 0 || (word[length] != '=' && word[length] != '\0')) {
        return false;
    }
    if (word[length] == '=') {
        *argument = word + length + 1;
    } else if (taken->at + 1 < taken->argc) {
        *argument = taken->argv[++taken->at];
    } else {
        taken->error = arena_format(taken->arena, "'%s' needs an argument", name);
    }
    return true;
}

static void set_cost(struct changing_line *taken, const char *text) {
    size_t digits = text ? strspn(text, "0123456789") : 0;
    unsigned long value = digits > 0 && digits < 10 ? strtoul(text, NULL, 10) : 0;
    if (text && (digits == 0 || digits >= 10 || text[digits] != '\0')) {
        taken->error = arena_format(
            taken->arena, "'--max-cost' takes a whole number from 0 to 999999999, not '%s'",
            escaped(taken->arena, text));
    }
    taken->options->max_cost = (unsigned)value;
}

// Whether the word was an option of these commands.
static bool take(struct changing_line *taken) {
    struct options *options = taken->options;
    const char *word = taken->argv[taken->at], *argument = NULL;
    bool is_repair = options->changing == CHANGING_REPAIR;
    if (strcmp(word, "--all") == 0) {
        options->all_changes = true;
    } else if (!is_repair && strcmp(word, "--keep-outcomes") == 0) {
        options->changing = CHANGING_RELAX_OUTCOMES;
    } else if (takes(taken, "--max-cost", &argument)) {
        set_cost(taken, argument);
    } else if (takes(taken, "--costs", &argument)) {
        options->costs = argument;
    } else if (takes(taken, "--write", &argument)) {
        options->write = argument;
    } else {
        return false;
    }
    return true;
}

const char *changing_take(struct arena *arena, int *argc, char **argv, struct options *options) {
    struct changing_line taken = {
        .arena = arena, .options = options, .argc = *argc, .at = 2, .argv = argv};
    int kept = 1;
    bool is_over = false;
    options->changing = strcmp(argv[1], "repair") == 0 ? CHANGING_REPAIR : CHANGING_RELAX;
    options->max_cost = UINT_MAX;
    for (; taken.at < *argc && !taken.error; taken.at++) {
        is_over = is_over || strcmp(argv[taken.at], "--") == 0;
        if (is_over || !take(&taken)) {
            argv[kept++] = argv[taken.at];
        }
    }
    *argc = kept;
    argv[kept] = NULL;
    return taken.error;
}

// An option of runs that says nothing about changes, or NULL.
static const char *stray(const struct options *options) {
    return options->solver.verdict_only ? "--verdict"
           : options->solver.max_states ? "--states"
           : options->solver.races      ? "--races"
           : options->solver.dump_smt2  ? "--dump-smt2"
           : options->emit_ptx          ? "--emit-ptx"
           : options->shard_count       ? "--shard"
           : options->jobs != 1         ? "--jobs"
           : options->quiet             ? "--quiet"
           : options->solver.progress   ? "--progress"
           : options->stats             ? "--stats"
                                        : NULL;
}

const char *changing_check(struct arena *arena, struct options *options) {
    const char *command = options->changing == CHANGING_REPAIR ? "repair" : "relax";
    if (stray(options)) {
        return arena_format(arena, "'%s' has no option '%s'", command, stray(options));
    }
    if (options->model_count > 1 || options->target_count > 1) {
        return arena_format(arena, "'%s' takes one model and one target", command);
    }
    if (options->input_count > 1) {
        return arena_format(arena, "'%s' takes one test, not %zu", command, options->input_count);
    }
    if (options->format_is_given && options->format == FORMAT_LOG) {
        return arena_format(arena, "'%s' prints '--format text' or 'json', not 'log'", command);
    }
    if (!options->format_is_given) {
        options->format = FORMAT_TEXT;
        options->format_is_given = true;
    }
    return NULL;
}
