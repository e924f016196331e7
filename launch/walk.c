// Walks of a thread on a copy of its registers.
#include "launch/walk.h"
#include "launch/product.h"

#include "litmus/source/allocate.h"

#include <string.h>

struct way_point walk_copy(const struct lane_walk *walk, size_t pc,
                           const struct step_value *registers) {
    struct way_point place = {pc, allocate(walk->register_count + 1, sizeof *registers)};
    if (walk->register_count > 0)
        memcpy(place.registers, registers, walk->register_count * sizeof *registers);
    return place;
}

bool walk_equal(const struct lane_walk *walk, const struct way_point *a,
                const struct way_point *b) {
    if (a->pc != b->pc)
        return false;
    for (size_t i = 0; i < walk->register_count; i++)
        if (a->registers[i].knowledge != b->registers[i].knowledge ||
            !bits_equal(a->registers[i].bits, b->registers[i].bits))
            return false;
    return true;
}

const struct instruction *walk_at(const struct lane_walk *walk, const struct way_point *place) {
    const struct thread *thread = walk->lane->thread;
    return place->pc < thread->instruction_count ? &thread->instructions[place->pc] : NULL;
}

bool walk_step(const struct lane_walk *walk, struct way_point *place) {
    const struct instruction *instruction = walk_at(walk, place);
    if (instruction == NULL)
        return false;
    if (walk->lane->products.group != NULL && uses_some(walk->lane, instruction))
        return false; // that may be undefined, which a walk does not look for
    if (instruction->guard >= 0) {
        struct step_value guard = place->registers[instruction->guard];
        if (guard.knowledge != KNOWN)
            return false;
        if ((guard.bits.low != 0) == instruction->guard_negated) {
            place->pc++;
            return true;
        }
    }
    if (instruction->opcode == OP_BRA) {
        place->pc = instruction_target(walk->lane->thread, instruction);
        return true;
    }
    if (opcode_family(instruction->opcode) != FAMILY_COMPUTE ||
        !stepper_compute(walk->machine->stepper, walk->lane->index, place->registers, instruction))
        return false;
    place->pc++;
    return true;
}
