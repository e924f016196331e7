// Release and acquire patterns of a run, and the writes that they begin and end at.
//
// That all executions are interleavings of the threads, in which reads may return old writes, needs
// that base causality and what is read from what make no circle. It is so where each read of
// another thread's write synchronises with it, and what a thread writes later is released after
// that; reads of one place need not, since causality order keeps these from a circle by themselves
// (docs/launches.md, Orders that are explored).
#include "launch/internal.h"
#include "launch/tensor.h"

#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"

#include <stdlib.h>

// --- Places ------------------------------------------------------------------------------------

static bool overlaps(const struct strong_place *place, unsigned object, uint64_t offset,
                     unsigned size) {
    return place->object == object && offset < place->offset + place->size &&
           place->offset < offset + size;
}

static struct place_write *add_write(struct strong_place *place, const struct shadow_access *touch,
                                     struct step_value word) {
    if (place->write_count == place->write_capacity) {
        place->write_capacity = place->write_capacity == 0 ? 4 : 2 * place->write_capacity;
        place->writes = reallocate(place->writes, place->write_capacity, sizeof *place->writes);
    }
    struct place_write *write = &place->writes[place->write_count++];
    *write = (struct place_write){.touch = *touch, .word = word};
    return write;
}

struct strong_place *order_place(struct machine *machine, const struct instruction *instruction,
                                 unsigned object, uint64_t offset, unsigned size) {
    struct run_order *order = &machine->order;
    for (struct strong_place *place = order->places; place != NULL; place = place->next) {
        if (!overlaps(place, object, offset, size))
            continue;
        if (place->offset == offset && place->size == size)
            return place;
        run_give_up(machine, instruction, "unordered accesses of different sizes meet");
        return NULL;
    }
    bool is_memory = object != SC_OBJECT;
    struct strong_place *place = ARENA_NEW(machine->scratch, struct strong_place);
    *place =
        (struct strong_place){order->places,
                              object,
                              offset,
                              size,
                              NULL,
                              0,
                              0,
                              ARENA_ARRAY(machine->scratch, size_t, machine->test->thread_count)};
    add_write(place, &(struct shadow_access){.size = size},
              is_memory ? shadow_read(machine->shadow, object, offset, size)
                        : (struct step_value){{0, 0}, KNOWN});
    return order->places = place;
}

bool order_has_place(const struct machine *machine, unsigned object, uint64_t offset,
                     unsigned size) {
    for (const struct strong_place *place = machine->order.places; place != NULL;
         place = place->next)
        if (overlaps(place, object, offset, size))
            return true;
    return false;
}

// Whether a thread knows that a write has taken place.
static bool has_heard(const struct lane *lane, const struct place_write *write) {
    return write->touch.instruction == NULL || write->touch.thread == lane->index ||
           moment_heard(&lane->at, write->touch.actor, write->touch.time);
}

// --- What no interleaving need show ------------------------------------------------------------

static void note_loose(struct loose_reads *loose, const struct observation *read) {
    const struct strong_place *place = read->place;
    bool is_other =
        loose->is_some && (loose->object != place->object || loose->offset != place->offset);
    if (!loose->is_some) {
        loose->is_some = true;
        loose->object = place->object;
        loose->offset = place->offset;
    }
    if (is_other && loose->why == NULL) {
        loose->why = "it reads what another thread has written, and does not synchronise with it";
        loose->instruction = read->instruction;
    }
}

void order_leave(struct machine *machine, struct lane *lane, const struct strong_place *place) {
    for (size_t i = 0; i < lane->order.observed_count; i++) {
        struct observation *read = &lane->order.observed[i];
        if (!read->is_open || read->place == place)
            continue;
        if (!has_heard(lane, &read->place->writes[read->write]))
            note_loose(&machine->order.loose, read);
        read->is_open = false;
    }
}

// --- Observing ---------------------------------------------------------------------------------

// Adds a read to those that observe a write, and the writes that its chain goes on from.
static void add_observer(const struct machine *machine, struct strong_place *place, size_t write,
                         const struct shadow_access *reader) {
    const struct shadow_access *next = reader;
    for (size_t i = write + 1; i-- > 0;) {
        struct place_write *from = &place->writes[i];
        if (!shadow_are_strong(machine->shadow, &from->touch, next))
            return;
        from->observers =
            reallocate(from->observers, from->observer_count + 1, sizeof *from->observers);
        from->observers[from->observer_count++] = (struct observer){reader->actor, reader->time};
        if (!from->touch.is_atomic)
            return;
        next = &from->touch;
    }
}

// Whether what observes a write is before.
static bool has_observed(const struct place_write *write, const struct moment *moment) {
    for (size_t i = 0; i < write->observer_count; i++)
        if (moment_heard(moment, write->observers[i].actor, write->observers[i].time))
            return true;
    return false;
}

// Whether a write comes before what a thread does next. (ptx-9.1.cat: `cause`)
static bool is_before(const struct lane *lane, const struct place_write *write) {
    return has_heard(lane, write) || has_observed(write, &lane->at);
}

size_t order_oldest(const struct lane *lane, const struct strong_place *place) {
    size_t oldest = place->write_count - 1;
    while (oldest > 0 && !is_before(lane, &place->writes[oldest]))
        oldest--;
    size_t seen = place->seen[lane->index];
    return oldest > seen ? oldest : seen;
}

bool order_is_observed(const struct machine *machine, const struct shadow_access *write,
                       unsigned object, const struct moment *moment) {
    for (const struct strong_place *place = machine->order.places; place != NULL;
         place = place->next) {
        if (!overlaps(place, object, write->offset, write->size))
            continue;
        for (size_t i = 0; i < place->write_count; i++) {
            const struct place_write *w = &place->writes[i];
            if (w->touch.instruction == write->instruction && w->touch.actor == write->actor &&
                w->touch.time == write->time && has_observed(w, moment))
                return true;
        }
    }
    return false;
}

// --- Acquiring ---------------------------------------------------------------------------------

// Whether events of two threads, with these scopes, include each other. (PTX ISA 8.7)
static bool is_mutual(const struct machine *machine, int a, enum scope scope_a, int b,
                      enum scope scope_b) {
    const struct place *x = &machine->test->threads[a].place, *y = &machine->test->threads[b].place;
    return test_scope_contains(scope_a, x, y) && test_scope_contains(scope_b, y, x);
}

// Acquires what a thread has read of a place, or of all. Returns whether nothing is left to be
// acquired with a wider scope.
static bool acquire_one(struct machine *machine, struct lane *lane, enum scope scope,
                        struct observation *read) {
    const struct place_write *write = &read->place->writes[read->write];
    bool all = true;
    for (size_t i = 0; i < write->head_count; i++) {
        const struct release_head *head = &write->heads[i];
        bool mutual = is_mutual(machine, head->thread, head->scope, lane->index, scope);
        if (mutual)
            moment_hear(&lane->at, head->clock);
        all &= mutual;
    }
    return all && (!read->is_open || !write->is_bare || has_heard(lane, write));
}

static void acquire(struct machine *machine, struct lane *lane, enum scope scope,
                    const struct strong_place *place) {
    struct lane_order *order = &lane->order;
    size_t kept = 0;
    for (size_t i = 0; i < order->observed_count; i++) {
        struct observation read = order->observed[i];
        bool is_meant = place == NULL || read.place == place;
        if (!is_meant || !acquire_one(machine, lane, scope, &read))
            order->observed[kept++] = read;
    }
    order->observed_count = kept;
}

static bool acquires(const struct instruction *instruction) {
    return instruction->order == ORDER_ACQUIRE || instruction->order == ORDER_ACQ_REL ||
           instruction->order == ORDER_SC;
}

static bool releases(const struct instruction *instruction) {
    return instruction->order == ORDER_RELEASE || instruction->order == ORDER_ACQ_REL ||
           instruction->order == ORDER_SC;
}

static void observe(struct lane_order *order, const struct observation *read) {
    if (order->observed_count == order->observed_capacity) {
        order->observed_capacity = order->observed_capacity == 0 ? 4 : 2 * order->observed_capacity;
        order->observed =
            reallocate(order->observed, order->observed_capacity, sizeof *order->observed);
    }
    order->observed[order->observed_count++] = *read;
}

void order_read(struct machine *machine, struct lane *lane, struct strong_place *place,
                size_t write, const struct shadow_access *touch) {
    const struct place_write *from = &place->writes[write];
    bool gives = instruction_defines(touch->instruction);
    bool is_open = !has_heard(lane, from);
    place->seen[lane->index] = write;
    machine->order.has_observed |=
        from->touch.instruction != NULL && from->touch.thread != lane->index;
    machine->order.has_stale |= write + 1 < place->write_count;
    if (gives && shadow_are_strong(machine->shadow, &from->touch, touch) &&
        (is_open || from->head_count > 0))
        observe(&lane->order, &(struct observation){place, write, touch->instruction, is_open});
    if (is_open && !touch->writes)
        lane->at.heard_time = lane->at.time;
    if (gives)
        add_observer(machine, place, write, touch);
    if (acquires(touch->instruction))
        acquire(machine, lane, touch->scope, place);
}

// --- Releasing ---------------------------------------------------------------------------------

// Of one thread, scope and kind, the later one says all that the earlier one does.
static void take_later(struct release_head *old, const struct release_head *head) {
    if (old->clock->times[head->thread] >= head->clock->times[head->thread])
        return;
    clock_drop(old->clock);
    old->clock = clock_keep(head->clock);
}

static void add_head(struct place_write *write, const struct release_head *head) {
    for (size_t i = 0; i < write->head_count; i++) {
        struct release_head *old = &write->heads[i];
        if (old->thread == head->thread && old->scope == head->scope &&
            old->is_write == head->is_write) {
            take_later(old, head);
            return;
        }
    }
    write->heads = reallocate(write->heads, write->head_count + 1, sizeof *write->heads);
    write->heads[write->head_count] = *head;
    clock_keep(write->heads[write->head_count++].clock);
}

// Heads of a chain of atomic operations that goes on, or of earlier release writes of the thread to
// the place.
static void add_heads(struct place_write *write, const struct place_write *from, int thread) {
    for (size_t i = 0; i < from->head_count; i++)
        if (thread < 0 || (from->heads[i].thread == thread && from->heads[i].is_write))
            add_head(write, &from->heads[i]);
}

// Whether some release pattern of the thread begins after all that it has heard of.
static bool is_late(const struct lane *lane, const struct place_write *write) {
    for (size_t i = 0; i < write->head_count; i++) {
        const struct release_head *head = &write->heads[i];
        if (head->thread == lane->index &&
            head->clock->times[lane->at.actor] >= lane->at.heard_time)
            return true;
    }
    return false;
}

static void add_own_heads(struct lane *lane, const struct strong_place *place,
                          struct place_write *write) {
    size_t last = place->write_count - 1; // this one
    while (last > 0 && place->writes[last - 1].touch.thread != lane->index)
        last--;
    if (last > 0 && place->writes[last - 1].touch.instruction != NULL)
        add_heads(write, &place->writes[last - 1], lane->index);
    for (enum scope scope = SCOPE_CTA; scope <= SCOPE_SYS; scope++)
        if (lane->order.fences[scope].clock != NULL)
            add_head(write, &lane->order.fences[scope]);
    if (!releases(write->touch.instruction))
        return;
    struct clock *clock = moment_publish(&lane->at);
    add_head(write, &(struct release_head){lane->index, write->touch.scope, true, clock});
    clock_drop(clock);
}

void order_write(struct machine *machine, struct lane *lane, struct strong_place *place,
                 const struct shadow_access *touch, struct step_value word) {
    struct place_write before = place->writes[place->write_count - 1];
    struct place_write *write = add_write(place, touch, word);
    struct loose_reads *loose = &machine->order.loose;
    bool is_open = !has_heard(lane, &before);
    bool is_after = !is_open || order_is_observed(machine, &before.touch, place->object, &lane->at);
    if (!touch->is_atomic && !is_after && loose->why == NULL) {
        loose->why = "which of two stores comes last depends on the order in which threads come";
        loose->instruction = touch->instruction;
    }
    place->seen[lane->index] = place->write_count - 1;
    add_own_heads(lane, place, write);
    write->is_bare = !is_late(lane, write);
    if (touch->is_atomic && shadow_are_strong(machine->shadow, &before.touch, touch)) {
        add_heads(write, &before, -1);
        write->is_bare |= before.is_bare && is_open;
    }
    if (touch->is_atomic && is_open) // what it has read is not in what it releases
        lane->at.heard_time = lane->at.time;
}

void order_overwrite(struct machine *machine, const struct shadow_access *touch, unsigned object,
                     struct step_value word) {
    for (struct strong_place *place = machine->order.places; place != NULL; place = place->next) {
        if (!overlaps(place, object, touch->offset, touch->size))
            continue;
        if (touch->offset == place->offset && touch->size == place->size)
            add_write(place, touch, word)->is_bare = true;
        else
            run_give_up(machine, touch->instruction,
                        "what threads come to unordered is written with another size");
    }
}

// --- Fences ------------------------------------------------------------------------------------

// Each fence.sc comes after those that the run has executed before it and that it is morally strong
// to. (PTX ISA 8.9.3: one of the orders in which they can be)
static void order_sc(struct machine *machine, struct lane *lane,
                     const struct instruction *instruction) {
    struct run_order *order = &machine->order;
    for (size_t i = 0; i < order->sc_count; i++) {
        const struct release_head *other = &order->sc[i];
        bool mutual =
            other->thread != lane->index &&
            is_mutual(machine, other->thread, other->scope, lane->index, instruction->scope);
        order->has_sc |= mutual;
        if (mutual && order->counts_sc) // the order in which they take turns
            moment_hear(&lane->at, other->clock);
    }
}

static void add_sc(struct machine *machine, const struct release_head *head) {
    struct run_order *order = &machine->order;
    for (size_t i = 0; i < order->sc_count; i++)
        if (order->sc[i].thread == head->thread && order->sc[i].scope == head->scope) {
            clock_drop(order->sc[i].clock);
            order->sc[i].clock = clock_keep(head->clock);
            return;
        }
    order->sc = reallocate(order->sc, order->sc_count + 1, sizeof *order->sc);
    order->sc[order->sc_count] = *head;
    clock_keep(order->sc[order->sc_count++].clock);
}

void order_fence(struct machine *machine, struct lane *lane,
                 const struct instruction *instruction) {
    bool is_sc = instruction->order == ORDER_SC;
    if (acquires(instruction))
        acquire(machine, lane, instruction->scope, NULL);
    if (is_sc)
        order_sc(machine, lane, instruction);
    if (!releases(instruction))
        return;
    struct release_head *fence = &lane->order.fences[instruction->scope];
    clock_drop(fence->clock);
    *fence =
        (struct release_head){lane->index, instruction->scope, false, moment_publish(&lane->at)};
    if (is_sc)
        add_sc(machine, fence);
}

struct clock *order_fenced(const struct lane *lane, enum scope least) {
    struct clock *all = NULL;
    if (lane->tensor != NULL) {
        all = clock_new(lane->at.heard->actors, lane->at.heard->parts);
        tensor_pass_on(lane, all);
    }
    for (enum scope scope = least; scope <= SCOPE_SYS; scope++) {
        const struct clock *fence = lane->order.fences[scope].clock;
        if (fence != NULL && all == NULL)
            all = clock_new(fence->actors, fence->parts);
        if (fence != NULL)
            clock_join(all, fence);
    }
    return all;
}

// --- Ends --------------------------------------------------------------------------------------

void order_free(struct run_order *order) {
    for (struct strong_place *place = order->places; place != NULL; place = place->next) {
        for (size_t i = 0; i < place->write_count; i++) {
            for (size_t k = 0; k < place->writes[i].head_count; k++)
                clock_drop(place->writes[i].heads[k].clock);
            free(place->writes[i].heads);
            free(place->writes[i].observers);
        }
        free(place->writes);
    }
    for (size_t i = 0; i < order->sc_count; i++)
        clock_drop(order->sc[i].clock);
    free(order->sc);
}

void lane_order_free(struct lane_order *order) {
    for (enum scope scope = SCOPE_CTA; scope <= SCOPE_SYS; scope++)
        clock_drop(order->fences[scope].clock);
    free(order->observed);
}
