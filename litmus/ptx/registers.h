// Inside litmus/ptx: the registers of a body, and whether an operand may be one.
#ifndef PTXLITMUS_PTX_REGISTERS_H
#define PTXLITMUS_PTX_REGISTERS_H

#include "litmus/ptx/body.h"

// --- registers.c -------------------------------------------------------------------------------

// Returns the facts about a register of the thread, for reading and writing; the body owns them,
// until the next register is added.
struct register_facts *ptx_register_facts(struct body *body, int reg);

// Whether a word names a register here, rather than a variable.
bool ptx_is_register(const struct body *body, const struct token *token);

// What an operand requires of a register.
struct register_need {
    enum scalar_type type;
    bool wider;      // a wider register serves as well
    bool is_address; // the type is that of an address
    bool is_written;
};

// The name of the register that holds the carry of a sum, which no test can write.
#define PTX_CARRY ".cc"

// Returns the register that a word names, checked against the need, or -1 after an error.
int ptx_use_register(struct body *body, const struct token *token,
                     const struct register_need *need);

// Whether a register of the declared type can hold a value of the wanted one, apart from sizes (PTX
// ISA 9.4).
bool ptx_types_agree(enum scalar_type declared, enum scalar_type wanted);

// As ptx_use_register, for a name that is not the token's text: an element of a vector.
int ptx_use_register_named(struct body *body, const char *name, const struct token *token,
                           const struct register_need *need);

// Returns ".u32", or "of 32 bits" for an undeclared register; the arena owns it.
const char *ptx_register_type(const struct body *body, const struct test_register *reg);

// Reports errors about registers that only the whole body shows.
void ptx_check_registers(struct body *body);

#endif
