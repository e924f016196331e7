// Constant expressions (PTX ISA 4.5): integers of 64 bits, signed unless something makes them
// unsigned.
#ifndef PTXLITMUS_PTX_CONSTANT_H
#define PTXLITMUS_PTX_CONSTANT_H

#include "litmus/source/lexer.h"

struct arena;
struct diagnostics;

struct ptx_constant {
    uint64_t value;
    bool is_unsigned; // by its suffix, its size, or an operand
    struct span span;
};

// Reads a constant expression from the tokens at `*at`, which end with a TOKEN_END or a ';', and
// moves `*at` past it. Returns false after an error.
bool ptx_parse_constant(struct arena *arena, struct diagnostics *diagnostics,
                        const struct token **at, struct ptx_constant *constant);

// Whether a token can start a constant expression.
bool ptx_starts_constant(const struct token *token);

// Whether a constant is signed and below 0.
bool ptx_constant_is_negative(const struct ptx_constant *constant);

// Whether the constant fits in `bits` bits, whether they are read as signed or unsigned.
bool ptx_constant_fits(const struct ptx_constant *constant, unsigned bits);

// Returns the constant as an immediate: sign-extended to 128 bits when it is negative.
struct bits128 ptx_constant_bits(const struct ptx_constant *constant);

#endif
