// What lanes of a warp do with each other's values (PTX ISA 9.7.9.6, 9.7.13.9 to 9.7.13.12): shfl,
// vote, match and redux, and the exchanges of matrices (9.7.14.5.15 to 9.7.14.5.17), which meet at
// a barrier of their own and order no memory (memory-model section 15).
#ifndef PTXLITMUS_ORACLE_WARP_H
#define PTXLITMUS_ORACLE_WARP_H

#include "tests/oracle/thread.h"

enum { LANES = 32 };

// What a lane has given in a phase.
struct warp_part {
    unsigned lane;
    struct value value;
};

// The width of what the wait of an instruction returns; of match.all, whether all are the same.
unsigned warp_width(const struct instruction *at);

// The width of what a lane gives.
unsigned warp_given_width(const struct instruction *at);

// What a wait returns in a phase with these parts, that of its own thread among them.
struct value warp_result(const struct step *wait, unsigned own, const struct warp_part *parts,
                         unsigned count);

// Whether a result is, as it is written, made up of what a lane gives: of what all of them give, of
// one of them (shfl), or of those whose elements come to the thread (matrices).
bool warp_takes(const struct step *wait, unsigned own, unsigned lane);

// The position of a thread in its warp.
unsigned warp_lane(const struct test *test, int thread);

// The lanes that the CTA of a thread has in its warp, as bits.
uint32_t warp_lanes(const struct test *test, int thread);

#endif
