// What the lanes of a warp do with each other's values, and who leads them.
#ifndef PTXLITMUS_PROGRAM_THREAD_WARP_H
#define PTXLITMUS_PROGRAM_THREAD_WARP_H

#include "program/builder.h"

// Who leads the lanes of a mask.
struct election {
    int leader;    // the first thread of the CTA
    unsigned warp; // there
    uint32_t mask;
    const struct expr *elected[32]; // by lane: it is the leader (one bit); NULL: not modelled
    const struct expr *other;       // 32 bits: the leader, where it is none of those
    struct election *next;
};

// Whether an instruction of a warp meets the other lanes at events: the program has all lanes that
// take part.
bool warp_meets(const struct thread *thread, const struct instruction *instruction);

// Defines what the wait of a barrier_exchange gives; its phase pairs are those from `first` on.
void warp_reduce(struct builder *builder, const struct event *wait, size_t first);

// The same where these arrivals, one for each lane, meet at the wait whenever it passes.
void warp_reduce_all(struct builder *builder, const struct event *wait, const unsigned *arrivals,
                     size_t count);

// --- thread/lanes.c ----------------------------------------------------------------------------

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
