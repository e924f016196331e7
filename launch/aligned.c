// Instructions that all threads of a warp or warpgroup execute, and at which none waits here: mma
// and wmma (PTX ISA 9.7.14), setmaxnreg (9.7.19.5), and those of wgmma but the product (9.7.15.7).
//
// Each thread keeps a hash of what it has executed of them, in their order. Those that say the same
// count as the same: Triton has the warps of a warpgroup execute a setmaxnreg each of its own. A
// register that is there or not changes no value of a run, so that of these no more is looked at
// than whether the numbers fit.
#include "launch/aligned.h"
#include "launch/internal.h"
#include "litmus/source/hash.h"

static const unsigned lanes_of[] = {[ALIGNED_WARP] = 32, [ALIGNED_WARPGROUP] = 128};

void aligned_note(struct lane *lane, enum aligned_extent extent,
                  const struct instruction *instruction, uint64_t said) {
    enum { FACTOR = 1000003 };
    struct aligned_history *history = &lane->aligned.histories[extent];
    history->hash = (history->hash * FACTOR + instruction->opcode + 1) * FACTOR + said;
    history->latest = instruction;
}

bool run_warp_matrix(struct machine *machine, struct lane *lane,
                     const struct instruction *instruction) {
    uint64_t said = instruction->operands[0].immediate.low;
    for (unsigned i = 1; i < instruction->operand_count; i++) {
        struct bits128 bits;
        struct step_value word = stepper_value(machine->stepper, lane->index, lane->registers,
                                               &instruction->operands[i], 64, false);
        if (!run_known(machine, instruction, word, "where a matrix is", &bits))
            return false;
        said = hash_bytes(said, &bits.low, sizeof bits.low);
    }
    aligned_note(lane, ALIGNED_WARP, instruction, said);
    lane->pc++;
    return true;
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
    aligned_note(lane, ALIGNED_WARPGROUP, instruction, 2 * asked + is_more);
    lane->pc++;
    return true;
}

// Compares a thread with the first one of its warp or warpgroup.
static void compare(struct machine *machine, const struct lane *lane, enum aligned_extent extent) {
    const struct lane *first = lane->block->lanes[lane->number - lane->number % lanes_of[extent]];
    const struct aligned_history *its = &lane->aligned.histories[extent],
                                 *others = &first->aligned.histories[extent];
    if (its->hash == others->hash)
        return;
    bool is_its = its->latest != NULL;
    run_misuse(machine, is_its ? lane : first, is_its ? its->latest : others->latest,
               "barrier-misuse",
               extent == ALIGNED_WARP
                   ? "not all threads of its warp execute the same instructions of this kind"
                   : "not all threads of its warpgroup execute the same instructions of this kind");
}

void aligned_end(struct machine *machine) {
    for (size_t i = 0; i < machine->test->thread_count; i++) {
        const struct lane *lane = &machine->lanes[i];
        bool is_whole = lane->block->is_dense && lane->thread->launch != NULL;
        for (unsigned extent = 0; is_whole && extent < ALIGNED_EXTENTS; extent++)
            if (!machine->is_over)
                compare(machine, lane, (enum aligned_extent)extent);
    }
}
