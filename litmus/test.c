// Small functions about types, registers and places.
#include "litmus/test.h"

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
#define OPCODE(id, effects, run) [OP_##id] = (effects),
#include "litmus/opcodes.def"
    };
    _Static_assert(sizeof effects == OPCODE_COUNT, "every opcode has its effects");
    assert((unsigned)opcode < OPCODE_COUNT);
    return effects[opcode];
}

bool instruction_is_multimem(const struct instruction *instruction) {
    return instruction->opcode == OP_MULTIMEM_LD || instruction->opcode == OP_MULTIMEM_ST ||
           instruction->opcode == OP_MULTIMEM_RED;
}

bool instruction_defines(const struct instruction *instruction) {
    return (opcode_effects(instruction->opcode) & EFFECT_DEFINES) != 0 ||
           instruction->barrier == BARRIER_RED;
}

bool instruction_is_atomic(const struct instruction *instruction) {
    unsigned both = EFFECT_READS | EFFECT_WRITES;
    return (opcode_effects(instruction->opcode) & both) == both;
}

unsigned matrix_element_bits(enum matrix_element element) {
    assert((unsigned)element <= ELEMENT_B1);
    switch (element) {
    case ELEMENT_NONE: return 0;
    case ELEMENT_F16:
    case ELEMENT_BF16: return 16;
    case ELEMENT_TF32: return 32;
    case ELEMENT_B1: return 1;
    default: return 8;
    }
}

unsigned instruction_scale(const struct instruction *instruction) {
    return instruction->sparse ? 5 : 3;
}

bool tensor_fits_copy(struct diagnostics *diagnostics, struct span span, const struct variable *map,
                      const struct instruction *instruction, unsigned dimensions) {
    const struct tensor *tensor = map->tensor;
    if (tensor->rank != dimensions) {
        diag_error(diagnostics, span, "the tensor of '%s' has %u dimension%s, not %u", map->name,
                   tensor->rank, tensor->rank == 1 ? "" : "s", dimensions);
    } else if (instruction->im2col != tensor->im2col) {
        diag_error(diagnostics, span, "'%s' is a tensormap in %s mode, not %s", map->name,
                   tensor->im2col ? "im2col" : "tiled", tensor->im2col ? "tiled" : "im2col");
        if (instruction->im2col)
            diag_hint(diagnostics,
                      "'tensormap t = g, {4, 8, 2}, im2col {-1}, {-1}, 4, 8' has a lower and an "
                      "upper corner, 4 channels per pixel and 8 pixels per column");
    } else if (instruction->four_rows && tensor->box[1] != 1) {
        // "The size of the bounding box in the dimension 1 must be one" (PTX ISA 5.5.3.4.1).
        diag_error(diagnostics, span,
                   "the box of a map for four rows is a part of one row, and that of '%s' has %u",
                   map->name, tensor->box[1]);
        diag_hint(diagnostics, "declare it with the box {%u, 1}", tensor->box[0]);
    } else
        return true;
    return false;
}

unsigned instruction_mask(const struct instruction *instruction) {
    return instruction->im2col ? 5 : 4;
}

bool instruction_is_multicast(const struct instruction *instruction) {
    bool copies = instruction->opcode == OP_CP_BULK || instruction->opcode == OP_CP_TENSOR;
    if (instruction->opcode == OP_MBARRIER_EXPECT_TX ||
        instruction->opcode == OP_MBARRIER_COMPLETE_TX)
        return instruction->operand_count > 2;
    if (instruction->opcode >= OP_MBARRIER_ARRIVE &&
        instruction->opcode <= OP_MBARRIER_DROP_EXPECT_TX)
        return instruction->operand_count > 3;
    return instruction->opcode == OP_TENSOR_COMMIT
               ? instruction->operand_count > 1
               : (copies && instruction->operand_count > instruction_mask(instruction) &&
                  !instruction->ignores) ||
                     instruction->to_all;
}

struct product_places product_places(const struct instruction *instruction) {
    struct product_places places = {0};
    unsigned next = 3;
    if (instruction->sparse)
        places.metadata = next++;
    places.description = next++;
    if (instruction->scaled) {
        places.scales = next;
        next += 2;
    }
    if (instruction->operands[next].kind == OPERAND_VECTOR)
        places.lanes = next++;
    places.added = next++;
    if (next < instruction->operand_count && instruction->keeps_b)
        places.zeros = next;
    else if (next < instruction->operand_count)
        places.factor = next;
    return places;
}

bool instruction_has_cta_group(const struct instruction *instruction) {
    switch (instruction->opcode) {
    case OP_TENSOR_MMA:
    case OP_TENSOR_CP:
    case OP_TENSOR_SHIFT:
    case OP_TENSOR_COMMIT:
    case OP_TENSOR_ALLOC:
    case OP_TENSOR_DEALLOC:
    case OP_TENSOR_RELINQUISH: return true;
    default: return false;
    }
}

bool instruction_is_tensor(const struct instruction *instruction) {
    switch (instruction->opcode) {
    case OP_TENSOR_LD:
    case OP_TENSOR_ST:
    case OP_TENSOR_MMA:
    case OP_TENSOR_CP:
    case OP_TENSOR_SHIFT: return true;
    default: return false;
    }
}

bool instruction_has_descriptors(const struct instruction *instruction) {
    return instruction->opcode == OP_WGMMA || instruction->opcode == OP_TENSOR_MMA ||
           instruction->opcode == OP_TENSOR_CP;
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
    if (a->has_cluster != b->has_cluster || a->grid != b->grid)
        return false;
    return a->has_cluster ? a->cluster == b->cluster : a->cta == b->cta;
}

bool test_same_cta(const struct place *a, const struct place *b) {
    return test_same_cluster(a, b) && (a->host || a->cta == b->cta);
}

// The orders have no circle, so this ends.
static bool grid_follows(const struct test *test, unsigned later, unsigned earlier) {
    for (size_t i = 0; i < test->grid_order_count; i++) {
        const struct grid_order *order = &test->grid_orders[i];
        if (order->grid == later && !order->is_programmatic &&
            (order->after == earlier || grid_follows(test, order->after, earlier)))
            return true;
    }
    return false;
}

bool test_grid_follows(const struct test *test, const struct place *later,
                       const struct place *earlier) {
    return !later->host && !earlier->host && grid_follows(test, later->grid, earlier->grid);
}

bool test_grid_completes(const struct test *test, const struct place *place) {
    for (size_t i = 0; i < test->grid_order_count; i++)
        if (!place->host && test->grid_orders[i].after == place->grid)
            return true;
    return false;
}

bool test_grid_waits_for(const struct test *test, const struct place *later,
                         const struct place *earlier) {
    if (later->host || earlier->host)
        return false;
    for (size_t i = 0; i < test->grid_order_count; i++) {
        const struct grid_order *order = &test->grid_orders[i];
        if (order->grid == later->grid && order->is_programmatic &&
            (order->after == earlier->grid || grid_follows(test, order->after, earlier->grid)))
            return true;
    }
    return false;
}

bool test_grid_depends(const struct test *test, const struct place *later,
                       const struct place *earlier) {
    for (size_t i = 0; i < test->grid_order_count && !later->host && !earlier->host; i++) {
        const struct grid_order *order = &test->grid_orders[i];
        if (order->grid == later->grid && order->is_programmatic && order->after == earlier->grid)
            return true;
    }
    return false;
}

bool expectation_has_opposite(enum expectation what) {
    return what != EXPECT_ALLOWED && what != EXPECT_FORBIDDEN && what != EXPECT_ALWAYS &&
           what != EXPECTATION_COUNT;
}

enum expectation expectation_opposite(enum expectation what) {
    static const enum expectation pairs[][2] = {{EXPECT_RACE, EXPECT_NO_RACE},
                                                {EXPECT_HANG, EXPECT_NO_HANG},
                                                {EXPECT_TRAP, EXPECT_NO_TRAP},
                                                {EXPECT_REACHABLE, EXPECT_UNREACHABLE},
                                                {EXPECT_TERMINATES, EXPECT_MAY_HANG}};
    assert(expectation_has_opposite(what));
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (pairs[i][0] == what || pairs[i][1] == what)
            return pairs[i][pairs[i][0] == what];
    return what;
}

bool test_expects(const struct test *test, enum expectation what) {
    for (size_t i = 0; i < test->expected_count; i++)
        if (test->expected[i].what == what)
            return true;
    return false;
}

const char *expectation_text(enum expectation what) {
    static const char *const words[EXPECTATION_COUNT] = {
        "allowed", "forbidden", "always",    "race",        "no race",    "hang",    "no hang",
        "trap",    "no trap",   "reachable", "unreachable", "terminates", "may-hang"};
    return words[what];
}

static void visit_condition(const struct condition *condition,
                            void (*visit)(void *context, const struct term *term), void *context) {
    if (condition == NULL)
        return;
    if (condition->kind == CONDITION_COMPARE) {
        visit(context, &condition->lhs);
        visit(context, &condition->rhs);
        return;
    }
    visit_condition(condition->left, visit, context);
    visit_condition(condition->right, visit, context);
}

void test_visit_terms(const struct test *test,
                      void (*visit)(void *context, const struct term *term), void *context) {
    visit_condition(test->condition, visit, context);
    visit_condition(test->filter, visit, context);
    for (size_t i = 0; i < test->location_count; i++)
        visit(context, &test->locations[i]);
}

size_t instruction_target(const struct thread *thread, const struct instruction *instruction) {
    return instruction->opcode == OP_EXIT || instruction->opcode == OP_TRAP
               ? thread->instruction_count
               : thread->labels[instruction->operands[0].label].target;
}

bool test_scope_contains(enum scope scope, const struct place *a, const struct place *b) {
    assert((unsigned)scope <= SCOPE_SYS);
    switch (scope) {
    case SCOPE_CTA: return test_same_cta(a, b);
    case SCOPE_CLUSTER: return test_same_cluster(a, b);
    case SCOPE_GPU: return test_same_gpu(a, b);
    case SCOPE_SYS: return true;
    default: return false; // a weak access
    }
}
