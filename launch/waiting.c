// Waits for phases of mbarriers, and the loops that they are in: whether a thread that finds a
// phase incomplete does nothing but ask again, so that it does not matter how often it asks.
//
// It goes on with the answer "not yet" until it is at a wait with the registers of an earlier time:
// then it can only go round. From each of the waits on that way, the answer "complete" has to lead
// to the same place with the same registers.
#include "launch/internal.h"

#include "litmus/source/allocate.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 64, WAITS_MAX = 6 };

// A thread somewhere in a loop.
struct way_point {
    size_t pc;
    struct step_value *registers;
};

struct idle_walk {
    struct machine *machine;
    struct lane *lane;
    const struct awaited_phase *awaited;
    size_t register_count;
};

static struct way_point copy_of(const struct idle_walk *walk, size_t pc,
                                const struct step_value *registers) {
    struct way_point place = {pc, allocate(walk->register_count + 1, sizeof *registers)};
    if (walk->register_count > 0)
        memcpy(place.registers, registers, walk->register_count * sizeof *registers);
    return place;
}

static bool is_equal(const struct idle_walk *walk, const struct way_point *a,
                     const struct way_point *b) {
    if (a->pc != b->pc)
        return false;
    for (size_t i = 0; i < walk->register_count; i++)
        if (a->registers[i].knowledge != b->registers[i].knowledge ||
            !bits_equal(a->registers[i].bits, b->registers[i].bits))
            return false;
    return true;
}

static bool is_wait(const struct instruction *instruction) {
    return instruction->opcode == OP_MBARRIER_WAIT ||
           instruction->opcode == OP_MBARRIER_WAIT_PARITY;
}

static const struct instruction *at(const struct idle_walk *walk, const struct way_point *place) {
    const struct thread *thread = walk->lane->thread;
    return place->pc < thread->instruction_count ? &thread->instructions[place->pc] : NULL;
}

// Gives the wait at a place its answer, and goes on after it.
static void answer(const struct idle_walk *walk, struct way_point *place, bool is_complete) {
    const struct instruction *instruction = at(walk, place);
    stepper_write(walk->lane->thread, place->registers, &instruction->operands[0],
                  (struct step_value){{is_complete, 0}, KNOWN}, 1, false);
    place->pc++;
}

// Runs an instruction that touches registers alone. Returns false where it does more, or that is
// not known.
static bool step(const struct idle_walk *walk, struct way_point *place) {
    const struct instruction *instruction = at(walk, place);
    if (instruction == NULL)
        return false;
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

// Goes on to the next wait for the same phase, which is not skipped.
static bool go_to_wait(const struct idle_walk *walk, struct way_point *place) {
    for (unsigned i = 0; i < STEPS_MAX; i++) {
        const struct instruction *instruction = at(walk, place);
        if (instruction != NULL && is_wait(instruction) && instruction->guard < 0)
            return mbarrier_awaits(walk->machine, walk->lane, instruction, place->registers,
                                   walk->awaited);
        if (!step(walk, place))
            return false;
    }
    return false;
}

// Whether the answer "complete" leads from two waits to one place.
static bool join(const struct idle_walk *walk, const struct way_point *first,
                 const struct way_point *second) {
    struct way_point ways[STEPS_MAX], other = copy_of(walk, second->pc, second->registers);
    unsigned count = 1;
    bool same = false;
    ways[0] = copy_of(walk, first->pc, first->registers);
    answer(walk, &ways[0], true);
    answer(walk, &other, true);
    while (count < STEPS_MAX) {
        ways[count] = copy_of(walk, ways[count - 1].pc, ways[count - 1].registers);
        if (!step(walk, &ways[count++]))
            break;
    }
    for (unsigned i = 0; i < STEPS_MAX && !same; i++) {
        for (unsigned k = 0; k < count && !same; k++)
            same = is_equal(walk, &ways[k], &other);
        if (!same && !step(walk, &other))
            break;
    }
    for (unsigned i = 0; i < count; i++)
        free(ways[i].registers);
    free(other.registers);
    return same;
}

static bool is_idle_at(struct machine *machine, struct lane *lane,
                       const struct awaited_phase *awaited) {
    const struct idle_walk walk = {machine, lane, awaited, lane->thread->register_count};
    struct way_point waits[WAITS_MAX];
    unsigned count = 1;
    bool goes_round = false, is_idle = true;
    waits[0] = copy_of(&walk, lane->pc, lane->registers);
    while (count < WAITS_MAX && is_idle && !goes_round) {
        waits[count] = copy_of(&walk, waits[count - 1].pc, waits[count - 1].registers);
        answer(&walk, &waits[count], false);
        is_idle = go_to_wait(&walk, &waits[count]);
        for (unsigned i = 0; i < count && is_idle; i++)
            goes_round |= is_equal(&walk, &waits[i], &waits[count]);
        count++;
    }
    for (unsigned i = 1; i < count && is_idle && goes_round; i++)
        is_idle = join(&walk, &waits[0], &waits[i]);
    for (unsigned i = 0; i < count; i++)
        free(waits[i].registers);
    return is_idle && goes_round && !machine->is_over;
}

// --- Waits ---------------------------------------------------------------------------------------

bool run_wait(struct machine *machine, struct lane *lane, const struct instruction *instruction) {
    bool passed = false;
    if (instruction->operands[0].kind == OPERAND_VECTOR)
        return run_give_up(machine, instruction, "waits of this kind are not run");
    struct mbarrier *m = mbarrier_of(machine, lane, instruction, &instruction->operands[1]);
    struct awaited_phase awaited = {.m = m, .opcode = instruction->opcode};
    if (m == NULL || !mbarrier_asked(machine, lane, instruction, lane->registers, &awaited.asked) ||
        !mbarrier_is_complete(machine, instruction, m, awaited.asked, &passed))
        return false;
    if (!(passed && mbarrier_is_certain(lane, m)) && !is_idle_at(machine, lane, &awaited))
        return run_give_up(machine, instruction,
                           "a wait that fails is followed by something else than waiting on");
    if (passed)
        return mbarrier_pass(machine, lane, instruction, m);
    lane->state = LANE_AT_WAIT;
    lane->blocked = instruction;
    lane->waits_for = m;
    return true;
}
