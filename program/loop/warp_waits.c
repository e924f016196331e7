// Waiting loops of a whole warp: loops in which all lanes vote, or take a value from one of them,
// in each round, and all branch on the result (memory-model section 11).
//
// As with those of a CTA (loop/waits.c), whole rounds can be taken out of an execution if all lanes
// lose the same ones. What lanes give each other orders no memory, so that only this has to be
// shown: the lanes repeat the loop equally often. They do if they are in lockstep up to the end of
// the loop: the n-th exchange of each lane is the same operation with the mask of all lanes, and
// whether a lane comes to it is in each lane the same function of what earlier exchanges gave that
// give all lanes the same: a vote, a reduction, a shfl from a lane whose number is a constant. By
// induction, the n-th exchanges of all lanes are then one phase. Whether the loop goes round again
// has to be such a function, too.
//
// What a round writes is looked at as in loops of one thread (loop/spin_writes.c): nothing that
// is kept may need it.

#include "program/builder.h"
#include "program/barrier/barriers.h"
#include "program/thread/warp.h"
#include "program/loop/loops.h"

#include <assert.h>

enum { WARP_SIZE = 32 };

// --- In the text -------------------------------------------------------------------------------

bool warp_waits_may_be_one(const struct test *test, const struct thread *thread, size_t begin,
                           size_t last) {
    assert(begin <= last);
    bool exchanges = false;
    for (size_t pc = begin; pc <= last; pc++) {
        const struct instruction *instruction = &thread->instructions[pc];
        if (opcode_family(instruction->opcode) == FAMILY_BARRIER)
            return false;
        if (!warp_meets(thread, instruction))
            continue;
        if (instruction->guard >= 0)
            return false;
        exchanges = true;
    }
    return exchanges && test->dialect == DIALECT_PTX;
}

// --- Lanes -------------------------------------------------------------------------------------

// The lanes of a warp, and the waits of their exchanges in program order.
struct warp {
    const struct builder *builder;
    struct warp_lane {
        int thread;
        uint32_t bit;
        const struct event **exchanges;
        size_t count;
        const struct cta_wait *wait; // the one under consideration
    } lanes[WARP_SIZE];
    unsigned lane_count;
    uint32_t mask;
};

static void collect_exchanges(struct warp *warp, struct warp_lane *lane) {
    const struct program *program = warp->builder->program;
    struct arena *arena = warp->builder->arena;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (event->thread != lane->thread || !event_is_wait(event) || !event->barrier->exchanges)
            continue;
        lane->exchanges = arena_grow(arena, lane->exchanges, lane->count, sizeof *lane->exchanges);
        lane->exchanges[lane->count++] = event;
    }
}

static bool share_warp(const struct builder *builder, int a, int b) {
    return builder->cta_leader[a] == builder->cta_leader[b] &&
           builder->cta_number[a] / WARP_SIZE == builder->cta_number[b] / WARP_SIZE;
}

static void collect_lanes(struct warp *warp, int thread) {
    const struct builder *builder = warp->builder;
    for (size_t t = 0; t < builder->test->thread_count; t++) {
        if (!share_warp(builder, (int)t, thread))
            continue;
        assert(warp->lane_count < WARP_SIZE);
        struct warp_lane *lane = &warp->lanes[warp->lane_count++];
        *lane = (struct warp_lane){.thread = (int)t,
                                   .bit = UINT32_C(1) << barrier_lane(builder, (int)t)};
        warp->mask |= lane->bit;
        collect_exchanges(warp, lane);
    }
}

// --- Values that all lanes get -------------------------------------------------------------------

// Whether an operation gives all lanes of a phase the same.
static bool gives_all_the_same(const struct warp *warp, const struct event *a,
                               const struct event *b) {
    const struct expr *x = a->barrier->lane, *y = b->barrier->lane;
    switch (a->instruction->warp) {
    case WARP_VOTE_ALL:
    case WARP_VOTE_ANY:
    case WARP_VOTE_UNI:
    case WARP_VOTE_BALLOT:
    case WARP_MATCH_ALL:
    case WARP_REDUX: return true;
    case WARP_SHFL_UP:
    case WARP_SHFL_DOWN:
    case WARP_SHFL_BFLY:
    case WARP_SHFL_IDX:
        return x != NULL && x == y && expr_is_const(x) && x->value.low < WARP_SIZE &&
               (warp->mask >> x->value.low & 1) != 0;
    default: return false;
    }
}

static const struct event *event_at(const struct warp *warp, unsigned id) {
    return &warp->builder->program->events[id];
}

// The number of an exchange among those of its lane.
static size_t number_of(const struct warp_lane *lane, unsigned event) {
    size_t number = 0;
    while (number < lane->count && lane->exchanges[number]->id != event)
        number++;
    return number;
}

struct lane_comparison {
    const struct warp *warp;
    const struct warp_lane *a, *b;
    size_t before;  // the exchanges of which it is known that they are in one phase
    unsigned steps; // that are left
};

static bool same_exchange(const struct lane_comparison *c, unsigned a, unsigned b) {
    size_t number = number_of(c->a, a);
    return number < c->before && number == number_of(c->b, b) &&
           gives_all_the_same(c->warp, event_at(c->warp, a), event_at(c->warp, b));
}

// Whether an expression of one lane has the value of that of another one; false where that is not
// obvious.
static bool same_value(struct lane_comparison *c, const struct expr *a, const struct expr *b) {
    if (c->steps == 0 || a->op != b->op || a->width != b->width)
        return false;
    c->steps--;
    if (a->op == EXPR_CONST)
        return a == b;
    if (a->op == EXPR_REDUCED)
        return same_exchange(c, a->index, b->index);
    if (a->args[0] == NULL || a->index != b->index)
        return false;
    for (unsigned i = 0; i < 3; i++)
        if ((a->args[i] == NULL) != (b->args[i] == NULL) ||
            (a->args[i] != NULL && !same_value(c, a->args[i], b->args[i])))
            return false;
    return true;
}

static bool holds_equally(struct lane_comparison *c, const struct expr *a, const struct expr *b) {
    enum { STEPS_MAX = 10000 };
    c->steps = STEPS_MAX;
    return same_value(c, a, b);
}

// --- Lockstep ----------------------------------------------------------------------------------

// How many exchanges a lane has up to the end of its waiting loop.
static size_t count_up_to_end(const struct warp_lane *lane) {
    const struct cta_round *last = &lane->wait->rounds[lane->wait->round_count - 1];
    size_t count = 0;
    while (count < lane->count && lane->exchanges[count]->id < last->end)
        count++;
    return count;
}

static bool are_of_all(const struct warp *warp, const struct event *a, const struct event *b) {
    const struct expr *mask = a->barrier->id;
    return expr_is_const(mask) && mask == b->barrier->id &&
           a->barrier->instance == b->barrier->instance &&
           (warp->mask & ~(uint32_t)mask->value.low) == 0;
}

static bool same_exchanges(struct lane_comparison *c) {
    const struct expr **reaches = c->warp->builder->known.written_reaches;
    size_t count = count_up_to_end(c->a);
    if (count != count_up_to_end(c->b))
        return false;
    for (c->before = 0; c->before < count; c->before++) {
        const struct event *a = c->a->exchanges[c->before], *b = c->b->exchanges[c->before];
        if (!are_of_all(c->warp, a, b) || !holds_equally(c, reaches[a->id], reaches[b->id]))
            return false;
    }
    return true;
}

static bool same_rounds(struct lane_comparison *c) {
    const struct cta_wait *a = c->a->wait, *b = c->b->wait;
    if (a->round_count != b->round_count || !holds_equally(c, a->rounds[0].path, b->rounds[0].path))
        return false;
    for (unsigned r = 0; r < a->round_count; r++)
        if (!holds_equally(c, a->rounds[r].again, b->rounds[r].again))
            return false;
    return true;
}

// Whether all lanes repeat a loop equally often.
static bool go_round_together(const struct warp *warp) {
    for (unsigned i = 0; i < warp->lane_count; i++) {
        struct lane_comparison c = {.warp = warp, .a = &warp->lanes[0], .b = &warp->lanes[i]};
        if (!same_exchanges(&c) || !same_rounds(&c))
            return false;
    }
    return true;
}

// --- All waits of a warp -----------------------------------------------------------------------

static bool waits_of_warp_are_good(const struct builder *builder, int thread) {
    struct warp warp = {.builder = builder};
    collect_lanes(&warp, thread);
    for (unsigned number = 0;; number++) {
        unsigned found = 0;
        for (unsigned i = 0; i < warp.lane_count; i++) {
            struct warp_lane *lane = &warp.lanes[i];
            lane->wait = waits_number(builder->loops.warp_waits, lane->thread, number);
            found += lane->wait != NULL;
        }
        if (found == 0)
            return true;
        if (found < warp.lane_count || !go_round_together(&warp))
            return false;
    }
}

static bool is_first_of_warp(const struct builder *builder, size_t thread) {
    for (size_t t = 0; t < thread; t++)
        if (share_warp(builder, (int)t, (int)thread))
            return false;
    return true;
}

bool warp_waits_are_good(const struct builder *builder) {
    if (builder->loops.warp_parts)
        return false;
    for (size_t t = 0; t < builder->test->thread_count && builder->loops.warp_waits != NULL; t++)
        if (is_first_of_warp(builder, t) && !waits_of_warp_are_good(builder, (int)t))
            return false;
    return true;
}
