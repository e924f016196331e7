// What an instruction is, by its opcode and its qualifiers, and where its operands are.
#include "litmus/thread.h"

#include <assert.h>

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
    bool copies = instruction->opcode == OP_CP_BULK || instruction->opcode == OP_CP_TENSOR;
    if (instruction->opcode == OP_MBARRIER_EXPECT_TX ||
        instruction->opcode == OP_MBARRIER_COMPLETE_TX)
        return instruction->operand_count > 2;
    if (arrives(instruction->opcode))
        return instruction->operand_count > 3;
    return instruction->opcode == OP_TENSOR_COMMIT
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

const char *test_register_key(const char *name) {
    return name[0] == '%' ? name + 1 : name;
}

size_t instruction_target(const struct thread *thread, const struct instruction *instruction) {
    return instruction->opcode == OP_EXIT || instruction->opcode == OP_TRAP
               ? thread->instruction_count
               : thread->labels[instruction->operands[0].label].target;
}
