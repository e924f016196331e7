// Operations of tensor cores of the fifth generation: tcgen05 (PTX ISA 9.7.16).
//
// Each operation is one of the thread that starts it, in a block of one lane of tensor memory for
// each thread of a warpgroup's: an actor beside the thread reads shared memory in the async proxy,
// and is waited for by commits alone. What is `.sync.aligned` is executed by the lanes of a warp
// together. In a test that no launch makes there is one lane of tensor memory, and of each matrix
// the first element (memory-model section 19).
#include "launch/tensor.h"
#include "launch/cluster.h"
#include "launch/matrix_read.h"
#include "launch/mbarrier.h"

#include "litmus/product.h"
#include "litmus/source/arena.h"

enum { MATRIX_LANES = 128, OPERAND_BYTES = 32, OPERAND_COLUMNS = 8 };

static bool is_launched(const struct lane *lane) {
    return lane->thread->launch != NULL;
}

// --- Lanes of a warp together --------------------------------------------------------------------

bool tensor_is_awaited(const struct lane *lane) {
    return lane->state == LANE_AT_TENSOR;
}

// Whether all lanes of a warp execute an instruction together (.sync.aligned).
static bool is_of_warp(const struct instruction *instruction) {
    switch (instruction->opcode) {
    case OP_TENSOR_LD:
    case OP_TENSOR_ST:
    case OP_TENSOR_WAIT_LD:
    case OP_TENSOR_WAIT_ST:
    case OP_TENSOR_ALLOC:
    case OP_TENSOR_DEALLOC:
    case OP_TENSOR_RELINQUISH: return true;
    default: return false;
    }
}

// The lanes that execute the instruction at which a thread is together with it, in `lanes`: those
// of its warp, or itself alone. Returns 0 where not all are there.
static unsigned find_together(struct lane *lane, struct lane **lanes) {
    const struct block *block = lane->block;
    unsigned first = lane->number - lane->number % LANES_OF_WARP, count = 0;
    lanes[0] = lane;
    if (!is_of_warp(lane->blocked) || !is_launched(lane))
        return 1;
    for (unsigned i = first; i < block->count && i < first + LANES_OF_WARP; i++) {
        struct lane *other = block->lanes[i];
        if (other->state != LANE_AT_TENSOR || other->blocked != lane->blocked)
            return 0;
        lanes[count++] = other;
    }
    return count;
}

// --- Descriptors ---------------------------------------------------------------------------------

// A product, with its descriptor. Each block of a pair has half of the rows of A and D, and half of
// the columns of B.
struct tensor_product {
    struct tensor_operation operation;
    struct product_description said;
    unsigned rows, columns; // of A, and of B, in a block
};

static unsigned element_bits(enum matrix_kind kind) {
    switch (kind) {
    case MATRIX_KIND_TF32: return 32;
    case MATRIX_KIND_F16: return 16;
    case MATRIX_KIND_MXF4:
    case MATRIX_KIND_MXF4NVF4: return 4;
    default: return 8;
    }
}

// What a product reads of A (0) or B (1): 32 bytes along K.
static struct matrix_extent extent_of(const struct tensor_product *product, unsigned matrix) {
    unsigned bits = element_bits(product->operation.instruction->tensor.kind);
    bool is_transposed = product->said.transposes[matrix];
    return (struct matrix_extent){.rows = matrix == 0 ? product->rows : product->columns,
                                  .depth = is_transposed ? OPERAND_BYTES * 8 / bits : OPERAND_BYTES,
                                  .is_transposed = is_transposed,
                                  .element_bits = bits};
}

// What reads in one of the blocks: a proxy fence has to be executed there.
static struct matrix_reader reader_of(const struct tensor_operation *operation,
                                      struct block *block) {
    struct machine *machine = operation->machine;
    struct lane *lane = operation->lane;
    const struct lane *first = block->lanes[0];
    struct moment moment = lane->at;
    moment.cta = first->at.cta;
    return (struct matrix_reader){.machine = machine,
                                  .instruction = operation->instruction,
                                  .lane = lane,
                                  .block = block,
                                  .actor = machine->actors.tensor + (uint32_t)lane->index,
                                  .time = operation->number,
                                  .stays = true,
                                  .base = stepper_described_base(machine->stepper, first->index),
                                  .moment = moment};
}

// Reads a matrix that is in the shared memory of a block; of a test that no launch makes, so many
// bytes of it.
static bool read_matrix(const struct tensor_operation *operation, struct block *block,
                        const struct operand *operand, const struct matrix_extent *extent,
                        unsigned bytes_of_test) {
    enum { LEADING_MODE = 52, WIDE_ATOMS = 61 };
    struct machine *machine = operation->machine;
    struct lane *lane = operation->lane;
    struct matrix_layout layout;
    struct bits128 bits;
    struct step_value word =
        stepper_value(machine->stepper, lane->index, lane->registers, operand, 64, false);
    if (!run_known(machine, operation->instruction, word, "the descriptor of a matrix", &bits))
        return false;
    if (!matrix_described(bits.low, extent, &layout) ||
        (is_launched(lane) && (bits.low >> LEADING_MODE & 1 || bits.low >> WIDE_ATOMS & 1)))
        return run_give_up(machine, operation->instruction,
                           "matrices with a base offset, with an absolute leading dimension or "
                           "with swizzling of 32 bytes at a time are not run");
    struct matrix_reader reader = reader_of(operation, block);
    return is_launched(lane) ? matrix_read(&reader, &layout)
                             : matrix_read_first(&reader, &layout, bytes_of_test);
}

// --- Operations ----------------------------------------------------------------------------------

static struct tensor_operation operation_of(struct machine *machine, struct lane *lane,
                                            const struct instruction *instruction) {
    static const struct {
        enum tensor_group group;
        enum tensor_kind kind;
    } kinds[] = {{TENSOR_LOADS, TENSOR_IS_LOAD},
                 {TENSOR_STORES, TENSOR_IS_STORE},
                 {TENSOR_COMMITTED, TENSOR_IS_PRODUCT},
                 {TENSOR_COMMITTED, TENSOR_IS_COPY},
                 {TENSOR_COMMITTED, TENSOR_IS_SHIFT}};
    unsigned which = instruction->opcode == OP_TENSOR_LD    ? 0
                     : instruction->opcode == OP_TENSOR_ST  ? 1
                     : instruction->opcode == OP_TENSOR_MMA ? 2
                     : instruction->opcode == OP_TENSOR_CP  ? 3
                                                            : 4;
    return (struct tensor_operation){.machine = machine,
                                     .lane = lane,
                                     .instruction = instruction,
                                     .blocks = {lane->block},
                                     .block_count = 1,
                                     .group = kinds[which].group,
                                     .kind = kinds[which].kind};
}

// Whether a product may leave out lanes of D: which, an operand says.
static bool may_leave_out(const struct instruction *instruction) {
    return opcode_has(instruction->opcode, TRAIT_PRODUCT) && product_places(instruction).lanes != 0;
}

// Notes an access to cells of a block from an address on; of a test that no launch makes, to one
// lane, and of a matrix to one column.
static bool touch(const struct tensor_operation *operation, struct block *block, uint32_t address,
                  struct tensor_cells cells, bool writes) {
    enum { LANE_AT = 16 };
    struct machine *machine = operation->machine;
    const struct lane *lane = operation->lane;
    bool is_matrix = operation->group == TENSOR_COMMITTED;
    if (is_launched(lane)) {
        cells.lane += address >> LANE_AT;
        cells.column = address & UINT16_MAX;
    } else {
        cells.lane = 0;
        cells.lanes = 1;
        cells.column = address;
        cells.columns = is_matrix ? 1 : cells.columns;
        cells.are_rough = writes && may_leave_out(operation->instruction);
    }
    if (block != lane->block)
        block_visit(machine, block, machine->actors.tensor + (uint32_t)lane->index,
                    &(struct shared_visit){operation->number, lane, operation->instruction});
    return tensor_touch(operation, block, &cells, writes);
}

static bool touch_operand(const struct tensor_operation *operation, struct block *block,
                          const struct operand *operand, struct tensor_cells cells, bool writes) {
    uint32_t address;
    return tensor_address(operation->machine, operation->lane, operation->instruction, operand,
                          &address) &&
           touch(operation, block, address, cells, writes);
}

// Warp N of a warpgroup accesses lanes 32 * N to 32 * N + 31 (PTX ISA 9.7.16.8.1).
static bool check_lanes(const struct tensor_operation *operation, uint32_t address) {
    enum { LANE_AT = 16, WARPS = 4 };
    const struct lane *lane = operation->lane;
    return !is_launched(lane) ||
           (address >> LANE_AT) / LANES_OF_WARP == lane->number / LANES_OF_WARP % WARPS ||
           run_misuse(operation->machine, lane, operation->instruction, "tensor-misuse",
                      "it accesses lanes of tensor memory that another warp of the warpgroup may "
                      "access, and its own may not");
}

// A load or store. Of .32x32b each thread accesses a lane; of other shapes it is open which thread
// has which of the 16 lanes, and .16x32bx2 is of columns at two places.
static bool transfer(struct tensor_operation *operation) {
    const struct instruction *instruction = operation->instruction;
    bool loads = instruction->opcode == OP_TENSOR_LD;
    const struct operand *address = &instruction->operands[loads ? 1 : 0];
    unsigned lanes = instruction->tensor.lanes;
    bool is_own = lanes == LANES_OF_WARP;
    bool is_split = instruction->operand_count > 2;
    struct tensor_cells cells = {.lane = is_own ? operation->lane->number % LANES_OF_WARP : 0,
                                 .lanes = is_own     ? 1
                                          : is_split ? LANES_OF_WARP
                                                     : lanes,
                                 .columns = instruction->matrix.columns,
                                 .are_rough = is_split};
    struct operand second = *address;
    uint32_t first;
    tensor_start(operation);
    if (!tensor_address(operation->machine, operation->lane, instruction, address, &first) ||
        !check_lanes(operation, first) ||
        !touch(operation, operation->lane->block, first, cells, !loads))
        return false;
    second.offset += (int64_t)instruction->operands[loads ? 2 : 1].immediate.low;
    if (is_split && !touch_operand(operation, operation->lane->block, &second, cells, !loads))
        return false;
    const struct operand *target = &instruction->operands[0];
    for (size_t i = 0; loads && i < target->element_count; i++)
        stepper_write(operation->lane->thread, operation->lane->registers, &target->elements[i],
                      (struct step_value){{0, 0}, UNKNOWN_CONTENTS}, 32, false);
    return true;
}

// tcgen05.cp [t], s: rows of shared memory, in one part of the lanes, or again in each.
static bool copy(struct tensor_operation *operation) {
    enum { CELL_BYTES = 4, FEW_LANES = 4 };
    const struct instruction *instruction = operation->instruction;
    unsigned rows = instruction->tensor.lanes, columns = instruction->matrix.columns;
    struct matrix_extent extent = {.rows = rows, .depth = columns * CELL_BYTES, .element_bits = 8};
    struct tensor_cells cells = {.lanes = rows == FEW_LANES ? rows : MATRIX_LANES,
                                 .columns = columns};
    if (is_launched(operation->lane) && instruction->tensor.is_open)
        return run_give_up(operation->machine, instruction,
                           "copies to tensor memory that decompress are not run");
    tensor_start(operation);
    bool is_fine = true;
    for (unsigned i = 0; i < operation->block_count && is_fine; i++)
        is_fine =
            read_matrix(operation, operation->blocks[i], &instruction->operands[1], &extent,
                        CELL_BYTES) &&
            touch_operand(operation, operation->blocks[i], &instruction->operands[0], cells, true);
    return is_fine;
}

// tcgen05.shift: 32 bytes of each row go to the one before.
static bool shift(struct tensor_operation *operation) {
    struct tensor_cells cells = {
        .lanes = MATRIX_LANES, .columns = OPERAND_COLUMNS, .are_rough = true};
    bool is_fine = true;
    tensor_start(operation);
    for (unsigned i = 0; i < operation->block_count && is_fine; i++)
        is_fine = touch_operand(operation, operation->blocks[i],
                                &operation->instruction->operands[0], cells, true);
    return is_fine;
}

// --- Products ------------------------------------------------------------------------------------

static bool read_description(struct tensor_product *product) {
    struct tensor_operation *operation = &product->operation;
    uint32_t descriptor;
    const struct instruction *instruction = operation->instruction;
    unsigned place = product_places(instruction).description;
    if (instruction->matrix.sparse || instruction->tensor.shifts_a)
        return run_give_up(operation->machine, instruction,
                           "products of sparse or shifted matrices are not run");
    if (!run_number(operation->machine, operation->lane, instruction, &instruction->operands[place],
                    "the description of a product", &descriptor))
        return false;
    product->said = product_described(instruction, descriptor);
    product->rows = product->said.rows / operation->block_count;
    product->columns = product->said.columns / operation->block_count;
    operation->shape = product_shape(instruction, descriptor);
    if (product->said.is_longer && is_launched(operation->lane))
        return run_give_up(operation->machine, instruction,
                           "products of which K is 96 are not run");
    return (product->said.rows > 0 && product->said.columns > 0) ||
           run_give_up(operation->machine, instruction,
                       "the description of a product says that it has no rows or no columns");
}

// D has 128 lanes and a column for each of its own; those with fewer rows are in figures of the ISA
// alone, as is D with rows that are left out.
static struct tensor_cells cells_of_d(const struct tensor_product *product) {
    const struct instruction *instruction = product->operation.instruction;
    bool is_whole = product->rows == MATRIX_LANES && !instruction->tensor.keeps_b &&
                    !may_leave_out(instruction);
    return (struct tensor_cells){
        .lanes = MATRIX_LANES, .columns = product->said.columns, .are_rough = !is_whole};
}

static bool read_a(struct tensor_product *product, struct block *block) {
    const struct operand *a = &product->operation.instruction->operands[1];
    const struct matrix_extent extent = extent_of(product, 0);
    struct tensor_cells cells = {.lanes = MATRIX_LANES,
                                 .columns = OPERAND_COLUMNS,
                                 .are_rough = product->rows != MATRIX_LANES};
    return a->kind == OPERAND_MEMORY
               ? touch_operand(&product->operation, block, a, cells, false)
               : read_matrix(&product->operation, block, a, &extent, extent.element_bits / 8);
}

// The scales of A and of B: a byte for each row or column and each of up to four parts of K, in
// columns that only figures of the ISA show.
static bool read_scales(struct tensor_product *product, struct block *block) {
    enum { LINES_OF_COLUMN = 128, PARTS = 4 };
    const struct tensor_operation *operation = &product->operation;
    unsigned place = product_places(operation->instruction).scales;
    const unsigned lines[] = {product->rows, product->said.columns};
    bool is_fine = true;
    for (unsigned i = 0; place != 0 && i < 2 && is_fine; i++) {
        struct tensor_cells cells = {.lanes = MATRIX_LANES,
                                     .columns =
                                         (lines[i] + LINES_OF_COLUMN - 1) / LINES_OF_COLUMN * PARTS,
                                     .are_rough = true};
        is_fine = touch_operand(operation, block, &operation->instruction->operands[place + i],
                                cells, false);
    }
    return is_fine;
}

// tcgen05.mma [d], a, b, description, added: D is written for all lanes, and read where it is
// added.
static bool multiply(struct tensor_product *product) {
    struct tensor_operation *operation = &product->operation;
    const struct instruction *instruction = operation->instruction;
    if (!read_description(product) ||
        !tensor_address(operation->machine, operation->lane, instruction, &instruction->operands[0],
                        &operation->accumulator))
        return false;
    tensor_start(operation);
    const struct matrix_extent b = extent_of(product, 1);
    bool is_fine = true;
    for (unsigned i = 0; i < operation->block_count && is_fine; i++)
        is_fine = read_a(product, operation->blocks[i]) &&
                  read_scales(product, operation->blocks[i]) &&
                  read_matrix(operation, operation->blocks[i], &instruction->operands[2], &b,
                              b.element_bits / 8) &&
                  touch(operation, operation->blocks[i], operation->accumulator,
                        cells_of_d(product), true);
    return is_fine;
}

// --- Commits -------------------------------------------------------------------------------------

static bool arrive(struct machine *machine, struct lane *lane,
                   const struct instruction *instruction, struct mbarrier *m) {
    struct clock *clock = clock_new(lane->at.heard->actors, lane->at.heard->parts);
    clock_note(clock, machine->actors.tensor + (uint32_t)lane->index,
               lane->tensor->issued[TENSOR_COMMITTED]);
    moment_pass_on(&lane->at, clock);
    tensor_commit_to(lane, clock);
    const struct arrival arrival = {
        .clock = clock, .released = clock, .is_delivery = true, .count = 1};
    bool is_fine = mbarrier_arrive_at(machine, lane, instruction, m, &arrival);
    clock_drop(clock);
    return is_fine;
}

// tcgen05.commit [m]{, mask}: one arrival, or one in each block of a mask.
static bool commit(struct machine *machine, struct lane *lane,
                   const struct instruction *instruction) {
    enum { MASK_BITS = 16 };
    struct mbarrier *m = mbarrier_of(machine, lane, instruction, &instruction->operands[0]);
    uint32_t ranks;
    if (m == NULL)
        return false;
    if (instruction->tensor.reads_of_a)
        return run_give_up(machine, instruction, "commits of the reading of A alone are not run");
    if (!instruction_is_multicast(instruction))
        return arrive(machine, lane, instruction, m);
    if (!run_number(machine, lane, instruction, &instruction->operands[1],
                    "the mask of a multicast", &ranks))
        return false;
    for (unsigned rank = 0; rank < MASK_BITS; rank++) {
        const struct block *block = block_of_rank(machine, lane, rank);
        if ((ranks >> rank & 1) == 0)
            continue;
        if (block == NULL)
            return run_give_up(machine, instruction,
                               "a multicast is for a block that its cluster does not have");
        m = mbarrier_like(machine, lane, instruction, m, block);
        if (m == NULL || !arrive(machine, lane, instruction, m))
            return false;
    }
    return true;
}

// --- Instructions --------------------------------------------------------------------------------

static bool run_operation(struct machine *machine, struct lane *lane,
                          const struct instruction *instruction) {
    struct tensor_product product = {.operation = operation_of(machine, lane, instruction)};
    if (instruction->of_pair)
        product.operation.blocks[product.operation.block_count++] = block_peer(machine, lane);
    switch (instruction->opcode) {
    case OP_TENSOR_LD:
    case OP_TENSOR_ST: return transfer(&product.operation);
    case OP_TENSOR_CP: return copy(&product.operation);
    case OP_TENSOR_SHIFT: return shift(&product.operation);
    default: return multiply(&product);
    }
}

static bool run_once(struct machine *machine, struct lane *lane,
                     const struct instruction *instruction) {
    switch (instruction->opcode) {
    case OP_TENSOR_WAIT_LD: tensor_end_wait(lane, TENSOR_LOADS); return true;
    case OP_TENSOR_WAIT_ST: tensor_end_wait(lane, TENSOR_STORES); return true;
    case OP_TENSOR_BEFORE: tensor_hand_over(machine, lane); return true;
    case OP_TENSOR_AFTER: tensor_resume(lane); return true;
    case OP_TENSOR_COMMIT: return commit(machine, lane, instruction);
    case OP_TENSOR_ALLOC:
    case OP_TENSOR_DEALLOC:
    case OP_TENSOR_RELINQUISH: return tensor_run_allocation(machine, lane, instruction);
    default: return run_operation(machine, lane, instruction);
    }
}

// Allocations are the warp's; all else is each lane's own.
static bool run_by_warp(struct machine *machine, struct lane **lanes, unsigned count) {
    const struct instruction *instruction = lanes[0]->blocked;
    bool is_fine = count == 1 || tensor_lanes_agree(machine, lanes, count);
    bool is_of_each = !instruction_has_cta_group(instruction);
    for (unsigned i = 0; i < count && is_fine; i++) {
        if (is_of_each || i == 0)
            is_fine = run_once(machine, lanes[i], instruction);
        run_on(lanes[i]);
    }
    return is_fine && !machine->is_over;
}

// Whether a warp of each block of a pair has to come: "one warp from each of the peer CTAs must
// collectively perform the allocation and de-allocation" (PTX ISA 9.7.16.5.1).
static bool is_of_peers(const struct instruction *instruction) {
    return instruction->of_pair && opcode_has(instruction->opcode, TRAIT_ALLOCATES | TRAIT_FREES);
}

// A warp of the peer that is at such an instruction. Returns 0 where there is none.
static unsigned find_peers(const struct block *peer, enum opcode opcode, struct lane **lanes) {
    unsigned count = 0;
    for (unsigned i = 0; i < peer->count && count == 0; i++) {
        struct lane *lane = peer->lanes[i];
        if (lane->state == LANE_AT_TENSOR && lane->blocked->opcode == opcode)
            count = find_together(lane, lanes);
    }
    return count;
}

static bool run_together(struct machine *machine, struct lane *lane, const struct block *peer) {
    struct lane *lanes[LANES_OF_WARP], *others[LANES_OF_WARP];
    unsigned count = find_together(lane, lanes), other_count = 0;
    if (count == 0)
        return true;
    if (is_of_peers(lane->blocked)) {
        other_count = find_peers(peer, lane->blocked->opcode, others);
        if (other_count == 0)
            return true;
    }
    return run_by_warp(machine, lanes, count) &&
           (other_count == 0 || run_by_warp(machine, others, other_count));
}

bool run_tensor(struct machine *machine, struct lane *lane, const struct instruction *instruction) {
    const struct block *peer = instruction->of_pair ? block_peer(machine, lane) : NULL;
    if (instruction->of_pair && peer == NULL)
        return run_give_up(machine, instruction,
                           "its block has no peer in its cluster, as '.cta_group::2' wants");
    lane->state = LANE_AT_TENSOR;
    lane->blocked = instruction;
    return run_together(machine, lane, peer);
}

// --- Beginning and end ---------------------------------------------------------------------------

void tensors_start(struct machine *machine) {
    machine->actors.tensor = (uint32_t)machine->actors.count;
    if (!machine->actors.has_tensors)
        return;
    for (size_t i = 0; i < machine->test->thread_count; i++)
        machine->lanes[i].tensor = ARENA_NEW(machine->scratch, struct lane_tensor);
    machine->actors.count += machine->actors.threads;
}

void tensors_free(struct machine *machine) {
    for (size_t i = 0; machine->actors.has_tensors && i < machine->test->thread_count; i++) {
        clock_drop(machine->lanes[i].tensor->resumed);
        clock_drop(machine->lanes[i].tensor->resumed_then);
    }
}

void tensor_finish(const struct machine *machine, const struct lane *lane, struct clock *clock) {
    if (machine->actors.has_tensors)
        clock_note(clock, machine->actors.tensor + (uint32_t)lane->index, UINT32_MAX);
}
