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

// Marks of one character are their own code; the others stand here.
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
    bool space_before;    // white space or a comment stands before it
    bool line_start;      // the first token of its line
};

// Splits a text from byte `begin` to byte `end` into tokens, the last a TOKEN_END. Comments (//,
// /* */ and (* *)) are skipped. Characters that start no token, open comments and open strings are
// errors in `diagnostics`; lexing goes on after them.
struct token *lexer_tokens(struct arena *arena, const struct source *source, uint32_t begin,
                           uint32_t end, struct diagnostics *diagnostics, size_t *count);

// Whether a token is exactly this word or qualifier (with its dot) or mark.
bool token_is(const struct token *token, const char *text);
// The same for a word, whatever the case of its letters.
bool token_is_any_case(const struct token *token, const char *text);
bool token_is_punct(const struct token *token, int punct);

// The token's text, NUL-terminated, owned by the arena.
const char *token_text(struct arena *arena, const struct token *token);

#endif
