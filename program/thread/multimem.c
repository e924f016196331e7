// Accesses to multimem addresses (PTX ISA 8.2.3, 9.7.9.14): each is an access through one more
// virtual address to every variable to which the address points, in no order.

#include "program/thread/access.h"
#include "program/builder.h"
#include "program/memory/memory.h"
#include "program/thread/compute.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"
#include "program/thread/async.h"

// An access that is being added.
struct many {
    struct thread_builder *thread;
    struct access_shape shape; // at the copy at hand; of a packed type, of one of its numbers
    int first;                 // the variable that is the address
    int64_t offset;            // in it
    unsigned copies, vector, parts;
};

// Finds the variable that an address in a register belongs to.
static bool find_range(struct many *many, const struct operand *operand) {
    struct builder *builder = many->thread->builder;
    const struct expr *bits = many->shape.address.bits;
    const struct virtual_range *range =
        places_range_of(&builder->program->memory, bits->value.low, many->shape.bits / 8);
    if (!expr_is_const(bits) || range == NULL ||
        builder->test->variables[range->variable].copies == 0) {
        diag_error(builder->diagnostics, operand->span,
                   expr_is_const(bits)
                       ? "there is no multimem address here, which this access needs"
                       : "a multimem address must not depend on memory");
        return false;
    }
    many->first = (int)range->variable;
    many->offset = (int64_t)(bits->value.low - range->address);
    return true;
}

static bool start(struct many *many, struct thread_builder *thread,
                  const struct instruction *instruction, unsigned vector) {
    const struct operand *operand = access_address_operand(instruction);
    *many = (struct many){.thread = thread,
                          .shape = access_shape_of(thread, instruction),
                          .first = operand->variable,
                          .offset = operand->offset,
                          .vector = vector,
                          .parts = float_is_packed(instruction) ? 2 : 1};
    if (operand->variable < 0 && !find_range(many, operand))
        return false;
    many->shape.bits /= many->parts;
    many->copies = thread->builder->test->variables[many->first].copies;
    return true;
}

// Moves to the address of a copy.
static void move_to(struct many *many, unsigned copy) {
    struct builder *builder = many->thread->builder;
    unsigned range = memory_range(builder, many->thread->index, many->first + (int)copy);
    uint64_t address =
        builder->program->memory.virtual_ranges[range].address + (uint64_t)many->offset;
    many->shape.address.bits = expr_const_u64(builder->pool, 64, address);
}

static struct access place_of(const struct many *many, unsigned element) {
    return (struct access){element, many->vector * many->parts};
}

// One of the numbers of an operand.
static struct value number_of(const struct many *many, const struct operand *source,
                              unsigned index) {
    struct builder *builder = many->thread->builder;
    unsigned bits = many->shape.bits;
    struct value whole = thread_operand(many->thread, operand_element(source, index / many->parts),
                                        bits * many->parts, many->shape.is_signed);
    if (many->parts == 1)
        return whole;
    const struct expr *part =
        expr_extract(builder->pool, whole.bits, index % many->parts * bits, bits);
    return program_value_of(builder, part, whole, whole);
}

// --- Copies ------------------------------------------------------------------------------------

bool multimem_find(struct thread_builder *thread, const struct instruction *instruction,
                   const struct access_shape *shape, struct multimem *found) {
    const struct operand *operand = &instruction->operands[0];
    struct many many = {
        .thread = thread, .shape = *shape, .first = operand->variable, .offset = operand->offset};
    if (operand->variable < 0 && !find_range(&many, operand))
        return false;
    *found = (struct multimem){.first = many.first,
                               .offset = many.offset,
                               .copies = thread->builder->test->variables[many.first].copies};
    return true;
}

struct value multimem_address(struct thread_builder *thread, const struct multimem *multimem,
                              unsigned copy) {
    struct many many = {.thread = thread, .first = multimem->first, .offset = multimem->offset};
    many.shape.address.undef = thread->builder->never;
    move_to(&many, copy);
    return many.shape.address;
}

// --- Loads -------------------------------------------------------------------------------------

// What is known of the results so far and what was read of one more copy. PTX does not say in which
// order floating-point numbers are added, nor, for all types, how they are rounded.
static struct value reduce(const struct many *many, struct value so_far, struct value read) {
    struct builder *builder = many->thread->builder;
    const struct instruction *instruction = many->shape.instruction;
    const struct expr *bits =
        scalar_type_is_float(instruction->type)
            ? so_far.bits
            : atomic_result(builder->pool, instruction->atomic, many->shape.is_signed, so_far.bits,
                            read.bits, read.bits);
    return program_value_of(builder, bits, so_far, read);
}

static struct value load_number(struct many *many, unsigned index) {
    struct builder *builder = many->thread->builder;
    const struct instruction *instruction = many->shape.instruction;
    struct value result = program_value_unknown(builder, many->shape.bits);
    bool is_float = scalar_type_is_float(instruction->type);
    for (unsigned copy = 0; copy < many->copies; copy++) {
        move_to(many, copy);
        struct value read = access_add_load(many->thread, &many->shape, place_of(many, index));
        result = copy == 0 && !is_float ? read : reduce(many, result, read);
    }
    return result;
}

// multimem.ld_reduce: a load of each copy, and what an operation makes of all of them.
void multimem_load(struct thread_builder *thread, const struct instruction *instruction) {
    enum { ELEMENTS_MAX = 8 };
    const struct operand *target = &instruction->operands[0];
    struct value results[ELEMENTS_MAX];
    struct many many;
    if (!start(&many, thread, instruction, operand_length(target)))
        return;
    for (unsigned i = 0; i < many.vector; i++)
        for (unsigned k = 0; k < many.parts; k++) {
            if (operand_element(target, i)->kind == OPERAND_SINK)
                continue;
            struct value number = load_number(&many, i * many.parts + k);
            results[i] = k == 0 ? number
                                : program_value_of(thread->builder,
                                                   expr_binary(thread->builder->pool, EXPR_CONCAT,
                                                               number.bits, results[i].bits),
                                                   number, results[i]);
        }
    thread->position++;
    for (unsigned i = 0; i < many.vector; i++)
        if (operand_element(target, i)->kind != OPERAND_SINK)
            thread_write(thread, operand_element(target, i), results[i], many.shape.is_signed);
}

// --- Stores and reductions ---------------------------------------------------------------------

// A write of each number to each copy, or a reduction of its own there.
static void on_each_copy(struct thread_builder *thread, const struct instruction *instruction) {
    const struct operand *source = &instruction->operands[1];
    struct many many;
    if (!start(&many, thread, instruction, operand_length(source)))
        return;
    for (unsigned i = 0; i < many.vector * many.parts; i++) {
        struct value number = number_of(&many, source, i);
        for (unsigned copy = 0; copy < many.copies; copy++) {
            move_to(&many, copy);
            if (instruction_is_atomic(instruction))
                access_add_atomic(thread, &many.shape, place_of(&many, i), number, number);
            else
                access_add_write(thread, &many.shape, place_of(&many, i), number);
        }
    }
    thread->position++;
}

// multimem.st: a store of the value to each copy.
void multimem_store(struct thread_builder *thread, const struct instruction *instruction) {
    on_each_copy(thread, instruction);
}

// multimem.red: a reduction of its own on each copy.
void multimem_reduce(struct thread_builder *thread, const struct instruction *instruction) {
    on_each_copy(thread, instruction);
}
