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

// What a word may be, and how its meaning is written: in JSON; after the word in a list, and alone;
// before and after the text.
static const struct word_kind {
    const char *name, *listed, *alone, *before, *after;
} a_term = {"term", "", "", "", ""},
  an_axiom = {"axiom", " (axiom)", ", an axiom", "Its rule: ", "."},
  of_cuda = {"cuda", " (CUDA)", ", a word of CUDA", "", "."};

struct meaning {
    const struct word_kind *kind;
    const char *word, *section, *text;
};

static void print_listed(FILE *out, struct arena *arena, const struct meaning *meaning) {
    (void)arena;
    fprintf(out, "%s%s\n", meaning->word, meaning->kind->listed);
}

static void print_entry(FILE *out, struct arena *arena, const struct meaning *meaning) {
    const struct word_kind *kind = meaning->kind;
    fprintf(out, "%s%s", meaning->word, kind->alone);
    if (*meaning->section)
        fprintf(out, " (PTX ISA %s)", meaning->section);
    fputc('\n', out);
    print_lines(out, arena_format(arena, "%s%s%s", kind->before, meaning->text, kind->after));
}

static void print_object(FILE *out, struct arena *arena, const struct meaning *meaning) {
    (void)arena;
    print_json_line(out,
                    json_of("{s:s, s:s, s:s?, s:s}", "word", meaning->word, "kind",
                            meaning->kind->name, "section",
                            *meaning->section ? meaning->section : NULL, "text", meaning->text));
}

// Prints each meaning of a word, or those of all words.
static void print_meanings(FILE *out, struct arena *arena, const char *word,
                           void (*print)(FILE *out, struct arena *arena,
                                         const struct meaning *meaning)) {
    size_t count, cuda_count, axiom_count;
    const struct glossary_term *terms = glossary_terms(&count);
    const struct cuda_word *cuda = cuda_words(&cuda_count);
    const struct axiom_words *axioms = words_axioms(&axiom_count);
    bool all = strcmp(word, all_words) == 0;
    for (size_t i = 0; i < count; i++)
        if (all || &terms[i] == glossary_find(word))
            print(out, arena,
                  &(struct meaning){&a_term, terms[i].word, terms[i].section, terms[i].text});
    for (size_t i = 0; i < axiom_count; i++)
        if (all || glossary_is_same(axioms[i].name, word))
            print(out, arena,
                  &(struct meaning){&an_axiom, axioms[i].name, axioms[i].section, axioms[i].rule});
    for (size_t i = 0; i < cuda_count; i++)
        if (all || &cuda[i] == cuda_word_find(word))
            print(out, arena, &(struct meaning){&of_cuda, cuda[i].word, "", cuda[i].sentence});
}

enum exit_status glossary_print(const struct options *options) {
    struct arena *arena = arena_new();
    bool is_data = format_of(options)->is_data;
    struct streams streams = streams_open(is_data);
    for (size_t i = 0; i < options->input_count; i++) {
        const char *word = options->inputs[i];
        fputs(i > 0 && !is_data ? "\n" : "", streams.out);
        print_meanings(streams.out, arena, word,
                       is_data                        ? print_object
                       : strcmp(word, all_words) == 0 ? print_listed
                                                      : print_entry);
    }
    streams_close(streams);
    arena_free(arena);
    return EXIT_DECIDED;
}
