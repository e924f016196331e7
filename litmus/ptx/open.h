// Inside litmus/ptx: instructions whose result is open, and those that compute with constants of
// floating-point numbers.
#ifndef PTXLITMUS_PTX_OPEN_H
#define PTXLITMUS_PTX_OPEN_H

#include "litmus/ptx/operands.h"

// --- open.c ------------------------------------------------------------------------------------

// What stands for an instruction whose result is open, in the arena: results that may be anything,
// or one that computes where its operands are constants.
struct open_results {
    struct instruction *items;
    size_t count;
};

// Reads the operands of an instruction whose result is open (ptx.h), and fills `results`, one for
// each destination. The opcode's span and the guard are `instruction`'s. Returns false after an
// error.
bool ptx_parse_open(struct body *body, const struct instruction *instruction,
                    struct open_results *results);

// Makes an operand of a register with its declared type. Returns false where it is none, which is
// not reported.
bool ptx_take_declared(struct body *body, const struct raw_operand *raw, bool is_written,
                       struct operand *operand);

// --- texture.c ---------------------------------------------------------------------------------

// As ptx_parse_open, of an access to a texture or a surface (ptx.h), of which `opcode` is the text.
// The test gets an assumption.
bool ptx_parse_texture(struct body *body, const struct instruction *instruction, const char *opcode,
                       struct open_results *results);

// --- wmma.c ------------------------------------------------------------------------------------

// Adds what a wmma.load or wmma.store does to the thread, of which `opcode` is the text: accesses
// of the lane. `instruction` gets the address and the stride as its operands 1 and 2, which all
// lanes give alike. Returns false after an error. The test gets an assumption.
bool ptx_parse_wmma(struct body *body, struct instruction *instruction, const char *opcode);

// --- concrete.c --------------------------------------------------------------------------------

// Makes an instruction, which has its opcode's span and its guard, one that computes with constants
// of floating-point numbers. Returns false, with or without an error, where it is not of
// a form that is known.
bool ptx_parse_concrete(struct body *body, struct instruction *instruction,
                        const struct raw_operand *operands, size_t count);

#endif
