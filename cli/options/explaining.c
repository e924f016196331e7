// Options of `explain`: what it shares with runs is read as there.
#include "cli/options/explaining.h"

#include "cli/options/command.h"
#include "cli/print/names.h"
#include "litmus/source/arena.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void explain_format(struct command_line *line, const char *format) {
    struct options *options = line->options;
    options->explain.is_drawn = strcmp(format, "svg") == 0;
    options->format = strcmp(format, "json") == 0 ? FORMAT_JSON : FORMAT_TEXT;
    if (strcmp(format, "text") != 0 && options->format == FORMAT_TEXT &&
        !options->explain.is_drawn) {
        line->error =
            arena_format(line->arena, "'explain' prints '--format text', 'json' or 'svg', not '%s'",
                         escaped(line->arena, format));
    }
}

// names = name ("," name)*
static void explain_show(struct command_line *line, const char *text) {
    struct explain_options *options = &line->options->explain;
    for (const char *at = text; !line->error; at++) {
        size_t length = strcspn(at, ",");
        if (length == 0) {
            line->error = arena_format(
                line->arena,
                "'--show' takes relations separated by commas, and '%s' leaves one out",
                escaped(line->arena, text));
            return;
        }
        options->shown =
            arena_grow(line->arena, options->shown, options->shown_count, sizeof *options->shown);
        options->shown[options->shown_count++] =
            escaped(line->arena, arena_strndup(line->arena, at, length));
        at += length;
        if (*at == '\0') {
            return;
        }
    }
}

static void explain_remedies(struct command_line *line, const char *text) {
    enum { REMEDIES_MAX = 100 };
    char *end;
    unsigned long count = command_is_number(text) ? strtoul(text, &end, 10) : ULONG_MAX;
    line->options->explain.remedies = count;
    if (count > REMEDIES_MAX) {
        line->error =
            arena_format(line->arena, "'--remedies' takes a whole number from 0 to %d, not '%s'",
                         REMEDIES_MAX, escaped(line->arena, text));
    }
}

// why-not = "--why-not" REL EVENT EVENT
static void explain_why_not(struct command_line *line) {
    for (int k = 0; k < 3; k++) {
        if (line->at + 1 == line->argc || line->argv[line->at + 1][0] == '-') {
            line->error = "'--why-not' takes a relation of the model and two events: "
                          "--why-not sync P0:1 P1:0";
            return;
        }
        line->options->explain.why_not[k] = line->argv[++line->at];
    }
}

// explain = "explain" ("--state" STATE | "--why-not" REL EVENT EVENT | "--remedies" N | "--format"
// FORMAT | "--show" NAMES | an option of a run | FILE)...
static bool take_explain(struct command_line *line) {
    const char *argument;
    if (command_flag(line, "--why-not")) {
        explain_why_not(line);
    } else if (command_option(line, "--state", &argument)) {
        line->options->explain.state = argument;
    } else if (command_option(line, "--remedies", &argument)) {
        explain_remedies(line, argument);
    } else if (command_option(line, "--format", &argument)) {
        explain_format(line, argument);
    } else if (command_option(line, "--show", &argument)) {
        explain_show(line, argument);
    } else {
        return false;
    }
    return true;
}

const char *explaining_take(struct arena *arena, int *argc, char **argv, struct options *options) {
    options->explain.asked = true;
    options->explain.remedies = 2;
    options->program.keeps_private = true; // what is shown has every access
    options->solver.races = true;
    options->format = FORMAT_TEXT;
    options->format_is_given = true;
    const char *error = command_take(arena, argc, argv, options, take_explain);
    bool shows = options->explain.shown_count > 0 && !options->explain.is_drawn;
    if (!error && shows) {
        return "'--show' adds relations to pictures, which '--format svg' prints";
    }
    return error;
}
