// Registers: their values, and how instructions read and write them under guards.

#include "program/builder.h"
#include "program/memory/memory.h"
#include "program/thread/compute.h"
#include "program/thread/tensor.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"

#include "litmus/names/names.h"

#include <assert.h>

// --- Reading -----------------------------------------------------------------------------------

// What an expression is where `condition` holds: choices by that very condition are made, and bits
// that it decides are constants.
static const struct expr *assume(struct builder *builder, const struct expr *expr,
                                 const struct expr *condition) {
    if (expr_is_const(condition) || expr_is_const(expr))
        return expr;
    if (expr->width == 1) {
        if (expr_is_false(expr_and(builder->pool, expr, condition)))
            return builder->never;
        const struct expr *opposite = expr_not(builder->pool, expr);
        if (expr_is_false(expr_and(builder->pool, opposite, condition)))
            return builder->always;
    }
    while (expr->op == EXPR_ITE) {
        const struct expr *choice = expr->args[0];
        if (choice == condition)
            expr = expr->args[1];
        else if (condition->op == EXPR_NOT && condition->args[0] == choice)
            expr = expr->args[2];
        else
            break;
    }
    return expr;
}

static struct value unassigned(struct thread_builder *thread, int reg, struct span span) {
    assert(span.begin <= span.end);
    struct builder *builder = thread->builder;
    const struct test_register *r = &thread->thread->registers[reg];
    unsigned number = thread->thread->number;
    bool named = r->name[0] != '.'; // not the carry
    bool is_launched = thread->thread->launch != NULL;
    const char *of = is_launched ? "" : arena_format(builder->arena, " of P%u", number);
    if (named)
        diag_error(builder->diagnostics, span, "register '%s'%s is read before it is written",
                   r->name, of);
    else
        diag_error(builder->diagnostics, span,
                   "a carry comes in, and no instruction with '.cc' comes before in P%u", number);
    if (named && !is_launched && reader_find_register(thread->thread, r->name) == reg)
        diag_hint(builder->diagnostics, "give it a value in the initial section: P%u:%s=0;", number,
                  r->name); // no function's own
    thread->registers[reg] = program_value_const(builder, r->width, (struct bits128){0});
    return thread->registers[reg]; // reported once a register
}

struct value thread_register(struct thread_builder *thread, int reg, struct span span) {
    assert(span.begin <= span.end);
    struct value value = thread->registers[reg];
    uses_of_register(thread, reg);
    if (value.bits == NULL)
        return unassigned(thread, reg, span);
    struct builder *builder = thread->builder;
    value.bits = assume(builder, assume(builder, value.bits, thread->guard), thread->path);
    value.undef = assume(builder, assume(builder, value.undef, thread->guard), thread->path);
    return value;
}

uint64_t thread_address(const struct thread_builder *thread, int variable, struct span span) {
    assert(span.begin <= span.end);
    struct builder *builder = thread->builder;
    const struct variable *named = &builder->test->variables[variable];
    // In Dat3M's dialect and in nvlitmus the proxy is the instruction's.
    if (named->alias_of >= 0 && named->alias_proxy != PROXY_GENERIC &&
        builder->test->dialect == DIALECT_PTX) {
        diag_error(builder->diagnostics, span,
                   "'%s' has the address of '%s': a register cannot keep the proxy", named->name,
                   builder->test->variables[named->alias_of].name);
        diag_hint(builder->diagnostics, "access [%s] itself", named->name);
    }
    const struct program *program = builder->program;
    const struct virtual_range *range =
        &program->memory.virtual_ranges[memory_range(builder, thread->index, variable)];
    enum state_space space = program->memory.objects[range->object].space;
    uint64_t address = range->address - program_window(space);
    return space == SPACE_TENSOR ? address / TENSOR_CELL_BYTES : address;
}

static struct value address_operand(struct thread_builder *thread, const struct operand *operand) {
    uint64_t base = thread_address(thread, operand->variable, operand->span);
    return program_value_const(thread->builder, 64,
                               (struct bits128){.low = base + (uint64_t)operand->offset});
}

struct value thread_operand(struct thread_builder *thread, const struct operand *operand,
                            unsigned width, bool is_signed) {
    assert(width > 0);
    struct builder *builder = thread->builder;
    struct value value;
    switch (operand->kind) {
    case OPERAND_REGISTER:
        value = thread_register(thread, operand->reg, operand->span);
        if (operand->negated)
            value.bits = expr_not(builder->pool, value.bits);
        break;
    case OPERAND_IMMEDIATE: return program_value_const(builder, width, operand->immediate);
    case OPERAND_ADDRESS: value = address_operand(thread, operand); break;
    case OPERAND_SPECIAL: value = program_special(thread, operand, width); break;
    default: bug("operand of kind %d has no value", (int)operand->kind);
    }
    value.bits = expr_resize(builder->pool, value.bits, width, is_signed);
    return value;
}

bool thread_constant(struct thread_builder *thread, const struct operand *operand, unsigned width,
                     const char *message, uint64_t *value) {
    const struct expr *bits = thread_operand(thread, operand, width, false).bits;
    *value = bits->value.low;
    if (!expr_is_const(bits))
        diag_error(thread->builder->diagnostics, operand->span, "%s", message);
    return expr_is_const(bits);
}

// --- Writing -----------------------------------------------------------------------------------

void thread_write(struct thread_builder *thread, const struct operand *operand, struct value value,
                  bool is_signed) {
    struct builder *builder = thread->builder;
    if (operand->kind == OPERAND_SINK)
        return;
    if (operand->kind != OPERAND_REGISTER)
        bug("operand of kind %d is not a destination", (int)operand->kind);
    uses_of_register(thread, operand->reg);
    unsigned width = thread->thread->registers[operand->reg].width;
    struct value *target = &thread->registers[operand->reg];
    value.bits = expr_resize(builder->pool, value.bits, width, is_signed);
    *target = program_value_choose(builder, thread->guard, value, *target);
    if (!expr_is_false(thread->guard_undef) && !expr_is_const(target->bits))
        target->undef = expr_or(builder->pool, target->undef, thread->guard_undef);
}
