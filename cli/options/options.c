// Reads the command line with getopt_long; messages about bad options say what would be right.
#include "cli/options/options.h"

#include "check/text/names.h"
#include "cli/options/commands.h"
#include "cli/options/launching.h"
#include "cli/print/formats.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "solver/solver.h"

#include <assert.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum option_id {
    OPTION_NONE = 256, // above every character, so that no option looks like a short one
#define OPTION(id, name, argument, help, set) OPTION_##id,
#define CHECK_OPTION(id) OPTION_##id,
#include "cli/options/options.def"
#undef OPTION
#undef CHECK_OPTION
};

static const struct option_text *const option_texts[] = {
#define OPTION(id, name, argument, help, set) &(const struct option_text){name, argument, help},
#define CHECK_OPTION(id) &check_option_texts[CHECK_OPTION_##id],
#include "cli/options/options.def"
#undef OPTION
#undef CHECK_OPTION
};

enum { OPTION_COUNT = sizeof option_texts / sizeof option_texts[0] };

// Each option of a check has its place among them.
enum {
    PLACED_COUNT = 0
#define OPTION(id, name, argument, help, set)
#define CHECK_OPTION(id) +1
#include "cli/options/options.def"
#undef OPTION
#undef CHECK_OPTION
};
_Static_assert((int)PLACED_COUNT == (int)CHECK_OPTION_COUNT, "options.def leaves one out");

enum { JOBS_MAX = 1024, SHARDS_MAX = 1000000 };

// What parsing the options needs.
struct parse {
    struct arena *arena;
    struct options *options;
    const char *error; // the first error; NULL while there is none
    enum options_action action;
};

static const struct option_text *text_of(int id) {
    return option_texts[id - OPTION_NONE - 1];
}

// shard = number "/" number, the first from 1 to the second
static void set_shard(struct options *options, struct setting *setting) {
    const char *text = setting->text, *slash = strchr(text, '/');
    const char *first = slash ? arena_strndup(setting->arena, text, (size_t)(slash - text)) : "";
    unsigned long shard = setting_is_number(first) ? strtoul(first, NULL, 10) : 0;
    unsigned long count = slash && setting_is_number(slash + 1) ? strtoul(slash + 1, NULL, 10) : 0;
    if (shard < 1 || shard > count || count > SHARDS_MAX) {
        setting->error = arena_format(setting->arena,
                                      "'--shard' takes I/N, such as 2/8 for the second of eight, "
                                      "with N at most %d, not '%s'",
                                      SHARDS_MAX, escaped(setting->arena, text));
    }
    options->shard = shard;
    options->shard_count = count;
}

// Proofs are CaDiCaL's, and named by the tests alone.
static const char *proof_refused(const struct options *options) {
    if (options->check.solver.engine != ENGINE_CADICAL)
        return "'--proof' needs '--engine cadical'";
    return options->check.model_count > 1 || options->check.target_count > 1
               ? "'--proof' writes proofs under one model and target"
               : NULL;
}

// A function for each option of the program, which sets what its line of the table says.
#define OPTION(id, name, argument, help, set)                                                      \
    static void set_##id(struct parse *parse, struct setting *setting) {                           \
        struct options *options = parse->options;                                                  \
        (void)options, (void)setting;                                                              \
        set;                                                                                       \
    }
#define CHECK_OPTION(id)
#include "cli/options/options.def"
#undef OPTION
#undef CHECK_OPTION

// In the order of the table; NULL for those of a check.
static void (*const setters[])(struct parse *parse, struct setting *setting) = {
#define OPTION(id, name, argument, help, set) set_##id,
#define CHECK_OPTION(id) NULL,
#include "cli/options/options.def"
#undef OPTION
#undef CHECK_OPTION
};

static enum options_action apply(struct parse *parse, int id, const char *argument) {
    id = id == 'j' ? OPTION_JOBS : id == 'h' ? OPTION_HELP : id;
    assert(id > OPTION_NONE && id <= OPTION_NONE + OPTION_COUNT);
    size_t index = (size_t)(id - OPTION_NONE - 1);
    struct setting setting = {
        .arena = parse->arena, .option = option_texts[index], .text = argument};
    if (setters[index]) {
        setters[index](parse, &setting);
        parse->error = setting.error;
    } else {
        parse->error = check_option_set(parse->arena, &parse->options->check,
                                        option_texts[index]->name, argument);
    }
    return parse->error ? OPTIONS_BAD : parse->action;
}

// The options whose name begins with `word`, as "'--a', '--b' or '--c'": getopt_long takes an
// abbreviation that fits one. NULL when there are fewer than two.
static const char *ambiguous(struct arena *arena, const char *word, size_t length) {
    const char *list = "", *last = NULL;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (strncmp(option_texts[i]->name, word, length) != 0)
            continue;
        if (last)
            list = arena_format(arena, "%s%s'--%s'", list, *list ? ", " : "", last);
        last = option_texts[i]->name;
    }
    return *list ? arena_format(arena, "%s or '--%s'", list, last) : NULL;
}

// The option whose name may be meant: of a run, or the command's own. NULL where none is near.
static const char *nearest_option(struct arena *arena, const struct cli_command *command,
                                  const char *name, size_t length) {
    size_t count = OPTION_COUNT;
    const char **names = ARENA_ARRAY(arena, const char *, OPTION_COUNT + command->own_count);
    for (size_t i = 0; i < OPTION_COUNT; i++)
        names[i] = option_texts[i]->name;
    for (size_t i = 0; i < command->own_count; i++)
        names[count++] = command->own[i].name + 2;
    return length > 1 ? diag_nearest(name, length, names, count) : NULL;
}

// Says what is wrong with a word that getopt_long did not take.
static const char *unknown_option(struct arena *arena, const struct cli_command *command,
                                  const char *word) {
    const char *name = word + strspn(word, "-");
    size_t length = strcspn(name, "=");
    bool is_long = strncmp(word, "--", 2) == 0 && length > 0;
    const char *candidates = is_long ? ambiguous(arena, name, length) : NULL;
    if (candidates)
        return arena_format(arena, "'%s' is ambiguous: %s?", escaped(arena, word), candidates);
    const char *message =
        arena_format(arena, "unknown option '%s'",
                     escaped(arena, arena_strndup(arena, word, (size_t)(name - word) + length)));
    const char *near = nearest_option(arena, command, name, length);
    return near ? arena_format(arena, "%s\nhint: did you mean '--%s'?", message, near)
                : arena_format(arena, "%s\nhint: 'ptxlitmus help %s' lists the options", message,
                               command->name);
}

// The word in which getopt_long met an unknown short option: it stays on a word until its end.
static const char *short_word(char **argv, int argc) {
    const char *word = optind < argc ? argv[optind] : NULL;
    return word && word[0] == '-' && strchr(word, optopt) ? word : argv[optind - 1];
}

static const char *getopt_error(struct arena *arena, const struct cli_command *command, int result,
                                int argc, char **argv) {
    if (optopt == 0)
        return unknown_option(arena, command, argv[optind - 1]);
    if (optopt == 'j')
        return "'-j' needs N";
    if (optopt <= OPTION_NONE)
        return unknown_option(arena, command, short_word(argv, argc));
    const struct option_text *text = text_of(optopt);
    return result == ':' ? arena_format(arena, "'--%s' needs %s", text->name, text->argument)
                         : arena_format(arena, "'--%s' takes no argument", text->name);
}

// Checks options that only make sense for one model on one target, and sets the format that is used
// unless one is given.
static void check_several(struct parse *parse) {
    struct options *options = parse->options;
    if (options->check.model_count < 2 && options->check.target_count < 2)
        return;
    if (options->check.model_count > 1 && options->check.target_count > 0) {
        parse->error = "several models are compared without '--target': each target has its model";
    } else if (options->emit_ptx) {
        parse->error = "'--emit-ptx' writes a test for one target";
    } else if (options->check.solver.dump_smt2) {
        parse->error = "'--dump-smt2' writes the query of one test under one model";
    } else if (options->print.format_is_given && format_of(options)->several == SEVERAL_REFUSED) {
        parse->error = arena_format(parse->arena,
                                    "'--format %s' shows one model: to compare several, use "
                                    "'--format text' or 'json'",
                                    format_of(options)->name);
    } else if (!options->print.format_is_given) {
        options->print.format = FORMAT_TEXT;
        options->print.format_is_given = true;
    }
}

static struct options default_options(void) {
    return (struct options){.jobs = 1, .check = check_options_default()};
}

// The argument of the n-th word if that is the option of this name, or an abbreviation of it that
// is at least as long as `least`; else NULL.
static const char *glance_at(int argc, char *const *argv, int n, const char *name,
                             const char *least) {
    const char *word = argv[n];
    size_t length = strcspn(word, "=");
    bool named =
        length >= strlen(least) && length <= strlen(name) && strncmp(word, name, length) == 0;
    return !named                ? NULL
           : word[length] == '=' ? word + length + 1
           : n + 1 < argc        ? argv[n + 1]
                                 : NULL;
}

struct options options_glance(int argc, char *const *argv) {
    struct options options = default_options();
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *timeout = glance_at(argc, argv, i, "--timeout", "--ti");
        const char *memory = glance_at(argc, argv, i, "--memory", "--me");
        if (timeout && strspn(timeout, "0123456789.") == strlen(timeout))
            options.check.solver.timeout_seconds = strtod(timeout, NULL);
        if (memory && setting_is_number(memory))
            options.check.solver.memory_mb = strtoull(memory, NULL, 10);
    }
    return options;
}

// The options as getopt_long takes them.
static const struct option *long_options(struct arena *arena) {
    struct option *options = ARENA_ARRAY(arena, struct option, OPTION_COUNT + 1);
    for (int i = 0; i < OPTION_COUNT; i++) {
        bool takes = *option_texts[i]->argument != '\0';
        options[i] = (struct option){option_texts[i]->name, takes ? required_argument : no_argument,
                                     NULL, OPTION_NONE + 1 + i};
    }
    options[OPTION_COUNT] = (struct option){0};
    return options;
}

// Reads the options of a run. Returns OPTIONS_RUN, or what to do in place of running; sets the
// error on OPTIONS_BAD.
static enum options_action take_options(struct parse *parse, int argc, char **argv) {
    opterr = 0;
    const struct option *known = long_options(parse->arena);
    optind = 0; // restarts the scan, for callers that parse more than one command line
    for (;;) {
        optopt = 0;
        int result = getopt_long(argc, argv, ":hj:", known, NULL);
        if (result == -1)
            return OPTIONS_RUN;
        if (result == '?' || result == ':') {
            parse->error = getopt_error(parse->arena, parse->options->command, result, argc, argv);
            return OPTIONS_BAD;
        }
        enum options_action action = apply(parse, result, optarg);
        if (action != OPTIONS_RUN)
            return action;
    }
}

// What is left of argv after the options.
static void take_inputs(struct parse *parse, int argc, char **argv) {
    struct options *options = parse->options;
    options->input_count = (size_t)(argc - optind);
    options->inputs = ARENA_ARRAY(parse->arena, const char *, options->input_count + 1);
    for (size_t i = 0; i < options->input_count; i++)
        options->inputs[i] = argv[(size_t)optind + i];
}

// Returns what the command itself finds wrong, or NULL.
static const char *own_check(struct parse *parse, const struct cli_command *command) {
    return command->needs && parse->options->input_count == 0 ? command->needs
           : command->check ? command->check(parse->arena, parse->options)
                            : NULL;
}

// Returns why options that are right each by itself do not fit each other or the command, or NULL.
static const char *check_all(struct parse *parse, const struct cli_command *command) {
    struct options *options = parse->options;
    if (command->runs_tests && options->check.solver.proof)
        parse->error = proof_refused(options);
    if (!parse->error && command->runs_tests && options->input_count == 0) {
        parse->error = arena_format(parse->arena,
                                    "no test: give files, folders, or '-' for the standard input\n"
                                    "hint: 'ptxlitmus help %s' lists the options",
                                    command->name);
    }
    if (!parse->error && command->has_run_options)
        parse->error = command_refusal(parse->arena, options, command);
    if (!parse->error && command->kernels > 0)
        parse->error = launching_take_words(parse->arena, options);
    if (!parse->error)
        parse->error = own_check(parse, command);
    if (!parse->error && command->action == OPTIONS_RUN)
        check_several(parse);
    return parse->error;
}

// help = "help" COMMAND?. Returns what is wrong with the command, or NULL.
static const char *find_helped(struct arena *arena, struct options *options) {
    if (options->input_count == 0) {
        options->helped = NULL;
        return NULL;
    }
    const char *word = options->inputs[0];
    const struct cli_command *near = commands_nearest(word);
    options->helped = commands_find(word);
    return options->input_count > 1 ? "'help' takes one command"
           : options->helped        ? NULL
           : near
               ? arena_format(arena, "there is no command '%s'\nhint: did you mean '%s'?",
                              escaped(arena, word), near->name)
               : arena_format(arena, "there is no command '%s'\nhint: 'ptxlitmus help' lists them",
                              escaped(arena, word));
}

// Reads what is left of the command line of a command that has no options of a run. Returns the
// action, or OPTIONS_HELP; sets the error on OPTIONS_BAD.
static enum options_action take_plain(struct parse *parse, int argc, char **argv) {
    struct options *options = parse->options;
    const struct cli_command *command = options->command;
    bool is_over = false;
    options->inputs = ARENA_ARRAY(parse->arena, const char *, (size_t)argc);
    for (int i = 1; i < argc; i++) {
        if (is_over || argv[i][0] != '-' || argv[i][1] == '\0') {
            options->inputs[options->input_count++] = argv[i];
        } else if (strcmp(argv[i], "--") == 0) {
            is_over = true;
        } else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return OPTIONS_HELP;
        } else {
            parse->error =
                arena_format(parse->arena, "'%s' has no option '%s'\nhint: 'ptxlitmus help %s' %s",
                             command->name, escaped(parse->arena, argv[i]), command->name,
                             command->own_count > 0 ? "lists those that it has" : "shows its form");
            return OPTIONS_BAD;
        }
    }
    parse->error = command->kernels > 0 ? launching_take_words(parse->arena, options) : NULL;
    parse->error = parse->error               ? parse->error
                   : command == &command_help ? find_helped(parse->arena, options)
                                              : own_check(parse, command);
    return parse->error ? OPTIONS_BAD : command->action;
}

// Takes '--check', which was the name of two options, for what it is called now.
static void take_old_names(struct arena *arena, struct options *options, int argc, char **argv) {
    bool has_it = options->command->has_run_options;
    for (int i = 1; has_it && i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--check") == 0) {
            argv[i] = arena_format(arena, options->command == &command_lower ? "--verify"
                                                                             : "--both-engines");
            options->old_name = "--check";
            options->new_name = argv[i];
        }
    }
}

enum options_action options_parse(struct arena *arena, int argc, char **argv,
                                  struct options *options, const char **error) {
    struct parse parse = {arena, options, NULL, OPTIONS_RUN};
    *options = default_options();
    const struct cli_command *command = argc > 1 ? commands_find(argv[1]) : NULL;
    options->helped = command;
    options->command = command ? command : &command_run;
    take_old_names(arena, options, argc, argv);
    if (options->command->begin)
        options->command->begin(options);
    *error = command_take(arena, command ? 2 : 1, &argc, argv, options, options->command);
    if (*error)
        return OPTIONS_BAD;
    enum options_action action = options->command->has_run_options
                                     ? take_options(&parse, argc, argv)
                                     : take_plain(&parse, argc, argv);
    if (action != OPTIONS_RUN) {
        *error = parse.error;
        return action;
    }
    take_inputs(&parse, argc, argv);
    *error = check_all(&parse, options->command);
    return *error ? OPTIONS_BAD : options->command->action;
}

const char *options_writes_one(const struct options *options) {
    return options->explain.is_drawn         ? "'--format svg' draws one test"
           : options->check.solver.dump_smt2 ? "'--dump-smt2' writes the query of one test"
           : options->emit_ptx               ? "'--emit-ptx' writes one test"
                                             : NULL;
}

const char *options_help(const struct option_text *option) {
    if (option != text_of(OPTION_ENGINE))
        return option->help;
    return !solver_has_engine(ENGINE_Z3) ? "what decides (default cadical; this build has no Z3)"
           : !solver_has_engine(ENGINE_CADICAL)
               ? "what decides (default z3; this build has no CaDiCaL)"
               : option->help;
}

const struct option_text *const *options_texts(size_t *count) {
    *count = OPTION_COUNT;
    return option_texts;
}
