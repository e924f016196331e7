// Floating-point instructions that are computed where their operands are constants, or one of a few
// that conditions decide between; elsewhere their results may be anything, as those of others may
// that are not computed at all.

#include "program/builder.h"
#include "program/dependency/dependencies.h"
#include "program/thread/compute.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"

#include "program/expr/float.h"

#include <assert.h>

enum { CASES_MAX = 16 }; // that conditions decide between

struct constant_run {
    struct thread_builder *thread;
    const struct instruction *instruction;
    unsigned cases;
};

static unsigned source_count(const struct instruction *instruction) {
    return instruction->operand_count - 1;
}

// The result for constants.
static struct value result_of(const struct constant_run *concrete,
                              const struct expr *const operands[3]) {
    struct builder *builder = concrete->thread->builder;
    const struct instruction *instruction = concrete->instruction;
    unsigned width = scalar_type_bits(instruction->type);
    uint64_t bits[3] = {0}, result = 0;
    for (unsigned i = 0; i < source_count(instruction); i++)
        bits[i] = operands[i]->value.low;
    switch (float_compute(instruction, bits, &result)) {
    case FLOAT_KNOWN: return program_value_const(builder, width, (struct bits128){.low = result});
    case FLOAT_SOME_NAN: return float_some_nan(builder, instruction->type);
    case FLOAT_OPEN: break;
    }
    return program_value_unknown(builder, width);
}

static struct value compute(struct constant_run *concrete, const struct expr *const operands[3]) {
    struct builder *builder = concrete->thread->builder;
    for (unsigned i = 0; i < source_count(concrete->instruction); i++) {
        if (expr_is_const(operands[i]))
            continue;
        if (operands[i]->op != EXPR_ITE || ++concrete->cases == CASES_MAX)
            return program_value_unknown(builder, scalar_type_bits(concrete->instruction->type));
        const struct expr *chosen[3] = {operands[0], operands[1], operands[2]};
        chosen[i] = operands[i]->args[1];
        struct value first = compute(concrete, chosen);
        chosen[i] = operands[i]->args[2];
        struct value second = compute(concrete, chosen);
        return program_value_choose(builder, operands[i]->args[0], first, second);
    }
    return result_of(concrete, operands);
}

void compute_concrete(struct thread_builder *thread, const struct instruction *instruction) {
    struct builder *builder = thread->builder;
    struct constant_run concrete = {.thread = thread, .instruction = instruction};
    enum scalar_type type = instruction->source_type;
    const struct expr *operands[3] = {NULL, NULL, NULL}, *undef = expr_bool(builder->pool, false);
    struct dependency_list dependencies = {0};
    assert(source_count(instruction) <= 3);
    for (unsigned i = 0; i < source_count(instruction); i++) {
        struct value source = thread_operand(thread, &instruction->operands[i + 1],
                                             scalar_type_bits(type), scalar_type_is_signed(type));
        operands[i] = source.bits;
        undef = expr_or(builder->pool, undef, source.undef);
        dependencies = dependencies_union(builder, dependencies, source.dependencies);
    }
    struct value unknown = program_value_unknown(builder, scalar_type_bits(instruction->type));
    struct value result =
        program_value_choose(builder, undef, unknown, compute(&concrete, operands));
    result.dependencies = dependencies;
    thread_write(thread, &instruction->operands[0], result,
                 scalar_type_is_signed(instruction->type));
}

// A result that may be anything. As it is written it depends on the operands.
void compute_open(struct thread_builder *thread, const struct instruction *instruction) {
    struct builder *builder = thread->builder;
    const struct operand *sources = &instruction->operands[1];
    struct value result = program_value_unknown(builder, scalar_type_bits(instruction->type));
    for (size_t i = 0; i < sources->element_count; i++) {
        const struct operand *source = &sources->elements[i];
        struct value value =
            thread_operand(thread, source, thread->thread->registers[source->reg].width, false);
        result.dependencies = dependencies_union(builder, result.dependencies, value.dependencies);
    }
    thread_write(thread, &instruction->operands[0], result, false);
}
