// Options of commands.
#include "cli/options/command.h"

#include "litmus/source/arena.h"

#include <string.h>

bool command_is_number(const char *text) {
    return *text && strspn(text, "0123456789") == strlen(text);
}

bool command_flag(const struct command_line *line, const char *name) {
    return strcmp(line->argv[line->at], name) == 0;
}

bool command_option(struct command_line *line, const char *name, const char **argument) {
    const char *word = line->argv[line->at];
    size_t length = strlen(name);
    if (strncmp(word, name, length) != 0 || (word[length] != '=' && word[length] != '\0')) {
        return false;
    }
    if (word[length] == '=') {
        *argument = word + length + 1;
    } else if (line->at + 1 < line->argc) {
        *argument = line->argv[++line->at];
    } else {
        line->missing = arena_format(line->arena, "'%s' needs an argument", name);
        *argument = "";
    }
    return true;
}

const char *command_take(struct arena *arena, int *argc, char **argv, struct options *options,
                         bool (*take)(struct command_line *line)) {
    struct command_line line = {
        .arena = arena, .options = options, .argc = *argc, .at = 2, .argv = argv};
    int kept = 1;
    bool is_over = false;
    for (; line.at < *argc && !line.error && !line.missing; line.at++) {
        is_over = is_over || command_flag(&line, "--");
        if (is_over || !take(&line)) {
            argv[kept++] = argv[line.at];
        }
    }
    *argc = kept;
    argv[kept] = NULL;
    return line.missing ? line.missing : line.error;
}

const char *command_check(struct arena *arena, const struct options *options, const char *command,
                          unsigned refuses) {
    const struct {
        enum command_refuses bit;
        bool is_given;
        const char *name;
    } given[] = {
        {REFUSE_FORMAT, options->format_is_given, "--format"},
        {REFUSE_VERDICT, options->solver.verdict_only, "--verdict"},
        {REFUSE_STATES, options->solver.max_states > 0, "--states"},
        {REFUSE_RACES, options->solver.races, "--races"},
        {REFUSE_DUMP, options->solver.dump_smt2 != NULL, "--dump-smt2"},
        {REFUSE_EMIT, options->emit_ptx != NULL, "--emit-ptx"},
        {REFUSE_SHARD, options->shard_count > 0, "--shard"},
        {REFUSE_JOBS, options->jobs != 1, "--jobs"},
        {REFUSE_QUIET, options->quiet, "--quiet"},
        {REFUSE_PROGRESS, options->solver.progress != PROGRESS_OFF, "--progress"},
        {REFUSE_STATS, options->stats, "--stats"},
        {REFUSE_HEX, options->hex, "--hex"},
    };
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        if ((refuses & given[i].bit) && given[i].is_given) {
            return arena_format(arena, "'%s' has no option '%s'", command, given[i].name);
        }
    }
    if (options->model_count > 1 || options->target_count > 1) {
        return arena_format(arena, "'%s' takes one model and one target", command);
    }
    return NULL;
}
