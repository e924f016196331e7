// Prints docs/glossary.md from the tables of words: explain/glossary.def, the axioms of
// explain/words.def, and litmus/ptx/cuda.def. `./dev promote` writes the page, and the test
// `glossary` compares it.
#include "explain/glossary.h"
#include "explain/words.h"
#include "litmus/ptx/cuda.h"

#include <stdio.h>

// Prints words, "words in quotes" as code.
static void print_text(const char *text) {
    for (const char *at = text; *at; at++) {
        putchar(*at == '\'' && (at == text || at[-1] == ' ' || at[-1] == '(' || at[1] == '\0' ||
                                at[1] == ' ' || at[1] == ',' || at[1] == '.' || at[1] == ';' ||
                                at[1] == ':' || at[1] == ')')
                    ? '`'
                    : *at);
    }
}

static void print_section(const char *section) {
    if (*section)
        printf(" (PTX ISA %s)", section);
}

int main(void) {
    size_t count;
    const struct glossary_term *terms = glossary_terms(&count);
    puts("# Glossary\n\n"
         "What the words mean that the program prints; `ptxlitmus explain WORD` prints them, too. "
         "Made from\n"
         "`explain/glossary.def`, `explain/words.def` and `litmus/ptx/cuda.def` by `./dev "
         "promote`;\n"
         "`memory-scopes.md` introduces the most important ones one after the other.\n");
    for (size_t i = 0; i < count; i++) {
        printf("- **%s**", terms[i].word);
        print_section(terms[i].section);
        fputs(": ", stdout);
        print_text(terms[i].text);
        putchar('\n');
    }
    puts("\n## Axioms\n\n| axiom | PTX ISA | rule |\n| --- | --- | --- |");
    const struct axiom_words *axioms = words_axioms(&count);
    for (size_t i = 0; i < count; i++)
        printf("| %s | %s | %s |\n", axioms[i].name, axioms[i].section, axioms[i].rule);
    puts("\n## Words of CUDA\n\n| CUDA | PTX | |\n| --- | --- | --- |");
    const struct cuda_word *words = cuda_words(&count);
    for (size_t i = 0; i < count; i++) {
        printf("| `%s` | `%s` | ", words[i].word, words[i].ptx);
        print_text(words[i].sentence);
        puts(" |");
    }
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
