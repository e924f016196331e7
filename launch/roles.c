// Threads that stand for others: where not all threads of a launch can be searched, two for each
// way through the kernel that threads take.
//
// The way of a thread is found by stepping it alone: what it computes from its number and from the
// arguments of the launch is known, and what it reads is not. A branch that depends on that is not
// taken, and says nothing of the thread. Which threads are chosen decides nothing but how much a
// search sees: what the others may do is taken into account as of threads that are left out.
#include "launch/launch.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "program/step.h"

#include <string.h>

enum { STEPS_MAX = 2000, BLOCKS_MAX = 2, CHOSEN_MAX = 8, OF_ROLE = 2 };

struct role_walk {
    struct stepper *stepper;
    const struct thread *thread;
    int index;
    struct step_value *registers;
    size_t pc;
    uint64_t path; // a hash of the branches and guards that are known
};

static void note(struct role_walk *walk, uint64_t what) {
    walk->path = (walk->path ^ what) * UINT64_C(0x100000001b3);
}

// --- Steps ---------------------------------------------------------------------------------------

// What a parameter of the kernel holds; not known of other memory.
static struct step_value read_parameter(const struct role_walk *walk,
                                        const struct instruction *instruction, uint64_t offset,
                                        unsigned size) {
    const struct step_value unknown = {{0, 0}, UNKNOWN_CONTENTS};
    if (instruction->space != SPACE_PARAM)
        return unknown;
    struct step_value at = stepper_address(walk->stepper, walk->index, walk->registers,
                                           &instruction->operands[1], SPACE_PARAM);
    const struct virtual_range *range =
        at.knowledge == KNOWN
            ? places_range_of(stepper_memory(walk->stepper), at.bits.low + offset, size)
            : NULL;
    return range == NULL ? unknown
                         : stepper_initial(walk->stepper, range->object,
                                           at.bits.low + offset - range->address, size);
}

// Writes what an instruction that accesses memory, or meets others, gives its thread.
static void take_results(struct role_walk *walk, const struct instruction *instruction) {
    if (!instruction_defines(instruction) || instruction->operand_count == 0)
        return;
    const struct operand *to = &instruction->operands[0];
    unsigned bits = scalar_type_bits(instruction->type);
    for (unsigned i = 0; i < operand_length(to); i++) {
        struct step_value value = {{0, 0}, UNKNOWN_CONTENTS};
        if (bits >= 8 && instruction->operand_count > 1)
            value = read_parameter(walk, instruction, (uint64_t)i * bits / 8, bits / 8);
        stepper_write(walk->thread, walk->registers, operand_element(to, i), value,
                      bits > 0 ? bits : 32, false);
    }
}

// Whether an instruction is executed, as far as its guard is known; what is not known is taken to
// hold, but for branches.
static bool is_executed(struct role_walk *walk, const struct instruction *instruction) {
    if (instruction->guard < 0)
        return true;
    struct step_value guard = walk->registers[instruction->guard];
    if (guard.knowledge != KNOWN)
        return !instruction_branches(instruction) &&
               !(opcode_effects(instruction->opcode) & EFFECT_ENDS);
    bool holds = (guard.bits.low != 0) != instruction->guard_negated;
    note(walk, 2 * walk->pc + holds);
    return holds;
}

// Makes a step; false at the end.
static bool step(struct role_walk *walk) {
    if (walk->pc >= walk->thread->instruction_count)
        return false;
    const struct instruction *instruction = &walk->thread->instructions[walk->pc];
    if (!is_executed(walk, instruction)) {
        walk->pc++;
        return true;
    }
    if (opcode_effects(instruction->opcode) & EFFECT_ENDS)
        return false;
    if (instruction_branches(instruction)) {
        walk->pc = instruction_target(walk->thread, instruction);
        return true;
    }
    if (opcode_family(instruction->opcode) != FAMILY_COMPUTE ||
        !stepper_compute(walk->stepper, walk->index, walk->registers, instruction))
        take_results(walk, instruction);
    walk->pc++;
    return true;
}

static uint64_t path_of(struct arena *arena, struct stepper *stepper, const struct test *test,
                        size_t t) {
    struct role_walk walk = {.stepper = stepper,
                             .thread = &test->threads[t],
                             .index = (int)t,
                             .path = UINT64_C(0xcbf29ce484222325)};
    walk.registers = ARENA_ARRAY(arena, struct step_value, walk.thread->register_count + 1);
    stepper_start(stepper, (int)t, walk.registers);
    for (unsigned steps = 0; steps < STEPS_MAX && step(&walk); steps++)
        ;
    note(&walk, walk.pc);
    return walk.path;
}

// --- Choices -------------------------------------------------------------------------------------

// The ways of the threads of a launch by their numbers: those in the first blocks, together.
static uint64_t *paths_of(struct arena *arena, struct stepper *stepper, const struct test *test,
                          const struct launch *launch) {
    unsigned count = launch_block_size(launch);
    uint64_t *paths = ARENA_ARRAY(arena, uint64_t, count + 1);
    size_t seen = 0;
    for (size_t t = 0; t < test->thread_count; t++) {
        const struct thread *thread = &test->threads[t];
        if (thread->launch != launch || seen++ >= (size_t)count * BLOCKS_MAX)
            continue;
        uint64_t *path = &paths[launch_number(launch, thread->tid)];
        *path = *path * 31 + path_of(arena, stepper, test, t);
    }
    return paths;
}

// Takes two threads of each way, the first ones, into `chosen` by number. Returns how many.
static size_t choose(const uint64_t *paths, unsigned count, bool *chosen) {
    size_t total = 0;
    for (unsigned i = 0; i < count && total < CHOSEN_MAX; i++) {
        unsigned alike = 0;
        for (unsigned k = 0; k < i; k++)
            alike += chosen[k] && paths[k] == paths[i];
        chosen[i] = alike < OF_ROLE;
        total += chosen[i];
    }
    return total;
}

// "0, 1, 32"
static const char *numbers_text(struct arena *arena, const struct launch *launch) {
    const char *text = "";
    for (size_t i = 0; i < launch->modelled_count; i++)
        text = arena_format(arena, "%s%s%u", text, i > 0 ? ", " : "", launch->modelled[i]);
    return text;
}

static void assume(struct arena *arena, struct test *test, const struct launch *launch) {
    const char *text = arena_format(
        arena,
        "threads %s of each block of %s stand for all %u: they were chosen by the ways "
        "that threads take ('threads auto')",
        numbers_text(arena, launch), launch->kernel, launch_block_size(launch));
    const char **assumptions = ARENA_ARRAY(arena, const char *, test->assumption_count + 1);
    for (size_t i = 0; i < test->assumption_count; i++)
        assumptions[i] = test->assumptions[i];
    assumptions[test->assumption_count++] = text;
    test->assumptions = assumptions;
}

// The launch with the threads that were chosen; itself where these are all.
static const struct launch *choose_of(struct arena *arena, struct stepper *stepper,
                                      struct test *test, const struct launch *launch) {
    unsigned count = launch_block_size(launch);
    bool *chosen = ARENA_ARRAY(arena, bool, count + 1);
    size_t total = choose(paths_of(arena, stepper, test, launch), count, chosen), used = 0;
    if (total == count)
        return launch;
    struct launch *smaller = arena_copy(arena, launch, 1, sizeof *smaller);
    unsigned *numbers = ARENA_ARRAY(arena, unsigned, total + 1);
    for (unsigned i = 0; i < count; i++)
        if (chosen[i])
            numbers[used++] = i;
    smaller->modelled = numbers;
    smaller->modelled_count = total;
    assume(arena, test, smaller);
    return smaller;
}

// Keeps of a launch's threads those that its smaller form has.
static void keep(struct test *test, const struct launch *launch, const struct launch *smaller) {
    size_t kept = 0;
    for (size_t t = 0; t < test->thread_count; t++) {
        struct thread thread = test->threads[t];
        if (thread.launch == launch) {
            if (!launch_models(smaller, launch_number(launch, thread.tid)))
                continue;
            thread.launch = smaller;
        }
        test->threads[kept++] = thread;
    }
    test->thread_count = kept;
}

static void note_register(void *context, const struct term *term) {
    const struct term **found = context;
    if (term->kind == TERM_REGISTER && !*found)
        *found = term;
}

bool roles_are_asked(const struct test *test) {
    for (size_t t = 0; t < test->thread_count; t++)
        if (test->threads[t].launch && test->threads[t].launch->chooses)
            return true;
    return false;
}

struct test *roles_choose(struct arena *arena, const struct test *test,
                          const struct program_options *options, bool all,
                          struct diagnostics *diagnostics) {
    const struct term *asked = NULL;
    struct diagnostics ignored;
    diagnostics_init(&ignored, arena);
    test_visit_terms(test, note_register, &asked);
    if (asked) {
        diag_error(diagnostics, asked->span,
                   "'threads auto' chooses threads, and this is a register of one: name the "
                   "threads");
        return NULL;
    }
    struct test *chosen = arena_copy(arena, test, 1, sizeof *chosen);
    struct stepper *stepper = stepper_new(arena, test, options, &ignored);
    if (!stepper)
        return chosen;
    chosen->threads = arena_copy(arena, test->threads, test->thread_count, sizeof *chosen->threads);
    const struct launch *before = NULL; // launches follow each other
    for (size_t t = 0; t < test->thread_count; t++) {
        const struct launch *launch = test->threads[t].launch;
        bool is_meant = launch && launch != before && !launch->modelled && (all || launch->chooses);
        before = launch;
        if (!is_meant)
            continue;
        struct test whole = *test; // whose threads the stepper knows
        whole.assumptions = chosen->assumptions;
        whole.assumption_count = chosen->assumption_count;
        const struct launch *smaller = choose_of(arena, stepper, &whole, launch);
        chosen->assumptions = whole.assumptions;
        chosen->assumption_count = whole.assumption_count;
        keep(chosen, launch, smaller);
    }
    stepper_free(stepper);
    return chosen;
}
