// Registers: their values, and how instructions read and write them under guards.

#include "litmus/program/program_internal.h"

#include "litmus/readers/reader.h"

// --- Values ------------------------------------------------------------------------------------

struct value program_value_const(struct builder *builder, unsigned width, struct bits128 bits) {
    return (struct value){.bits = expr_const(builder->pool, width, bits), .undef = builder->never};
}

struct value program_value_unknown(struct builder *builder, unsigned width) {
    return (struct value){
        .bits = expr_leaf(builder->pool, EXPR_UNKNOWN, width, builder->unknown_count++),
        .undef = builder->always};
}

struct value program_value_of(struct builder *builder, const struct expr *bits, struct value a,
                              struct value b) {
    // What folds to a constant is known, whatever it was computed from: r xor r is 0.
    const struct expr *undef =
        expr_is_const(bits) ? builder->never : expr_or(builder->pool, a.undef, b.undef);
    return (struct value){.bits = bits,
                          .undef = undef,
                          .dependencies =
                              dependencies_union(builder, a.dependencies, b.dependencies)};
}

static bool same_dependencies(struct dependency_list a, struct dependency_list b) {
    return a.count == b.count && (a.count == 0 || a.items == b.items);
}

// The values of a choice, with a and b both written; dependencies are the caller's.
static struct value choose_bits(struct builder *builder, const struct expr *condition,
                                struct value a, struct value b) {
    if (a.bits == NULL)
        a = program_value_unknown(builder, b.bits->width);
    if (b.bits == NULL)
        b = program_value_unknown(builder, a.bits->width);
    return (struct value){.bits = expr_ite(builder->pool, condition, a.bits, b.bits),
                          .undef = expr_ite(builder->pool, condition, a.undef, b.undef)};
}

struct value program_value_choose(struct builder *builder, const struct expr *condition,
                                  struct value a, struct value b) {
    if (expr_is_const(condition))
        return expr_is_true(condition) ? a : b;
    if (a.bits == NULL && b.bits == NULL)
        return a;
    const struct expr *otherwise = expr_not(builder->pool, condition);
    struct value value = choose_bits(builder, condition, a, b);
    value.dependencies =
        dependencies_union(builder, dependencies_when(builder, a.dependencies, condition),
                           dependencies_when(builder, b.dependencies, otherwise));
    return value;
}

// The dependencies where `path` holds. Lists that say so already are not gone through again: after
// a chain of branches that all lead to one place, that would take quadratic time.
static struct dependency_list
dependencies_on_path(struct builder *builder, const struct value *value, const struct expr *path) {
    return value->dependencies_path == path ? value->dependencies
                                            : dependencies_when(builder, value->dependencies, path);
}

struct value program_value_meet(struct builder *builder, const struct expr *way, struct value a,
                                const struct expr *path_a, struct value b,
                                const struct expr *path_b) {
    bool same_list = same_dependencies(a.dependencies, b.dependencies);
    if (same_list && a.bits == b.bits && a.undef == b.undef)
        return a;
    struct value value = choose_bits(builder, way, a, b);
    if (same_list) {
        value.dependencies = a.dependencies;
        return value;
    }
    value.dependencies = dependencies_union(builder, dependencies_on_path(builder, &a, path_a),
                                            dependencies_on_path(builder, &b, path_b));
    value.dependencies_path = expr_or(builder->pool, path_a, path_b);
    return value;
}

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
    struct builder *builder = thread->builder;
    const struct test_register *r = &thread->thread->registers[reg];
    unsigned number = thread->thread->number;
    diag_error(builder->diagnostics, span, "register '%s' of P%u is read before anything wrote it",
               r->name, number);
    if (reader_find_register(thread->thread, r->name) == reg) // no function's own
        diag_hint(builder->diagnostics, "give it a value in the initial section: P%u:%s=0;", number,
                  r->name);
    thread->registers[reg] = program_value_const(builder, r->width, (struct bits128){0});
    return thread->registers[reg]; // reported once a register
}

struct value thread_register(struct thread_builder *thread, int reg, struct span span) {
    struct value value = thread->registers[reg];
    if (value.bits == NULL)
        return unassigned(thread, reg, span);
    struct builder *builder = thread->builder;
    value.bits = assume(builder, assume(builder, value.bits, thread->guard), thread->path);
    value.undef = assume(builder, assume(builder, value.undef, thread->guard), thread->path);
    return value;
}

uint64_t thread_address(const struct thread_builder *thread, int variable, struct span span) {
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
        &program->virtual_ranges[memory_range(builder, thread->index, variable)];
    return range->address - program_window(program->objects[range->object].space);
}

static struct value address_operand(struct thread_builder *thread, const struct operand *operand) {
    uint64_t base = thread_address(thread, operand->variable, operand->span);
    return program_value_const(thread->builder, 64,
                               (struct bits128){.low = base + (uint64_t)operand->offset});
}

struct value thread_operand(struct thread_builder *thread, const struct operand *operand,
                            unsigned width, bool is_signed) {
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
    case OPERAND_SPECIAL: value = program_special(thread, operand); break;
    default: bug("operand of kind %d has no value", (int)operand->kind);
    }
    value.bits = expr_resize(builder->pool, value.bits, width, is_signed);
    return value;
}

// --- Writing -----------------------------------------------------------------------------------

void thread_write(struct thread_builder *thread, const struct operand *operand, struct value value,
                  bool is_signed) {
    struct builder *builder = thread->builder;
    if (operand->kind == OPERAND_SINK)
        return;
    if (operand->kind != OPERAND_REGISTER)
        bug("operand of kind %d is no destination", (int)operand->kind);
    unsigned width = thread->thread->registers[operand->reg].width;
    struct value *target = &thread->registers[operand->reg];
    value.bits = expr_resize(builder->pool, value.bits, width, is_signed);
    *target = program_value_choose(builder, thread->guard, value, *target);
    if (!expr_is_false(thread->guard_undef) && !expr_is_const(target->bits))
        target->undef = expr_or(builder->pool, target->undef, thread->guard_undef);
}
