// st.bulk (PTX ISA 9.7.9.13).

#include "program/memory/memory.h"
#include "program/builder.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"
#include "program/thread/access.h"

// The number of bytes; false, with an error, where it depends on memory or is none that PTX has.
static bool find_size(struct thread_builder *thread, const struct instruction *instruction,
                      uint64_t *size) {
    enum { FILL_MAX = 1 << 24 };
    const struct operand *operand = &instruction->operands[1];
    unsigned width =
        operand->kind == OPERAND_REGISTER ? thread->thread->registers[operand->reg].width : 64;
    if (!thread_constant(thread, operand, width,
                         "how many bytes 'st.bulk' fills must not depend on memory", size))
        return false;
    if (*size % 8 == 0 && *size <= FILL_MAX)
        return true;
    diag_error(thread->builder->diagnostics, operand->span,
               "'st.bulk' fills a multiple of 8 bytes, at most %d, not %llu", (int)FILL_MAX,
               (unsigned long long)*size);
    return false;
}

// Weak writes of zero in no order, as large as what others access there: they share a position.
void access_fill(struct thread_builder *thread, const struct instruction *instruction) {
    struct builder *builder = thread->builder;
    struct access_shape shape = {
        .instruction = instruction,
        .address = access_address(thread, &instruction->operands[0], instruction->space),
        .bits = 8 * part_size_of(thread, instruction)};
    struct value zero = program_value_const(builder, shape.bits, (struct bits128){0});
    uint64_t size;
    if (!find_size(thread, instruction, &size))
        return;
    for (uint64_t i = 0; i < 8 * size / shape.bits; i++)
        if (access_add_write(thread, &shape, (struct access){(unsigned)i, 1}, zero) == NULL)
            return;
    thread->position++;
}
