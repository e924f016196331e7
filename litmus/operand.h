// Registers and operands of instructions.
#ifndef PTXLITMUS_LITMUS_OPERAND_H
#define PTXLITMUS_LITMUS_OPERAND_H

#include "litmus/source/bits.h"
#include "litmus/source/source.h"
#include "litmus/vocabulary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct test_register {
    const char *name;      // as the test spells it at its first use ("%r0", "r0"); compare with
                           // test_register_key, which drops one leading '%'
    enum scalar_type type; // TYPE_NONE when it was never declared
    unsigned width;        // bits; for an undeclared register that of its first use
    struct span span;      // declaration or first use
    bool has_initial;
    int initial_variable;   // index of the variable whose address it starts with, or -1
    struct bits128 initial; // else this value
};

enum operand_kind {
    OPERAND_REGISTER,
    OPERAND_IMMEDIATE,
    OPERAND_ADDRESS, // the address of a variable plus offset, as a value: mov.u64 %rd, x
    OPERAND_MEMORY,  // [base + offset]
    OPERAND_VECTOR,  // {a, b}: elements
    OPERAND_SINK,    // _
    OPERAND_LABEL,
    OPERAND_SPECIAL, // a special register as a source: special, member
};

struct operand {
    enum operand_kind kind;
    struct span span;
    int reg;                  // REGISTER; MEMORY with a register base; else -1
    int variable;             // ADDRESS; MEMORY with a variable base; else -1
    int64_t offset;           // ADDRESS, MEMORY (an immediate address is an offset without base)
    struct bits128 immediate; // IMMEDIATE, sign-extended to 128 bits when written negative
    int label;                // LABEL: index into the thread's labels
    bool negated;             // REGISTER: !%p as a source operand
    enum special_register special;
    unsigned member; // SPECIAL: 0 for .x (and for one that is not a vector) to 3 for .w; the number
                     // of an %envreg
    struct operand *elements; // VECTOR
    size_t element_count;
};

// Returns how many elements an operand has: those of the vector, or itself alone.
static inline unsigned operand_length(const struct operand *operand) {
    return operand->kind == OPERAND_VECTOR ? (unsigned)operand->element_count : 1;
}

// Returns one of them.
static inline const struct operand *operand_element(const struct operand *operand, size_t element) {
    return operand->kind == OPERAND_VECTOR ? &operand->elements[element] : operand;
}

// Returns an operand of this kind that names nothing yet.
struct operand operand_new(enum operand_kind kind, struct span span);

// Returns a register as an operand.
struct operand operand_register(int reg, struct span span);

// Returns the place of a variable in memory as an operand.
struct operand operand_memory(int variable, struct span span);

// Returns a constant as an operand.
struct operand operand_number(uint64_t number, struct span span);

// Returns the name without one leading '%', as a part of `name`: `r0` and `%r0` are one register.
const char *test_register_key(const char *name);

#endif
