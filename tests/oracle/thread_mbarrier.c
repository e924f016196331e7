// Operations on mbarriers (PTX ISA 9.7.13.15), in the interpreter of one thread.
#include "tests/oracle/mbarrier.h"
#include "tests/oracle/thread_internal.h"

static int mbarrier_access(struct machine *machine, const struct instruction *at,
                           enum action action, enum mbarrier_action does,
                           const struct operand *address) {
    static const struct shape whole = {TYPE_B64, 1, 1, 8};
    int step = machine_access(machine, at, action, address, &whole, 0);
    if (step >= 0) {
        machine->path->steps[step].mbarrier = does;
        machine->path->steps[step].element = machine->first_element + (action == ACTION_WRITE);
    }
    return step;
}

// Reads the state. Returns its step, or -1 when the path has stopped.
static int mbarrier_read(struct machine *machine, const struct instruction *at,
                         enum mbarrier_action does, const struct operand *address,
                         struct mbarrier_state *state) {
    int step = mbarrier_access(machine, at, ACTION_READ, does, address);
    if (step < 0)
        return -1;
    struct step *read = &machine->path->steps[step];
    if (!machine_ask(machine, ASK_READ, &read->value))
        return -1;
    if (!value_is_known(read->value)) {
        machine_stop(machine, PATH_UNKNOWN);
        return -1;
    }
    *state = mbarrier_unpack((uint64_t)read->value.bits);
    read->mbarrier_phase = state->phase;
    return step;
}

static void mbarrier_begin_or_end(struct machine *machine, const struct instruction *at) {
    bool begins = at->opcode == OP_MBARRIER_INIT;
    uint64_t count = 1;
    if (begins && !machine_number(machine, &at->operands[1], &count))
        return;
    int step = mbarrier_access(machine, at, ACTION_WRITE, begins ? MBARRIER_SET : MBARRIER_END,
                               &at->operands[0]);
    if (step < 0)
        return;
    struct mbarrier_state ended = {.valid = false};
    bool v1 = at->is_layout_v1;
    struct mbarrier_state state = begins ? mbarrier_fresh((unsigned)count, v1) : ended;
    machine->path->steps[step].value = value_known(mbarrier_pack(state), 64);
    machine->path->steps[step].undefined = count == 0 || (v1 && count > mbarrier_most(true));
}

// What an instruction does to the counts.
struct mbarrier_counts {
    uint64_t arrives, drops;
    int64_t tx;
    bool may_complete;
};

static bool mbarrier_counts(struct machine *machine, const struct instruction *at,
                            struct mbarrier_counts *counts) {
    bool tx_only = at->opcode == OP_MBARRIER_EXPECT_TX || at->opcode == OP_MBARRIER_COMPLETE_TX;
    bool expects =
        at->opcode == OP_MBARRIER_ARRIVE_EXPECT_TX || at->opcode == OP_MBARRIER_DROP_EXPECT_TX;
    unsigned place = tx_only ? 1 : 2;
    uint64_t number = 1;
    if (at->operand_count > place && !machine_number(machine, &at->operands[place], &number))
        return false;
    *counts = (struct mbarrier_counts){.may_complete = true};
    counts->arrives = tx_only ? 0 : expects ? 1 : number;
    counts->tx = tx_only || expects ? (int64_t)number : 0;
    switch (at->opcode) {
    case OP_MBARRIER_COMPLETE_TX: counts->tx = -counts->tx; break;
    case OP_MBARRIER_DROP_NO_COMPLETE: counts->may_complete = false; // fall through
    case OP_MBARRIER_DROP:
    case OP_MBARRIER_DROP_EXPECT_TX: counts->drops = counts->arrives; break;
    case OP_MBARRIER_ARRIVE_NO_COMPLETE: counts->may_complete = false; break;
    default: break;
    }
    return true;
}

// An operation on the object that the machine's target says. Returns the step of the read, or -1.
static int count_once(struct machine *machine, const struct instruction *at,
                      const struct mbarrier_counts *counts) {
    bool tx_only = at->opcode == OP_MBARRIER_EXPECT_TX || at->opcode == OP_MBARRIER_COMPLETE_TX;
    enum mbarrier_action does = tx_only ? MBARRIER_COUNTS : MBARRIER_ARRIVES;
    const struct operand *address = &at->operands[tx_only ? 0 : 1];
    struct mbarrier_state state;
    bool undefined;
    int read = mbarrier_read(machine, at, does, address, &state);
    if (read < 0)
        return -1;
    unsigned phase = state.phase;
    state = mbarrier_change(state, (unsigned)counts->arrives, (unsigned)counts->drops, counts->tx,
                            counts->may_complete, &undefined);
    int write = mbarrier_access(machine, at, ACTION_WRITE, does, address);
    if (write < 0)
        return -1;
    machine->path->steps[read].rmw = write;
    struct step *added = &machine->path->steps[write];
    added->value = value_known(mbarrier_pack(state), 64);
    added->sources |= bit((unsigned)read);
    added->mbarrier_phase = phase;
    added->undefined = undefined || (!tx_only && counts->arrives == 0);
    added->token = ((unsigned)machine->thread + 1) * STEPS_MAX + (unsigned)write;
    return read;
}

// "Each bit position in the 32-bit ctaMask operand corresponds to the %cluster_ctarank of a target
// CTA": the operation takes place in each of these.
static void count_in_ctas(struct machine *machine, const struct instruction *at,
                          const struct mbarrier_counts *counts) {
    uint64_t ranks;
    if (!machine_number(machine, &at->operands[at->operand_count - 1], &ranks))
        return;
    for (unsigned rank = 0; rank < 32 && !machine->stopped; rank++)
        if (ranks >> rank & 1) {
            machine->target = rank + 1;
            machine->first_element = 2 * rank;
            count_once(machine, at, counts);
        }
    machine->target = machine->first_element = 0;
}

static void mbarrier_count(struct machine *machine, const struct instruction *at) {
    bool tx_only = at->opcode == OP_MBARRIER_EXPECT_TX || at->opcode == OP_MBARRIER_COMPLETE_TX;
    struct mbarrier_counts counts;
    if (!mbarrier_counts(machine, at, &counts))
        return;
    if (at->operand_count > (tx_only ? 2 : 3)) {
        count_in_ctas(machine, at, &counts);
        return;
    }
    int read = count_once(machine, at, &counts);
    if (read < 0)
        return;
    if (tx_only)
        return;
    const struct step *arrival = &machine->path->steps[machine->path->steps[read].rmw];
    struct mbarrier_state found = mbarrier_unpack((uint64_t)machine->path->steps[read].value.bits);
    struct mbarrier_token token = {found.phase, found.pending, arrival->token, found.v1,
                                   !counts.may_complete};
    struct content content = {value_known(mbarrier_token_pack(token), 64), bit((unsigned)read)};
    machine_set(machine, &at->operands[0], content, TRUE_NOW);
}

int thread_mbarrier_count(struct machine *machine, const struct instruction *at,
                          const struct operand *address, enum mbarrier_action does, int arrives,
                          uint64_t bytes) {
    struct mbarrier_state state;
    bool undefined = false;
    int read = mbarrier_read(machine, at, does, address, &state);
    if (read < 0)
        return -1;
    unsigned phase = state.phase;
    if (arrives < 0) {
        undefined = state.pending == mbarrier_most(state.v1);
        state.pending = (state.pending + 1) & 0xffff;
    } else {
        state = mbarrier_change(state, (unsigned)arrives, 0, -(int64_t)bytes, true, &undefined);
    }
    int write = mbarrier_access(machine, at, ACTION_WRITE, does, address);
    if (write < 0)
        return -1;
    machine->path->steps[read].rmw = write;
    struct step *added = &machine->path->steps[write];
    added->value = value_known(mbarrier_pack(state), 64);
    added->sources |= bit((unsigned)read);
    added->mbarrier_phase = phase;
    added->undefined = undefined;
    return read;
}

// "Valid only for the current incomplete phase, for which waitComplete returns False, and the
// immediately preceding phase, for which it returns True."
static void mbarrier_wait(struct machine *machine, const struct instruction *at) {
    bool parity = at->opcode == OP_MBARRIER_WAIT_PARITY;
    struct content asked = machine_source(machine, &at->operands[2], parity ? 32 : 64);
    struct mbarrier_state state;
    if (!value_is_known(asked.value)) {
        machine_stop(machine, PATH_UNKNOWN);
        return;
    }
    int step = mbarrier_read(machine, at, MBARRIER_WAITS, &at->operands[1], &state);
    if (step < 0)
        return;
    struct step *read = &machine->path->steps[step];
    uint64_t wanted = (uint64_t)asked.value.bits;
    if (parity) {
        read->completed = (state.phase & 1) != (wanted & 1);
        read->undefined = wanted > 1;
    } else {
        struct mbarrier_token token = mbarrier_token_unpack(wanted);
        read->by_state = true;
        read->token = token.number;
        read->completed = state.phase != token.phase;
        read->undefined =
            read->completed && state.phase != (token.phase + 1) % (1 << MBARRIER_PHASE_BITS);
    }
    struct content result = {value_known(read->completed, 1), asked.sources | bit((unsigned)step)};
    const struct operand *target = &at->operands[0];
    // "When waitComplete is False, the reportPredicate and reportValue operands have unspecified
    // values": else they are zero, since nothing reports anything.
    for (size_t i = 1; target->kind == OPERAND_VECTOR && i < target->element_count; i++) {
        unsigned width = i == 1 ? 1 : 8;
        struct content report = result;
        report.value = read->completed ? value_known(0, width) : value_unknown(width);
        machine_set(machine, &target->elements[i], report, TRUE_NOW);
    }
    machine_set(machine, target->kind == OPERAND_VECTOR ? target->elements : target, result,
                TRUE_NOW);
}

// "Sets the predicate operand p to True if the layout of the mbarrier object exactly matches".
static void mbarrier_look(struct machine *machine, const struct instruction *at) {
    struct mbarrier_state state;
    int step = mbarrier_read(machine, at, MBARRIER_LOOKS, &at->operands[1], &state);
    if (step < 0)
        return;
    struct content result = {value_known(state.v1 == at->is_layout_v1, 1), bit((unsigned)step)};
    machine_set(machine, &at->operands[0], result, TRUE_NOW);
}

static void mbarrier_query(struct machine *machine, const struct instruction *at) {
    struct content state = machine_source(machine, &at->operands[1], 64);
    if (!value_is_known(state.value)) {
        machine_stop(machine, PATH_UNKNOWN);
        return;
    }
    // "The optional qualifier .layout::v0 denotes the layout of the corresponding mbarrier object":
    // no other has a form.
    struct mbarrier_token found = mbarrier_token_unpack((uint64_t)state.value.bits);
    // "The state operand must be the result of a prior mbarrier.arrive.noComplete or
    // mbarrier.arrive_drop.noComplete instruction."
    if (!found.no_complete)
        machine->path->broken |= BROKEN_COUNT;
    state.value = found.v1 ? value_unknown(32) : value_known(found.pending, 32);
    machine_set(machine, &at->operands[0], state, TRUE_NOW);
}

bool thread_mbarrier(struct machine *machine, const struct instruction *at) {
    switch (at->opcode) {
    case OP_MBARRIER_INIT:
    case OP_MBARRIER_INVAL: mbarrier_begin_or_end(machine, at); return true;
    case OP_MBARRIER_EXPECT_TX:
    case OP_MBARRIER_COMPLETE_TX:
    case OP_MBARRIER_ARRIVE:
    case OP_MBARRIER_ARRIVE_EXPECT_TX:
    case OP_MBARRIER_ARRIVE_NO_COMPLETE:
    case OP_MBARRIER_DROP:
    case OP_MBARRIER_DROP_EXPECT_TX:
    case OP_MBARRIER_DROP_NO_COMPLETE: mbarrier_count(machine, at); return true;
    case OP_MBARRIER_WAIT:
    case OP_MBARRIER_WAIT_PARITY: mbarrier_wait(machine, at); return true;
    case OP_MBARRIER_CHECK_LAYOUT: mbarrier_look(machine, at); return true;
    case OP_MBARRIER_PENDING_COUNT: mbarrier_query(machine, at); return true;
    default: return false;
    }
}

bool thread_is_mbarrier(enum opcode opcode) {
    return opcode_family(opcode) == FAMILY_MBARRIER;
}
