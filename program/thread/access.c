// Memory accesses and fences: the events that an instruction becomes.

#include "program/thread/access.h"
#include "program/builder.h"
#include "program/dependency/dependencies.h"
#include "program/memory/memory.h"
#include "program/thread/compute.h"
#include "program/thread/others.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"

#include <assert.h>

// --- Events ------------------------------------------------------------------------------------

// Makes room for one more event.
static void grow_events(struct builder *builder) {
    struct arena *arena = builder->arena;
    struct program *program = builder->program;
    size_t count = program->event_count;
    program->events = arena_grow(arena, program->events, count, sizeof *program->events);
    builder->accesses = arena_grow(arena, builder->accesses, count, sizeof *builder->accesses);
    builder->reaches = arena_grow(arena, builder->reaches, count, sizeof *builder->reaches);
    builder->loops.left =
        arena_grow(arena, builder->loops.left, count, sizeof *builder->loops.left);
}

// The accesses, fences and barriers of all threads, as they are written.
static size_t written_events(const struct test *test) {
    enum { EVENTS = EFFECT_READS | EFFECT_WRITES | EFFECT_ORDERS | EFFECT_BARRIER };
    size_t count = 0;
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++)
            count += (opcode_effects(test->threads[t].instructions[i].opcode) & EVENTS) != 0;
    return count;
}

void builder_report_events(struct builder *builder, struct span span) {
    assert(span.begin <= span.end);
    const struct test *test = builder->test;
    if (!builder->too_many_events)
        diag_error(builder->diagnostics, span, "the test has more than %d events",
                   (int)PROGRAM_MAX_EVENTS);
    if (!builder->too_many_events && test->threads[0].launch)
        diag_hint(builder->diagnostics,
                  "its %zu threads have %zu accesses, fences and barriers, and an atomic operation "
                  "is two events; 'threads 0, 32' in the launch models these threads of each block",
                  test->thread_count, written_events(test));
    builder->too_many_events = true;
}

struct event *builder_add_event(struct builder *builder, struct span span) {
    assert(span.begin <= span.end);
    struct program *program = builder->program;
    if (program->event_count - builder->alone.count == PROGRAM_MAX_EVENTS ||
        program->event_count == BUILDER_MAX_EVENTS) {
        builder_report_events(builder, span);
        return NULL;
    }
    grow_events(builder);
    struct event *event = &program->events[program->event_count];
    event->id = (unsigned)program->event_count++;
    event->thread = -1;
    return event;
}

enum scope access_scope(const struct instruction *instruction) {
    switch (instruction->order) {
    case ORDER_WEAK: return SCOPE_NONE;
    case ORDER_VOLATILE:
    case ORDER_MMIO: return SCOPE_SYS;
    default: return instruction->scope;
    }
}

struct event *thread_add_event(struct thread_builder *thread, enum event_kind kind,
                               const struct instruction *instruction) {
    struct builder *builder = thread->builder;
    struct event *event = builder_add_event(builder, instruction->span);
    if (event == NULL)
        return NULL;
    event->kind = kind;
    event->thread = thread->index;
    event->position = thread->position;
    event->instruction = instruction;
    event->order = kind == EVENT_PROXY_FENCE ? instruction->fence.order : instruction->order;
    event->scope = access_scope(instruction);
    event->proxy = instruction->proxy;
    event->space = instruction->fence.space;
    event->executes = expr_and(builder->pool, thread->active, thread->unblocked);
    event->ctrl = thread->ctrl;
    builder->reaches[event->id] = thread->active;
    builder->loops.left[event->id] = thread->left_spins;
    return event;
}

void event_restrict(struct builder *builder, struct event *event, const struct expr *condition) {
    assert(condition->width == 1);
    event->executes = expr_and(builder->pool, event->executes, condition);
    builder->reaches[event->id] = expr_and(builder->pool, builder->reaches[event->id], condition);
}

// --- Accesses ----------------------------------------------------------------------------------

const struct operand *access_address_operand(const struct instruction *instruction) {
    return &instruction->operands[instruction_defines(instruction) ? 1 : 0];
}

// An address in a register is relative to the window of the space.
struct value access_address(struct thread_builder *thread, const struct operand *operand,
                            enum state_space space) {
    assert((unsigned)space <= SPACE_SHARED_CLUSTER);
    struct builder *builder = thread->builder;
    struct value base =
        program_value_const(builder, 64, (struct bits128){.low = program_window(space)});
    if (operand->variable >= 0) {
        unsigned range = memory_range(builder, thread->index, operand->variable);
        base.bits = expr_const_u64(builder->pool, 64,
                                   builder->program->memory.virtual_ranges[range].address);
    } else if (operand->reg >= 0) {
        const struct expr *window = base.bits;
        base = thread_register(thread, operand->reg, operand->span);
        base.bits = expr_binary(builder->pool, EXPR_ADD,
                                expr_resize(builder->pool, base.bits, 64, false), window);
    }
    base.bits = expr_binary(builder->pool, EXPR_ADD, base.bits,
                            expr_const_u64(builder->pool, 64, (uint64_t)operand->offset));
    return base;
}

// Where an access has no type (Dat3M's dialect) its variable's decides, or the register's width.
static unsigned access_bits(const struct thread_builder *thread,
                            const struct instruction *instruction) {
    const struct operand *address = access_address_operand(instruction);
    if (instruction->type != TYPE_NONE)
        return scalar_type_bits(instruction->type);
    if (address->variable >= 0)
        return 8 * memory_element_size(&thread->builder->test->variables[address->variable]);
    bool is_load = (opcode_effects(instruction->opcode) & EFFECT_WRITES) == 0;
    const struct operand *data = &instruction->operands[is_load ? 0 : 1];
    if (data->kind == OPERAND_REGISTER)
        return thread->thread->registers[data->reg].width;
    return 32;
}

struct access_shape access_shape_of(struct thread_builder *thread,
                                    const struct instruction *instruction) {
    return (struct access_shape){
        .instruction = instruction,
        .address = access_address(thread, access_address_operand(instruction), instruction->space),
        .bits = access_bits(thread, instruction),
        .is_signed = scalar_type_is_signed(instruction->type)};
}

static struct event *add_access(struct thread_builder *thread, enum event_kind kind,
                                const struct access_shape *shape, struct access place) {
    struct builder *builder = thread->builder;
    struct event *event = thread_add_event(thread, kind, shape->instruction);
    if (event == NULL)
        return NULL;
    uint64_t offset = (uint64_t)place.element * (shape->bits / 8);
    builder->accesses[event->id] = place;
    event->size = shape->bits / 8;
    event->address = expr_binary(builder->pool, EXPR_ADD, shape->address.bits,
                                 expr_const_u64(builder->pool, 64, offset));
    event->addr = shape->address.dependencies;
    event->access = ARENA_NEW(builder->arena, struct event_access);
    event->access->rmw = -1;
    event->access->undef = builder->never;
    return event;
}

struct value access_add_read(struct thread_builder *thread, const struct access_shape *shape,
                             struct access place) {
    struct builder *builder = thread->builder;
    struct event *event = add_access(thread, EVENT_READ, shape, place);
    if (event == NULL)
        return program_value_const(builder, shape->bits, (struct bits128){0});
    event->access->value = expr_leaf(builder->pool, EXPR_READ, shape->bits, event->id);
    if (builder->tracks_undef)
        event->access->undef = expr_leaf(builder->pool, EXPR_READ_UNDEF, 1, event->id);
    struct value value = {.bits = event->access->value,
                          .undef =
                              expr_or(builder->pool, event->access->undef, shape->address.undef),
                          .dependencies = dependencies_of_read(builder, event->id)};
    return private_read(thread, event, value, shape->address.undef);
}

// What a read returns that is not there where threads that are left out may have stored: anything,
// where `choice` holds.
static struct value or_anything(struct builder *builder, struct value value,
                                const struct expr *choice, struct value anything) {
    assert(choice->width == 1);
    value.bits = expr_ite(builder->pool, choice, anything.bits, value.bits);
    value.undef = expr_or(builder->pool, choice, value.undef);
    return value;
}

// What the other threads store synchronises with nothing here, and takes no part in a race.
struct value access_add_load(struct thread_builder *thread, const struct access_shape *shape,
                             struct access place) {
    struct builder *builder = thread->builder;
    size_t index = builder->program->event_count;
    struct value value = access_add_read(thread, shape, place);
    if (index == builder->program->event_count)
        return value; // there are too many events
    const struct expr *choice = others_choose(builder, &builder->program->events[index]);
    if (choice == NULL)
        return value;
    event_restrict(builder, &builder->program->events[index], expr_not(builder->pool, choice));
    return or_anything(builder, value, choice, program_value_unknown(builder, shape->bits));
}

struct event *access_add_write(struct thread_builder *thread, const struct access_shape *shape,
                               struct access place, struct value value) {
    struct event *event = add_access(thread, EVENT_WRITE, shape, place);
    if (event == NULL)
        return NULL;
    event->access->value = value.bits;
    event->access->undef = value.undef;
    event->data = value.dependencies;
    private_write(thread, event, value);
    return event;
}

// --- Loads and stores --------------------------------------------------------------------------

// A vector load is a set of scalar loads in no order: its elements share a position. The element
// of a sink is not read (PTX ISA 9.7.9.8). Registers change after all elements are read: one of
// them may hold the address.
void access_load(struct thread_builder *thread, const struct instruction *instruction) {
    const struct operand *destination = &instruction->operands[0];
    struct access_shape shape = access_shape_of(thread, instruction);
    unsigned count = operand_length(destination);
    for (unsigned i = 0; i < count; i++) {
        const struct operand *target = operand_element(destination, i);
        if (target->kind == OPERAND_SINK && count > 1)
            continue;
        struct value value = access_add_load(thread, &shape, (struct access){i, count});
        thread_write(thread, target, value, shape.is_signed);
    }
    thread->position++;
}

void access_store(struct thread_builder *thread, const struct instruction *instruction) {
    const struct operand *source = &instruction->operands[1];
    struct access_shape shape = access_shape_of(thread, instruction);
    unsigned count = operand_length(source);
    for (unsigned i = 0; i < count; i++) {
        const struct operand *operand = operand_element(source, i);
        if (operand->kind == OPERAND_SINK)
            continue;
        access_add_write(thread, &shape, (struct access){i, count},
                         thread_operand(thread, operand, shape.bits, shape.is_signed));
    }
    thread->position++;
}

// --- Atomic operations -------------------------------------------------------------------------

const struct expr *atomic_result(struct expr_pool *pool, enum atomic_op op, bool is_signed,
                                 const struct expr *old, const struct expr *b,
                                 const struct expr *c) {
    enum expr_op less = is_signed ? EXPR_SLT : EXPR_ULT;
    const struct expr *zero = expr_const_u64(pool, old->width, 0);
    const struct expr *one = expr_const_u64(pool, old->width, 1);
    switch (op) {
    case ATOMIC_ADD: return expr_binary(pool, EXPR_ADD, old, b);
    case ATOMIC_SUB: return expr_binary(pool, EXPR_SUB, old, b);
    case ATOMIC_MUL: return expr_binary(pool, EXPR_MUL, old, b);
    case ATOMIC_DIV: return expr_binary(pool, is_signed ? EXPR_SDIV : EXPR_UDIV, old, b);
    case ATOMIC_INC: // old >= b ? 0 : old + 1 (PTX ISA 9.7.13.5)
        return expr_ite(pool, expr_binary(pool, EXPR_ULE, b, old), zero,
                        expr_binary(pool, EXPR_ADD, old, one));
    case ATOMIC_DEC: // old == 0 || old > b ? b : old - 1
        return expr_ite(
            pool, expr_or(pool, expr_eq(pool, old, zero), expr_binary(pool, EXPR_ULT, b, old)), b,
            expr_binary(pool, EXPR_SUB, old, one));
    case ATOMIC_MIN: return expr_ite(pool, expr_binary(pool, less, b, old), b, old);
    case ATOMIC_MAX: return expr_ite(pool, expr_binary(pool, less, old, b), b, old);
    case ATOMIC_AND: return expr_binary(pool, EXPR_AND, old, b);
    case ATOMIC_OR: return expr_binary(pool, EXPR_OR, old, b);
    case ATOMIC_XOR: return expr_binary(pool, EXPR_XOR, old, b);
    case ATOMIC_EXCH: return b;
    case ATOMIC_CAS: return c; // where it writes at all
    default: bug("atomic operation %d", (int)op);
    }
}

// What the write of an atom or red stores: the dependencies are the operands', and the read's own
// unless the operation is an exchange. `address` is that of the element.
static struct value atomic_value(struct thread_builder *thread, const struct access_shape *shape,
                                 const struct expr *address, struct value old, struct value b,
                                 struct value c) {
    struct builder *builder = thread->builder;
    enum atomic_op op = shape->instruction->atomic;
    if ((instruction_is_multimem(shape->instruction) || shape->instruction->copy.to_copies) &&
        scalar_type_is_float(shape->instruction->type)) // how it is rounded is not said
        return program_value_of(builder, program_value_unknown(builder, shape->bits).bits,
                                program_value_unknown(builder, shape->bits),
                                program_value_of(builder, old.bits, old, b));
    if (float_computes(shape->instruction))
        return float_atomic(builder, shape->instruction, address, old, b);
    struct value value = {
        .bits = atomic_result(builder->pool, op, shape->is_signed, old.bits, b.bits, c.bits)};
    if (op == ATOMIC_EXCH) {
        value.undef = b.undef;
        value.dependencies = b.dependencies;
        return value;
    }
    struct value inputs =
        program_value_of(builder, value.bits, program_value_of(builder, value.bits, old, b), c);
    value.dependencies = inputs.dependencies;
    value.undef = op == ATOMIC_CAS ? c.undef : inputs.undef;
    return value;
}

// A red, or an atom whose result is dropped: "simple reductions may be specified by using the bit
// bucket destination operand" (PTX ISA 9.7.13.5).
static bool is_reduction(const struct instruction *instruction) {
    return !instruction_defines(instruction) || instruction->operands[0].kind == OPERAND_SINK;
}

// A cas writes only where what it read equals `b`.
static void link_atomic(struct thread_builder *thread, const struct access_shape *shape,
                        struct event *write, unsigned read, struct value old, struct value b) {
    struct builder *builder = thread->builder;
    const struct instruction *instruction = shape->instruction;
    write->access->rmw = (int)read;
    write->access->is_red = is_reduction(instruction);
    builder->program->events[read].access->rmw = (int)write->id;
    builder->program->events[read].access->is_red = write->access->is_red;
    if (instruction->atomic == ATOMIC_CAS)
        event_restrict(builder, write, expr_eq(builder->pool, old.bits, b.bits));
}

// A read-modify-write, of which `read` is the first event, may find what a thread has stored that
// is left out: then it is the store of a value that nothing is known of. Returns what it has read.
static struct value other_atomic(struct thread_builder *thread, const struct access_shape *shape,
                                 struct access place, unsigned read, struct value old,
                                 struct value b, struct value c) {
    struct builder *builder = thread->builder;
    struct event *events = builder->program->events;
    const struct expr *choice = others_choose(builder, &events[read]);
    if (choice == NULL)
        return old;
    const struct expr *address = events[read].address;
    event_restrict(builder, &events[read], expr_not(builder->pool, choice));
    event_restrict(builder, &events[read + 1], expr_not(builder->pool, choice));
    struct value anything = program_value_unknown(builder, shape->bits);
    struct event *write = access_add_write(thread, shape, place,
                                           atomic_value(thread, shape, address, anything, b, c));
    if (write == NULL)
        return old;
    event_restrict(builder, write, choice);
    if (shape->instruction->atomic == ATOMIC_CAS)
        event_restrict(builder, write, expr_eq(builder->pool, anything.bits, b.bits));
    return or_anything(builder, old, choice, anything);
}

struct value access_add_atomic(struct thread_builder *thread, const struct access_shape *shape,
                               struct access place, struct value b, struct value c) {
    struct builder *builder = thread->builder;
    unsigned read = (unsigned)builder->program->event_count;
    struct value old = access_add_read(thread, shape, place);
    if (read == builder->program->event_count)
        return old; // there are too many events
    thread->position += place.element_count == 1 && !instruction_is_multimem(shape->instruction);
    struct value result =
        atomic_value(thread, shape, builder->program->events[read].address, old, b, c);
    struct event *write = access_add_write(thread, shape, place, result);
    if (write == NULL)
        return old;
    link_atomic(thread, shape, write, read, old, b);
    return other_atomic(thread, shape, place, read, old, b, c);
}

static void atomic_scalar(struct thread_builder *thread, const struct instruction *instruction) {
    const struct operand *operands = access_address_operand(instruction) + 1;
    struct access_shape shape = access_shape_of(thread, instruction);
    struct value b = thread_operand(thread, &operands[0], shape.bits, shape.is_signed), c = b;
    if (instruction->atomic == ATOMIC_CAS)
        c = thread_operand(thread, &operands[1], shape.bits, shape.is_signed);
    struct value old = access_add_atomic(thread, &shape, (struct access){0, 1}, b, c);
    if (instruction_defines(instruction))
        thread_write(thread, &instruction->operands[0], old, shape.is_signed);
}

// Part of a value, as one of its packed numbers.
static struct value part_of(struct builder *builder, struct value value, unsigned first,
                            unsigned width) {
    assert(width > 0);
    const struct expr *bits = expr_extract(builder->pool, value.bits, first, width);
    return program_value_of(builder, bits, value, value);
}

static struct value pack(struct builder *builder, struct value high, struct value low) {
    const struct expr *bits = expr_binary(builder->pool, EXPR_CONCAT, high.bits, low.bits);
    return program_value_of(builder, bits, high, low);
}

// Atomic operations on vectors and packed types are a set of scalar ones in no order, of which each
// is atomic separately (PTX ISA 8.2.4, 8.2.5, 9.7.13.5). Their events share a position: what orders
// the read of one before its write is that they are one operation (program_po).
static void atomic_elements(struct thread_builder *thread, const struct instruction *instruction) {
    enum { ELEMENTS_MAX = 8 };
    struct builder *builder = thread->builder;
    const struct operand *source = access_address_operand(instruction) + 1;
    struct access_shape shape = access_shape_of(thread, instruction);
    unsigned vector = operand_length(source), width = shape.bits;
    unsigned parts = float_is_packed(instruction) ? 2 : 1;
    struct value operands[ELEMENTS_MAX], old[ELEMENTS_MAX];
    shape.bits = width / parts;
    for (unsigned i = 0; i < vector; i++)
        operands[i] = thread_operand(thread, operand_element(source, i), width, false);
    for (unsigned i = 0; i < vector; i++)
        for (unsigned k = 0; k < parts; k++) {
            struct value b = part_of(builder, operands[i], k * shape.bits, shape.bits);
            struct access place = {i * parts + k, vector * parts};
            struct value read = access_add_atomic(thread, &shape, place, b, b);
            old[i] = k == 0 ? read : pack(builder, read, old[i]);
        }
    thread->position++;
    const struct operand *target = &instruction->operands[0];
    for (unsigned i = 0; i < vector && instruction_defines(instruction); i++)
        thread_write(thread, operand_element(target, i), old[i], false);
}

void access_atomic(struct thread_builder *thread, const struct instruction *instruction) {
    if (instruction->vector > 1 || float_is_packed(instruction)) {
        atomic_elements(thread, instruction);
        return;
    }
    atomic_scalar(thread, instruction);
    thread->position++;
}

// --- Dispatch ----------------------------------------------------------------------------------

void access_fence(struct thread_builder *thread, const struct instruction *instruction) {
    thread_add_event(thread, EVENT_FENCE, instruction);
    thread->position++;
}

// A proxy fence; the form with an address operand is about the 128 bytes there.
void access_proxy_fence(struct thread_builder *thread, const struct instruction *instruction) {
    struct event *event = thread_add_event(thread, EVENT_PROXY_FENCE, instruction);
    if (event != NULL && instruction->operand_count > 0) {
        struct value address =
            access_address(thread, access_address_operand(instruction), instruction->space);
        event->size = 128;
        event->address = address.bits;
        event->addr = address.dependencies;
        thread->builder->accesses[event->id] = (struct access){0, 1};
    }
    thread->position++;
}

// --- Tensormaps --------------------------------------------------------------------------------

// Textures, constants and tensormaps are only read through their proxies.
bool access_refused(struct thread_builder *thread, const struct instruction *instruction) {
    bool is_write = (opcode_effects(instruction->opcode) & EFFECT_WRITES) != 0;
    if (!is_write || proxy_has(instruction->proxy, PROXY_WRITES))
        return false;
    diag_error(thread->builder->diagnostics, instruction->opcode_span, "the %s proxy is read-only",
               proxy_name(instruction->proxy));
    diag_hint(thread->builder->diagnostics, "write through the variable that it aliases");
    return true;
}
