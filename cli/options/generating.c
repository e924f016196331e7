// Options of `generate`.
#include "cli/options/commands.h"

#include "check/text/names.h"
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

static void set_size(struct command_line *line, const char *argument) {
    line->options->generate.size = number(line, "--size", argument, 2, CYCLE_EDGES_MAX);
}

static void set_most(struct command_line *line, const char *argument) {
    line->options->generate.most = number(line, "--most", argument, 1, GENERATE_MOST_MAX);
}

static const struct own_option generate_options[] = {
    {"--edges", NULL, "FILE|LIST", "make all cycles of these edges", SETS_TEXT(generate.edges)},
    {"--size", NULL, "N", "edges of a cycle, at most (default 4)", .set = set_size},
    {"--access", NULL, "ORDER[,...]", "how accesses are written (default relaxed.gpu)",
     SETS_TEXT(generate.access)},
    {"--placement", NULL, "PLACE[,...]|all", "how near threads are (default gpu)",
     SETS_TEXT(generate.placement)},
    {"--axiom", NULL, "NAME", "only cycles that this axiom of the model forbids",
     SETS_TEXT(generate.axiom)},
    {"--expect", NULL, NULL, "let each test expect its verdict", SETS_FLAG(generate.expects)},
    {"--mutants", NULL, NULL, "write the nearest tests that are allowed, too",
     SETS_FLAG(generate.mutants)},
    {"--most", NULL, "N", "write at most N tests (default 1000)", .set = set_most},
    {"--output", "-o", "DIR", "write a file for each test into this folder",
     SETS_TEXT(generate.folder)},
    {"--force", NULL, NULL, "overwrite files that are there", SETS_FLAG(generate.overwrites)},
};

static void generate_begin(struct options *options) {
    options->generate = (struct generate_options){
        .placement = "gpu", .access = "relaxed.gpu", .size = 4, .most = 1000};
}

static const char *generate_check(struct arena *arena, struct options *options) {
    (void)arena;
    const struct generate_options *generate = &options->generate;
    if (!generate->edges && options->input_count == 0) {
        return "'generate' needs cycles, such as 'PodWW Rfe PodRR Fre', or '--edges' to make them "
               "of\nhint: docs/generate.md says which edges there are";
    }
    if (generate->edges && options->input_count > 0)
        return "'generate' takes cycles or '--edges', not both";
    if (generate->folder && *generate->folder == '\0')
        return "'--output' takes a folder";
    return generate->overwrites && !generate->folder ? "'--force' is for '--output'" : NULL;
}

const struct cli_command command_generate = {
    .name = "generate",
    .group = GROUP_MAKE,
    .usage = "[OPTIONS] CYCLE...\n[OPTIONS] --edges FILE|LIST",
    .help = "write tests of cycles, as diy7 does",
    .example = "ptxlitmus generate 'PodWW Rfe PodRR Fre' --expect",
    OWN_OPTIONS(generate_options),
    .has_run_options = true,
    .refuses = "format races dump-smt2 verdict emit-ptx hex shard stats jobs states progress",
    .files = "",
    .action = OPTIONS_GENERATE,
    .begin = generate_begin,
    .check = generate_check,
};
