// What types, proxies, state spaces and opcodes are.
#include "litmus/vocabulary.h"

#include "litmus/source/diagnostics.h"

#include <assert.h>

struct scalar_type_facts {
    const char *name;
    unsigned bits;
    bool is_signed, is_float;
};

static const struct scalar_type_facts *facts(enum scalar_type type) {
    static const struct scalar_type_facts table[] = {
        [TYPE_NONE] = {"", 0, false, false},         [TYPE_PRED] = {"pred", 1, false, false},
        [TYPE_B8] = {"b8", 8, false, false},         [TYPE_B16] = {"b16", 16, false, false},
        [TYPE_B32] = {"b32", 32, false, false},      [TYPE_B64] = {"b64", 64, false, false},
        [TYPE_B128] = {"b128", 128, false, false},   [TYPE_U8] = {"u8", 8, false, false},
        [TYPE_U16] = {"u16", 16, false, false},      [TYPE_U32] = {"u32", 32, false, false},
        [TYPE_U64] = {"u64", 64, false, false},      [TYPE_S8] = {"s8", 8, true, false},
        [TYPE_S16] = {"s16", 16, true, false},       [TYPE_S32] = {"s32", 32, true, false},
        [TYPE_S64] = {"s64", 64, true, false},       [TYPE_F16] = {"f16", 16, false, true},
        [TYPE_F16X2] = {"f16x2", 32, false, true},   [TYPE_BF16] = {"bf16", 16, false, true},
        [TYPE_BF16X2] = {"bf16x2", 32, false, true}, [TYPE_F32] = {"f32", 32, false, true},
        [TYPE_F64] = {"f64", 64, false, true},
    };
    if ((size_t)type >= sizeof(table) / sizeof(table[0]))
        bug("scalar type %d", (int)type);
    return &table[type];
}

const char *proxy_name(enum proxy proxy) {
    assert((unsigned)proxy < PROXY_COUNT);
    static const char *const names[] = {
#define PROXY(id, name, traits, about) name,
#include "litmus/proxies.def"
    };
    assert((unsigned)proxy < PROXY_COUNT);
    return names[proxy];
}

bool proxy_has(enum proxy proxy, enum proxy_trait trait) {
    assert((unsigned)proxy < PROXY_COUNT);
    static const unsigned char all[] = {
#define PROXY(id, name, traits, about) (traits),
#include "litmus/proxies.def"
    };
    assert((unsigned)proxy < PROXY_COUNT);
    return (all[proxy] & trait) != 0;
}

const char *state_space_name(enum state_space space) {
    assert((unsigned)space <= SPACE_SHARED_CLUSTER);
    static const char *const names[] = {
        [SPACE_GENERIC] = "generic", [SPACE_CONST] = ".const",
        [SPACE_GLOBAL] = ".global",  [SPACE_LOCAL] = ".local",
        [SPACE_PARAM] = ".param",    [SPACE_TENSOR] = ".tmem",
        [SPACE_SHARED] = ".shared",  [SPACE_SHARED_CLUSTER] = ".shared::cluster",
    };
    assert((size_t)space < sizeof names / sizeof names[0]);
    return names[space];
}

const char *state_space_or_global_name(enum state_space space) {
    assert((unsigned)space <= SPACE_SHARED_CLUSTER);
    return state_space_name(space == SPACE_GENERIC ? SPACE_GLOBAL : space);
}

bool state_space_is_shared(enum state_space space) {
    assert((unsigned)space <= SPACE_SHARED_CLUSTER);
    return space == SPACE_SHARED || space == SPACE_SHARED_CLUSTER;
}

unsigned opcode_effects(enum opcode opcode) {
    assert((unsigned)opcode < OPCODE_COUNT);
    static const unsigned char effects[] = {
#define OPCODE(id, family, effects, run) [OP_##id] = (effects),
#include "litmus/opcodes.def"
    };
    _Static_assert(sizeof effects == OPCODE_COUNT, "every opcode has its effects");
    assert((unsigned)opcode < OPCODE_COUNT);
    return effects[opcode];
}

enum opcode_family opcode_family(enum opcode opcode) {
    assert((unsigned)opcode < OPCODE_COUNT);
    static const unsigned char families[] = {
#define OPCODE(id, family, effects, run) [OP_##id] = FAMILY_##family,
#include "litmus/opcodes.def"
    };
    _Static_assert(sizeof families == OPCODE_COUNT, "every opcode has its family");
    return (enum opcode_family)families[opcode];
}

bool opcode_is_asynchronous(enum opcode opcode) {
    switch (opcode_family(opcode)) {
    case FAMILY_COPY:
    case FAMILY_CANCEL:
    case FAMILY_WGMMA:
    case FAMILY_TENSOR: return true;
    default: return false;
    }
}

unsigned scalar_type_bits(enum scalar_type type) {
    assert((unsigned)type <= TYPE_F64);
    return facts(type)->bits;
}

bool scalar_type_is_signed(enum scalar_type type) {
    assert((unsigned)type <= TYPE_F64);
    return facts(type)->is_signed;
}

bool scalar_type_is_float(enum scalar_type type) {
    assert((unsigned)type <= TYPE_F64);
    return facts(type)->is_float;
}

const char *scalar_type_name(enum scalar_type type) {
    assert((unsigned)type <= TYPE_F64);
    return facts(type)->name;
}
