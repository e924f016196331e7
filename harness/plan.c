// Plans the runs of a test: seats of its threads, places of its variables, columns of its states.
#include "harness/plan.h"

#include "harness/fit.h"
#include "program/program.h"
#include "litmus/source/arena.h"

#include <assert.h>

const char *harness_refusal_text(enum harness_refusal refusal) {
    static const char *const words[REFUSAL_COUNT] = {
        [REFUSAL_NONE] = "it runs",
#define REFUSAL(id, text) [REFUSAL_##id] = text,
#include "harness/refusals.def"
    };
    return words[refusal];
}

// --- Seats -------------------------------------------------------------------------------------

// The number of a thread's cluster, in the order of their first threads.
static unsigned unit_of(const struct harness_plan *plan, size_t index) {
    const struct thread *threads = plan->test->threads;
    unsigned next = 0;
    for (size_t i = 0; i < index; i++) {
        if (plan->seats[i].is_host)
            continue;
        if (test_same_cluster(&threads[i].place, &threads[index].place))
            return plan->seats[i].unit;
        next = plan->seats[i].unit >= next ? plan->seats[i].unit + 1 : next;
    }
    return next;
}

// CTAs have the ranks of their numbers.
static unsigned rank_of(const struct test *test, size_t index) {
    const struct place *place = &test->threads[index].place;
    unsigned rank = 0;
    for (size_t i = 0; i < test->thread_count; i++) {
        const struct place *other = &test->threads[i].place;
        bool is_first = true;
        for (size_t k = 0; k < i; k++)
            is_first = is_first && !test_same_cta(&test->threads[k].place, other);
        rank += is_first && test_same_cluster(other, place) && other->cta < place->cta;
    }
    return rank;
}

static unsigned larger(unsigned a, unsigned b) {
    return a > b ? a : b;
}

static enum harness_refusal take_seats(struct arena *arena, struct harness_plan *plan) {
    const struct test *test = plan->test;
    plan->seats = ARENA_ARRAY(arena, struct harness_seat, test->thread_count + 1);
    plan->cta_threads = ARENA_ARRAY(arena, size_t, test->thread_count + 1);
    for (size_t i = 0; i < test->thread_count; i++) {
        struct harness_seat *seat = &plan->seats[i];
        seat->is_host = test->threads[i].place.host;
        if (seat->is_host)
            continue;
        *seat = (struct harness_seat){.unit = unit_of(plan, i), .rank = rank_of(test, i)};
        for (size_t k = 0; k < test->thread_count; k++) {
            bool same = test_same_cta(&test->threads[i].place, &test->threads[k].place);
            plan->cta_threads[i] += same;
            seat->part += same && k < i;
        }
        plan->units = larger(plan->units, seat->unit + 1);
        plan->cluster = larger(plan->cluster, seat->rank + 1);
        plan->parts = larger(plan->parts, seat->part + 1);
    }
    if (plan->parts == 0)
        return REFUSAL_HOST;
    if (plan->cluster > HARNESS_CLUSTER)
        return REFUSAL_CLUSTER;
    return plan->parts > HARNESS_WARP ? REFUSAL_THREADS : REFUSAL_NONE;
}

// --- Variables ---------------------------------------------------------------------------------

static unsigned round_up(unsigned value, unsigned alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

static enum harness_refusal place_variables(struct arena *arena, struct harness_plan *plan) {
    enum { LARGEST = 1 << 12 };
    const struct test *test = plan->test;
    plan->variables = ARENA_ARRAY(arena, struct harness_variable, test->variable_count + 1);
    plan->alignment = 4;
    for (size_t i = 0; i < test->variable_count; i++) {
        const struct variable *variable = &test->variables[i];
        struct harness_variable *place = &plan->variables[i];
        size_t size = variable->element_count * (scalar_type_bits(variable->type) / 8);
        if (size > LARGEST)
            return variable->space == SPACE_SHARED ? REFUSAL_SHARED : REFUSAL_VARIABLES;
        place->size = round_up((unsigned)size, 4);
        place->is_shared = variable->space == SPACE_SHARED;
        if (place->is_shared) {
            place->offset = round_up(plan->shared_bytes, larger(variable->alignment, 4));
            plan->shared_bytes = place->offset + place->size;
        } else {
            place->number = plan->variable_count++;
            plan->alignment = larger(plan->alignment, variable->alignment);
        }
    }
    plan->shared_bytes = round_up(plan->shared_bytes, 16);
    for (size_t i = 0; i < test->variable_count; i++)
        if (plan->variables[i].is_shared && test->variables[i].alignment > 16)
            plan->shared_bytes = round_up(plan->shared_bytes, test->variables[i].alignment);
    return plan->variable_count > HARNESS_VARIABLES ? REFUSAL_VARIABLES : REFUSAL_NONE;
}

// Threads of a CTA that play one thread of the test: whole warps.
static enum harness_refusal choose_slots(struct harness_plan *plan) {
    unsigned warps = larger(1, HARNESS_THREADS / HARNESS_WARP / plan->parts);
    while (warps > 1 && warps * HARNESS_WARP * plan->shared_bytes > HARNESS_SHARED)
        warps--;
    plan->slots = warps * HARNESS_WARP;
    return plan->slots * plan->shared_bytes > HARNESS_SHARED ? REFUSAL_SHARED : REFUSAL_NONE;
}

// --- Columns -----------------------------------------------------------------------------------

static bool names(const struct operand *operand, int variable) {
    return (operand->kind == OPERAND_ADDRESS || operand->kind == OPERAND_MEMORY) &&
           operand->variable == variable;
}

bool harness_names_variable(const struct thread *thread, int variable) {
    for (size_t i = 0; i < thread->instruction_count; i++)
        for (unsigned k = 0; k < thread->instructions[i].operand_count; k++)
            if (names(&thread->instructions[i].operands[k], variable))
                return true;
    return false;
}

// A thread of the CTA whose shared variable a term names, or -1: of the CTA that it says, or of the
// only one whose threads use it.
static int thread_of_shared(const struct test *test, const struct term *term) {
    int found = -1;
    for (size_t i = 0; i < test->thread_count; i++) {
        const struct thread *thread = &test->threads[i];
        bool fits = term->has_instance ? thread->place.cta == term->instance_cta
                                       : harness_names_variable(thread, term->variable);
        if (fits && found >= 0 && !test_same_cta(&thread->place, &test->threads[found].place))
            return -1;
        found = fits ? (int)i : found;
    }
    return found;
}

static enum harness_refusal add_column(struct harness_plan *plan, const struct observed *observed) {
    const struct term *term = observed->term;
    struct harness_column *column = &plan->columns[plan->column_count++];
    *column = (struct harness_column){.name = observed->log_name,
                                      .bits = observed->width,
                                      .is_signed = observed->is_signed,
                                      .thread = -1,
                                      .reg = -1,
                                      .variable = -1};
    if (observed->width > 64)
        return REFUSAL_WIDE;
    if (term->kind == TERM_REGISTER) {
        column->thread = term->thread;
        column->reg = term->reg;
        return REFUSAL_NONE;
    }
    const struct variable *variable = &plan->test->variables[term->variable];
    column->variable = term->variable;
    column->bytes = scalar_type_bits(variable->type) / 8;
    column->offset = (unsigned)term->element * column->bytes;
    if (!plan->variables[term->variable].is_shared)
        return REFUSAL_NONE;
    int thread = thread_of_shared(plan->test, term);
    column->seat = thread < 0 ? (struct harness_seat){0} : plan->seats[thread];
    return thread < 0 ? REFUSAL_CTA : REFUSAL_NONE;
}

static enum harness_refusal add_columns(struct arena *arena, const struct program *program,
                                        struct harness_plan *plan) {
    plan->columns = ARENA_ARRAY(arena, struct harness_column, program->observed_count + 1);
    enum harness_refusal refusal =
        program->observed_count > HARNESS_COLUMNS ? REFUSAL_COLUMNS : REFUSAL_NONE;
    for (size_t i = 0; refusal == REFUSAL_NONE && i < program->observed_count; i++)
        refusal = add_column(plan, &program->observed[i]);
    return refusal;
}

// Whether a column shows what a term names.
static bool shows(const struct harness_plan *plan, const struct harness_column *column,
                  const struct term *term) {
    if (term->kind == TERM_REGISTER)
        return column->thread == term->thread && column->reg == term->reg;
    if (column->variable != term->variable || column->offset != term->element * column->bytes)
        return false;
    int thread = thread_of_shared(plan->test, term);
    const struct harness_seat *seat = thread < 0 ? NULL : &plan->seats[thread];
    return !plan->variables[term->variable].is_shared || !seat ||
           (seat->unit == column->seat.unit && seat->rank == column->seat.rank);
}

const struct harness_column *harness_column_of(const struct harness_plan *plan,
                                               const struct term *term) {
    for (size_t i = 0; i < plan->column_count; i++)
        if (shows(plan, &plan->columns[i], term))
            return &plan->columns[i];
    return NULL;
}

// --- Asynchronous operations -------------------------------------------------------------------

static bool is_copy(const struct instruction *instruction) {
    return opcode_family(instruction->opcode) == FAMILY_COPY &&
           opcode_has(instruction->opcode, TRAIT_STARTS);
}

// Nothing waits for a copy that completes on an mbarrier where no thread of the test does.
static enum harness_refusal plan_copies(struct harness_plan *plan) {
    bool fills_shared = false, shows_shared = false;
    for (size_t i = 0; i < plan->test->thread_count; i++)
        for (size_t k = 0; k < plan->test->threads[i].instruction_count; k++) {
            const struct instruction *instruction = &plan->test->threads[i].instructions[k];
            plan->copies = plan->copies || is_copy(instruction);
            fills_shared = fills_shared || (is_copy(instruction) &&
                                            opcode_has(instruction->opcode, TRAIT_SIGNALS) &&
                                            state_space_is_shared(instruction->space));
        }
    for (size_t i = 0; i < plan->column_count; i++)
        shows_shared = shows_shared || (plan->columns[i].variable >= 0 &&
                                        plan->variables[plan->columns[i].variable].is_shared);
    return fills_shared && shows_shared ? REFUSAL_COPIES : REFUSAL_NONE;
}

// --- The plan ----------------------------------------------------------------------------------

enum harness_refusal harness_plan(struct arena *arena, const struct program *program,
                                  struct harness_target target, struct harness_plan *plan) {
    *plan = (struct harness_plan){.test = program->test};
    for (size_t i = 0; i < program->test->need_count; i++)
        plan->ptx = larger(plan->ptx, program->test->needs[i].ptx);
    enum harness_refusal refusal = harness_fits_test(program->test, target);
    if (refusal == REFUSAL_NONE)
        refusal = take_seats(arena, plan);
    if (refusal == REFUSAL_NONE && plan->cluster > 1 && target.architecture < 90)
        refusal = REFUSAL_ARCHITECTURE;
    if (refusal == REFUSAL_NONE)
        refusal = place_variables(arena, plan);
    if (refusal == REFUSAL_NONE)
        refusal = choose_slots(plan);
    if (refusal == REFUSAL_NONE)
        refusal = add_columns(arena, program, plan);
    if (refusal == REFUSAL_NONE)
        refusal = plan_copies(plan);
    if (refusal == REFUSAL_NONE)
        refusal = harness_fits_barriers(plan);
    if (refusal == REFUSAL_NONE && !harness_hides_addresses(arena, plan))
        refusal = REFUSAL_ADDRESS;
    return refusal;
}
