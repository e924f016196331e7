// Spin loops: loops of which only the last iteration has an effect.
//
// An iteration that repeats without having written to memory, without a barrier (except for
// loop/waits.c), and without a register that anything later may read, can be left out: what remains
// is an execution of the same program, in which the loop has one iteration less. It has the same
// writes, the same values and the same outcome, and it is consistent, since the axioms forbid
// cycles and paths, and events that are gone (reads, fences) take away from these only. So one
// iteration represents any number, if it leaves the loop (struct program's `assumption`), and no
// outcome needs a bound.
//
// An iteration, or turn, is what happens between two visits to one instruction of the loop: its
// beginning, or any other at which no register that the loop writes is live (spin_find_cut).
//
// A race is between two accesses. Where one of the loop may take part in one, one more iteration is
// kept, before the last one, to represent the one with that access.
//
// An iteration that writes, like the exch of a lock, can be left out if no event that is kept reads
// what it wrote: such a write, too, only adds to cycles and paths. loop/spin_writes.c
// checks that once all events are known.
//
// This file decides about registers, from the text; thread/flow.c finds out whether
// an iteration that repeats has written, which the cas of a lock has not.

#include "program/builder.h"
#include "program/memory/memory.h"
#include "program/thread/access.h"
#include "program/loop/loops.h"

#include <assert.h>
#include <string.h>

enum {
    WORD_BITS = 64,
    MAX_WORDS = 1 << 20, // of all sets together
    MAX_PASSES = 64,
    MAX_PAIRS = 1 << 24, // of instructions
};

// Where both ways of a branch have met again, if one is sure to: at `at`, after instructions up to
// `end`. Where all ways lead back, `at` is before the branch, and some of them come there from
// `from`.
struct join {
    bool known, is_back;
    size_t from, at, end;
};

// By instruction, and one for the thread's end: the registers whose values count there.
struct liveness {
    const struct thread *thread;
    size_t words;               // of a set
    uint64_t *sets;             // NULL when this would be too much work
    uint64_t *before, *written; // of the instructions under consideration
    struct join *joins;         // by instruction: of a branch
};

// --- Registers of an instruction ---------------------------------------------------------------

static void add_register(uint64_t *set, int reg) {
    if (reg >= 0)
        set[reg / WORD_BITS] |= UINT64_C(1) << reg % WORD_BITS;
}

static void add_operand(uint64_t *set, const struct operand *operand) {
    if (operand->kind == OPERAND_REGISTER || operand->kind == OPERAND_MEMORY)
        add_register(set, operand->reg);
    for (size_t i = 0; operand->kind == OPERAND_VECTOR && i < operand->element_count; i++)
        add_operand(set, &operand->elements[i]);
}

static void add_written(uint64_t *set, const struct instruction *instruction) {
    if (instruction_defines(instruction))
        add_operand(set, &instruction->operands[0]);
}

// Whether an instruction only computes its destination. What it reads counts only where
// that does: a back-off that doubles in each turn matters only to itself and to nanosleep,
// which has no effect on memory.
static bool only_computes(const struct instruction *instruction) {
    return (opcode_effects(instruction->opcode) & ~(unsigned)(EFFECT_DEFINES | EFFECT_FLOATS)) == 0;
}

// What an instruction reads; under a guard, it may keep what it would write.
static void add_read(uint64_t *set, const struct instruction *instruction) {
    bool skips = instruction_defines(instruction) && instruction->guard < 0 &&
                 !opcode_has(instruction->opcode, TRAIT_ADDS);
    add_register(set, instruction->guard);
    for (unsigned i = skips; i < instruction->operand_count; i++)
        add_operand(set, &instruction->operands[i]);
}

// --- Liveness ----------------------------------------------------------------------------------

static uint64_t *set_at(const struct liveness *live, size_t pc) {
    return live->sets + pc * live->words;
}

static void add_successor(const struct liveness *live, uint64_t *set, size_t pc) {
    for (size_t i = 0; i < live->words; i++)
        set[i] |= set_at(live, pc)[i];
}

// --- Branches of which it does not matter which way they go ------------------------------------

static bool jumps(const struct instruction *instruction) {
    return (opcode_effects(instruction->opcode) & EFFECT_JUMPS) != 0;
}

static bool fails(const struct instruction *instruction) {
    return (opcode_effects(instruction->opcode) & EFFECT_FAILS) != 0;
}

// Notes the jump at `pc`, on a way from a branch. Returns false where the ways do not meet in one
// place: one leads back into the middle of the ways. Where they lead back to several places, they
// meet at the last of these: see leads_on.
static bool add_way(const struct thread *thread, size_t branch, size_t pc, struct join *join) {
    size_t target = instruction_target(thread, &thread->instructions[pc]);
    if (target > pc) {
        join->end = target > join->end ? target : join->end;
        return true;
    }
    join->from = join->is_back && join->from < target ? join->from : target;
    join->at = join->is_back && join->at > target ? join->at : target;
    join->is_back = true;
    return target <= branch;
}

// Whether all ways that come to an instruction go on to a later one without a jump, such as those
// of a back-off that counts its turns.
static bool leads_on(const struct thread *thread, size_t from, size_t to) {
    for (size_t pc = from; pc < to; pc++)
        if (jumps(&thread->instructions[pc]))
            return false;
    return true;
}

// Where both ways of a branch have met again: the first place that all jumps in between lead to or
// stop short of; or, where some lead back, the place to which all of them do.
static struct join find_join(const struct thread *thread, size_t branch) {
    struct join join = {.end = branch + 1};
    if (!add_way(thread, branch, branch, &join))
        return (struct join){0};
    for (size_t pc = branch + 1; pc < thread->instruction_count; pc++) {
        const struct instruction *instruction = &thread->instructions[pc];
        if (pc == join.end && !join.is_back)
            break;
        if (!jumps(instruction))
            continue;
        if (!add_way(thread, branch, pc, &join))
            return (struct join){0};
        bool is_last = instruction->guard < 0 && pc >= join.end; // no way leads past it
        if (is_last && instruction_target(thread, instruction) <= pc)
            return (struct join){.known = leads_on(thread, join.from, join.at),
                                 .is_back = true,
                                 .from = join.from,
                                 .at = join.at,
                                 .end = pc + 1};
    }
    return (struct join){.known = !join.is_back, .from = join.end, .at = join.end, .end = join.end};
}

static void find_joins(struct liveness *live, struct arena *arena) {
    size_t count = live->thread->instruction_count;
    live->joins = ARENA_ARRAY(arena, struct join, count + 1);
    for (size_t pc = 0; pc < count; pc++)
        if (jumps(&live->thread->instructions[pc]))
            live->joins[pc] = find_join(live->thread, pc);
}

// Whether something is done from one instruction to another, or a register is computed that may be
// read at `join`.
static bool any_matters(struct liveness *live, size_t from, size_t to, size_t join) {
    for (size_t pc = from; pc < to; pc++) {
        const struct instruction *instruction = &live->thread->instructions[pc];
        if (fails(instruction) || (!jumps(instruction) && !only_computes(instruction)))
            return true;
        memset(live->written, 0, live->words * sizeof *live->written);
        add_written(live->written, instruction);
        for (size_t i = 0; i < live->words; i++)
            if (live->written[i] & set_at(live, join)[i])
                return true;
    }
    return false;
}

// Whether it matters which way a branch goes: something is done on one of them, or a register is
// computed that may be read after both have met. (What a timer says in a back-off does not matter.)
static bool branch_matters(struct liveness *live, size_t branch) {
    const struct join *join = &live->joins[branch];
    if (!join->known || fails(&live->thread->instructions[branch]))
        return true;
    return any_matters(live, branch + 1, join->end, join->at) ||
           any_matters(live, join->from, join->at, join->at);
}

// Computes the set before an instruction from those after it.
static void flow_back(struct liveness *live, size_t pc) {
    uint64_t *set = live->before;
    const struct thread *thread = live->thread;
    const struct instruction *instruction = &thread->instructions[pc];
    bool is_jump = jumps(instruction);
    bool counts = is_jump ? branch_matters(live, pc) : !only_computes(instruction);
    memset(set, 0, live->words * sizeof *set);
    if (is_jump)
        add_successor(live, set, instruction_target(thread, instruction));
    if (!is_jump || instruction->guard >= 0)
        add_successor(live, set, pc + 1);
    memset(live->written, 0, live->words * sizeof *live->written);
    add_written(live->written, instruction);
    for (size_t i = 0; i < live->words; i++)
        counts = counts || (live->written[i] & set[i]) != 0;
    for (size_t i = 0; i < live->words && instruction->guard < 0; i++)
        set[i] &= ~live->written[i];
    if (counts)
        add_read(set, instruction);
}

// One pass from the end to the beginning; returns whether a set has grown.
static bool pass(struct liveness *live) {
    bool grown = false;
    for (size_t pc = live->thread->instruction_count; pc-- > 0;) {
        flow_back(live, pc);
        size_t bytes = live->words * sizeof *live->before;
        if (memcmp(live->before, set_at(live, pc), bytes) == 0)
            continue;
        memcpy(set_at(live, pc), live->before, bytes);
        grown = true;
    }
    return grown;
}

// What the test shows or compares is read at the end.
struct end {
    struct liveness *live;
    int thread;
};

static void add_term(void *context, const struct term *term) {
    struct end *end = context;
    if (term->kind == TERM_REGISTER && term->thread == end->thread)
        add_register(set_at(end->live, end->live->thread->instruction_count), term->reg);
}

struct liveness *spin_liveness(struct builder *builder, int thread) {
    assert(thread >= 0 && (size_t)thread < builder->test->thread_count);
    struct liveness *live = ARENA_NEW(builder->arena, struct liveness);
    live->thread = &builder->test->threads[thread];
    live->words = live->thread->register_count / WORD_BITS + 1;
    size_t places = live->thread->instruction_count + 1;
    if (places > MAX_WORDS / live->words)
        return live;
    live->sets = ARENA_ARRAY(builder->arena, uint64_t, places * live->words);
    struct end end = {live, thread};
    test_visit_terms(builder->test, add_term, &end);
    live->before = ARENA_ARRAY(builder->arena, uint64_t, live->words);
    live->written = ARENA_ARRAY(builder->arena, uint64_t, live->words);
    find_joins(live, builder->arena);
    unsigned passes = 0;
    while (pass(live))
        if (++passes == MAX_PASSES) {
            live->sets = NULL;
            break;
        }
    return live;
}

// --- Loops -------------------------------------------------------------------------------------

// Whether no register that the loop writes (live->written) is read from an instruction on.
static bool forgets_at(const struct liveness *live, size_t pc) {
    for (size_t i = 0; i < live->words; i++)
        if (live->written[i] & set_at(live, pc)[i])
            return false;
    return true;
}

size_t spin_find_cut(const struct liveness *live, const int *loop_of, size_t begin, size_t last,
                     bool late) {
    assert(begin <= last);
    size_t found = SPIN_NO_CUT;
    if (live->sets == NULL)
        return found;
    memset(live->written, 0, live->words * sizeof *live->written);
    for (size_t pc = begin; pc <= last; pc++)
        add_written(live->written, &live->thread->instructions[pc]);
    for (size_t pc = begin; pc <= last && (late || found == SPIN_NO_CUT); pc++)
        if (loop_of[pc] == loop_of[begin] && forgets_at(live, pc))
            found = pc;
    return found;
}

// --- Races -------------------------------------------------------------------------------------

// An access as far as the text tells.
struct text_access {
    const struct place *place; // of its thread
    const struct instruction *instruction;
    int variable; // -1: through a register
    uint64_t begin, end;
};

static struct text_access text_access(const struct builder *builder, int thread,
                                      const struct instruction *instruction) {
    assert(thread >= 0 && (size_t)thread < builder->test->thread_count);
    const struct operand *address = access_address_operand(instruction);
    struct text_access access = {.place = &builder->test->threads[thread].place,
                                 .instruction = instruction,
                                 .variable = address->variable,
                                 .begin = (uint64_t)address->offset};
    if (access.variable < 0)
        return access;
    unsigned bits = scalar_type_bits(instruction->type);
    if (instruction->type == TYPE_NONE) // Dat3M's dialect
        bits = 8 * memory_element_size(&builder->test->variables[access.variable]);
    unsigned elements = instruction->vector == 0 ? 1 : instruction->vector;
    access.end = access.begin + (uint64_t)bits / 8 * elements;
    return access;
}

static bool reaches(const struct text_access *from, const struct text_access *to) {
    return test_scope_contains(access_scope(from->instruction), from->place, to->place);
}

// Whether two accesses of different threads, one of them a write, may race: they may touch common
// bytes and are not certain to be morally strong (PTX ISA 8.7).
static bool may_race(const struct test *test, const struct text_access *a,
                     const struct text_access *b) {
    bool known = a->variable >= 0 && b->variable >= 0;
    if (known && memory_physical(test, a->variable) != memory_physical(test, b->variable))
        return false;
    if (known && (a->end <= b->begin || b->end <= a->begin))
        return false;
    bool same = known && a->variable == b->variable && a->begin == b->begin && a->end == b->end &&
                a->instruction->vector <= 1 && b->instruction->vector <= 1 &&
                a->instruction->proxy == b->instruction->proxy;
    return !same || !reaches(a, b) || !reaches(b, a);
}

static bool is_read(const struct instruction *instruction) {
    return (opcode_effects(instruction->opcode) & EFFECT_READS) != 0;
}

static bool is_write(const struct instruction *instruction) {
    return (opcode_effects(instruction->opcode) & EFFECT_WRITES) != 0;
}

static bool may_race_with_others(const struct builder *builder, int thread,
                                 const struct instruction *instruction) {
    assert(thread >= 0 && (size_t)thread < builder->test->thread_count);
    const struct test *test = builder->test;
    struct text_access access = text_access(builder, thread, instruction);
    bool writes = is_write(instruction);
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t pc = 0; (int)t != thread && pc < test->threads[t].instruction_count; pc++) {
            const struct instruction *other = &test->threads[t].instructions[pc];
            if (!is_write(other) && !(writes && is_read(other)))
                continue;
            struct text_access theirs = text_access(builder, (int)t, other);
            if (may_race(test, &access, &theirs))
                return true;
        }
    return false;
}

bool *spin_races(struct builder *builder, int thread) {
    assert(thread >= 0 && (size_t)thread < builder->test->thread_count);
    const struct test *test = builder->test;
    size_t count = test->threads[thread].instruction_count, others = 0;
    bool *races = ARENA_ARRAY(builder->arena, bool, count + 1);
    for (size_t t = 0; t < test->thread_count; t++)
        others += (int)t == thread ? 0 : test->threads[t].instruction_count;
    bool too_many = count > 0 && others > MAX_PAIRS / count;
    for (size_t pc = 0; pc < count; pc++) {
        const struct instruction *instruction = &test->threads[thread].instructions[pc];
        races[pc] = (is_read(instruction) || is_write(instruction)) &&
                    (too_many || may_race_with_others(builder, thread, instruction));
    }
    return races;
}
