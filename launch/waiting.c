// Waits for phases of mbarriers, and the loops that they are in: whether a thread that finds a
// phase incomplete does nothing but ask again, so that it does not matter how often it asks.
//
// Where it counts or looks at a clock between its waits, what it has in the registers that differ
// is forgotten: it may be anything when the phase is complete.
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

// --- Loops that count --------------------------------------------------------------------------

enum { FORKS_MAX = 32, COUNTED_STEPS_MAX = 512, ROUNDS_MAX = 8 };

// All ways from a wait to the next one for the same phase, whatever branches do that depend on what
// was forgotten.
struct counting_walk {
    struct idle_walk idle;
    struct way_point open[FORKS_MAX]; // ways that are to be gone
    unsigned open_count, steps;
    struct way_point back; // at the next wait, with what is the same in the registers on all ways
    bool is_there;         // `back` is known
    bool has_changed;      // registers in it have been forgotten
};

// Forgets what differs in the registers of two places. Returns whether that is more than before.
static bool forget_differences(const struct lane_walk *walk, struct way_point *kept,
                               const struct way_point *other) {
    bool has_changed = false;
    for (size_t i = 0; i < walk->register_count; i++) {
        struct step_value *value = &kept->registers[i];
        if (step_same(*value, other->registers[i]))
            continue;
        has_changed |= value->knowledge != UNKNOWN_SCHEDULE;
        *value = (struct step_value){{0, 0}, UNKNOWN_SCHEDULE};
    }
    return has_changed;
}

// Notes that a way has come to a wait: the one at which the others have come, too.
static bool come_to(struct counting_walk *counting, const struct way_point *place) {
    const struct lane_walk *walk = &counting->idle.walk;
    if (!counting->is_there) {
        counting->back = walk_copy(walk, place->pc, place->registers);
        counting->is_there = counting->has_changed = true;
    } else if (counting->back.pc == place->pc) {
        counting->has_changed |= forget_differences(walk, &counting->back, place);
    }
    return counting->back.pc == place->pc;
}

// Goes on by one instruction; where it is not known whether a branch is taken, the way on which it
// is not is kept for later.
static bool count_step(struct counting_walk *counting, struct way_point *place) {
    const struct lane_walk *walk = &counting->idle.walk;
    const struct instruction *instruction = walk_at(walk, place);
    bool is_open = instruction != NULL && instruction->guard >= 0 &&
                   place->registers[instruction->guard].knowledge != KNOWN;
    if (!is_open)
        return walk_step(walk, place);
    if (instruction->opcode != OP_BRA || counting->open_count == FORKS_MAX)
        return false;
    counting->open[counting->open_count++] = walk_copy(walk, place->pc + 1, place->registers);
    place->pc = instruction_target(walk->lane->thread, instruction);
    return true;
}

// Goes a way until it is at a wait, for the same phase.
static bool go_one_way(struct counting_walk *counting, struct way_point *place) {
    const struct idle_walk *idle = &counting->idle;
    while (counting->steps++ < COUNTED_STEPS_MAX) {
        const struct instruction *instruction = walk_at(&idle->walk, place);
        if (instruction != NULL && is_wait(instruction) && instruction->guard < 0)
            return mbarrier_awaits(idle->walk.machine, idle->walk.lane, instruction,
                                   place->registers, idle->awaited) &&
                   come_to(counting, place);
        if (!count_step(counting, place))
            return false;
    }
    return false;
}

// Goes all ways once, from a wait that finds the phase incomplete.
static bool go_all_ways(struct counting_walk *counting, const struct way_point *from) {
    const struct lane_walk *walk = &counting->idle.walk;
    bool all_come = true;
    counting->open[0] = walk_copy(walk, from->pc, from->registers);
    counting->open_count = 1;
    answer(walk, &counting->open[0], false);
    while (counting->open_count > 0) {
        struct way_point place = counting->open[--counting->open_count];
        all_come = all_come && go_one_way(counting, &place);
        free(place.registers);
    }
    return all_come;
}

// Goes on from two waits that have found the phase complete until they are at one place. Leaves in
// `*first` where that is, with what is the same in the registers.
static bool come_together(const struct lane_walk *walk, struct way_point *first,
                          struct way_point *second) {
    answer(walk, first, true);
    answer(walk, second, true);
    for (unsigned i = 0; i < STEPS_MAX; i++) {
        struct way_point other = walk_copy(walk, second->pc, second->registers);
        bool goes_on = true, is_same = false;
        for (unsigned k = 0; k < STEPS_MAX && goes_on && !is_same; k++) {
            is_same = other.pc == first->pc;
            goes_on = is_same || walk_step(walk, &other);
        }
        if (is_same)
            forget_differences(walk, first, &other);
        free(other.registers);
        if (is_same)
            return true;
        if (!walk_step(walk, first))
            return false;
    }
    return false;
}

// Whether a thread that is at a wait comes to a wait for the same phase again and again as long as
// that is incomplete. Then `*after`, whose registers the caller frees, is where it goes on when the
// phase is complete, without what it has counted until then.
static bool counts_at(struct machine *machine, struct lane *lane,
                      const struct awaited_phase *awaited, struct way_point *after) {
    struct counting_walk counting = {
        .idle = {{machine, lane, lane->thread->register_count}, awaited}};
    const struct lane_walk *walk = &counting.idle.walk;
    *after = walk_copy(walk, lane->pc, lane->registers);
    bool is_idle = lane->thread->instructions[lane->pc].guard < 0 && go_all_ways(&counting, after);
    for (unsigned i = 0; i < ROUNDS_MAX && is_idle && counting.has_changed; i++) {
        counting.has_changed = false;
        struct way_point from = walk_copy(walk, counting.back.pc, counting.back.registers);
        is_idle = go_all_ways(&counting, &from);
        free(from.registers);
    }
    is_idle = is_idle && !counting.has_changed && come_together(walk, after, &counting.back);
    if (counting.is_there)
        free(counting.back.registers);
    return is_idle && !machine->is_over;
}

// --- Waits -------------------------------------------------------------------------------------

static void go_to(struct lane *lane, const struct way_point *place) {
    lane->pc = place->pc;
    for (size_t i = 0; i < lane->thread->register_count; i++)
        lane->registers[i] = place->registers[i];
}

bool run_wait(struct machine *machine, struct lane *lane, const struct instruction *instruction) {
    bool passed = false;
    if (instruction->operands[0].kind == OPERAND_VECTOR)
        return run_give_up(machine, instruction, "waits of this kind are not run");
    struct mbarrier *m = mbarrier_of(machine, lane, instruction, &instruction->operands[1]);
    struct awaited_phase awaited = {.m = m, .opcode = instruction->opcode};
    if (m == NULL || !mbarrier_asked(machine, lane, instruction, lane->registers, &awaited.asked) ||
        !mbarrier_is_complete(machine, instruction, m, awaited.asked, &passed))
        return false;
    struct way_point after = {0};
    bool is_counting = false, is_fine = true;
    if (!(passed && mbarrier_is_certain(lane, m)) && !is_idle_at(machine, lane, &awaited)) {
        is_counting = !machine->is_over && counts_at(machine, lane, &awaited, &after);
        is_fine = is_counting ||
                  run_give_up(machine, instruction,
                              "a wait that fails is followed by something else than waiting on");
    }
    if (is_fine && passed) {
        is_fine = mbarrier_pass(machine, lane, instruction, m);
        if (is_counting)
            go_to(lane, &after);
    } else if (is_fine) {
        lane->state = LANE_AT_WAIT;
        lane->blocked = instruction;
        lane->waits_for = m;
    }
    free(after.registers);
    return is_fine;
}
