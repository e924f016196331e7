// What an instruction is, by its opcode and its qualifiers, and where its operands are; and how one
// is put together.
#include "litmus/thread.h"

#include <assert.h>

struct operand operand_new(enum operand_kind kind, struct span span) {
    assert(span.begin <= span.end);
    return (struct operand){.kind = kind, .span = span, .reg = -1, .variable = -1};
}

struct operand operand_register(int reg, struct span span) {
    assert(span.begin <= span.end);
    return (struct operand){.kind = OPERAND_REGISTER, .span = span, .reg = reg, .variable = -1};
}

struct operand operand_memory(int variable, struct span span) {
    assert(span.begin <= span.end);
    return (struct operand){.kind = OPERAND_MEMORY, .span = span, .reg = -1, .variable = variable};
}

struct operand operand_number(uint64_t number, struct span span) {
    struct operand operand = operand_new(OPERAND_IMMEDIATE, span);
    operand.immediate.low = number;
    return operand;
}

struct instruction instruction_new(enum opcode opcode, enum scalar_type type, struct span span) {
    assert(span.begin <= span.end);
    return (struct instruction){.opcode = opcode,
                                .type = type,
                                .span = span,
                                .opcode_span = span,
                                .guard = -1,
                                .vector = 1};
}

void instruction_add(struct instruction *instruction, struct operand operand) {
    instruction->operands[instruction->operand_count++] = operand;
}

bool instruction_is_multimem(const struct instruction *instruction) {
    return opcode_family(instruction->opcode) == FAMILY_MULTIMEM;
}

bool instruction_branches(const struct instruction *instruction) {
    unsigned ways = EFFECT_JUMPS | EFFECT_ENDS | EFFECT_FAILS;
    return (opcode_effects(instruction->opcode) & ways) == EFFECT_JUMPS;
}

bool instruction_exits(const struct instruction *instruction) {
    return (opcode_effects(instruction->opcode) & EFFECT_ENDS) != 0 && instruction->guard < 0;
}

// Which leaves out st.bulk, for .shared memory alone.
bool instruction_is_plain(const struct instruction *instruction) {
    return opcode_family(instruction->opcode) == FAMILY_ACCESS &&
           !instruction_is_atomic(instruction) && !opcode_has(instruction->opcode, TRAIT_OWN);
}

bool instruction_is_wgmma_fence(const struct instruction *instruction) {
    return opcode_family(instruction->opcode) == FAMILY_WGMMA &&
           !opcode_has(instruction->opcode, TRAIT_STARTS | TRAIT_COMMITS | TRAIT_WAITS);
}

// Whether an opcode is of copies in bulk: cp.async.bulk, cp.reduce.async.bulk.
static bool is_bulk(enum opcode opcode) {
    return opcode_family(opcode) == FAMILY_COPY && opcode_proxy(opcode) == PROXY_ASYNC &&
           (opcode_effects(opcode) & EFFECT_READS) != 0;
}

// Copies in bulk name an mbarrier or are in a group, which the number of operands says.
bool instruction_signals(const struct instruction *instruction) {
    return opcode_has(instruction->opcode, TRAIT_SIGNALS) &&
           (!is_bulk(instruction->opcode) || instruction->operand_count > 3);
}

bool instruction_defines(const struct instruction *instruction) {
    return (opcode_effects(instruction->opcode) & EFFECT_DEFINES) != 0 ||
           instruction->barrier == BARRIER_RED;
}

bool instruction_accesses(const struct instruction *instruction) {
    return (opcode_effects(instruction->opcode) & (EFFECT_READS | EFFECT_WRITES)) != 0;
}

bool instruction_is_atomic(const struct instruction *instruction) {
    unsigned both = EFFECT_READS | EFFECT_WRITES;
    return (opcode_effects(instruction->opcode) & both) == both;
}

static bool is_for_global(const struct instruction *instruction) {
    enum { WIDE_BITS = 256 };
    bool is_atomic = instruction_is_atomic(instruction);
    return instruction->is_mmio ||
           (is_atomic ? instruction->vector > 1
                      : instruction->vector * scalar_type_bits(instruction->type) == WIDE_BITS);
}

bool instruction_may_access(const struct instruction *instruction, enum state_space space) {
    bool is_strong = instruction_is_atomic(instruction) || instruction->order == ORDER_RELAXED ||
                     instruction->order == ORDER_ACQUIRE || instruction->order == ORDER_RELEASE;
    bool is_shared = state_space_is_shared(space),
         is_other = space == SPACE_LOCAL || space == SPACE_CONST;
    if (opcode_family(instruction->opcode) != FAMILY_ACCESS || (!is_shared && !is_other))
        return true;
    return !is_for_global(instruction) && (is_shared || !is_strong);
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
    return instruction->matrix.sparse ? 5 : 3;
}

unsigned instruction_mask(const struct instruction *instruction) {
    return instruction->copy.im2col ? 5 : 4;
}

// Whether an opcode is of arrivals at mbarriers, which return states.
static bool arrives(enum opcode opcode) {
    unsigned all = EFFECT_READS | EFFECT_WRITES | EFFECT_DEFINES;
    return opcode_family(opcode) == FAMILY_MBARRIER && (opcode_effects(opcode) & all) == all;
}

bool instruction_is_multicast(const struct instruction *instruction) {
    enum opcode opcode = instruction->opcode;
    enum opcode_family family = opcode_family(opcode);
    bool copies = is_bulk(opcode) && opcode_has(opcode, TRAIT_STARTS);
    if (family == FAMILY_MBARRIER && instruction_is_atomic(instruction))
        return instruction->operand_count > (arrives(opcode) ? 3 : 2);
    return family == FAMILY_TENSOR && opcode_has(opcode, TRAIT_SIGNALS)
               ? instruction->operand_count > 1
               : (copies && instruction->operand_count > instruction_mask(instruction) &&
                  !instruction->copy.ignores) ||
                     instruction->copy.to_all;
}

struct product_places product_places(const struct instruction *instruction) {
    struct product_places places = {0};
    unsigned next = 3;
    if (instruction->matrix.sparse)
        places.metadata = next++;
    places.description = next++;
    if (instruction->tensor.scaled) {
        places.scales = next;
        next += 2;
    }
    if (instruction->operands[next].kind == OPERAND_VECTOR)
        places.lanes = next++;
    places.added = next++;
    if (next < instruction->operand_count && instruction->tensor.keeps_b)
        places.zeros = next;
    else if (next < instruction->operand_count)
        places.factor = next;
    return places;
}

bool instruction_has_cta_group(const struct instruction *instruction) {
    return opcode_has(instruction->opcode, TRAIT_PAIRS);
}

bool instruction_is_tensor(const struct instruction *instruction) {
    return opcode_family(instruction->opcode) == FAMILY_TENSOR &&
           opcode_has(instruction->opcode, TRAIT_STARTS);
}

bool instruction_has_descriptors(const struct instruction *instruction) {
    return opcode_has(instruction->opcode, TRAIT_DESCRIBED);
}

const char *test_register_key(const char *name) {
    return name[0] == '%' ? name + 1 : name;
}

size_t instruction_target(const struct thread *thread, const struct instruction *instruction) {
    return instruction_branches(instruction) ? thread->labels[instruction->operands[0].label].target
                                             : thread->instruction_count;
}

bool thread_loops(const struct thread *thread) {
    for (size_t i = 0; i < thread->instruction_count; i++)
        if (instruction_branches(&thread->instructions[i]) &&
            instruction_target(thread, &thread->instructions[i]) <= i)
            return true;
    return false;
}
