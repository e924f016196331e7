// Options of `suite`: what it shares with runs is read as there.
#include "cli/options/commands.h"
#include "cli/options/launching.h"

#include "check/text/names.h"
#include "litmus/source/arena.h"

#include <string.h>

static const char *const format_names[] = {
    [SUITE_TEXT] = "text", [SUITE_JSON] = "json",     [SUITE_JUNIT] = "junit",
    [SUITE_TAP] = "tap",   [SUITE_GITHUB] = "github", [SUITE_SARIF] = "sarif",
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
                         "'suite' prints '--format text', 'json', 'junit', 'tap', 'github' or "
                         "'sarif', not '%s'",
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
            "junit, tap, github or sarif, not '%s'",
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

static const struct own_option suite_options[] = {
    {"--format", NULL, "text|json|junit|tap|github|sarif", "how to report (default text)",
     .set = set_format},
    {"--report", NULL, "FORMAT=FILE", "a further report; may be given several times",
     .set = add_report},
    {"--filter", NULL, "PATTERN",
     "only tests whose name a pattern fits, such as 'MP*'; several: any", .set = add_filter},
    {"--fail-fast", NULL, NULL, "stop after the first test that does not pass",
     SETS_FLAG(suite.fail_fast)},
    {"--update", NULL, NULL, "rewrite expectations that failed", SETS_FLAG(suite.update)},
    {"--list", NULL, NULL, "print the tests as FILE#NAME, and run none", SETS_FLAG(suite.lists)},
    {"--results", NULL, "FILE", "report JSON results of a suite, and run nothing",
     SETS_TEXT(suite.results)},
    {"--module", NULL, "FILE", "a module of PTX, also '-'", SETS_TEXT(suite.module)},
    {"--manifest", NULL, "FILE", "how the module of '--module' is launched",
     SETS_TEXT(suite.manifest)},
    LAUNCHING_COMPILER,
};

bool options_suite_reports(const struct suite_options *suite, enum suite_format format) {
    bool reports = suite->format == format;
    for (size_t i = 0; i < suite->report_count; i++)
        reports = reports || suite->reports[i].format == format;
    return suite->asked && reports;
}

// Options of which only one can be meant, or NULL.
static const char *conflict(const struct options *options) {
    const struct suite_options *suite = &options->suite;
    if (suite->results && (options->input_count > 0 || suite->update || options->shard_count > 0)) {
        return "'--results' reads what a suite came to: it takes no tests, no '--update' and no "
               "'--shard'";
    }
    if (suite->update && options->shard_count > 0)
        return "'--update' is for a whole suite, not for a shard";
    if (suite->lists && (suite->results || suite->update || suite->filter_count > 0 ||
                         suite->report_count > 0 || options->shard_count > 0)) {
        return "'--list' prints all tests and runs none: it takes no '--results', '--update', "
               "'--filter', '--report' and '--shard'";
    }
    if (options->shard_count > 0 && suite->format != SUITE_JSON)
        return "'--shard' prints '--format json', which 'ptxlitmus merge' joins";
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

static void suite_begin(struct options *options) {
    options->suite.asked = true;
}

static const char *suite_check(struct arena *arena, struct options *options) {
    if (options->suite.module)
        add_module(arena, options);
    if (conflict(options))
        return conflict(options);
    if (options->input_count == 0 && !options->suite.results) {
        return "no test: give files, folders, manifests, or '--module -' for a module on the "
               "standard input\nhint: 'ptxlitmus help suite' lists the options";
    }
    options->print.format = FORMAT_RECORD; // in which processes hand results on
    options->print.format_is_given = true;
    return NULL;
}

const struct cli_command command_suite = {
    .name = "suite",
    .group = GROUP_SUITES,
    .usage = "[OPTIONS] FILE|FOLDER|MANIFEST...",
    .help = "run tests each of which expects something, and report what failed",
    .example = "ptxlitmus suite tests --report junit=results.xml",
    OWN_OPTIONS(suite_options),
    .has_run_options = true,
    .compiles_tests = true,
    .refuses = "races dump-smt2 emit-ptx quiet hex",
    .action = OPTIONS_SUITE,
    .begin = suite_begin,
    .check = suite_check,
};
