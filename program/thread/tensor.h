// Instructions on matrices and on tensor memory: their groups, columns and allocations, and the
// registers of products.
#ifndef PTXLITMUS_PROGRAM_THREAD_TENSOR_H
#define PTXLITMUS_PROGRAM_THREAD_TENSOR_H

#include "program/builder.h"
#include "program/thread/values.h"

struct thread_builder;

// --- thread/tensor.c -------------------------------------------------------------------------

// Whether tcgen05 instructions of one kernel are all of pairs of CTAs, or none. Reports others.
bool tensor_check_groups(struct builder *builder);

// Whether the CTA of the thread has a peer, where the instruction is one of a pair of CTAs. Reports
// where it has none.
bool tensor_check_peer(const struct thread_builder *thread, const struct instruction *instruction);

// Reports accesses to columns of tensor memory that are of a matrix of which a test has the first
// column alone. Needs the candidates.
void tensor_check_columns(struct builder *builder);

// --- thread/wgmma.c --------------------------------------------------------------------------

// Returns the address of the first element of a matrix in shared memory of the thread's CTA, which
// a descriptor says.
struct value matrix_start(struct thread_builder *thread, const struct operand *descriptor);

// Returns a sum of 64 bits in 32: the lowest ones, or with `saturate` the nearest number.
const struct expr *matrix_narrow(struct expr_pool *pool, const struct expr *sum, bool saturate);

// Returns what a product adds where it held `held`: that, where `added` (one bit) holds, else zero.
struct value matrix_addend(struct builder *builder, struct value added, struct value held);

// --- thread/allocation.c ---------------------------------------------------------------------

// Finds which tcgen05.alloc the accesses to tensor memory and the tcgen05.dealloc are about:
// `allocations` of struct event. Needs the candidates and their conditions.
void tensor_find_allocations(struct builder *builder);

// --- thread/uses.c ------------------------------------------------------------------------------

// Begins to note what the thread, which has products of matrices, does with their registers.
void uses_begin(struct thread_builder *thread);

// Notes that the instruction at hand reads or writes a register. Products of matrices must neither
// be in flight then, nor use it later without a fence.
void uses_of_register(struct thread_builder *thread, int reg);

// Notes that the condition of the test reads registers at the end of the thread, which is reached
// where `path` (one bit) holds.
void uses_at_end(struct thread_builder *thread, const struct expr *path);

// Notes the registers of a product that starts, whose EVENT_ISSUE is given; until it is finished,
// registers are used by the product itself.
void uses_start_product(struct thread_builder *thread, const struct instruction *instruction,
                        unsigned issue);
// Notes that the product is in flight from here on.
void uses_finish_product(struct thread_builder *thread, const struct instruction *instruction,
                         unsigned issue);

#endif
