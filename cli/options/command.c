// What all commands share in reading their options.
#include "cli/options/command.h"

#include "check/text/names.h"
#include "litmus/source/arena.h"

#include <string.h>

// words = word ("," word)*
void command_add_words(struct command_line *line, const char *what, const char *text,
                       const char ***words, size_t *count) {
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        if (length == 0) {
            line->error =
                arena_format(line->arena, "%s separated by commas, and '%s' leaves one out", what,
                             escaped(line->arena, text));
            return;
        }
        *words = arena_grow(line->arena, *words, *count, sizeof **words);
        (*words)[(*count)++] = arena_strndup(line->arena, at, length);
        at += length;
        if (*at == '\0')
            return;
    }
}

// --- Own options --------------------------------------------------------------------------------

// Whether a word is an option's name, alone or with "=" and an argument after it.
static bool is_named(const struct own_option *option, const char *word, const char *name) {
    size_t length = name ? strlen(name) : 0;
    return name && strncmp(word, name, length) == 0 &&
           (word[length] == '\0' || (word[length] == '=' && option->argument));
}

static const struct own_option *own_option(const struct cli_command *command, const char *word) {
    for (size_t i = 0; i < command->own_count; i++) {
        const struct own_option *option = &command->own[i];
        if (is_named(option, word, option->name) || is_named(option, word, option->letter))
            return option;
    }
    return NULL;
}

static void take_option(struct command_line *line, const struct own_option *option) {
    const char *word = line->argv[line->at], *equal = strchr(word, '=');
    const char *argument = NULL;
    if (option->argument && !option->takes_words) {
        if (equal) {
            argument = equal + 1;
        } else if (line->at + 1 < line->argc) {
            argument = line->argv[++line->at];
        } else {
            line->error = arena_format(line->arena, "'%s' needs %s", word, option->argument);
            return;
        }
    }
    void *field = (char *)line->options + option->field;
    line->option = option;
    if (option->set)
        option->set(line, argument);
    if (option->field > 0 && option->argument)
        *(const char **)field = argument;
    else if (option->field > 0)
        *(bool *)field = true;
}

const char *command_take(struct arena *arena, int first, int *argc, char **argv,
                         struct options *options, const struct cli_command *command) {
    struct command_line line = {
        .arena = arena, .options = options, .argc = *argc, .at = first, .argv = argv};
    int kept = 1;
    bool is_over = false;
    for (; line.at < *argc && !line.error; line.at++) {
        is_over = is_over || strcmp(argv[line.at], "--") == 0;
        const struct own_option *option = is_over ? NULL : own_option(command, argv[line.at]);
        if (option)
            take_option(&line, option);
        else
            argv[kept++] = argv[line.at];
    }
    *argc = kept;
    argv[kept] = NULL;
    return line.error;
}

// --- Options of a run ---------------------------------------------------------------------------

// Whether a list of words, with blanks between them, has a word.
static bool has_word(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = list; at && *at; at += strcspn(at, " "), at += strspn(at, " "))
        if (strncmp(at, word, length) == 0 && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

static bool is_own(const struct cli_command *command, const char *name) {
    for (size_t i = 0; i < command->own_count; i++)
        if (strcmp(command->own[i].name + 2, name) == 0)
            return true;
    return false;
}

bool command_accepts(const struct cli_command *command, const char *name) {
    return command->has_run_options && !has_word(command->refuses, name) && !is_own(command, name);
}

const char *command_refusal(struct arena *arena, const struct options *options,
                            const struct cli_command *command) {
    const struct {
        const char *name;
        bool is_given;
    } given[] = {
        {"format", options->print.format_is_given},
        {"verdict", options->check.solver.verdict_only},
        {"states", options->check.solver.max_states > 0},
        {"races", options->check.solver.races},
        {"dump-smt2", options->check.solver.dump_smt2 != NULL},
        {"emit-ptx", options->emit_ptx != NULL},
        {"shard", options->shard_count > 0},
        {"jobs", options->jobs != 1},
        {"quiet", options->print.quiet},
        {"progress", options->check.solver.progress != PROGRESS_OFF},
        {"stats", options->print.stats},
        {"hex", options->check.hex},
    };
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        if (given[i].is_given && has_word(command->refuses, given[i].name))
            return arena_format(arena, "'%s' has no option '--%s'", command->name, given[i].name);
    if (command->formats && options->print.format_is_given && options->print.format == FORMAT_LOG) {
        return arena_format(arena, "'%s' prints '--format text' or 'json', not 'log'",
                            command->name);
    }
    if (!command->takes_several &&
        (options->check.model_count > 1 || options->check.target_count > 1))
        return arena_format(arena, "'%s' takes one model and one target", command->name);
    return NULL;
}
