// lsp: the command that serves editors.
#include "cli/options/commands.h"

enum { USUAL_SECONDS = 10, USUAL_MEMORY_MB = 4096 };

// Whoever types has other uses for the machine.
static void serving_begin(struct options *options) {
    options->check.solver.timeout_seconds = USUAL_SECONDS;
    options->check.solver.memory_mb = USUAL_MEMORY_MB;
}

// Clients of some editors say so to every server.
static void use_stdio(struct command_line *line, const char *argument) {
    (void)line, (void)argument;
}

static const char *serving_check(struct arena *arena, struct options *options) {
    (void)arena;
    return options->input_count > 0 ? "'lsp' takes no files: the editor says which ones are open"
           : options->check.solver.proof ? "'lsp' has no option '--proof'"
                                         : NULL;
}

static const struct own_option serving_options[] = {
    {"--stdio", NULL, NULL, "use the standard input and output, as it does in any case",
     .set = use_stdio},
};

const struct cli_command command_lsp = {
    .name = "lsp",
    .group = GROUP_LOOK,
    .usage = "[OPTIONS]",
    .help = "serve an editor: messages, outcomes, explanations and repairs while one types",
    .more =
        "It is a server of the Language Server Protocol, which an editor starts and talks to on\n"
        "the standard input and output; docs/editor.md says how. Everything is decided under\n"
        "the options, each test in at most 10 s and 4096 MB unless '--timeout' and '--memory'\n"
        "say otherwise. The exit status is 0 after 'shutdown' and 'exit', and 1 where the\n"
        "editor left without a 'shutdown'.",
    .example = "ptxlitmus lsp --timeout 5 --target sm_90",
    OWN_OPTIONS(serving_options),
    .has_run_options = true,
    .refuses =
        "format verdict states races dump-smt2 emit-ptx shard jobs quiet progress stats color "
        "proof hex data-folder list-models list-targets version",
    .has_own_statuses = true,
    .files = "",
    .action = OPTIONS_SERVE,
    .begin = serving_begin,
    .check = serving_check,
};
