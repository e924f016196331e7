// Barriers of blocks (bar, barrier) and of warps (bar.warp.sync): PTX ISA 9.7.13.1 and 9.7.13.6.
//
// Which arrivals make up a phase has to be the same in every execution. So it is where each arrival
// comes after the phase before is complete in causality order: those who waited for that know it.
#include "launch/barrier.h"
#include "launch/cluster.h"
#include "launch/warp.h"

#include "litmus/source/arena.h"

// bar.{sync,arrive} a{, b}    bar.red d, a{, b}, p
struct bar {
    bool waits;
    uint32_t id, count; // count: 0 means all threads of the block
    const struct operand *predicate;
};

// Whether the threads of a block come in warps, as those of a launch do. Each thread of a test
// represents only itself.
static bool has_warps(const struct block *block) {
    return block->lanes[0]->thread->launch != NULL;
}

// For how many threads a barrier is that is for all: warps are counted whole.
static unsigned all_of(const struct block *block) {
    unsigned unit = has_warps(block) ? LANES_OF_WARP : 1;
    return (block->count + unit - 1) / unit * unit;
}

static bool check_bar(struct machine *machine, const struct lane *lane,
                      const struct instruction *instruction, const struct bar *bar,
                      bool is_counted) {
    if (bar->id >= BLOCK_BARRIERS || (is_counted && bar->count == 0))
        return run_misuse(machine, lane, instruction, "barrier-misuse",
                          "barriers are numbered 0 to 15, and are for some threads");
    if (has_warps(lane->block) && bar->count % LANES_OF_WARP != 0 &&
        bar->count != lane->block->count)
        return run_misuse(machine, lane, instruction, "barrier-misuse",
                          "the thread count is not a multiple of the warp size");
    return true;
}

static bool read_bar(struct machine *machine, struct lane *lane,
                     const struct instruction *instruction, struct bar *bar) {
    const struct operand *operands = instruction->operands;
    unsigned count = instruction->operand_count;
    bool is_red = instruction->barrier == BARRIER_RED;
    const struct operand *counted = is_red      ? (count == 4 ? &operands[2] : NULL)
                                    : count > 1 ? &operands[1]
                                                : NULL;
    *bar = (struct bar){.waits = instruction->barrier != BARRIER_ARRIVE,
                        .predicate = is_red ? &operands[count - 1] : NULL};
    if (!run_number(machine, lane, instruction, &operands[is_red], "the number of a barrier",
                    &bar->id) ||
        (counted != NULL && !run_number(machine, lane, instruction, counted,
                                        "the thread count of a barrier", &bar->count)))
        return false;
    if (!check_bar(machine, lane, instruction, bar, counted != NULL))
        return false;
    if (bar->count == lane->block->count || bar->count == all_of(lane->block))
        bar->count = 0;
    return true;
}

// --- Phases ------------------------------------------------------------------------------------

void barrier_forget(struct numbered_barrier *slot) {
    clock_drop(slot->base);
    clock_drop(slot->covering);
    slot->base = slot->covering = NULL;
}

// How many arrivals a phase is for.
static unsigned asked(const struct block *block, const struct numbered_barrier *slot) {
    return slot->count > 0 ? slot->count : block->count;
}

// How many arrivals complete a phase: where only threads that have ended could make those that it
// lacks, they do not hold it up (PTX ISA 9.7.12.7, exit; "exits release barriers"). One that is for
// more than there are lacks others.
static unsigned wanted(const struct block *block, const struct numbered_barrier *slot) {
    unsigned left = block->count - block->ended + slot->gone, all = asked(block, slot);
    return all > block->count || all < left ? all : left;
}

// What a bar.red gives: how many predicates hold, or whether all or any do.
static struct step_value result_of(const struct numbered_barrier *slot,
                                   const struct instruction *instruction) {
    uint64_t bits = instruction->bool_op == BOOL_AND  ? slot->holds == slot->given
                    : instruction->bool_op == BOOL_OR ? slot->holds > 0
                                                      : slot->holds;
    return (struct step_value){{bits, 0}, KNOWN};
}

static void let_go(struct machine *machine, struct numbered_barrier *slot, struct lane *lane) {
    (void)machine;
    const struct instruction *instruction = lane->blocked;
    if (instruction->barrier == BARRIER_RED)
        stepper_write(lane->thread, lane->registers, &instruction->operands[0],
                      result_of(slot, instruction), 32, false);
    lane->waited[lane->id] = slot->phase + 1;
    run_on(lane);
}

static void complete(struct machine *machine, struct block *block, struct numbered_barrier *slot) {
    struct moment **moments = block->moments;
    if (moments == NULL)
        moments = block->moments = ARENA_ARRAY(machine->scratch, struct moment *, block->count);
    for (unsigned i = 0; i < slot->waiting_count; i++)
        moments[i] = &slot->waiting[i]->at;
    if (slot->heard != NULL && slot->waiting_count > 0)
        moment_hear(moments[0], slot->heard);
    clock_drop(slot->completed);
    barrier_forget(slot);
    if (slot->waiting_count > 0) {
        moments_meet(moments, slot->waiting_count);
        slot->completed = clock_keep(moments[0]->heard);
    } else {
        slot->completed = slot->heard == NULL ? NULL : clock_keep(slot->heard);
    }
    slot->is_by_exits = slot->waiting_count + slot->arrived < asked(block, slot);
    for (unsigned i = 0; i < slot->waiting_count; i++)
        let_go(machine, slot, slot->waiting[i]);
    clock_drop(slot->heard);
    slot->heard = NULL;
    slot->waiting_count = slot->arrived = slot->gone = slot->given = slot->holds = 0;
    slot->first = NULL;
    slot->is_mixed = false;
    slot->phase++;
}

// Whether a thread has arrived in the phase at hand.
static bool is_there(const struct block *block, const struct numbered_barrier *slot,
                     const struct lane *lane) {
    return lane->arrived[slot - block->slots] == slot->phase + 1;
}

// How many threads a barrier counts: warps whose threads have all arrived or ended, "in multiple of
// warp size". Its instructions wait "for all non-exited threads from its warp" (PTX ISA 9.7.13.1).
static unsigned in_warps(const struct block *block, const struct numbered_barrier *slot) {
    unsigned counted = 0;
    for (unsigned first = 0; first < block->count; first += LANES_OF_WARP) {
        unsigned there = 0, missing = 0;
        for (unsigned i = first; i < block->count && i < first + LANES_OF_WARP; i++)
            if (is_there(block, slot, block->lanes[i]))
                there++;
            else if (block->lanes[i]->state != LANE_ENDED)
                missing++;
        counted += there > 0 && missing == 0 ? LANES_OF_WARP : 0;
    }
    return counted;
}

static bool is_complete(const struct block *block, const struct numbered_barrier *slot) {
    unsigned there = slot->waiting_count + slot->arrived, absent = all_of(block) - block->count;
    if (there == 0)
        return false;
    if (slot->count == 0 || !has_warps(block))
        return there >= wanted(block, slot);
    unsigned left = block->count - block->ended + slot->gone;
    bool is_left_alone = there >= left && slot->count <= all_of(block);
    bool may_be = there + block->ended + absent >= slot->count;
    return is_left_alone || (may_be && in_warps(block, slot) >= slot->count);
}

static void complete_if_all(struct machine *machine, struct block *block,
                            struct numbered_barrier *slot) {
    if (is_complete(block, slot))
        complete(machine, block, slot);
}

// Whether what a thread has heard has all of a clock; the last answer is remembered, since many
// threads have heard the same.
static bool covers_completed(const struct lane *lane, struct numbered_barrier *slot) {
    if (lane->at.heard == slot->covering)
        return true;
    if (!clock_covers(lane->at.heard, slot->completed))
        return moment_covers(&lane->at, slot->completed);
    clock_drop(slot->covering);
    slot->covering = clock_keep(lane->at.heard);
    return true;
}

// Whether an arrival is in its phase in every execution: the thread knows that the one before is
// complete. Exits order nothing: where some have completed it, only those know who have waited.
static bool is_placed(const struct lane *lane, uint32_t id, struct numbered_barrier *slot) {
    return slot->completed == NULL || lane->waited[id] == slot->phase ||
           (!slot->is_by_exits && covers_completed(lane, slot));
}

// --- Arrivals ----------------------------------------------------------------------------------

// Whether a thread of the warp has arrived in the phase by another instruction, and one of the two
// is for all threads of the CTA: "all threads in CTA will execute the same instruction" (PTX ISA
// 9.7.13.1). Warps may execute different ones, as its example does.
static bool comes_apart(const struct lane *lane, const struct numbered_barrier *slot,
                        const struct instruction *instruction) {
    const struct block *block = lane->block;
    size_t id = (size_t)(slot - block->slots);
    struct lane_range range = warp_range(lane);
    if (!slot->is_mixed && slot->first->span.begin == instruction->span.begin)
        return false;
    for (unsigned i = range.begin; i < range.end && has_warps(block); i++) {
        const struct lane *other = block->lanes[i];
        if (is_there(block, slot, other) &&
            (instruction->is_aligned || other->arrived_by[id]->is_aligned) &&
            other->arrived_by[id]->span.begin != instruction->span.begin)
            return true;
    }
    return false;
}

static bool check_arrival(struct machine *machine, struct lane *lane, struct numbered_barrier *slot,
                          const struct instruction *instruction, const struct bar *bar) {
    if (!is_placed(lane, bar->id, slot))
        return run_give_up(machine, instruction,
                           "which phase of a barrier an arrival is in depends on the order in "
                           "which threads come");
    if (lane->arrived[bar->id] == slot->phase + 1)
        return run_misuse(machine, lane, instruction, "barrier-misuse",
                          "it arrives twice in one phase of a barrier");
    if (slot->first == NULL)
        return true;
    if (slot->count != bar->count)
        return run_misuse(machine, lane, instruction, "barrier-misuse",
                          "others arrive at the barrier for another number of threads");
    if (slot->is_reduction != (bar->predicate != NULL))
        return run_misuse(machine, lane, instruction, "barrier-misuse",
                          "'bar.red' and other instructions arrive in one phase of a barrier");
    if (comes_apart(lane, slot, instruction))
        return run_misuse(machine, lane, instruction, "barrier-misuse",
                          "threads of its warp come to the barrier by another instruction, and it "
                          "is aligned");
    return true;
}

static bool give(struct machine *machine, struct lane *lane, struct numbered_barrier *slot,
                 const struct instruction *instruction, const struct bar *bar) {
    struct bits128 bits;
    if (bar->predicate == NULL)
        return true;
    struct step_value word =
        stepper_value(machine->stepper, lane->index, lane->registers, bar->predicate, 1, false);
    if (!run_known(machine, instruction, word, "what a bar.red is given", &bits))
        return false;
    slot->given++;
    slot->holds += bits.low != 0;
    return true;
}

// Adds what a thread has heard, and itself, to what the phase has heard. Of threads that have heard
// the same, only themselves are added.
static void hear(struct lane *lane, struct numbered_barrier *slot) {
    if (slot->heard == NULL)
        slot->heard = moment_publish(&lane->at);
    else
        moment_add(&lane->at, slot->heard, lane->at.heard != slot->base);
    clock_drop(slot->base);
    slot->base = clock_keep(lane->at.heard);
}

// A bar.arrive: the thread goes on.
static void arrive(struct lane *lane, struct numbered_barrier *slot) {
    hear(lane, slot);
    slot->arrived++;
    run_on(lane);
}

static bool run_bar(struct machine *machine, struct lane *lane,
                    const struct instruction *instruction) {
    struct bar bar;
    if (!read_bar(machine, lane, instruction, &bar))
        return false;
    struct numbered_barrier *slot = &lane->block->slots[bar.id];
    if (!check_arrival(machine, lane, slot, instruction, &bar) ||
        !give(machine, lane, slot, instruction, &bar))
        return false;
    slot->count = bar.count;
    slot->first = slot->first ? slot->first : instruction;
    slot->is_mixed |= slot->first->span.begin != instruction->span.begin;
    slot->is_reduction = bar.predicate != NULL;
    lane->id = bar.id;
    lane->blocked = instruction;
    lane->arrived[bar.id] = slot->phase + 1;
    lane->arrived_by[bar.id] = instruction;
    if (slot->waiting == NULL)
        slot->waiting = ARENA_ARRAY(machine->scratch, struct lane *, lane->block->count);
    if (bar.waits) {
        lane->state = LANE_AT_BARRIER;
        slot->waiting[slot->waiting_count++] = lane;
    } else {
        arrive(lane, slot);
    }
    complete_if_all(machine, lane->block, slot);
    return !machine->is_over;
}

// --- Warps -------------------------------------------------------------------------------------

// The lanes of a mask that are there, and have not ended.
static unsigned lanes_of(const struct lane *lane, uint32_t mask, struct lane **lanes) {
    const struct block *block = lane->block;
    unsigned first = lane->number - lane->number % LANES_OF_WARP, count = 0;
    struct lane_range range = warp_range(lane);
    for (unsigned i = range.begin; i < range.end; i++) {
        struct lane *other = block->lanes[i];
        if (other->number - first < LANES_OF_WARP && mask >> (other->number - first) & 1 &&
            other->state != LANE_ENDED)
            lanes[count++] = other;
    }
    return count;
}

// Lets the lanes of a mask go on if all of them are there.
static void meet_warp(struct lane *lane, uint32_t mask) {
    struct lane *lanes[LANES_OF_WARP];
    struct moment *moments[LANES_OF_WARP];
    unsigned count = lanes_of(lane, mask, lanes);
    for (unsigned i = 0; i < count; i++) {
        if (lanes[i]->state != LANE_AT_WARP || lanes[i]->id != mask)
            return;
        moments[i] = &lanes[i]->at;
    }
    if (count > 0)
        moments_meet(moments, count);
    for (unsigned i = 0; i < count; i++)
        run_on(lanes[i]);
}

static bool run_warp(struct machine *machine, struct lane *lane,
                     const struct instruction *instruction) {
    uint32_t mask;
    if (!run_number(machine, lane, instruction, &instruction->operands[0], "a mask", &mask))
        return false;
    if ((mask >> lane->number % LANES_OF_WARP & 1) == 0)
        return run_misuse(machine, lane, instruction, "barrier-misuse",
                          "its mask leaves out the lane itself");
    lane->id = mask;
    lane->blocked = instruction;
    lane->state = LANE_AT_WARP;
    meet_warp(lane, mask);
    return true;
}

bool run_barrier(struct machine *machine, struct lane *lane,
                 const struct instruction *instruction) {
    switch (instruction->barrier) {
    case BARRIER_SYNC:
    case BARRIER_ARRIVE:
    case BARRIER_RED: return run_bar(machine, lane, instruction);
    case BARRIER_WARP_SYNC: return run_warp(machine, lane, instruction);
    default: return cluster_barrier(machine, lane, instruction);
    }
}

// --- Ends --------------------------------------------------------------------------------------

bool run_end(struct machine *machine, struct lane *lane) {
    struct block *block = lane->block;
    unsigned first = lane->number - lane->number % LANES_OF_WARP;
    block->ended++;
    cluster_end(lane);
    for (unsigned i = 0; i < BLOCK_BARRIERS; i++) {
        struct numbered_barrier *slot = &block->slots[i];
        slot->gone += lane->arrived[i] == slot->phase + 1;
        complete_if_all(machine, block, slot);
    }
    struct lane_range range = warp_range(lane);
    for (unsigned i = range.begin; i < range.end; i++) {
        struct lane *other = block->lanes[i];
        if (other->number - first < LANES_OF_WARP && other->state == LANE_AT_WARP)
            meet_warp(other, other->id);
        else if (other->number - first < LANES_OF_WARP && other->state == LANE_AT_EXCHANGE)
            exchange_end(machine, other);
    }
    return !machine->is_over;
}
