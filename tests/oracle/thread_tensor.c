// Tensor cores of the fifth generation (PTX ISA 9.7.16), in the interpreter of one thread. "Each
// cell being 32-bits in size"; a test has one lane of them.
#include "tests/oracle/compute.h"
#include "tests/oracle/thread_internal.h"

enum { CELL = 4, CELLS_AT_ONCE = 128 };

static const enum state_space tensor = SPACE_TENSOR, shared = SPACE_SHARED;

// --- Accesses ------------------------------------------------------------------------------------

// An operand that is an address in bytes: "lane index" and "column index", of which the former is
// 0.
static bool cell_of(struct machine *machine, const struct operand *operand, struct operand *place,
                    uint64_t *sources) {
    *place = *operand;
    place->offset *= CELL;
    *sources = 0;
    if (operand->reg < 0)
        return true;
    struct operand reg = {.kind = OPERAND_REGISTER, .reg = operand->reg, .variable = -1};
    struct content column = machine_source(machine, &reg, 32);
    if (!value_is_known(column.value)) {
        machine_stop(machine, PATH_UNKNOWN);
        return false;
    }
    place->reg = -1;
    place->offset = (int64_t)(uint32_t)(column.value.bits + (uint64_t)operand->offset) * CELL;
    *sources = column.sources;
    return true;
}

// Adds an access to a cell. Returns its step, or -1.
static int touch(struct machine *machine, const struct instruction *at, unsigned issue,
                 enum action action, const struct operand *operand, unsigned column) {
    const struct shape shape = {TYPE_B32, 1, 1, CELL};
    struct operand place;
    uint64_t sources;
    if (!cell_of(machine, operand, &place, &sources))
        return -1;
    machine->part_space = &tensor;
    int step = machine_access(machine, at, action, &place, &shape, column);
    machine->part_space = NULL;
    if (step < 0)
        return -1;
    machine->path->steps[step].sources |= sources;
    machine->path->steps[step].element = (unsigned)step - issue;
    if (action == ACTION_READ && !machine_ask(machine, ASK_READ, &machine->path->steps[step].value))
        return -1;
    thread_give(machine, (unsigned)step, issue, action == ACTION_READ ? STAGE_READS : STAGE_WRITES,
                PROXY_ASYNC);
    return step;
}

static bool read_cell(struct machine *machine, const struct instruction *at, unsigned issue,
                      const struct operand *operand, unsigned column, struct content *content) {
    int step = touch(machine, at, issue, ACTION_READ, operand, column);
    if (step < 0)
        return false;
    *content = (struct content){machine->path->steps[step].value, bit((unsigned)step)};
    return true;
}

static bool write_cell(struct machine *machine, const struct instruction *at, unsigned issue,
                       const struct operand *operand, unsigned column, struct content content) {
    int step = touch(machine, at, issue, ACTION_WRITE, operand, column);
    if (step < 0)
        return false;
    machine->path->steps[step].value = content.value;
    machine->path->steps[step].sources |= content.sources;
    return true;
}

// "Matrix start address", in units of 16 bytes: `size` bytes from there on.
static bool read_matrix(struct machine *machine, const struct instruction *at, unsigned issue,
                        const struct operand *operand, unsigned size, struct content *content) {
    struct operand start = {.kind = OPERAND_MEMORY, .reg = -1, .variable = -1};
    uint64_t descriptor, from = machine_source(machine, operand, 64).sources;
    unsigned part = thread_part_size(machine, at, 8, 8);
    if (!machine_number(machine, operand, &descriptor))
        return false;
    if (at->opcode == OP_TENSOR_CP && part > size)
        part = size;
    start.offset = (int64_t)((descriptor & 0x3fff) * 16);
    *content = (struct content){value_known(0, 8 * size), 0};
    for (unsigned i = 0; i * part < size; i++) {
        const struct shape shape = {TYPE_B8, 1, 1, part};
        machine->part_space = &shared;
        int step = machine_access(machine, at, ACTION_READ, &start, &shape, i);
        machine->part_space = NULL;
        if (step < 0)
            return false;
        struct step *added = &machine->path->steps[step];
        added->sources |= from;
        added->element = (unsigned)step - issue;
        if (!machine_ask(machine, ASK_READ, &added->value))
            return false;
        thread_give(machine, (unsigned)step, issue, STAGE_READS, PROXY_ASYNC);
        if (i == 0 && machine->path->steps[step].spot.offset % 16) {
            machine_stop(machine, PATH_OUTSIDE);
            return false;
        }
        struct value piece = machine->path->steps[step].value;
        content->value.bits |= piece.bits << (8 * i * part);
        content->value.unknown |= piece.unknown << (8 * i * part);
        content->sources |= bit((unsigned)step);
    }
    content->value = value_slice(content->value, 0, 8 * size);
    return true;
}

// --- Pairs of CTAs -------------------------------------------------------------------------------

// "When a tcgen05 operation is performed at CTA pair granularity, the Tensor Memory of both the
// CTAs within the CTA pair are accessed."
static unsigned ctas_of(const struct instruction *at) {
    return at->of_pair ? 2 : 1;
}

// "Any 2 CTAs within the cluster whose %cluster_ctarank differs by the last bit only is said to
// form a CTA pair."
static void go_to(struct machine *machine, unsigned cta) {
    unsigned own = memory_rank_of_thread(machine->memory, machine->thread);
    machine->peer = cta == 0 ? 0 : 1 + (own ^ 1U);
}

// An element of a matrix of which each CTA has a part: the text does not say which.
static bool choose(struct machine *machine, const struct instruction *at,
                   const struct content *parts, struct content *content) {
    struct value second = value_known(0, 1);
    *content = parts[0];
    if (ctas_of(at) == 1)
        return true;
    if (!value_equal(parts[0].value, parts[1].value) && !machine_ask(machine, ASK_PART, &second))
        return false;
    content->value = parts[second.bits].value;
    content->sources = parts[0].sources | parts[1].sources;
    return true;
}

// --- Loads, stores, copies -----------------------------------------------------------------------

// Shape .16x32bx2 "performs two accesses into Tensor Memory": the operand of each.
static struct operand access_of(const struct instruction *at, unsigned part) {
    bool loads = at->opcode == OP_TENSOR_LD;
    struct operand place = at->operands[loads ? 1 : 0];
    if (part > 0)
        place.offset += (int64_t)at->operands[loads ? 2 : 1].immediate.low;
    return place;
}

// Which register has what is in figures: none of it is known.
static void load_any(struct machine *machine, const struct instruction *at, unsigned issue) {
    struct content content, all = {value_unknown(32), 0};
    for (unsigned part = 0; part + 1 < at->operand_count; part++)
        for (unsigned i = 0; i < at->matrix.columns; i++) {
            struct operand place = access_of(at, part);
            if (!read_cell(machine, at, issue, &place, i, &content))
                return;
            all.sources |= content.sources;
        }
    for (unsigned i = 0; i < at->operands[0].element_count; i++)
        machine_set(machine, &at->operands[0].elements[i], all, TRUE_NOW);
}

static void store_any(struct machine *machine, const struct instruction *at, unsigned issue,
                      const struct operand *from) {
    struct content all = {value_unknown(32), 0};
    for (unsigned i = 0; i < from->element_count; i++)
        all.sources |= machine_source(machine, &from->elements[i], 32).sources;
    for (unsigned part = 0; part + 1 < at->operand_count; part++)
        for (unsigned i = 0; i < at->matrix.columns; i++) {
            struct operand place = access_of(at, part);
            if (!write_cell(machine, at, issue, &place, i, all))
                return;
        }
}

static void load(struct machine *machine, const struct instruction *at, unsigned issue) {
    struct content contents[CELLS_AT_ONCE];
    unsigned count = (unsigned)at->operands[0].element_count;
    if (at->tensor.is_open) {
        load_any(machine, at, issue);
        return;
    }
    for (unsigned i = 0; i < count; i++)
        if (!read_cell(machine, at, issue, &at->operands[1], i, &contents[i]))
            return;
    for (unsigned i = 0; i < count; i++)
        machine_set(machine, &at->operands[0].elements[i], contents[i], TRUE_NOW);
}

static void store(struct machine *machine, const struct instruction *at, unsigned issue) {
    const struct operand *from = &at->operands[at->operand_count - 1];
    if (at->tensor.is_open) {
        store_any(machine, at, issue, from);
        return;
    }
    for (unsigned i = 0; i < from->element_count; i++)
        if (!write_cell(machine, at, issue, &at->operands[0], i,
                        machine_source(machine, &from->elements[i], 32)))
            return;
}

static void copy(struct machine *machine, const struct instruction *at, unsigned issue) {
    struct content content;
    for (unsigned cta = 0; cta < ctas_of(at); cta++) {
        go_to(machine, cta);
        if (!read_matrix(machine, at, issue, &at->operands[1], CELL, &content))
            return;
        if (at->tensor.is_open)
            content.value = value_unknown(32);
        if (!write_cell(machine, at, issue, &at->operands[0], 0, content))
            return;
    }
}

// "Shifting of 32-byte elements downwards across all the rows": what comes is of another lane.
static void shift(struct machine *machine, const struct instruction *at, unsigned issue) {
    struct content content;
    for (unsigned cta = 0; cta < ctas_of(at); cta++) {
        go_to(machine, cta);
        if (!read_cell(machine, at, issue, &at->operands[0], 0, &content))
            return;
        content.value = value_unknown(32);
        if (!write_cell(machine, at, issue, &at->operands[0], 0, content))
            return;
    }
}

// --- Products ------------------------------------------------------------------------------------

static int64_t element_of(struct value value, bool is_signed) {
    return is_signed ? (int8_t)value.bits : (int64_t)(uint8_t)value.bits;
}

// "D = A*B+D". The description has the types of A and B from bits 7 and 10 on, and in bit 3 whether
// the sum saturates.
static struct value add(const struct instruction *at, uint64_t description, struct value a,
                        struct value b, struct value d) {
    if (at->tensor.kind != MATRIX_KIND_I8 || at->matrix.sparse || at->tensor.shifts_a ||
        product_places(at).zeros || a.unknown || b.unknown || d.unknown)
        return value_unknown(32);
    int64_t sum = element_of(a, description >> 7 & 7) * element_of(b, description >> 10 & 7) +
                  (int32_t)d.bits;
    if (description >> 3 & 1)
        sum = sum < INT32_MIN ? INT32_MIN : sum > INT32_MAX ? INT32_MAX : sum;
    return value_known((uint32_t)sum, 32);
}

// "Sparse Meta Data" and "A-Scale / B-Scale" are in tensor memory.
static bool read_others(struct machine *machine, const struct instruction *at, unsigned issue,
                        struct content *b) {
    struct product_places places = product_places(at);
    struct content content;
    for (unsigned i = 0; i < 3; i++) {
        unsigned place = i == 0 ? places.metadata : places.scales ? places.scales + i - 1 : 0;
        if (place == 0)
            continue;
        if (!read_cell(machine, at, issue, &at->operands[place], 0, &content))
            return false;
        b->sources |= content.sources;
    }
    return true;
}

// "The TensorCore may be able to load the unchanged matrix once and reuse it [...]; however reuse
// is opportunistic".
static bool collect(struct machine *machine, const struct instruction *at, struct content *parts) {
    unsigned buffer = at->tensor.buffer;
    bool uses = at->tensor.collector == COLLECTOR_USE || at->tensor.collector == COLLECTOR_LASTUSE;
    if (uses && (!machine->filled[buffer] || machine->collected_kind[buffer] != at->tensor.kind)) {
        machine_stop(machine, PATH_OUTSIDE);
        return false;
    }
    for (unsigned cta = 0; uses && cta < ctas_of(at); cta++) {
        struct content both[2] = {parts[cta], machine->collected[buffer][cta]};
        struct value kept = value_known(0, 1);
        if (!value_equal(both[0].value, both[1].value) && !machine_ask(machine, ASK_PART, &kept))
            return false;
        parts[cta].value = both[kept.bits].value;
        parts[cta].sources |= both[1].sources;
    }
    for (unsigned cta = 0; at->tensor.collector == COLLECTOR_FILL && cta < ctas_of(at); cta++)
        machine->collected[buffer][cta] = parts[cta];
    machine->collected_kind[buffer] = at->tensor.kind;
    machine->filled[buffer] =
        at->tensor.collector == COLLECTOR_FILL || at->tensor.collector == COLLECTOR_USE;
    return true;
}

static bool read_factors(struct machine *machine, const struct instruction *at, unsigned issue,
                         unsigned size, struct content *a, struct content *b) {
    bool in_tensor = at->operands[1].kind == OPERAND_MEMORY;
    unsigned first = machine->path->count;
    if (in_tensor ? !read_cell(machine, at, issue, &at->operands[1], 0, a)
                  : !read_matrix(machine, at, issue, &at->operands[1], size, a))
        return false;
    for (unsigned i = first; !in_tensor && i < machine->path->count; i++)
        machine->path->steps[i].reads_a = true;
    a->value = value_slice(a->value, 0, 8 * size);
    return read_matrix(machine, at, issue, &at->operands[2], size, b) &&
           read_others(machine, at, issue, b);
}

// "If a bit in the mask is 1, then the corresponding lane in the Tensor Memory for the resultant
// matrix D will not be updated": the lane of a test is the first one.
static bool is_left_out(struct machine *machine, const struct instruction *at, bool *left_out,
                        uint64_t *sources) {
    unsigned place = product_places(at).lanes;
    struct content parts[2] = {{value_known(0, 1), 0}, {value_known(0, 1), 0}}, chosen;
    for (unsigned half = 0; place && half < ctas_of(at); half++) {
        parts[half] = machine_source(machine, &at->operands[place].elements[4 * half], 32);
        parts[half].value = value_slice(parts[half].value, 0, 1);
        if (!value_is_known(parts[half].value)) {
            machine_stop(machine, PATH_UNKNOWN);
            return false;
        }
    }
    if (!choose(machine, at, parts, &chosen))
        return false;
    *left_out = chosen.value.bits != 0;
    *sources |= chosen.sources;
    return true;
}

// Reads D where it is added, and writes it.
static bool add_to(struct machine *machine, const struct instruction *at, unsigned issue,
                   uint64_t description, struct content scale, const struct content *a_parts,
                   const struct content *b_parts) {
    struct content a, b, d = {value_known(0, 32), 0};
    if (!choose(machine, at, a_parts, &a) || !choose(machine, at, b_parts, &b) ||
        (scale.value.bits && !read_cell(machine, at, issue, &at->operands[0], 0, &d)))
        return false;
    struct content result = {add(at, description, a.value, b.value, d.value),
                             a.sources | b.sources | d.sources | scale.sources};
    bool left_out = false;
    if (!is_left_out(machine, at, &left_out, &result.sources))
        return false;
    return left_out || write_cell(machine, at, issue, &at->operands[0], 0, result);
}

static void multiply(struct machine *machine, const struct instruction *at, unsigned issue) {
    unsigned size = at->tensor.kind == MATRIX_KIND_TF32  ? 4
                    : at->tensor.kind == MATRIX_KIND_F16 ? 2
                                                         : 1;
    struct content a[2], b[2];
    struct product_places places = product_places(at);
    struct content scale = machine_source(machine, &at->operands[places.added], 1);
    uint64_t description;
    if (!machine_number(machine, &at->operands[places.description], &description))
        return;
    // Bits 0 to 2, which say nothing of shapes, are those of variants here.
    machine->path->steps[issue].shape =
        ((unsigned)description & (at->tensor.scaled ? 0x987e0000 : 0x1f7e0000)) |
        (at->matrix.sparse ? 1U : 0) | (at->tensor.keeps_b ? 2U : 0) | (at->tensor.scaled ? 4U : 0);
    for (unsigned cta = 0; cta < ctas_of(at); cta++) {
        go_to(machine, cta);
        if (!read_factors(machine, at, issue, size, &a[cta], &b[cta]))
            return;
    }
    if (!collect(machine, at, at->tensor.keeps_b ? b : a))
        return;
    if (!value_is_known(scale.value)) {
        machine_stop(machine, PATH_UNKNOWN);
        return;
    }
    for (unsigned cta = 0; cta < ctas_of(at); cta++) {
        go_to(machine, cta);
        if (!add_to(machine, at, issue, description, scale, a, b))
            return;
    }
}

// --- Completion ----------------------------------------------------------------------------------

// The parts of all prior operations of the thread that something tracks.
static uint64_t tracked(const struct machine *machine, bool (*tracks)(enum opcode)) {
    uint64_t parts = 0;
    for (unsigned i = 0; i < machine->path->count; i++)
        if (machine->path->steps[i].action == ACTION_ISSUE &&
            tracks(machine->path->steps[i].at->opcode))
            parts |= thread_parts_of(machine, i, false);
    return parts;
}

static bool is_load(enum opcode opcode) {
    return opcode == OP_TENSOR_LD;
}

static bool is_store(enum opcode opcode) {
    return opcode == OP_TENSOR_ST;
}

static bool is_committed(enum opcode opcode) {
    return opcode == OP_TENSOR_MMA || opcode == OP_TENSOR_CP || opcode == OP_TENSOR_SHIFT;
}

static void wait(struct machine *machine, const struct instruction *at) {
    uint64_t parts = tracked(machine, at->opcode == OP_TENSOR_WAIT_LD ? is_load : is_store);
    int step = machine_step(machine, at, ACTION_ASYNC_WAIT);
    if (step < 0)
        return;
    machine->path->steps[step].order = ORDER_NONE;
    machine->path->steps[step].completes = parts;
}

// ".sync_restrict::shared::read::mma::a": "completion of read of A matrix from shared memory for
// all prior tcgen05.mma operations".
static uint64_t reads_of_a(const struct machine *machine) {
    uint64_t parts = 0;
    for (unsigned i = 0; i < machine->path->count; i++)
        if (machine->path->steps[i].reads_a)
            parts |= bit(i);
    return parts;
}

// "An arrive-on operation, with the count argument of 1, is signaled on the mbarrier object."
static void commit(struct machine *machine, const struct instruction *at, unsigned issue) {
    uint64_t ranks = 0;
    uint64_t parts = at->tensor.reads_of_a ? reads_of_a(machine) : tracked(machine, is_committed);
    if (at->operand_count < 2) {
        thread_complete(machine, at, &at->operands[0], issue, 1, 0, parts);
        return;
    }
    if (!machine_number(machine, &at->operands[1], &ranks))
        return;
    for (unsigned rank = 0; rank < 32 && !machine->stopped; rank++) {
        machine->target = rank + 1;
        if (ranks >> rank & 1)
            thread_complete(machine, at, &at->operands[0], issue, 1, 0, parts);
    }
    machine->target = 0;
}

static void fence(struct machine *machine, const struct instruction *at) {
    int step = machine_step(machine, at, ACTION_TENSOR_FENCE);
    if (step >= 0)
        machine->path->steps[step].order = ORDER_NONE;
}

// --- Allocation ----------------------------------------------------------------------------------

// The variable that an allocation gives: "the first allocation in the text of a CTA's threads the
// first in .tmem, and so on".
static int given_by(const struct machine *machine, const struct instruction *at) {
    const struct test *test = machine->memory->test;
    unsigned before = 0;
    for (int t = 0; t <= machine->thread; t++) {
        const struct thread *thread = &test->threads[t];
        if (!test_same_cta(&thread->place, &test->threads[machine->thread].place))
            continue;
        for (size_t i = 0; i < thread->instruction_count && &thread->instructions[i] != at; i++)
            before += thread->instructions[i].opcode == OP_TENSOR_ALLOC;
    }
    for (size_t v = 0; v < test->variable_count; v++)
        if (test->variables[v].space == SPACE_TENSOR && before-- == 0)
            return (int)v;
    return -1;
}

// "Writes the address of the allocated Tensor Memory into shared memory at the location specified",
// a weak store.
static void allocate(struct machine *machine, const struct instruction *at) {
    const struct shape shape = {TYPE_B32, 1, 1, CELL};
    int variable = given_by(machine, at);
    int step = machine_step(machine, at, ACTION_TENSOR_FENCE);
    if (step < 0)
        return;
    machine->path->steps[step].order = ORDER_NONE;
    machine->path->steps[step].allocation =
        1 + memory_object_of(machine->memory, machine->thread, variable);
    uint64_t column = memory_address(machine->memory, machine->thread, variable) / CELL;
    step = machine_access(machine, at, ACTION_WRITE, &at->operands[0], &shape, 0);
    if (step < 0)
        return;
    machine->path->steps[step].value = value_known((uint32_t)column, 32);
    machine->path->steps[step].position++;
}

// "The operand taddr must point to a previous Tensor Memory allocation", of as many columns.
static void deallocate(struct machine *machine, const struct instruction *at) {
    const struct test *test = machine->memory->test;
    struct content content = machine_source(machine, &at->operands[0], 32);
    uint64_t column, count;
    if (!machine_number(machine, &at->operands[0], &column) ||
        !machine_number(machine, &at->operands[1], &count))
        return;
    int step = machine_step(machine, at, ACTION_TENSOR_FENCE);
    if (step < 0)
        return;
    machine->path->steps[step].order = ORDER_NONE;
    machine->path->steps[step].sources |= content.sources;
    for (size_t v = 0; v < test->variable_count; v++)
        if (test->variables[v].space == SPACE_TENSOR && test->variables[v].element_count == count &&
            memory_address(machine->memory, machine->thread, (int)v) / CELL == column)
            machine->path->steps[step].allocation =
                1 + memory_object_of(machine->memory, machine->thread, (int)v);
}

static void start(struct machine *machine, const struct instruction *at) {
    int issue = thread_issue(machine, at, -1);
    if (issue < 0)
        return;
    switch (at->opcode) {
    case OP_TENSOR_LD: load(machine, at, (unsigned)issue); break;
    case OP_TENSOR_ST: store(machine, at, (unsigned)issue); break;
    case OP_TENSOR_CP: copy(machine, at, (unsigned)issue); break;
    case OP_TENSOR_SHIFT: shift(machine, at, (unsigned)issue); break;
    case OP_TENSOR_MMA: multiply(machine, at, (unsigned)issue); break;
    default: commit(machine, at, (unsigned)issue); break;
    }
    machine->peer = 0;
}

bool thread_tensor(struct machine *machine, const struct instruction *at) {
    switch (at->opcode) {
    case OP_TENSOR_LD:
    case OP_TENSOR_ST:
    case OP_TENSOR_CP:
    case OP_TENSOR_SHIFT:
    case OP_TENSOR_MMA:
    case OP_TENSOR_COMMIT: start(machine, at); return true;
    case OP_TENSOR_WAIT_LD:
    case OP_TENSOR_WAIT_ST: wait(machine, at); return true;
    case OP_TENSOR_ALLOC: allocate(machine, at); return true;
    case OP_TENSOR_DEALLOC: deallocate(machine, at); return true;
    case OP_TENSOR_RELINQUISH:
    case OP_TENSOR_BEFORE:
    case OP_TENSOR_AFTER: fence(machine, at); return true;
    default: return false;
    }
}
