// Prints what words mean.
#include "cli/commands/glossary.h"

#include "check/text/json.h"
#include "check/text/names.h"
#include "cli/commands/library.h"
#include "cli/print/formats.h"
#include "cli/print/terminal.h"
#include "explain/glossary.h"
#include "explain/words.h"
#include "litmus/ptx/cuda.h"
#include "litmus/source/arena.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINE_WIDTH = 78 };

// All words, as one that can be asked for.
static const char all_words[] = "words";

static bool is_axiom(const char *word) {
    size_t count;
    const struct axiom_words *axioms = words_axioms(&count);
    for (size_t i = 0; i < count; i++)
        if (glossary_is_same(axioms[i].name, word))
            return true;
    return false;
}

static bool is_word(const char *word) {
    return glossary_find(word) || cuda_word_find(word) || is_axiom(word) ||
           strcmp(word, all_words) == 0;
}

// Returns how many of the inputs make the longest word that begins here, in `*word`; 0: none does.
static size_t longest_word(struct arena *arena, const struct options *options, size_t first,
                           const char **word) {
    const char *joined = options->inputs[first];
    size_t taken = 0;
    for (size_t end = first + 1;; end++) {
        if (is_word(joined)) {
            *word = joined;
            taken = end - first;
        }
        if (end == options->input_count)
            return taken;
        joined = arena_format(arena, "%s %s", joined, options->inputs[end]);
    }
}

bool glossary_takes(struct arena *arena, struct options *options, const char **error) {
    const char **words = ARENA_ARRAY(arena, const char *, options->input_count + 1);
    size_t count = 0;
    for (size_t i = 0, taken; i < options->input_count; i += taken) {
        taken = longest_word(arena, options, i, &words[count]);
        if (i == 0 && (taken == 0 || access(options->inputs[0], F_OK) == 0 ||
                       library_has(arena, options->inputs[0])))
            return false;
        if (taken == 0) {
            *error = arena_format(arena,
                                  "'%s' is a word of the glossary, and '%s' is not\n"
                                  "hint: words and tests are explained one after the other",
                                  escaped(arena, words[0]), escaped(arena, options->inputs[i]));
            return true;
        }
        count++;
    }
    if (options->explain.question.state) {
        *error = arena_format(arena, "'--state' is about a test, and '%s' is a word",
                              escaped(arena, words[0]));
    }
    options->inputs = words;
    options->input_count = count;
    return true;
}

// --- Text --------------------------------------------------------------------------------------

// Prints a text in lines of a width, two columns in.
static void print_lines(FILE *out, const char *text) {
    size_t column = 0;
    while (*text) {
        size_t length = strcspn(text, " ");
        if (column > 0 && column + 1 + length > LINE_WIDTH) {
            fputc('\n', out);
            column = 0;
        }
        fprintf(out, "%s%.*s", column == 0 ? "  " : " ", (int)length, text);
        column += (column == 0 ? 2 : 1) + length;
        text += length + (text[length] == ' ');
    }
    fputc('\n', out);
}

static void print_entry(FILE *out, const char *word, const char *section, const char *text) {
    fprintf(out, "%s", word);
    if (*section)
        fprintf(out, " (PTX ISA %s)", section);
    fputc('\n', out);
    print_lines(out, text);
}

static void print_all(FILE *out) {
    size_t count, cuda_count, axiom_count;
    const struct glossary_term *terms = glossary_terms(&count);
    const struct cuda_word *cuda = cuda_words(&cuda_count);
    const struct axiom_words *axioms = words_axioms(&axiom_count);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s\n", terms[i].word);
    for (size_t i = 0; i < axiom_count; i++)
        fprintf(out, "%s (axiom)\n", axioms[i].name);
    for (size_t i = 0; i < cuda_count; i++)
        fprintf(out, "%s (CUDA)\n", cuda[i].word);
}

// A word may be a term, an axiom and a word of CUDA.
static void print_word(FILE *out, struct arena *arena, const char *word) {
    const struct glossary_term *term = glossary_find(word);
    const struct cuda_word *cuda = cuda_word_find(word);
    size_t count;
    const struct axiom_words *axioms = words_axioms(&count);
    if (strcmp(word, all_words) == 0)
        print_all(out);
    if (term)
        print_entry(out, term->word, term->section, term->text);
    for (size_t i = 0; i < count; i++) {
        if (glossary_is_same(axioms[i].name, word)) {
            print_entry(out, arena_format(arena, "%s, an axiom", axioms[i].name), axioms[i].section,
                        arena_format(arena, "Its rule: %s.", axioms[i].rule));
        }
    }
    if (cuda) {
        print_entry(out, arena_format(arena, "%s, a word of CUDA", cuda->word), "",
                    arena_format(arena, "%s.", cuda->sentence));
    }
}

// --- JSON --------------------------------------------------------------------------------------

static void print_object(FILE *out, const char *word, const char *kind, const char *section,
                         const char *text) {
    print_json_line(out, json_of("{s:s, s:s, s:s?, s:s}", "word", word, "kind", kind, "section",
                                 *section ? section : NULL, "text", text));
}

static void print_objects(FILE *out, const char *word) {
    size_t count, cuda_count, axiom_count;
    const struct glossary_term *terms = glossary_terms(&count);
    const struct cuda_word *cuda = cuda_words(&cuda_count);
    const struct axiom_words *axioms = words_axioms(&axiom_count);
    bool all = strcmp(word, all_words) == 0;
    for (size_t i = 0; i < count; i++)
        if (all || &terms[i] == glossary_find(word))
            print_object(out, terms[i].word, "term", terms[i].section, terms[i].text);
    for (size_t i = 0; i < axiom_count; i++)
        if (all || glossary_is_same(axioms[i].name, word))
            print_object(out, axioms[i].name, "axiom", axioms[i].section, axioms[i].rule);
    for (size_t i = 0; i < cuda_count; i++)
        if (all || &cuda[i] == cuda_word_find(word))
            print_object(out, cuda[i].word, "cuda", "", cuda[i].sentence);
}

enum exit_status glossary_print(const struct options *options) {
    struct arena *arena = arena_new();
    bool is_data = format_of(options)->is_data;
    struct streams streams = streams_open(is_data);
    for (size_t i = 0; i < options->input_count; i++) {
        if (is_data) {
            print_objects(streams.out, options->inputs[i]);
        } else {
            fputs(i > 0 ? "\n" : "", streams.out);
            print_word(streams.out, arena, options->inputs[i]);
        }
    }
    streams_close(streams);
    arena_free(arena);
    return EXIT_DECIDED;
}
