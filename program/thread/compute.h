// What instructions compute in registers: of integers, of floating-point numbers, of addresses in
// windows, and the values of special registers.
#ifndef PTXLITMUS_PROGRAM_THREAD_COMPUTE_H
#define PTXLITMUS_PROGRAM_THREAD_COMPUTE_H

#include "program/builder.h"
#include "program/thread/values.h"

struct thread_builder;

// --- thread/compute.c -------------------------------------------------------------------------

// Returns the width in bits at which an instruction works: its type's, or the destination's if the
// type is not written (Dat3M's dialect).
unsigned compute_width(const struct thread_builder *thread, const struct instruction *instruction);

// Returns the value of operand `place` in that width.
struct value compute_source(struct thread_builder *thread, const struct instruction *instruction,
                            unsigned place);

// What an instruction computes from the bits of its sources, as bits.
typedef const struct expr *compute_bits(struct expr_pool *pool,
                                        const struct instruction *instruction,
                                        const struct expr *const *sources);

// Returns what `bits_of` computes from the instruction's sources, which are all operands but the
// first, as a value.
struct value compute_result(struct thread_builder *thread, const struct instruction *instruction,
                            compute_bits *bits_of);

// Writes the instruction's result to its destination.
void compute_write(struct thread_builder *thread, const struct instruction *instruction,
                   struct value value);

// --- thread/windows.c -------------------------------------------------------------------------

// Returns the condition (one bit) that a generic address is in .shared memory, of any CTA.
const struct expr *program_is_shared(struct builder *builder, const struct expr *address);

// --- thread/compare.c -------------------------------------------------------------------------

// Returns one bit combined with operand `place` as .and, .or or .xor say; unchanged if there is
// none.
struct value compute_combine(struct thread_builder *thread, const struct instruction *instruction,
                             struct value compared, unsigned place);

// Returns a comparison of integers as one bit.
const struct expr *program_compare(struct expr_pool *pool, enum compare_op op, bool is_signed,
                                   const struct expr *a, const struct expr *b);

// --- thread/special.c -------------------------------------------------------------------------

// Returns the value of a special register, in 32 bits or one; reports one that the placement leaves
// open. One that no placement decides, a clock, has an unknown value in `width` bits.
struct value program_special(struct thread_builder *thread, const struct operand *operand,
                             unsigned width);

// Finds the rank of a place's CTA in its cluster. Returns false when the placement leaves it open.
bool program_cluster_rank(const struct test *test, const struct place *place, unsigned *rank);

// Whether the CTAs of two threads are a pair: "two CTAs within the cluster whose %cluster_ctarank
// differs by the last bit" (PTX ISA 9.7.16.5.1).
bool program_are_peers(const struct test *test, int a, int b);

// --- thread/windows.c -------------------------------------------------------------------------

// Returns the address in the CTA of a rank that a generic address in .shared memory of the cluster
// corresponds to, as mapa does; unknown if there is none. Reports placements that leave ranks open.
struct value window_in_rank(struct thread_builder *thread, const struct instruction *instruction,
                            struct value address, unsigned rank);

// Returns the same in the pair of CTAs that this rank is in, in that CTA of it which is as even or
// odd as the one that the address is in.
struct value window_in_pair(struct thread_builder *thread, const struct instruction *instruction,
                            struct value address, unsigned rank);

// Returns the address in the CTA of the thread `peer` that an address of shared or tensor memory in
// the thread's own CTA corresponds to: the same place in that CTA's instance of the variable; the
// address itself if there is none.
struct value window_in_peer(struct thread_builder *thread, struct value address, int peer);

// --- thread/float.c ---------------------------------------------------------------------------

// Whether an atomic operation computes with floating-point numbers.
bool float_computes(const struct instruction *instruction);

// Whether its type is two numbers of 16 bits in one register (.f16x2, .bf16x2).
bool float_is_packed(const struct instruction *instruction);

// Returns what an atomic operation on floating-point numbers stores at `address`, given what it
// read there and its operand; of packed types, one of the two numbers.
struct value float_atomic(struct builder *builder, const struct instruction *instruction,
                          const struct expr *address, struct value old, struct value b);

// Returns some NaN of a type: which one is not known.
struct value float_some_nan(struct builder *builder, enum scalar_type type);

// Runs an instruction with EFFECT_FLOATS on numbers of a floating-point type.
void compute_float(struct thread_builder *thread, const struct instruction *instruction);

#endif
