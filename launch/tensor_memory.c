// Tensor memory of a block: the accesses to it that a later one has to come after, and what is
// allocated (PTX ISA 9.7.16.1, 9.7.16.7).
//
// An access is of a rectangle of lanes and columns. It is forgotten when a later one that comes
// after it takes its place, as in shadow.c. What the cells hold is not known.
#include "launch/races.h"
#include "launch/cluster.h"
#include "launch/tensor.h"

#include "litmus/columns.h"
#include "litmus/source/arena.h"

enum { COLUMNS = 512, CELL_BYTES = 4, VARIABLE_AT = 16 };

struct tensor_access {
    const struct instruction *instruction;
    const struct lane *lane;
    enum tensor_group group;
    enum tensor_kind kind;
    uint32_t number;
    uint32_t shape, accumulator; // of a product
    struct tensor_cells cells;
    bool writes;
};

// Columns that a warp has allocated, or a thread of a test that no launch makes.
struct tensor_allocation {
    const struct instruction *instruction;
    struct lane *lanes[LANES_OF_WARP];
    uint32_t times[LANES_OF_WARP]; // at which they have
    unsigned count;
    unsigned column, columns;
    bool is_gone; // it has been deallocated
};

struct tensor_memory {
    struct tensor_access *accesses;
    size_t access_count;
    struct tensor_allocation *allocations;
    size_t allocation_count;
    const struct lane *relinquished_by; // the permit to allocate; or NULL
};

static bool misuse(struct machine *machine, const struct lane *lane,
                   const struct instruction *instruction, const char *why) {
    return run_misuse(machine, lane, instruction, "tensor-misuse", why);
}

static struct tensor_memory *memory_of(struct machine *machine, struct block *block) {
    if (block->tensor == NULL)
        block->tensor = ARENA_NEW(machine->scratch, struct tensor_memory);
    return block->tensor;
}

// --- Addresses -----------------------------------------------------------------------------------

// The address as instructions have it: in a test that no launch makes, the column among those of
// all blocks.
static bool find_raw(struct machine *machine, struct lane *lane,
                     const struct instruction *instruction, const struct operand *operand,
                     uint32_t *address) {
    struct bits128 bits;
    struct operand scaled = *operand;
    scaled.offset *= CELL_BYTES;
    struct step_value word =
        operand->variable >= 0
            ? stepper_address(machine->stepper, lane->index, lane->registers, &scaled, SPACE_TENSOR)
            : lane->registers[operand->reg];
    if (!run_known(machine, instruction, word, "an address of tensor memory", &bits))
        return false;
    *address = operand->variable >= 0
                   ? (uint32_t)((bits.low - program_window(SPACE_TENSOR)) / CELL_BYTES)
                   : (uint32_t)bits.low + (uint32_t)operand->offset;
    return true;
}

// What is the same for the memory of each block: of a test that no launch makes, the number of the
// variable and the column in it.
static bool normalise(struct machine *machine, const struct lane *lane,
                      const struct instruction *instruction, uint32_t *address) {
    unsigned object;
    uint64_t offset, at = program_window(SPACE_TENSOR) + (uint64_t)*address * CELL_BYTES;
    if (lane->thread->launch != NULL)
        return true;
    if (!shadow_find(machine->shadow, at, CELL_BYTES, &object, &offset))
        return run_give_up(machine, instruction, "an access is outside of every variable");
    *address = stepper_memory(machine->stepper)->objects[object].variable << VARIABLE_AT |
               (uint32_t)(offset / CELL_BYTES);
    return true;
}

bool tensor_address(struct machine *machine, struct lane *lane,
                    const struct instruction *instruction, const struct operand *operand,
                    uint32_t *address) {
    return find_raw(machine, lane, instruction, operand, address) &&
           normalise(machine, lane, instruction, address);
}

// --- Accesses ------------------------------------------------------------------------------------

static bool overlap(const struct tensor_cells *a, const struct tensor_cells *b) {
    return a->lane < b->lane + b->lanes && b->lane < a->lane + a->lanes &&
           a->column < b->column + b->columns && b->column < a->column + a->columns;
}

static bool covers(const struct tensor_cells *a, const struct tensor_cells *b) {
    return a->lane <= b->lane && b->lane + b->lanes <= a->lane + a->lanes &&
           a->column <= b->column && b->column + b->columns <= a->column + a->columns;
}

// Two lanes of a warp that execute one instruction together do not meet: of other shapes than
// .32x32b, and of what a thread of a warp accesses, only what all of them access is known.
static bool are_one(const struct tensor_access *a, const struct tensor_operation *b) {
    return a->instruction == b->instruction && a->number == b->number &&
           a->lane->block == b->lane->block && a->lane != b->lane &&
           a->lane->number / LANES_OF_WARP == b->lane->number / LANES_OF_WARP &&
           b->group != TENSOR_COMMITTED;
}

static bool is_ordered(const struct tensor_access *a, const struct tensor_operation *b) {
    bool are_of_accumulator = a->lane == b->lane && a->kind == TENSOR_IS_PRODUCT &&
                              b->kind == TENSOR_IS_PRODUCT && a->shape == b->shape &&
                              a->instruction->tensor.kind == b->instruction->tensor.kind &&
                              a->accumulator == b->accumulator;
    return are_of_accumulator ||
           (a->lane == b->lane && a->group == b->group &&
            a->number == b->number) || // parts of one operation
           tensor_is_before(b, a->lane, a->group, a->kind, a->number);
}

// Whether two operations may form a pipeline that one thread begins, and another one goes on with.
static bool may_be_pipelined(const struct tensor_access *a, const struct tensor_operation *b) {
    return a->group == TENSOR_COMMITTED && a->lane != b->lane;
}

// The variable of a test in which cells are; those of a launch have no name.
static unsigned name_place(const struct machine *machine, struct shadow_access *touch,
                           const struct tensor_cells *cells) {
    touch->offset = cells->lane << VARIABLE_AT | cells->column;
    touch->size = cells->columns * CELL_BYTES;
    if (machine->lanes[touch->thread].thread->launch != NULL)
        return LAUNCH_TENSOR_MEMORY;
    touch->offset = (cells->column & UINT16_MAX) * CELL_BYTES;
    return cells->column >> VARIABLE_AT;
}

static struct shadow_access touch_of(const struct machine *machine, const struct lane *lane,
                                     const struct instruction *instruction, bool writes) {
    return (struct shadow_access){.instruction = instruction,
                                  .thread = lane->index,
                                  .actor = machine->actors.tensor + (uint32_t)lane->index,
                                  .writes = writes,
                                  .proxy = PROXY_ASYNC};
}

static bool note_race(struct machine *machine, const struct tensor_access *a,
                      const struct tensor_operation *b, const struct tensor_access *by) {
    struct shadow_access earlier = touch_of(machine, a->lane, a->instruction, a->writes);
    struct shadow_access later = touch_of(machine, b->lane, b->instruction, by->writes);
    if (a->cells.are_rough || by->cells.are_rough)
        return run_give_up(machine, b->instruction,
                           "whether it accesses the same cells of tensor memory as another "
                           "operation, which nothing orders before it, is not known");
    if (machine->order.has_observed)
        return run_give_up(machine, b->instruction,
                           "strong accesses may order what it does in tensor memory");
    if (may_be_pipelined(a, b) && machine->order.has_tensors_open)
        return run_give_up(machine, b->instruction,
                           "it may form a pipeline with an operation of another thread");
    name_place(machine, &earlier, &a->cells);
    unsigned variable = name_place(machine, &later, &by->cells);
    races_note(machine->arena, &machine->races, &machine->result, &earlier, &later, variable);
    return true;
}

static bool meet(struct machine *machine, struct tensor_memory *memory,
                 const struct tensor_operation *operation, const struct tensor_access *by) {
    size_t kept = 0;
    for (size_t i = 0; i < memory->access_count; i++) {
        const struct tensor_access old = memory->accesses[i];
        bool is_before = is_ordered(&old, operation);
        bool conflicts = (old.writes || by->writes) && overlap(&old.cells, &by->cells);
        if (conflicts && !is_before && !are_one(&old, operation) &&
            !note_race(machine, &old, operation, by))
            return false;
        if (!(is_before && (by->writes || !old.writes) && covers(&by->cells, &old.cells)))
            memory->accesses[kept++] = old;
    }
    memory->access_count = kept;
    return true;
}

// --- Allocations ---------------------------------------------------------------------------------

// Whether a thread has executed an allocation, or knows that it is over.
static bool is_after(const struct lane *lane, const struct tensor_allocation *allocation) {
    for (unsigned i = 0; i < allocation->count; i++)
        if (allocation->lanes[i] == lane ||
            moment_heard(&lane->at, allocation->lanes[i]->at.actor, allocation->times[i]))
            return true;
    return false;
}

// Whether a test allocates its tensor memory, as each launch does.
static bool is_allocated(const struct machine *machine) {
    return machine->test->threads[0].launch != NULL || columns_are_allocated(machine->test);
}

// "The operand taddr must point to a previous Tensor Memory allocation" (9.7.16.8.1).
static bool check_allocated(const struct tensor_operation *operation,
                            const struct tensor_memory *memory, const struct tensor_cells *cells) {
    struct machine *machine = operation->machine;
    if (!is_allocated(machine))
        return true;
    for (size_t i = 0; i < memory->allocation_count; i++) {
        const struct tensor_allocation *allocation = &memory->allocations[i];
        if (allocation->is_gone || cells->column < allocation->column ||
            cells->column + cells->columns > allocation->column + allocation->columns)
            continue;
        return is_after(operation->lane, allocation) ||
               misuse(machine, operation->lane, operation->instruction,
                      "it accesses tensor memory, and nothing orders it after the allocation");
    }
    if (cells->are_rough)
        return run_give_up(machine, operation->instruction,
                           "whether all of the tensor memory that it accesses is allocated is not "
                           "known");
    return misuse(machine, operation->lane, operation->instruction,
                  "it accesses tensor memory that is not allocated");
}

bool tensor_touch(const struct tensor_operation *operation, struct block *block,
                  const struct tensor_cells *cells, bool writes) {
    struct machine *machine = operation->machine;
    struct tensor_memory *memory = memory_of(machine, block);
    const struct tensor_access access = {.instruction = operation->instruction,
                                         .lane = operation->lane,
                                         .group = operation->group,
                                         .kind = operation->kind,
                                         .number = operation->number,
                                         .shape = operation->shape,
                                         .accumulator = operation->accumulator,
                                         .cells = *cells,
                                         .writes = writes};
    if (!check_allocated(operation, memory, cells) || !meet(machine, memory, operation, &access))
        return false;
    memory->accesses = arena_grow(machine->scratch, memory->accesses, memory->access_count,
                                  sizeof *memory->accesses);
    memory->accesses[memory->access_count++] = access;
    return true;
}

// Reads how many columns are to be allocated or deallocated.
static bool read_count(struct machine *machine, struct lane *lane,
                       const struct instruction *instruction, unsigned *count) {
    return run_number(machine, lane, instruction, &instruction->operands[1],
                      "the number of columns of tensor memory", count) &&
           (columns_fit(*count) ||
            misuse(machine, lane, instruction,
                   "tensor memory is allocated in powers of 2 from 32 to 512 columns"));
}

static bool is_free(const struct tensor_memory *memory, unsigned column, unsigned columns) {
    for (size_t i = 0; i < memory->allocation_count; i++) {
        const struct tensor_allocation *a = &memory->allocations[i];
        if (!a->is_gone && column < a->column + a->columns && a->column < column + columns)
            return false;
    }
    return true;
}

// The first columns that are free; in a test that no launch makes, those of the variable that an
// allocation gives. `*address`: as instructions have it. Returns false after giving up.
static bool find_columns(struct machine *machine, struct lane *lane,
                         const struct instruction *instruction, struct tensor_allocation *made,
                         uint32_t *address) {
    const struct tensor_memory *memory = lane->block->tensor;
    if (lane->thread->launch == NULL) {
        const struct operand variable = operand_memory(
            columns_variable(machine->test, lane->index, instruction), instruction->span);
        if (variable.variable < 0 || !find_raw(machine, lane, instruction, &variable, address))
            return run_give_up(machine, instruction, "nothing is declared that it allocates");
        made->column = *address;
        return normalise(machine, lane, instruction, &made->column);
    }
    made->column = 0;
    while (made->column + made->columns <= COLUMNS && !is_free(memory, made->column, made->columns))
        made->column += made->columns;
    *address = made->column;
    return made->column + made->columns <= COLUMNS ||
           run_give_up(machine, instruction,
                       "allocations that wait until others are deallocated are not run");
}

// "The number of columns allocated should not increase between any two allocations" (9.7.16.7.1),
// and none may come after the permit has been relinquished.
static bool check_allocation(struct machine *machine, const struct lane *lane,
                             const struct instruction *instruction, unsigned count) {
    const struct tensor_memory *memory = lane->block->tensor;
    if (memory->relinquished_by != NULL)
        return misuse(machine, lane, instruction,
                      "it allocates tensor memory, and a thread has relinquished the permit to do "
                      "so");
    if (memory->allocation_count > 0 &&
        memory->allocations[memory->allocation_count - 1].columns < count)
        return run_give_up(machine, instruction,
                           "allocations of more columns than the one before are not run");
    return true;
}

// Writes the address to shared memory: "a weak memory operation".
static bool write_address(struct machine *machine, struct lane *lane,
                          const struct instruction *instruction, unsigned column) {
    unsigned object;
    uint64_t offset;
    struct step_value word = {{column, 0}, KNOWN};
    if (!run_find_place(machine, lane, instruction, &instruction->operands[0], instruction->space,
                        CELL_BYTES, CELL_BYTES, &object, &offset))
        return false;
    const struct shadow_access touch = lane_touch(lane, instruction, offset, CELL_BYTES, true);
    shadow_touch(machine->shadow, object, &touch, &lane->at);
    shadow_write(machine->shadow, object, offset, CELL_BYTES, word);
    order_overwrite(machine, &touch, object, word);
    return !machine->is_over;
}

// The lanes that execute an instruction together: those of a warp of a launch.
static unsigned together(struct lane *lane, struct lane **lanes) {
    unsigned count = 0, first = lane->number - lane->number % LANES_OF_WARP;
    lanes[0] = lane;
    if (lane->thread->launch == NULL)
        return 1;
    for (unsigned i = first; i < lane->block->count && i < first + LANES_OF_WARP; i++)
        lanes[count++] = lane->block->lanes[i];
    return count;
}

// Forgets accesses to what has been deallocated: they were complete then.
static void forget_accesses(struct tensor_memory *memory,
                            const struct tensor_allocation *allocation) {
    const struct tensor_cells all = {
        .lanes = UINT16_MAX, .column = allocation->column, .columns = allocation->columns};
    size_t kept = 0;
    for (size_t i = 0; i < memory->access_count; i++)
        if (!overlap(&memory->accesses[i].cells, &all))
            memory->accesses[kept++] = memory->accesses[i];
    memory->access_count = kept;
}

// Reads of what all threads of a warp have to give the same: an address of tensor memory, and how
// many columns there are. Returns false after giving up.
static bool read_shared(struct machine *machine, struct lane *lane,
                        const struct instruction *instruction, uint32_t *address,
                        unsigned *columns) {
    bool frees = opcode_has(instruction->opcode, TRAIT_FREES);
    bool counts = frees || opcode_has(instruction->opcode, TRAIT_ALLOCATES);
    const struct operand *at = &instruction->operands[instruction_defines(instruction) ? 1 : 0];
    if ((frees || instruction_is_tensor(instruction)) &&
        !find_raw(machine, lane, instruction, at, address))
        return false;
    return !counts || read_count(machine, lane, instruction, columns);
}

bool tensor_lanes_agree(struct machine *machine, struct lane **lanes, unsigned count) {
    const struct instruction *instruction = lanes[0]->blocked;
    uint32_t address = 0, own = 0;
    unsigned columns = 0, own_columns = 0;
    if (!read_shared(machine, lanes[0], instruction, &address, &columns))
        return false;
    for (unsigned i = 1; i < count; i++) {
        if (!read_shared(machine, lanes[i], instruction, &own, &own_columns))
            return false;
        if (own != address || own_columns != columns)
            return misuse(machine, lanes[i], instruction,
                          "threads of its warp give another address or number of columns");
    }
    return true;
}

static bool allocate_columns(struct machine *machine, struct lane *lane,
                             const struct instruction *instruction) {
    struct tensor_memory *memory = memory_of(machine, lane->block);
    struct tensor_allocation made = {.instruction = instruction};
    uint32_t address = 0;
    if (!read_count(machine, lane, instruction, &made.columns) ||
        !check_allocation(machine, lane, instruction, made.columns) ||
        !find_columns(machine, lane, instruction, &made, &address) ||
        !write_address(machine, lane, instruction, address))
        return false;
    forget_accesses(memory, &made);
    made.count = together(lane, made.lanes);
    for (unsigned i = 0; i < made.count; i++)
        made.times[i] = made.lanes[i]->at.time;
    memory->allocations = arena_grow(machine->scratch, memory->allocations,
                                     memory->allocation_count, sizeof *memory->allocations);
    memory->allocations[memory->allocation_count++] = made;
    return true;
}

// All accesses to what is deallocated have to be complete then, in the block, and in its peer where
// the allocation is of a pair.
static bool check_complete(struct machine *machine, const struct lane *lane,
                           const struct tensor_allocation *allocation, const struct block *block) {
    const struct tensor_memory *memory = block->tensor;
    const struct tensor_cells all = {
        .lanes = UINT16_MAX, .column = allocation->column, .columns = allocation->columns};
    for (size_t i = 0; memory != NULL && i < memory->access_count; i++) {
        const struct tensor_access *access = &memory->accesses[i];
        if (overlap(&access->cells, &all) &&
            !tensor_is_done(lane, access->lane, access->group, access->number))
            return misuse(machine, lane, lane->blocked,
                          "it deallocates tensor memory, and an access to that may not be "
                          "complete");
    }
    return true;
}

static bool deallocate(struct machine *machine, struct lane *lane,
                       const struct instruction *instruction) {
    struct tensor_memory *memory = memory_of(machine, lane->block);
    struct operand address = instruction->operands[0];
    unsigned count;
    uint32_t column;
    if (!read_count(machine, lane, instruction, &count) ||
        !tensor_address(machine, lane, instruction, &address, &column))
        return false;
    for (size_t i = 0; i < memory->allocation_count; i++) {
        struct tensor_allocation *allocation = &memory->allocations[i];
        if (allocation->is_gone || allocation->column != column || allocation->columns != count)
            continue;
        allocation->is_gone = true;
        if (!is_after(lane, allocation))
            return misuse(machine, lane, instruction,
                          "it deallocates tensor memory, and nothing orders it after the "
                          "allocation");
        return check_complete(machine, lane, allocation, lane->block) &&
               (!instruction->of_pair ||
                check_complete(machine, lane, allocation, block_peer(machine, lane)));
    }
    return misuse(machine, lane, instruction,
                  "it deallocates tensor memory that no allocation has given, or that is "
                  "deallocated already");
}

static bool relinquish(struct machine *machine, struct lane *lane,
                       const struct instruction *instruction) {
    struct tensor_memory *memory = memory_of(machine, lane->block);
    memory->relinquished_by = lane;
    for (size_t i = 0; i < memory->allocation_count; i++)
        if (!is_after(lane, &memory->allocations[i]))
            return misuse(machine, lane, instruction,
                          "it relinquishes the permit to allocate tensor memory, and nothing "
                          "orders it after an allocation");
    return true;
}

bool tensor_run_allocation(struct machine *machine, struct lane *lane,
                           const struct instruction *instruction) {
    if (opcode_has(instruction->opcode, TRAIT_ALLOCATES))
        return allocate_columns(machine, lane, instruction);
    return opcode_has(instruction->opcode, TRAIT_FREES) ? deallocate(machine, lane, instruction)
                                                        : relinquish(machine, lane, instruction);
}

bool tensor_is_returned(struct machine *machine) {
    for (size_t b = 0; b < machine->block_count; b++) {
        const struct tensor_memory *memory = machine->blocks[b].tensor;
        for (size_t i = 0; memory != NULL && i < memory->allocation_count; i++)
            if (!memory->allocations[i].is_gone)
                return misuse(machine, memory->allocations[i].lanes[0],
                              memory->allocations[i].instruction,
                              "the tensor memory that it allocates is not deallocated before the "
                              "kernel ends");
    }
    return true;
}
