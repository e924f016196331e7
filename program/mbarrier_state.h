// How the state of an mbarrier is kept in its 64 bits (PTX ISA 9.7.13.15.2). PTX leaves it open: a
// program can only pass it on.
#ifndef PTXLITMUS_PROGRAM_MBARRIER_STATE_H
#define PTXLITMUS_PROGRAM_MBARRIER_STATE_H

#include <stdint.h>

// The counts are limited to less than PTX's 2^20 - 1, so that phases can be told apart.
enum {
    MBARRIER_COUNT_BITS = 16, // pending arrivals, then expected ones, from bit 0 on
    MBARRIER_TX_BITS = 21,    // transactions, signed
    MBARRIER_PHASE_BITS = 8,  // modulo 256
    MBARRIER_EXPECTED_AT = MBARRIER_COUNT_BITS,
    MBARRIER_TX_AT = 2 * MBARRIER_COUNT_BITS,
    MBARRIER_PHASE_AT = MBARRIER_TX_AT + MBARRIER_TX_BITS,
    MBARRIER_LAYOUT_AT = MBARRIER_PHASE_AT + MBARRIER_PHASE_BITS, // it is of .layout::v1
    MBARRIER_LIVE_AT = MBARRIER_LAYOUT_AT + 1,                    // it is initialised
    // Threads that the launch leaves out complete the phase before the next operation that changes
    // the state.
    MBARRIER_OTHERS_AT = MBARRIER_LIVE_AT + 1,
    MBARRIER_COUNT_MAX = (1 << MBARRIER_COUNT_BITS) - 1,
    MBARRIER_V1_COUNT_MAX = (1 << 9) - 1, // of .layout::v1 (PTX ISA 9.7.15.16.3 of 9.4)
};

// Returns the state of an mbarrier of which nothing has been used, by its count, which is at most
// MBARRIER_COUNT_MAX.
static inline uint64_t mbarrier_initial_state(uint64_t count) {
    return count | count << MBARRIER_EXPECTED_AT | UINT64_C(1) << MBARRIER_LIVE_AT;
}

#endif
