// Hints to caches and schedulers, which have no effect in the model. Some are defined for global
// memory alone.

#include "program/builder.h"
#include "program/thread/access.h"
#include "program/thread/compute.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"

// The range of a known address that no branch may skip; NULL where there is none, or where it
// depends on memory or on a branch: that is left alone, and `known` is false.
static const struct virtual_range *range_at(struct thread_builder *thread,
                                            const struct instruction *instruction,
                                            const struct operand *operand, uint64_t *address,
                                            bool *known) {
    const struct expr *bits = access_address(thread, operand, instruction->space).bits;
    *known = expr_is_const(bits) && expr_is_true(thread->active);
    *address = bits->value.low;
    return *known ? places_range_of(&thread->builder->program->memory, *address, 1) : NULL;
}

// Reports an address that is not of global memory, in whose window kernel parameters are, too.
static bool check_global(struct thread_builder *thread, const struct operand *operand,
                         const struct virtual_range *range) {
    enum state_space space = thread->builder->program->memory.objects[range->object].space;
    if (space == SPACE_GLOBAL || space == SPACE_GENERIC || space == SPACE_PARAM)
        return true;
    diag_error(thread->builder->diagnostics, operand->span,
               "'%s' is a %s variable, and this instruction is for global memory alone",
               thread->builder->test->variables[range->variable].name,
               state_space_or_global_name(space));
    return false;
}

// Reports the size of a bulk prefetch or of what gets a priority, in a register; the reader has
// looked at constants (PTX ISA 9.7.9.25.4.3, 9.7.10.18 of 9.4).
static void check_size(struct thread_builder *thread, const struct instruction *instruction) {
    const struct operand *size = &instruction->operands[1];
    if (instruction->operand_count < 2 || instruction->operands[0].kind != OPERAND_MEMORY ||
        size->kind != OPERAND_REGISTER)
        return;
    const struct expr *bits = thread_operand(thread, size, 32, false).bits;
    if (expr_is_const(bits) && expr_is_true(thread->active) && bits->value.low % 16 != 0)
        diag_error(thread->builder->diagnostics, size->span, "%s is a multiple of 16, not %llu",
                   instruction->of_global ? "the size of what gets a priority"
                                          : "the size of a bulk prefetch",
                   (unsigned long long)bits->value.low);
}

// Of what is for global memory, applypriority has a size and an alignment, and prefetch.valid_addr
// has neither (PTX ISA 9.7.10.16 to 9.7.10.18 of 9.4).
void compute_hint(struct thread_builder *thread, const struct instruction *instruction) {
    enum { PRIORITY_ALIGNMENT = 128 };
    const struct operand *operand = &instruction->operands[0];
    struct diagnostics *diagnostics = thread->builder->diagnostics;
    bool known, is_priority = instruction->operand_count > 1;
    uint64_t address;
    check_size(thread, instruction);
    if (!instruction->of_global)
        return;
    const struct virtual_range *range = range_at(thread, instruction, operand, &address, &known);
    if (range == NULL) {
        if (known && !is_priority)
            diag_error(diagnostics, operand->span,
                       "no variable is at this address, which '.valid_addr' calls valid");
        return;
    }
    if (check_global(thread, operand, range) && is_priority &&
        (address - range->address) % PRIORITY_ALIGNMENT != 0)
        diag_error(diagnostics, operand->span,
                   "a priority is for an address that is a multiple of %d, and this is %llu bytes "
                   "into '%s'",
                   (int)PRIORITY_ALIGNMENT, (unsigned long long)(address - range->address),
                   thread->builder->test->variables[range->variable].name);
}

// "All threads in the warp must execute the same" instruction (PTX ISA 9.7.14), which a run of all
// threads looks at.
void compute_together(struct thread_builder *thread, const struct instruction *instruction) {
    (void)instruction;
    thread->builder->program->warps_together = true;
}

// The bits of a cache policy are the machine's own; that of a range is for global memory (PTX
// ISA 9.7.9.18).
void compute_policy(struct thread_builder *thread, const struct instruction *instruction) {
    enum { OPERANDS_OF_RANGE = 4 };
    if (instruction->operand_count == OPERANDS_OF_RANGE) {
        uint64_t address;
        bool known;
        const struct operand *operand = &instruction->operands[1];
        const struct virtual_range *range =
            range_at(thread, instruction, operand, &address, &known);
        if (range != NULL)
            check_global(thread, operand, range);
    }
    compute_write(thread, instruction, program_value_unknown(thread->builder, 64));
}
