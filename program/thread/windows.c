// Instructions that go between the windows of the state spaces and tell them apart (PTX ISA
// 6.4.1.1): memory/windows.c has the windows.

#include "program/builder.h"
#include "program/dependency/dependencies.h"
#include "program/thread/compute.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"

#include <assert.h>

static const struct expr *constant(struct builder *builder, uint64_t value) {
    return expr_const_u64(builder->pool, 64, value);
}

// Whether an address lies in [begin, begin + size).
static const struct expr *lies_in(struct builder *builder, const struct expr *address,
                                  uint64_t begin, uint64_t size) {
    const struct expr *offset =
        expr_binary(builder->pool, EXPR_SUB, address, constant(builder, begin));
    return expr_binary(builder->pool, EXPR_ULT, offset, constant(builder, size));
}

const struct expr *program_is_shared(struct builder *builder, const struct expr *address) {
    return lies_in(builder, address, program_window(SPACE_SHARED), PROGRAM_WINDOW_SIZE);
}

// --- cvta, cvta.to -----------------------------------------------------------------------------

// Adds where the window of a state space is to an address, or takes it away.
static void move_by_window(struct thread_builder *thread, const struct instruction *instruction,
                           enum expr_op op) {
    struct builder *builder = thread->builder;
    struct value value = compute_source(thread, instruction, 1);
    value.bits = expr_binary(builder->pool, op, value.bits,
                             constant(builder, program_window(instruction->space)));
    compute_write(thread, instruction, value);
}

void compute_cvta(struct thread_builder *thread, const struct instruction *instruction) {
    move_by_window(thread, instruction, EXPR_ADD);
}

void compute_cvta_to(struct thread_builder *thread, const struct instruction *instruction) {
    move_by_window(thread, instruction, EXPR_SUB);
}

// --- Instances of .shared variables ------------------------------------------------------------

// The object of a range, when it is a .shared one of the thread's CTA or cluster; else NULL.
static const struct object *shared_object(const struct thread_builder *thread, size_t range,
                                          bool of_cluster) {
    const struct builder *builder = thread->builder;
    const struct program *program = builder->program;
    const struct object *object =
        &program->memory.objects[program->memory.virtual_ranges[range].object];
    if (!state_space_is_shared(object->space))
        return NULL;
    const struct place *place = &builder->test->threads[object->instance].place;
    bool own = object->instance == builder->cta_leader[thread->index];
    bool near = own || (of_cluster && test_same_cluster(place, &thread->thread->place));
    return near ? object : NULL;
}

// Whether an address is in an instance of a range, or just after it.
static const struct expr *lies_in_range(struct builder *builder, const struct expr *address,
                                        size_t range) {
    const struct virtual_range *r = &builder->program->memory.virtual_ranges[range];
    return lies_in(builder, address, r->address,
                   builder->program->memory.objects[r->object].size + 1);
}

// --- isspacep ----------------------------------------------------------------------------------

// The .shared window without the instances of other CTAs (or clusters).
static const struct expr *in_shared(struct thread_builder *thread, const struct expr *address,
                                    bool of_cluster) {
    struct builder *builder = thread->builder;
    const struct program *program = builder->program;
    const struct expr *in = program_is_shared(builder, address);
    for (size_t i = 0; i < program->memory.virtual_range_count; i++)
        if (state_space_is_shared(
                program->memory.objects[program->memory.virtual_ranges[i].object].space) &&
            !shared_object(thread, i, of_cluster))
            in = expr_and(builder->pool, in,
                          expr_not(builder->pool, lies_in_range(builder, address, i)));
    return in;
}

void compute_isspacep(struct thread_builder *thread, const struct instruction *instruction) {
    struct builder *builder = thread->builder;
    struct value value = thread_operand(thread, &instruction->operands[1], 64, false);
    uint64_t begin = program_window(instruction->space);
    switch (instruction->space) {
    case SPACE_SHARED: value.bits = in_shared(thread, value.bits, false); break;
    case SPACE_SHARED_CLUSTER: value.bits = in_shared(thread, value.bits, true); break;
    case SPACE_PARAM:
        value.bits = lies_in(builder, value.bits, begin, PROGRAM_WINDOW_SIZE - begin);
        break;
    default: value.bits = lies_in(builder, value.bits, begin, PROGRAM_WINDOW_SIZE); break;
    }
    thread_write(thread, &instruction->operands[0], value, false);
}

// --- mapa, getctarank --------------------------------------------------------------------------

// A choice that is being built: what is unknown if no case holds.
struct window_choice {
    struct thread_builder *thread;
    struct value value;
};

static struct window_choice start_choice(struct thread_builder *thread, unsigned width) {
    assert(width > 0);
    return (struct window_choice){thread, program_value_unknown(thread->builder, width)};
}

static void add_case(struct window_choice *choice, const struct expr *condition,
                     const struct expr *result) {
    assert(condition->width == 1);
    struct value value = {.bits = result, .undef = choice->thread->builder->never};
    choice->value = program_value_choose(choice->thread->builder, condition, value, choice->value);
}

// The rank of an instance's CTA in its cluster; reports placements that leave it open, once.
static bool rank_of(struct thread_builder *thread, const struct instruction *instruction,
                    int leader, unsigned *rank) {
    const struct test *test = thread->builder->test;
    if (program_cluster_rank(test, &test->threads[leader].place, rank))
        return true;
    diag_error(thread->builder->diagnostics, instruction->opcode_span,
               "the numbers of the CTAs in this cluster do not say what their ranks are");
    diag_hint(thread->builder->diagnostics, "number them from 0 on in each cluster");
    return false;
}

// The window to which an operand's address is relative: that of .shared, or none.
static uint64_t base_of(const struct instruction *instruction) {
    return instruction->space == SPACE_GENERIC ? 0 : program_window(SPACE_SHARED);
}

static struct value shared_address(struct thread_builder *thread,
                                   const struct instruction *instruction) {
    struct value a = compute_source(thread, instruction, 1);
    a.bits = expr_resize(thread->builder->pool, a.bits, 64, false);
    a.bits = expr_binary(thread->builder->pool, EXPR_ADD, a.bits,
                         constant(thread->builder, base_of(instruction)));
    return a;
}

// The cases of mapa for addresses in one instance: the same place in each instance of the variable.
// `base`: the window to which the result is relative.
static bool map_range(struct window_choice *choice, const struct instruction *instruction,
                      size_t from, struct value a, struct value b, uint64_t base) {
    struct builder *builder = choice->thread->builder;
    const struct program *program = builder->program;
    const struct virtual_range *source = &program->memory.virtual_ranges[from];
    const struct expr *offset =
        expr_binary(builder->pool, EXPR_SUB, a.bits, constant(builder, source->address));
    for (size_t i = 0; i < program->memory.virtual_range_count; i++) {
        const struct virtual_range *target = &program->memory.virtual_ranges[i];
        const struct object *object = shared_object(choice->thread, i, true);
        unsigned rank;
        if (!object || target->variable != source->variable)
            continue;
        if (!rank_of(choice->thread, instruction, object->instance, &rank))
            return false;
        const struct expr *address =
            expr_binary(builder->pool, EXPR_ADD, offset, constant(builder, target->address - base));
        const struct expr *chosen =
            expr_and(builder->pool, lies_in_range(builder, a.bits, from),
                     expr_eq(builder->pool, b.bits, expr_const_u64(builder->pool, 32, rank)));
        add_case(choice, chosen, address);
    }
    return true;
}

static struct value map_to_rank(struct thread_builder *thread,
                                const struct instruction *instruction, struct value a,
                                struct value b, uint64_t base) {
    struct window_choice choice = start_choice(thread, 64);
    for (size_t i = 0; i < thread->builder->program->memory.virtual_range_count; i++)
        if (shared_object(thread, i, true) && !map_range(&choice, instruction, i, a, b, base))
            break;
    return choice.value;
}

struct value window_in_rank(struct thread_builder *thread, const struct instruction *instruction,
                            struct value address, unsigned rank) {
    struct value b = program_value_const(thread->builder, 32, (struct bits128){.low = rank});
    struct value result = map_to_rank(thread, instruction, address, b, 0);
    result.undef = expr_or(thread->builder->pool, result.undef, address.undef);
    result.dependencies = address.dependencies;
    return result;
}

// mapa d, a, b: the address of a's place in the CTA of rank b (PTX ISA 9.7.9.23).
void compute_mapa(struct thread_builder *thread, const struct instruction *instruction) {
    struct builder *builder = thread->builder;
    struct value a = shared_address(thread, instruction);
    struct value b = thread_operand(thread, &instruction->operands[2], 32, false);
    struct value result = map_to_rank(thread, instruction, a, b, base_of(instruction));
    result.undef = expr_or(builder->pool, result.undef, expr_or(builder->pool, a.undef, b.undef));
    result.dependencies = dependencies_union(builder, a.dependencies, b.dependencies);
    compute_write(thread, instruction, result);
}

struct value window_in_peer(struct thread_builder *thread, struct value address, int peer) {
    struct builder *builder = thread->builder;
    const struct program *program = builder->program;
    struct window_choice choice = {thread, address};
    for (size_t i = 0; i < program->memory.virtual_range_count; i++)
        for (size_t k = 0; k < program->memory.virtual_range_count; k++) {
            const struct virtual_range *own = &program->memory.virtual_ranges[i];
            const struct virtual_range *other = &program->memory.virtual_ranges[k];
            if (own->variable != other->variable ||
                program->memory.objects[own->object].instance !=
                    builder->cta_leader[thread->index] ||
                program->memory.objects[other->object].instance != builder->cta_leader[peer])
                continue;
            const struct expr *offset = constant(builder, other->address - own->address);
            add_case(&choice, lies_in_range(builder, address.bits, i),
                     expr_binary(builder->pool, EXPR_ADD, address.bits, offset));
        }
    choice.value.undef = address.undef;
    choice.value.dependencies = address.dependencies;
    return choice.value;
}

// The rank of the CTA in whose .shared memory an address is.
static struct value rank_at(struct thread_builder *thread, const struct instruction *instruction,
                            struct value a) {
    struct builder *builder = thread->builder;
    struct window_choice choice = start_choice(thread, 32);
    for (size_t i = 0; i < builder->program->memory.virtual_range_count; i++) {
        const struct object *object = shared_object(thread, i, true);
        unsigned rank;
        if (!object)
            continue;
        if (!rank_of(thread, instruction, object->instance, &rank))
            break;
        add_case(&choice, lies_in_range(builder, a.bits, i),
                 expr_const_u64(builder->pool, 32, rank));
    }
    struct value result = choice.value;
    result.undef = expr_or(builder->pool, result.undef, a.undef);
    result.dependencies = a.dependencies;
    return result;
}

// getctarank d, a: the rank of the CTA whose .shared memory a is in (PTX ISA 9.7.9.24).
void compute_getctarank(struct thread_builder *thread, const struct instruction *instruction) {
    struct value a = shared_address(thread, instruction);
    thread_write(thread, &instruction->operands[0], rank_at(thread, instruction, a), false);
}

struct value window_in_pair(struct thread_builder *thread, const struct instruction *instruction,
                            struct value address, unsigned rank) {
    struct value even = window_in_rank(thread, instruction, address, rank & ~1U);
    struct value odd = window_in_rank(thread, instruction, address, rank | 1U);
    struct value own = rank_at(thread, instruction, address);
    return program_value_choose(thread->builder,
                                expr_extract(thread->builder->pool, own.bits, 0, 1), odd, even);
}
