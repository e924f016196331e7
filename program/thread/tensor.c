// Tensor cores of the fifth generation and their memory (PTX ISA 9.7.16): the tcgen05 instructions.
//
// A test has one lane of tensor memory, and of each matrix its first element: that in the first
// column (memory-model section 19). An address counts columns, each of which has 32 bits.

#include "program/builder.h"
#include "program/dependency/dependencies.h"
#include "program/memory/memory.h"
#include "program/thread/access.h"
#include "program/thread/async.h"
#include "program/thread/compute.h"
#include "program/thread/tensor.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"

#include "litmus/columns.h"
#include "litmus/product.h"

#include <assert.h>

enum { CELL_BITS = 8 * TENSOR_CELL_BYTES };

// --- Places -------------------------------------------------------------------------------------

static struct access_shape cell_at(const struct copy *copy, const struct operand *operand) {
    struct builder *builder = copy->thread->builder;
    struct expr_pool *pool = builder->pool;
    const struct expr *window = expr_const_u64(pool, 64, program_window(SPACE_TENSOR));
    struct operand column = *operand;
    struct value address;
    column.offset *= TENSOR_CELL_BYTES;
    if (operand->variable >= 0) {
        address = access_address(copy->thread, &column, SPACE_TENSOR);
    } else {
        address = thread_register(copy->thread, operand->reg, operand->span);
        address.bits = expr_resize(pool, address.bits, 32, false);
        address.bits = expr_binary(pool, EXPR_ADD, address.bits,
                                   expr_const_u64(pool, 32, (uint32_t)operand->offset));
        address.bits = expr_binary(pool, EXPR_MUL, expr_resize(pool, address.bits, 64, false),
                                   expr_const_u64(pool, 64, TENSOR_CELL_BYTES));
        address.bits = expr_binary(pool, EXPR_ADD, address.bits, window);
    }
    if (copy->peer != 0)
        address = window_in_peer(copy->thread, address, (int)copy->peer - 1);
    return (struct access_shape){
        .instruction = copy->instruction, .address = address, .bits = CELL_BITS};
}

static struct value read_cell(struct copy *copy, const struct operand *operand, unsigned column) {
    struct access_shape shape = cell_at(copy, operand);
    size_t first = copy->thread->builder->program->event_count;
    struct value value = access_add_load(copy->thread, &shape, (struct access){column, 1});
    async_mark(copy, first, ASYNC_READ, SPACE_TENSOR);
    return value;
}

static void write_cell(struct copy *copy, const struct operand *operand, unsigned column,
                       struct value value) {
    struct access_shape shape = cell_at(copy, operand);
    size_t first = copy->thread->builder->program->event_count;
    access_add_write(copy->thread, &shape, (struct access){column, 1}, value);
    async_mark(copy, first, ASYNC_WRITE, SPACE_TENSOR);
}

// "Matrix start address", in units of 16 bytes, "in the shared memory of the current CTA" (PTX ISA
// 9.7.16.4.1), and of a pair the same place in that of the peer; `bytes` from there on, as one
// value.
static struct value read_matrix(struct copy *copy, const struct operand *operand, unsigned bytes) {
    struct builder *builder = copy->thread->builder;
    struct expr_pool *pool = builder->pool;
    struct value start = matrix_start(copy->thread, operand), whole = {0};
    if (copy->peer != 0)
        start = window_in_peer(copy->thread, start, (int)copy->peer - 1);
    unsigned part = part_size_of(copy->thread, copy->instruction);
    if (part > bytes && copy->instruction->opcode == OP_TENSOR_CP)
        part = bytes;
    unsigned count = part < bytes ? bytes / part : 1;
    struct access_shape shape = {
        .instruction = copy->instruction, .address = start, .bits = 8 * part};
    size_t first = builder->program->event_count;
    for (unsigned i = 0; i < count; i++) {
        struct value piece = access_add_load(copy->thread, &shape, (struct access){i, 16 / part});
        if (i > 0) {
            const struct expr *both = expr_binary(pool, EXPR_CONCAT, piece.bits, whole.bits);
            piece = program_value_of(builder, both, whole, piece);
        }
        whole = piece;
    }
    async_mark(copy, first, ASYNC_READ, copy->peer != 0 ? SPACE_SHARED_CLUSTER : SPACE_SHARED);
    whole.bits = expr_extract(pool, whole.bits, 0, 8 * bytes);
    return whole;
}

// --- Operations ---------------------------------------------------------------------------------

bool tensor_check_peer(const struct thread_builder *thread, const struct instruction *instruction) {
    if (!instruction->of_pair || multicast_find_peer(thread) >= 0)
        return true;
    diag_error(thread->builder->diagnostics, instruction->opcode_span,
               "the CTA has no peer in its cluster, as '.cta_group::2' wants");
    diag_hint(thread->builder->diagnostics,
              "the ranks of two CTAs that form a pair differ in the last bit alone");
    return false;
}

// Starts an operation. Returns false where it cannot be one, or where there are too many events.
static bool start(struct copy *copy, struct thread_builder *thread,
                  const struct instruction *instruction) {
    *copy = (struct copy){.thread = thread, .instruction = instruction};
    if (!async_check_thread(thread, instruction))
        return false;
    if (!tensor_check_peer(thread, instruction))
        return false;
    copy->issue = async_add_event(thread, instruction, EVENT_ISSUE, ASYNC_ISSUE, NULL);
    return copy->issue < thread->builder->program->event_count;
}

// With .cta_group::2 "the Tensor Memory of both the CTAs within the CTA pair are accessed" (PTX ISA
// 9.7.16.5.1): how many CTAs take part.
static unsigned ctas_of(const struct copy *copy) {
    return copy->instruction->of_pair ? 2 : 1;
}

// Puts an operation at its own CTA, or at the peer of that.
static void go_to(struct copy *copy, unsigned cta) {
    copy->peer = cta == 0 ? 0 : (unsigned)multicast_find_peer(copy->thread) + 1;
}

// Where the columns begin that a load or store is about. Shape .16x32bx2 "performs two accesses
// into Tensor Memory", of which the second is at "taddr+immHalfSplitoff" (PTX ISA 9.7.16.8.3).
static unsigned parts_of(const struct copy *copy) {
    return copy->instruction->operand_count - 1;
}

static struct operand part_of(const struct copy *copy, const struct operand *address,
                              unsigned part) {
    const struct instruction *instruction = copy->instruction;
    const struct operand *split =
        &instruction->operands[instruction->opcode == OP_TENSOR_LD ? 2 : 1];
    struct operand place = *address;
    if (part > 0)
        place.offset += (int64_t)split->immediate.low;
    return place;
}

// A load whose lanes and columns are in figures of the ISA alone: it reads all its columns, and
// what a register gets of them, of which a test has one lane, is not known.
static void load_open(struct copy *copy, struct value *values) {
    struct builder *builder = copy->thread->builder;
    struct dependency_list all = {0};
    for (unsigned part = 0; part < parts_of(copy); part++)
        for (unsigned i = 0; i < copy->instruction->matrix.columns; i++) {
            struct operand place = part_of(copy, &copy->instruction->operands[1], part);
            struct value cell = read_cell(copy, &place, i);
            all = dependencies_union(builder, all, cell.dependencies);
        }
    for (unsigned i = 0; i < copy->instruction->operands[0].element_count; i++) {
        values[i] = program_value_unknown(builder, CELL_BITS);
        values[i].dependencies = all;
    }
}

static void store_open(struct copy *copy, const struct operand *source) {
    struct builder *builder = copy->thread->builder;
    struct dependency_list all = {0};
    for (unsigned i = 0; i < source->element_count; i++) {
        struct value part = thread_operand(copy->thread, &source->elements[i], CELL_BITS, false);
        all = dependencies_union(builder, all, part.dependencies);
    }
    for (unsigned part = 0; part < parts_of(copy); part++)
        for (unsigned i = 0; i < copy->instruction->matrix.columns; i++) {
            struct operand place = part_of(copy, &copy->instruction->operands[0], part);
            struct value value = program_value_unknown(builder, CELL_BITS);
            value.dependencies = all;
            write_cell(copy, &place, i, value);
        }
}

// tcgen05.ld: "an intra-thread ordering through true register dependency will be respected
// regardless of the presence or absence of other forms of synchronization".
void tensor_load(struct thread_builder *thread, const struct instruction *instruction) {
    const struct operand *d = &instruction->operands[0];
    struct copy copy;
    if (!start(&copy, thread, instruction))
        return;
    struct value *values = ARENA_ARRAY(thread->builder->arena, struct value, d->element_count);
    if (instruction->tensor.is_open)
        load_open(&copy, values);
    for (unsigned i = 0; i < d->element_count && !instruction->tensor.is_open; i++)
        values[i] = read_cell(&copy, &instruction->operands[1], i);
    for (unsigned i = 0; i < d->element_count; i++)
        thread_write(thread, &d->elements[i], values[i], false);
    thread->position++;
}

void tensor_store(struct thread_builder *thread, const struct instruction *instruction) {
    const struct operand *source = &instruction->operands[instruction->operand_count - 1];
    struct copy copy;
    if (!start(&copy, thread, instruction))
        return;
    if (instruction->tensor.is_open)
        store_open(&copy, source);
    for (unsigned i = 0; i < source->element_count && !instruction->tensor.is_open; i++)
        write_cell(&copy, &instruction->operands[0], i,
                   thread_operand(thread, &source->elements[i], CELL_BITS, false));
    thread->position++;
}

// tcgen05.cp, of the first column: .cta_group::2 "causes both the current and peer CTA to copy data
// from their shared memory to Tensor Memory" (PTX ISA 9.7.16.9.2).
void tensor_copy(struct thread_builder *thread, const struct instruction *instruction) {
    struct copy copy;
    if (!start(&copy, thread, instruction))
        return;
    for (unsigned cta = 0; cta < ctas_of(&copy); cta++) {
        go_to(&copy, cta);
        struct value value = read_matrix(&copy, &instruction->operands[1], TENSOR_CELL_BYTES);
        if (instruction->tensor.is_open) { // decompressed, as figures of the ISA show
            struct dependency_list read = value.dependencies;
            value = program_value_unknown(thread->builder, CELL_BITS);
            value.dependencies = read;
        }
        write_cell(&copy, &instruction->operands[0], 0, value);
    }
    thread->position++;
}

// tcgen05.shift: what is in the lane comes from another one, which a test does not have.
void tensor_shift(struct thread_builder *thread, const struct instruction *instruction) {
    struct copy copy;
    if (!start(&copy, thread, instruction))
        return;
    for (unsigned cta = 0; cta < ctas_of(&copy); cta++) {
        go_to(&copy, cta);
        struct value old = read_cell(&copy, &instruction->operands[0], 0);
        struct value value = program_value_unknown(thread->builder, CELL_BITS);
        value.dependencies = old.dependencies;
        write_cell(&copy, &instruction->operands[0], 0, value);
    }
    thread->position++;
}

// --- Products -----------------------------------------------------------------------------------

static bool find_description(struct copy *copy, uint64_t *description) {
    unsigned place = product_places(copy->instruction).description;
    const struct operand *operand = &copy->instruction->operands[place];
    struct diagnostics *diagnostics = copy->thread->builder->diagnostics;
    if (!thread_constant(copy->thread, operand, 32,
                         "the description of a product must not depend on memory", description))
        return false;
    const struct product_description said = product_described(copy->instruction, *description);
    if (said.columns != 0 && said.rows != 0)
        return true;
    diag_error(diagnostics, operand->span,
               "the description of a product says how large D is, and this one has no %s",
               said.rows == 0 ? "rows" : "columns");
    diag_hint(diagnostics, copy->instruction->tensor.scaled
                               ? "M / 128 is in bits 27 and 28, and N / 8 in bits 17 to 22"
                               : "M / 16 is in bits 24 to 28, and N / 8 in bits 17 to 22");
    return false;
}

static unsigned element_bytes(enum matrix_kind kind) {
    return kind == MATRIX_KIND_TF32 ? 4 : kind == MATRIX_KIND_F16 ? 2 : 1;
}

// The first element of A: in shared memory, or in the lowest bits of a cell.
static struct value first_of_a(struct copy *copy) {
    const struct instruction *instruction = copy->instruction;
    struct program *program = copy->thread->builder->program;
    const struct operand *a = &instruction->operands[1];
    unsigned bytes = element_bytes(instruction->tensor.kind);
    size_t first = program->event_count;
    if (a->kind != OPERAND_MEMORY) {
        struct value value = read_matrix(copy, a, bytes);
        for (size_t i = first; i < program->event_count; i++)
            program->events[i].async->of_a = true;
        return value;
    }
    struct value value = read_cell(copy, a, 0);
    value.bits = expr_extract(copy->thread->builder->pool, value.bits, 0, 8 * bytes);
    return value;
}

// What D holds, as far as it is added.
static struct value addend(struct copy *copy) {
    struct builder *builder = copy->thread->builder;
    unsigned place = product_places(copy->instruction).added;
    struct value added =
        thread_operand(copy->thread, &copy->instruction->operands[place], 1, false);
    if (expr_is_false(added.bits))
        return program_value_const(builder, CELL_BITS, (struct bits128){0});
    size_t first = builder->program->event_count;
    struct value value = read_cell(copy, &copy->instruction->operands[0], 0);
    if (first < builder->program->event_count && !expr_is_true(added.bits))
        event_restrict(builder, &builder->program->events[first], added.bits);
    return matrix_addend(builder, added, value);
}

// The first elements of A and B: of a pair of CTAs, those in the memory of each.
struct factors {
    struct value a[2], b[2];
    struct dependency_list others; // on metadata and scales
};

// The metadata of a sparse A, and scales, are in tensor memory, too.
static void read_others(struct copy *copy, struct factors *factors) {
    const struct instruction *instruction = copy->instruction;
    struct product_places places = product_places(instruction);
    const unsigned read[] = {places.metadata, places.scales,
                             places.scales != 0 ? places.scales + 1 : 0};
    for (size_t i = 0; i < sizeof read / sizeof read[0]; i++)
        if (read[i] != 0) {
            struct value value = read_cell(copy, &instruction->operands[read[i]], 0);
            factors->others =
                dependencies_union(copy->thread->builder, factors->others, value.dependencies);
        }
}

// A matrix that is kept in a buffer of the collector, or taken from it: "the TensorCore may reload
// a matrix even when it has permission to reuse that matrix" (PTX ISA 9.7.16.10).
static void collect(struct copy *copy, struct value *parts) {
    const struct instruction *instruction = copy->instruction;
    struct builder *builder = copy->thread->builder;
    struct collected *buffer = &copy->thread->collected[instruction->tensor.buffer];
    bool uses = instruction->tensor.collector == COLLECTOR_USE ||
                instruction->tensor.collector == COLLECTOR_LASTUSE;
    for (unsigned cta = 0; uses && cta < ctas_of(copy); cta++) {
        const struct expr *kept = program_value_unknown(builder, 1).bits;
        parts[cta] = program_value_choose(builder, kept, buffer->parts[cta], parts[cta]);
    }
    for (unsigned cta = 0; instruction->tensor.collector == COLLECTOR_FILL && cta < 2; cta++)
        buffer->parts[cta] = parts[cta];
    buffer->pair = instruction->of_pair;
    buffer->kind = instruction->tensor.kind;
    buffer->filled = instruction->tensor.collector == COLLECTOR_FILL ||
                     instruction->tensor.collector == COLLECTOR_USE;
}

// Whether a buffer has what is taken from it: "this requires a previous fill to the collector
// buffer to be still valid". A test is refused where the text of its thread does not say so.
static bool check_collected(const struct copy *copy) {
    const struct instruction *instruction = copy->instruction;
    struct builder *builder = copy->thread->builder;
    const struct collected *buffer = &copy->thread->collected[instruction->tensor.buffer];
    if (instruction->tensor.collector == COLLECTOR_DISCARD)
        return true;
    if (!expr_is_true(copy->thread->guard))
        diag_error(
            builder->diagnostics, instruction->opcode_span,
            "a product that fills or uses a buffer of the collector is not modelled where it "
            "may not execute");
    else if (instruction->tensor.collector != COLLECTOR_FILL &&
             (!buffer->filled || buffer->pair != instruction->of_pair))
        diag_error(builder->diagnostics, instruction->opcode_span,
                   "the buffer of the collector is used, and the product of the thread before this "
                   "one that names it does not leave it filled");
    else if (instruction->tensor.collector != COLLECTOR_FILL &&
             buffer->kind != instruction->tensor.kind)
        diag_error(builder->diagnostics, instruction->opcode_span,
                   "the buffer of the collector is used by a product of another kind than the one "
                   "that filled it");
    else
        return true;
    return false;
}

static struct factors find_factors(struct copy *copy) {
    unsigned bytes = element_bytes(copy->instruction->tensor.kind);
    struct factors all = {0};
    for (unsigned cta = 0; cta < ctas_of(copy); cta++) {
        go_to(copy, cta);
        all.a[cta] = first_of_a(copy);
        all.b[cta] = read_matrix(copy, &copy->instruction->operands[2], bytes);
        read_others(copy, &all);
    }
    collect(copy, copy->instruction->tensor.keeps_b ? all.b : all.a);
    return all;
}

// Of a pair, each CTA has a part of A and of B in its memory, and the text does not say of which
// rows and columns: D begins with the product of those of one CTA or the other.
static struct value one_of(struct copy *copy, const struct value *parts) {
    struct builder *builder = copy->thread->builder;
    if (ctas_of(copy) == 1)
        return parts[0];
    const struct expr *second = program_value_unknown(builder, 1).bits;
    return program_value_choose(builder, second, parts[1], parts[0]);
}

// Where B has columns of zeros, and where rows of A are chosen by metadata or shifted, what D
// begins with depends on what a test does not have.
static bool is_known(const struct instruction *instruction) {
    return instruction->tensor.kind == MATRIX_KIND_I8 && !instruction->matrix.sparse &&
           !instruction->tensor.shifts_a && product_places(instruction).zeros == 0;
}

// D + A * B; not known of floating-point numbers, of which the ISA leaves the rounding open.
static struct value product_of(struct copy *copy, uint64_t description,
                               const struct factors *factors, struct value d) {
    struct builder *builder = copy->thread->builder;
    struct value a = one_of(copy, factors->a), b = one_of(copy, factors->b);
    struct expr_pool *pool = builder->pool;
    struct value result = program_value_unknown(builder, CELL_BITS);
    struct value both = program_value_of(builder, a.bits, a, b);
    both.dependencies = dependencies_union(builder, both.dependencies, factors->others);
    const struct product_description said = product_described(copy->instruction, description);
    if (is_known(copy->instruction)) {
        const struct expr *left = expr_resize(pool, a.bits, 64, said.is_signed[0]);
        const struct expr *right = expr_resize(pool, b.bits, 64, said.is_signed[1]);
        const struct expr *sum =
            expr_binary(pool, EXPR_ADD, expr_binary(pool, EXPR_MUL, left, right),
                        expr_resize(pool, d.bits, 64, true));
        const struct expr *bits = matrix_narrow(pool, sum, said.saturates);
        return program_value_of(builder, bits, both, d);
    }
    result.dependencies = program_value_of(builder, result.bits, both, d).dependencies;
    return result;
}

// Whether D is not written in the lane of a test, the first one (one bit): "least significant bit
// of the first element of the vector corresponding to the lane 0". Of a pair it is open which half
// of the vector is for which CTA.
static const struct expr *left_out(struct copy *copy, struct value *cause) {
    const struct instruction *instruction = copy->instruction;
    struct builder *builder = copy->thread->builder;
    enum { HALF = 4 };
    const struct operand *lanes = &instruction->operands[product_places(instruction).lanes];
    if (product_places(instruction).lanes == 0)
        return builder->never;
    *cause = thread_operand(copy->thread, &lanes->elements[0], CELL_BITS, false);
    const struct expr *first = expr_extract(builder->pool, cause->bits, 0, 1);
    if (!instruction->of_pair)
        return first;
    struct value other = thread_operand(copy->thread, &lanes->elements[HALF], CELL_BITS, false);
    *cause = program_value_of(builder, cause->bits, *cause, other);
    return expr_ite(builder->pool, program_value_unknown(builder, 1).bits, first,
                    expr_extract(builder->pool, other.bits, 0, 1));
}

static void write_result(struct copy *copy, struct value value) {
    struct builder *builder = copy->thread->builder;
    struct value cause = {0};
    const struct expr *without = left_out(copy, &cause);
    size_t first = builder->program->event_count;
    if (expr_is_true(without))
        return;
    write_cell(copy, &copy->instruction->operands[0], 0, value);
    if (first == builder->program->event_count || expr_is_false(without))
        return;
    struct event *event = &builder->program->events[first];
    event_restrict(builder, event, expr_not(builder->pool, without));
    event->addr = dependencies_union(builder, event->addr, cause.dependencies);
}

// tcgen05.mma: D is written by one thread for all lanes.
void tensor_product(struct thread_builder *thread, const struct instruction *instruction) {
    struct program *program = thread->builder->program;
    struct copy copy;
    uint64_t description;
    if (!start(&copy, thread, instruction) || !find_description(&copy, &description) ||
        !check_collected(&copy))
        return;
    program->events[copy.issue].async->shape = product_shape(instruction, description);
    struct factors factors = find_factors(&copy);
    for (unsigned cta = 0; cta < ctas_of(&copy); cta++) {
        go_to(&copy, cta);
        struct value d = addend(&copy);
        write_result(&copy, product_of(&copy, description, &factors, d));
    }
    thread->position++;
}

// --- Completion, fences -------------------------------------------------------------------------

static bool is_earlier(const struct thread_builder *thread, size_t event, enum opcode opcode) {
    const struct event *e = &thread->builder->program->events[event];
    return e->thread == thread->index && event_issues(e, opcode);
}

// tcgen05.wait::ld and ::st: for all of the thread that come before.
void tensor_wait(struct thread_builder *thread, const struct instruction *instruction) {
    struct program *program = thread->builder->program;
    enum opcode opcode = instruction->opcode == OP_TENSOR_WAIT_LD ? OP_TENSOR_LD : OP_TENSOR_ST;
    if (!async_check_thread(thread, instruction))
        return;
    unsigned wait = async_add_event(thread, instruction, EVENT_ASYNC_WAIT, ASYNC_WAIT, NULL);
    thread->position++;
    for (unsigned i = (unsigned)program->init_count; i < wait && wait < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (event_is_detached(event) && is_earlier(thread, event->async->issue, opcode))
            dependencies_add(thread->builder, &program->events[wait].async->done, i,
                             thread->builder->always);
    }
}

// "Upon completion of read of A matrix from shared memory for all prior tcgen05.mma operations.
// This does not signal the overall completion" (PTX ISA 9.7.18.12.1 of 9.4).
static void complete_reads(struct copy *copy, size_t first) {
    struct builder *builder = copy->thread->builder;
    struct program *program = builder->program;
    for (size_t end = first; end < program->event_count; end++)
        for (unsigned i = (unsigned)program->init_count; i < first; i++)
            if (program->events[i].thread == copy->thread->index &&
                event_is_detached(&program->events[i]) && program->events[i].async->of_a)
                dependencies_add(builder, &program->events[end].async->done, i, builder->always);
}

// What a commit tracks: all prior mma, cp and shift of the thread.
static void complete_all(struct copy *copy, size_t first) {
    if (copy->instruction->tensor.reads_of_a) {
        complete_reads(copy, first);
        return;
    }
    for (unsigned i = 0; i < copy->issue; i++)
        if (is_earlier(copy->thread, i, OP_TENSOR_MMA) ||
            is_earlier(copy->thread, i, OP_TENSOR_CP) ||
            is_earlier(copy->thread, i, OP_TENSOR_SHIFT))
            async_complete_at(copy, first, i);
}

static void signal(struct copy *copy) {
    const struct instruction *instruction = copy->instruction;
    complete_all(copy, async_add_completion(copy, &instruction->operands[0], instruction->space, 1,
                                            0, SCOPE_CLUSTER));
}

// tcgen05.commit: one arrival at cluster scope.
void tensor_commit(struct thread_builder *thread, const struct instruction *instruction) {
    struct copy copy;
    uint64_t ranks = 0;
    if (!start(&copy, thread, instruction))
        return;
    if (!instruction_is_multicast(instruction))
        signal(&copy);
    else if (multicast_find_ranks(copy.thread, copy.instruction, 1, &ranks))
        for (unsigned rank = 0; rank < MULTICAST_CTAS; rank++) {
            copy.target = rank + 1;
            if ((ranks >> rank & 1) != 0)
                signal(&copy);
        }
    thread->position++;
}

void tensor_fence(struct thread_builder *thread, const struct instruction *instruction) {
    if (!async_check_thread(thread, instruction))
        return;
    struct event *event = thread_add_event(thread, EVENT_TENSOR_FENCE, instruction);
    if (event != NULL)
        event->order = ORDER_NONE;
    thread->position++;
}

// --- Groups of CTAs -----------------------------------------------------------------------------

static const struct instruction *find_grouped(const struct thread *thread, bool of_pair) {
    for (size_t i = 0; i < thread->instruction_count; i++)
        if (instruction_has_cta_group(&thread->instructions[i]) &&
            thread->instructions[i].of_pair == of_pair)
            return &thread->instructions[i];
    return NULL;
}

// "All tcgen05 instructions within a kernel must specify the same value for the .cta_group
// qualifier" (PTX ISA 9.7.16.7.1).
static bool check_groups(struct builder *builder, const struct thread *a, const struct thread *b) {
    const struct instruction *alone = find_grouped(a, false), *pair = find_grouped(b, true);
    if (a->place.host || b->place.host || a->place.grid != b->place.grid || alone == NULL ||
        pair == NULL)
        return true;
    diag_error(builder->diagnostics, pair->opcode_span,
               "all tcgen05 instructions of a kernel have the same '.cta_group'");
    diag_note(builder->diagnostics, alone->opcode_span, "this one has '.cta_group::1'");
    return false;
}

bool tensor_check_groups(struct builder *builder) {
    const struct test *test = builder->test;
    for (size_t a = 0; a < test->thread_count; a++)
        for (size_t b = 0; b < test->thread_count; b++)
            if (!check_groups(builder, &test->threads[a], &test->threads[b]))
                return false;
    return true;
}

// --- Columns that a test does not have ----------------------------------------------------------

// How many columns an access is about, of which the test has the first.
static unsigned columns_of(const struct program *program, const struct event *event) {
    enum { OF_256_BITS = 8 };
    const struct event *issue = &program->events[event->async->issue];
    const struct operand *a = &event->instruction->operands[1];
    switch (event->instruction->opcode) {
    case OP_TENSOR_MMA:
        if (event->kind == EVENT_READ &&
            (a->kind == OPERAND_MEMORY || event->instruction->matrix.sparse ||
             event->instruction->tensor.scaled))
            return OF_256_BITS; // of A and the like, or of D, which is written as well
        return product_columns(issue->async->shape);
    case OP_TENSOR_CP: return event->instruction->matrix.columns;
    case OP_TENSOR_SHIFT: return OF_256_BITS;
    default: return 1;
    }
}

// Whether an access may be to another column of the matrix that an event is about.
static bool reaches_beyond(const struct program *program, const struct event *event,
                           const struct event *other) {
    uint64_t size = (uint64_t)columns_of(program, event) * TENSOR_CELL_BYTES;
    for (size_t i = 0; i < event->candidate_count; i++)
        for (size_t k = 0; k < other->candidate_count; k++) {
            const struct candidate *a = &event->candidates[i], *b = &other->candidates[k];
            if (a->object == b->object && b->offset > a->offset && b->offset < a->offset + size)
                return true;
        }
    return false;
}

void tensor_check_columns(struct builder *builder) {
    const struct program *program = builder->program;
    for (size_t i = program->init_count; i < program->event_count; i++)
        for (size_t k = program->init_count; k < program->event_count; k++) {
            const struct event *event = &program->events[i], *other = &program->events[k];
            if (!event_is_in_tensor_memory(event) || !event_is_in_tensor_memory(other) ||
                !reaches_beyond(program, event, other))
                continue;
            diag_error(builder->diagnostics, other->instruction->opcode_span,
                       "this is about a column of a matrix of which a test has the first column "
                       "alone");
            diag_note(builder->diagnostics, event->instruction->opcode_span,
                      "the matrix that begins before it");
            if (columns_are_allocated(builder->test))
                diag_hint(
                    builder->diagnostics,
                    "give the shared memory to which 'tcgen05.alloc' writes an initial value, "
                    "such as 0: else an address from there may be any");
            return;
        }
}
