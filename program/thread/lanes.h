// Inside program/thread: how the lanes of a warp hold matrices.
#ifndef PTXLITMUS_PROGRAM_THREAD_LANES_H
#define PTXLITMUS_PROGRAM_THREAD_LANES_H

#include "program/builder.h"

// Whether an exchange in a warp is that of an ldmatrix, stmatrix or movmatrix, whose
// `columns` say how many matrices of 8 by 8 elements there are.
bool lanes_is_matrix(const struct instruction *instruction);

// Returns how many bits a lane gets from it: 32 for each register of an ldmatrix, and a row of 128
// for an stmatrix.
unsigned lanes_width(const struct instruction *instruction);

// Whether the lane `to` gets anything from the lane `from` (0 to 31).
bool lanes_gives(const struct instruction *instruction, unsigned from, unsigned to);

// Returns the lanes, as bits, from which the register `number` of what a lane gets comes.
uint32_t lanes_of_register(const struct instruction *instruction, unsigned to, unsigned number);

// Returns what the lane `to` gets (lanes_width bits): `so_far`, with what the lane `from` gives in
// its places where `there` (one bit) holds. A lane gives a row of 128 bits to an ldmatrix, and its
// registers, the first one lowest, to the others.
const struct expr *lanes_combine(struct expr_pool *pool, const struct instruction *instruction,
                                 const struct expr *so_far, const struct expr *there,
                                 const struct expr *given, unsigned from, unsigned to);

#endif
