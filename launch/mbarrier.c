// mbarriers (PTX ISA 9.7.13.15): arrivals, and waits that find a phase complete.
//
// That arrivals and waits are of the same phases in every execution is checked one by one: an
// arrival comes after the phase before its own is complete; a wait comes after the phase before the
// one that it waits for, and before the next one is complete.
#include "launch/mbarrier.h"
#include "launch/cluster.h"
#include "launch/tensor.h"

#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"

#include <stdlib.h>

enum { STATE_BYTES = 8, TOKEN_OBJECT_AT = 32 };

// A wait that has found a phase complete.
struct passed {
    uint32_t actor, time;
};

struct mbarrier {
    struct mbarrier *next;
    uint32_t number; // from 1 on
    unsigned object;
    uint64_t offset;
    bool was_there; // it is declared, and nothing initialises it
    bool is_gone;   // it has been invalidated
    struct passed made;
    uint32_t
        known_after; // which phase of the cluster's barrier, and 1; 0: that makes nothing known
    uint64_t phase;
    int64_t pending, expected, transactions;
    int64_t expected_bytes, delivered_bytes; // in the phase at hand
    bool is_reached, was_reached; // from other blocks, in the phase at hand and the one before
    struct clock *heard;          // what a wait for the phase at hand acquires
    struct clock *arrivals;       // all that come to it
    struct clock *heard_before, *arrivals_before; // of the phase before
    struct clock *arrivals_long_before;           // and before that
    struct passed *waits;                         // that have found the phase before complete
    size_t wait_count, wait_capacity;
};

// --- Objects -----------------------------------------------------------------------------------

struct mbarrier_phase mbarrier_now(const struct mbarrier *m) {
    return (struct mbarrier_phase){m->object, m->offset, m->phase, m->pending, m->transactions};
}

uint64_t mbarrier_next(const struct machine *machine, unsigned object, uint64_t offset) {
    uint64_t next = UINT64_MAX;
    for (const struct mbarrier *m = machine->mbarriers; m != NULL; m = m->next)
        if (!m->is_gone && m->object == object && m->offset + STATE_BYTES > offset &&
            m->offset < next)
            next = m->offset;
    return next;
}

void mbarriers_free(struct machine *machine) {
    for (struct mbarrier *m = machine->mbarriers; m != NULL; m = m->next) {
        clock_drop(m->heard);
        clock_drop(m->arrivals);
        clock_drop(m->heard_before);
        clock_drop(m->arrivals_before);
        clock_drop(m->arrivals_long_before);
        free(m->waits);
    }
}

static struct mbarrier *find(const struct machine *machine, unsigned object, uint64_t offset) {
    for (struct mbarrier *m = machine->mbarriers; m != NULL; m = m->next)
        if (!m->is_gone && m->object == object && m->offset == offset)
            return m;
    return NULL;
}

static struct mbarrier *add(struct machine *machine, unsigned object, uint64_t offset,
                            int64_t count) {
    struct mbarrier *m = ARENA_NEW(machine->scratch, struct mbarrier);
    *m = (struct mbarrier){.next = machine->mbarriers,
                           .number = machine->mbarriers ? machine->mbarriers->number + 1 : 1,
                           .object = object,
                           .offset = offset,
                           .pending = count,
                           .expected = count};
    return machine->mbarriers = m;
}

// One that the test declares, and which nothing has been used of or invalidated.
static struct mbarrier *declared(struct machine *machine, unsigned object, uint64_t offset) {
    const struct object *o = &stepper_memory(machine->stepper)->objects[object];
    const struct variable *variable = &machine->test->variables[o->variable];
    if (!variable->is_mbarrier || !variable->has_initial)
        return NULL;
    for (const struct mbarrier *m = machine->mbarriers; m != NULL; m = m->next)
        if (m->object == object && m->offset == offset)
            return NULL;
    int64_t count = (int64_t)variable->initial[offset / STATE_BYTES].value.low;
    struct mbarrier *m = add(machine, object, offset, count);
    m->was_there = true;
    return m;
}

bool mbarrier_is_at(struct machine *machine, unsigned object, uint64_t offset, unsigned size) {
    for (uint64_t at = offset / STATE_BYTES * STATE_BYTES; at < offset + size; at += STATE_BYTES)
        declared(machine, object, at);
    for (const struct mbarrier *m = machine->mbarriers; m != NULL; m = m->next)
        if (!m->is_gone && m->object == object && offset < m->offset + STATE_BYTES &&
            m->offset < offset + size)
            return true;
    return false;
}

// The mbarrier at a place, which the thread may use; NULL after giving up.
static struct mbarrier *usable(struct machine *machine, struct lane *lane,
                               const struct instruction *instruction, unsigned object,
                               uint64_t offset) {
    struct mbarrier *m = find(machine, object, offset);
    if (m == NULL)
        m = declared(machine, object, offset);
    if (m == NULL)
        run_misuse(machine, lane, instruction, "mbarrier-misuse",
                   "nothing has initialised the mbarrier");
    else if (!m->was_there && !moment_heard(&lane->at, m->made.actor, m->made.time) &&
             (m->known_after == 0 || lane->cluster_waited < m->known_after))
        run_give_up(machine, instruction, "an mbarrier may be used before it is initialised");
    return machine->is_over ? NULL : m;
}

// Makes the memory of an mbarrier be accessed by a thread that initialises or invalidates it.
static bool take_memory(struct machine *machine, const struct lane *lane,
                        const struct instruction *instruction, unsigned object, uint64_t offset) {
    const struct shadow_access touch = lane_touch(lane, instruction, offset, STATE_BYTES, true);
    size_t races = machine->result.race_count;
    shadow_touch(machine->shadow, object, &touch, &lane->at);
    shadow_write(machine->shadow, object, offset, STATE_BYTES,
                 (struct step_value){{0, 0}, UNKNOWN_CONTENTS});
    if (machine->result.race_count == races)
        return true;
    machine->result.race_count = races;
    return run_give_up(machine, instruction, "other accesses meet an mbarrier");
}

static bool run_init(struct machine *machine, struct lane *lane,
                     const struct instruction *instruction) {
    unsigned object;
    uint64_t offset;
    uint32_t count;
    if (!run_find_place(machine, lane, instruction, &instruction->operands[0], instruction->space,
                        STATE_BYTES, STATE_BYTES, &object, &offset) ||
        !run_number(machine, lane, instruction, &instruction->operands[1], "a count", &count))
        return false;
    if (find(machine, object, offset) != NULL || declared(machine, object, offset) != NULL)
        return run_misuse(machine, lane, instruction, "mbarrier-misuse",
                          "there is an mbarrier already, which nothing has invalidated");
    if (instruction->is_layout_v1 || mbarrier_is_at(machine, object, offset, STATE_BYTES) ||
        stepper_memory(machine->stepper)->objects[object].space != SPACE_SHARED || count == 0)
        return run_give_up(machine, instruction, "mbarriers that are initialised so are not run");
    if (!take_memory(machine, lane, instruction, object, offset))
        return false;
    add(machine, object, offset, count)->made = (struct passed){lane->at.actor, lane->at.time};
    lane->pc++;
    return true;
}

// Whether a thread knows that all operations on an mbarrier are done.
static bool is_quiet(const struct mbarrier *m, const struct lane *lane) {
    for (size_t i = 0; i < m->wait_count; i++)
        if (!moment_heard(&lane->at, m->waits[i].actor, m->waits[i].time))
            return false;
    return (m->arrivals == NULL || moment_covers(&lane->at, m->arrivals)) &&
           (m->arrivals_before == NULL || moment_covers(&lane->at, m->arrivals_before));
}

// mbarrier.inval [m]: the memory may be used for anything else then.
static bool run_inval(struct machine *machine, struct lane *lane,
                      const struct instruction *instruction) {
    struct mbarrier *m = mbarrier_of(machine, lane, instruction, &instruction->operands[0]);
    if (m == NULL)
        return false;
    if (!is_quiet(m, lane) || m->was_there)
        return run_give_up(machine, instruction,
                           "an mbarrier may be in use when it is invalidated");
    m->is_gone = true;
    lane->pc++;
    return take_memory(machine, lane, instruction, m->object, m->offset);
}

void mbarriers_announce(struct machine *machine, const struct lane *lane, uint32_t phase) {
    for (struct mbarrier *m = machine->mbarriers; m != NULL; m = m->next)
        if (m->known_after == 0 && m->made.actor == lane->at.actor &&
            m->made.time < lane->init_fence)
            m->known_after = phase + 1;
}

// --- Phases ------------------------------------------------------------------------------------

static void join(struct clock **all, struct clock *clock) {
    if (*all == NULL)
        *all = clock_new(clock->actors, clock->parts);
    clock_join(*all, clock);
}

static void let_go(struct machine *machine, const struct mbarrier *m) {
    for (size_t i = 0; i < machine->test->thread_count; i++)
        if (machine->lanes[i].state == LANE_AT_WAIT && machine->lanes[i].waits_for == m)
            machine->lanes[i].state = LANE_RUNS; // at the wait again
}

// Whether each wait that has found the phase before complete comes before this one is.
static bool is_waited_before(const struct mbarrier *m) {
    for (size_t i = 0; i < m->wait_count; i++)
        if (m->arrivals == NULL || clock_passed(m->arrivals, m->waits[i].actor) < m->waits[i].time)
            return false;
    return true;
}

static bool complete(struct machine *machine, struct mbarrier *m,
                     const struct instruction *instruction) {
    if (m->pending > 0 || m->transactions != 0)
        return true;
    if (!is_waited_before(m))
        return run_give_up(machine, instruction,
                           "a phase of an mbarrier may be complete before a wait for the phase "
                           "before it");
    clock_drop(m->heard_before);
    clock_drop(m->arrivals_long_before);
    m->heard_before = m->heard;
    m->arrivals_long_before = m->arrivals_before;
    m->arrivals_before = m->arrivals;
    m->heard = m->arrivals = NULL;
    m->was_reached = m->is_reached;
    m->is_reached = false;
    m->wait_count = 0;
    m->pending = m->expected;
    m->expected_bytes = m->delivered_bytes = 0;
    m->phase++;
    let_go(machine, m);
    return true;
}

// Whether bytes are delivered, without an arrival.
static bool is_of_bytes(const struct arrival *arrival) {
    return arrival->is_delivery && arrival->count == 0;
}

// Whether a thread knows that the phase before is complete, and that some wait has found it so
// (PTX ISA 9.7.13.15.4: before an arrival in the next phase).
static bool is_placed(const struct mbarrier *m, const struct lane *lane,
                      const struct arrival *arrival) {
    if (m->phase == 0)
        return true;
    bool is_waited = is_of_bytes(arrival);
    for (size_t i = 0; i < m->wait_count && !is_waited; i++)
        is_waited = moment_passed(&lane->at, m->waits[i].actor, m->waits[i].time);
    return is_waited && m->arrivals_before != NULL &&
           moment_passed_all(&lane->at, m->arrivals_before);
}

// Counts bytes that are expected, or delivered where there are less than none. The count is from
// -(2^20 - 1) to 2^20 - 1 (PTX ISA 9.7.13.15.2), in whatever order they come.
static bool count_bytes(struct machine *machine, const struct lane *lane,
                        const struct instruction *instruction, struct mbarrier *m, int64_t bytes) {
    enum { BYTES_MAX = (1 << 20) - 1 };
    m->transactions += bytes;
    *(bytes > 0 ? &m->expected_bytes : &m->delivered_bytes) += bytes > 0 ? bytes : -bytes;
    if (m->transactions > BYTES_MAX || m->transactions < -BYTES_MAX)
        return run_misuse(machine, lane, instruction, "mbarrier-misuse",
                          "the mbarrier counts more than 1048575 bytes");
    return (m->expected_bytes <= BYTES_MAX && m->delivered_bytes <= BYTES_MAX) ||
           run_give_up(machine, instruction,
                       "in another order an mbarrier may count more than 1048575 bytes");
}

bool mbarrier_arrive_at(struct machine *machine, struct lane *lane,
                        const struct instruction *instruction, struct mbarrier *m,
                        const struct arrival *arrival) {
    if (arrival->count > 0 && m->phase > 0 && m->wait_count == 0)
        return run_misuse(machine, lane, instruction, "mbarrier-misuse",
                          "it arrives in a phase of the mbarrier, and no wait has found the phase "
                          "before it complete");
    if (!is_placed(m, lane, arrival))
        return run_give_up(machine, instruction,
                           "which phase of an mbarrier an arrival is in depends on the order in "
                           "which threads come");
    bool is_there = arrival->is_delivery && machine->is_at_destination;
    bool is_remote = mbarrier_block(machine, m) != lane->block && !is_there;
    struct clock *released = arrival->released;
    if (is_remote && !arrival->is_delivery && instruction->scope == SCOPE_CTA) {
        machine->synchronises_otherwise = true; // of no scope that the waits are in
        released = NULL;
    }
    m->is_reached |= is_remote;
    join(&m->arrivals, arrival->clock);
    if (released != NULL)
        join(&m->heard, released);
    m->pending -= arrival->count;
    if (m->pending < 0)
        return run_misuse(machine, lane, instruction, "mbarrier-misuse",
                          "it arrives where no arrival is pending in the phase of the mbarrier");
    return count_bytes(machine, lane, instruction, m, arrival->transactions) &&
           complete(machine, m, instruction);
}

uint32_t mbarrier_actor(struct machine *machine, const struct instruction *instruction,
                        const struct mbarrier *m, uint32_t *time) {
    *time = (uint32_t)m->phase + 1;
    if (m->number <= DELIVERIES_MAX)
        return machine->actors.deliveries + m->number - 1;
    run_give_up(machine, instruction, "copies complete on too many mbarriers");
    return 0;
}

void mbarriers_finish(const struct machine *machine, const struct block *block,
                      struct clock *clock) {
    for (const struct mbarrier *m = machine->mbarriers; m != NULL; m = m->next)
        if (machine->actors.has_deliveries && m->number <= DELIVERIES_MAX &&
            mbarrier_block(machine, m) == block)
            clock_note(clock, machine->actors.deliveries + m->number - 1, UINT32_MAX);
}

struct mbarrier *mbarrier_of(struct machine *machine, struct lane *lane,
                             const struct instruction *instruction, const struct operand *operand) {
    unsigned object;
    uint64_t offset;
    if (!run_find_place(machine, lane, instruction, operand, instruction->space, STATE_BYTES,
                        STATE_BYTES, &object, &offset))
        return NULL;
    return usable(machine, lane, instruction, object, offset);
}

struct mbarrier *mbarrier_like(struct machine *machine, struct lane *lane,
                               const struct instruction *instruction, const struct mbarrier *m,
                               const struct block *block) {
    return usable(machine, lane, instruction, object_of_block(machine, m->object, block),
                  m->offset);
}

const struct block *mbarrier_block(const struct machine *machine, const struct mbarrier *m) {
    return block_of_object(machine, m->object);
}

// --- Arrivals ----------------------------------------------------------------------------------

// Whether an order is one that releases, or acquires, towards all threads of the block.
static bool is_ordered(const struct instruction *instruction) {
    return instruction->order != ORDER_RELAXED && instruction->order != ORDER_WEAK;
}

static struct step_value token_of(const struct mbarrier *m) {
    return (struct step_value){
        {(uint64_t)m->number << TOKEN_OBJECT_AT | (m->phase & UINT32_MAX), 0}, KNOWN};
}

// What a relaxed arrival releases: what is before fences whose scopes those who wait are in.
static struct clock *fenced_before(const struct machine *machine, const struct lane *lane,
                                   const struct mbarrier *m) {
    bool is_remote = mbarrier_block(machine, m) != lane->block;
    return order_fenced(lane, is_remote ? SCOPE_CLUSTER : SCOPE_CTA);
}

// mbarrier.arrive{.expect_tx} state, [m]{, count}, and expect_tx [m], count
static bool run_arrival(struct machine *machine, struct lane *lane,
                        const struct instruction *instruction) {
    bool gives = instruction_defines(instruction);
    bool drops = instruction->opcode == OP_MBARRIER_DROP ||
                 instruction->opcode == OP_MBARRIER_DROP_EXPECT_TX;
    bool expects =
        instruction->opcode != OP_MBARRIER_ARRIVE && instruction->opcode != OP_MBARRIER_DROP;
    const struct operand *object = &instruction->operands[gives ? 1 : 0];
    uint32_t count = 1;
    struct mbarrier *m = mbarrier_of(machine, lane, instruction, object);
    bool has_count = instruction->operand_count > (gives ? 2 : 1);
    if (m == NULL ||
        (has_count && !run_number(machine, lane, instruction, object + 1, "a count", &count)))
        return false;
    if (instruction_is_multicast(instruction) || (!expects && count == 0))
        return run_give_up(machine, instruction, "arrivals of this kind are not run");
    struct step_value token = token_of(m);
    struct clock *fenced = fenced_before(machine, lane, m);
    struct arrival arrival = {.clock = moment_publish(&lane->at),
                              .released = fenced,
                              .count = !expects                                       ? count
                                       : instruction->opcode == OP_MBARRIER_EXPECT_TX ? 0
                                                                                      : 1,
                              .transactions = expects ? count : 0};
    if (is_ordered(instruction))
        arrival.released = arrival.clock;
    else if (machine->exploration == NULL && arrival.count > 0)
        machine->synchronises_otherwise = true; // a fence before it may release
    m->expected -= drops ? arrival.count : 0;   // from the next phase on
    bool is_fine = mbarrier_arrive_at(machine, lane, instruction, m, &arrival);
    clock_drop(arrival.clock);
    clock_drop(fenced);
    if (is_fine && gives)
        stepper_write(lane->thread, lane->registers, &instruction->operands[0], token, 64, false);
    lane->pc++;
    return is_fine;
}

// --- Waits -------------------------------------------------------------------------------------

bool mbarrier_asked(struct machine *machine, struct lane *lane,
                    const struct instruction *instruction, const struct step_value *registers,
                    uint64_t *asked) {
    bool by_parity = instruction->opcode == OP_MBARRIER_WAIT_PARITY;
    struct bits128 bits;
    struct step_value word = stepper_value(machine->stepper, lane->index, registers,
                                           &instruction->operands[2], by_parity ? 32 : 64, false);
    if (!run_known(machine, instruction, word, "the phase that a wait is for", &bits))
        return false;
    *asked = bits.low;
    return !by_parity || bits.low <= 1 ||
           run_misuse(machine, lane, instruction, "mbarrier-misuse",
                      "it waits for a phase by a parity that is not 0 or 1");
}

bool mbarrier_is_complete(struct machine *machine, const struct instruction *instruction,
                          const struct mbarrier *m, uint64_t asked, bool *passed) {
    uint64_t phase = asked & UINT32_MAX;
    if (instruction->opcode == OP_MBARRIER_WAIT_PARITY) {
        *passed = (m->phase & 1) != asked;
        return true;
    }
    *passed = m->phase > phase;
    return (asked >> TOKEN_OBJECT_AT == m->number && phase <= m->phase && m->phase <= phase + 1) ||
           run_give_up(machine, instruction, "a wait is given a state of no phase at hand");
}

bool mbarrier_awaits(struct machine *machine, struct lane *lane,
                     const struct instruction *instruction, const struct step_value *registers,
                     const struct awaited_phase *awaited) {
    struct step_value address = stepper_address(machine->stepper, lane->index, registers,
                                                &instruction->operands[1], instruction->space);
    unsigned object;
    uint64_t offset, asked;
    return instruction->opcode == awaited->opcode && address.knowledge == KNOWN &&
           shadow_find(machine->shadow, address.bits.low, STATE_BYTES, &object, &offset) &&
           object == awaited->m->object && offset == awaited->m->offset &&
           mbarrier_asked(machine, lane, instruction, registers, &asked) && asked == awaited->asked;
}

static void note_wait(struct mbarrier *m, const struct lane *lane) {
    if (m->wait_count == m->wait_capacity) {
        m->wait_capacity = m->wait_capacity == 0 ? 4 : 2 * m->wait_capacity;
        m->waits = reallocate(m->waits, m->wait_capacity, sizeof *m->waits);
    }
    m->waits[m->wait_count++] = (struct passed){lane->at.actor, lane->at.time};
}

bool mbarrier_pass(struct machine *machine, struct lane *lane,
                   const struct instruction *instruction, struct mbarrier *m) {
    if (m->phase >= 2 && !moment_passed_all(&lane->at, m->arrivals_long_before))
        return run_give_up(machine, instruction,
                           "which phase of an mbarrier a wait is for depends on the order in which "
                           "threads come");
    note_wait(m, lane);
    bool is_loose = !is_ordered(instruction) || (m->was_reached && instruction->scope == SCOPE_CTA);
    machine->synchronises_otherwise |= is_loose;
    if (m->heard_before != NULL && !is_loose)
        moment_hear(&lane->at, m->heard_before);
    else if (m->heard_before != NULL && lane->tensor != NULL)
        tensor_hear(lane, m->heard_before);
    stepper_write(lane->thread, lane->registers, &instruction->operands[0],
                  (struct step_value){{1, 0}, KNOWN}, 1, false);
    lane->pc++;
    return true;
}

bool mbarrier_is_certain(const struct lane *lane, const struct mbarrier *m) {
    return m->phase == 0 || moment_passed_all(&lane->at, m->arrivals_before);
}

bool run_mbarrier(struct machine *machine, struct lane *lane,
                  const struct instruction *instruction) {
    switch (instruction->opcode) {
    case OP_MBARRIER_INIT: return run_init(machine, lane, instruction);
    case OP_MBARRIER_INVAL: return run_inval(machine, lane, instruction);
    case OP_MBARRIER_DROP:
    case OP_MBARRIER_DROP_EXPECT_TX:
    case OP_MBARRIER_ARRIVE:
    case OP_MBARRIER_ARRIVE_EXPECT_TX:
    case OP_MBARRIER_EXPECT_TX: return run_arrival(machine, lane, instruction);
    default: return run_give_up(machine, instruction, "operations of this kind are not run");
    }
}
