// What lanes of a warp exchange: shfl, vote, match, redux, elect (PTX ISA 9.7.9.6, 9.7.13.9 to
// 9.7.13.14),
// and matrices between rows and registers (9.7.14.5.15 to 9.7.14.5.17).
// They order no memory. All lanes of the mask have to come to one instruction.
#include "launch/barrier.h"
#include "launch/warp.h"

#include <assert.h>

// The lanes of a warp that take part, by their places in it; NULL of others.
struct exchanging {
    struct lane *lanes[LANES_OF_WARP];
    const struct instruction *instruction;
};

static bool is_shfl(const struct instruction *instruction) {
    return instruction->warp >= WARP_SHFL_UP && instruction->warp <= WARP_SHFL_IDX;
}

static bool is_vote(const struct instruction *instruction) {
    return instruction->warp >= WARP_VOTE_ALL && instruction->warp <= WARP_VOTE_BALLOT;
}

static struct step_value given_by(struct machine *machine, struct lane *lane,
                                  const struct instruction *instruction) {
    unsigned width = is_vote(instruction)   ? 1
                     : is_shfl(instruction) ? 32
                                            : scalar_type_bits(instruction->type);
    return stepper_value(machine->stepper, lane->index, lane->registers, &instruction->operands[1],
                         width, false);
}

static void write_pair(struct lane *lane, const struct instruction *instruction,
                       struct step_value result, struct step_value predicate) {
    const struct operand *target = &instruction->operands[0];
    stepper_write(lane->thread, lane->registers, operand_element(target, 0), result, 32, false);
    if (target->kind == OPERAND_VECTOR)
        stepper_write(lane->thread, lane->registers, &target->elements[1], predicate, 1, false);
}

static struct step_value number(uint64_t bits) {
    return (struct step_value){{bits, 0}, KNOWN};
}

// --- shfl --------------------------------------------------------------------------------------

// The lane from which a shfl takes its value, and whether that is in range (PTX ISA 9.7.9.6).
static unsigned source_lane(enum warp_op mode, unsigned own, uint32_t b, uint32_t c,
                            bool *in_range) {
    unsigned segment = c >> 8 & 31, clamp = c & 31, at = b & 31;
    unsigned least = own & segment, most = least | (clamp & ~segment);
    int from = mode == WARP_SHFL_UP     ? (int)own - (int)at
               : mode == WARP_SHFL_DOWN ? (int)(own + at)
               : mode == WARP_SHFL_BFLY ? (int)(own ^ at)
                                        : (int)(least | (at & ~segment));
    *in_range = mode == WARP_SHFL_UP ? from >= (int)most : from <= (int)most;
    return *in_range ? (unsigned)from : own;
}

static bool shuffle(struct machine *machine, const struct exchanging *all,
                    const struct step_value *given) {
    const struct instruction *instruction = all->instruction;
    struct step_value results[LANES_OF_WARP], in_range[LANES_OF_WARP];
    for (unsigned i = 0; i < LANES_OF_WARP; i++) {
        uint32_t b, c;
        bool is_in_range;
        if (all->lanes[i] == NULL)
            continue;
        if (!run_number(machine, all->lanes[i], instruction, &instruction->operands[2], "a lane",
                        &b) ||
            !run_number(machine, all->lanes[i], instruction, &instruction->operands[3], "a clamp",
                        &c))
            return false;
        unsigned from = source_lane(instruction->warp, i, b, c, &is_in_range);
        bool is_there = from < LANES_OF_WARP && all->lanes[from] != NULL;
        results[i] = is_there ? given[from] : (struct step_value){{0, 0}, UNKNOWN_CONTENTS};
        in_range[i] = number(is_in_range);
    }
    for (unsigned i = 0; i < LANES_OF_WARP; i++)
        if (all->lanes[i] != NULL)
            write_pair(all->lanes[i], instruction, results[i], in_range[i]);
    return true;
}

// --- vote, match, redux ------------------------------------------------------------------------

static enum knowledge worst_of(const struct exchanging *all, const struct step_value *given) {
    enum knowledge worst = KNOWN;
    for (unsigned i = 0; i < LANES_OF_WARP; i++)
        if (all->lanes[i] != NULL && given[i].knowledge > worst)
            worst = given[i].knowledge;
    return worst;
}

// Which lanes give the same as one of them, as bits.
static uint32_t alike(const struct exchanging *all, const struct step_value *given, unsigned lane) {
    uint32_t bits = 0;
    for (unsigned i = 0; i < LANES_OF_WARP; i++)
        if (all->lanes[i] != NULL && bits_equal(given[i].bits, given[lane].bits))
            bits |= UINT32_C(1) << i;
    return bits;
}

static uint32_t present(const struct exchanging *all) {
    uint32_t bits = 0;
    for (unsigned i = 0; i < LANES_OF_WARP; i++)
        bits |= (uint32_t)(all->lanes[i] != NULL) << i;
    return bits;
}

static struct step_value reduce(struct machine *machine, const struct exchanging *all,
                                const struct step_value *given) {
    struct step_value so_far = {{0, 0}, UNWRITTEN};
    for (unsigned i = 0; i < LANES_OF_WARP; i++) {
        if (all->lanes[i] == NULL)
            continue;
        so_far = so_far.knowledge == UNWRITTEN ? given[i]
                                               : stepper_atomic(machine->stepper, all->instruction,
                                                                32, so_far, given[i], given[i]);
    }
    return so_far;
}

// What a lane gets, beside shfl, where all that is given is known; `*predicate` is of match.all.
static struct step_value result_for(struct machine *machine, const struct exchanging *all,
                                    const struct step_value *given, unsigned lane,
                                    struct step_value *predicate) {
    uint32_t there = present(all), holds = 0, same = alike(all, given, lane);
    for (unsigned i = 0; i < LANES_OF_WARP; i++)
        holds |= (uint32_t)(all->lanes[i] != NULL && given[i].bits.low != 0) << i;
    *predicate = number(same == there);
    switch (all->instruction->warp) {
    case WARP_VOTE_ALL: return number(holds == there);
    case WARP_VOTE_ANY: return number(holds != 0);
    case WARP_VOTE_UNI: return number(same == there);
    case WARP_VOTE_BALLOT: return number(holds);
    case WARP_MATCH_ANY: return number(same);
    case WARP_MATCH_ALL: return number(same == there ? there : 0);
    default: return reduce(machine, all, given);
    }
}

static void combine(struct machine *machine, const struct exchanging *all,
                    const struct step_value *given) {
    enum knowledge knowledge = worst_of(all, given);
    struct step_value results[LANES_OF_WARP], predicates[LANES_OF_WARP];
    for (unsigned i = 0; i < LANES_OF_WARP; i++) {
        results[i] = predicates[i] = (struct step_value){{0, 0}, knowledge};
        if (all->lanes[i] != NULL && knowledge == KNOWN)
            results[i] = result_for(machine, all, given, i, &predicates[i]);
    }
    for (unsigned i = 0; i < LANES_OF_WARP; i++)
        if (all->lanes[i] != NULL)
            write_pair(all->lanes[i], all->instruction, results[i], predicates[i]);
}

// --- Matrices ----------------------------------------------------------------------------------

// What a lane gives: its row of 128 bits, or its registers, the first one lowest.
static struct step_value given_to_matrix(struct machine *machine, struct lane *lane,
                                         const struct instruction *instruction) {
    enum { REGISTER_BITS = 32, ROW_BITS = 128, WORD_BITS = 64 };
    const struct operand *operand = &instruction->operands[1];
    if (operand->kind != OPERAND_VECTOR && instruction->warp <= WARP_LDMATRIX_TRANS)
        return stepper_value(machine->stepper, lane->index, lane->registers, operand, ROW_BITS,
                             false);
    struct step_value all = number(0);
    for (unsigned i = 0; i < operand_length(operand); i++) {
        struct step_value next = stepper_value(machine->stepper, lane->index, lane->registers,
                                               operand_element(operand, i), REGISTER_BITS, false);
        if (next.knowledge > all.knowledge)
            all.knowledge = next.knowledge;
        uint64_t *word = i * REGISTER_BITS < WORD_BITS ? &all.bits.low : &all.bits.high;
        *word |= next.bits.low << (i * REGISTER_BITS % WORD_BITS);
    }
    return all;
}

static struct step_value part_of(struct step_value whole, unsigned first, unsigned width) {
    uint128 bits = bits_to_wide(whole.bits) >> first & bits_mask(width);
    return (struct step_value){bits_from_wide(bits), whole.knowledge};
}

// All lanes of the warp take part, or what they get is not known.
static bool exchange_matrix(struct machine *machine, const struct exchanging *all,
                            const struct step_value *given) {
    const struct instruction *instruction = all->instruction;
    const struct operand *target = &instruction->operands[0];
    unsigned count = operand_length(target);
    unsigned width = stepper_matrix_width(instruction) / count;
    for (unsigned lane = 0; lane < LANES_OF_WARP; lane++)
        if (all->lanes[lane] == NULL)
            return run_give_up(machine, instruction, "a warp has fewer lanes than its matrices");
    for (unsigned lane = 0; lane < LANES_OF_WARP; lane++) {
        struct step_value got = stepper_matrix(machine->stepper, instruction, given, lane);
        struct lane *to = all->lanes[lane];
        for (unsigned i = 0; i < count; i++)
            stepper_write(to->thread, to->registers, operand_element(target, i),
                          part_of(got, i * width, width), width, false);
    }
    return true;
}

// --- elect -------------------------------------------------------------------------------------

// Which of `count` lanes a warp elects in this run.
static unsigned elected_of(const struct elections *elections, size_t warp, unsigned count) {
    unsigned digits = elections->number;
    for (size_t i = 0; i < warp && !elections->are_alike; i++)
        digits /= elections->base;
    return (elections->are_alike ? digits : digits % elections->base) % count;
}

static void note_election(struct elections *elections, size_t warp, uint32_t mask, unsigned count) {
    elections->are_several |= elections->masks[warp] != 0 && elections->masks[warp] != mask;
    elections->masks[warp] = mask;
    if (count > elections->widest)
        elections->widest = count;
}

// "The same leader thread is elected for the same membermask every time": all runs together have
// each lane elected (launch_run).
static void elect(struct machine *machine, const struct exchanging *all) {
    uint32_t there = present(all), left = there;
    unsigned count = (unsigned)__builtin_popcount(there);
    const struct lane *first = all->lanes[__builtin_ctz(there)];
    size_t warp = first->block->first_warp + first->number / LANES_OF_WARP;
    note_election(&machine->elections, warp, there, count);
    for (unsigned i = elected_of(&machine->elections, warp, count); i > 0; i--)
        left &= left - 1; // without its first lane
    unsigned leader = (unsigned)__builtin_ctz(left);
    for (unsigned i = 0; i < LANES_OF_WARP; i++)
        if (all->lanes[i] != NULL)
            write_pair(all->lanes[i], all->instruction, number(leader), number(i == leader));
}

// --- Coming together ---------------------------------------------------------------------------

// Whether an exchange is of the lanes of its mask that have not ended: shfl, vote, match and redux
// wait "until all non-exited threads corresponding to membermask" come (PTX ISA 9.7.9.6, 9.7.13.9
// to 9.7.13.13). elect waits for all threads, and matrices need all of them.
static bool leaves_out_ended(const struct instruction *instruction) {
    return instruction->warp != WARP_ELECT && stepper_matrix_width(instruction) == 0;
}

// Collects the lanes of the mask at which one is. Returns false where some of them are not there
// yet, or after giving up.
static bool gather(struct machine *machine, const struct lane *lane, struct exchanging *all) {
    const struct block *block = lane->block;
    unsigned first = lane->number - lane->number % LANES_OF_WARP;
    struct lane_range range = warp_range(lane);
    *all = (struct exchanging){.instruction = lane->blocked};
    for (unsigned i = range.begin; i < range.end; i++) {
        struct lane *other = block->lanes[i];
        unsigned at = other->number - first;
        if (at >= LANES_OF_WARP || (lane->id >> at & 1) == 0)
            continue;
        if (other->state == LANE_ENDED && leaves_out_ended(lane->blocked))
            continue;
        if (other->state == LANE_ENDED)
            return run_give_up(machine, lane->blocked, "a lane of an exchange has ended");
        if (other->state != LANE_AT_EXCHANGE || other->id != lane->id)
            return false;
        if (other->blocked != lane->blocked)
            return run_give_up(machine, lane->blocked,
                               "lanes exchange values by different instructions");
        all->lanes[at] = other;
    }
    return true;
}

// Gives the lanes what they get of each other.
static bool give(struct machine *machine, const struct exchanging *all) {
    struct step_value given[LANES_OF_WARP];
    bool is_of_matrix = stepper_matrix_width(all->instruction) > 0;
    if (all->instruction->warp == WARP_ELECT) {
        elect(machine, all);
        return true;
    }
    for (unsigned i = 0; i < LANES_OF_WARP; i++)
        if (all->lanes[i] != NULL)
            given[i] = is_of_matrix ? given_to_matrix(machine, all->lanes[i], all->instruction)
                                    : given_by(machine, all->lanes[i], all->instruction);
    if (is_of_matrix)
        return exchange_matrix(machine, all, given);
    if (is_shfl(all->instruction))
        return shuffle(machine, all, given);
    combine(machine, all, given);
    return true;
}

bool exchange_end(struct machine *machine, struct lane *lane) {
    struct exchanging all;
    if (!gather(machine, lane, &all))
        return !machine->is_over;
    if (!give(machine, &all))
        return false;
    for (unsigned i = 0; i < LANES_OF_WARP; i++)
        if (all.lanes[i] != NULL)
            run_on(all.lanes[i]);
    return true;
}

// activemask: which lanes are active is the schedule's.
static bool give_active(struct lane *lane, const struct instruction *instruction) {
    enum { MASK_BITS = 32 };
    stepper_write(lane->thread, lane->registers, &instruction->operands[0],
                  (struct step_value){{0, 0}, UNKNOWN_SCHEDULE}, MASK_BITS, false);
    run_on(lane);
    return true;
}

bool run_exchange(struct machine *machine, struct lane *lane,
                  const struct instruction *instruction) {
    bool is_of_matrix = stepper_matrix_width(instruction) > 0;
    if (instruction->warp == WARP_ACTIVEMASK)
        return give_active(lane, instruction);
    if (!is_of_matrix && (instruction->warp < WARP_SHFL_UP || instruction->warp > WARP_ELECT))
        return run_give_up(machine, instruction, "exchanges of this kind are not run");
    const struct operand *mask = &instruction->operands[instruction->operand_count - 1];
    if (!run_number(machine, lane, instruction, mask, "a mask", &lane->id))
        return false;
    if ((lane->id >> lane->number % LANES_OF_WARP & 1) == 0)
        return run_misuse(machine, lane, instruction, "barrier-misuse",
                          "its mask leaves out the lane itself");
    lane->blocked = instruction;
    lane->state = LANE_AT_EXCHANGE;
    return exchange_end(machine, lane);
}
