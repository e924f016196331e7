// Expands @FILE.
#include "cli/options/lists.h"

#include "check/text/names.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <limits.h>
#include <string.h>

// A list that is being read, and the one that names it.
struct open_list {
    const struct open_list *parent;
    const char *path;
};

struct expansion {
    struct arena *arena;
    char **words;
    size_t count;
    bool is_ended; // after '--', every word is a file
    const char *error;
};

static void add(struct expansion *expansion, char *word, const struct open_list *in);

static bool is_being_read(const struct open_list *list, const char *path) {
    while (list && strcmp(list->path, path) != 0)
        list = list->parent;
    return list != NULL;
}

static const struct source *read_list(struct expansion *expansion, const char *path) {
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, expansion->arena);
    const struct source *source = source_read(expansion->arena, path, &diagnostics);
    const char *shown = escaped(expansion->arena, path);
    if (!source) {
        expansion->error =
            arena_format(expansion->arena, "'@%s': %s\nhint: './@%s' is a file of that name", shown,
                         diagnostics.items[0].message, shown);
    } else if (memchr(source->text, '\0', source->size)) {
        expansion->error =
            arena_format(expansion->arena, "'@%s' is not a list: it holds a NUL byte",
                         escaped(expansion->arena, path));
    }
    return expansion->error ? NULL : source;
}

static void add_line(struct expansion *expansion, const char *text, size_t length,
                     const struct open_list *in) {
    if (length > 0 && text[length - 1] == '\r')
        length--;
    if (strspn(text, " \t") < length && *text != '#')
        add(expansion, arena_strndup(expansion->arena, text, length), in);
}

static void add_list(struct expansion *expansion, const char *path, const struct open_list *in) {
    if (is_being_read(in, path)) {
        expansion->error =
            arena_format(expansion->arena, "'@%s' names itself", escaped(expansion->arena, path));
        return;
    }
    struct open_list list = {in, path};
    const struct source *source = read_list(expansion, path);
    for (uint32_t i = 0; source && i < source->line_count && !expansion->error; i++) {
        const char *line = source->text + source->line_starts[i];
        const char *end = source->text + source->size,
                   *newline = memchr(line, '\n', (size_t)(end - line));
        add_line(expansion, line, (size_t)((newline ? newline : end) - line), &list);
    }
}

static void add(struct expansion *expansion, char *word, const struct open_list *in) {
    if (word && word[0] == '@' && word[1] && !expansion->is_ended) {
        add_list(expansion, word + 1, in);
        return;
    }
    expansion->is_ended |= word && strcmp(word, "--") == 0;
    expansion->words =
        arena_grow(expansion->arena, expansion->words, expansion->count, sizeof *expansion->words);
    expansion->words[expansion->count++] = word;
}

bool lists_expand(struct arena *arena, int *argc, char ***argv, const char **error) {
    struct expansion expansion = {.arena = arena};
    for (int i = 0; i < *argc && !expansion.error; i++) {
        if (i == 0) { // the program's name
            expansion.is_ended = true;
            add(&expansion, (*argv)[i], NULL);
            expansion.is_ended = false;
        } else {
            add(&expansion, (*argv)[i], NULL);
        }
    }
    if (expansion.count >= INT_MAX)
        expansion.error = "too many arguments";
    *error = expansion.error;
    *argc = (int)expansion.count;
    add(&expansion, NULL, NULL);
    *argv = expansion.words;
    return !expansion.error;
}
