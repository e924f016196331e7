// Tokens of cat texts.
#ifndef PTXLITMUS_CAT_TOKENS_H
#define PTXLITMUS_CAT_TOKENS_H

#include "litmus/source/source.h"

#include <stddef.h>

struct arena;
struct diagnostics;

// A mark of one character is its own kind: '|', '(', '0' (the empty relation), '_' (all events).
enum cat_token_kind {
    CAT_END = 256,
    CAT_NAME,
    CAT_STRING,    // "...": the span includes the quotes
    CAT_MINUS_ONE, // -1
    CAT_LET,
    CAT_REC,
    CAT_AND,
    CAT_AS,
    CAT_INCLUDE,
    CAT_ACYCLIC,
    CAT_IRREFLEXIVE,
    CAT_IS_EMPTY, // empty
    CAT_FLAG,
    CAT_UNDEFINED_UNLESS,
    CAT_IN_ANY_PROGRAM,
    CAT_SHOW,
    CAT_UNSHOW,
    CAT_IF,
    CAT_THEN,
    CAT_ELSE,
    CAT_UNSUPPORTED, // a word or mark of herd's cat that this subset leaves out
};

struct cat_token {
    int kind; // a character or enum cat_token_kind
    struct span span;
};

// What the subset leaves out, by the word or mark that begins it.
struct cat_unsupported {
    const char *word;
    const char *construct; // how messages call it; NULL for the word itself
    const char *hint;      // or NULL
};

// Returns what is left out that begins with the word or mark in the `length` bytes of `text`; NULL
// for none.
const struct cat_unsupported *cat_find_unsupported(const char *text, size_t length);

// Splits a whole text into tokens, the last a CAT_END. Comments are (* *), which nest, and // and #
// to the end of the line. Characters that start no token, and comments and strings that do not end,
// are errors in `diagnostics`; lexing goes on after them. The arena owns the tokens.
struct cat_token *cat_tokens(struct arena *arena, const struct source *source,
                             struct diagnostics *diagnostics);

#endif
