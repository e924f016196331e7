// Options of `suite`: what it shares with runs is read as there.
#include "cli/options/suiting.h"

#include "cli/options/command.h"
#include "cli/print/names.h"
#include "litmus/source/arena.h"

#include <string.h>

static const char *const format_names[] = {
    [SUITE_TEXT] = "text", [SUITE_JSON] = "json",     [SUITE_JUNIT] = "junit",
    [SUITE_TAP] = "tap",   [SUITE_GITHUB] = "github",
};

enum { FORMATS = sizeof format_names / sizeof format_names[0] };

// The format of `length` bytes of a text; false where there is none of the name.
static bool format_of_name(const char *text, size_t length, enum suite_format *format) {
    for (int i = 0; i < FORMATS; i++) {
        if (strlen(format_names[i]) == length && strncmp(format_names[i], text, length) == 0) {
            *format = (enum suite_format)i;
            return true;
        }
    }
    return false;
}

static void set_format(struct command_line *taken, const char *text) {
    if (!format_of_name(text, strlen(text), &taken->options->suite.format)) {
        taken->error =
            arena_format(taken->arena,
                         "'suite' prints '--format text', 'json', 'junit', 'tap' or 'github', not "
                         "'%s'",
                         escaped(taken->arena, text));
    }
}

// report = format "=" file
static void add_report(struct command_line *taken, const char *text) {
    struct suite_options *suite = &taken->options->suite;
    struct suite_report report;
    size_t length = strcspn(text, "=");
    report.path = text + length + 1;
    if (text[length] == '\0' || *report.path == '\0' ||
        !format_of_name(text, length, &report.format)) {
        taken->error = arena_format(
            taken->arena,
            "'--report' takes FORMAT=FILE, such as junit=results.xml, with the format text, json, "
            "junit, tap or github, not '%s'",
            escaped(taken->arena, text));
        return;
    }
    suite->reports =
        arena_grow(taken->arena, suite->reports, suite->report_count, sizeof *suite->reports);
    suite->reports[suite->report_count++] = report;
}

static void add_filter(struct command_line *taken, const char *pattern) {
    struct suite_options *suite = &taken->options->suite;
    suite->filters =
        arena_grow(taken->arena, suite->filters, suite->filter_count, sizeof *suite->filters);
    suite->filters[suite->filter_count++] = pattern;
}

// Whether the word was an option of this command.
static bool take(struct command_line *taken) {
    struct suite_options *suite = &taken->options->suite;
    const char *argument = NULL;
    if (command_flag(taken, "--fail-fast")) {
        suite->fail_fast = true;
    } else if (command_flag(taken, "--update")) {
        suite->update = true;
    } else if (command_option(taken, "--format", &argument)) {
        set_format(taken, argument);
    } else if (command_option(taken, "--report", &argument)) {
        add_report(taken, argument);
    } else if (command_option(taken, "--filter", &argument)) {
        add_filter(taken, argument);
    } else if (command_option(taken, "--results", &argument)) {
        suite->results = argument;
    } else if (command_option(taken, "--manifest", &argument)) {
        suite->manifest = argument;
    } else if (command_option(taken, "--module", &argument)) {
        suite->module = argument;
    } else {
        return false;
    }
    return true;
}

const char *suiting_take(struct arena *arena, int *argc, char **argv, struct options *options) {
    options->suite.asked = true;
    return command_take(arena, argc, argv, options, take);
}

// Options of which only one can be meant, or NULL.
static const char *conflict(const struct options *options) {
    const struct suite_options *suite = &options->suite;
    if (suite->results && (options->input_count > 0 || suite->update || options->shard_count > 0)) {
        return "'--results' reads what a suite came to: it takes no tests, no '--update' and no "
               "'--shard'";
    }
    if (suite->update && options->shard_count > 0) {
        return "'--update' is for a whole suite, not for a shard";
    }
    if (options->shard_count > 0 && suite->format != SUITE_JSON) {
        return "'--shard' prints '--format json', which 'ptxlitmus merge' joins";
    }
    if (options->shard_count > 0 && suite->report_count > 0) {
        return "'--report' is for a whole suite: 'ptxlitmus suite --results' makes it of the "
               "merged shards";
    }
    return suite->manifest && !suite->module
               ? "'--manifest' says how the module of '--module' is launched"
               : NULL;
}

// The module of --module is the last input.
static void add_module(struct arena *arena, struct options *options) {
    const char **inputs = ARENA_ARRAY(arena, const char *, options->input_count + 2);
    memcpy(inputs, options->inputs, options->input_count * sizeof *inputs);
    inputs[options->input_count++] = options->suite.module;
    options->inputs = inputs;
}

const char *suiting_check(struct arena *arena, struct options *options) {
    const char *error =
        command_check(arena, options, "suite",
                      REFUSE_RACES | REFUSE_DUMP | REFUSE_EMIT | REFUSE_QUIET | REFUSE_HEX);
    if (error) {
        return error;
    }
    if (options->suite.module) {
        add_module(arena, options);
    }
    if (conflict(options)) {
        return conflict(options);
    }
    if (options->input_count == 0 && !options->suite.results) {
        return "no test: give files, folders, manifests, or '--module -' for a module on the "
               "standard input\nhint: '--help' lists the options";
    }
    options->format = FORMAT_JSON;
    options->format_is_given = true;
    return NULL;
}
