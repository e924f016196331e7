// Instructions that all threads of a warpgroup execute, and at which none waits here: setmaxnreg
// (PTX ISA 9.7.19.5), and those of wgmma but the product (PTX ISA 9.7.15.7).
//
// Each thread keeps a hash of what it has executed of them, in their order. Those that say the same
// count as the same: Triton has the warps of a warpgroup execute a setmaxnreg each of its own. A
// register that is there or not changes no value of a run, so that of these no more is looked at
// than whether the numbers fit.
#include "launch/aligned.h"
#include "launch/internal.h"

enum { LANES_OF_GROUP = 128 };

void aligned_note(struct lane *lane, const struct instruction *instruction, uint32_t said) {
    enum { FACTOR = 1000003 };
    struct lane_aligned *aligned = &lane->aligned;
    aligned->history = (aligned->history * FACTOR + instruction->opcode + 1) * FACTOR + said;
    aligned->latest = instruction;
}

bool run_setmaxnreg(struct machine *machine, struct lane *lane,
                    const struct instruction *instruction) {
    uint32_t owned = lane->aligned.registers;
    uint32_t asked = (uint32_t)instruction->operands[0].immediate.low;
    bool is_more = instruction->atomic == ATOMIC_INC;
    if (owned != 0 && (is_more ? asked < owned : asked > owned))
        return run_misuse(machine, lane, instruction, "barrier-misuse",
                          is_more ? "it has more registers than it asks for by '.inc'"
                                  : "it has fewer registers than it asks for by '.dec'");
    lane->aligned.registers = asked;
    aligned_note(lane, instruction, 2 * asked + is_more);
    lane->pc++;
    return true;
}

void aligned_end(struct machine *machine) {
    for (size_t i = 0; i < machine->test->thread_count && !machine->is_over; i++) {
        const struct lane *lane = &machine->lanes[i];
        const struct block *block = lane->block;
        const struct lane *first = block->lanes[lane->number - lane->number % LANES_OF_GROUP];
        if (!block->is_dense || lane->thread->launch == NULL ||
            lane->aligned.history == first->aligned.history)
            continue;
        const struct lane *one = lane->aligned.latest != NULL ? lane : first;
        run_misuse(machine, one, one->aligned.latest, "barrier-misuse",
                   "not all threads of its warpgroup execute the same ones");
    }
}
