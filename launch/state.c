// What all files of a run use: giving up, values that have to be known, and places in memory.
#include "launch/internal.h"

#include "litmus/source/arena.h"

bool run_give_up(struct machine *machine, const struct instruction *instruction, const char *why) {
    if (machine->is_over)
        return false;
    machine->is_over = true;
    machine->result.why = why;
    machine->result.open = instruction;
    return false;
}

// --- Values ------------------------------------------------------------------------------------

bool run_known(struct machine *machine, const struct instruction *instruction,
               struct step_value word, const char *what, struct bits128 *bits) {
    *bits = word.bits;
    if (word.knowledge == KNOWN)
        return true;
    const char *reason = word.knowledge == UNKNOWN_SCHEDULE
                             ? "depends on the order in which threads come"
                         : word.knowledge == UNWRITTEN ? "is of a register that nothing has written"
                                                       : "depends on contents that are not known";
    return run_give_up(machine, instruction, arena_format(machine->arena, "%s %s", what, reason));
}

bool run_number(struct machine *machine, struct lane *lane, const struct instruction *instruction,
                const struct operand *operand, const char *what, uint32_t *number) {
    struct bits128 bits;
    struct step_value word =
        stepper_value(machine->stepper, lane->index, lane->registers, operand, 32, false);
    bool is_known = run_known(machine, instruction, word, what, &bits);
    *number = (uint32_t)bits.low;
    return is_known;
}

// --- Places ------------------------------------------------------------------------------------

static const struct operand *address_operand(const struct instruction *instruction) {
    return &instruction->operands[instruction_defines(instruction) ? 1 : 0];
}

// Whether an object is of the thread itself, of its block, or of all.
static bool is_reached(const struct machine *machine, const struct lane *lane,
                       const struct object *object, bool writes) {
    (void)machine;
    switch (object->space) {
    case SPACE_LOCAL: return object->instance == lane->index;
    case SPACE_PARAM: return object->instance == lane->index && !writes;
    case SPACE_SHARED: return object->instance == lane->block->lanes[0]->index;
    case SPACE_CONST: return !writes;
    case SPACE_GLOBAL:
    case SPACE_GENERIC: return true;
    default: return false;
    }
}

bool run_find_place(struct machine *machine, struct lane *lane,
                    const struct instruction *instruction, const struct operand *operand,
                    enum state_space space, unsigned size, unsigned alignment, unsigned *object,
                    uint64_t *offset) {
    struct bits128 address;
    struct step_value word =
        stepper_address(machine->stepper, lane->index, lane->registers, operand, space);
    bool writes = (opcode_effects(instruction->opcode) & EFFECT_WRITES) != 0 &&
                  operand == address_operand(instruction);
    if (!run_known(machine, instruction, word, "the address of an access", &address))
        return false;
    if (!shadow_find(machine->shadow, address.low, size, object, offset))
        return run_give_up(machine, instruction, "an access is outside of every variable");
    if (*offset % alignment != 0)
        return run_give_up(machine, instruction, "an access is not aligned");
    if (!is_reached(machine, lane, &stepper_memory(machine->stepper)->objects[*object], writes))
        return run_give_up(machine, instruction,
                           "accesses to what belongs to other blocks or threads are not run");
    return true;
}

bool run_is_sensitive(const struct machine *machine, const struct instruction *instruction) {
    for (size_t i = 0; i < machine->sensitive_count; i++)
        if (machine->sensitive[i] == instruction)
            return true;
    return false;
}
