// Addresses that a test shows or stores: in each instance they are different ones, so that what is
// shown of them cannot be compared with what the model says.
#include "harness/fit.h"

#include "litmus/source/arena.h"

// Whether an instruction computes its result from its sources, rather than from memory.
static bool computes(const struct instruction *instruction) {
    return (opcode_effects(instruction->opcode) & EFFECT_DEFINES) &&
           !instruction_accesses(instruction) && instruction->operand_count > 0 &&
           instruction->operands[0].kind == OPERAND_REGISTER;
}

static bool is_address(const struct operand *operand, const bool *holds) {
    if (operand->kind == OPERAND_ADDRESS)
        return true;
    for (size_t i = 0; operand->kind == OPERAND_VECTOR && i < operand->element_count; i++)
        if (is_address(&operand->elements[i], holds))
            return true;
    return operand->kind == OPERAND_REGISTER && holds[operand->reg];
}

// Marks the registers that may hold an address, one step on. Returns whether there is a new one.
static bool spread(const struct thread *thread, bool *holds) {
    bool is_new = false;
    for (size_t i = 0; i < thread->instruction_count; i++) {
        const struct instruction *instruction = &thread->instructions[i];
        if (!computes(instruction) || thread->registers[instruction->operands[0].reg].width == 1 ||
            holds[instruction->operands[0].reg])
            continue;
        for (unsigned k = 1; k < instruction->operand_count; k++)
            if (is_address(&instruction->operands[k], holds))
                is_new = holds[instruction->operands[0].reg] = true;
    }
    return is_new;
}

static bool stores_address(const struct thread *thread, const bool *holds) {
    for (size_t i = 0; i < thread->instruction_count; i++) {
        const struct instruction *instruction = &thread->instructions[i];
        bool writes = opcode_has(instruction->opcode, TRAIT_VALUE);
        unsigned first = instruction_defines(instruction) ? 2 : 1;
        for (unsigned k = first; writes && k < instruction->operand_count; k++)
            if (is_address(&instruction->operands[k], holds))
                return true;
    }
    return false;
}

bool harness_hides_addresses(struct arena *arena, const struct harness_plan *plan) {
    for (size_t i = 0; i < plan->test->thread_count; i++) {
        const struct thread *thread = &plan->test->threads[i];
        bool *holds = ARENA_ARRAY(arena, bool, thread->register_count + 1);
        for (size_t k = 0; k < thread->register_count; k++)
            holds[k] =
                thread->registers[k].has_initial && thread->registers[k].initial_variable >= 0;
        while (spread(thread, holds)) {
        }
        if (stores_address(thread, holds))
            return false;
        for (size_t k = 0; k < plan->column_count; k++)
            if (plan->columns[k].thread == (int)i && holds[plan->columns[k].reg])
                return false;
    }
    return true;
}
