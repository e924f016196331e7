// Lists and shows the included tests.
#include "cli/commands/library.h"

#include "check/text/names.h"
#include "cli/commands/data.h"
#include "cli/input/files.h"
#include "cli/print/terminal.h"
#include "explain/glossary.h"
#include "litmus/readers/reader.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

// The included tests: the folder that they are in, with their paths in the order of their names.
struct library {
    const char *folder; // NULL when it is not found
    struct input_list files;
};

static struct library library_open(struct arena *arena) {
    struct library library = {.folder = data_library(arena)};
    if (library.folder)
        files_collect(arena, &library.folder, 1, &library.files);
    return library;
}

// "MP" of ".../message-passing/MP.litmus".
static const char *name_of(struct arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *ending = strstr(name, ".litmus");
    return arena_strndup(arena, name, ending ? (size_t)(ending - name) : strlen(name));
}

// "message-passing" of the same.
static const char *topic_of(struct arena *arena, const struct library *library, const char *path) {
    const char *topic = path + strlen(library->folder);
    topic += strspn(topic, "/");
    return arena_strndup(arena, topic, strcspn(topic, "/"));
}

// The path of a test, from the working directory where it is in it; NULL when there is none.
static const char *find(struct arena *arena, const struct library *library, const char *name) {
    char here[4096];
    for (size_t i = 0; i < library->files.count; i++) {
        const char *path = library->files.items[i].path;
        if (strcmp(name_of(arena, path), name) != 0)
            continue;
        size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
        bool inside = length > 1 && strncmp(path, here, length) == 0 && path[length] == '/';
        return inside ? path + length + 1 : path;
    }
    return NULL;
}

// What is wrong with a name that no test has; nor, where `or_word`, the glossary.
static const char *unknown(struct arena *arena, const struct library *library, const char *name,
                           bool or_word) {
    size_t term_count, count = library->files.count;
    const struct glossary_term *terms = glossary_terms(&term_count);
    const char **names = ARENA_ARRAY(arena, const char *, count + term_count + 1);
    for (size_t i = 0; i < count; i++)
        names[i] = name_of(arena, library->files.items[i].path);
    for (size_t i = 0; or_word && i < term_count; i++)
        names[count++] = terms[i].word;
    const char *near = diag_nearest(name, strlen(name), names, count);
    const char *hint = or_word && glossary_find(name)
                           ? "it is a word of the glossary, which is explained by itself"
                       : near ? arena_format(arena, "did you mean '%s'?", near)
                              : "'ptxlitmus list' prints the topics of the tests";
    return arena_format(arena, "no test of the library is called '%s'\nhint: %s",
                        escaped(arena, name), hint);
}

const struct library_test *library_tests(struct arena *arena, size_t *count) {
    const struct library library = library_open(arena);
    *count = library.files.count;
    struct library_test *tests = ARENA_ARRAY(arena, struct library_test, *count + 1);
    for (size_t i = 0; i < *count; i++) {
        const char *path = library.files.items[i].path;
        tests[i] = (struct library_test){name_of(arena, path), path};
    }
    return tests;
}

bool library_has(struct arena *arena, const char *name) {
    struct library library = library_open(arena);
    return library.folder && find(arena, &library, name);
}

static bool is_name(const char *input) {
    return strcmp(input, "-") != 0 && !strchr(input, '/') && !strstr(input, ".litmus") &&
           !strstr(input, ".test") && !strstr(input, ".ptx") && access(input, F_OK) != 0;
}

const char *library_resolve(struct arena *arena, struct options *options, bool strict) {
    struct library library = {0};
    for (size_t i = 0; i < options->input_count; i++) {
        if (!is_name(options->inputs[i]))
            continue;
        if (!library.folder)
            library = library_open(arena);
        const char *path = library.folder ? find(arena, &library, options->inputs[i]) : NULL;
        if (!path && strict && library.folder) {
            return arena_format(arena, "there is no file '%s', and %s",
                                escaped(arena, options->inputs[i]),
                                unknown(arena, &library, options->inputs[i], true));
        }
        options->inputs[i] = path ? path : options->inputs[i];
    }
    return NULL;
}

// --- The commands ------------------------------------------------------------------------------

static enum exit_status refuse(const char *message) {
    FILE *err = terminal_is_utf8() ? stderr : ascii_stream(stderr);
    fprintf(err, "ptxlitmus: error: %s\n", message);
    if (err != stderr)
        fclose(err);
    return EXIT_BAD_INPUT;
}

static void print_topics(struct arena *arena, const struct library *library) {
    const struct input_list *files = &library->files;
    for (size_t i = 0, end; i < files->count; i = end) {
        const char *topic = topic_of(arena, library, files->items[i].path);
        for (end = i; end < files->count &&
                      strcmp(topic_of(arena, library, files->items[end].path), topic) == 0;)
            end++;
        printf("%-16s %3zu tests, such as %s\n", topic, end - i,
               name_of(arena, files->items[end - 1].path));
    }
}

// A test of a topic: its name, what it expects, and its sentence.
static void print_test(FILE *out, const char *path) {
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    const struct source *source = source_read(arena, path, &diagnostics);
    const struct test *test = source ? test_read(arena, source, SYNTAX_GUESS, &diagnostics) : NULL;
    if (test) {
        fprintf(out, "%s:", test->name);
        for (size_t i = 0; i < test->expected_count; i++)
            fprintf(out, "%s %s", i > 0 ? "," : "", expectation_text(test->expected[i].what));
        fputc('\n', out);
        fprintf(out, "  %s\n", escaped(arena, test->description));
    }
    arena_free(arena);
}

static bool print_topic(FILE *out, struct arena *arena, const struct library *library,
                        const char *topic) {
    size_t count = 0;
    for (size_t i = 0; i < library->files.count; i++) {
        if (strcmp(topic_of(arena, library, library->files.items[i].path), topic) == 0) {
            print_test(out, library->files.items[i].path);
            count++;
        }
    }
    return count > 0;
}

enum exit_status library_list(const struct options *options) {
    struct arena *arena = arena_new();
    struct library library = library_open(arena);
    FILE *out = terminal_is_utf8() ? stdout : ascii_stream(stdout);
    enum exit_status status = EXIT_DECIDED;
    if (!library.folder)
        status = refuse("the folder of the included tests is not found");
    else if (options->input_count == 0)
        print_topics(arena, &library);
    for (size_t i = 0; library.folder && i < options->input_count; i++) {
        if (!print_topic(out, arena, &library, options->inputs[i])) {
            status = refuse(arena_format(arena,
                                         "the library has no topic '%s'\n"
                                         "hint: 'ptxlitmus list' prints them",
                                         escaped(arena, options->inputs[i])));
        }
    }
    if (out != stdout)
        fclose(out);
    arena_free(arena);
    return status;
}

enum exit_status library_show(const struct options *options) {
    struct arena *arena = arena_new();
    struct library library = library_open(arena);
    enum exit_status status = EXIT_DECIDED;
    if (!library.folder)
        status = refuse("the folder of the included tests is not found");
    for (size_t i = 0; library.folder && i < options->input_count; i++) {
        struct diagnostics diagnostics;
        diagnostics_init(&diagnostics, arena);
        const char *path = find(arena, &library, options->inputs[i]);
        const struct source *source = path ? source_read(arena, path, &diagnostics) : NULL;
        if (source) {
            fwrite(source->text, 1, source->size, stdout);
        } else {
            status = refuse(path ? arena_format(arena, "cannot read %s", escaped(arena, path))
                                 : unknown(arena, &library, options->inputs[i], false));
        }
    }
    arena_free(arena);
    return status;
}
