// What types, proxies and state spaces are.
#include "litmus/vocabulary.h"

#include "litmus/source/diagnostics.h"

#include <assert.h>
#include <string.h>

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

enum scalar_type scalar_type_named(const char *name) {
    for (enum scalar_type type = TYPE_PRED; type <= TYPE_F64; type++)
        if (strcmp(facts(type)->name, name) == 0)
            return type;
    return TYPE_NONE;
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
