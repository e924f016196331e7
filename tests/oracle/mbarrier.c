#include "tests/oracle/mbarrier.h"

enum { COUNT_BITS = 16, TX_BITS = 21, PHASE_BITS = MBARRIER_PHASE_BITS };

static uint64_t low(uint64_t value, unsigned bits) {
    return value & ((UINT64_C(1) << bits) - 1);
}

uint64_t mbarrier_pack(struct mbarrier_state state) {
    uint64_t bits = low(state.phase, PHASE_BITS);
    bits = bits << COUNT_BITS | low(state.pending, COUNT_BITS);
    bits = bits << COUNT_BITS | low(state.expected, COUNT_BITS);
    bits = bits << TX_BITS | low((uint64_t)(int64_t)state.tx, TX_BITS);
    bits = bits << 1 | state.v1;
    return bits << 1 | state.valid;
}

struct mbarrier_state mbarrier_unpack(uint64_t bits) {
    struct mbarrier_state state = {.valid = bits & 1};
    bits >>= 1;
    state.v1 = bits & 1;
    bits >>= 1;
    state.tx = (int32_t)low(bits, TX_BITS);
    if (state.tx >> (TX_BITS - 1))
        state.tx -= 1 << TX_BITS;
    bits >>= TX_BITS;
    state.expected = (unsigned)low(bits, COUNT_BITS);
    bits >>= COUNT_BITS;
    state.pending = (unsigned)low(bits, COUNT_BITS);
    state.phase = (unsigned)(bits >> COUNT_BITS);
    return state;
}

enum { NUMBER_BITS = 20 };

uint64_t mbarrier_token_pack(struct mbarrier_token token) {
    uint64_t bits = low(token.number, NUMBER_BITS);
    bits = bits << PHASE_BITS | low(token.phase, PHASE_BITS);
    bits = bits << COUNT_BITS | low(token.pending, COUNT_BITS);
    bits = bits << 1 | token.v1;
    return bits << 1 | token.no_complete;
}

struct mbarrier_token mbarrier_token_unpack(uint64_t bits) {
    struct mbarrier_token token = {.no_complete = bits & 1, .v1 = bits >> 1 & 1};
    bits >>= 2;
    token.pending = (unsigned)low(bits, COUNT_BITS);
    bits >>= COUNT_BITS;
    token.phase = (unsigned)low(bits, PHASE_BITS);
    token.number = (unsigned)low(bits >> PHASE_BITS, NUMBER_BITS);
    return token;
}

struct mbarrier_state mbarrier_fresh(unsigned count, bool v1) {
    struct mbarrier_state state = {.valid = true, .v1 = v1, .expected = count, .pending = count};
    return state;
}

unsigned mbarrier_most(bool v1) {
    return v1 ? 511 : 0xffff;
}

// "The phase completes when the pending count and the tx-count have reached zero: it transitions to
// the next phase, and the pending count is reinitialized to the expected arrival count."
struct mbarrier_state mbarrier_change(struct mbarrier_state state, unsigned count, unsigned drop,
                                      int64_t tx, bool may_complete, bool *undefined) {
    const int64_t most = (1 << (TX_BITS - 1)) - 1;
    int64_t sum = state.tx + tx;
    *undefined =
        count > state.pending || (drop > 0 && drop >= state.expected) || sum > most || sum < -most;
    state.tx = mbarrier_unpack(low((uint64_t)sum, TX_BITS) << 2).tx;
    state.expected = (unsigned)low(state.expected - drop, COUNT_BITS);
    state.pending = (unsigned)low(state.pending - count, COUNT_BITS);
    if (state.pending != 0 || state.tx != 0)
        return state;
    *undefined = *undefined || !may_complete;
    state.pending = state.expected;
    state.phase = (unsigned)low(state.phase + 1, PHASE_BITS);
    return state;
}
