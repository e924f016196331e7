// Inside litmus/ptx: instructions that are taken apart into others.
#ifndef PTXLITMUS_PTX_APART_H
#define PTXLITMUS_PTX_APART_H

#include "litmus/ptx/body.h"

// --- apart.c -----------------------------------------------------------------------------------

// Returns a register of the thread that no test can name; `like` is the instruction that is taken
// apart. The same name gives the same register.
int apart_register(struct body *body, const struct instruction *like, const char *name,
                   enum scalar_type type);

// Returns an operand that is a register.
struct operand apart_operand(const struct instruction *like, int reg);

// Returns an operand that is a number.
struct operand apart_number(const struct instruction *like, uint64_t number);

// Returns an instruction of the same statement, without operands.
struct instruction apart_start(const struct instruction *like, enum opcode opcode,
                               enum scalar_type type);

// Adds an instruction to the thread, with these two operands after those that it has.
void apart_add(struct body *body, struct instruction *instruction, struct operand first,
               struct operand second);

// Adds a branch to a label, with a guard (a register, or -1).
void apart_add_branch(struct body *body, const struct instruction *like, int label, int guard,
                      bool negated);

// Adds a comparison, which is `compare` with operands: into the predicate of this name, as
// apart_register has it. Returns that register.
int apart_add_compare(struct body *body, struct instruction compare, enum compare_op op,
                      const char *name, struct operand a, struct operand b);

// Adds one that puts the number of the lane into a register.
void apart_add_lane(struct body *body, const struct instruction *like, int lane);

// Adds a branch past what is added next where the guard does not hold; all lanes of a warp go the
// same way. Returns the label, to be placed after that; -1: there is no guard.
int apart_skip(struct body *body, const struct instruction *like);

#endif
