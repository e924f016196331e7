// Allocation of tensor memory (PTX ISA 9.7.16.7): tcgen05.alloc and .dealloc.
//
// What the allocations of a CTA give are the variables in .tmem of the test, one after the other
// (memory-model section 19).

#include "litmus/columns.h"
#include "program/builder.h"
#include "program/dependency/dependencies.h"
#include "program/thread/access.h"
#include "program/thread/compute.h"
#include "program/thread/tensor.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"
#include "program/thread/async.h"

enum { MOST_COLUMNS = 512 };

// --- The instructions ---------------------------------------------------------------------------

static bool find_count(struct thread_builder *thread, const struct operand *operand,
                       unsigned *count) {
    struct diagnostics *diagnostics = thread->builder->diagnostics;
    uint64_t columns;
    if (!thread_constant(thread, operand, 32,
                         "the number of columns of tensor memory must not depend on memory",
                         &columns))
        return false;
    *count = (unsigned)columns;
    if (columns_fit(columns))
        return true;
    diag_error(diagnostics, operand->span,
               "tensor memory is allocated in powers of 2 from 32 to 512 columns, not in %llu",
               (unsigned long long)columns);
    return false;
}

// The columns that the CTA has allocated before; how many there were last. Whether the thread has
// come to the same instruction before.
static unsigned allocated_before(const struct thread_builder *thread,
                                 const struct instruction *instruction, unsigned *last,
                                 bool *again) {
    const struct builder *builder = thread->builder;
    unsigned sum = 0;
    *last = MOST_COLUMNS;
    *again = false;
    for (size_t i = builder->program->init_count; i < builder->program->event_count; i++) {
        const struct event *event = &builder->program->events[i];
        if (!event_allocates(event) ||
            builder->cta_leader[event->thread] != builder->cta_leader[thread->index])
            continue;
        sum += event->columns->count;
        *last = event->columns->count;
        *again |= event->thread == thread->index && event->instruction == instruction;
    }
    return sum;
}

static bool report_columns(struct thread_builder *thread, const struct instruction *instruction,
                           const struct variable *variable, unsigned count) {
    struct diagnostics *diagnostics = thread->builder->diagnostics;
    if (variable->has_initial) {
        diag_error(
            diagnostics, variable->span,
            "'%s' has an initial value, and the test allocates its tensor memory, which holds "
            "nothing that is known then",
            variable->name);
        return false;
    }
    if (variable->element_count == count)
        return true;
    diag_error(diagnostics, instruction->operands[1].span,
               "this allocates '%s', which has %llu columns, and not %u", variable->name,
               (unsigned long long)variable->element_count, count);
    diag_hint(diagnostics, "the allocations of a CTA give the variables in .tmem in their order");
    return false;
}

// What PTX says of several allocations, and what the model does not have.
static bool check_sum(struct thread_builder *thread, const struct instruction *instruction,
                      unsigned sum, unsigned last, unsigned count) {
    struct diagnostics *diagnostics = thread->builder->diagnostics;
    if (count > last)
        diag_error(diagnostics, instruction->operands[1].span,
                   "\"the number of columns allocated should not increase between any two "
                   "allocations\" of a CTA (PTX ISA 9.7.16.7.1), and the one before has %u",
                   last);
    else if (sum + count > MOST_COLUMNS)
        diag_error(diagnostics, instruction->operands[1].span,
                   "a CTA has 512 columns of tensor memory, and allocations that wait until others "
                   "are deallocated are not modelled");
    else
        return true;
    return false;
}

static struct event *add_event(struct thread_builder *thread, const struct instruction *instruction,
                               const struct expr *first, unsigned count) {
    struct event *event = thread_add_event(thread, EVENT_TENSOR_FENCE, instruction);
    if (event == NULL)
        return NULL;
    event->order = ORDER_NONE;
    event->columns = ARENA_NEW(thread->builder->arena, struct event_columns);
    *event->columns = (struct event_columns){first, count};
    return event;
}

// The variable that an allocation gives, or -1 after an error.
static int find_allocated(struct thread_builder *thread, const struct instruction *instruction,
                          unsigned count) {
    struct builder *builder = thread->builder;
    unsigned last;
    bool again;
    unsigned sum = allocated_before(thread, instruction, &last, &again);
    int variable = columns_variable(builder->test, thread->index, instruction);
    if (!check_sum(thread, instruction, sum, last, count))
        return -1;
    if (again) {
        diag_error(builder->diagnostics, instruction->opcode_span,
                   "allocations of tensor memory in a loop are not modelled");
        return -1;
    }
    if (variable < 0) {
        diag_error(builder->diagnostics, instruction->opcode_span,
                   "the test has no variable in .tmem for this allocation");
        diag_hint(builder->diagnostics, "'.tmem .b32 t[%u];' is what it gives", count);
        return -1;
    }
    return report_columns(thread, instruction, &builder->test->variables[variable], count)
               ? variable
               : -1;
}

// tcgen05.alloc: "writes the address of the allocated Tensor Memory into shared memory", after
// which it is over; "the store operation is treated as a weak memory operation".
void tensor_allocate(struct thread_builder *thread, const struct instruction *instruction) {
    struct builder *builder = thread->builder;
    unsigned count;
    if (!async_check_thread(thread, instruction) || !tensor_check_peer(thread, instruction) ||
        !find_count(thread, &instruction->operands[1], &count))
        return;
    int variable = find_allocated(thread, instruction, count);
    if (variable < 0)
        return;
    uint64_t column = thread_address(thread, variable, instruction->span);
    struct value address = program_value_const(builder, 32, (struct bits128){.low = column});
    if (add_event(thread, instruction, address.bits, count) == NULL)
        return;
    thread->position++;
    struct access_shape shape = {
        .instruction = instruction,
        .address = access_address(thread, &instruction->operands[0], instruction->space),
        .bits = 32};
    access_add_write(thread, &shape, (struct access){0, 1}, address);
    thread->position++;
}

void tensor_deallocate(struct thread_builder *thread, const struct instruction *instruction) {
    unsigned count;
    if (!async_check_thread(thread, instruction) || !tensor_check_peer(thread, instruction) ||
        !find_count(thread, &instruction->operands[1], &count))
        return;
    struct value first = thread_operand(thread, &instruction->operands[0], 32, false);
    struct event *event = add_event(thread, instruction, first.bits, count);
    if (event != NULL)
        event->data = first.dependencies;
    thread->position++;
}

// --- What accesses are about --------------------------------------------------------------------

// What an allocation gives.
static const struct virtual_range *range_of(const struct builder *builder,
                                            const struct event *allocation) {
    uint64_t first = allocation->columns->first->value.low;
    uint64_t address = program_window(SPACE_TENSOR) + first * TENSOR_CELL_BYTES;
    return places_range_of(&builder->program->memory, address,
                           allocation->columns->count * TENSOR_CELL_BYTES);
}

static bool in_one_cta(const struct builder *builder, const struct event *a,
                       const struct event *b) {
    return builder->cta_leader[a->thread] == builder->cta_leader[b->thread];
}

// Whether two allocations are one of a pair of CTAs: "one warp from each of the peer CTAs must
// collectively perform the allocation".
static const struct expr *are_one(const struct builder *builder, const struct event *a,
                                  const struct event *b) {
    const struct virtual_range *left = range_of(builder, a), *right = range_of(builder, b);
    bool pair = a->instruction->of_pair && b->instruction->of_pair && !in_one_cta(builder, a, b) &&
                program_are_peers(builder->test, a->thread, b->thread) && left != NULL &&
                right != NULL && left->variable == right->variable;
    return pair ? builder->always : builder->never;
}

// Whether an event is about what an allocation gives (one bit): an access, by where it is; a
// tcgen05.dealloc, by its operands.
static const struct expr *is_about(const struct builder *builder, const struct event *allocation,
                                   const struct event *event) {
    const struct expr *result = builder->never;
    if (event_allocates(event))
        return event->columns != NULL ? are_one(builder, allocation, event) : builder->never;
    if (event_deallocates(event))
        return event->columns->count == allocation->columns->count
                   ? expr_binary(builder->pool, EXPR_EQ, event->columns->first,
                                 allocation->columns->first)
                   : builder->never;
    const struct virtual_range *range = range_of(builder, allocation);
    for (size_t i = 0; range != NULL && i < event->candidate_count; i++)
        if (event->candidates[i].object == range->object)
            result = expr_or(builder->pool, result, event->candidates[i].condition);
    return result;
}

static void find_for(struct builder *builder, unsigned allocation, struct event *event) {
    const struct event *first = &builder->program->events[allocation];
    if (!event->instruction->of_pair && !in_one_cta(builder, first, event))
        return;
    dependencies_add(builder, &event->allocations, allocation,
                     expr_and(builder->pool, first->executes, is_about(builder, first, event)));
}

void tensor_find_allocations(struct builder *builder) {
    struct program *program = builder->program;
    for (unsigned i = (unsigned)program->init_count; i < program->event_count; i++)
        for (size_t k = program->init_count; k < program->event_count; k++) {
            struct event *event = &program->events[k];
            if (event_allocates(&program->events[i]) && program->events[i].columns != NULL &&
                (event_is_in_tensor_memory(event) || event_allocates(event) ||
                 event_deallocates(event)))
                find_for(builder, i, event);
        }
}
