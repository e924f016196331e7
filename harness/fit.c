// Looks for what keeps a test from running on a GPU.
#include "harness/fit.h"

#include "harness/role.h"

#include <string.h>

// --- Declarations ------------------------------------------------------------------------------

static enum harness_refusal fits_places(const struct test *test) {
    const struct place *first = NULL; // of the GPU
    for (size_t i = 0; i < test->thread_count; i++) {
        const struct place *place = &test->threads[i].place;
        if (place->host)
            continue;
        first = first ? first : place;
        if (!test_same_gpu(place, first))
            return REFUSAL_GPUS;
        if (place->grid != first->grid)
            return REFUSAL_GRIDS;
    }
    return test->grid_order_count > 0 ? REFUSAL_GRIDS : REFUSAL_NONE;
}

static enum harness_refusal fits_variable(const struct variable *variable) {
    if (variable->alias_of >= 0)
        return variable->alias_proxy == PROXY_GENERIC ? REFUSAL_ALIAS : REFUSAL_PROXY;
    if (variable->is_opaque ||
        (variable->space != SPACE_GLOBAL && variable->space != SPACE_GENERIC &&
         variable->space != SPACE_SHARED))
        return REFUSAL_SPACE;
    for (size_t i = 0; variable->has_initial && i < variable->element_count; i++)
        if (variable->initial[i].variable >= 0)
            return REFUSAL_ADDRESS;
    return REFUSAL_NONE;
}

static enum harness_refusal fits_variables(const struct test *test) {
    enum harness_refusal refusal = REFUSAL_NONE;
    for (size_t i = 0; refusal == REFUSAL_NONE && i < test->variable_count; i++)
        refusal = fits_variable(&test->variables[i]);
    return refusal;
}

// --- Instructions ------------------------------------------------------------------------------

static enum harness_refusal fits_operand(const struct instruction *instruction,
                                         const struct operand *operand) {
    if (operand->kind == OPERAND_SPECIAL)
        return REFUSAL_SPECIAL;
    // A value that is stored: what is loaded from there may be shown.
    bool is_stored = opcode_has(instruction->opcode, TRAIT_VALUE);
    return is_stored && operand->kind == OPERAND_ADDRESS ? REFUSAL_ADDRESS : REFUSAL_NONE;
}

static enum harness_refusal fits_instruction(const struct instruction *instruction) {
    if ((opcode_effects(instruction->opcode) & EFFECT_FAILS) != 0)
        return REFUSAL_TRAP;
    if (opcode_family(instruction->opcode) == FAMILY_WARP ||
        instruction->barrier == BARRIER_WARP_SYNC)
        return REFUSAL_WARP;
    if (opcode_has(instruction->opcode, TRAIT_UNRUN))
        return REFUSAL_INSTRUCTION;
    if (instruction->barrier == BARRIER_RED)
        return REFUSAL_BARRIER_VALUES;
    enum harness_refusal refusal = REFUSAL_NONE;
    for (unsigned i = 0; refusal == REFUSAL_NONE && i < instruction->operand_count; i++)
        refusal = fits_operand(instruction, &instruction->operands[i]);
    return refusal;
}

// Registers whose names the body of a role has for other things (litmus/ptx/emit/emit.h).
static bool is_taken(const char *name) {
    static const char *const beginnings[] = {"at_", "at32_", "loop_", "shown_"};
    name = test_register_key(name);
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

static enum harness_refusal fits_thread(const struct thread *thread) {
    enum harness_refusal refusal = thread->launch ? REFUSAL_MODULE : REFUSAL_NONE;
    if (refusal == REFUSAL_NONE && thread->place.host)
        return harness_host_runs(thread) ? REFUSAL_NONE : REFUSAL_HOST_INSTRUCTION;
    for (size_t i = 0; refusal == REFUSAL_NONE && i < thread->register_count; i++)
        refusal = is_taken(thread->registers[i].name) ? REFUSAL_NAME : REFUSAL_NONE;
    for (size_t i = 0; refusal == REFUSAL_NONE && i < thread->instruction_count; i++)
        refusal = fits_instruction(&thread->instructions[i]);
    return refusal;
}

static bool has_multicast(const struct thread *thread) {
    static const char multicast[] = ".multicast";
    for (size_t i = 0; i < thread->instruction_count; i++) {
        const struct span span = thread->instructions[i].opcode_span;
        if (memmem(span.source->text + span.begin, span.end - span.begin, multicast,
                   strlen(multicast)))
            return true;
    }
    return false;
}

// ptxas warns of it elsewhere: it is slow there.
static bool likes_multicast(struct harness_target target) {
    return target.is_specific && target.architecture < 120;
}

static void find_address(void *context, const struct term *term) {
    bool *found = context;
    *found = *found || term->kind == TERM_ADDRESS;
}

enum harness_refusal harness_fits_test(const struct test *test, struct harness_target target) {
    bool has_address = false;
    test_visit_terms(test, find_address, &has_address);
    enum harness_refusal refusal = test->dialect != DIALECT_PTX ? REFUSAL_DIALECT
                                   : has_address                ? REFUSAL_ADDRESS
                                                                : fits_places(test);
    for (size_t i = 0; refusal == REFUSAL_NONE && i < test->function_count; i++)
        refusal = test->functions[i].is_called ? REFUSAL_FUNCTION : REFUSAL_NONE;
    if (refusal == REFUSAL_NONE)
        refusal = fits_variables(test);
    for (size_t i = 0; refusal == REFUSAL_NONE && i < test->thread_count; i++)
        refusal = fits_thread(&test->threads[i]);
    for (size_t i = 0; refusal == REFUSAL_NONE && i < test->need_count; i++)
        refusal = test->needs[i].sm > target.architecture ? REFUSAL_ARCHITECTURE : REFUSAL_NONE;
    for (size_t i = 0; refusal == REFUSAL_NONE && i < test->thread_count; i++)
        refusal = has_multicast(&test->threads[i]) && !likes_multicast(target) ? REFUSAL_MULTICAST
                                                                               : REFUSAL_NONE;
    return refusal;
}

// --- Barriers ----------------------------------------------------------------------------------

// Those of a CTA, of which the last one is the harness's own.
enum { BARRIERS = 16, LAST_BARRIER = BARRIERS - 1 };

// Whether a jump passes over an instruction, or goes back over it.
static bool jumps_over(const struct thread *thread, size_t jump, size_t index) {
    const struct instruction *instruction = &thread->instructions[jump];
    if ((opcode_effects(instruction->opcode) & EFFECT_ENDS) != 0)
        return jump < index;
    if (!instruction_branches(instruction))
        return false;
    size_t target = instruction_target(thread, instruction);
    return jump < index ? target > index : target <= index;
}

static enum harness_refusal fits_barrier(const struct thread *thread, size_t index) {
    const struct instruction *instruction = &thread->instructions[index];
    if (instruction->guard >= 0)
        return REFUSAL_BARRIER_PATH;
    for (size_t i = 0; i < thread->instruction_count; i++)
        if (jumps_over(thread, i, index))
            return REFUSAL_BARRIER_PATH;
    bool counts = instruction->barrier == BARRIER_SYNC || instruction->barrier == BARRIER_ARRIVE;
    for (unsigned i = 0; counts && i < instruction->operand_count; i++)
        if (instruction->operands[i].kind != OPERAND_IMMEDIATE)
            return REFUSAL_BARRIER_COUNT;
    return counts && instruction->operands[0].immediate.low == LAST_BARRIER ? REFUSAL_BARRIER_TAKEN
                                                                            : REFUSAL_NONE;
}

// How often a thread comes to barriers of this kind; of those of a CTA, to that of this number
// without a count.
static size_t barriers_of(const struct thread *thread, enum barrier_kind kind, uint64_t number) {
    size_t count = 0;
    for (size_t i = 0; i < thread->instruction_count; i++) {
        const struct instruction *instruction = &thread->instructions[i];
        count += instruction->barrier == kind &&
                 (kind != BARRIER_SYNC || (instruction->operand_count == 1 &&
                                           instruction->operands[0].immediate.low == number));
    }
    return count;
}

// All threads of a CTA come to its barriers, and all of a cluster, which has all that it may have,
// to those of the cluster.
static bool all_come(const struct harness_plan *plan, size_t a, size_t b) {
    const struct thread *first = &plan->test->threads[a], *second = &plan->test->threads[b];
    bool same = true;
    for (unsigned i = 0; test_same_cta(&first->place, &second->place) && i < BARRIERS; i++)
        same = same && barriers_of(first, BARRIER_SYNC, i) == barriers_of(second, BARRIER_SYNC, i);
    if (test_same_cluster(&first->place, &second->place))
        same = same &&
               barriers_of(first, BARRIER_CLUSTER_ARRIVE, 0) ==
                   barriers_of(second, BARRIER_CLUSTER_ARRIVE, 0) &&
               barriers_of(first, BARRIER_CLUSTER_WAIT, 0) ==
                   barriers_of(second, BARRIER_CLUSTER_WAIT, 0);
    return same;
}

// Whether the threads of a CTA come to one of its barriers as often as its count says, or a
// multiple of that; each of them comes once at a time.
static bool counts_are_met(const struct harness_plan *plan, size_t index, uint64_t number) {
    const struct test *test = plan->test;
    uint64_t count = 0, arrivals = 0;
    for (size_t i = 0; i < test->thread_count; i++) {
        const struct thread *thread = &test->threads[i];
        bool here = test_same_cta(&thread->place, &test->threads[index].place);
        for (size_t k = 0; here && k < thread->instruction_count; k++) {
            const struct instruction *instruction = &thread->instructions[k];
            bool comes =
                instruction->operand_count > 1 &&
                (instruction->barrier == BARRIER_SYNC || instruction->barrier == BARRIER_ARRIVE) &&
                instruction->operands[0].immediate.low == number;
            uint64_t says = comes ? instruction->operands[1].immediate.low : count;
            if (count > 0 && says != count)
                return false;
            count = says;
            arrivals += comes;
        }
    }
    return count == 0 || arrivals % count == 0;
}

// How many threads a thread's cluster has.
static size_t cluster_threads(const struct harness_plan *plan, size_t index) {
    size_t count = 0;
    for (size_t i = 0; i < plan->test->thread_count; i++)
        count += !plan->seats[i].is_host && plan->seats[i].unit == plan->seats[index].unit;
    return count;
}

enum harness_refusal harness_fits_barriers(const struct harness_plan *plan) {
    const struct test *test = plan->test;
    for (size_t i = 0; i < test->thread_count; i++) {
        const struct thread *thread = &test->threads[i];
        for (size_t k = 0; k < thread->instruction_count; k++) {
            enum harness_refusal refusal = thread->instructions[k].barrier == BARRIER_NONE
                                               ? REFUSAL_NONE
                                               : fits_barrier(thread, k);
            if (refusal != REFUSAL_NONE)
                return refusal;
        }
        bool in_cluster = barriers_of(thread, BARRIER_CLUSTER_ARRIVE, 0) > 0 ||
                          barriers_of(thread, BARRIER_CLUSTER_WAIT, 0) > 0;
        if (in_cluster && cluster_threads(plan, i) != (size_t)plan->cluster * plan->parts)
            return REFUSAL_BARRIER_MISSING;
        for (size_t k = 0; k < i; k++)
            if (!all_come(plan, i, k))
                return REFUSAL_BARRIER_MISSING;
        for (unsigned k = 0; k < BARRIERS; k++)
            if (!counts_are_met(plan, i, k))
                return REFUSAL_BARRIER_MISSING;
    }
    return REFUSAL_NONE;
}
