// Hints to caches and schedulers, which have no effect in the model. Some are defined for global
// memory alone.

#include "program/builder.h"
#include "program/memory/places.h"
#include "program/thread/access.h"
#include "program/thread/compute.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"

// Reports an address that is not of global memory, in whose window kernel parameters are, too; and
// one where no variable is if `needs_variable`. An address that depends on memory, or that a branch
// may skip, is left alone.
static void check_global(struct thread_builder *thread, const struct instruction *instruction,
                         const struct operand *operand, bool needs_variable) {
    const struct program *program = thread->builder->program;
    const struct expr *address = access_address(thread, operand, instruction->space).bits;
    if (!expr_is_const(address) || !expr_is_true(thread->active))
        return;
    const struct virtual_range *range = places_range_of(program, address->value.low, 1);
    if (range == NULL) {
        if (needs_variable)
            diag_error(thread->builder->diagnostics, operand->span,
                       "no variable is at this address, which '.valid_addr' calls valid");
        return;
    }
    enum state_space space = program->memory.objects[range->object].space;
    if (space != SPACE_GLOBAL && space != SPACE_GENERIC && space != SPACE_PARAM)
        diag_error(thread->builder->diagnostics, operand->span,
                   "'%s' is a %s variable, and this instruction is for global memory alone",
                   thread->builder->test->variables[range->variable].name,
                   state_space_or_global_name(space));
}

// Of what is for global memory, applypriority has a size, and prefetch.valid_addr has none (PTX
// ISA 9.7.10.16 to 9.7.10.18 of 9.4).
void compute_hint(struct thread_builder *thread, const struct instruction *instruction) {
    if (instruction->of_global)
        check_global(thread, instruction, &instruction->operands[0],
                     instruction->operand_count == 1);
}

// The bits of a cache policy are the machine's own; that of a range is for global memory (PTX
// ISA 9.7.9.18).
void compute_policy(struct thread_builder *thread, const struct instruction *instruction) {
    enum { OPERANDS_OF_RANGE = 4 };
    if (instruction->operand_count == OPERANDS_OF_RANGE)
        check_global(thread, instruction, &instruction->operands[1], false);
    compute_write(thread, instruction, program_value_unknown(thread->builder, 64));
}
