// What lanes of a warp that a launch leaves out give to an exchange of the lanes that it names
// (memory-model sections 13 and 15): any value, and the same for all lanes of a phase. A lane
// that gives nothing that could change the result, each time that its code comes to such an
// exchange, is left out of this, too.

#include "program/builder.h"
#include "program/left_out.h"
#include "program/thread/access.h"
#include "program/thread/others.h"
#include "program/thread/values.h"

#include <assert.h>

enum { WARP_SIZE = 32 };

// The part of an arrival's phase, where the arrival is the first of that phase.
struct left_lanes {
    uint32_t lanes;
    const struct expr *all;             // of the lanes together; NULL: not asked for yet
    const struct expr *each[WARP_SIZE]; // of each of them; NULL as well
};

// --- What the code of a lane gives -------------------------------------------------------------

// Whether a value changes no result to which it is given.
static bool is_neutral(const struct instruction *instruction, const struct value *given) {
    const struct expr *bits = given->bits;
    uint64_t most = instruction->type == TYPE_S32 ? INT32_MAX : UINT32_MAX;
    if (!expr_is_const(bits) || !expr_is_false(given->undef))
        return false;
    switch (instruction->warp) {
    case WARP_VOTE_ANY:
    case WARP_VOTE_BALLOT: return bits->value.low == 0;
    case WARP_VOTE_ALL: return bits->value.low == 1;
    case WARP_REDUX: break;
    default: return false;
    }
    switch (instruction->atomic) {
    case ATOMIC_ADD:
    case ATOMIC_OR:
    case ATOMIC_XOR: return bits->value.low == 0;
    case ATOMIC_AND: return bits->value.low == UINT32_MAX;
    case ATOMIC_MIN: return bits->value.low == most;
    case ATOMIC_MAX: return bits->value.low == (most == UINT32_MAX ? 0 : UINT32_C(1) << 31);
    default: return false;
    }
}

void left_lanes_note(struct builder *ran, const struct instruction *instruction, int instance,
                     const struct value *given) {
    if (is_neutral(instruction, given))
        return;
    for (size_t i = 0; i < ran->others.gift_count; i++)
        if (ran->others.gifts[i] == instance)
            return;
    ran->others.gifts = arena_grow(ran->arena, ran->others.gifts, ran->others.gift_count,
                                   sizeof *ran->others.gifts);
    ran->others.gifts[ran->others.gift_count++] = instance;
}

void left_lanes_add(struct left_stores *stores, struct arena *arena, int cta, unsigned number,
                    const struct builder *ran) {
    for (size_t i = 0; i < ran->others.gift_count; i++) {
        stores->gifts = arena_grow(arena, stores->gifts, stores->gift_count, sizeof *stores->gifts);
        stores->gifts[stores->gift_count++] = (struct left_gift){cta, number, ran->others.gifts[i]};
    }
}

// Whether what a lane gives may matter. `number`: in its block.
static bool may_matter(const struct left_stores *stores, int cta, unsigned number, int instance) {
    for (size_t i = 0; i < stores->gift_count; i++)
        if (stores->gifts[i].cta == cta && stores->gifts[i].number == number &&
            stores->gifts[i].instance == instance)
            return true;
    return stores->lanes_open;
}

uint32_t left_lanes_giving(const struct builder *builder, int thread, uint32_t lanes,
                           int instance) {
    unsigned number = builder->cta_number[thread];
    unsigned first = number - number % WARP_SIZE;
    uint32_t giving = 0;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++)
        if ((lanes >> lane & 1) != 0 &&
            may_matter(builder->plan->left_stores, builder->cta_leader[thread], first + lane,
                       instance))
            giving |= UINT32_C(1) << lane;
    return giving;
}

struct left_lanes *left_lanes_new(struct arena *arena, uint32_t lanes) {
    struct left_lanes *left = ARENA_NEW(arena, struct left_lanes);
    left->lanes = lanes;
    return left;
}

// --- In results --------------------------------------------------------------------------------

// The arrivals that may be in a phase, the first ones first, each with the condition that it is.
struct phase {
    struct builder *builder;
    const struct event *wait;
    const unsigned *arrivals;
    const struct expr *const *conditions;
    size_t count;
};

static const struct expr *leaf(struct builder *builder, const struct expr **leaf, unsigned width) {
    if (*leaf == NULL)
        *leaf = program_value_unknown(builder, width).bits;
    return *leaf;
}

// What the lanes give to the phase, or one of them; all of them where `lane` is not one.
static const struct expr *given_to(const struct phase *phase, unsigned lane, unsigned width) {
    struct builder *builder = phase->builder;
    const struct event *events = builder->program->events;
    const struct expr *given = NULL;
    for (size_t i = phase->count; i-- > 0;) {
        struct left_lanes *left = events[phase->arrivals[i]].barrier->others;
        const struct expr *own =
            leaf(builder, lane < WARP_SIZE ? &left->each[lane] : &left->all, width);
        given = given == NULL ? own : expr_ite(builder->pool, phase->conditions[i], own, given);
    }
    assert(given != NULL); // the thread itself is there
    return given;
}

static const struct expr *number_of(const struct builder *builder, uint64_t value) {
    return expr_const_u64(builder->pool, 32, value);
}

// A shfl may be from one of them.
static void reduce_shfl(const struct phase *phase, uint32_t lanes) {
    struct builder *builder = phase->builder;
    struct event_barrier *of = phase->wait->barrier;
    for (unsigned lane = 0; lane < WARP_SIZE; lane++) {
        const struct expr *is_from = expr_eq(builder->pool, of->lane, number_of(builder, lane));
        if ((lanes >> lane & 1) != 0 && !expr_is_false(is_from))
            of->reduced = expr_ite(builder->pool, is_from, given_to(phase, lane, 32), of->reduced);
    }
}

void left_lanes_reduce(struct builder *builder, const struct event *wait, const unsigned *arrivals,
                       const struct expr *const *conditions, size_t count) {
    struct expr_pool *pool = builder->pool;
    struct event_barrier *of = wait->barrier;
    const struct phase phase = {builder, wait, arrivals, conditions, count};
    const struct instruction *instruction = wait->instruction;
    if (of->others == NULL)
        return;
    uint32_t lanes = of->others->lanes;
    const struct expr *mask = number_of(builder, lanes);
    switch (instruction->warp) {
    case WARP_VOTE_ANY:
        of->reduced = expr_or(pool, of->reduced, given_to(&phase, WARP_SIZE, 1));
        return;
    case WARP_VOTE_ALL:
    case WARP_VOTE_UNI:
    case WARP_MATCH_ALL:
        of->reduced = expr_and(pool, of->reduced, given_to(&phase, WARP_SIZE, 1));
        return;
    case WARP_VOTE_BALLOT:
        of->reduced =
            expr_binary(pool, EXPR_OR, of->reduced,
                        expr_binary(pool, EXPR_AND, mask, given_to(&phase, WARP_SIZE, 32)));
        break;
    case WARP_MATCH_ANY: // it depends on what the thread itself gives
        of->reduced =
            expr_binary(pool, EXPR_OR, of->reduced,
                        expr_binary(pool, EXPR_AND, mask, program_value_unknown(builder, 32).bits));
        break;
    case WARP_REDUX:
        of->reduced =
            atomic_result(pool, instruction->atomic, scalar_type_is_signed(instruction->type),
                          of->reduced, given_to(&phase, WARP_SIZE, 32), NULL);
        break;
    default: reduce_shfl(&phase, lanes); return;
    }
    of->reduced_undef = builder->always;
}
