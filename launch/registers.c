// setmaxnreg (PTX ISA 9.7.19.5): how many registers the threads of a warpgroup have.
//
// A register that is there or not changes no value of a run, so that nothing waits here. What is
// looked at is what PTX leaves undefined: whether the numbers fit, and whether all threads of a
// warpgroup execute the same instructions. Those that say the same count as such: Triton has the
// warps of a warpgroup execute each its own.
#include "launch/registers.h"

enum { LANES_OF_GROUP = 128 };

bool run_setmaxnreg(struct machine *machine, struct lane *lane,
                    const struct instruction *instruction) {
    enum { FACTOR = 1000003 };
    struct lane_count *count = &lane->count;
    uint32_t asked = (uint32_t)instruction->operands[0].immediate.low;
    bool is_more = instruction->atomic == ATOMIC_INC;
    if (count->owned != 0 && (is_more ? asked < count->owned : asked > count->owned))
        return run_misuse(machine, lane, instruction, "barrier-misuse",
                          is_more ? "it has more registers than it asks for by '.inc'"
                                  : "it has fewer registers than it asks for by '.dec'");
    count->owned = asked;
    count->history = (count->history + 1) * FACTOR + 2 * asked + is_more;
    count->latest = instruction;
    lane->pc++;
    return true;
}

void registers_end(struct machine *machine) {
    for (size_t i = 0; i < machine->test->thread_count && !machine->is_over; i++) {
        const struct lane *lane = &machine->lanes[i];
        const struct block *block = lane->block;
        const struct lane *first = block->lanes[lane->number - lane->number % LANES_OF_GROUP];
        if (!block->is_dense || lane->thread->launch == NULL ||
            lane->count.history == first->count.history)
            continue;
        const struct lane *one = lane->count.latest != NULL ? lane : first;
        run_misuse(machine, one, one->count.latest, "barrier-misuse",
                   "not all threads of its warpgroup execute the same ones");
    }
}
