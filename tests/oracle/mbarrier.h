// What an operation on an mbarrier does to the object (PTX ISA 9.7.13.15.2 to 9.7.13.15.7), on
// states as numbers of 64 bits, which PTX leaves open.
#ifndef PTXLITMUS_ORACLE_MBARRIER_H
#define PTXLITMUS_ORACLE_MBARRIER_H

#include <stdbool.h>
#include <stdint.h>

enum { MBARRIER_PHASE_BITS = 9 };

struct mbarrier_state {
    bool valid;
    bool v1;        // of .layout::v1
    unsigned phase; // modulo 2 to MBARRIER_PHASE_BITS
    unsigned expected, pending;
    int32_t tx;
};

// States as what a thread sees in a register, and back.
uint64_t mbarrier_pack(struct mbarrier_state state);
struct mbarrier_state mbarrier_unpack(uint64_t bits);

// What an arrival returns: the state that it has found, which arrival it is, from 1 on, and whether
// it has .noComplete. PTX leaves it open what that looks like.
struct mbarrier_token {
    unsigned phase, pending, number;
    bool v1, no_complete;
};
uint64_t mbarrier_token_pack(struct mbarrier_token token);
struct mbarrier_token mbarrier_token_unpack(uint64_t bits);

// The state that mbarrier.init leaves.
struct mbarrier_state mbarrier_fresh(unsigned count, bool v1);

// How many arrivals may be pending: 2^9 - 1 in .layout::v1 (table 43 of PTX ISA 9.4), and in the
// other one as many as are counted here.
unsigned mbarrier_most(bool v1);

// An arrival of `count`, after the expected count has fallen by `drop` and the tx-count has risen
// by `tx`; without `may_complete`, the phase must not end. Sets *undefined where PTX does not say
// what happens.
struct mbarrier_state mbarrier_change(struct mbarrier_state state, unsigned count, unsigned drop,
                                      int64_t tx, bool may_complete, bool *undefined);

#endif
