// Small questions about types, registers and places.
#include "litmus/test.h"

#include "litmus/source/diagnostics.h"

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

const char *state_space_name(enum state_space space) {
    static const char *const names[] = {
        [SPACE_GENERIC] = "generic",
        [SPACE_CONST] = ".const",
        [SPACE_GLOBAL] = ".global",
        [SPACE_LOCAL] = ".local",
        [SPACE_PARAM] = ".param",
        [SPACE_SHARED] = ".shared",
        [SPACE_SHARED_CLUSTER] = ".shared::cluster",
    };
    return names[space];
}

unsigned scalar_type_bits(enum scalar_type type) {
    return facts(type)->bits;
}

bool scalar_type_is_signed(enum scalar_type type) {
    return facts(type)->is_signed;
}

bool scalar_type_is_float(enum scalar_type type) {
    return facts(type)->is_float;
}

const char *scalar_type_name(enum scalar_type type) {
    return facts(type)->name;
}

const char *test_register_key(const char *name) {
    return name[0] == '%' ? name + 1 : name;
}

bool test_same_gpu(const struct place *a, const struct place *b) {
    if (a->host || b->host)
        return a == b;
    return a->gpu == b->gpu;
}

bool test_same_cluster(const struct place *a, const struct place *b) {
    if (!test_same_gpu(a, b))
        return false;
    if (a->host)
        return true;
    if (a->has_cluster != b->has_cluster)
        return false;
    return a->has_cluster ? a->cluster == b->cluster : a->cta == b->cta;
}

bool test_same_cta(const struct place *a, const struct place *b) {
    return test_same_cluster(a, b) && (a->host || a->cta == b->cta);
}

bool test_expects(const struct test *test, enum expectation what) {
    for (size_t i = 0; i < test->expected_count; i++)
        if (test->expected[i].what == what)
            return true;
    return false;
}

const char *expectation_text(enum expectation what) {
    static const char *const words[EXPECTATION_COUNT] = {"allowed", "forbidden", "always",
                                                         "race",    "no race",   "hang",
                                                         "no hang", "reachable", "unreachable"};
    return words[what];
}
