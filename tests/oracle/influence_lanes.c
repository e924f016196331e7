// What lanes of a warp have read, and what another one does (memory-model section 15, values from
// other lanes): two runs of all lanes together that differ in the value of one read. What the
// exchanges return follows from what the lanes give in the phases of the candidate.
#include "tests/oracle/influence_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXCHANGES_MAX = 8 }; // of a lane, one after the other

struct known_lane {
    struct key read, event;
    int reader, thread;
    uint64_t phases; // which they are
    bool depends;
};

// A run of all threads.
struct joint {
    const struct lanes *lanes;
    unsigned number;                // of the assignment
    struct assignment *assigned;    // by thread
    int thread;                     // that is run now
    struct value given[EVENTS_MAX]; // by arrival at an exchange
    struct path *paths;             // by thread
};

// --- Which reads may matter ---------------------------------------------------------------------

static const struct step *step_of(const struct lanes *lanes, unsigned event) {
    int thread = lanes->thread[event];
    return &lanes->path[thread]->steps[event - lanes->first[thread]];
}

// What an event depends on by itself, as events.
static uint64_t depends_of(const struct lanes *lanes, unsigned event) {
    int thread = lanes->thread[event];
    return lanes->depends[thread][event - lanes->first[thread]] << lanes->first[thread];
}

static bool is_exchange(const struct lanes *lanes, unsigned event) {
    const struct step *step = step_of(lanes, event);
    return step->exchanges && step->waits && step->at->warp != WARP_ELECT;
}

// Whether a step gives its thread a value that counts as one that was read: an election's does not.
static bool is_read(const struct lanes *lanes, unsigned event) {
    const struct step *step = step_of(lanes, event);
    return step->action == ACTION_READ || (step->waits && step->barrier == BARRIER_RED);
}

// All reads from which ways lead to the event, through exchanges.
static uint64_t reads_on_ways(const struct lanes *lanes, unsigned event) {
    uint64_t reads = 0, seen = 0, open = depends_of(lanes, event);
    while (open) {
        unsigned next = (unsigned)__builtin_ctzll(open);
        seen |= bit(next);
        open &= ~bit(next);
        if (is_read(lanes, next))
            reads |= bit(next);
        for (uint64_t rest = is_exchange(lanes, next) ? lanes->met[next] : 0; rest;
             rest &= rest - 1)
            open |= depends_of(lanes, (unsigned)__builtin_ctzll(rest)) & ~seen;
    }
    return reads;
}

// --- Runs ----------------------------------------------------------------------------------------

// What an exchange returns: an election any lane of the mask, the same for all; others what the
// lanes of the phase give.
static struct value result_of(const struct joint *joint, const struct step *wait,
                              const struct step *before) {
    const struct lanes *lanes = joint->lanes;
    const struct test *test = lanes->influence->memory->test;
    struct warp_part parts[LANES];
    unsigned count = 0;
    if (wait->at->warp == WARP_ELECT) {
        unsigned lane = (unsigned)(influence_mix(joint->number, wait->id) % LANES);
        while (!(wait->id >> lane & 1))
            lane = (lane + 1) % LANES;
        return value_known(joint->number == 0 && before ? before->value.bits : lane, 32);
    }
    unsigned event = lanes->first[joint->thread] +
                     (before ? (unsigned)(before - lanes->path[joint->thread]->steps) : 0);
    for (uint64_t rest = before ? lanes->met[event] : 0; rest; rest &= rest - 1) {
        unsigned arrival = (unsigned)__builtin_ctzll(rest);
        parts[count++] =
            (struct warp_part){warp_lane(test, lanes->thread[arrival]), joint->given[arrival]};
    }
    return warp_result(wait, warp_lane(test, joint->thread), parts, count);
}

static bool answer(void *context, const struct path *path, enum question question,
                   struct value *value) {
    const struct joint *joint = context;
    const struct step *step = &path->steps[path->count - 1];
    if (question != ASK_REDUCED || !step->exchanges)
        return influence_answer(&joint->assigned[joint->thread], path, question, value);
    *value = result_of(joint, step,
                       influence_find(joint->lanes->path[joint->thread], influence_key(step)));
    return true;
}

// Runs the threads once. Returns whether some lane gives another value than before.
static bool run_once(struct joint *joint) {
    const struct lanes *lanes = joint->lanes;
    struct supplier supplier = {answer, joint};
    bool changed = false;
    for (unsigned t = 0; t < lanes->thread_count; t++) {
        struct thread_options options = lanes->influence[t].options;
        options.lenient = true;
        joint->thread = (int)t;
        thread_run(lanes->influence->memory, (int)t, &options, &supplier, &joint->paths[t]);
        for (unsigned i = 0; i < lanes->path[t]->count; i++) {
            const struct step *step = &lanes->path[t]->steps[i], *now;
            if (!step->exchanges || !step->arrives ||
                !(now = influence_find(&joint->paths[t], influence_key(step))))
                continue;
            struct value *given = &joint->given[lanes->first[t] + i];
            changed = changed || !value_equal(*given, now->value);
            *given = now->value;
        }
    }
    return changed;
}

// Runs them with a value of the read in question until what the lanes give stays the same.
static void run_all(struct joint *joint, int reader, struct value value) {
    const struct lanes *lanes = joint->lanes;
    joint->assigned[reader].value = value;
    for (unsigned t = 0; t < lanes->thread_count; t++)
        for (unsigned i = 0; i < lanes->path[t]->count; i++)
            joint->given[lanes->first[t] + i] = lanes->path[t]->steps[i].value;
    for (unsigned i = 0; i < EXCHANGES_MAX && run_once(joint); i++) {
    }
}

// --- One read -----------------------------------------------------------------------------------

static void *allocate(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (!memory) {
        fputs("out of memory\n", stderr);
        exit(4);
    }
    return memory;
}

// Other values for the threads' other reads.
static void set_number(struct joint *joint, unsigned number) {
    joint->number = number;
    for (unsigned t = 0; t < joint->lanes->thread_count; t++)
        joint->assigned[t].number = number == 0 ? 0 : number + 2 * ASSIGNMENTS * t;
}

static bool differs_under(struct joint *first, struct joint *second, const struct step *read,
                          int reader, int thread, struct key event) {
    const struct assignment *assigned = &first->assigned[reader];
    unsigned number = first->number, width = influence_width(read),
             pool = number == 0 ? assigned->pool_count : FLIPS;
    struct value value = read->value;
    if (number > 0)
        value = value_known(influence_choose(assigned, influence_mix(number, 7)), width);
    run_all(first, reader, value);
    for (unsigned i = 0; i < pool + width; i++) {
        uint64_t seed = influence_mix(number + 1000, i);
        u128 other = number == 0 ? assigned->pool[i % assigned->pool_count]
                                 : influence_choose(assigned, seed);
        if (i >= pool)
            other = value.bits ^ (u128)1 << (i - pool);
        if (number > 1 && i >= pool && influence_mix(seed, i) % 4 != 0)
            continue;
        run_all(second, reader, value_known(other, width));
        if (influence_differs(&first->paths[thread], &second->paths[thread], event))
            return true;
    }
    return false;
}

static struct joint new_joint(const struct lanes *lanes, const struct step *read, int reader) {
    const struct test *test = lanes->influence->memory->test;
    struct joint joint = {.lanes = lanes,
                          .assigned = allocate(lanes->thread_count, sizeof *joint.assigned),
                          .paths = allocate(lanes->thread_count, sizeof *joint.paths)};
    for (unsigned t = 0; t < lanes->thread_count; t++) {
        struct assignment *assigned = &joint.assigned[t];
        assigned->influence = &lanes->influence[t];
        assigned->path = lanes->path[t];
        assigned->all_pass = true;    // all lanes come to the phases
        assigned->read.counts = true; // no read
        if ((int)t == reader)
            assigned->read = influence_key(read);
        influence_fill_pool(assigned);
        influence_allocate(&joint.paths[t], test->threads[t].register_count);
    }
    return joint;
}

static void free_joint(struct joint *joint) {
    for (unsigned t = 0; t < joint->lanes->thread_count; t++)
        influence_free_path(&joint->paths[t]);
    free(joint->assigned);
    free(joint->paths);
}

static bool find_difference(const struct lanes *lanes, unsigned read, unsigned event) {
    int reader = lanes->thread[read], thread = lanes->thread[event];
    struct joint first = new_joint(lanes, step_of(lanes, read), reader);
    struct joint second = new_joint(lanes, step_of(lanes, read), reader);
    bool found = false;
    for (unsigned i = 0; i < ASSIGNMENTS && !found; i++) {
        set_number(&first, i);
        set_number(&second, i);
        found = differs_under(&first, &second, step_of(lanes, read), reader, thread,
                              influence_key(step_of(lanes, event)));
    }
    free_joint(&first);
    free_joint(&second);
    return found;
}

// --- All of them --------------------------------------------------------------------------------

// A number that says which arrivals of which threads meet at which waits.
static uint64_t number_of_phases(const struct lanes *lanes) {
    uint64_t number = 0;
    for (unsigned t = 0; t < lanes->thread_count; t++)
        for (unsigned i = 0; i < lanes->path[t]->count; i++)
            for (uint64_t rest = lanes->met[lanes->first[t] + i]; rest; rest &= rest - 1) {
                unsigned arrival = (unsigned)__builtin_ctzll(rest);
                struct key a = influence_key(&lanes->path[t]->steps[i]);
                struct key b = influence_key(step_of(lanes, arrival));
                number =
                    influence_mix(number, influence_mix(t, influence_mix(a.instruction, a.turn)));
                number = influence_mix(number, influence_mix((uint64_t)lanes->thread[arrival],
                                                             influence_mix(b.instruction, b.turn)));
            }
    return number;
}

static bool depends_on(struct known_lanes *known, const struct lanes *lanes, unsigned read,
                       unsigned event, uint64_t phases) {
    struct known_lane wanted = {influence_key(step_of(lanes, read)),
                                influence_key(step_of(lanes, event)),
                                lanes->thread[read],
                                lanes->thread[event],
                                phases,
                                false};
    for (size_t i = 0; i < known->count; i++) {
        const struct known_lane *item = &known->items[i];
        if (item->reader == wanted.reader && item->thread == wanted.thread &&
            item->phases == phases && influence_same_key(item->read, wanted.read) &&
            influence_same_key(item->event, wanted.event))
            return item->depends;
    }
    wanted.depends = find_difference(lanes, read, event);
    known->items = reallocarray(known->items, known->count + 1, sizeof *known->items);
    if (!known->items) {
        fputs("out of memory\n", stderr);
        exit(4);
    }
    known->items[known->count++] = wanted;
    return wanted.depends;
}

bool influence_uses_lanes(const struct lanes *lanes, unsigned event, uint64_t *alone) {
    bool uses = false;
    *alone = 0;
    for (uint64_t rest = depends_of(lanes, event); rest; rest &= rest - 1) {
        unsigned source = (unsigned)__builtin_ctzll(rest);
        bool exchange = is_exchange(lanes, source);
        uses = uses || exchange;
        *alone |= exchange || is_read(lanes, source) ? bit(source) : 0;
    }
    return uses;
}

uint64_t influence_of_lanes(struct known_lanes *known, const struct lanes *lanes, unsigned event) {
    uint64_t found = 0, phases = number_of_phases(lanes);
    for (uint64_t rest = reads_on_ways(lanes, event); rest; rest &= rest - 1)
        if (depends_on(known, lanes, (unsigned)__builtin_ctzll(rest), event, phases))
            found |= rest & -rest;
    return found;
}

void influence_free_lanes(struct known_lanes *known) {
    free(known->items);
    *known = (struct known_lanes){NULL, 0};
}
