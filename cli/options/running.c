// run and report: commands that run each of their tests.
#include "cli/options/commands.h"
#include "cli/options/launching.h"

static const struct own_option run_options[] = {LAUNCHING_OPTIONS_ASKED, LAUNCHING_SAVE};

const struct cli_command command_run = {
    .name = "run",
    .group = GROUP_DECIDE,
    .usage = "[OPTIONS] FILE|FOLDER|NAME...\n" LAUNCHING_USAGE,
    .help = "list the outcomes that tests may have, as without a command",
    .more =
        "A folder means the *.litmus, *.test and *.ptx files in it and its subfolders, '-' the\n"
        "standard input, '@FILE' the arguments in FILE, one per line, and a NAME an included\n"
        "test, which 'ptxlitmus list' shows.\n"
        "\n"
        "An 'expect allowed|forbidden|always;' in a test says what its verdict must be ('always'\n"
        "is also 'allowed') and replaces what the quantifier expects: without it, '~exists' must\n"
        "not be reachable and 'forall' must not be violated; 'exists' has no expectation.\n"
        "'expect' also takes 'race', 'no race', 'hang', 'no hang', 'trap', 'no trap',\n"
        "'reachable', 'unreachable', 'terminates' and 'may-hang', several with commas between\n"
        "them. A test without any outcome is undecided, unless it expects 'unreachable',\n"
        "'hang', 'trap' or 'may-hang'.\n"
        "\n" LAUNCHING_MORE,
    .example = "ptxlitmus run MP --target sm_70,sm_90",
    OWN_OPTIONS(run_options),
    .has_run_options = true,
    .runs_tests = true,
    .kernels = 1,
    .takes_several = true,
    .action = OPTIONS_RUN,
};

// --- report -----------------------------------------------------------------------------------

static void report_begin(struct options *options) {
    options->report_folder = "";
}

static const struct own_option report_options[] = {
    {"--output", "-o", "DIR", "the folder of the pages", SETS_TEXT(report_folder)},
    LAUNCHING_OPTIONS_ASKED,
    LAUNCHING_SAVE,
};

static const char *report_check(struct arena *arena, struct options *options) {
    (void)arena;
    return *options->report_folder ? NULL : "'report' needs '-o DIR', the folder of the pages";
}

const struct cli_command command_report = {
    .name = "report",
    .group = GROUP_LOOK,
    .usage = "[OPTIONS] FILE|FOLDER|NAME... -o DIR\n"
             "-o DIR " LAUNCHING_USAGE,
    .help = "write a page in HTML for each test, and an index",
    .more = "Each page compares targets, so one model or target is given at most.\n" LAUNCHING_MORE,
    .example = "ptxlitmus report tests -o pages",
    OWN_OPTIONS(report_options),
    .has_run_options = true,
    .refuses = "format verdict emit-ptx dump-smt2 shard quiet stats",
    .runs_tests = true,
    .kernels = 1,
    .action = OPTIONS_REPORT,
    .begin = report_begin,
    .check = report_check,
};
