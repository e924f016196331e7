// The glossary: what the words mean that the program prints.
#ifndef PTXLITMUS_EXPLAIN_GLOSSARY_H
#define PTXLITMUS_EXPLAIN_GLOSSARY_H

#include <stdbool.h>
#include <stddef.h>

// A row of glossary.def.
struct glossary_term {
    const char *word;
    const char *forms;   // other forms of it, separated by '|'
    const char *section; // of the PTX ISA, or ""
    const char *text;
};

// Returns all `*count` terms, which live for ever, in the order of the alphabet.
const struct glossary_term *glossary_terms(size_t *count);

// Returns the term of a word, or of another form of it; letters may be of either case, and '-' and
// '_' may be in place of spaces. NULL when there is none.
const struct glossary_term *glossary_find(const char *word);

// Whether two words are the same in that sense.
bool glossary_is_same(const char *a, const char *b);

#endif
