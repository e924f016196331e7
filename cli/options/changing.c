// Options of `repair` and `relax`: what they share with runs is read as there.
#include "cli/options/commands.h"
#include "cli/options/launching.h"

#include "check/text/names.h"
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
    taken->options->change.max_cost = (unsigned)value;
}

static void set_keep_outcomes(struct command_line *line, const char *argument) {
    (void)argument;
    line->options->change.what = CHANGING_RELAX_OUTCOMES;
}

#define CHANGING_OPTIONS                                                                           \
    {"--all", NULL, NULL, "show all changes that nothing less does, not only the cheapest",        \
     SETS_FLAG(change.all)},                                                                       \
        {"--max-cost", NULL, "N", "only changes that cost at most N", .set = set_cost},            \
        {"--costs", NULL, "FILE", "what changes cost, in JSON", SETS_TEXT(change.costs)},          \
        {"--write", NULL, "FILE", "write the test with the cheapest change",                       \
         SETS_TEXT(change.write)},                                                                 \
        LAUNCHING_OPTIONS_ASKED, LAUNCHING_SAVE

static const struct own_option repair_options[] = {
    CHANGING_OPTIONS,
    {"--any", NULL, NULL, "show the first change that is found, which may cost more than others",
     SETS_FLAG(change.any)},
    {"--races", NULL, NULL, "find a change without data races, whatever the test asks",
     SETS_FLAG(change.faults.races)},
    {"--hangs", NULL, NULL, "find one with which every execution ends",
     SETS_FLAG(change.faults.hangs)},
    {"--flag", NULL, "NAME", "find one without this flag, such as async-undefined",
     SETS_TEXT(change.faults.flag)},
};

static const struct own_option relax_options[] = {
    CHANGING_OPTIONS,
    {"--keep-outcomes", NULL, NULL, "the other outcomes stay as they are, too",
     .set = set_keep_outcomes},
};

static void repair_begin(struct options *options) {
    options->change.what = CHANGING_REPAIR;
    options->change.max_cost = UINT_MAX;
}

static void relax_begin(struct options *options) {
    options->change.what = CHANGING_RELAX;
    options->change.max_cost = UINT_MAX;
}

// A change because of a fault is about no outcome, and need not be the cheapest.
static const char *faults_check(struct arena *arena, const struct options *options) {
    const struct changing_options *change = &options->change;
    const char *goal = change->faults.races   ? "--races"
                       : change->faults.hangs ? "--hangs"
                                              : "--flag";
    const char *other = change->all ? "--all" : change->max_cost != UINT_MAX ? "--max-cost" : NULL;
    if (!fault_goal_is_set(&change->faults))
        return NULL;
    if (options->launch.asked) {
        return arena_format(arena,
                            "'%s' is about a fault, and '--ask' about an outcome: give one "
                            "of the two",
                            goal);
    }
    return other ? arena_format(arena,
                                "'%s' finds one change, which need not be the cheapest: '%s' does "
                                "not go with it",
                                goal, other)
                 : NULL;
}

static const char *changing_check(struct arena *arena, struct options *options) {
    if (options->input_count > 1) {
        return arena_format(arena, "'%s' takes one test, not %zu",
                            options->change.what == CHANGING_REPAIR ? "repair" : "relax",
                            options->input_count);
    }
    if (options->change.any && options->change.all)
        return "'--any' shows one change, and '--all' all of them: give one of the two";
    if (!options->print.format_is_given) {
        options->print.format = FORMAT_TEXT;
        options->print.format_is_given = true;
    }
    return faults_check(arena, options);
}

#define CHANGING_REFUSES "verdict states races dump-smt2 emit-ptx shard jobs quiet progress stats"

const struct cli_command command_repair = {
    .name = "repair",
    .group = GROUP_CHANGE,
    .usage = "[OPTIONS] FILE|NAME\n" LAUNCHING_USAGE,
    .help = "find the least changes of orders, scopes and fences that forbid the outcome",
    .more = LAUNCHING_MORE "\nOf a kernel, '--ask' says which outcome is meant; '--races', "
                           "'--hangs' and\n'--flag' need none.",
    .example = "ptxlitmus repair racy.litmus --write repaired.litmus",
    OWN_OPTIONS(repair_options),
    .has_run_options = true,
    .refuses = CHANGING_REFUSES,
    .formats = "text|json",
    .runs_tests = true,
    .kernels = 1,
    .action = OPTIONS_CHANGE,
    .begin = repair_begin,
    .check = changing_check,
};

const struct cli_command command_relax = {
    .name = "relax",
    .group = GROUP_CHANGE,
    .usage = "[OPTIONS] FILE|NAME\n" LAUNCHING_USAGE,
    .help = "find the weakest test that still forbids the outcome",
    .more = LAUNCHING_MORE "\nOf a kernel, '--ask' says which outcome is meant.",
    .example = "ptxlitmus relax IRIW+fence.sc",
    OWN_OPTIONS(relax_options),
    .has_run_options = true,
    .refuses = CHANGING_REFUSES,
    .formats = "text|json",
    .runs_tests = true,
    .kernels = 1,
    .action = OPTIONS_CHANGE,
    .begin = relax_begin,
    .check = changing_check,
};
