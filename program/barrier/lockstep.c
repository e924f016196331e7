// Exchanges between lanes of a warp to which all lanes come together, as those in code without
// branches, or with branches that all lanes take alike. What they return is then known as an
// expression of what lanes have read: it takes the place of the result, so that lanes that get the
// same from a vote have the same path after it, and what lanes make of constants is constant.
//
// By induction over the exchanges of a warp in program order, the n-th of all its lanes are one
// phase: they are the same operation with the mask of all lanes, the n-th arrivals of all lanes
// execute on the same condition, over what has been put in the place of the results before, and
// lanes come to no other exchange in between.
//
// Whether the conditions are the same is asked with the values of memory that nothing writes, which
// make most lanes constant where a warp looks back (a tile that is not there is a state of its own
// there). They are put in the program later, by known_substitute: where dependencies are asked for,
// such a read may return anything (memory-model: semantic dependencies).

#include "program/builder.h"
#include "program/barrier/barriers.h"
#include "program/memory/memory.h"
#include "program/substitute.h"
#include "program/thread/values.h"
#include "program/thread/warp.h"

#include <assert.h>

enum { WARP_SIZE = 32 };

struct lockstep {
    struct builder *builder;
    struct expr_replacements *replacements; // what exchanges return in the place of their results
    struct expr_replacements *known;        // what reads of bytes that nothing writes return
    // By event: of the wait of an exchange what it returns, and a bit that says that this is not
    // known; NULL where the leaf stays.
    const struct expr **values, **undefs;
};

// The lanes of a warp, and the waits of their exchanges in program order.
struct lane_exchanges {
    int thread;
    unsigned *waits;
    size_t count;
};
struct warp_exchanges {
    struct lane_exchanges lanes[WARP_SIZE];
    unsigned lane_count;
    uint32_t mask;
};

// --- Replacing ---------------------------------------------------------------------------------

static const struct expr *leaf_in_place(void *context, const struct expr *leaf) {
    const struct lockstep *l = context;
    const struct expr *other = NULL;
    if (leaf->op == EXPR_REDUCED)
        other = l->values[leaf->index];
    else if (leaf->op == EXPR_REDUCED_UNDEF)
        other = l->undefs[leaf->index];
    else if (leaf->op == EXPR_PASSES &&
             l->builder->program->events[leaf->index].barrier->never_blocks)
        other = l->builder->always;
    return other == NULL ? leaf : other;
}

// --- Warps -------------------------------------------------------------------------------------

static struct warp_exchanges lanes_of_group(const struct builder *builder, unsigned group) {
    const struct program *program = builder->program;
    struct warp_exchanges warp = {.lane_count = 0};
    for (size_t t = 0; t < builder->test->thread_count; t++) {
        if (!barrier_has_thread(builder, group, (int)t))
            continue;
        assert(warp.lane_count < WARP_SIZE);
        warp.mask |= UINT32_C(1) << barrier_lane(builder, (int)t);
        warp.lanes[warp.lane_count++] = (struct lane_exchanges){.thread = (int)t};
    }
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (!event_is_wait(event) || !event->barrier->exchanges || event->barrier->group != group)
            continue;
        unsigned k = 0;
        while (warp.lanes[k].thread != event->thread)
            k++;
        struct lane_exchanges *lane = &warp.lanes[k];
        lane->waits = arena_grow(builder->arena, lane->waits, lane->count, sizeof *lane->waits);
        lane->waits[lane->count++] = (unsigned)i;
    }
    return warp;
}

static struct event *arrival_of(const struct builder *builder, unsigned wait) {
    assert(builder->program->events[wait].barrier->arrival >= 0);
    return &builder->program->events[builder->program->events[wait].barrier->arrival];
}

// Whether the n-th exchanges of all lanes are one phase, if those before them are.
static bool are_together(struct lockstep *l, const struct warp_exchanges *warp, size_t n) {
    const struct builder *builder = l->builder;
    const struct event_barrier *first = NULL;
    const struct expr *condition = NULL;
    for (unsigned k = 0; k < warp->lane_count; k++) {
        if (n >= warp->lanes[k].count)
            return false;
        const struct event *arrival = arrival_of(builder, warp->lanes[k].waits[n]);
        const struct expr *reaches =
            expr_replace(l->known, expr_replace(l->replacements, builder->reaches[arrival->id]));
        const struct expr *mask = arrival->barrier->id;
        if (k == 0) {
            first = arrival->barrier;
            condition = reaches;
        }
        if (!expr_is_const(mask) || (warp->mask & ~(uint32_t)mask->value.low) != 0 ||
            mask != first->id || arrival->barrier->instance != first->instance ||
            reaches != condition)
            return false;
    }
    return true;
}

// Puts what the n-th exchanges return in the place of their results.
static void define(struct lockstep *l, const struct warp_exchanges *warp, size_t n) {
    struct builder *builder = l->builder;
    unsigned arrivals[WARP_SIZE];
    for (unsigned k = 0; k < warp->lane_count; k++) {
        struct event *wait = &builder->program->events[warp->lanes[k].waits[n]];
        struct event_barrier *given = arrival_of(builder, wait->id)->barrier;
        arrivals[k] = (unsigned)wait->barrier->arrival;
        substitute_in(l->replacements, &given->predicate);
        substitute_in(l->replacements, &given->predicate_undef);
        substitute_in(l->replacements, &wait->barrier->lane);
    }
    for (unsigned k = 0; k < warp->lane_count; k++) {
        const struct event *wait = &builder->program->events[warp->lanes[k].waits[n]];
        warp_reduce_all(builder, wait, arrivals, warp->lane_count);
        l->values[wait->id] = wait->barrier->reduced;
        l->undefs[wait->id] = wait->barrier->reduced_undef;
    }
}

// Whether a lane may be kept from coming to an exchange: it waits at another barrier before it.
static bool waits_before(const struct builder *builder, const struct lane_exchanges *lane,
                         size_t n) {
    const struct program *program = builder->program;
    for (size_t i = lane->waits[n];
         i-- > program->init_count && program->events[i].thread == lane->thread;)
        if (event_is_wait(&program->events[i]) && !program->events[i].barrier->exchanges)
            return true;
    return false;
}

// Marks the exchanges of a warp that are all together.
static void mark(struct builder *builder, const struct warp_exchanges *warp) {
    bool never_blocks = true;
    for (size_t n = 0; n < warp->lanes[0].count; n++) {
        for (unsigned k = 0; k < warp->lane_count; k++)
            never_blocks = never_blocks && !waits_before(builder, &warp->lanes[k], n);
        for (unsigned k = 0; k < warp->lane_count; k++) {
            unsigned wait = warp->lanes[k].waits[n];
            struct event *events[] = {&builder->program->events[wait], arrival_of(builder, wait)};
            for (unsigned i = 0; i < 2; i++) {
                events[i]->barrier->together = (unsigned)n + 1;
                events[i]->barrier->never_blocks = never_blocks;
            }
        }
    }
}

static void look_at_warp(struct lockstep *l, unsigned group) {
    struct warp_exchanges warp = lanes_of_group(l->builder, group);
    size_t n = 0;
    while (n < warp.lanes[0].count && are_together(l, &warp, n))
        define(l, &warp, n++);
    for (unsigned k = 0; k < warp.lane_count; k++)
        if (warp.lanes[k].count != n)
            return;
    mark(l->builder, &warp);
}

// --- All of them -------------------------------------------------------------------------------

static bool some_exchange(const struct program *program) {
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (event_is_wait(&program->events[i]) && program->events[i].barrier->exchanges)
            return true;
    return false;
}

void lockstep_find(struct builder *builder, struct value **final_registers) {
    const struct program *program = builder->program;
    size_t count = program->event_count;
    builder->known.written_reaches = builder->reaches;
    builder->known.substitutes = some_exchange(program) && !builder->plan->starves;
    if (!builder->known.substitutes)
        return;
    builder->known.unwritten = unwritten_find(builder);
    struct lockstep l = {.builder = builder,
                         .known = unwritten_replacements(builder),
                         .values = ARENA_ARRAY(builder->arena, const struct expr *, count),
                         .undefs = ARENA_ARRAY(builder->arena, const struct expr *, count)};
    const struct expr_replacing leaves = {leaf_in_place, &l};
    l.replacements = expr_replacements_new(builder->arena, builder->pool, &leaves);
    bool looks = (builder->plan->options->left_out & STEP_EXCHANGES) == 0;
    for (unsigned group = 0; looks && group < program->barriers.group_count; group++)
        if (builder->barrier_groups[group].level == BARRIER_OF_WARP)
            look_at_warp(&l, group);
    builder->reaches =
        arena_copy(builder->arena, builder->reaches, count, sizeof *builder->reaches);
    substitute_everywhere(builder, l.replacements, final_registers);
    substitute_in_rest(builder, l.replacements);
}
