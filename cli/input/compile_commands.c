// Reads compile_commands.json, as CMake and others write it (clang's "JSON Compilation Database").
#include "cli/input/compile_commands.h"

#include "check/text/names.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char file_name[] = "compile_commands.json";

// --- Paths -------------------------------------------------------------------------------------

// A path without links, owned by the arena; NULL where there is no such file.
static const char *real(struct arena *arena, const char *path) {
    char *found = realpath(path, NULL);
    const char *copy = found ? arena_strndup(arena, found, strlen(found)) : NULL;
    free(found);
    return copy;
}

static const char *in_folder(struct arena *arena, const char *folder, const char *path) {
    return path[0] == '/' ? path : arena_format(arena, "%s/%s", folder, path);
}

// The nearest list at or above the folder of a file, or NULL.
static const char *find_list(struct arena *arena, const char *file) {
    size_t length = strlen(file);
    while (length > 0) {
        while (length > 0 && file[length - 1] != '/')
            length--;
        const char *list = arena_format(arena, "%.*s%s", (int)length, file, file_name);
        if (access(list, F_OK) == 0)
            return list;
        length -= length > 0;
    }
    return NULL;
}

// --- Words -------------------------------------------------------------------------------------

struct words {
    const char **items;
    size_t count;
};

static void add_word(struct arena *arena, struct words *words, const char *word) {
    words->items = arena_grow(arena, words->items, words->count, sizeof *words->items);
    words->items[words->count++] = word;
}

// word = (char | "\" char | "'" char* "'" | '"' (char | "\" char)* '"')+, as a shell reads them.
// Reads one that begins at `*at`.
static const char *shell_word(struct arena *arena, const char **at) {
    char *word = arena_alloc(arena, strlen(*at) + 1), quote = '\0';
    size_t length = 0;
    const char *c = *at;
    for (; *c && (quote || !strchr(" \t\r\n", *c)); c++) {
        if (quote ? *c == quote : *c == '\'' || *c == '"') {
            quote = quote ? '\0' : *c;
        } else {
            c += *c == '\\' && quote != '\'' && c[1];
            word[length++] = *c;
        }
    }
    word[length] = '\0';
    *at = c;
    return word;
}

static struct words shell_words(struct arena *arena, const char *command) {
    static const char blanks[] = " \t\r\n";
    struct words words = {0};
    for (const char *at = command + strspn(command, blanks); *at; at += strspn(at, blanks))
        add_word(arena, &words, shell_word(arena, &at));
    return words;
}

// The words of an entry's "arguments" or "command". JSON's texts are released with it, so that they
// are copied.
static struct words words_of(struct arena *arena, const json_t *entry) {
    struct words words = {0};
    const json_t *arguments = json_object_get(entry, "arguments"), *word;
    const char *command = json_string_value(json_object_get(entry, "command"));
    size_t i;
    json_array_foreach(arguments, i, word) {
        if (json_is_string(word))
            add_word(arena, &words, arena_format(arena, "%s", json_string_value(word)));
    }
    return words.count == 0 && command ? shell_words(arena, command) : words;
}

// --- Flags -------------------------------------------------------------------------------------

enum taken_kind { FLAG_PLAIN, FLAG_FOLDER, FLAG_FILE, FLAG_TARGET };

// A flag that is taken: its argument follows after '=' or nothing in the same word, or is the next
// word.
static const struct taken_flag {
    const char *name;
    enum taken_kind kind;
    bool is_letter; // its argument may follow without a '='
} taken_flags[] = {
    {"--generate-code", FLAG_TARGET, false},
    {"-gencode", FLAG_TARGET, false},
    {"--gpu-architecture", FLAG_TARGET, false},
    {"-arch", FLAG_TARGET, false},
    {"--cuda-gpu-arch", FLAG_TARGET, false},
    {"--offload-arch", FLAG_TARGET, false},
    {"-isystem", FLAG_FOLDER, true},
    {"-include", FLAG_FILE, false},
    {"--std", FLAG_PLAIN, false},
    {"-std", FLAG_PLAIN, false},
    {"-I", FLAG_FOLDER, true},
    {"-D", FLAG_PLAIN, true},
    {"-U", FLAG_PLAIN, true},
};

// The argument of a flag in words[*at]; NULL where it is another one. `*at` becomes its last word.
static const char *argument_of(const struct taken_flag *flag, const struct words *words,
                               size_t *at) {
    const char *word = words->items[*at];
    size_t length = strlen(flag->name);
    if (strncmp(word, flag->name, length) != 0)
        return NULL;
    if (word[length] == '\0')
        return *at + 1 < words->count ? words->items[++*at] : NULL;
    return word[length] == '=' ? word + length + 1 : flag->is_letter ? word + length : NULL;
}

// The target that a word names, "90a" in "arch=compute_90a,code=sm_90a"; NULL: none.
static const char *target_in(struct arena *arena, const char *word) {
    static const char *const before[] = {"compute_", "sm_"};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        const char *found = strstr(word, before[i]);
        if (found) {
            found += strlen(before[i]);
            return arena_strndup(arena, found, strspn(found, "0123456789af"));
        }
    }
    return strspn(word, "0123456789") > 0 ? word : NULL;
}

static void take_target(struct arena *arena, struct project_flags *flags, const char *word) {
    const char *target = target_in(arena, word);
    const char *before = flags->architecture;
    unsigned long number = target ? strtoul(target, NULL, 10) : 0;
    unsigned long other = before ? strtoul(before, NULL, 10) : 0;
    if (number > other || (number > 0 && number == other && strlen(target) > strlen(before)))
        flags->architecture = target;
}

static void add_flag(struct arena *arena, struct project_flags *flags, const char *flag) {
    flags->flags = arena_grow(arena, flags->flags, flags->count, sizeof *flags->flags);
    flags->flags[flags->count++] = flag;
}

static void take_flag(struct arena *arena, struct project_flags *flags, const char *folder,
                      const struct taken_flag *flag, const char *argument) {
    const char *path = in_folder(arena, folder, argument);
    switch (flag->kind) {
    case FLAG_TARGET: take_target(arena, flags, argument); return;
    case FLAG_PLAIN:
        add_flag(arena, flags,
                 arena_format(arena, "%s%s%s", flag->name, flag->is_letter ? "" : "=", argument));
        return;
    case FLAG_FOLDER:
    case FLAG_FILE:
        add_flag(arena, flags, flag->name);
        add_flag(arena, flags,
                 flag->kind == FLAG_FOLDER || access(path, F_OK) == 0 ? path : argument);
        return;
    }
}

static void take_words(struct arena *arena, struct project_flags *flags, const char *folder,
                       const struct words *words) {
    for (size_t at = 1; at < words->count; at++) { // the first one is the compiler
        const char *argument = NULL;
        if (strncmp(words->items[at], "-X", 2) == 0 && !strchr(words->items[at], '=')) {
            at++; // the next one is for another program: -Xcompiler -DX
            continue;
        }
        for (size_t i = 0; i < sizeof taken_flags / sizeof *taken_flags && !argument; i++) {
            argument = argument_of(&taken_flags[i], words, &at);
            if (argument)
                take_flag(arena, flags, folder, &taken_flags[i], argument);
        }
    }
}

// --- The list ----------------------------------------------------------------------------------

// Takes the flags of the first entry that is of the file. Returns what is wrong with the list, or
// NULL.
static const char *take_entry(struct arena *arena, const json_t *list, const char *list_path,
                              const char *file, struct project_flags *flags) {
    const char *beside = arena_strndup(arena, list_path, strlen(list_path) - sizeof file_name);
    const json_t *entry;
    size_t i;
    if (!json_is_array(list))
        return "it is not an array of objects with 'file', 'directory' and 'command'";
    json_array_foreach(list, i, entry) {
        const char *name = json_string_value(json_object_get(entry, "file"));
        const char *folder = json_string_value(json_object_get(entry, "directory"));
        if (!name)
            return arena_format(arena, "entry %zu has no text 'file'", i + 1);
        folder = folder ? in_folder(arena, beside, arena_format(arena, "%s", folder)) : beside;
        const char *path = real(arena, in_folder(arena, folder, name));
        if (path && strcmp(path, file) == 0) {
            const struct words words = words_of(arena, entry);
            take_words(arena, flags, folder, &words);
            return NULL;
        }
    }
    return NULL;
}

bool compile_commands_find(struct arena *arena, const char *path, struct project_flags *flags,
                           struct diagnostics *diagnostics) {
    const char *file = real(arena, path);
    const char *list_path = file ? find_list(arena, file) : NULL;
    *flags = (struct project_flags){0};
    if (!list_path)
        return true;
    const struct source *text = source_read(arena, list_path, diagnostics);
    if (!text)
        return false;
    json_error_t error;
    json_t *list = json_loadb(text->text, text->size, 0, &error);
    const char *wrong =
        list ? take_entry(arena, list, list_path, file, flags)
             : arena_format(arena, "this is not JSON: %s (line %d)", error.text, error.line);
    json_decref(list);
    if (wrong) {
        diag_error_path(diagnostics, list_path, "%s", wrong);
        diag_hint(diagnostics, "flags of '%s' are looked for in it", escaped(arena, path));
    }
    return !wrong;
}
