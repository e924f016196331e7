// Options of `repair` and `relax`: what they share with runs is read as there.
#include "cli/options/changing.h"

#include "cli/options/command.h"
#include "cli/print/names.h"
#include "litmus/source/arena.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void set_cost(struct command_line *taken, const char *text) {
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
static bool take(struct command_line *taken) {
    struct options *options = taken->options;
    const char *argument = NULL;
    bool is_repair = options->changing == CHANGING_REPAIR;
    if (command_flag(taken, "--all")) {
        options->all_changes = true;
    } else if (!is_repair && command_flag(taken, "--keep-outcomes")) {
        options->changing = CHANGING_RELAX_OUTCOMES;
    } else if (command_option(taken, "--max-cost", &argument)) {
        set_cost(taken, argument);
    } else if (command_option(taken, "--costs", &argument)) {
        options->costs = argument;
    } else if (command_option(taken, "--write", &argument)) {
        options->write = argument;
    } else {
        return false;
    }
    return true;
}

const char *changing_take(struct arena *arena, int *argc, char **argv, struct options *options) {
    options->changing = strcmp(argv[1], "repair") == 0 ? CHANGING_REPAIR : CHANGING_RELAX;
    options->max_cost = UINT_MAX;
    return command_take(arena, argc, argv, options, take);
}

const char *changing_check(struct arena *arena, struct options *options) {
    const char *command = options->changing == CHANGING_REPAIR ? "repair" : "relax";
    const char *error = command_check(arena, options, command,
                                      REFUSE_VERDICT | REFUSE_STATES | REFUSE_RACES | REFUSE_DUMP |
                                          REFUSE_EMIT | REFUSE_SHARD | REFUSE_JOBS | REFUSE_QUIET |
                                          REFUSE_PROGRESS | REFUSE_STATS);
    if (error) {
        return error;
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
