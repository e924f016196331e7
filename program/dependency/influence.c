// Decides which leaves matter to an expression. A condition is taken apart where it is a
// conjunction of parts that share no leaf: each of these, being satisfiable, can be looked at
// separately. So a long path through many branches costs no more than its branches.

#include "program/dependency/influence.h"

#include "program/dependency/cone.h"
#include "program/expr/boolean.h"
#include "program/expr/internal.h"
#include "litmus/source/arena.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Bounds on the work, for one expression and for all: steps of diagrams, operations of evaluations.
enum {
    STEPS_ONE = 1 << 17,
    STEPS_ALL = 1 << 22,
    PROBE_FIRST = 1 << 16, // before there are diagrams
    PROBE_ONE = 1 << 19,
    PROBE_ALL = 1 << 24,
};

struct influences {
    struct arena *arena;
    struct expr_pool *pool;
    struct cones *cones;
    struct diagrams *diagrams; // NULL until they are needed
    const struct influence **known;
    const struct leaf_list **leaves; // by expression: all leaves below it
    unsigned *owner, *owned; // by leaf: the part that has it, in the split that `owned` says
    unsigned *seen[2];       // by expression: as it is, negated; in the split that this says
    size_t capacity;         // of these arrays
    unsigned split;          // the number of the last one
    unsigned steps, probes;  // what is left
};

struct influences *influences_new(struct arena *arena, struct expr_pool *pool) {
    struct influences *influences = ARENA_NEW(arena, struct influences);
    *influences = (struct influences){.arena = arena,
                                      .pool = pool,
                                      .cones = cones_new(arena, pool),
                                      .steps = STEPS_ALL,
                                      .probes = PROBE_ALL};
    return influences;
}

void influences_free(struct influences *influences) {
    if (influences != NULL && influences->diagrams != NULL)
        diagrams_free(influences->diagrams);
}

static void *widen(struct influences *influences, const void *items, size_t capacity, size_t size) {
    void *wider = arena_alloc_array(influences->arena, capacity, size);
    if (influences->capacity != 0)
        memcpy(wider, items, influences->capacity * size);
    return wider;
}

// Makes room for every expression of the pool.
static void make_room(struct influences *in) {
    size_t capacity = 2 * (size_t)expr_pool_count(in->pool);
    if (expr_pool_count(in->pool) <= in->capacity)
        return;
    in->known = widen(in, in->known, capacity, sizeof *in->known);
    in->leaves = widen(in, in->leaves, capacity, sizeof *in->leaves);
    in->owner = widen(in, in->owner, capacity, sizeof *in->owner);
    in->owned = widen(in, in->owned, capacity, sizeof *in->owned);
    for (unsigned i = 0; i < 2; i++)
        in->seen[i] = widen(in, in->seen[i], capacity, sizeof *in->seen[i]);
    in->capacity = capacity;
}

// --- Lists of leaves ---------------------------------------------------------------------------

bool leaf_list_has(const struct leaf_list *list, const struct expr *leaf) {
    size_t first = 0, end = list->count;
    while (first < end) {
        size_t middle = (first + end) / 2;
        if (list->items[middle] == leaf)
            return true;
        if (list->items[middle]->id < leaf->id)
            first = middle + 1;
        else
            end = middle;
    }
    return false;
}

static struct leaf_list list_union(struct arena *arena, struct leaf_list a, struct leaf_list b) {
    if (a.count == 0 || b.count == 0)
        return a.count == 0 ? b : a;
    struct leaf_list list = {ARENA_ARRAY(arena, const struct expr *, a.count + b.count), 0};
    size_t i = 0, k = 0;
    while (i < a.count || k < b.count) {
        bool from_a = k == b.count || (i < a.count && a.items[i]->id <= b.items[k]->id);
        const struct expr *next = from_a ? a.items[i] : b.items[k];
        i += from_a;
        k += !from_a || (k < b.count && b.items[k] == next);
        list.items[list.count++] = next;
    }
    return list;
}

static void list_add(struct arena *arena, struct leaf_list *list, const struct expr *leaf) {
    list->items = arena_grow(arena, list->items, list->count, sizeof *list->items);
    list->items[list->count++] = leaf;
}

static void list_add_all(struct arena *arena, struct leaf_list *list,
                         const struct leaf_list *more) {
    for (size_t i = 0; i < more->count; i++)
        list_add(arena, list, more->items[i]);
}

static int compare_leaves(const void *left, const void *right) {
    const struct expr *const *a = left, *const *b = right;
    return (*a)->id < (*b)->id ? -1 : (*a)->id > (*b)->id;
}

// A list of leaves that are each there once, in its order.
static struct leaf_list list_sorted(struct arena *arena, const struct leaf_list *list) {
    struct leaf_list sorted = {NULL, list->count};
    if (list->count == 0)
        return sorted;
    sorted.items = arena_copy(arena, list->items, list->count, sizeof *list->items);
    qsort(sorted.items, sorted.count, sizeof *sorted.items, compare_leaves);
    return sorted;
}

// All leaves below an expression.
static const struct leaf_list *all_leaves(struct influences *in, const struct expr *expr) {
    make_room(in);
    if (in->leaves[expr->id] != NULL)
        return in->leaves[expr->id];
    struct arena *scratch = arena_new();
    struct cone cone = cone_of(in->cones, scratch, expr);
    struct leaf_list *list = ARENA_NEW(in->arena, struct leaf_list);
    list->items = ARENA_ARRAY(in->arena, const struct expr *, cone.leaf_count);
    for (size_t i = 0; i < cone.leaf_count; i++)
        list->items[list->count++] = cone.items[cone.leaves[i]];
    arena_free(scratch);
    in->leaves[expr->id] = list;
    return list;
}

// --- By diagrams -------------------------------------------------------------------------------

static bool decide_by_diagrams(struct influences *in, struct arena *scratch,
                               const struct cone *cone, bool *depends) {
    if (in->diagrams == NULL)
        in->diagrams = diagrams_new();
    const enum cone_order orders[] = {CONE_BIT_BY_BIT, CONE_LEAF_BY_LEAF};
    for (unsigned i = 0; i < 2; i++) {
        unsigned steps = in->steps < STEPS_ONE ? in->steps : STEPS_ONE;
        bool done = cone_depends(scratch, in->diagrams, cone, orders[i], steps, depends);
        steps = diagrams_steps(in->diagrams);
        in->steps -= steps < in->steps ? steps : in->steps;
        if (done)
            return true;
    }
    return false;
}

// --- By trying values --------------------------------------------------------------------------

enum { CONSTANTS_MAX = 64 };

struct prober {
    const struct cone *cone;
    uint128 *values;                  // by place
    uint128 constants[CONSTANTS_MAX]; // of the cone: what leaves are compared with, above all
    unsigned constant_count;
    uint64_t random; // xorshift64
    unsigned round;  // how often all leaves got values
};

static uint64_t next_random(struct prober *prober) {
    prober->random ^= prober->random << 13;
    prober->random ^= prober->random >> 7;
    prober->random ^= prober->random << 17;
    return prober->random;
}

// A value for a leaf. In every other round nearly all leaves are 1, or 0: random factors, and
// masks, soon leave no bits of each other.
static uint128 draw(struct prober *prober, const struct expr *leaf) {
    uint64_t choice = next_random(prober);
    if (prober->round % 2 != 0 && choice / 256 % 8 != 0)
        return prober->round / 2 % 2;
    uint128 value = (uint128)next_random(prober) << 64 | next_random(prober);
    if (choice % 4 == 0 && prober->constant_count != 0)
        value = prober->constants[choice / 16 % prober->constant_count] + choice / 4 % 3 - 1;
    else if (choice % 4 == 1)
        value = choice / 4 % 4 - 1;
    return value & bits_mask(leaf->width);
}

// Another value than the one it has.
static uint128 draw_other(struct prober *prober, const struct expr *leaf, uint128 value) {
    uint128 other = draw(prober, leaf);
    return other != value ? other : (value ^ (uint128)1 << next_random(prober) % leaf->width);
}

static uint128 evaluate(struct prober *prober) {
    const struct cone *cone = prober->cone;
    for (size_t at = 0; at < cone->count; at++) {
        const struct expr *expr = cone->items[at];
        unsigned arity = expr_arity(expr->op);
        if (expr->op == EXPR_CONST)
            prober->values[at] = bits_to_wide(expr->value);
        if (arity == 0)
            continue;
        uint128 operands[3] = {0};
        for (unsigned i = 0; i < arity; i++)
            operands[i] = prober->values[cone->place[expr->args[i]->id]];
        struct expr_operation operation = expr_operation_of(expr);
        prober->values[at] = expr_apply(&operation, operands);
    }
    return prober->values[cone->count - 1];
}

static struct prober prober_new(struct arena *scratch, const struct cone *cone) {
    struct prober prober = {.cone = cone,
                            .values = ARENA_ARRAY(scratch, uint128, cone->count),
                            .random = UINT64_C(0x9e3779b97f4a7c15)};
    for (size_t at = 0; at < cone->count; at++)
        if (cone->items[at]->op == EXPR_CONST && prober.constant_count < CONSTANTS_MAX)
            prober.constants[prober.constant_count++] = bits_to_wide(cone->items[at]->value);
    return prober;
}

static size_t count_missing(const struct cone *cone, const bool *depends) {
    size_t missing = 0;
    for (size_t i = 0; i < cone->leaf_count; i++)
        missing += !depends[i];
    return missing;
}

// Changes one leaf at a time, from random values of all, in so many operations at most. Sets
// `depends` where the value changes. Returns how many operations are left.
static unsigned find_witnesses(struct arena *scratch, const struct cone *cone, unsigned left,
                               bool *depends) {
    struct prober prober = prober_new(scratch, cone);
    size_t missing = count_missing(cone, depends);
    unsigned work = (unsigned)cone->count;
    for (; missing != 0 && left >= 2 * work; prober.round++) {
        for (size_t i = 0; i < cone->leaf_count; i++)
            prober.values[cone->leaves[i]] = draw(&prober, cone->items[cone->leaves[i]]);
        uint128 before = evaluate(&prober);
        left -= work;
        for (size_t i = 0; i < cone->leaf_count && left >= work; i++) {
            size_t at = cone->leaves[i];
            uint128 kept = prober.values[at];
            if (depends[i])
                continue;
            prober.values[at] = draw_other(&prober, cone->items[at], kept);
            depends[i] = evaluate(&prober) != before;
            missing -= depends[i];
            prober.values[at] = kept;
            left -= work;
        }
    }
    return left;
}

// Sets on which leaves an expression depends. Where two values show it for each of them, that is
// sooner seen than by diagrams. False: what is not set is open.
static bool decide(struct influences *in, struct arena *scratch, const struct cone *cone,
                   bool *depends) {
    find_witnesses(scratch, cone, PROBE_FIRST, depends);
    if (count_missing(cone, depends) == 0 || decide_by_diagrams(in, scratch, cone, depends))
        return true;
    unsigned probes = in->probes < PROBE_ONE ? in->probes : PROBE_ONE;
    in->probes -= probes - find_witnesses(scratch, cone, probes, depends);
    return false;
}

// --- One expression ----------------------------------------------------------------------------

// The influence on an expression as a whole, without taking it apart.
static const struct influence *whole(struct influences *in, const struct expr *expr) {
    make_room(in);
    if (in->known[expr->id] != NULL)
        return in->known[expr->id];
    struct influence *influence = ARENA_NEW(in->arena, struct influence);
    struct arena *scratch = arena_new();
    struct cone cone = cone_of(in->cones, scratch, expr);
    bool *depends = ARENA_ARRAY(scratch, bool, cone.leaf_count + 1);
    bool is_leaf = cone.count == 1 && cone.leaf_count == 1;
    if (is_leaf)
        depends[0] = true;
    bool decided = is_leaf || decide(in, scratch, &cone, depends);
    for (size_t i = 0; i < cone.leaf_count; i++) {
        const struct expr *leaf = cone.items[cone.leaves[i]];
        if (depends[i])
            list_add(in->arena, &influence->certain, leaf);
        else if (!decided)
            list_add(in->arena, &influence->open, leaf);
    }
    arena_free(scratch);
    in->known[expr->id] = influence;
    return influence;
}

// --- Conjunctions ------------------------------------------------------------------------------

// A conjunction, taken apart.
struct split {
    const struct expr **parts; // one bit each
    size_t count;
    size_t *group; // by part: the first part that it shares a leaf with, through others too
};

static bool joins(const struct expr *expr) {
    return expr->width == 1 &&
           (expr->op == EXPR_AND || expr->op == EXPR_OR || expr->op == EXPR_NOT);
}

// Something that is still to be taken apart.
struct influence_piece {
    const struct expr *expr;
    bool negated;
    struct influence_piece *next;
};

static struct influence_piece *push(struct influences *in, struct arena *scratch,
                                    struct influence_piece *stack, const struct expr *expr,
                                    bool negated) {
    make_room(in);
    if (in->seen[negated][expr->id] == in->split)
        return stack;
    in->seen[negated][expr->id] = in->split;
    struct influence_piece *piece = ARENA_NEW(scratch, struct influence_piece);
    *piece = (struct influence_piece){expr, negated, stack};
    return piece;
}

// Adds the parts of a condition or, with `negated`, of its opposite.
static void add_parts(struct influences *in, struct arena *scratch, const struct expr *condition,
                      bool negated, struct split *split) {
    assert(condition->width == 1);
    struct influence_piece *stack = push(in, scratch, NULL, condition, negated);
    while (stack != NULL) {
        struct influence_piece piece = *stack;
        const struct expr *expr = piece.expr;
        stack = piece.next;
        if (joins(expr) && expr->op == EXPR_NOT) {
            stack = push(in, scratch, stack, expr->args[0], !piece.negated);
        } else if (joins(expr) && (expr->op == EXPR_AND) == !piece.negated) {
            for (unsigned i = 0; i < 2; i++)
                stack = push(in, scratch, stack, expr->args[i], piece.negated);
        } else {
            split->parts = arena_grow(scratch, split->parts, split->count, sizeof *split->parts);
            split->parts[split->count++] = piece.negated ? expr_not(in->pool, expr) : expr;
        }
    }
}

// Takes a condition apart or, with `negated`, its opposite.
static struct split split_condition(struct influences *in, struct arena *scratch,
                                    const struct expr *condition, bool negated) {
    assert(condition->width == 1);
    struct split split = {0};
    in->split++;
    add_parts(in, scratch, condition, negated, &split);
    return split;
}

static size_t find_group(struct split *split, size_t part) {
    while (split->group[part] != part)
        part = split->group[part] = split->group[split->group[part]];
    return part;
}

static void find_groups(struct influences *in, struct arena *scratch, struct split *split) {
    split->group = ARENA_ARRAY(scratch, size_t, split->count);
    for (size_t i = 0; i < split->count; i++) {
        const struct leaf_list *leaves = all_leaves(in, split->parts[i]);
        split->group[i] = i;
        for (size_t k = 0; k < leaves->count; k++) {
            unsigned leaf = leaves->items[k]->id;
            if (in->owned[leaf] == in->split) {
                size_t other = find_group(split, in->owner[leaf]), own = find_group(split, i);
                split->group[other < own ? own : other] = other < own ? other : own;
            }
            in->owner[leaf] = (unsigned)i;
            in->owned[leaf] = in->split;
        }
    }
}

// The conjunction of a group's parts.
static const struct expr *group_condition(struct influences *in, struct split *split,
                                          size_t group) {
    const struct expr *condition = expr_bool(in->pool, true);
    for (size_t i = group; i < split->count; i++)
        if (find_group(split, i) == group)
            condition = expr_and(in->pool, condition, split->parts[i]);
    return condition;
}

static struct bits128 zero_leaf(void *context, const struct expr *leaf) {
    (void)context;
    (void)leaf;
    return (struct bits128){0};
}

// The value of a condition on which no leaf has influence.
static bool constant_holds(struct influences *in, const struct expr *condition) {
    assert(condition->width == 1);
    struct expr_environment zeros = {.leaf = zero_leaf};
    return expr_evaluate(in->pool, condition, &zeros).low == 1;
}

// The influence of the groups of a conjunction, each of which is satisfiable or decides all. They
// share no leaf.
static struct influence of_groups(struct influences *in, struct arena *scratch,
                                  struct split *split) {
    struct influence found = {0};
    bool may_be_false = false;
    for (size_t i = 0; i < split->count; i++) {
        if (find_group(split, i) != i)
            continue;
        const struct expr *condition = group_condition(in, split, i);
        const struct influence *part = whole(in, condition);
        bool is_constant = part->certain.count == 0 && part->open.count == 0;
        if (is_constant && !constant_holds(in, condition))
            return (struct influence){0};
        may_be_false |= part->certain.count == 0 && part->open.count != 0;
        list_add_all(scratch, &found.certain, &part->certain);
        list_add_all(scratch, &found.open, &part->open);
    }
    if (may_be_false) {
        list_add_all(scratch, &found.open, &found.certain);
        found.certain.count = 0;
    }
    return (struct influence){list_sorted(in->arena, &found.certain),
                              list_sorted(in->arena, &found.open)};
}

// An OR is the opposite of a conjunction, and depends on the same.
static const struct influence *of_joined(struct influences *in, const struct expr *expr) {
    struct arena *scratch = arena_new();
    const struct expr *inner = expr;
    while (inner->op == EXPR_NOT)
        inner = inner->args[0];
    struct split split = split_condition(in, scratch, inner, inner->op == EXPR_OR);
    find_groups(in, scratch, &split);
    struct influence *influence = ARENA_NEW(in->arena, struct influence);
    *influence = of_groups(in, scratch, &split);
    arena_free(scratch);
    make_room(in);
    return in->known[expr->id] = influence;
}

static const struct influence *of_concat(struct influences *in, const struct expr *expr) {
    const struct influence *high = influence_of(in, expr->args[0]);
    const struct influence *low = influence_of(in, expr->args[1]);
    struct influence *influence = ARENA_NEW(in->arena, struct influence);
    influence->certain = list_union(in->arena, high->certain, low->certain);
    struct leaf_list open = list_union(in->arena, high->open, low->open);
    for (size_t i = 0; i < open.count; i++)
        if (!leaf_list_has(&influence->certain, open.items[i]))
            list_add(in->arena, &influence->open, open.items[i]);
    make_room(in);
    return in->known[expr->id] = influence;
}

// Whether different values of the first operand always give different results.
static bool is_injective(const struct expr *expr) {
    switch (expr->op) {
    case EXPR_NEG:
    case EXPR_ZEXT:
    case EXPR_SEXT: return true;
    case EXPR_NOT: return expr->width != 1;
    case EXPR_ADD:
    case EXPR_XOR: return expr_is_const(expr->args[1]);
    default: return false;
    }
}

const struct influence *influence_of(struct influences *influences, const struct expr *expr) {
    while (is_injective(expr))
        expr = expr->args[0];
    make_room(influences);
    if (influences->known[expr->id] != NULL)
        return influences->known[expr->id];
    if (joins(expr))
        return of_joined(influences, expr);
    return expr->op == EXPR_CONCAT ? of_concat(influences, expr) : whole(influences, expr);
}

bool influence_is_never(struct influences *influences, const struct expr *condition) {
    assert(condition->width == 1);
    const struct influence *influence = influence_of(influences, condition);
    return influence->certain.count == 0 && influence->open.count == 0 &&
           !constant_holds(influences, condition);
}

const struct expr *influence_part(struct influences *influences, const struct expr *condition,
                                  const struct expr *with) {
    assert(condition->width == 1);
    struct arena *scratch = arena_new();
    struct split split = split_condition(influences, scratch, condition, false);
    // The expression represents its leaves among the parts: the group of it is the answer.
    split.parts = arena_grow(scratch, split.parts, split.count, sizeof *split.parts);
    split.parts[split.count++] = with;
    find_groups(influences, scratch, &split);
    size_t wanted = find_group(&split, split.count - 1);
    const struct expr *part = expr_bool(influences->pool, true);
    for (size_t i = 0; i + 1 < split.count; i++)
        if (find_group(&split, i) == wanted)
            part = expr_and(influences->pool, part, split.parts[i]);
    arena_free(scratch);
    return part;
}

// --- Replacing leaves --------------------------------------------------------------------------

// Where the operands of an expression of a cone are in it.
struct operand_places {
    unsigned of[3];
};

// Notes the places of a cone, since what replaces a leaf may come from cones of its own.
static struct operand_places *places_of(struct arena *scratch, const struct cone *cone) {
    struct operand_places *places = ARENA_ARRAY(scratch, struct operand_places, cone->count);
    for (size_t at = 0; at < cone->count; at++)
        for (unsigned i = 0; i < expr_arity(cone->items[at]->op); i++)
            places[at].of[i] = cone->place[cone->items[at]->args[i]->id];
    return places;
}

const struct expr *influence_replace(struct influences *influences, const struct expr *expr,
                                     const struct expr *(*replacement)(void *context,
                                                                       const struct expr *leaf),
                                     void *context) {
    make_room(influences);
    struct arena *scratch = arena_new();
    struct cone cone = cone_of(influences->cones, scratch, expr);
    const struct expr **made = ARENA_ARRAY(scratch, const struct expr *, cone.count);
    struct operand_places *places = places_of(scratch, &cone);
    for (size_t at = 0; at < cone.count; at++) {
        const struct expr *item = cone.items[at];
        unsigned arity = expr_arity(item->op);
        struct expr_operation operation = expr_operation_of(item);
        bool same = true;
        for (unsigned i = 0; i < arity; i++) {
            operation.args[i] = made[places[at].of[i]];
            same = same && operation.args[i] == item->args[i];
        }
        if (arity == 0)
            made[at] = item->op == EXPR_CONST ? item : replacement(context, item);
        else
            made[at] = same ? item : expr_make(influences->pool, operation);
    }
    const struct expr *result = made[cone.count - 1];
    arena_free(scratch);
    return result;
}
