// Command lines, good and bad.
#include "cli/options/commands.h"
#include "cli/options/help.h"
#include "cli/options/options.h"
#include "cli/print/formats.h"
#include "litmus/source/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

enum { ARGUMENTS = 16 };

// Parses the words of `line`, which blanks separate.
static enum options_action parse(struct arena *arena, const char *line, struct options *options,
                                 const char **error) {
    char *copy = arena_format(arena, "ptxlitmus %s", line);
    char **argv = ARENA_ARRAY(arena, char *, ARGUMENTS + 1);
    int argc = 0;
    for (char *save = NULL, *word = strtok_r(copy, " ", &save); word && argc < ARGUMENTS;
         word = strtok_r(NULL, " ", &save))
        argv[argc++] = word;
    *error = NULL;
    return options_parse(arena, argc, argv, options, error);
}

static void test_run(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct options options;
    const char *error;
    assert_int_equal(parse(arena, "a.litmus", &options, &error), OPTIONS_RUN);
    assert_null(error);
    assert_int_equal(options.print.format, FORMAT_LOG);
    assert_int_equal(options.check.model_count, 0);
    assert_int_equal(options.check.target_count, 0);
    assert_int_equal(options.check.ptx_version, 0);
    assert_int_equal(options.check.program.unroll, 2);
    assert_int_equal(options.jobs, 1);
    assert_int_equal(options.check.syntax, SYNTAX_GUESS);
    assert_int_equal(
        parse(arena, "a --format=json - --timeout 0.5 b --deps none", &options, &error),
        OPTIONS_RUN);
    assert_int_equal(options.print.format, FORMAT_JSON);
    assert_true(options.check.solver.timeout_seconds == 0.5);
    assert_int_equal(options.check.program.dependencies, DEPENDENCIES_NONE);
    assert_int_equal(options.input_count, 3);
    assert_string_equal(options.inputs[1], "-");
    assert_int_equal(
        parse(arena, "--states 7 --memory 512 --verdict --quiet --hex x", &options, &error),
        OPTIONS_RUN);
    assert_int_equal(options.check.solver.max_states, 7);
    assert_int_equal(options.check.solver.memory_mb, 512);
    assert_true(options.check.solver.verdict_only && options.print.quiet && options.check.hex);
    arena_free(arena);
}

static void test_models_and_targets(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct options options;
    const char *error;
    assert_int_equal(parse(arena, "--verd -- --states", &options, &error), OPTIONS_RUN);
    assert_true(options.check.solver.verdict_only);
    assert_string_equal(options.inputs[0], "--states");
    assert_int_equal(parse(arena, "--model ptx-9.1,a/b.cat x", &options, &error), OPTIONS_RUN);
    assert_int_equal(options.check.model_count, 2);
    assert_string_equal(options.check.models[1], "a/b.cat");
    assert_int_equal(options.print.format, FORMAT_TEXT);
    assert_int_equal(parse(arena, "--format json --model a,b x", &options, &error), OPTIONS_RUN);
    assert_int_equal(options.print.format, FORMAT_JSON);
    assert_int_equal(parse(arena, "--target sm_90 --ptx-version 8.6 x", &options, &error),
                     OPTIONS_RUN);
    assert_int_equal(options.check.target_count, 1);
    assert_string_equal(options.check.targets[0], "sm_90");
    assert_int_equal(options.check.ptx_version, 86);
    assert_int_equal(options.print.format, FORMAT_LOG);
    arena_free(arena);
}

static void test_jobs(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct options options;
    const char *error;
    assert_int_equal(parse(arena, "-j 4 x", &options, &error), OPTIONS_RUN);
    assert_int_equal(options.jobs, 4);
    assert_int_equal(parse(arena, "x -j0", &options, &error), OPTIONS_RUN);
    assert_int_equal(options.jobs, 0);
    assert_int_equal(parse(arena, "--jobs=12 x", &options, &error), OPTIONS_RUN);
    assert_int_equal(options.jobs, 12);
    assert_int_equal(parse(arena, "x --shard 2/12", &options, &error), OPTIONS_RUN);
    assert_int_equal(options.shard, 2);
    assert_int_equal(options.shard_count, 12);
    assert_int_equal(parse(arena, "x merge", &options, &error), OPTIONS_RUN);
    assert_int_equal(options.shard_count, 0);
    arena_free(arena);
}

static void test_commands(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct options options;
    const char *error;
    assert_int_equal(parse(arena, "merge a - b", &options, &error), OPTIONS_MERGE);
    assert_int_equal(options.input_count, 3);
    assert_string_equal(options.inputs[2], "b");
    assert_int_equal(parse(arena, "merge --help", &options, &error), OPTIONS_HELP);
    assert_int_equal(parse(arena, "repair x --all --max-cost 7 --target sm_90", &options, &error),
                     OPTIONS_CHANGE);
    assert_int_equal(options.change.what, CHANGING_REPAIR);
    assert_true(options.change.all);
    assert_int_equal(options.change.max_cost, 7);
    assert_int_equal(options.print.format, FORMAT_TEXT);
    assert_int_equal(options.input_count, 1);
    assert_int_equal(
        parse(arena, "relax --keep-outcomes --costs=a --write b -- --all", &options, &error),
        OPTIONS_CHANGE);
    assert_int_equal(options.change.what, CHANGING_RELAX_OUTCOMES);
    assert_string_equal(options.change.costs, "a");
    assert_string_equal(options.change.write, "b");
    assert_string_equal(options.inputs[0], "--all");
    assert_int_equal(parse(arena, "x repair", &options, &error), OPTIONS_RUN);
    assert_int_equal(parse(arena, "explain repair x", &options, &error), OPTIONS_RUN);
    assert_true(options.explain.asked);
    assert_int_equal(options.input_count, 2);
    assert_string_equal(options.inputs[0], "repair");
    arena_free(arena);
}

static void test_lists(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct options options;
    const char *error;
    assert_int_equal(parse(arena, "--target sc,mca x", &options, &error), OPTIONS_RUN);
    assert_int_equal(options.print.format, FORMAT_TEXT);
    assert_int_equal(parse(arena, "--list-targets", &options, &error), OPTIONS_LIST_TARGETS);
    assert_int_equal(parse(arena, "--help --nonsense", &options, &error), OPTIONS_HELP);
    assert_int_equal(parse(arena, "--version", &options, &error), OPTIONS_VERSION);
    assert_int_equal(parse(arena, "--list-models", &options, &error), OPTIONS_LIST_MODELS);
    arena_free(arena);
}

// Lines that are refused, and what is said of them.
static const struct {
    const char *line, *error;
} bad_lines[] = {
    {"", "no test: give files, folders, or '-' for the standard input\nhint: 'ptxlitmus help run' "
         "lists the options"},
    {"--quiet", "no test: give files, folders, or '-' for the standard input\nhint: 'ptxlitmus "
                "help run' lists the options"},
    {"--fromat json x", "unknown option '--fromat'\nhint: did you mean '--format'?"},
    {"x --tiemout=3", "unknown option '--tiemout'\nhint: did you mean '--timeout'?"},
    {"--zzzzzz x", "unknown option '--zzzzzz'\nhint: 'ptxlitmus help run' lists the options"},
    {"-format json x", "unknown option '-format'\nhint: did you mean '--format'?"},
    {"-q x", "unknown option '-q'\nhint: 'ptxlitmus help run' lists the options"},
    {"--stat x", "'--stat' is ambiguous: '--states' or '--stats'?"},
    {"--s x", "'--s' is ambiguous: '--syntax', '--states', '--st-async', '--shard' or '--stats'?"},
    {"--format xml x", "'--format' takes log|json|text, not 'xml'"},
    {"--format js x", "'--format' takes log|json|text, not 'js'"},
    {"x --format", "'--format' needs log|json|text"},
    {"--quiet=yes x", "'--quiet' takes no argument"},
    {"--states x y", "'--states' takes a whole number of 0 or more, not 'x'"},
    {"--states -1 y", "'--states' takes a whole number of 0 or more, not '-1'"},
    {"--states 99999999999999999999 y",
     "'--states' takes a whole number of 0 or more, not '99999999999999999999'"},
    {"-j 1025 y", "'--jobs' takes a whole number from 0 to 1024, not '1025'"},
    {"--jobs many y", "'--jobs' takes a whole number from 0 to 1024, not 'many'"},
    {"y -j", "'-j' needs N"},
    {"merge", "'merge' needs files: the JSON results of each shard, or '-'\n"
              "hint: './merge' names the file"},
    {"repair", "no test: give files, folders, or '-' for the standard input\nhint: 'ptxlitmus help "
               "repair' lists the options"},
    {"repair x y", "'repair' takes one test, not 2"},
    {"repair x --keep-outcomes",
     "unknown option '--keep-outcomes'\nhint: 'ptxlitmus help repair' lists the options"},
    {"repair x --max-cost", "'--max-cost' needs N"},
    {"repair x --max-cost 1e3", "'--max-cost' takes a whole number from 0 to 999999999, not '1e3'"},
    {"relax x --max-cost=1234567890",
     "'--max-cost' takes a whole number from 0 to 999999999, not '1234567890'"},
    {"relax x --costs", "'--costs' needs FILE"},
    {"relax x --write", "'--write' needs FILE"},
    {"relax x --model a,b", "'relax' takes one model and one target"},
    {"repair x --target sm_80,sm_90", "'repair' takes one model and one target"},
    {"repair x --format log", "'repair' prints '--format text' or 'json', not 'log'"},
    {"repair x --verdict", "'repair' has no option '--verdict'"},
    {"repair x --states 3", "'repair' has no option '--states'"},
    {"relax x --races", "'relax' has no option '--races'"},
    {"repair x --flag", "'--flag' needs NAME"},
    {"repair x --races --all", "'--races' finds one change, which need not be the cheapest: "
                               "'--all' does not go with it"},
    {"repair x --dump-smt2 y", "'repair' has no option '--dump-smt2'"},
    {"repair x --emit-ptx y", "'repair' has no option '--emit-ptx'"},
    {"repair x --shard 1/2", "'repair' has no option '--shard'"},
    {"repair x -j 2", "'repair' has no option '--jobs'"},
    {"relax x --quiet", "'relax' has no option '--quiet'"},
    {"relax x --progress fair", "'relax' has no option '--progress'"},
    {"relax x --stats", "'relax' has no option '--stats'"},
    {"merge a --quiet",
     "'merge' has no option '--quiet'\nhint: 'ptxlitmus help merge' shows its form"},
    {"--shard 0/2 x",
     "'--shard' takes I/N, such as 2/8 for the second of eight, with N at most 1000000, not "
     "'0/2'"},
    {"--shard 3/2 x",
     "'--shard' takes I/N, such as 2/8 for the second of eight, with N at most 1000000, not "
     "'3/2'"},
    {"--shard 2 x",
     "'--shard' takes I/N, such as 2/8 for the second of eight, with N at most 1000000, not "
     "'2'"},
    {"--shard /2 x",
     "'--shard' takes I/N, such as 2/8 for the second of eight, with N at most 1000000, not "
     "'/2'"},
    {"--shard 1/ x",
     "'--shard' takes I/N, such as 2/8 for the second of eight, with N at most 1000000, not "
     "'1/'"},
    {"--shard 1/-2 x",
     "'--shard' takes I/N, such as 2/8 for the second of eight, with N at most 1000000, not "
     "'1/-2'"},
    {"--shard 1/1000001 x",
     "'--shard' takes I/N, such as 2/8 for the second of eight, with N at most 1000000, not "
     "'1/1000001'"},
    {"--shard 18446744073709551617/2 x",
     "'--shard' takes I/N, such as 2/8 for the second of eight, with N at most 1000000, not "
     "'18446744073709551617/2'"},
    {"--unroll 0 y", "'--unroll' takes a whole number from 1 to 1000, not '0'"},
    {"--timeout 1e3 y",
     "'--timeout' takes a number of seconds (0 for no limit), such as 10 or 0.5, not '1e3'"},
    {"--timeout -1 y",
     "'--timeout' takes a number of seconds (0 for no limit), such as 10 or 0.5, not '-1'"},
    {"--timeout nan y",
     "'--timeout' takes a number of seconds (0 for no limit), such as 10 or 0.5, not 'nan'"},
    {"--timeout 3. y",
     "'--timeout' takes a number of seconds (0 for no limit), such as 10 or 0.5, not '3.'"},
    {"--deps all y", "'--deps' takes semantic|syntactic|none, not 'all'"},
    {"--model a,,b y", "'--model' takes names separated by commas, and 'a,,b' leaves one out"},
    {"--model a,b,a y", "'--model' names 'a' twice"},
    {"--model a,b --format log y",
     "'--format log' shows one model: to compare several, use '--format text' or 'json'"},
    {"--model a,b --dump-smt2 f y", "'--dump-smt2' writes the query of one test under one model"},
    {"--model a,b --target sc y",
     "several models are compared without '--target': each target has its model"},
    {"--ptx-version 5.9 y",
     "'--ptx-version' takes a version of the PTX ISA, from 6.0, the first with a memory "
     "model, to 9.4, not '5.9'"},
    {"--ptx-version 8.9 y",
     "'--ptx-version' takes a version of the PTX ISA, from 6.0, the first with a memory "
     "model, to 9.4, not '8.9'"},
    {"--ptx-version 8 y",
     "'--ptx-version' takes a version of the PTX ISA, from 6.0, the first with a memory "
     "model, to 9.4, not '8'"},
    {"--syntax herd y", "'--syntax' takes ptx|dat3m|nvlitmus|c++, not 'herd'"},
};

static void test_bad(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    for (size_t i = 0; i < sizeof bad_lines / sizeof bad_lines[0]; i++) {
        struct options options;
        const char *error;
        assert_int_equal(parse(arena, bad_lines[i].line, &options, &error), OPTIONS_BAD);
        assert_string_equal(error, bad_lines[i].error);
    }
    arena_free(arena);
}

// The table of formats is in the order of the choices.
static void test_formats(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct options options;
    const char *error;
#define FORMAT(id, text, ...)                                                                      \
    assert_int_equal(parse(arena, "--format " text " a", &options, &error), OPTIONS_RUN);          \
    assert_int_equal(options.print.format, FORMAT_##id);                                           \
    assert_string_equal(format_of(&options)->name, text);
#include "cli/print/formats.def"
#undef FORMAT
    arena_free(arena);
}

static size_t count_lines(const char *text) {
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

// The help of the program has each command, and fits on a screen.
static void test_help(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    const char *help = help_text(arena, NULL);
    size_t count;
    const struct cli_command *const *commands = commands_all(&count);
    for (size_t i = 0; i < count; i++)
        assert_non_null(strstr(help, arena_format(arena, "\n  %-9s ", commands[i]->name)));
    assert_in_range(count_lines(help), 1, 50);
    arena_free(arena);
}

// The help of a command has the options that it takes, and none that it refuses.
static void test_help_of_commands(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    size_t count, option_count, refused = 0;
    const struct cli_command *const *commands = commands_all(&count);
    const struct option_text *const *options = options_texts(&option_count);
    for (size_t i = 0; i < count; i++) {
        const char *help = help_text(arena, commands[i]);
        for (size_t k = 0; k < commands[i]->own_count; k++)
            assert_non_null(strstr(help, commands[i]->own[k].name));
        for (size_t k = 0; k < option_count; k++) {
            bool shown = strstr(help, arena_format(arena, "\n  --%s ", options[k]->name)) != NULL ||
                         strstr(help, arena_format(arena, "\n  --%s\n", options[k]->name)) != NULL;
            bool own = false;
            for (size_t n = 0; n < commands[i]->own_count; n++)
                own = own || strcmp(commands[i]->own[n].name + 2, options[k]->name) == 0;
            assert_int_equal(shown, own || command_accepts(commands[i], options[k]->name));
            refused += !shown;
        }
        assert_non_null(strstr(help, arena_format(arena, "example: %s", commands[i]->example)));
    }
    assert_true(refused > 0);
    arena_free(arena);
}

// What a command does not take is an error with it; help is asked for in three ways.
static void test_refused(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct options options;
    const char *error;
    assert_int_equal(parse(arena, "repair x --verdict", &options, &error), OPTIONS_BAD);
    assert_string_equal(error, "'repair' has no option '--verdict'");
    assert_int_equal(parse(arena, "check x --emit-ptx y", &options, &error), OPTIONS_BAD);
    assert_string_equal(error, "'check' has no option '--emit-ptx'");
    assert_int_equal(parse(arena, "list --format json", &options, &error), OPTIONS_BAD);
    assert_non_null(strstr(error, "'list' has no option '--format'"));
    assert_int_equal(parse(arena, "help repair", &options, &error), OPTIONS_HELP);
    assert_ptr_equal(options.helped, &command_repair);
    assert_int_equal(parse(arena, "relax --help", &options, &error), OPTIONS_HELP);
    assert_ptr_equal(options.helped, &command_relax);
    assert_int_equal(parse(arena, "--help", &options, &error), OPTIONS_HELP);
    assert_null(options.helped);
    assert_int_equal(parse(arena, "help chekc", &options, &error), OPTIONS_BAD);
    assert_non_null(strstr(error, "did you mean 'check'?"));
    arena_free(arena);
}

// '--check' was the name of two options.
static void test_old_names(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    struct options options;
    const char *error;
    parse(arena, "x --check", &options, &error);
    assert_string_equal(options.new_name, "--both-engines");
    assert_int_equal(parse(arena, "lower --check --table libcu++ x", &options, &error),
                     OPTIONS_LOWER);
    assert_true(options.lower.checks);
    assert_string_equal(options.new_name, "--verify");
    assert_int_equal(parse(arena, "run x -- --check", &options, &error), OPTIONS_RUN);
    assert_null(options.new_name);
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_run),
        cmocka_unit_test(test_models_and_targets),
        cmocka_unit_test(test_jobs),
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_bad),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_help),
        cmocka_unit_test(test_help_of_commands),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_old_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
