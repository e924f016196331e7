// Asynchronous copies of cp.async, and waiting for them (PTX ISA 9.7.9.25.3, 9.7.13.15.15).
//
// The copies of a thread are an actor of their own: each comes after what is before its start, and
// before what comes after a wait for it. Times are the order of starting. (ptx-9.1.cat: `into`,
// `out`)
#include "launch/internal.h"

#include "litmus/source/arena.h"

bool copies_are_under_way(const struct run *run, const struct block *block) {
    for (unsigned i = 0; i < block->count; i++) {
        const struct lane *lane = block->lanes[i];
        bool is_waited = lane->copies == 0;
        for (unsigned k = 0; k < block->count && !is_waited; k++)
            is_waited = moment_heard(&block->lanes[k]->at, copies_of(run, lane), lane->copies);
        if (!is_waited)
            return true;
    }
    return false;
}

// --- Copies ------------------------------------------------------------------------------------

static struct touch touch_of(const struct run *run, const struct lane *lane,
                             const struct instruction *instruction, uint64_t offset,
                             unsigned size) {
    return (struct touch){.instruction = instruction,
                          .thread = lane->index,
                          .actor = copies_of(run, lane),
                          .time = lane->copies,
                          .offset = (uint32_t)offset,
                          .size = (uint16_t)size};
}

// How many bytes are read: all, or as many as a fourth operand says; the rest is zeros.
static bool read_size(struct run *run, struct lane *lane, const struct instruction *instruction,
                      uint32_t size, uint32_t *read) {
    const struct operand *operand = &instruction->operands[3];
    *read = size;
    if (instruction->operand_count <= 3)
        return true;
    if (operand->kind == OPERAND_REGISTER && lane->thread->registers[operand->reg].width == 1)
        return run_give_up(run, instruction, "copies that may ignore their source are not run");
    if (!run_number(run, lane, instruction, operand, "the size of a copy", read))
        return false;
    return *read <= size ||
           run_give_up(run, instruction, "a copy reads more bytes than it writes");
}

// cp.async [d], [s], size{, bytes that are read}
static bool run_cp(struct run *run, struct lane *lane, const struct instruction *instruction) {
    unsigned to, from = 0;
    uint64_t at, source = 0;
    uint32_t size, read;
    if (!run_number(run, lane, instruction, &instruction->operands[2], "the size of a copy",
                    &size) ||
        !read_size(run, lane, instruction, size, &read) ||
        !run_find_place(run, lane, instruction, &instruction->operands[0], instruction->space, size,
                        size, &to, &at))
        return false;
    if (read > 0 && !run_find_place(run, lane, instruction, &instruction->operands[1],
                                    instruction->copy.source_space, read, 1, &from, &source))
        return false;
    if (mbarrier_is_at(run, to, at, size) || size > sizeof(struct bits128))
        return run_give_up(run, instruction, "copies of this kind are not run");
    struct word word = {{0, 0}, KNOWN};
    lane->copies++;
    if (read > 0) {
        struct touch touch = touch_of(run, lane, instruction, source, read);
        shadow_touch(run->shadow, from, &touch, &lane->at);
        word = shadow_read(run->shadow, from, source, read);
    }
    struct touch touch = touch_of(run, lane, instruction, at, size);
    touch.writes = true;
    shadow_touch(run->shadow, to, &touch, &lane->at);
    shadow_write(run->shadow, to, at, size, word);
    return true;
}

// --- Groups ------------------------------------------------------------------------------------

static void commit(struct run *run, struct lane *lane) {
    lane->groups = arena_grow(run->arena, lane->groups, lane->group_count, sizeof *lane->groups);
    lane->groups[lane->group_count++] = lane->copies;
}

// A clock of the first `count` copies of a thread, and of nothing else: nothing flows through them.
static struct clock *clock_of(const struct run *run, const struct lane *lane, uint32_t count) {
    struct clock *clock = clock_new(lane->at.heard->count);
    clock->times[copies_of(run, lane)] = count;
    return clock;
}

static bool wait_for(struct run *run, struct lane *lane, uint32_t count) {
    struct clock *clock = clock_of(run, lane, count);
    moment_hear(&lane->at, clock);
    clock_drop(clock);
    return true;
}

static bool wait_group(struct run *run, struct lane *lane, const struct instruction *instruction) {
    uint32_t pending;
    if (!run_number(run, lane, instruction, &instruction->operands[0], "a number of groups",
                    &pending))
        return false;
    return pending >= lane->group_count ||
           wait_for(run, lane, lane->groups[lane->group_count - 1 - pending]);
}

// cp.async.mbarrier.arrive{.noinc} [m]: an arrival when all copies so far are complete. Without
// .noinc one more is pending until then, so that the counts are what they were.
static bool arrive(struct run *run, struct lane *lane, const struct instruction *instruction) {
    struct mbarrier *m = mbarrier_of(run, lane, instruction, &instruction->operands[0]);
    if (m == NULL)
        return false;
    bool counts = instruction->opcode == OP_CP_ASYNC_ARRIVE_NOINC;
    const struct arrival arrival = {
        .clock = clock_of(run, lane, lane->copies), .releases = true, .count = counts};
    bool is_fine = mbarrier_arrive_at(run, lane, instruction, m, &arrival);
    clock_drop(arrival.clock);
    return is_fine;
}

bool run_copy(struct run *run, struct lane *lane, const struct instruction *instruction) {
    bool is_fine = true;
    switch (instruction->opcode) {
    case OP_CP_ASYNC: is_fine = run_cp(run, lane, instruction); break;
    case OP_CP_ASYNC_COMMIT: commit(run, lane); break;
    case OP_CP_ASYNC_WAIT: is_fine = wait_group(run, lane, instruction); break;
    case OP_CP_ASYNC_WAIT_ALL: wait_for(run, lane, lane->copies); break;
    case OP_CP_ASYNC_ARRIVE:
    case OP_CP_ASYNC_ARRIVE_NOINC: is_fine = arrive(run, lane, instruction); break;
    default: return run_give_up(run, instruction, "operations of this kind are not run");
    }
    lane->pc++;
    return is_fine && !run->is_over;
}
