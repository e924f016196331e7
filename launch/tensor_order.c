// The order of operations on tensor memory (PTX ISA 9.7.16.6; ptx-9.1.cat: `tensor-order`).
//
// Base causality order does not order them. What does: pipelines of one thread; a wait of the
// thread for its loads and stores; and, for other threads and after commits, a
// fence::before_thread_sync or the commit's arrival, whatever orders execution, and a
// fence::after_thread_sync. Clocks carry what has been handed over wherever execution is ordered.
//
// A pipeline that another thread goes on with is left out. A race that it might prevent is none
// that the run is sure of (tensor_memory.c).
#include "launch/tensor.h"

#include <string.h>

static size_t entry(const struct clock *clock, enum tensor_clock part, enum tensor_group group,
                    uint32_t actor) {
    size_t first = clock->parts - TENSOR_CLOCK_PARTS;
    return (first + (size_t)part * TENSOR_GROUPS + group) * clock->actors + actor;
}

static uint32_t number_in(const struct clock *clock, enum tensor_clock part,
                          enum tensor_group group, const struct lane *lane) {
    return clock == NULL ? 0 : clock->times[entry(clock, part, group, (uint32_t)lane->index)];
}

static void raise(uint32_t *number, uint32_t to) {
    if (to > *number)
        *number = to;
}

// --- Starts --------------------------------------------------------------------------------------

static void unite(struct tensor_reach *all, const struct tensor_reach *more) {
    for (unsigned kind = 0; kind < TENSOR_KINDS; kind++)
        raise(&all->before[kind], more->before[kind]);
}

// Whether all earlier operations of a kind form a pipeline with one of another kind. Two products
// do where they are of one kind, shape and accumulator, which is asked of each two.
static bool is_pipelined(enum tensor_kind earlier, const struct tensor_operation *later) {
    switch (later->kind) {
    case TENSOR_IS_PRODUCT: return earlier != TENSOR_IS_PRODUCT;
    case TENSOR_IS_SHIFT: return earlier == TENSOR_IS_PRODUCT;
    case TENSOR_IS_COPY: return earlier == TENSOR_IS_SHIFT && later->instruction->tensor.is_4x256b;
    default: return false;
    }
}

void tensor_start(struct tensor_operation *operation) {
    struct lane_tensor *own = operation->lane->tensor;
    operation->number = own->issued[operation->group] + 1;
    operation->before = (struct tensor_reach){{0}};
    for (unsigned kind = 0; kind < TENSOR_KINDS; kind++)
        if (is_pipelined(kind, operation)) {
            raise(&operation->before.before[kind], own->issued[TENSOR_COMMITTED]);
            unite(&operation->before, &own->reach[kind]);
        }
    own->issued[operation->group]++;
    if (operation->group != TENSOR_COMMITTED)
        return;
    unite(&own->reach[operation->kind], &operation->before);
    clock_drop(own->resumed_then);
    own->resumed_then = own->resumed == NULL ? NULL : clock_keep(own->resumed);
    memcpy(own->waited_then, own->waited, sizeof own->waited);
}

// --- What is before ------------------------------------------------------------------------------

bool tensor_is_before(const struct tensor_operation *later, const struct lane *lane,
                      enum tensor_group group, enum tensor_kind kind, uint32_t number) {
    const struct lane_tensor *own = later->lane->tensor;
    if (number_in(own->resumed, TENSOR_HANDED_OVER, group, lane) >= number)
        return true;
    if (lane != later->lane)
        return false;
    return group == TENSOR_COMMITTED ? later->before.before[kind] >= number
                                     : own->waited[group] >= number;
}

bool tensor_is_done(const struct lane *lane, const struct lane *by, enum tensor_group group,
                    uint32_t number) {
    return number_in(lane->at.heard, TENSOR_DONE, group, by) >= number;
}

// --- Waits, fences and commits -------------------------------------------------------------------

// Notes something in what a thread has heard.
static void note(struct lane *lane, enum tensor_clock part, enum tensor_group group,
                 uint32_t number) {
    const struct clock *heard = lane->at.heard;
    if (number_in(heard, part, group, lane) >= number)
        return;
    struct clock *clock = clock_new(heard->actors, heard->parts);
    clock->times[entry(clock, part, group, (uint32_t)lane->index)] = number;
    moment_hear(&lane->at, clock);
    clock_drop(clock);
}

void tensor_end_wait(struct lane *lane, enum tensor_group group) {
    lane->tensor->waited[group] = lane->tensor->issued[group];
    note(lane, TENSOR_DONE, group, lane->tensor->issued[group]);
}

// Where a thread has operations that are not known to be complete, others may go on with them.
void tensor_hand_over(struct machine *machine, struct lane *lane) {
    const struct lane_tensor *own = lane->tensor;
    note(lane, TENSOR_HANDED_OVER, TENSOR_LOADS, own->waited[TENSOR_LOADS]);
    note(lane, TENSOR_HANDED_OVER, TENSOR_STORES, own->waited[TENSOR_STORES]);
    machine->order.has_tensors_open |=
        !tensor_is_done(lane, lane, TENSOR_COMMITTED, own->issued[TENSOR_COMMITTED]);
}

void tensor_resume(struct lane *lane) {
    clock_drop(lane->tensor->resumed);
    lane->tensor->resumed = clock_keep(lane->at.heard);
}

// What a commit is for is complete then, and so is what that comes after.
void tensor_commit_to(const struct lane *lane, struct clock *clock) {
    const struct lane_tensor *own = lane->tensor;
    for (unsigned part = 0; part < TENSOR_PARTS; part++) {
        for (unsigned group = 0; group < TENSOR_GROUPS; group++) {
            uint32_t *numbers = &clock->times[entry(clock, part, group, 0)];
            for (size_t i = 0; own->resumed_then != NULL && i < clock->actors; i++)
                raise(
                    &numbers[i],
                    own->resumed_then->times[entry(clock, TENSOR_HANDED_OVER, group, (uint32_t)i)]);
            raise(&numbers[lane->index], own->waited_then[group]);
        }
        raise(&clock->times[entry(clock, part, TENSOR_COMMITTED, (uint32_t)lane->index)],
              own->issued[TENSOR_COMMITTED]);
    }
}

static void add(struct clock *clock, const struct clock *more) {
    for (size_t i = entry(clock, 0, 0, 0); i < clock->parts * clock->actors; i++)
        raise(&clock->times[i], more->times[i]);
}

void tensor_pass_on(const struct lane *lane, struct clock *clock) {
    add(clock, lane->at.heard);
}

void tensor_hear(struct lane *lane, const struct clock *clock) {
    struct clock *known = clock_new(clock->actors, clock->parts);
    add(known, clock);
    moment_hear(&lane->at, known);
    clock_drop(known);
}
