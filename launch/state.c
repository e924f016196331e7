// What all files of a run use: giving up, values that have to be known, and places in memory.
#include "launch/cluster.h"

#include "litmus/source/arena.h"

bool run_give_up(struct machine *machine, const struct instruction *instruction, const char *why) {
    if (machine->is_over)
        return false;
    machine->is_over = true;
    machine->result.why = why;
    machine->result.open = instruction;
    return false;
}

bool run_misuse(struct machine *machine, const struct lane *lane,
                const struct instruction *instruction, const char *flag, const char *why) {
    if (machine->is_over)
        return false;
    struct launch_misuse *misuse = ARENA_NEW(machine->arena, struct launch_misuse);
    *misuse = (struct launch_misuse){lane->index, instruction, flag, why};
    machine->result.misuse = misuse;
    machine->is_over = true;
    return false;
}

// --- Values ------------------------------------------------------------------------------------

bool run_known(struct machine *machine, const struct instruction *instruction,
               struct step_value word, const char *what, struct bits128 *bits) {
    *bits = word.bits;
    if (word.knowledge == KNOWN)
        return true;
    static const char *const reasons[] = {
        [CANCEL_ANSWER] = "depends on the bits of what try_cancel answers",
        [UNKNOWN_CONTENTS] = "depends on contents that are not known",
        [UNINITIALISED] = "depends on shared memory that nothing has written",
        [UNKNOWN_SCHEDULE] = "depends on the order in which threads come",
        [UNWRITTEN] = "is of a register that nothing has written",
    };
    const char *reason = reasons[word.knowledge];
    machine->depends_on_order |= word.knowledge == UNKNOWN_SCHEDULE;
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

// Whether an object is of the thread itself, of its block, or of all. Parameters are written where
// they are those of a call (`is_of_call`).
static bool is_reached(const struct lane *lane, const struct object *object,
                       const struct block *owner, enum state_space space, bool writes,
                       bool is_of_call) {
    switch (object->space) {
    case SPACE_LOCAL: return object->instance == lane->index;
    case SPACE_PARAM: return object->instance == lane->index && (!writes || is_of_call);
    case SPACE_SHARED:
        return owner == lane->block ||
               (space != SPACE_SHARED && owner->cluster == lane->block->cluster);
    case SPACE_CONST: return !writes;
    case SPACE_GLOBAL:
    case SPACE_GENERIC: return true;
    default: return false;
    }
}

struct block *block_of_object(const struct machine *machine, unsigned object) {
    const struct object *o = &stepper_memory(machine->stepper)->objects[object];
    return o->space == SPACE_SHARED ? machine->lanes[o->instance].block : NULL;
}

unsigned object_of_block(const struct machine *machine, unsigned object,
                         const struct block *block) {
    const struct program_memory *memory = stepper_memory(machine->stepper);
    for (unsigned i = 0; i < memory->object_count; i++)
        if (memory->objects[i].variable == memory->objects[object].variable &&
            block_of_object(machine, i) == block)
            return i;
    return object;
}

// The shared memory of a block is there for others until it ends (docs/memory-model, CTAs that have
// exited).
void block_visit(struct machine *machine, struct block *block, uint32_t actor,
                 const struct shared_visit *visit) {
    if (block->visits == NULL)
        block->visits = ARENA_ARRAY(machine->scratch, struct shared_visit, machine->actors.count);
    if (visit->time > block->visits[actor].time)
        block->visits[actor] = *visit;
}

// Whether a block has exited where all its threads have ended: a launch's has. The end of the text
// of a thread is an exit only where the test says that its grid is complete.
static bool has_exited(const struct machine *machine, const struct block *block) {
    bool all = true;
    for (unsigned k = 0; k < block->count && all; k++) {
        const struct thread *thread = block->lanes[k]->thread;
        all = block->lanes[k]->exits || thread->launch != NULL ||
              test_grid_completes(machine->test, &thread->place);
    }
    return all;
}

// The first access of which no thread of a block knows that it has taken place; NULL where there is
// none.
static const struct shared_visit *find_unknown(const struct machine *machine,
                                               const struct block *block) {
    for (uint32_t actor = 0; block->visits != NULL && actor < machine->actors.count; actor++) {
        const struct shared_visit *visit = &block->visits[actor];
        bool is_known = visit->time == 0;
        for (unsigned k = 0; !is_known && k < block->count; k++)
            is_known = moment_heard(&block->lanes[k]->at, actor, visit->time);
        if (!is_known)
            return visit;
    }
    return NULL;
}

void block_leave(struct machine *machine, const struct block *block) {
    const struct shared_visit *visit =
        has_exited(machine, block) ? find_unknown(machine, block) : NULL;
    if (visit == NULL)
        return;
    bool is_copy = opcode_family(visit->instruction->opcode) == FAMILY_COPY;
    if (is_copy && visit->lane->block == block)
        run_misuse(machine, visit->lane, visit->instruction, "async-unwaited",
                   "its block may end while this uses its shared memory: no thread waits for it");
    else
        run_give_up(machine, NULL,
                    "a block ends, and none of its threads knows that what else accesses its "
                    "shared memory is done");
}

static bool misplace(struct machine *machine, const struct instruction *instruction,
                     const char *why) {
    machine->result.is_misplaced |= !machine->is_over;
    return run_give_up(machine, instruction, why);
}

static void reach(struct machine *machine, unsigned object, uint64_t end) {
    unsigned variable = stepper_memory(machine->stepper)->objects[object].variable;
    if (end > machine->reached[variable])
        machine->reached[variable] = end;
}

bool run_reach(struct machine *machine, const struct instruction *instruction, unsigned object,
               uint64_t end) {
    if (end > stepper_memory(machine->stepper)->objects[object].size)
        return misplace(machine, instruction, "an access is outside of every variable");
    reach(machine, object, end);
    return true;
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
        return misplace(machine, instruction, "an access is outside of every variable");
    if (*offset % alignment != 0)
        return misplace(machine, instruction, "an access is not aligned");
    reach(machine, *object, *offset + size);
    struct block *owner = block_of_object(machine, *object);
    const struct object *found = &stepper_memory(machine->stepper)->objects[*object];
    bool is_of_call = machine->test->variables[found->variable].body != 0;
    if (!is_reached(lane, found, owner, space, writes, is_of_call))
        return run_give_up(machine, instruction,
                           "accesses to what belongs to other blocks or threads are not run");
    if (!instruction_may_access(instruction, found->space))
        return run_give_up(machine, instruction,
                           "it accesses memory of a space that is not for such accesses");
    if (owner != NULL && owner != lane->block)
        block_visit(machine, owner, lane->at.actor,
                    &(struct shared_visit){lane->at.time, lane, instruction});
    return true;
}

bool run_is_sensitive(const struct machine *machine, const struct instruction *instruction) {
    for (size_t i = 0; i < machine->sensitive.count; i++)
        if (machine->sensitive.items[i] == instruction)
            return true;
    return false;
}

void run_note_sensitive(struct machine *machine, const struct instruction *instruction) {
    if (run_is_sensitive(machine, instruction))
        return;
    machine->sensitive.items =
        arena_grow(machine->arena, machine->sensitive.items, machine->sensitive.count,
                   sizeof *machine->sensitive.items);
    machine->sensitive.items[machine->sensitive.count++] = instruction;
}
