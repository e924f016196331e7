// What a thread does with the registers of its products of matrices (PTX ISA 9.7.15.7): which of
// them are used while a product is in flight, or without a wgmma.fence before it.

#include "program/builder.h"
#include "program/thread/tensor.h"
#include "program/thread/threads.h"

#include <assert.h>

// A product, and the use of a register by a product or another instruction.
struct product_in_flight {
    unsigned issue;
    const struct instruction *instruction;
    const struct expr *active;
    struct product_in_flight *before;
};

struct register_use {
    int reg;
    unsigned columns; // of a product that accumulates in it; 0: of anything else
    const struct expr *active, *fences;
    struct register_use *before;
};

// What a thread has done with the registers of its products, on all ways so far.
struct register_uses {
    bool *is_used; // by register: some product of the thread has it
    bool own;      // the product at hand uses its registers
    struct product_in_flight *products;
    struct register_use *uses;
};

static bool has_register(const struct operand *operand, int reg) {
    for (size_t i = 0; operand->kind == OPERAND_VECTOR && i < operand->element_count; i++)
        if (operand->elements[i].reg == reg)
            return true;
    return false;
}

static void mark_registers(bool *is_used, const struct operand *operand) {
    for (size_t i = 0; operand->kind == OPERAND_VECTOR && i < operand->element_count; i++)
        is_used[operand->elements[i].reg] = true;
}

void uses_begin(struct thread_builder *thread) {
    const struct thread *source = thread->thread;
    if (thread->uses != NULL)
        return;
    struct arena *arena = thread->builder->arena;
    thread->uses = ARENA_NEW(arena, struct register_uses);
    thread->uses->is_used = ARENA_ARRAY(arena, bool, source->register_count);
    for (size_t i = 0; i < source->instruction_count; i++)
        for (unsigned k = 0; opcode_has(source->instructions[i].opcode, TRAIT_ADDS) && k < 2; k++)
            mark_registers(thread->uses->is_used, &source->instructions[i].operands[k]);
}

static void add_use(struct thread_builder *thread, int reg, unsigned columns) {
    struct register_use *use = ARENA_NEW(thread->builder->arena, struct register_use);
    *use = (struct register_use){.reg = reg,
                                 .columns = columns,
                                 .active = thread->active,
                                 .fences = thread->commits[WGMMA_FENCES],
                                 .before = thread->uses->uses};
    thread->uses->uses = use;
}

static void add_undefined(struct builder *builder, unsigned issue, const struct expr *condition) {
    struct program *program = builder->program;
    if (issue >= program->event_count || program->events[issue].async == NULL)
        return; // there were too many
    struct event_async *async = program->events[issue].async;
    async->undefined = expr_or(builder->pool, async->undefined, condition);
}

// "Accessing the accumulator register or the input register [...] without first performing a
// wgmma.wait_group instruction that waits on a wgmma-group including that wgmma.mma_async
// instruction is undefined behavior."
static void use_in_flight(struct thread_builder *thread, int reg, const struct expr *active) {
    struct builder *builder = thread->builder;
    struct expr_pool *pool = builder->pool;
    for (const struct product_in_flight *p = thread->uses->products; p != NULL; p = p->before) {
        if (!has_register(&p->instruction->operands[0], reg) &&
            !has_register(&p->instruction->operands[1], reg))
            continue;
        const struct expr *group = builder->program->events[p->issue].async->group;
        const struct expr *pending =
            expr_binary(pool, EXPR_ULE, thread->commits[WGMMA_WAITED], group);
        add_undefined(builder, p->issue,
                      expr_and(pool, expr_and(pool, active, p->active), pending));
    }
}

void uses_of_register(struct thread_builder *thread, int reg) {
    struct register_uses *uses = thread->uses;
    assert(reg >= 0 && (size_t)reg < thread->thread->register_count);
    if (uses == NULL || uses->own || !uses->is_used[reg])
        return;
    use_in_flight(thread, reg, thread->active);
    add_use(thread, reg, 0);
}

struct thread_end {
    struct thread_builder *thread;
    const struct expr *path;
};

static void use_at_end(void *context, const struct term *term) {
    const struct thread_end *end = context;
    if (term->kind == TERM_REGISTER && term->thread == end->thread->index &&
        end->thread->uses->is_used[term->reg])
        use_in_flight(end->thread, term->reg, end->path);
}

void uses_at_end(struct thread_builder *thread, const struct expr *path) {
    struct thread_end end = {thread, path};
    assert(path->width == 1);
    if (thread->uses != NULL)
        test_visit_terms(thread->builder->test, use_at_end, &end);
}

// "The wgmma.fence instruction must be issued [...] before the first wgmma.mma_async operation",
// and "between a register access by a thread in the warpgroup and any wgmma.mma_async instruction
// that accesses the same registers, [...] except when these are accumulator register accesses
// across multiple wgmma.mma_async instructions of the same shape". "Otherwise, the behavior is
// undefined."
static void use_register(struct thread_builder *thread, unsigned issue, int reg, unsigned columns) {
    struct builder *builder = thread->builder;
    struct expr_pool *pool = builder->pool;
    for (const struct register_use *use = thread->uses->uses; use != NULL; use = use->before) {
        if (use->reg != reg || (columns != 0 && use->columns == columns))
            continue;
        const struct expr *unfenced =
            expr_binary(pool, EXPR_EQ, use->fences, thread->commits[WGMMA_FENCES]);
        add_undefined(builder, issue,
                      expr_and(pool, expr_and(pool, thread->active, use->active), unfenced));
    }
}

void uses_start_product(struct thread_builder *thread, const struct instruction *instruction,
                        unsigned issue) {
    struct builder *builder = thread->builder;
    const struct expr *none = expr_const_u64(builder->pool, 32, 0);
    add_undefined(
        builder, issue,
        expr_and(builder->pool, thread->active,
                 expr_binary(builder->pool, EXPR_EQ, thread->commits[WGMMA_FENCES], none)));
    for (unsigned pass = 0; pass < 2; pass++) // what it does itself is looked at by later ones
        for (unsigned k = 0; k < 2; k++) {
            const struct operand *operand = &instruction->operands[k];
            unsigned columns = k == 0 ? instruction->matrix.columns : 0;
            for (size_t i = 0; operand->kind == OPERAND_VECTOR && i < operand->element_count; i++)
                if (pass == 0)
                    use_register(thread, issue, operand->elements[i].reg, columns);
                else
                    add_use(thread, operand->elements[i].reg, columns);
        }
    thread->uses->own = true;
}

void uses_finish_product(struct thread_builder *thread, const struct instruction *instruction,
                         unsigned issue) {
    struct product_in_flight *product = ARENA_NEW(thread->builder->arena, struct product_in_flight);
    *product =
        (struct product_in_flight){issue, instruction, thread->active, thread->uses->products};
    thread->uses->products = product;
    thread->uses->own = false;
}
