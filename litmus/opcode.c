// The columns of litmus/opcodes.def.
#include "litmus/opcode.h"

#include <assert.h>
#include <stdint.h>

struct opcode_row {
    unsigned char family, proxy;
    uint16_t effects;
    uint32_t traits;
};

static const struct opcode_row *row_of(enum opcode opcode) {
    static const struct opcode_row rows[] = {
#define OPCODE(id, family, proxy, effects, traits, run)                                            \
    [OP_##id] = {FAMILY_##family, PROXY_##proxy, (effects), (traits)},
#include "litmus/opcodes.def"
    };
    _Static_assert(sizeof rows / sizeof *rows == OPCODE_COUNT, "every opcode has a row");
    assert((unsigned)opcode < OPCODE_COUNT);
    return &rows[opcode];
}

unsigned opcode_effects(enum opcode opcode) {
    assert((unsigned)opcode < OPCODE_COUNT);
    return row_of(opcode)->effects;
}

enum opcode_family opcode_family(enum opcode opcode) {
    assert((unsigned)opcode < OPCODE_COUNT);
    return (enum opcode_family)row_of(opcode)->family;
}

bool opcode_has(enum opcode opcode, enum opcode_trait trait) {
    assert((unsigned)opcode < OPCODE_COUNT);
    return (row_of(opcode)->traits & trait) != 0;
}

enum proxy opcode_proxy(enum opcode opcode) {
    assert((unsigned)opcode < OPCODE_COUNT);
    return (enum proxy)row_of(opcode)->proxy;
}

bool opcode_is_asynchronous(enum opcode opcode) {
    assert((unsigned)opcode < OPCODE_COUNT);
    switch (opcode_family(opcode)) {
    case FAMILY_COPY:
    case FAMILY_CANCEL:
    case FAMILY_WGMMA:
    case FAMILY_TENSOR: return true;
    default: return false;
    }
}

bool opcode_is_proxy_fence(enum opcode opcode) {
    assert((unsigned)opcode < OPCODE_COUNT);
    return opcode_family(opcode) == FAMILY_FENCE && opcode_has(opcode, TRAIT_PROXIES);
}
