// Tokens of litmus tests: one lexer for PTX, Dat3M's dialect and everything around them.
#ifndef PTXLITMUS_LEXER_H
#define PTXLITMUS_LEXER_H

#include "litmus/source/bits.h"
#include "litmus/source/source.h"

#include <stdbool.h>

struct arena;
struct diagnostics;

enum token_kind {
    TOKEN_END,       // after the last token
    TOKEN_WORD,      // [A-Za-z_$%][A-Za-z0-9_$]*: names, opcodes, registers
    TOKEN_QUALIFIER, // '.' word ('::' word)*: ".acquire", ".shared::cta", ".L2::64B", ".x"
    TOKEN_INTEGER,   // decimal, 0x, 0b, octal, with an optional U; `value`
    TOKEN_FLOAT,     // 0fXXXXXXXX, 0dXXXXXXXXXXXXXXXX, 1.5: `value` is the bit pattern of 0f and 0d
    TOKEN_STRING,    // "...": the span includes the quotes
    TOKEN_PUNCT,     // one of the marks below, in `punct`
};

// Marks of one character are their own code; these are the others.
enum punct {
    PUNCT_EQ = 256, // ==
    PUNCT_NE,       // !=
    PUNCT_LE,       // <=
    PUNCT_GE,       // >=
    PUNCT_AND_AND,  // &&
    PUNCT_OR_OR,    // ||
    PUNCT_WEDGE,    // /\ .
    PUNCT_VEE,      // \/ .
    PUNCT_COLONS,   // ::
    PUNCT_IMPLIES,  // =>
};

struct token {
    enum token_kind kind;
    int punct; // TOKEN_PUNCT
    struct span span;
    struct bits128 value; // INTEGER, FLOAT
    bool overflow;        // INTEGER that does not fit 128 bits; END after an open comment
    bool space_before;    // it follows white space or a comment
    bool line_start;      // the first token of its line
};

// Splits a text from byte `begin` to byte `end` into tokens, `*count` of them with the TOKEN_END
// that ends them; the arena owns them. Comments (//, /* */ and (* *)) are skipped. Characters that
// start no token, and comments and strings that do not end, are errors in `diagnostics`; lexing
// goes on after them.
struct token *lexer_tokens(struct arena *arena, const struct source *source, uint32_t begin,
                           uint32_t end, struct diagnostics *diagnostics, size_t *count);

// Whether a token is exactly this word, qualifier (with its dot) or mark.
bool token_is(const struct token *token, const char *text);

// Whether a token is this word in upper or lower case letters.
bool token_is_any_case(const struct token *token, const char *text);

// Whether a token is this mark: a character, or a value of enum punct.
bool token_is_punct(const struct token *token, int punct);

// Returns the candidate that a token seems to misspell, by diag_nearest, or NULL.
const char *token_nearest(const struct token *token, const char *const *candidates, size_t count);

// Returns the bits of a decimal number as a floating-point one of 32 or 64 bits: constants are
// double until they are used (PTX ISA 4.5.2).
uint64_t decimal_bits(const char *text, unsigned bits);

// Returns which of these words a token is, or -1.
int token_among(const struct token *token, const char *const *words, size_t count);

// Returns the token's text, NUL-terminated, owned by the arena.
const char *token_text(struct arena *arena, const struct token *token);

// Returns the first token of the next line, or the TOKEN_END.
const struct token *token_of_next_line(const struct token *token);

// Returns the text of a token, of a string without its quotes, owned by the arena.
const char *token_unquoted(struct arena *arena, const struct token *token);

// Returns the text of the tokens from `first` up to `end` without what is between them, owned by
// the arena; where it was white space or a comment there is a space, if it `is_spaced`.
const char *tokens_text(struct arena *arena, const struct token *first, const struct token *end,
                        bool is_spaced);

#endif
