// Inside litmus/ptx: operands, first as they are written and then as the form of the instruction
// says.
#ifndef PTXLITMUS_PTX_OPERANDS_H
#define PTXLITMUS_PTX_OPERANDS_H

#include "litmus/ptx/registers.h"

struct call;

// --- operands.c --------------------------------------------------------------------------------

// An operand as it is written, before the form says what it has to be.
enum raw_kind {
    RAW_WORD,    // name, with `negated` !name
    RAW_SUM,     // name + constant
    RAW_ELEMENT, // name[constant]
    RAW_MEMORY,  // [name], [name + constant], [constant]
    RAW_CONSTANT,
    RAW_FLOAT,
    RAW_VECTOR,  // {a, b}
    RAW_PAIR,    // %p|%q
    RAW_SINK,    // _
    RAW_SPECIAL, // %tid.x
};

struct raw_operand {
    enum raw_kind kind;
    struct span span;
    const struct token *word;     // NULL for a MEMORY without a base
    bool negated;                 // a WORD after '!', a FLOAT after '-'
    struct ptx_constant constant; // CONSTANT, SUM, ELEMENT, MEMORY; 0 when there is none
    const struct token *number;   // FLOAT
    const struct token *unified;  // the .unified after a MEMORY, or NULL
    struct raw_operand *elements; // VECTOR, PAIR
    struct raw_operand
        *coordinates;    // MEMORY: the {c} of [t, {c}], which is the next operand; or NULL
    bool is_coordinates; // VECTOR: it is that
    size_t element_count;
    const char *name; // WORD: that of an element of a vector register; else NULL
    enum special_register special;
    unsigned special_bits; // SPECIAL_OPEN: how many bits it has; else 0
    int member;            // SPECIAL: 0 for .x to 3 for .w, or -1
};

// Reads the operands up to the ';', an array of `*count` that the arena owns. Returns false after
// an error.
bool ptx_parse_operands(struct body *body, struct raw_operand **operands, size_t *count);

// Whether an operand is a register, or an element of a vector register.
bool ptx_names_register(const struct body *body, const struct raw_operand *raw);

// Returns an operand {a, b}, of as many elements as are written; the elements name nothing yet.
struct operand ptx_vector_operand(struct body *body, const struct raw_operand *raw);

// --- special.c ---------------------------------------------------------------------------------

// Returns 0 to 3 for .x .y .z .w, and for .r .g .b .a; -1 for anything else.
int ptx_vector_member(const char *spelling);

// Makes a special register an operand; `member` is the '.x' that follows it, or NULL. Returns false
// after an error.
bool ptx_parse_special(struct body *body, const struct token *name, const struct token *member,
                       struct raw_operand *operand);

// Whether a special register has .x .y .z .w.
bool ptx_special_is_vector(enum special_register special);

// Makes a special register a source operand that meets the need. Returns false after an error.
bool ptx_resolve_special(struct statement *statement, const struct raw_operand *raw,
                         const struct register_need *need, struct operand *operand);

// --- roles.c -----------------------------------------------------------------------------------

// Returns the bits of a floating-point number, a RAW_FLOAT, in a type.
struct bits128 ptx_float_bits(struct body *body, const struct raw_operand *raw,
                              enum scalar_type type);

// Makes an argument of a call (`role` is SOURCE), or the place for a result (DESTINATION), an
// operand of this type. Returns false after an error.
bool ptx_resolve_passed(struct body *body, const struct call *call, const struct raw_operand *raw,
                        enum scalar_type type, uint32_t role, struct operand *operand);

// Makes what is written the operand of a role: the opcode, types and vector of the statement's
// instruction must be set. Returns false after an error.
bool ptx_resolve_operand(struct statement *statement, const struct raw_operand *written,
                         uint32_t role, struct operand *operand);

// --- written.c ---------------------------------------------------------------------------------

// Checks the operands against the roles of the form and puts them into the instruction. Returns
// false after errors.
bool ptx_resolve_operands(struct statement *statement, const struct raw_operand *operands,
                          size_t count);

// --- memory.c ----------------------------------------------------------------------------------

// Resolves and checks a memory operand: its base, state space and alignment. Returns false after an
// error.
bool ptx_resolve_memory(struct statement *statement, const struct raw_operand *raw,
                        struct operand *operand);

// Resolves the [t of a [t, {c}], a tensormap whose tensor has as many dimensions as the instruction
// says. Returns false after an error.
bool ptx_resolve_tensor_map(struct statement *statement, const struct raw_operand *raw,
                            struct operand *operand);

// Checks that coordinates are in the brackets of a tensormap, and nowhere else. Returns false after
// an error.
bool ptx_check_coordinates(struct statement *statement, const struct raw_operand *operands,
                           size_t count, const uint32_t *roles);

// Checks that '.unified' is used only where it may be, and always where it must be (PTX ISA
// 9.7.9.8). Returns false after an error.
bool ptx_check_unified(struct statement *statement, const struct raw_operand *raw,
                       const struct operand *operand);

// Checks that PTX has vectors as wide as the instruction's. Returns false after an error.
bool ptx_check_vector(const struct statement *statement);

// Makes the address of a variable a source operand, for mov and cvta. Returns false after an error.
bool ptx_resolve_address(struct statement *statement, const struct raw_operand *raw,
                         enum scalar_type type, struct operand *operand);

#endif
