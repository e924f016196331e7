// Options of `explain`: what it shares with runs is read as there.
#include "cli/options/commands.h"
#include "cli/options/launching.h"

#include "check/text/names.h"
#include "litmus/source/arena.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void explain_format(struct command_line *line, const char *format) {
    struct options *options = line->options;
    options->explain.is_drawn = strcmp(format, "svg") == 0;
    options->print.format = strcmp(format, "json") == 0 ? FORMAT_JSON : FORMAT_TEXT;
    if (strcmp(format, "text") != 0 && options->print.format == FORMAT_TEXT &&
        !options->explain.is_drawn) {
        line->error =
            arena_format(line->arena, "'explain' prints '--format text', 'json' or 'svg', not '%s'",
                         escaped(line->arena, format));
    }
}

// names = name ("," name)*
static void explain_show(struct command_line *line, const char *text) {
    struct explain_options *options = &line->options->explain;
    command_add_words(line, "'--show' takes relations", text, &options->shown,
                      &options->shown_count);
    for (size_t i = 0; i < options->shown_count; i++)
        options->shown[i] = escaped(line->arena, options->shown[i]);
}

static void explain_remedies(struct command_line *line, const char *text) {
    enum { REMEDIES_MAX = 100 };
    char *end;
    unsigned long count = setting_is_number(text) ? strtoul(text, &end, 10) : ULONG_MAX;
    line->options->explain.question.remedies = count;
    if (count > REMEDIES_MAX) {
        line->error =
            arena_format(line->arena, "'--remedies' takes a whole number from 0 to %d, not '%s'",
                         REMEDIES_MAX, escaped(line->arena, text));
    }
}

// why-not = "--why-not" REL EVENT EVENT
static void explain_why_not(struct command_line *line, const char *argument) {
    (void)argument;
    for (int k = 0; k < 3; k++) {
        if (line->at + 1 == line->argc || line->argv[line->at + 1][0] == '-') {
            line->error = "'--why-not' takes a relation of the model and two events: "
                          "--why-not sync P0:1 P1:0";
            return;
        }
        line->options->explain.question.why_not[k] = line->argv[++line->at];
    }
}

static const struct own_option explain_options[] = {
    {"--state", NULL, "STATE",
     "explain this outcome, such as 'P1:%r0=1, x=2', and not the condition",
     SETS_TEXT(explain.question.state)},
    {"--why-not", NULL, "REL EVENT EVENT", "say why a relation does not hold: sync P0:1 P1:0",
     .set = explain_why_not, .takes_words = true},
    {"--remedies", NULL, "N", "show at most N changes that forbid an allowed outcome (default 2)",
     .set = explain_remedies},
    {"--format", NULL, "text|json|svg", "a text, an object, or a picture", .set = explain_format},
    {"--show", NULL, "RELATION[,...]", "relations that pictures show, too", .set = explain_show},
    LAUNCHING_OPTIONS_ASKED,
    LAUNCHING_SAVE,
};

static void explain_begin(struct options *options) {
    options->explain.asked = true;
    options->explain.question.remedies = 2;
    options->check.program.left_out = STEP_PRIVATE; // what is shown has every access
    options->check.solver.races = true;
    options->print.format = FORMAT_TEXT;
    options->print.format_is_given = true;
}

static const char *explain_check(struct arena *arena, struct options *options) {
    (void)arena;
    return options->explain.shown_count > 0 && !options->explain.is_drawn
               ? "'--show' adds relations to pictures, which '--format svg' prints"
               : NULL;
}

const struct cli_command command_explain = {
    .name = "explain",
    .group = GROUP_DECIDE,
    .usage = "[OPTIONS] FILE|NAME...\n" LAUNCHING_USAGE "\nWORD...",
    .help = "say why an outcome is allowed or forbidden, or what a word means",
    .more =
        "The outcome is the one that the test asks about. A word is one that the program prints,\n"
        "such as 'morally strong', or one of CUDA, such as '__threadfence'.\n" LAUNCHING_MORE,
    .example = "ptxlitmus explain SB --state 'P0:%r0=0, P1:%r0=0'",
    OWN_OPTIONS(explain_options),
    .has_run_options = true,
    .runs_tests = true,
    .kernels = 1,
    .action = OPTIONS_RUN,
    .begin = explain_begin,
    .check = explain_check,
};
