// When threads that a launch leaves out store, by the barriers of all threads of their CTA, and
// which reads cannot find that (memory-model section 13).
//
// The n-th arrivals of all threads at a barrier of all threads make up its n-th phase. So what a
// thread does before its next arrival after n of them comes before what another one does after it
// has waited for phase n + 1. An exit is not an arrival: what is before it comes before nothing,
// unless the thread is sure to arrive once more. A read that comes before a store does not find it,
// nor does one that comes after another store, of the same bytes, which comes after that store.

#include "program/builder.h"
#include "program/barrier/barriers.h"
#include "program/thread/others.h"

#include <string.h>

// --- Barriers with a thread count --------------------------------------------------------------

static const struct operand *count_of(const struct instruction *instruction) {
    unsigned count = instruction->operand_count;
    switch (instruction->barrier) {
    case BARRIER_SYNC:
    case BARRIER_ARRIVE: return count > 1 ? &instruction->operands[1] : NULL;
    case BARRIER_RED: return count > 3 ? &instruction->operands[2] : NULL;
    default: return NULL;
    }
}

static bool is_of_all(const struct test *test, size_t thread, const struct operand *count) {
    return test->threads[thread].launch != NULL && count->kind == OPERAND_IMMEDIATE &&
           count->immediate.low == launch_block_size(test->threads[thread].launch);
}

unsigned left_windows_counted(const struct test *test) {
    unsigned counted = 0, all = (1U << CTA_BARRIERS) - 1;
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++) {
            const struct instruction *at = &test->threads[t].instructions[i];
            const struct operand *count = count_of(at);
            if (count == NULL || is_of_all(test, t, count))
                continue;
            const struct operand *id = &at->operands[at->barrier == BARRIER_RED ? 1 : 0];
            counted |= id->kind == OPERAND_IMMEDIATE && id->immediate.low < CTA_BARRIERS
                           ? 1U << id->immediate.low
                           : all;
        }
    return counted;
}

bool left_windows_apart(const struct test *test) {
    const struct operand *number = NULL;
    for (size_t t = 0; t < test->thread_count; t++)
        for (size_t i = 0; i < test->threads[t].instruction_count; i++) {
            const struct instruction *at = &test->threads[t].instructions[i];
            if (opcode_family(at->opcode) != FAMILY_BARRIER || at->barrier == BARRIER_WARP_SYNC ||
                at->barrier == BARRIER_CLUSTER_ARRIVE || at->barrier == BARRIER_CLUSTER_WAIT)
                continue;
            const struct operand *id = &at->operands[at->barrier == BARRIER_RED ? 1 : 0];
            if (id->kind != OPERAND_IMMEDIATE ||
                (number != NULL && number->immediate.low != id->immediate.low))
                return true;
            number = id;
        }
    return false;
}

// --- When an event is --------------------------------------------------------------------------

// Comparing conditions takes time: where more arrivals before an event are not sure than this,
// nothing is known of it, and so many that are not are looked at after it.
enum { UNCERTAIN_MAX = 24 };

// The arrivals of a program at barriers of a CTA, in the order of its events.
struct left_timer {
    const struct builder *builder;
    unsigned counted, used; // barriers, as bits
    const struct event **arrivals;
    size_t count;
};

static bool is_arrival_of_cta(const struct builder *builder, const struct event *event) {
    return event_is_arrival(event) && !expr_is_false(event->executes) &&
           builder->barrier_groups[event->barrier->group].level == BARRIER_OF_CTA;
}

static bool is_at(const struct event *arrival, unsigned barrier) {
    return expr_is_const(arrival->barrier->id) && arrival->barrier->id->value.low == barrier;
}

static bool waits_there(const struct builder *builder, const struct event *arrival) {
    size_t next = (size_t)arrival->id + 1;
    const struct program *program = builder->program;
    return next < program->event_count && event_is_wait(&program->events[next]) &&
           program->events[next].barrier->arrival == (int)arrival->id;
}

static bool is_widened(const struct builder *builder, const struct event *event) {
    return builder->loops.widened && event->id >= builder->loops.widened_from;
}

struct left_timer *left_timer_new(const struct builder *builder, struct arena *arena,
                                  unsigned counted) {
    const struct program *program = builder->program;
    struct left_timer *timer = ARENA_NEW(arena, struct left_timer);
    *timer = (struct left_timer){.builder = builder, .counted = counted};
    timer->arrivals = ARENA_ARRAY(arena, const struct event *, program->event_count + 1);
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (!is_arrival_of_cta(builder, event))
            continue;
        const struct expr *id = event->barrier->id;
        timer->arrivals[timer->count++] = event;
        if (expr_is_const(id) && id->value.low < CTA_BARRIERS)
            timer->used |= 1U << id->value.low;
    }
    return timer;
}

// The arrivals of a thread at a barrier, seen from an event of it.
struct arrivals {
    unsigned certain, waited; // before it: how many are sure, and the last of them that waits
    unsigned possible;        // before it
    unsigned uncertain;       // of these
    bool unbounded;           // these may be more
    const struct expr *later; // one bit: there is one after it, of the first few
    unsigned later_count;
};

static void count_before(const struct builder *builder, const struct event *event,
                         const struct event *arrival, unsigned barrier, struct arrivals *found) {
    if (expr_is_false(expr_and(builder->pool, event->executes, arrival->executes)))
        return;
    found->possible++;
    found->uncertain += !expr_is_true(arrival->executes);
    found->unbounded |= is_widened(builder, arrival);
    if (!is_at(arrival, barrier) ||
        !expr_implies(builder->pool, event->executes, arrival->executes))
        return;
    found->certain++;
    if (waits_there(builder, arrival))
        found->waited = found->certain;
}

static struct arrivals count(const struct left_timer *timer, const struct event *event,
                             unsigned barrier) {
    const struct builder *builder = timer->builder;
    struct arrivals found = {.later = builder->never};
    for (size_t i = 0; i < timer->count && found.uncertain <= UNCERTAIN_MAX; i++) {
        const struct event *arrival = timer->arrivals[i];
        if (arrival->thread != event->thread ||
            (expr_is_const(arrival->barrier->id) && !is_at(arrival, barrier)))
            continue;
        // One round stands for all further ones.
        found.unbounded |= is_widened(builder, event) && is_widened(builder, arrival);
        if (arrival->position < event->position)
            count_before(builder, event, arrival, barrier, &found);
        else if (is_at(arrival, barrier) && found.later_count++ < UNCERTAIN_MAX)
            found.later = expr_or(builder->pool, found.later, builder->reaches[arrival->id]);
    }
    return found;
}

// Whether the thread of an event arrives again after it, unless it never ends.
static bool arrives_again(const struct builder *builder, const struct event *event,
                          const struct expr *later) {
    const struct expr *ends =
        expr_and(builder->pool, event->executes, builder->ends.exits[event->thread]);
    return expr_is_false(ends) || expr_implies(builder->pool, ends, later);
}

static bool is_ordered_by_barriers(const struct event *event) {
    return !event_is_detached(event) && event->mbarrier == NULL && event->proxy == PROXY_GENERIC;
}

struct left_window left_window_of(const struct left_timer *timer, const struct event *event) {
    const struct builder *builder = timer->builder;
    struct left_window window;
    memset(&window, 0, sizeof window);
    memset(window.most, LEFT_NEVER, sizeof window.most);
    window.cta = builder->cta_leader[event->thread];
    if (!is_ordered_by_barriers(event))
        return window;
    for (unsigned barrier = 0; barrier < CTA_BARRIERS; barrier++) {
        if (((timer->used & ~timer->counted) >> barrier & 1) == 0)
            continue;
        struct arrivals arrivals = count(timer, event, barrier);
        if (arrivals.uncertain > UNCERTAIN_MAX || arrivals.possible >= LEFT_NEVER)
            continue;
        window.least[barrier] = (unsigned char)arrivals.waited;
        // Rounds of a waiting loop of the CTA that are left out have barriers, too.
        if (!arrivals.unbounded && builder->loops.cta_waits == NULL &&
            arrives_again(builder, event, arrivals.later))
            window.most[barrier] = (unsigned char)arrivals.possible;
    }
    return window;
}

bool left_window_before(const struct left_window *a, const struct left_window *b) {
    for (unsigned i = 0; a->cta == b->cta && i < CTA_BARRIERS; i++)
        if (a->most[i] < b->least[i])
            return true;
    return false;
}

// --- What overwrites what others store ---------------------------------------------------------

// A store of a thread of the test to bytes that are known.
struct own_store {
    const struct event *event;
    struct left_window when;
};
struct own_stores {
    const struct builder *builder;
    const struct left_timer *timer;
    struct own_store *items;
    size_t count;
};

static struct own_stores collect(const struct builder *builder) {
    const struct program *program = builder->program;
    struct own_stores stores = {.builder = builder};
    stores.timer = left_timer_new(builder, builder->arena, builder->plan->left_stores->counted);
    stores.items = ARENA_ARRAY(builder->arena, struct own_store, program->event_count + 1);
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (event->kind == EVENT_WRITE && is_ordered_by_barriers(event) &&
            expr_is_const(event->address) && !expr_is_false(event->executes) &&
            others_may_store_at(builder, event->address->value.low, event->size))
            stores.items[stores.count++] =
                (struct own_store){event, left_window_of(stores.timer, event)};
    }
    return stores;
}

// Whether a store is to all bytes from begin to end.
static bool covers(const struct event *store, uint64_t begin, uint64_t end) {
    uint64_t address = store->address->value.low;
    return address <= begin && end <= address + store->size;
}

// Whether a store takes place before a read whenever the read does.
static bool is_before(const struct builder *builder, const struct own_store *store,
                      const struct event *read, const struct left_window *when) {
    if (store->event->thread == read->thread)
        return store->event->position < read->position &&
               expr_implies(builder->pool, read->executes, store->event->executes);
    return expr_is_true(builder->reaches[store->event->id]) &&
           left_window_before(&store->when, when);
}

// Whether another store comes between what others store in this range and a read of bytes from
// begin to end.
static bool is_overwritten(const struct own_stores *stores, const struct left_range *range,
                           uint64_t begin, uint64_t end, const struct event *read,
                           const struct left_window *when) {
    uint64_t from = range->begin > begin ? range->begin : begin,
             to = range->end < end ? range->end : end;
    for (size_t i = 0; i < stores->count; i++)
        if (covers(stores->items[i].event, from, to) &&
            left_window_before(&range->when, &stores->items[i].when) &&
            (read == NULL ? expr_is_true(stores->builder->reaches[stores->items[i].event->id])
                          : is_before(stores->builder, &stores->items[i], read, when)))
            return true;
    return false;
}

static bool is_hidden(const struct own_stores *stores, uint64_t address, uint64_t size,
                      const struct event *read, const struct left_window *when) {
    const struct builder *builder = stores->builder;
    const struct left_places *places = &builder->plan->left_stores->stores;
    struct left_places unknown = {.anywhere_global = places->anywhere_global,
                                  .anywhere_shared = places->anywhere_shared};
    if (left_places_contain(builder, &builder->plan->left_stores->changes, address, size) ||
        left_places_contain(builder, &unknown, address, size))
        return false;
    for (size_t i = 0; i < places->count && places->items[i].begin < address + size; i++) {
        const struct left_range *range = &places->items[i];
        bool unseen = range->end <= address ||
                      (read != NULL && left_window_before(when, &range->when)) ||
                      is_overwritten(stores, range, address, address + size, read, when);
        if (!unseen)
            return false;
    }
    return true;
}

bool left_windows_overwritten(const struct builder *builder, uint64_t address, uint64_t size) {
    struct own_stores stores = collect(builder);
    return is_hidden(&stores, address, size, NULL, NULL);
}

// --- Reads -------------------------------------------------------------------------------------

static bool cannot_find(const struct own_stores *stores, const struct event *read) {
    if (!is_ordered_by_barriers(read) || !expr_is_const(read->address))
        return false;
    struct left_window when = left_window_of(stores->timer, read);
    return is_hidden(stores, read->address->value.low, read->size, read, &when);
}

// What is found out of the reads of an instruction.
enum { SOME_READS = 1, SOME_SEEN = 2 };

// By thread and instruction, what is found out of its reads of what others may store.
static unsigned char **look_at_reads(const struct builder *builder) {
    const struct test *test = builder->test;
    const struct program *program = builder->program;
    unsigned char **found = ARENA_ARRAY(builder->arena, unsigned char *, test->thread_count);
    struct own_stores stores = collect(builder);
    for (size_t t = 0; t < test->thread_count; t++)
        found[t] =
            ARENA_ARRAY(builder->arena, unsigned char, test->threads[t].instruction_count + 1);
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (event->kind != EVENT_READ || expr_is_false(event->executes) ||
            !others_may_give(builder, event))
            continue;
        size_t at = (size_t)(event->instruction - test->threads[event->thread].instructions);
        found[event->thread][at] |= SOME_READS | (cannot_find(&stores, event) ? 0 : SOME_SEEN);
    }
    return found;
}

// What is known is kept only where it holds of the program that is built with it, too.
bool left_windows_refine(struct builder *builder) {
    const struct test *test = builder->test;
    bool is_first = builder->plan->unseen == NULL, changed = false;
    if (builder->plan->left_stores == NULL || (is_first && !builder->others.read))
        return false;
    unsigned char **found = look_at_reads(builder);
    bool **unseen = ARENA_ARRAY(builder->arena, bool *, test->thread_count);
    for (size_t t = 0; t < test->thread_count; t++) {
        unseen[t] = ARENA_ARRAY(builder->arena, bool, test->threads[t].instruction_count + 1);
        for (size_t i = 0; i < test->threads[t].instruction_count; i++) {
            unseen[t][i] = is_first ? found[t][i] == SOME_READS
                                    : builder->plan->unseen[t][i] && (found[t][i] & SOME_SEEN) == 0;
            changed = changed || unseen[t][i] != (!is_first && builder->plan->unseen[t][i]);
        }
    }
    if (changed)
        builder->found.unseen = unseen;
    return changed;
}
