// Which values let a thread go on that polls memory.
//
// A value does not where the thread, having read it, comes back to the access. The registers that
// it has changed by then are taken to hold anything before, too, so that it comes back after any
// number of such values. Of these registers nothing is known when it goes on.
#include "launch/walk.h"

#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 64 };

static const struct instruction *access_of(const struct lane *lane) {
    return &lane->thread->instructions[lane->pc];
}

static bool is_cas(const struct instruction *instruction) {
    return instruction_is_atomic(instruction) && instruction->atomic == ATOMIC_CAS;
}

static void forget(struct step_value *registers, const bool *changed, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (changed[i])
            registers[i] = (struct step_value){{0, 0}, UNKNOWN_SCHEDULE};
}

void poll_forget(struct lane *lane) {
    forget(lane->registers, lane->turn.changed, lane->thread->register_count);
}

// --- One value ---------------------------------------------------------------------------------

// Whether an operand has a known value that is the same in both places.
static bool is_kept(const struct lane_walk *walk, const struct way_point *place,
                    const struct operand *operand, const struct instruction *access) {
    struct stepper *stepper = walk->machine->stepper;
    int thread = walk->lane->index;
    bool is_address = operand == &access->operands[1];
    unsigned bits = scalar_type_bits(access->type);
    struct step_value now =
        is_address ? stepper_address(stepper, thread, walk->lane->registers, operand, access->space)
                   : stepper_value(stepper, thread, walk->lane->registers, operand, bits, false);
    struct step_value then =
        is_address ? stepper_address(stepper, thread, place->registers, operand, access->space)
                   : stepper_value(stepper, thread, place->registers, operand, bits, false);
    return then.knowledge == KNOWN && step_same(now, then);
}

// Whether the thread is at the access again, to do the same.
static bool is_back(const struct lane_walk *walk, const struct way_point *place) {
    const struct instruction *access = access_of(walk->lane);
    if (place->pc != walk->lane->pc)
        return false;
    struct step_value executed = {{1, 0}, KNOWN};
    if (access->guard >= 0)
        executed = place->registers[access->guard];
    bool all_kept =
        executed.knowledge == KNOWN && (executed.bits.low != 0) != access->guard_negated;
    for (unsigned i = 1; i < access->operand_count && all_kept; i++)
        all_kept = is_kept(walk, place, &access->operands[i], access);
    return all_kept;
}

// Adds the registers in which the thread now has something else than before.
static void note_changes(const struct lane_walk *walk, const struct way_point *place,
                         bool *changed) {
    for (size_t i = 0; i < walk->register_count; i++)
        changed[i] |= !step_same(walk->lane->registers[i], place->registers[i]);
}

static bool is_plain_fence(const struct instruction *instruction) {
    return instruction->opcode == OP_FENCE && instruction->guard < 0 &&
           instruction->fence.space == SPACE_GENERIC && !instruction->fence.is_init;
}

// Goes on with a value until the thread is back. Returns false where it is not.
static bool comes_back(const struct lane_walk *walk, struct way_point *place) {
    place->pc++;
    for (unsigned i = 0; i < STEPS_MAX; i++) {
        const struct instruction *instruction = walk_at(walk, place);
        if (is_back(walk, place))
            return true;
        if (instruction == NULL)
            return false;
        if (is_plain_fence(instruction))
            place->pc++;
        else if (!walk_step(walk, place))
            return false;
    }
    return false;
}

// Whether a value does not let the thread go on, where registers in `changed` may hold anything;
// adds to these.
static bool is_idle(struct machine *machine, struct lane *lane, struct step_value word,
                    bool *changed) {
    const struct lane_walk walk = {machine, lane, lane->thread->register_count};
    const struct instruction *access = access_of(lane);
    struct way_point place = walk_copy(&walk, lane->pc, lane->registers);
    forget(place.registers, changed, walk.register_count);
    stepper_write(lane->thread, place.registers, &access->operands[0], word,
                  scalar_type_bits(access->type), scalar_type_is_signed(access->type));
    bool back = comes_back(&walk, &place);
    if (back)
        note_changes(&walk, &place, changed);
    free(place.registers);
    return back;
}

// --- All values --------------------------------------------------------------------------------

// Whether an access leaves a value as it is: a load, a compare-and-swap that fails, or one of
// other operations that writes what it has read. (No other write comes between these two, and who
// reads on in the chain observes what came before.)
static bool leaves_alone(struct machine *machine, struct lane *lane, struct step_value word) {
    const struct instruction *access = access_of(lane);
    if (access->opcode == OP_LD)
        return true;
    if (!instruction_is_atomic(access) || !instruction_defines(access))
        return false;
    unsigned bits = scalar_type_bits(access->type);
    struct step_value b =
        stepper_value(machine->stepper, lane->index, lane->registers, &access->operands[2], bits,
                      scalar_type_is_signed(access->type));
    if (is_cas(access))
        return word.knowledge == KNOWN && b.knowledge == KNOWN && !bits_equal(word.bits, b.bits);
    struct step_value after = stepper_atomic(machine->stepper, access, bits, word, b, b);
    return after.knowledge == KNOWN && step_same(word, after);
}

static size_t count_changed(const struct lane *lane) {
    size_t count = 0;
    for (size_t i = 0; i < lane->thread->register_count; i++)
        count += lane->turn.changed[i];
    return count;
}

// An atomic operation that writes reads the last write: of two orders, another run has the other.
static void try_write(struct machine *machine, struct lane *lane, size_t write) {
    struct lane_turn *turn = &lane->turn;
    struct step_value word = turn->place->writes[write].word;
    const struct instruction *access = access_of(lane);
    bool leaves = leaves_alone(machine, lane, word);
    if (round_is_idle(lane, word))
        return;
    if (leaves && is_idle(machine, lane, word, turn->changed)) {
        bool is_last = write + 1 == turn->place->write_count;
        turn->polls_last |= is_last;
        turn->polls_old |= !is_last;
        return;
    }
    if ((leaves && (access->opcode == OP_LD || is_cas(access))) ||
        write + 1 == turn->place->write_count)
        turn->options[turn->option_count++] = write;
}

void poll_find_options(struct machine *machine, struct lane *lane) {
    struct lane_turn *turn = &lane->turn;
    size_t last = turn->place->write_count - 1, oldest = order_oldest(lane, turn->place);
    size_t before, registers = lane->thread->register_count;
    if (turn->known_writes == turn->place->write_count)
        return;
    turn->known_writes = turn->place->write_count;
    turn->options = ARENA_ARRAY(machine->scratch, size_t, last - oldest + 1);
    turn->changed = ARENA_ARRAY(machine->scratch, bool, registers + 1);
    do {
        before = count_changed(lane);
        turn->option_count = 0;
        turn->polls_last = turn->polls_old = false;
        for (size_t write = last + 1; write-- > oldest;)
            try_write(machine, lane, write);
    } while (count_changed(lane) != before);
}
