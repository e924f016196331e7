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

#endif
