// Which flags of a model a program can have at all: by what kinds of events it has, before anything
// is bounded or asked, and later by the model's bounds. A run that ends early lists no other flag
// as unknown.

#include "solver/answer/run.h"

#include "litmus/source/arena.h"

// --- The program -------------------------------------------------------------------------------

static bool test_has(const struct test *test, bool (*is_one)(const struct instruction *)) {
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++)
            if (is_one(&test->threads[t].instructions[i]))
                return true;
    return false;
}

static bool waits_at_mbarrier(const struct instruction *instruction) {
    return opcode_family(instruction->opcode) == FAMILY_MBARRIER &&
           opcode_has(instruction->opcode, TRAIT_WAITS);
}

static bool is_at_barrier(const struct instruction *instruction) {
    return (opcode_effects(instruction->opcode) & EFFECT_BARRIER) != 0 ||
           opcode_family(instruction->opcode) == FAMILY_WARP || waits_at_mbarrier(instruction);
}

static bool is_at_mbarrier(const struct instruction *instruction) {
    bool changes = opcode_family(instruction->opcode) == FAMILY_MBARRIER &&
                   (opcode_effects(instruction->opcode) & EFFECT_WRITES) != 0;
    return changes || waits_at_mbarrier(instruction) || instruction_signals(instruction);
}

static bool is_asynchronous(const struct instruction *instruction) {
    return opcode_is_asynchronous(instruction->opcode);
}

static bool is_product(const struct instruction *instruction) {
    return opcode_family(instruction->opcode) == FAMILY_WGMMA;
}

static bool cancels(const struct instruction *instruction) {
    return opcode_family(instruction->opcode) == FAMILY_CANCEL &&
           opcode_has(instruction->opcode, TRAIT_STARTS);
}

// Instructions that touch no memory, and may have operands for which PTX does not define them.
static bool queries(const struct instruction *instruction) {
    return opcode_has(instruction->opcode, TRAIT_BREAKS);
}

static bool is_of_tensor_cores(const struct instruction *instruction) {
    return opcode_family(instruction->opcode) == FAMILY_TENSOR;
}

static bool is_of_allocation(const struct instruction *instruction) {
    return instruction_has_cta_group(instruction) &&
           !opcode_has(instruction->opcode, TRAIT_STARTS | TRAIT_SIGNALS);
}

static bool declares_mbarrier(const struct test *test) {
    for (size_t i = 0; i < test->variable_count; i++)
        if (test->variables[i].is_mbarrier)
            return true;
    return false;
}

static bool is_atomic(const struct instruction *instruction) {
    return opcode_has(instruction->opcode, TRAIT_VALUE) && instruction_is_atomic(instruction);
}

static bool jumps(const struct instruction *instruction) {
    return (opcode_effects(instruction->opcode) & EFFECT_JUMPS) != 0;
}

bool possible_barrier(const struct program *program) {
    return program->test == NULL || test_has(program->test, is_at_barrier);
}

static bool is_trap(const struct instruction *instruction) {
    return (opcode_effects(instruction->opcode) & EFFECT_FAILS) != 0;
}

bool possible_trap(const struct program *program) {
    if (program->limits.trapped == NULL) // it is not built yet
        return program->test == NULL || test_has(program->test, is_trap);
    return !expr_is_false(program->limits.trapped);
}

bool possible_loop(const struct program *program) {
    if (program->limits.bound_reached == NULL || program->assumption == NULL) // it is not built yet
        return program->test == NULL || test_has(program->test, jumps);
    return !expr_is_false(program->limits.bound_reached) || !expr_is_true(program->assumption);
}

// Whether accesses that overlap may do so in part: where all have one size and begin at multiples
// of it, they cannot.
static bool may_overlap_in_part(const struct program *program) {
    unsigned size = 0;
    for (size_t i = 0; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (!event_is_access(event))
            continue;
        if (size != 0 && event->size != size)
            return true;
        size = event->size;
        for (size_t k = 0; k < event->candidate_count; k++)
            if (event->candidates[k].offset % size != 0)
                return true;
    }
    return program->events == NULL; // for all that is known
}

// What a program is without.
struct lacks {
    bool barriers, mbarriers, asynchronous, products, tensors, allocations, grids, cancelled,
        queries, declared_mbarriers, atomics, other_threads, exits, partial_overlaps;
};

static struct lacks lacks_of(const struct program *program) {
    const struct test *test = program->test;
    struct lacks lacks = {
        .barriers = !possible_barrier(program),
        .mbarriers = test != NULL && !test_has(test, is_at_mbarrier),
        .asynchronous = test != NULL && !test_has(test, is_asynchronous),
        .tensors = test != NULL && !test_has(test, is_of_tensor_cores),
        .products = test != NULL && !test_has(test, is_product),
        .allocations = test != NULL && !test_has(test, is_of_allocation),
        .cancelled = test != NULL && !test_has(test, cancels),
        .queries = test != NULL && !test_has(test, queries),
        .grids = test != NULL && test->grid_order_count == 0,
        .declared_mbarriers = test != NULL && !declares_mbarrier(test),
        .atomics = test != NULL && !test_has(test, is_atomic),
        .other_threads = test != NULL && test->thread_count < 2 && !test_has(test, is_asynchronous),
        .exits = test != NULL && test->grid_order_count == 0 && !test_has(test, instruction_exits),
        .partial_overlaps = !may_overlap_in_part(program)};
    return lacks;
}

// --- The model ---------------------------------------------------------------------------------

static bool is_empty_set(const struct lacks *lacks, unsigned base) {
    switch (base) {
    case BASE_SET_B:
    case BASE_SET_ARRIVE:
    case BASE_SET_BAR_OPERANDS:
    case BASE_SET_BAR_RED: return lacks->barriers;
    case BASE_SET_ATOMIC: return lacks->atomics;
    case BASE_SET_MB_DECLARED: return lacks->declared_mbarriers;
    case BASE_SET_ISSUE: return lacks->asynchronous;
    case BASE_SET_TRY_CANCEL: return lacks->cancelled;
    case BASE_SET_WGMMA:
    case BASE_SET_WGMMA_FENCE: return lacks->products;
    case BASE_SET_TC_LD:
    case BASE_SET_TC_ST:
    case BASE_SET_TC_MMA:
    case BASE_SET_TC_CP:
    case BASE_SET_TC_CP_4X256B:
    case BASE_SET_TC_SHIFT:
    case BASE_SET_TC_BEFORE:
    case BASE_SET_TC_AFTER:
    case BASE_SET_TC_PAIR:
    case BASE_SET_TMEM: return lacks->tensors;
    case BASE_SET_TC_ALLOC:
    case BASE_SET_TC_DEALLOC:
    case BASE_SET_TC_RELINQUISH:
    case BASE_SET_TMEM_DYNAMIC: return lacks->allocations;
    case BASE_SET_GRID_LAUNCH: return lacks->grids;
    case BASE_SET_GROUP_WAIT: return lacks->asynchronous && lacks->grids;
    case BASE_SET_MB_COMPLETE: return lacks->asynchronous || lacks->mbarriers;
    case BASE_SET_MBARRIER:
    case BASE_SET_MB_WRITE:
    case BASE_SET_MB_INIT:
    case BASE_SET_MB_INVAL:
    case BASE_SET_MB_ARRIVE:
    case BASE_SET_MB_STATE:
    case BASE_SET_MB_TX:
    case BASE_SET_MB_WAIT: return lacks->mbarriers;
    case BASE_SET_MB_COUNT:
    case BASE_SET_CANCEL_QUERY:
    case BASE_SET_WARP: return lacks->queries;
    default: return false;
    }
}

static bool is_empty_relation(const struct lacks *lacks, unsigned base) {
    switch (base) {
    case BASE_REL_BARRIER:
    case BASE_REL_PHASE:
    case BASE_REL_SAME_BARRIER:
    case BASE_REL_SAME_PHASE:
    case BASE_REL_SAME_COUNT:
    case BASE_REL_APART:
    case BASE_REL_PASSED_DEP:
    case BASE_REL_EXIT:
    case BASE_REL_EXIT_DEP: return lacks->barriers;
    case BASE_REL_ISSUED:
    case BASE_REL_WITHIN:
    case BASE_REL_DONE: return lacks->asynchronous;
    case BASE_REL_CANCEL_FAILED: return lacks->cancelled;
    case BASE_REL_REGISTERS_UNDEFINED: return lacks->products;
    case BASE_REL_SAME_SHAPE: return lacks->tensors;
    case BASE_REL_ALLOCATION: return lacks->allocations;
    case BASE_REL_NEXT_GRID:
    case BASE_REL_GRID_STARTED:
    case BASE_REL_GRID_WAITED: return lacks->grids;
    case BASE_REL_MB_PHASE:
    case BASE_REL_MB_WAITED:
    case BASE_REL_MB_STATE_OF:
    case BASE_REL_MB_UNDEFINED: return lacks->mbarriers;
    case BASE_REL_RMW: return lacks->atomics && lacks->mbarriers;
    case BASE_REL_EXT: return lacks->other_threads;
    case BASE_REL_BROKEN: return lacks->queries && lacks->barriers;
    case BASE_REL_OUTLIVES: return lacks->exits;
    case BASE_REL_UNDERWAY: return lacks->exits || lacks->asynchronous;
    default: return false;
    }
}

static bool is_base(const struct model_node *node, enum base_relation base) {
    return node->op == NODE_BASE_RELATION && node->base == (unsigned)base;
}

// Whether a node is empty in every execution of such a program, when that is known of its operands.
static bool is_empty(const struct model *model, const struct lacks *lacks, unsigned index,
                     const bool *empty) {
    const struct model_node *node = &model->nodes[index];
    switch (node->op) {
    case NODE_EMPTY: return true;
    case NODE_BASE_SET: return is_empty_set(lacks, node->base);
    case NODE_BASE_RELATION: return is_empty_relation(lacks, node->base);
    case NODE_UNION: return empty[node->left] && empty[node->right];
    case NODE_INTERSECTION:
    case NODE_SEQUENCE:
    case NODE_PRODUCT: return empty[node->left] || empty[node->right];
    case NODE_DIFFERENCE:
        return empty[node->left] ||
               (lacks->partial_overlaps && is_base(&model->nodes[node->left], BASE_REL_VLOC) &&
                is_base(&model->nodes[node->right], BASE_REL_SAME_EXTENT));
    case NODE_INVERSE:
    case NODE_PLUS:
    case NODE_IDENTITY:
    case NODE_DOMAIN:
    case NODE_RANGE: return empty[node->left];
    case NODE_UNIVERSE:
    case NODE_COMPLEMENT:
    case NODE_STAR:
    case NODE_OPTION:
    case NODE_RECURSION: return false;
    }
    return false;
}

bool *possible_flags(struct arena *arena, const struct program *program,
                     const struct model *model) {
    struct lacks lacks = lacks_of(program);
    bool *empty = ARENA_ARRAY(arena, bool, model->node_count + 1);
    bool *possible = ARENA_ARRAY(arena, bool, model->axiom_count + 1);
    for (unsigned i = 0; i < model->node_count; i++)
        empty[i] = is_empty(model, &lacks, i, empty);
    for (size_t i = 0; i < model->axiom_count; i++)
        possible[i] = !model->axioms[i].negated || !empty[model->axioms[i].node];
    return possible;
}

static bool may_have_members(const struct model *model, const struct bounds *bounds,
                             unsigned node) {
    const struct bound *bound = &bounds->nodes[node];
    if (!bound->needed)
        return true;
    if (!model->nodes[node].is_set)
        return !relation_is_empty(&bound->may);
    for (unsigned i = 0; i < bound->may_set.words; i++)
        if (bound->may_set.bits[i] != 0)
            return true;
    return false;
}

void possible_within(bool *possible, const struct model *model, const struct bounds *bounds) {
    for (size_t i = 0; i < model->axiom_count; i++)
        if (model->axioms[i].negated && !may_have_members(model, bounds, model->axioms[i].node))
            possible[i] = false;
}
