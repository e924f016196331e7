// Inside litmus/ptx: instructions on matrices.
#ifndef PTXLITMUS_PTX_MATRIX_H
#define PTXLITMUS_PTX_MATRIX_H

#include "litmus/ptx/operands.h"

// --- matrix.c ----------------------------------------------------------------------------------

// Puts what the qualifiers say of matrices into the instruction.
void ptx_set_matrices(const struct statement *statement);

// Resolves an operand of a product of matrices: a role from ACCUMULATOR to BIT. Returns false after
// an error.
bool ptx_resolve_matrix(struct statement *statement, const struct raw_operand *raw, uint32_t role,
                        struct operand *operand);

// Whether the operands of a product of matrices go together. Returns false after an error.
bool ptx_check_matrices(const struct statement *statement);

// --- warp_matrix.c -----------------------------------------------------------------------------

// Puts what an ldmatrix, stmatrix or movmatrix does into the thread, as accesses to rows and an
// exchange in the warp; what remains of the instruction does nothing.
void ptx_take_matrix_apart(struct body *body, struct instruction *instruction);

#endif
