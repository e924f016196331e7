// Groups of asynchronous operations of a thread, and waiting for them.
#include "launch/copy.h"

#include "litmus/source/arena.h"

void sequence_commit(struct machine *machine, struct sequence *sequence) {
    sequence->groups = arena_grow(machine->scratch, sequence->groups, sequence->group_count,
                                  sizeof *sequence->groups);
    sequence->groups[sequence->group_count++] = sequence->started;
}

bool sequence_waited(struct machine *machine, struct lane *lane,
                     const struct instruction *instruction, const struct sequence *sequence,
                     uint32_t *time) {
    uint32_t pending;
    *time = 0;
    if (!run_number(machine, lane, instruction, &instruction->operands[0], "a number of groups",
                    &pending))
        return false;
    if (pending < sequence->group_count)
        *time = sequence->groups[sequence->group_count - 1 - pending];
    return true;
}

void lane_hear(struct lane *lane, uint32_t actor, uint32_t time) {
    struct clock *clock = clock_new(lane->at.heard->actors, lane->at.heard->parts);
    clock_note(clock, actor, time);
    moment_hear(&lane->at, clock);
    clock_drop(clock);
}
