// Products of matrices by warpgroups (PTX ISA 9.7.15): wgmma.mma_async and wgmma.fence. Groups of
// them are in async.c.
//
// Each thread that executes a product computes one element of it: that of the first elements of A
// and B (memory-model section 18). The other elements of its part of D are not known.

#include "program/builder.h"
#include "program/dependency/dependencies.h"
#include "program/memory/memory.h"
#include "program/thread/access.h"
#include "program/thread/async.h"
#include "program/thread/tensor.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"

#include <assert.h>

// --- Matrices ------------------------------------------------------------------------------------

// matrix-descriptor-encode(x) = (x & 0x3FFFF) >> 4, in the lowest 14 bits.
struct value matrix_start(struct thread_builder *thread, const struct operand *descriptor) {
    enum { ENCODED_BITS = 14, ENCODED_SHIFT = 4 };
    struct expr_pool *pool = thread->builder->pool;
    struct value start = thread_operand(thread, descriptor, 64, false);
    uint64_t base = memory_described_base(thread->builder, thread->index);
    start.bits = expr_resize(pool, expr_extract(pool, start.bits, 0, ENCODED_BITS), 64, false);
    start.bits = expr_binary(pool, EXPR_SHL, start.bits, expr_const_u64(pool, 64, ENCODED_SHIFT));
    start.bits = expr_binary(pool, EXPR_ADD, start.bits, expr_const_u64(pool, 64, base));
    return start;
}

// "Their starting addresses must be aligned to 16 bytes", which the address at hand is anyway.
static void check_alignment(struct copy *copy, const struct operand *matrix,
                            const struct expr *address) {
    struct builder *builder = copy->thread->builder;
    const struct virtual_range *range =
        places_range_of(&builder->program->memory, address->value.low, 1);
    if (!expr_is_const(address) || range == NULL ||
        builder->test->variables[range->variable].alignment % copy->aligned == 0)
        return;
    const char *name = builder->test->variables[range->variable].name;
    diag_error(builder->diagnostics, matrix->span,
               "a matrix begins at a multiple of 16 bytes, and '%s' need not", name);
    diag_hint(builder->diagnostics, "declare '%s' with '.align 16'", name);
}

// What the first element of a matrix is, with the bits of its type, from a read or a register.
static struct value first_element(struct copy *copy, unsigned operand) {
    struct builder *builder = copy->thread->builder;
    const struct operand *matrix = &copy->instruction->operands[operand];
    unsigned bits = matrix_element_bits(copy->instruction->matrix.element[operand - 1]);
    struct value value;
    if (matrix->kind == OPERAND_VECTOR) {
        value = thread_operand(copy->thread, &matrix->elements[0], 32, false);
    } else {
        value = matrix_start(copy->thread, matrix);
        struct access_shape shape = {
            .instruction = copy->instruction, .address = value, .bits = 8 * copy->part};
        check_alignment(copy, matrix, value.bits);
        size_t first = builder->program->event_count;
        value =
            access_add_load(copy->thread, &shape, (struct access){0, copy->aligned / copy->part});
        async_mark(copy, first, ASYNC_READ, SPACE_SHARED);
    }
    value.bits = expr_extract(builder->pool, value.bits, 0, bits);
    return value;
}

// --- The product ---------------------------------------------------------------------------------

static bool is_integer(enum matrix_element element) {
    return element == ELEMENT_S8 || element == ELEMENT_U8 || element == ELEMENT_B1;
}

static struct value widen(struct builder *builder, struct value value,
                          enum matrix_element element) {
    enum { WIDE = 64 };
    value.bits = expr_resize(builder->pool, value.bits, WIDE, element == ELEMENT_S8);
    return value;
}

const struct expr *matrix_narrow(struct expr_pool *pool, const struct expr *sum, bool saturate) {
    const struct expr *least = expr_const_u64(pool, 64, (uint64_t)INT32_MIN);
    const struct expr *most = expr_const_u64(pool, 64, INT32_MAX);
    if (saturate) {
        sum = expr_ite(pool, expr_binary(pool, EXPR_SLT, sum, least), least, sum);
        sum = expr_ite(pool, expr_binary(pool, EXPR_SLT, most, sum), most, sum);
    }
    return expr_extract(pool, sum, 0, 32);
}

// D + A * B, or A * B, where of single bits A & B is their product; not known of floating-point
// numbers, of which the ISA leaves the rounding open, nor where the metadata of a sparse A say
// which elements of B its own are for.
static struct value product_of(struct thread_builder *thread, const struct instruction *instruction,
                               struct value a, struct value b, struct value d) {
    struct builder *builder = thread->builder;
    struct expr_pool *pool = builder->pool;
    struct value sum = program_value_of(builder, a.bits, a, b);
    struct value all = program_value_of(builder, a.bits, sum, d);
    struct value result;
    if (is_integer(instruction->matrix.element[0]) && !instruction->matrix.sparse) {
        a = widen(builder, a, instruction->matrix.element[0]);
        b = widen(builder, b, instruction->matrix.element[1]);
        const struct expr *bits =
            expr_binary(pool, EXPR_ADD, expr_binary(pool, EXPR_MUL, a.bits, b.bits),
                        expr_resize(pool, d.bits, 64, true));
        result = program_value_of(builder, matrix_narrow(pool, bits, instruction->compute.saturate),
                                  sum, d);
    } else {
        result = program_value_unknown(builder, 32);
    }
    result.dependencies = all.dependencies;
    if (instruction->matrix.sparse)
        result.dependencies = dependencies_union(
            builder, all.dependencies,
            thread_operand(thread, &instruction->operands[3], 32, false).dependencies);
    return result;
}

struct value matrix_addend(struct builder *builder, struct value added, struct value held) {
    struct value none = program_value_const(builder, held.bits->width, (struct bits128){0});
    struct value value = program_value_choose(builder, added.bits, held, none);
    value.undef = expr_or(builder->pool, value.undef, added.undef);
    value.dependencies = dependencies_union(builder, value.dependencies, added.dependencies);
    return value;
}

// What the first register of D holds, as far as it is added.
static struct value addend(struct thread_builder *thread, const struct instruction *instruction) {
    struct builder *builder = thread->builder;
    const struct operand *scale = &instruction->operands[instruction_scale(instruction)];
    const struct operand *d = &instruction->operands[0].elements[0];
    struct value added = thread_operand(thread, scale, 1, false);
    if (expr_is_false(added.bits))
        return program_value_const(builder, 32, (struct bits128){0});
    bool assigned = thread->registers[d->reg].bits != NULL || expr_is_true(added.bits);
    struct value value =
        assigned ? thread_operand(thread, d, 32, false) : program_value_unknown(builder, 32);
    return matrix_addend(builder, added, value);
}

static void write_product(struct thread_builder *thread, const struct instruction *instruction,
                          struct value value) {
    const struct operand *d = &instruction->operands[0];
    for (size_t i = 0; i < d->element_count; i++) {
        struct value element = value;
        if (i > 0) {
            element = program_value_unknown(thread->builder, 32);
            element.dependencies = value.dependencies;
        }
        thread_write(thread, &d->elements[i], element, false);
    }
}

void wgmma_product(struct thread_builder *thread, const struct instruction *instruction) {
    enum { ALIGNED = 16 };
    struct program *program = thread->builder->program;
    struct copy copy = {.thread = thread, .instruction = instruction, .aligned = ALIGNED};
    if (!async_check_thread(thread, instruction))
        return;
    uses_begin(thread);
    copy.part = part_size_of(thread, instruction);
    for (unsigned i = 0; i < 2; i++)
        if (copy.part < matrix_element_bits(instruction->matrix.element[i]) / 8)
            copy.part = matrix_element_bits(instruction->matrix.element[i]) / 8;
    copy.issue = async_add_event(thread, instruction, EVENT_ISSUE, ASYNC_ISSUE,
                                 thread->commits[ASYNC_OF_WGMMA]);
    if (copy.issue >= program->event_count)
        return;
    program->events[copy.issue].async->undefined = thread->builder->never;
    uses_start_product(thread, instruction, copy.issue);
    struct value a = first_element(&copy, 1), b = first_element(&copy, 2);
    async_add_fence(&copy, ASYNC_READ_FENCE);
    write_product(thread, instruction,
                  product_of(thread, instruction, a, b, addend(thread, instruction)));
    uses_finish_product(thread, instruction, copy.issue);
    thread->position++;
}

// wgmma.fence: what precedes it precedes the products that follow it.
void wgmma_fence(struct thread_builder *thread, const struct instruction *instruction) {
    struct expr_pool *pool = thread->builder->pool;
    if (!async_check_thread(thread, instruction))
        return;
    uses_begin(thread);
    struct event *event = thread_add_event(thread, EVENT_WGMMA_FENCE, instruction);
    if (event != NULL)
        event->order = ORDER_NONE;
    async_count(
        thread, WGMMA_FENCES,
        expr_binary(pool, EXPR_ADD, thread->commits[WGMMA_FENCES], expr_const_u64(pool, 32, 1)));
    thread->position++;
}
