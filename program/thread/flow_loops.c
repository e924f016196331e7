// The loops of a thread: where they begin and end, how they are nested, and which may be spin
// loops.

#include "program/thread/flow.h"
#include "program/loop/loops.h"

#include <assert.h>

// The most loops of a thread times its instructions, for looking at all instructions of each loop.
enum { MAX_LOOP_WORK = 1 << 26 };

static bool is_jump_back(const struct thread *thread, size_t pc) {
    assert(pc <= thread->instruction_count);
    const struct instruction *instruction = &thread->instructions[pc];
    return instruction_branches(instruction) &&
           thread->labels[instruction->operands[0].label].target <= pc;
}

static bool only_computes(const struct thread *thread, const struct loop *loop) {
    for (size_t pc = loop->begin; pc <= loop->last; pc++)
        if ((opcode_effects(thread->instructions[pc].opcode) &
             (EFFECT_READS | EFFECT_WRITES | EFFECT_BARRIER)) != 0)
            return false;
    return true;
}

// One loop for every instruction that something jumps back to.
static void collect_loops(struct flow *flow, const struct thread *thread) {
    size_t *last = ARENA_ARRAY(flow->builder->arena, size_t, thread->instruction_count);
    for (size_t pc = 0; pc < thread->instruction_count; pc++) {
        if (!is_jump_back(thread, pc))
            continue;
        size_t target = thread->labels[thread->instructions[pc].operands[0].label].target;
        flow->loop_count += last[target] == 0;
        last[target] = pc + 1;
    }
    flow->loops = ARENA_ARRAY(flow->builder->arena, struct loop, flow->loop_count);
    size_t count = 0;
    for (size_t pc = 0; pc < thread->instruction_count; pc++)
        if (last[pc] != 0)
            flow->loops[count++] = (struct loop){.begin = pc, .last = last[pc] - 1};
}

// A loop that another one enters in its middle and leaves at its end grows to hold both.
static void nest_loops(struct flow *flow) {
    for (size_t i = flow->loop_count; i-- > 0;) {
        struct loop *loop = &flow->loops[i];
        for (size_t j = i + 1; j < flow->loop_count && flow->loops[j].begin <= loop->last; j++)
            if (flow->loops[j].last > loop->last)
                loop->last = flow->loops[j].last;
    }
}

void flow_find_loops(struct flow *flow, const struct thread *thread) {
    collect_loops(flow, thread);
    nest_loops(flow);
    flow->loop_of = ARENA_ARRAY(flow->builder->arena, int, thread->instruction_count + 1);
    int current = NO_LOOP;
    size_t next = 0;
    for (size_t pc = 0; pc <= thread->instruction_count; pc++) {
        while (current != NO_LOOP && flow->loops[current].last < pc)
            current = flow->loops[current].parent;
        if (next < flow->loop_count && flow->loops[next].begin == pc) {
            struct loop *loop = &flow->loops[next];
            assert(current == NO_LOOP || loop->last <= flow->loops[current].last);
            loop->parent = current;
            loop->depth = current == NO_LOOP ? 0 : flow->loops[current].depth + 1;
            if (loop->depth + 1 > flow->max_depth)
                flow->max_depth = loop->depth + 1;
            current = (int)next++;
        }
        flow->loop_of[pc] = current;
    }
    assert(next == flow->loop_count);
}

static bool reads_clock(const struct instruction *instruction) {
    for (unsigned i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i].kind == OPERAND_SPECIAL &&
            instruction->operands[i].special == SPECIAL_CLOCK)
            return true;
    return false;
}

bool flow_find_clocks(struct flow *flow) {
    const struct thread *thread = flow->thread.thread;
    bool has_timed_wait = false;
    for (size_t i = 0; i < flow->loop_count; i++)
        flow->loops[i].only_computes = only_computes(thread, &flow->loops[i]);
    for (size_t pc = 0; pc < thread->instruction_count; pc++)
        has_timed_wait |= flow->loop_of[pc] != NO_LOOP &&
                          !flow->loops[flow->loop_of[pc]].only_computes &&
                          reads_clock(&thread->instructions[pc]);
    return has_timed_wait;
}

void flow_find_spin_loops(struct flow *flow, const struct thread *thread) {
    for (size_t i = 0; i < flow->loop_count; i++)
        flow->loops[i].cut = SPIN_NO_CUT;
    if (flow->loop_count == 0 || flow->loop_count * thread->instruction_count > MAX_LOOP_WORK)
        return;
    const struct liveness *live = spin_liveness(flow->builder, flow->thread.index);
    const bool *races = flow->builder->plan->races != NULL
                            ? flow->builder->plan->races[flow->thread.index]
                            : spin_races(flow->builder, flow->thread.index);
    for (size_t i = 0; i < flow->loop_count; i++) {
        struct loop *loop = &flow->loops[i];
        loop->of_warp = warp_waits_may_be_one(flow->builder->test, thread, loop->begin, loop->last);
        loop->of_cta = !loop->of_warp && waits_has_barrier(thread, loop->begin, loop->last);
        bool late = loop->of_cta && flow->builder->plan->cuts_late;
        loop->cut = spin_find_cut(live, flow->loop_of, loop->begin, loop->last, late);
        if (loop->of_cta && flow->builder->plan->stay_rounds == 0 &&
            (flow->builder->plan->keeps_cta_loops ||
             !waits_may_be_one(flow->builder->test, thread, loop->begin, loop->last)))
            loop->cut = SPIN_NO_CUT;
        if (loop->of_warp && flow->builder->plan->stay_rounds == 0 &&
            flow->builder->plan->keeps_warp_loops)
            loop->cut = SPIN_NO_CUT;
        for (size_t pc = loop->begin; loop->cut != SPIN_NO_CUT && pc <= loop->last; pc++)
            loop->may_race |= races[pc];
        flow->builder->loops.keeps_turns |= loop->may_race && !loop->of_cta;
    }
}
