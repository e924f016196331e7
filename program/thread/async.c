// Asynchronous copies (PTX ISA 8.9.1.1, 9.7.9.25): where a thread starts one, what it does on its
// own, and where threads wait for it. The events are described at struct event_async.

#include "program/memory/memory.h"
#include "program/builder.h"
#include "program/dependency/dependencies.h"
#include "program/thread/access.h"
#include "program/thread/compute.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"
#include "program/thread/async.h"

#include <assert.h>

// --- What an operation is about ----------------------------------------------------------------

bool async_check_thread(const struct thread_builder *thread,
                        const struct instruction *instruction) {
    if (thread->thread->place.host)
        diag_error(thread->builder->diagnostics, instruction->span,
                   "a thread of the host is in no CTA and starts no asynchronous operations");
    return !thread->thread->place.host;
}

// A constant operand of 32 bits: a size or a number. Reports others.
static bool constant_operand(struct thread_builder *thread, const struct instruction *instruction,
                             unsigned place, uint64_t *value) {
    return thread_constant(thread, &instruction->operands[place], 32,
                           "the size of an asynchronous copy must not depend on memory", value);
}

// Whether what an operation accesses is accessed in the async proxy.
static bool is_of_async_proxy(const struct instruction *instruction) {
    return opcode_has(instruction->opcode, TRAIT_STARTS) &&
           opcode_proxy(instruction->opcode) == PROXY_ASYNC;
}

static bool is_bulk(const struct instruction *instruction) {
    enum opcode_family family = opcode_family(instruction->opcode);
    return is_of_async_proxy(instruction) && (family == FAMILY_COPY || family == FAMILY_CANCEL);
}

static bool is_reduction(const struct instruction *instruction) {
    return is_bulk(instruction) && instruction->atomic != ATOMIC_NONE;
}

bool async_is_load(const struct instruction *instruction) {
    return is_bulk(instruction) && instruction->operand_count > 3 && !instruction->copy.masked;
}

// Sizes that PTX leaves undefined are mistakes here.
static bool check_size(const struct copy *copy) {
    const struct instruction *instruction = copy->instruction;
    struct diagnostics *diagnostics = copy->thread->builder->diagnostics;
    unsigned long long size = copy->size, taken = copy->taken;
    if (is_bulk(instruction) && size % 16 != 0)
        diag_error(diagnostics, instruction->operands[2].span,
                   "the size of a bulk copy is a multiple of 16 bytes, not %llu", size);
    else if (taken > size)
        diag_error(diagnostics, instruction->operands[3].span,
                   "%llu bytes cannot be read for a copy of %llu", taken, size);
    else
        return true;
    return false;
}

bool async_check_alignment(const struct copy *copy, const struct operand *address) {
    const struct test *test = copy->thread->builder->test;
    if (address->variable < 0)
        return true;
    const struct variable *variable = &test->variables[address->variable];
    if (variable->alignment % copy->aligned == 0 && address->offset % (int)copy->aligned == 0)
        return true;
    diag_error(copy->thread->builder->diagnostics, address->span,
               "an asynchronous copy here needs an address that is a multiple of %u",
               copy->aligned);
    if (variable->alignment % copy->aligned != 0)
        diag_hint(copy->thread->builder->diagnostics, "declare '%s' with '.align %u'",
                  variable->name, copy->aligned);
    return false;
}

enum { CHUNK_BYTES = 16, ALL_BYTES = 0xffff };

// Which bytes of each 16 are copied.
static bool find_mask(struct copy *copy) {
    const struct instruction *instruction = copy->instruction;
    const struct operand *mask = &instruction->operands[instruction->operand_count - 1];
    copy->mask = ALL_BYTES;
    if (!instruction->copy.masked)
        return true;
    return thread_constant(copy->thread, mask, CHUNK_BYTES,
                           "which bytes are copied must not depend on memory", &copy->mask);
}

// --- Parts -------------------------------------------------------------------------------------

// "Strong memory operations with element-wise atomic size specified by .type" (9.7.9.26.4.1 of PTX
// ISA 9.3).
static bool is_relaxed_copy(const struct instruction *instruction) {
    return instruction->opcode == OP_CP_BULK && instruction->order == ORDER_RELAXED;
}

// Whether some part of 16 bytes is copied and not copied: "the i-th bit in the 16-bit wide byteMask
// operand specifies whether the i-th byte of each 16-byte wide chunk of source data is copied" (PTX
// ISA 9.7.9.25.4.1).
static bool divides_masked(uint64_t mask, unsigned part) {
    for (unsigned i = 0; i < CHUNK_BYTES; i++)
        if ((mask >> i & 1) != (mask >> i / part * part & 1))
            return true;
    return false;
}

// The parts of a reduction are its elements, as are those of a copy that has any.
unsigned async_part_of(const struct copy *copy) {
    if (is_relaxed_copy(copy->instruction))
        return scalar_type_bits(copy->instruction->type) / 8;
    if (is_reduction(copy->instruction))
        return scalar_type_bits(copy->instruction->type) / 8;
    unsigned part = part_size_of(copy->thread, copy->instruction);
    while (copy->size % part != 0 || copy->taken % part != 0 || copy->left % part != 0 ||
           copy->right % part != 0 || divides_masked(copy->mask, part))
        part /= 2;
    return part;
}

// "The load operations in cp.reduce.async.bulk are treated as weak" (PTX ISA 9.7.9.25.4.2).
void async_mark(struct copy *copy, size_t first, enum async_step step, enum state_space space) {
    struct builder *builder = copy->thread->builder;
    struct program *program = builder->program;
    for (size_t i = first; i < program->event_count; i++) {
        struct event_async *async = ARENA_NEW(builder->arena, struct event_async);
        *async = (struct event_async){.step = step,
                                      .issue = copy->issue,
                                      .place = copy->peer != 0 ? (int)copy->peer - 1
                                                               : copy->thread->index,
                                      .target = step == ASYNC_READ ? 0 : copy->target,
                                      .space = space};
        program->events[i].async = async;
        if (is_of_async_proxy(copy->instruction) && step != ASYNC_COMPLETE)
            program->events[i].proxy = step == ASYNC_MAP ? PROXY_TENSORMAP : PROXY_ASYNC;
        if ((step == ASYNC_READ || step == ASYNC_MAP) && !is_relaxed_copy(copy->instruction)) {
            program->events[i].order = ORDER_WEAK;
            program->events[i].scope = SCOPE_NONE;
        }
    }
}

static struct access_shape shape_at(const struct copy *copy, unsigned operand,
                                    enum state_space space) {
    const struct operand *address = &copy->instruction->operands[operand];
    return (struct access_shape){.instruction = copy->instruction,
                                 .address = access_address(copy->thread, address, space),
                                 .bits = 8 * copy->part,
                                 .is_signed = scalar_type_is_signed(copy->instruction->type)};
}

// "At the same CTA-relative offset" in the CTA at hand.
static void move_to_target(const struct copy *copy, struct access_shape *shape) {
    if (copy->target != 0)
        shape->address =
            window_in_rank(copy->thread, copy->instruction, shape->address, copy->target - 1);
}

static struct access place_of(const struct copy *copy, unsigned part) {
    return (struct access){part, copy->aligned / copy->part};
}

// --- Tiles -------------------------------------------------------------------------------------

// The shape of the access to a part of the tensor.
static struct access_shape tile_shape(const struct copy *copy, uint64_t offset) {
    struct expr_pool *pool = copy->thread->builder->pool;
    struct value address = copy->tile->base;
    address.bits = expr_binary(pool, EXPR_ADD, address.bits, expr_const_u64(pool, 64, offset));
    return (struct access_shape){.instruction = copy->instruction,
                                 .address = address,
                                 .bits = 8 * copy->part,
                                 .is_signed = scalar_type_is_signed(copy->instruction->type)};
}

static bool is_tile_store(const struct copy *copy) {
    return copy->tile != NULL && !async_is_load(copy->instruction);
}

// What a tensor copy reads for a part; "elements outside of the tensor are set to 0" (PTX ISA
// 5.5.3.3), and those of a store are not needed.
static struct value read_of_tile(const struct copy *copy, unsigned part) {
    uint64_t offset;
    if (!tile_offset(copy->tile, (uint64_t)part * copy->part, &offset))
        return program_value_const(copy->thread->builder, 8 * copy->part, (struct bits128){0});
    struct access_shape tile = tile_shape(copy, offset);
    struct access_shape box = shape_at(copy, 2, copy->instruction->copy.source_space);
    if (is_tile_store(copy))
        return access_add_load(copy->thread, &box, place_of(copy, part));
    return access_add_load(copy->thread, &tile, (struct access){0, 1});
}

static void write_of_tile(const struct copy *copy, unsigned part, struct value value) {
    uint64_t offset;
    if (!tile_offset(copy->tile, (uint64_t)part * copy->part, &offset))
        return;
    struct access_shape tile = tile_shape(copy, offset);
    if (is_reduction(copy->instruction))
        access_add_atomic(copy->thread, &tile, (struct access){0, 1}, value, value);
    else
        access_add_write(copy->thread, &tile, (struct access){0, 1}, value);
}

// Leaves a read of the source out where the copy ignores it: zero is written then.
static void ignore(const struct copy *copy, size_t read, struct value *value) {
    struct builder *builder = copy->thread->builder;
    const struct expr *ignored = copy->ignored->bits;
    struct value zero = program_value_const(builder, value->bits->width, (struct bits128){0});
    if (read >= builder->program->event_count)
        return;
    struct event *event = &builder->program->events[read];
    event_restrict(builder, event, expr_not(builder->pool, ignored));
    event->addr = dependencies_union(builder, event->addr, copy->ignored->dependencies);
    struct value both = program_value_of(builder, value->bits, *value, *copy->ignored);
    both.bits = expr_ite(builder->pool, ignored, zero.bits, value->bits);
    *value = both;
}

// What a copy reads for a part of its source, and then writes: zeros where it does not read so
// much, and nothing that is known where it ignores bytes.
static struct value read_of_source(const struct copy *copy, const struct access_shape *source,
                                   unsigned part) {
    struct builder *builder = copy->thread->builder;
    if ((uint64_t)part * copy->part >= copy->taken)
        return program_value_const(builder, source->bits, (struct bits128){0});
    bool ignores = ignored_has(copy, part);
    if (ignores && !ignored_is_there(copy, source->address, part))
        return program_value_unknown(builder, source->bits);
    struct value read = access_add_load(copy->thread, source, place_of(copy, part));
    return ignores ? program_value_unknown(builder, source->bits) : read;
}

// A read event for each part of the source; what they read.
static struct value *add_reads(struct copy *copy) {
    struct builder *builder = copy->thread->builder;
    unsigned count = (unsigned)(copy->size / copy->part);
    struct value *values = ARENA_ARRAY(builder->arena, struct value, count);
    size_t first = builder->program->event_count;
    for (unsigned i = 0; i < count && copy->tile != NULL; i++)
        values[i] = read_of_tile(copy, i);
    struct access_shape source = {.bits = 8 * copy->part};
    if (copy->tile == NULL)
        source = shape_at(copy, 1, copy->instruction->copy.source_space);
    for (unsigned i = 0; i < count && copy->tile == NULL; i++)
        values[i] = read_of_source(copy, &source, i);
    for (unsigned i = 0; i < count && copy->ignored != NULL; i++)
        ignore(copy, first + i, &values[i]);
    async_mark(copy, first, ASYNC_READ, copy->instruction->copy.source_space);
    return values;
}

// Where an operation writes. With .release it is in global memory, also where nothing says so. The
// answer of a try_cancel for all CTAs is at one offset in the memory of each CTA of the cluster.
enum state_space async_destination_of(const struct instruction *instruction) {
    if (instruction->copy.to_all && instruction->space == SPACE_SHARED)
        return SPACE_SHARED_CLUSTER;
    return instruction->order == ORDER_RELEASE ? SPACE_GLOBAL : instruction->space;
}

static bool is_copied(const struct copy *copy, unsigned part) {
    return (copy->mask >> (uint64_t)part * copy->part % CHUNK_BYTES & 1) != 0;
}

static void write_parts(const struct copy *copy, const struct access_shape *target,
                        const struct value *values) {
    unsigned count = (unsigned)(copy->size / copy->part);
    for (unsigned i = 0; i < count; i++)
        if (is_tile_store(copy))
            write_of_tile(copy, i, values[i]);
        else if (is_reduction(copy->instruction))
            access_add_atomic(copy->thread, target, place_of(copy, i), values[i], values[i]);
        else if (!copy->instruction->copy.masked || is_copied(copy, i))
            access_add_write(copy->thread, target, place_of(copy, i), values[i]);
}

// What is written for each part: of a reduction, a read and a write that are one atomic operation.
void async_add_writes(struct copy *copy, const struct value *values) {
    struct builder *builder = copy->thread->builder;
    enum state_space space = async_destination_of(copy->instruction);
    struct access_shape target = {.bits = 8 * copy->part};
    if (!is_tile_store(copy))
        target = shape_at(copy, 0, space);
    move_to_target(copy, &target);
    size_t first = builder->program->event_count;
    struct multimem multimem = {.copies = 1};
    if (copy->instruction->copy.to_copies &&
        !multimem_find(copy->thread, copy->instruction, &target, &multimem))
        return;
    for (unsigned k = 0; k < multimem.copies; k++) {
        if (copy->instruction->copy.to_copies)
            target.address = multimem_address(copy->thread, &multimem, k);
        write_parts(copy, &target, values);
    }
    async_mark(copy, first, ASYNC_WRITE, space);
}

void async_add_fence(struct copy *copy, enum async_step step) {
    size_t first = copy->thread->builder->program->event_count;
    struct event *fence = thread_add_event(copy->thread, EVENT_PROXY_FENCE, copy->instruction);
    if (fence == NULL)
        return;
    fence->order = ORDER_NONE;
    fence->space = SPACE_GENERIC;
    async_mark(copy, first, step, SPACE_GENERIC);
}

// --- Issuing, and completion -------------------------------------------------------------------

unsigned async_add_event(struct thread_builder *thread, const struct instruction *instruction,
                         enum event_kind kind, enum async_step step, const struct expr *group) {
    struct builder *builder = thread->builder;
    unsigned index = (unsigned)builder->program->event_count;
    struct event *event = thread_add_event(thread, kind, instruction);
    if (event == NULL)
        return index;
    event->order = ORDER_NONE;
    event->async = ARENA_NEW(builder->arena, struct event_async);
    *event->async =
        (struct event_async){.step = step, .issue = index, .place = thread->index, .group = group};
    return index;
}

static bool has_part(const struct event *event, unsigned issue, unsigned target) {
    return event_is_detached(event) && event->async->issue == issue &&
           (event->async->target == 0 || event->async->target == target) &&
           event->async->step != ASYNC_COMPLETE;
}

// The events of a copy are complete at the operation on its mbarrier, which is what was added from
// `first` on.
void async_complete_at(struct copy *copy, size_t first, unsigned issue) {
    struct program *program = copy->thread->builder->program;
    for (size_t i = first; i < program->event_count; i++)
        for (size_t k = program->init_count; k < first; k++)
            if (has_part(&program->events[k], issue, copy->target))
                dependencies_add(copy->thread->builder, &program->events[i].async->done,
                                 (unsigned)k, copy->thread->builder->always);
}

// The arrival or complete-tx of an operation: ordered with its accesses alone (PTX ISA 8.9.1.1).
size_t async_add_completion(struct copy *copy, const struct operand *object, enum state_space space,
                            unsigned arrivals, uint64_t bytes, enum scope scope) {
    struct program *program = copy->thread->builder->program;
    size_t first = program->event_count;
    struct access_shape shape = mbarrier_shape(copy->thread, copy->instruction, object, space);
    if (copy->target != 0 && copy->instruction->of_pair &&
        opcode_has(copy->instruction->opcode, TRAIT_MAPPED))
        shape.address =
            window_in_pair(copy->thread, copy->instruction, shape.address, copy->target - 1);
    else
        move_to_target(copy, &shape);
    mbarrier_complete(copy->thread, &shape, arrivals, bytes);
    async_mark(copy, first, ASYNC_COMPLETE, space);
    for (size_t i = first; i < program->event_count; i++) {
        program->events[i].order = ORDER_RELEASE;
        program->events[i].scope = scope;
        program->events[i].proxy = PROXY_GENERIC;
    }
    return first;
}

// --- Copies ------------------------------------------------------------------------------------

static bool start_copy(struct copy *copy) {
    struct thread_builder *thread = copy->thread;
    const struct instruction *instruction = copy->instruction;
    bool partial = instruction->opcode == OP_CP_ASYNC && instruction->operand_count > 3;
    if (!async_check_thread(thread, instruction) ||
        !constant_operand(thread, instruction, 2, &copy->size))
        return false;
    copy->taken = copy->size;
    if (partial && copy->ignored == NULL && !constant_operand(thread, instruction, 3, &copy->taken))
        return false;
    if (!find_mask(copy) || !ignored_find(copy))
        return false;
    copy->aligned = is_bulk(instruction) ? 16 : (unsigned)copy->size;
    if (!check_size(copy) || !async_check_alignment(copy, &instruction->operands[0]) ||
        !async_check_alignment(copy, &instruction->operands[1]))
        return false;
    copy->part = async_part_of(copy);
    return true;
}

// What a copy writes, the fence for it, and where it is complete: once, or for a CTA of a
// multicast.
static void deliver(struct copy *copy, const struct value *values) {
    bool bulk = is_bulk(copy->instruction);
    async_add_writes(copy, values);
    if (bulk)
        async_add_fence(copy, ASYNC_FENCE);
    if (async_is_load(copy->instruction)) {
        size_t first = async_add_completion(copy, &copy->instruction->operands[3],
                                            copy->instruction->space, 0, copy->size, SCOPE_CLUSTER);
        async_complete_at(copy, first, copy->issue);
    }
}

// .multicast::cluster: each CTA whose bit is set gets the data and the signal at its mbarrier.
static void deliver_to_all(struct copy *copy, const struct value *values) {
    uint64_t ranks;
    if (!multicast_find_ranks(copy->thread, copy->instruction, instruction_mask(copy->instruction),
                              &ranks))
        return;
    for (unsigned rank = 0; rank < MULTICAST_CTAS; rank++) {
        copy->target = rank + 1;
        if ((ranks >> rank & 1) != 0)
            deliver(copy, values);
    }
}

void async_transfer(struct copy *copy) {
    const struct value *values = add_reads(copy);
    if (is_bulk(copy->instruction) && !async_is_load(copy->instruction))
        async_add_fence(copy, ASYNC_READ_FENCE);
    if (instruction_is_multicast(copy->instruction))
        deliver_to_all(copy, values);
    else
        deliver(copy, values);
}

// cp.async, cp.async.bulk and cp.reduce.async.bulk.
void async_copy(struct thread_builder *thread, const struct instruction *instruction) {
    struct copy copy = {.thread = thread, .instruction = instruction};
    bool load = async_is_load(instruction), bulk = is_bulk(instruction);
    const struct operand *bytes = &instruction->operands[3];
    struct value ignored;
    if (instruction->opcode == OP_CP_ASYNC && instruction->operand_count > 3 &&
        bytes->kind == OPERAND_REGISTER && thread->thread->registers[bytes->reg].width == 1) {
        ignored = thread_operand(thread, bytes, 1, false);
        copy.ignored = &ignored;
    }
    if (!start_copy(&copy))
        return;
    const struct expr *group = thread->commits[bulk ? ASYNC_OF_BULK : ASYNC_OF_CP];
    copy.issue =
        async_add_event(thread, instruction, EVENT_ISSUE, ASYNC_ISSUE, load ? NULL : group);
    async_transfer(&copy);
    thread->position++;
}

// Where a store or a reduction is complete on an mbarrier, if it is on one: with .release it is
// not. From PTX ISA 9.3 on, 9.7.9.12 does not say that the completion of a store releases.
static void end_store(struct copy *copy) {
    const struct instruction *instruction = copy->instruction;
    struct program *program = copy->thread->builder->program;
    bool silent =
        instruction->opcode == OP_ST_ASYNC && copy->thread->builder->test->directives.version >= 93;
    if (instruction->operand_count > 2) {
        size_t first = async_add_completion(copy, &instruction->operands[2], instruction->space, 0,
                                            copy->size, SCOPE_CLUSTER);
        for (size_t i = first; i < program->event_count && silent; i++)
            program->events[i].order = ORDER_RELAXED;
        async_complete_at(copy, first, copy->issue);
    }
    copy->thread->position++;
}

// st.async: the values are those at the issue.
void async_store(struct thread_builder *thread, const struct instruction *instruction) {
    struct builder *builder = thread->builder;
    const struct operand *source = &instruction->operands[1];
    unsigned bits = scalar_type_bits(instruction->type);
    unsigned count = operand_length(source);
    struct copy copy = {.thread = thread, .instruction = instruction, .part = bits / 8};
    if (!async_check_thread(thread, instruction))
        return;
    copy.size = copy.aligned = count * copy.part;
    struct value *values = ARENA_ARRAY(builder->arena, struct value, count);
    for (unsigned i = 0; i < count; i++)
        values[i] = thread_operand(thread, operand_element(source, i), bits, false);
    copy.issue = async_add_event(thread, instruction, EVENT_ISSUE, ASYNC_ISSUE, NULL);
    async_add_writes(&copy, values);
    end_store(&copy);
}

// red.async: one read-modify-write, with the value at the issue; of a multimem address, one for
// each variable to which it points.
void async_reduce(struct thread_builder *thread, const struct instruction *instruction) {
    struct program *program = thread->builder->program;
    struct copy copy = {.thread = thread, .instruction = instruction};
    if (!async_check_thread(thread, instruction))
        return;
    copy.size = copy.part = copy.aligned = scalar_type_bits(instruction->type) / 8;
    struct value value = thread_operand(thread, &instruction->operands[1], 8 * copy.part, false);
    copy.issue = async_add_event(thread, instruction, EVENT_ISSUE, ASYNC_ISSUE, NULL);
    struct access_shape shape = shape_at(&copy, 0, async_destination_of(instruction));
    struct multimem multimem = {.copies = 1};
    shape.is_signed = scalar_type_is_signed(instruction->type);
    size_t first = program->event_count;
    if (instruction->copy.to_copies && !multimem_find(thread, instruction, &shape, &multimem))
        return;
    for (unsigned k = 0; k < multimem.copies; k++) {
        if (instruction->copy.to_copies)
            shape.address = multimem_address(thread, &multimem, k);
        access_add_atomic(thread, &shape, place_of(&copy, 0), value, value);
    }
    async_mark(&copy, first, ASYNC_WRITE, async_destination_of(instruction));
    end_store(&copy);
}

// --- Groups ------------------------------------------------------------------------------------

static enum async_sequence sequence_of(enum opcode opcode) {
    if (opcode_family(opcode) == FAMILY_WGMMA)
        return ASYNC_OF_WGMMA;
    return opcode_proxy(opcode) == PROXY_ASYNC ? ASYNC_OF_BULK : ASYNC_OF_CP;
}

void async_count(struct thread_builder *thread, enum async_sequence sequence,
                 const struct expr *count) {
    assert(sequence < ASYNC_SEQUENCES);
    const struct expr **counted = &thread->commits[sequence];
    *counted = expr_ite(thread->builder->pool, thread->guard, count, *counted);
    thread->commit_count++;
}

// What is not in a group yet becomes the next one, which may be empty.
void async_commit(struct thread_builder *thread, const struct instruction *instruction) {
    struct expr_pool *pool = thread->builder->pool;
    if (!async_check_thread(thread, instruction))
        return;
    const struct expr *commits = thread->commits[sequence_of(instruction->opcode)];
    async_count(thread, sequence_of(instruction->opcode),
                expr_binary(pool, EXPR_ADD, commits, expr_const_u64(pool, 32, 1)));
}

// Whether all but the latest groups, of which there are `pending`, have a group.
static const struct expr *is_complete(struct expr_pool *pool, const struct expr *group,
                                      const struct expr *commits, uint64_t pending) {
    const struct expr *more = expr_const_u64(pool, 33, pending + 1);
    return expr_binary(pool, EXPR_ULE,
                       expr_binary(pool, EXPR_ADD, expr_resize(pool, group, 33, false), more),
                       expr_resize(pool, commits, 33, false));
}

// Whether a wait for groups is for an event of an operation: .read waits only for what was read. Of
// a tensor copy that completes on an mbarrier a group tracks the reading of the tensormap, and no
// more (PTX ISA 9.7.9.25.5.2).
static bool waits_for(const struct program *program, const struct event *event,
                      const struct instruction *wait) {
    if (!event_is_detached(event))
        return false;
    enum async_step step = event->async->step;
    const struct event *issue = &program->events[event->async->issue];
    bool read = step == ASYNC_MAP || step == ASYNC_READ || step == ASYNC_READ_FENCE;
    if (async_is_load(issue->instruction) && step != ASYNC_MAP)
        return false;
    return issue->async->group != NULL &&
           sequence_of(issue->instruction->opcode) == sequence_of(wait->opcode) &&
           (read || !opcode_has(wait->opcode, TRAIT_READING));
}

// After a wgmma.wait_group all groups but the latest ones are complete.
static void note_waited(struct thread_builder *thread, const struct expr *commits,
                        uint64_t pending) {
    struct expr_pool *pool = thread->builder->pool;
    const struct expr *latest = expr_const_u64(pool, 32, pending);
    const struct expr *waited = thread->commits[WGMMA_WAITED];
    const struct expr *complete = expr_binary(pool, EXPR_SUB, commits, latest);
    const struct expr *more = expr_and(pool, expr_binary(pool, EXPR_ULE, latest, commits),
                                       expr_binary(pool, EXPR_ULT, waited, complete));
    async_count(thread, WGMMA_WAITED, expr_ite(pool, more, complete, waited));
}

// cp.async.wait_group N, cp.async.bulk.wait_group N and wgmma.wait_group N; cp.async.wait_all
// commits what there is.
void async_wait(struct thread_builder *thread, const struct instruction *instruction) {
    struct builder *builder = thread->builder;
    uint64_t pending = 0;
    if (!async_check_thread(thread, instruction))
        return;
    bool of_all = instruction->operand_count == 0;
    if (of_all)
        async_commit(thread, instruction);
    else if (!constant_operand(thread, instruction, 0, &pending))
        return;
    unsigned wait = async_add_event(thread, instruction, EVENT_ASYNC_WAIT, ASYNC_WAIT, NULL);
    thread->position++;
    const struct expr *commits = thread->commits[sequence_of(instruction->opcode)];
    struct program *program = builder->program;
    for (unsigned i = (unsigned)program->init_count; i < wait && wait < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (event->thread == thread->index && waits_for(program, event, instruction))
            dependencies_add(builder, &program->events[wait].async->done, i,
                             of_all ? builder->always
                                    : is_complete(builder->pool,
                                                  program->events[event->async->issue].async->group,
                                                  commits, pending));
    }
    if (opcode_family(instruction->opcode) == FAMILY_WGMMA)
        note_waited(thread, commits, pending);
}

// griddepcontrol.wait: "causes the executing thread to wait until all prerequisite grids in flight
// have completed" (PTX ISA 9.7.13.13). Without such a grid in the test it has nothing to wait for.
void grid_wait(struct thread_builder *thread, const struct instruction *instruction) {
    const struct test *test = thread->builder->test;
    bool waits = false;
    for (size_t i = 0; i < test->thread_count; i++)
        waits = waits || test_grid_waits_for(test, &thread->thread->place, &test->threads[i].place);
    if (waits)
        async_add_event(thread, instruction, EVENT_ASYNC_WAIT, ASYNC_WAIT, NULL);
    thread->position++;
}

// griddepcontrol.launch_dependents: what precedes it may count for the grids that depend on the
// thread's own (PTX ISA 9.7.13.13).
void grid_launch(struct thread_builder *thread, const struct instruction *instruction) {
    const struct test *test = thread->builder->test;
    bool launches = false;
    for (size_t i = 0; i < test->thread_count; i++)
        launches =
            launches || test_grid_depends(test, &test->threads[i].place, &thread->thread->place);
    struct event *event =
        launches ? thread_add_event(thread, EVENT_GRID_LAUNCH, instruction) : NULL;
    if (event != NULL)
        event->order = ORDER_NONE;
    thread->position++;
}

// cp.async.mbarrier.arrive: without .noinc one more arrival is pending at once; the arrival takes
// place when all earlier cp.async of the thread are complete (PTX ISA 9.7.13.15.14).
void async_arrive(struct thread_builder *thread, const struct instruction *instruction) {
    struct program *program = thread->builder->program;
    const struct operand *object = &instruction->operands[0];
    struct copy copy = {.thread = thread, .instruction = instruction};
    if (!async_check_thread(thread, instruction))
        return;
    if (instruction->opcode == OP_CP_ASYNC_ARRIVE)
        mbarrier_raise(thread, instruction, object);
    copy.issue = async_add_event(thread, instruction, EVENT_ISSUE, ASYNC_ISSUE, NULL);
    size_t first = async_add_completion(&copy, object, instruction->space, 1, 0, SCOPE_CTA);
    for (size_t i = program->init_count; i < first && first < program->event_count; i++)
        if (program->events[i].kind == EVENT_ISSUE && program->events[i].thread == thread->index &&
            program->events[i].instruction->opcode == OP_CP_ASYNC)
            async_complete_at(&copy, first, (unsigned)i);
    thread->position++;
}

// --- Where they take place ---------------------------------------------------------------------

// The thread that stands for the CTA whose shared memory an event touches; -1: none, or one of
// several.
static int owner_of(const struct program *program, const struct event *event) {
    int owner = -1;
    for (size_t i = 0; i < event->candidate_count; i++) {
        const struct object *object = &program->memory.objects[event->candidates[i].object];
        if (!state_space_is_shared(object->space) || (i > 0 && object->instance != owner))
            return -1;
        owner = object->instance;
    }
    return owner;
}

// Whether an operation has to write to the memory of another CTA than that of its thread: red.async
// (PTX ISA 9.7.13.7), and copies from shared to shared memory (9.7.9.25.4.1).
static bool is_for_other_ctas(const struct instruction *instruction) {
    return instruction->opcode == OP_RED_ASYNC ||
           (instruction->opcode == OP_CP_BULK &&
            state_space_is_shared(instruction->copy.source_space));
}

// Whether a thread is in a cluster of one CTA, where "the behavior is undefined" of an st.async
// that completes on an mbarrier (PTX ISA 9.7.9.12).
static bool is_alone(const struct test *test, int thread) {
    const struct place *place = &test->threads[thread].place;
    for (size_t t = 0; t < test->thread_count; t++)
        if (test_same_cluster(place, &test->threads[t].place) &&
            !test_same_cta(place, &test->threads[t].place))
            return false;
    return true;
}

// "The mbarrier object must be in the same CTA as the destination", or with .cta_group::2 "in its
// peer-CTA"; else PTX does not define what an operation does.
static void check_owner(struct builder *builder, const struct event *write, struct event *end) {
    const struct thread *threads = builder->test->threads;
    int owner = owner_of(builder->program, write), other = owner_of(builder->program, end);
    if (write->candidate_count == 0 || end->candidate_count == 0) // that has been reported
        return;
    if (owner < 0 || other < 0)
        diag_error(builder->diagnostics, end->instruction->span,
                   "the CTA to which an asynchronous operation writes, and that of its mbarrier, "
                   "must not depend on memory");
    else if (end->instruction->of_pair && program_are_peers(builder->test, owner, other))
        return;
    else if (owner != other ||
             (end->instruction->opcode == OP_ST_ASYNC && is_alone(builder->test, end->thread)) ||
             (is_for_other_ctas(end->instruction) &&
              test_same_cta(&threads[owner].place, &threads[end->thread].place)))
        end->mbarrier->undefined = builder->always;
}

// Place of asynchronous work: the writes of an operation that reaches another CTA, the implicit
// fence for them, and what is done to the mbarrier are in the CTA of the issuer, or in that of the
// destination.
static void place_with(struct builder *builder, const struct event *write) {
    struct program *program = builder->program;
    const struct thread *threads = builder->test->threads;
    int owner = owner_of(program, write);
    if (owner >= 0 && !test_same_cta(&threads[owner].place, &threads[write->thread].place))
        program->async_reaches_out = true;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        struct event *event = &program->events[i];
        if (!event_is_detached(event) || event->async->issue != write->async->issue ||
            event->async->target != write->async->target)
            continue;
        enum async_step step = event->async->step;
        if (step == ASYNC_COMPLETE && event->kind == EVENT_WRITE)
            check_owner(builder, write, event);
        bool moves = step == ASYNC_WRITE || step == ASYNC_FENCE || step == ASYNC_COMPLETE;
        if (builder->plan->options->async_destination && owner >= 0 && moves)
            event->async->place = owner;
    }
}

void async_find_places(struct builder *builder) {
    struct program *program = builder->program;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (event_is_detached(event) && event->async->step == ASYNC_WRITE)
            place_with(builder, event);
    }
}
