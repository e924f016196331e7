// Options of `generate`.
#include "cli/options/generating.h"

#include "cli/options/command.h"
#include "cli/print/names.h"
#include "generate/cycle.h"
#include "litmus/source/arena.h"

#include <stdlib.h>
#include <string.h>

// Returns the number, or 0 after setting the error.
static size_t number(struct command_line *taken, const char *option, const char *text, size_t least,
                     size_t most) {
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || value < least || value > most) {
        taken->error = arena_format(taken->arena, "'%s' takes a number from %zu to %zu, got '%s'",
                                    option, least, most, escaped(taken->arena, text));
        return 0;
    }
    return value;
}

// Whether the word was an option of this command.
static bool take(struct command_line *taken) {
    struct generate_options *generate = &taken->options->generate;
    const char *argument;
    if (command_flag(taken, "--expect")) {
        generate->expects = true;
    } else if (command_flag(taken, "--mutants")) {
        generate->mutants = true;
    } else if (command_flag(taken, "--force")) {
        generate->overwrites = true;
    } else if (command_option(taken, "--edges", &argument)) {
        generate->edges = argument;
    } else if (command_option(taken, "--placement", &argument)) {
        generate->placement = argument;
    } else if (command_option(taken, "--access", &argument)) {
        generate->access = argument;
    } else if (command_option(taken, "--axiom", &argument)) {
        generate->axiom = argument;
    } else if (command_option(taken, "--size", &argument)) {
        generate->size = number(taken, "--size", argument, 2, CYCLE_EDGES_MAX);
    } else if (command_option(taken, "--most", &argument)) {
        generate->most = number(taken, "--most", argument, 1, GENERATE_MOST_MAX);
    } else if (command_option(taken, "-o", &argument) ||
               command_option(taken, "--output", &argument)) {
        generate->folder = argument;
    } else {
        return false;
    }
    return true;
}

const char *generating_take(struct arena *arena, int *argc, char **argv, struct options *options) {
    options->generate = (struct generate_options){
        .asked = true, .placement = "gpu", .access = "relaxed.gpu", .size = 4, .most = 1000};
    return command_take(arena, argc, argv, options, take);
}

const char *generating_check(struct arena *arena, struct options *options) {
    const struct generate_options *generate = &options->generate;
    const char *error = command_check(arena, options, "generate",
                                      REFUSE_FORMAT | REFUSE_RACES | REFUSE_DUMP | REFUSE_VERDICT |
                                          REFUSE_EMIT | REFUSE_HEX | REFUSE_SHARD | REFUSE_STATS |
                                          REFUSE_JOBS | REFUSE_STATES | REFUSE_PROGRESS);
    if (error) {
        return error;
    }
    if (!generate->edges && options->input_count == 0) {
        return "'generate' needs cycles, such as 'PodWW Rfe PodRR Fre', or '--edges' to make them "
               "of\nhint: docs/generate.md says which edges there are";
    }
    if (generate->edges && options->input_count > 0) {
        return "'generate' takes cycles or '--edges', not both";
    }
    if (generate->folder && *generate->folder == '\0') {
        return "'--output' takes a folder";
    }
    return generate->overwrites && !generate->folder ? "'--force' is for '--output'" : NULL;
}
