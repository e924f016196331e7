// Products of matrices by warpgroups: wgmma (PTX ISA 9.7.15).
//
// The threads of a warpgroup come to a product together, and it is one operation of theirs: it
// reads matrices from shared memory in the async proxy, as an actor beside the threads. It comes
// after what precedes a wgmma.fence of each of them (memory-model, Products follow wgmma.fence),
// and before what follows a wait of one of them: there is one wgmma-group "per warpgroup", and "an
// executing thread can wait for the completion of all wgmma.mma_async operations" in it
// (9.7.15.7.2). Threads of a test that no launch makes stand for themselves alone.
#include "launch/product.h"
#include "launch/aligned.h"
#include "launch/matrix_read.h"
#include "launch/copy.h"

#include "litmus/source/arena.h"

struct warpgroup {
    struct lane **lanes;
    unsigned count;
    uint32_t actor, started; // how many products it has started
    struct clock *start;     // what is before a wgmma.fence of each thread; NULL: it is to be found
    struct clock **passed;   // by product: what has taken place before some thread has come to it;
                             // NULL where all threads have waited for it
    uint32_t waited;         // so many of the first products are such
};

// --- Coming together ---------------------------------------------------------------------------

bool product_is_awaited(const struct lane *lane) {
    return lane->state == LANE_AT_PRODUCT;
}

// Whether all threads of a warpgroup have come to the instruction at which one is. False, too,
// after giving up.
static bool is_complete(struct machine *machine, const struct lane *lane) {
    const struct warpgroup *group = lane->products.group;
    for (unsigned i = 0; i < group->count; i++) {
        const struct lane *other = group->lanes[i];
        if (other->state == LANE_ENDED)
            return run_give_up(machine, lane->blocked, "a thread of its warpgroup has ended");
        if (other->state == LANE_AT_PRODUCT && other->blocked != lane->blocked)
            return run_give_up(machine, lane->blocked,
                               "threads of a warpgroup come to different products");
        if (other->state != LANE_AT_PRODUCT)
            return false;
    }
    return true;
}

// Keeps of a clock what another one has, too.
static void meet_clock(struct clock *clock, const struct clock *other) {
    for (size_t i = 0; i < clock->actors * clock->parts; i++)
        if (other->times[i] < clock->times[i])
            clock->times[i] = other->times[i];
}

// Finds what is before a wgmma.fence of each thread of a warpgroup.
static void find_start(struct warpgroup *group) {
    const struct clock *first = group->lanes[0]->products.fenced;
    if (group->start != NULL)
        return;
    group->start = clock_new(first->actors, first->parts);
    clock_join(group->start, first);
    for (unsigned i = 1; i < group->count; i++)
        meet_clock(group->start, group->lanes[i]->products.fenced);
}

// --- Matrices ----------------------------------------------------------------------------------

// Whether elements along M or N are next to each other in A (0) or B (1): the last operands of a
// product of elements of 16 bits say so, of a matrix that is in shared memory each.
static bool is_transposed(const struct instruction *instruction, unsigned matrix) {
    enum { SIGNS = 2 };
    unsigned first = instruction_scale(instruction) + 1 + SIGNS;
    bool a_is_described = instruction->operands[1].kind != OPERAND_VECTOR;
    unsigned operand = first + (a_is_described ? matrix : 0);
    bool has_operand = operand < instruction->operand_count && (matrix == 1 || a_is_described);
    return has_operand && instruction->operands[operand].immediate.low != 0;
}

// What a product reads of A or B: 32 bytes along K, but twice as many of a B whose A is sparse.
static struct matrix_extent extent_of(const struct instruction *instruction, unsigned matrix) {
    enum { ROWS_OF_A = 64, DEPTH = 32 };
    unsigned bits = matrix_element_bits(instruction->matrix.element[matrix]);
    unsigned depth = DEPTH * (matrix == 1 && instruction->matrix.sparse ? 2 : 1);
    bool transposed = is_transposed(instruction, matrix);
    return (struct matrix_extent){.rows = matrix == 0 ? ROWS_OF_A : instruction->matrix.columns,
                                  .depth = transposed ? depth * 8 / bits : depth,
                                  .is_transposed = transposed,
                                  .element_bits = bits};
}

// Reads A (0) or B (1), as far as it is in shared memory. All threads have the same descriptor.
static bool read_matrix(struct matrix_reader *product, unsigned matrix) {
    struct machine *machine = product->machine;
    const struct warpgroup *group = product->lane->products.group;
    const struct operand *operand = &product->instruction->operands[1 + matrix];
    const struct matrix_extent extent = extent_of(product->instruction, matrix);
    struct matrix_layout layout;
    struct bits128 first = {0}, bits;
    for (unsigned i = 0; operand->kind != OPERAND_VECTOR && i < group->count; i++) {
        const struct lane *lane = group->lanes[i];
        struct step_value word =
            stepper_value(machine->stepper, lane->index, lane->registers, operand, 64, false);
        if (!run_known(machine, product->instruction, word, "the descriptor of a matrix", &bits))
            return false;
        if (i > 0 && !bits_equal(bits, first))
            return run_give_up(machine, product->instruction,
                               "threads of a warpgroup describe different matrices");
        first = bits;
    }
    if (operand->kind == OPERAND_VECTOR)
        return true;
    if (!matrix_described(first.low, &extent, &layout))
        return run_give_up(machine, product->instruction,
                           "matrices with a base offset are not run");
    return matrix_read(product, &layout);
}

// --- Products ----------------------------------------------------------------------------------

static void know_less(struct matrix_reader *product, enum knowledge knowledge) {
    if (knowledge != UNWRITTEN && knowledge > product->knowledge)
        product->knowledge = knowledge;
}

// Writes what is known of D in a thread: it depends on what the product has read, and on the
// thread's own registers.
static void write_product(struct matrix_reader *product, struct lane *lane) {
    const struct instruction *instruction = product->instruction;
    enum knowledge of_matrices = product->knowledge;
    for (unsigned k = 0; k < 2; k++)
        for (size_t i = 0; i < instruction->operands[k].element_count; i++)
            know_less(product, lane->registers[instruction->operands[k].elements[i].reg].knowledge);
    const struct operand *d = &instruction->operands[0];
    for (size_t i = 0; i < d->element_count; i++)
        stepper_write(lane->thread, lane->registers, &d->elements[i],
                      (struct step_value){{0, 0}, product->knowledge}, 32, false);
    product->knowledge = of_matrices;
}

// Notes what has taken place before a product: its threads have come to it. Who waits for it knows
// that, though nothing of it is before the wait in causality order.
static void note_passed(struct machine *machine, struct warpgroup *group) {
    const struct clock *like = group->lanes[0]->at.heard;
    struct clock *passed = clock_new(like->actors, like->parts);
    for (unsigned i = 0; i < group->count; i++)
        moment_pass_on(&group->lanes[i]->at, passed);
    group->passed =
        arena_grow(machine->scratch, group->passed, group->started, sizeof *group->passed);
    group->passed[group->started++] = passed;
}

// Forgets what has taken place before products for which all threads have waited.
static void forget_passed(struct warpgroup *group) {
    uint32_t least = group->started;
    for (unsigned i = 0; i < group->count; i++)
        if (group->lanes[i]->products.waited < least)
            least = group->lanes[i]->products.waited;
    for (; group->waited < least; group->waited++) {
        clock_drop(group->passed[group->waited]);
        group->passed[group->waited] = NULL;
    }
}

static bool multiply(struct machine *machine, struct warpgroup *group) {
    struct lane *first = group->lanes[0];
    note_passed(machine, group);
    for (unsigned i = 0; i < group->count; i++) {
        group->lanes[i]->products.sequence.started = group->started;
        if (!uses_note_product(machine, group->lanes[i], first->blocked))
            return false;
    }
    find_start(group);
    struct matrix_reader product = {.machine = machine,
                                    .instruction = first->blocked,
                                    .lane = first,
                                    .block = first->block,
                                    .actor = group->actor,
                                    .base = stepper_described_base(machine->stepper, first->index),
                                    .moment = {.heard = group->start,
                                               .actor = group->actor,
                                               .time = group->started,
                                               .cta = first->at.cta},
                                    .time = group->started,
                                    .knowledge = UNKNOWN_CONTENTS};
    if (!read_matrix(&product, 0) || !read_matrix(&product, 1))
        return false;
    for (unsigned i = 0; i < group->count; i++) {
        write_product(&product, group->lanes[i]);
        run_on(group->lanes[i]);
    }
    return true;
}

void product_finish(const struct lane *lane, struct clock *clock) {
    if (lane->products.group != NULL)
        clock_note(clock, lane->products.group->actor, UINT32_MAX);
}

// --- What comes before and after ---------------------------------------------------------------

static void fence(struct lane *lane) {
    struct lane_products *products = &lane->products;
    clock_drop(products->fenced);
    products->fenced = moment_publish(&lane->at);
    products->fences++;
    clock_drop(products->group->start);
    products->group->start = NULL;
    lane->pc++;
}

static bool wait(struct machine *machine, struct lane *lane,
                 const struct instruction *instruction) {
    uint32_t time;
    if (!sequence_waited(machine, lane, instruction, &lane->products.sequence, &time))
        return false;
    if (time > lane->products.waited) {
        struct warpgroup *group = lane->products.group;
        moment_hear(&lane->at, group->passed[time - 1]);
        lane_hear(lane, group->actor, time);
        lane->products.waited = time;
        forget_passed(group);
    }
    lane->pc++;
    return true;
}

bool run_product(struct machine *machine, struct lane *lane,
                 const struct instruction *instruction) {
    bool is_wait = instruction->opcode == OP_WGMMA_WAIT;
    if (instruction->opcode != OP_WGMMA)
        aligned_note(lane, ALIGNED_WARPGROUP, instruction,
                     is_wait ? instruction->operands[0].immediate.low : 0);
    if (lane->products.group == NULL) { // a fence or a wait of a thread that has no products
        lane->pc++;
        return true;
    }
    switch (instruction->opcode) {
    case OP_WGMMA_FENCE: fence(lane); return true;
    case OP_WGMMA_COMMIT:
        sequence_commit(machine, &lane->products.sequence);
        lane->pc++;
        return true;
    case OP_WGMMA_WAIT: return wait(machine, lane, instruction);
    default:
        lane->state = LANE_AT_PRODUCT;
        lane->blocked = instruction;
        return is_complete(machine, lane) ? multiply(machine, lane->products.group)
                                          : !machine->is_over;
    }
}

// --- Beginning and end -------------------------------------------------------------------------

// The warpgroup of a thread: an earlier one of its block's, or a new one.
static struct warpgroup *group_of(struct machine *machine, const struct lane *lane) {
    enum { LANES_OF_WARPGROUP = 128 };
    for (size_t i = machine->warpgroups.count; lane->thread->launch != NULL && i > 0; i--) {
        struct warpgroup *group = &machine->warpgroups.items[i - 1];
        const struct lane *first = group->lanes[0];
        if (first->block == lane->block &&
            first->number / LANES_OF_WARPGROUP == lane->number / LANES_OF_WARPGROUP)
            return group;
    }
    struct warpgroup *group = &machine->warpgroups.items[machine->warpgroups.count++];
    group->lanes = ARENA_ARRAY(machine->scratch, struct lane *, LANES_OF_WARPGROUP);
    group->actor = machine->actors.products + (uint32_t)machine->warpgroups.count - 1;
    return group;
}

void products_start(struct machine *machine) {
    size_t count = machine->test->thread_count;
    machine->actors.products = (uint32_t)machine->actors.count;
    if (!machine->actors.has_products)
        return;
    machine->warpgroups.items = ARENA_ARRAY(machine->scratch, struct warpgroup, count);
    for (size_t i = 0; i < count; i++) {
        struct lane *lane = &machine->lanes[i];
        if (!uses_start(machine, lane))
            continue;
        struct warpgroup *group = group_of(machine, lane);
        lane->products.group = group;
        group->lanes[group->count++] = lane;
    }
    machine->actors.count += machine->warpgroups.count;
}

void products_free(struct machine *machine) {
    for (size_t i = 0; i < machine->test->thread_count; i++)
        clock_drop(machine->lanes[i].products.fenced);
    for (size_t i = 0; i < machine->warpgroups.count; i++) {
        struct warpgroup *group = &machine->warpgroups.items[i];
        clock_drop(group->start);
        for (uint32_t k = group->waited; k < group->started; k++)
            clock_drop(group->passed[k]);
    }
}
