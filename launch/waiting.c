// Waits for phases of mbarriers, and the loops that they are in: whether a thread that finds a
// phase incomplete does nothing but ask again, so that it does not matter how often it asks.
//
// It goes on with the answer "not yet" until it is at a wait with the registers of an earlier time:
// then it can only go round. From each of the waits on that way, the answer "complete" has to lead
// to the same place with the same registers.
#include "launch/mbarrier.h"
#include "launch/walk.h"

#include <stdlib.h>

enum { STEPS_MAX = 64, WAITS_MAX = 6 };

// A thread at a wait for a phase.
struct idle_walk {
    struct lane_walk walk;
    const struct awaited_phase *awaited;
};

static bool is_wait(const struct instruction *instruction) {
    return instruction->opcode == OP_MBARRIER_WAIT ||
           instruction->opcode == OP_MBARRIER_WAIT_PARITY;
}

// Gives the wait at a place its answer, and goes on after it.
static void answer(const struct lane_walk *walk, struct way_point *place, bool is_complete) {
    const struct instruction *instruction = walk_at(walk, place);
    stepper_write(walk->lane->thread, place->registers, &instruction->operands[0],
                  (struct step_value){{is_complete, 0}, KNOWN}, 1, false);
    place->pc++;
}

// Goes on to the next wait for the same phase, which is not skipped.
static bool go_to_wait(const struct idle_walk *idle, struct way_point *place) {
    for (unsigned i = 0; i < STEPS_MAX; i++) {
        const struct instruction *instruction = walk_at(&idle->walk, place);
        if (instruction != NULL && is_wait(instruction) && instruction->guard < 0)
            return mbarrier_awaits(idle->walk.machine, idle->walk.lane, instruction,
                                   place->registers, idle->awaited);
        if (!walk_step(&idle->walk, place))
            return false;
    }
    return false;
}

// Whether the answer "complete" leads from two waits to one place.
static bool join(const struct lane_walk *walk, const struct way_point *first,
                 const struct way_point *second) {
    struct way_point ways[STEPS_MAX], other = walk_copy(walk, second->pc, second->registers);
    unsigned count = 1;
    bool same = false;
    ways[0] = walk_copy(walk, first->pc, first->registers);
    answer(walk, &ways[0], true);
    answer(walk, &other, true);
    while (count < STEPS_MAX) {
        ways[count] = walk_copy(walk, ways[count - 1].pc, ways[count - 1].registers);
        if (!walk_step(walk, &ways[count++]))
            break;
    }
    for (unsigned i = 0; i < STEPS_MAX && !same; i++) {
        for (unsigned k = 0; k < count && !same; k++)
            same = walk_equal(walk, &ways[k], &other);
        if (!same && !walk_step(walk, &other))
            break;
    }
    for (unsigned i = 0; i < count; i++)
        free(ways[i].registers);
    free(other.registers);
    return same;
}

static bool is_idle_at(struct machine *machine, struct lane *lane,
                       const struct awaited_phase *awaited) {
    const struct idle_walk idle = {{machine, lane, lane->thread->register_count}, awaited};
    const struct lane_walk *walk = &idle.walk;
    struct way_point waits[WAITS_MAX];
    unsigned count = 1;
    bool goes_round = false, is_idle = true;
    waits[0] = walk_copy(walk, lane->pc, lane->registers);
    while (count < WAITS_MAX && is_idle && !goes_round) {
        waits[count] = walk_copy(walk, waits[count - 1].pc, waits[count - 1].registers);
        answer(walk, &waits[count], false);
        is_idle = go_to_wait(&idle, &waits[count]);
        for (unsigned i = 0; i < count && is_idle; i++)
            goes_round |= walk_equal(walk, &waits[i], &waits[count]);
        count++;
    }
    for (unsigned i = 1; i < count && is_idle && goes_round; i++)
        is_idle = join(walk, &waits[0], &waits[i]);
    for (unsigned i = 0; i < count; i++)
        free(waits[i].registers);
    return is_idle && goes_round && !machine->is_over;
}

// --- Waits -------------------------------------------------------------------------------------

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
