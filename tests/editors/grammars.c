// The editors' grammars against the tables of the program: their files are JSON, what the package
// names is there, and their lists of words are those of the instruction table, of the cat language
// and of its base names, no more and no less.
//
// usage: grammars EDITORS_FOLDER VERSION READ_WORD... -- RESERVED_WORD...    (words of the cat
// language)
#include "litmus/source/arena.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 500, PATH_MAX_BYTES = 4096 };

static int failures;
static const char *folder;
static struct arena *arena; // of all words

struct words {
    const char *items[WORDS_MAX];
    size_t count;
};

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool has(const struct words *words, const char *text) {
    for (size_t i = 0; i < words->count; i++)
        if (strcmp(words->items[i], text) == 0)
            return true;
    return false;
}

// Adds the part of a word before a dot, once.
static void add(struct words *words, const char *text) {
    const char *word = arena_strndup(arena, text, strcspn(text, "."));
    if (!has(words, word) && words->count < WORDS_MAX)
        words->items[words->count++] = word;
}

// The words with '|' between them, sorted.
static const char *joined(struct words *words) {
    const char *text = "";
    qsort(words->items, words->count, sizeof words->items[0], by_text);
    for (size_t i = 0; i < words->count; i++)
        text = arena_format(arena, "%s%s%s", text, i > 0 ? "|" : "", words->items[i]);
    return text;
}

static void check(bool good, const char *what, const char *detail) {
    if (!good) {
        printf("FAIL %s: %s\n", what, detail);
        failures++;
    }
}

// --- Files -------------------------------------------------------------------------------------

static const char *path_of(const char *name) {
    static char path[2 * PATH_MAX_BYTES];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static json_t *load(const char *name) {
    json_error_t error;
    json_t *object = json_load_file(path_of(name), JSON_REJECT_DUPLICATES, &error);
    if (!object) {
        printf("FAIL %s:%d:%d: %s\n", error.source, error.line, error.column, error.text);
        exit(EXIT_FAILURE);
    }
    return object;
}

// Loads the file that an entry of the package names.
static void check_named(const json_t *entry, const char *field) {
    const char *path = json_string_value(json_object_get(entry, field));
    char name[PATH_MAX_BYTES + 8];
    check(path != NULL, "package.json lacks", field);
    if (path) {
        snprintf(name, sizeof name, "vscode/%s", path);
        json_decref(load(name));
    }
}

static void check_package(const char *version) {
    json_t *package = load("vscode/package.json"), *entry;
    json_t *contributes = json_object_get(package, "contributes");
    const char *said = json_string_value(json_object_get(package, "version"));
    size_t i;
    check(said && strcmp(said, version) == 0, "package.json has another version than", version);
    check(json_array_size(json_object_get(contributes, "languages")) == 3, "package.json",
          "languages");
    json_array_foreach(json_object_get(contributes, "languages"), i, entry) {
        check_named(entry, "configuration");
    }
    json_array_foreach(json_object_get(contributes, "grammars"), i, entry) {
        check_named(entry, "path");
    }
    json_decref(package);
}

// --- Words -------------------------------------------------------------------------------------

// The pattern of this name, anywhere in a grammar.
static const char *pattern(const json_t *at, const char *name) {
    const char *key, *found = NULL, *own = json_string_value(json_object_get(at, "name"));
    json_t *value;
    size_t i;
    if (own && strcmp(own, name) == 0)
        return json_string_value(json_object_get(at, "match"));
    if (json_is_array(at)) {
        json_array_foreach(at, i, value) {
            found = found ? found : pattern(value, name);
        }
    } else if (json_is_object(at)) {
        json_object_foreach((json_t *)(size_t)at, key, value) {
            found = found ? found : pattern(value, name);
        }
    }
    return found;
}

// Whether the pattern's choice of words is that of the table.
static void check_pattern(const json_t *grammar, const char *name, struct words *words) {
    const char *match = pattern(grammar, name), *list = joined(words);
    const char *begin = match ? strstr(match, list) : NULL;
    bool good = begin && begin > match && (begin[-1] == ':' || begin[-1] == '(') &&
                begin[strlen(list)] == ')';
    check(good, name, list);
}

// The words of the lines "syntax keyword GROUP ..." of a Vim file.
static void check_vim(const char *name, const char *group, struct words *words) {
    static char lines[1 << 16];
    char prefix[128];
    struct words found = {.count = 0};
    FILE *file = fopen(path_of(name), "r");
    size_t size = file ? fread(lines, 1, sizeof lines - 1, file) : 0;
    lines[size] = '\0';
    if (file)
        fclose(file);
    int length = snprintf(prefix, sizeof prefix, "syntax keyword %s ", group);
    for (char *line = strstr(lines, prefix); line; line = strstr(line, prefix)) {
        line += length;
        while (*line != '\n' && *line) {
            size_t word = strcspn(line, " \n");
            add(&found, arena_strndup(arena, line, word));
            line += word + (line[word] == ' ');
        }
    }
    check(strcmp(joined(&found), joined(words)) == 0, group, joined(words));
}

static void add_qualifier(const char *class_name, const char *spelling, struct words *orders,
                          struct words *scopes) {
    if (strcmp(class_name, "ORDER") == 0 || strcmp(class_name, "MMIO") == 0)
        add(orders, spelling + 1);
    else if (strcmp(class_name, "SCOPE") == 0)
        add(scopes, spelling + 1);
}

static void check_litmus(void) {
    struct words read = {.count = 0}, known = {.count = 0}, unread = {.count = 0};
    struct words orders = {.count = 0}, scopes = {.count = 0};
    add(&read, "call"); // read without a row of its own
#define FORM(opcode, name, qualifiers, ptx, sm, ...) add(&read, name);
#define OUTSIDE(opcode, name, qualifiers, ptx, sm, why) add(&read, name);
#include "litmus/ptx/instructions.def"
#define UNREAD(name, ptx, sm, what) add(&known, name);
#define UNREAD_OF(name, qualifiers, ptx, sm, what) add(&known, name);
#include "litmus/ptx/unread.def"
    for (size_t i = 0; i < known.count; i++)
        if (!has(&read, known.items[i]))
            add(&unread, known.items[i]);
    json_t *grammar = load("vscode/syntaxes/litmus.tmLanguage.json");
    check_pattern(grammar, "support.function.opcode.ptx", &read);
    check_pattern(grammar, "invalid.unimplemented.opcode.ptx", &unread);
    check_vim("vim/syntax/litmus.vim", "litmusOpcode", &read);
    check_vim("vim/syntax/litmus.vim", "litmusUnread", &unread);
#define QUALIFIER(class, spelling, value) add_qualifier(#class, spelling, &orders, &scopes);
#include "litmus/ptx/qualifiers.def"
    check_pattern(grammar, "keyword.other.order.ptx", &orders);
    check_pattern(grammar, "storage.type.scope.ptx", &scopes);
    json_decref(grammar);
}

static void check_cat(struct words *keywords, struct words *reserved) {
    struct words sets = {.count = 0}, relations = {.count = 0}, tests = {.count = 0},
                 others = {.count = 0};
#define BASE_SET(id, name, doc) add(&sets, name);
#define BASE_RELATION(id, name, doc) add(&relations, name);
#include "model/cat/base.def"
    for (size_t i = 0; i < keywords->count; i++) {
        const char *word = keywords->items[i];
        bool is_test = strcmp(word, "acyclic") == 0 || strcmp(word, "irreflexive") == 0 ||
                       strcmp(word, "empty") == 0;
        add(is_test ? &tests : &others, word);
    }
    json_t *grammar = load("vscode/syntaxes/cat.tmLanguage.json");
    check_pattern(grammar, "keyword.control.test.cat", &tests);
    check_pattern(grammar, "keyword.other.cat", &others);
    check_pattern(grammar, "invalid.unimplemented.cat", reserved);
    check_pattern(grammar, "support.type.set.cat", &sets);
    check_pattern(grammar, "support.function.relation.cat", &relations);
    check_vim("vim/syntax/cat.vim", "catTest", &tests);
    check_vim("vim/syntax/cat.vim", "catKeyword", &others);
    check_vim("vim/syntax/cat.vim", "catReserved", reserved);
    check_vim("vim/syntax/cat.vim", "catSet", &sets);
    check_vim("vim/syntax/cat.vim", "catRelation", &relations);
    json_decref(grammar);
}

int main(int argc, char **argv) {
    struct words keywords = {.count = 0}, reserved = {.count = 0};
    if (argc < 5) {
        fputs("usage: grammars EDITORS_FOLDER VERSION READ_WORD... -- RESERVED_WORD...\n", stderr);
        return 2;
    }
    folder = argv[1];
    arena = arena_new();
    bool is_reserved = false;
    for (int i = 3; i < argc; i++)
        if (strcmp(argv[i], "--") == 0)
            is_reserved = true;
        else
            add(is_reserved ? &reserved : &keywords, argv[i]);
    check(keywords.count > 10 && reserved.count > 10, "words of the cat language", "too few");
    check_package(argv[2]);
    check_litmus();
    check_cat(&keywords, &reserved);
    arena_free(arena);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
