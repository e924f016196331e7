// Where accesses of threads that a launch leaves out may be (memory-model section 13).
//
// An address that a thread computes from what it loads is one of a few where the arithmetic shows
// that: flags[n & 1]. Else, where one of the terms of its sum is the address of an object, it is
// taken to be in that object. Else it may be any of its state space.

#include "program/builder.h"
#include "program/thread/others.h"
#include "program/expr/internal.h"
#include "program/expr/value_set.h"

#include <stdlib.h>
#include <string.h>

// --- Places ------------------------------------------------------------------------------------

const struct object *left_places_object(const struct program *program, uint64_t address,
                                        uint64_t size) {
    const struct virtual_range *range = places_range_of(&program->memory, address, size);
    return range == NULL ? NULL : &program->memory.objects[range->object];
}

static bool is_local(const struct builder *builder, uint64_t address) {
    const struct object *object = left_places_object(builder->program, address, 1);
    return object != NULL && (object->space == SPACE_LOCAL || object->space == SPACE_PARAM ||
                              object->space == SPACE_CONST);
}

bool left_places_contain(const struct builder *builder, const struct left_places *places,
                         uint64_t address, uint64_t size) {
    if (is_local(builder, address))
        return false;
    uint64_t window = program_window(SPACE_SHARED);
    bool shared = address >= window && address - window < PROGRAM_WINDOW_SIZE;
    if (shared ? places->anywhere_shared : places->anywhere_global)
        return true;
    for (size_t i = 0; i < places->count && places->items[i].begin < address + size; i++)
        if (places->items[i].end > address)
            return true;
    return false;
}

// --- Values of addresses -----------------------------------------------------------------------

enum { NODES_MAX = 512 };

// The values of an expression, whatever reads return: of the first NODES_MAX parts, as they are
// come upon; the others may be anything.
static struct value_set values_of(struct arena *scratch, const struct expr *expr, unsigned *nodes) {
    struct value_set operands[3] = {0};
    if (*nodes == 0 || expr_is_leaf(expr))
        return value_set_any(expr->width);
    --*nodes;
    for (unsigned i = 0; i < expr_arity(expr->op); i++)
        operands[i] = values_of(scratch, expr->args[i], nodes);
    return value_set_apply(scratch, expr, operands);
}

static struct value_set addresses_of(struct arena *scratch, const struct expr *address) {
    unsigned nodes = NODES_MAX;
    return values_of(scratch, address, &nodes);
}

// --- The object that an address is computed from -----------------------------------------------

enum { BASES_MAX = 8 };

// The constant terms of a sum, added up, in each way in which the expression may choose among some.
struct bases {
    uint64_t sums[BASES_MAX];
    unsigned count; // 0: too many
};

static struct bases bases_of(const struct expr *expr, unsigned depth);

static struct bases add_bases(const struct bases *a, const struct bases *b) {
    struct bases all = {.count = 0};
    if (a->count * b->count > BASES_MAX)
        return all;
    for (unsigned i = 0; i < a->count; i++)
        for (unsigned k = 0; k < b->count; k++)
            all.sums[all.count++] = a->sums[i] + b->sums[k];
    return all;
}

static struct bases join_bases(const struct bases *a, const struct bases *b) {
    struct bases all = *a;
    if (a->count == 0 || b->count == 0 || a->count + b->count > BASES_MAX)
        return (struct bases){.count = 0};
    for (unsigned i = 0; i < b->count; i++)
        all.sums[all.count++] = b->sums[i];
    return all;
}

static struct bases bases_of(const struct expr *expr, unsigned depth) {
    struct bases a, b;
    if (depth == 0)
        return (struct bases){.count = 0};
    switch (expr->op) {
    case EXPR_CONST: return (struct bases){{expr->value.low}, 1};
    case EXPR_ZEXT: return bases_of(expr->args[0], depth - 1);
    case EXPR_ADD:
        a = bases_of(expr->args[0], depth - 1);
        b = bases_of(expr->args[1], depth - 1);
        return add_bases(&a, &b);
    case EXPR_ITE:
        a = bases_of(expr->args[1], depth - 1);
        b = bases_of(expr->args[2], depth - 1);
        return join_bases(&a, &b);
    default: return (struct bases){{0}, 1};
    }
}

// --- Adding ------------------------------------------------------------------------------------

// So many ranges are told apart by when their accesses are; of more, by where alone.
enum { WINDOWS_MAX = 2048 };

// Makes a window one that another one is in, too.
static void widen(struct left_window *window, const struct left_window *other) {
    for (unsigned i = 0; i < CTA_BARRIERS; i++) {
        if (other->least[i] < window->least[i])
            window->least[i] = other->least[i];
        if (other->most[i] > window->most[i])
            window->most[i] = other->most[i];
    }
}

static void add_range(struct left_places *places, struct arena *arena, uint64_t begin,
                      uint64_t size, const struct left_window *when) {
    for (size_t i = places->count; i-- > 0;) { // most come in the order of their threads
        struct left_range *range = &places->items[i];
        if (range->begin != begin || range->end != begin + size || range->when.cta != when->cta)
            continue;
        if (places->count >= WINDOWS_MAX)
            widen(&range->when, when);
        if (places->count >= WINDOWS_MAX || memcmp(&range->when, when, sizeof *when) == 0)
            return;
    }
    places->items = arena_grow(arena, places->items, places->count, sizeof *places->items);
    places->items[places->count++] = (struct left_range){begin, begin + size, *when};
}

void left_places_add_anywhere(struct left_places *places, enum state_space space) {
    bool shared = state_space_is_shared(space);
    places->anywhere_shared |= shared || space == SPACE_GENERIC;
    places->anywhere_global |= !shared;
}

// Returns false where the bytes are in no object.
static bool add_bytes(struct left_places *places, struct arena *arena,
                      const struct program *program, uint64_t address, uint64_t size,
                      const struct left_window *when) {
    const struct object *object = left_places_object(program, address, size);
    if (object == NULL)
        return false;
    if (object->space != SPACE_LOCAL && object->space != SPACE_PARAM)
        add_range(places, arena, address, size, when);
    return true;
}

// Adds the objects that an address is computed from. Returns false where it is not known which.
static bool add_objects(struct left_places *places, struct arena *arena,
                        const struct program *program, const struct expr *address,
                        const struct left_window *when) {
    enum { DEPTH_MAX = 32 };
    struct bases bases = bases_of(address, DEPTH_MAX);
    for (unsigned i = 0; i < bases.count; i++)
        if (places_range_of(&program->memory, bases.sums[i], 1) == NULL)
            return false;
    for (unsigned i = 0; i < bases.count; i++) {
        const struct virtual_range *range = places_range_of(&program->memory, bases.sums[i], 1);
        add_bytes(places, arena, program, range->address,
                  program->memory.objects[range->object].size, when);
    }
    places->within |= bases.count > 0;
    return bases.count > 0;
}

bool left_places_add(struct left_places *places, struct arena *arena, const struct builder *ran,
                     const struct event *access, const struct left_window *when) {
    const struct program *program = ran->program;
    bool inside = true;
    if (expr_is_const(access->address))
        return add_bytes(places, arena, program, access->address->value.low, access->size, when);
    struct value_set set = addresses_of(ran->arena, access->address);
    if (set.any && !add_objects(places, arena, program, access->address, when))
        left_places_add_anywhere(places, event_state_space(access));
    for (unsigned i = 0; !set.any && i < set.count; i++)
        inside = add_bytes(places, arena, program, (uint64_t)set.values[i], access->size, when) &&
                 inside;
    return inside;
}

static int compare_ranges(const void *left, const void *right) {
    const struct left_range *a = left, *b = right;
    return a->begin != b->begin ? (a->begin < b->begin ? -1 : 1)
           : a->end != b->end   ? (a->end < b->end ? -1 : 1)
                                : 0;
}

void left_places_sort(struct left_places *places) {
    if (places->count > 1)
        qsort(places->items, places->count, sizeof *places->items, compare_ranges);
}

// --- Asking ------------------------------------------------------------------------------------

// Whether an access of `size` bytes at one of these addresses may be to bytes from begin to end.
static bool meets_interval(struct value_set addresses, uint64_t size, uint64_t begin,
                           uint64_t end) {
    for (unsigned i = 0; i < addresses.count; i++)
        if (addresses.values[i] < end && addresses.values[i] + size > begin)
            return true;
    return addresses.any;
}

static const struct expr *in_interval(const struct builder *builder, const struct expr *address,
                                      uint64_t size, uint64_t begin, uint64_t end) {
    struct expr_pool *pool = builder->pool;
    uint64_t first = begin < size ? 0 : begin - size + 1;
    return expr_and(pool, expr_binary(pool, EXPR_ULE, expr_const_u64(pool, 64, first), address),
                    expr_binary(pool, EXPR_ULT, address, expr_const_u64(pool, 64, end)));
}

const struct expr *left_places_meet(const struct builder *builder, const struct left_places *places,
                                    const struct expr *address, uint64_t size) {
    enum { INTERVALS_MAX = 8 };
    const struct expr *meets = builder->never;
    unsigned intervals = 0;
    if (expr_is_const(address))
        return expr_bool(builder->pool,
                         left_places_contain(builder, places, address->value.low, size));
    if (places->anywhere_global || places->anywhere_shared)
        return builder->always;
    struct value_set set = addresses_of(builder->arena, address);
    for (size_t i = 0, next; i < places->count; i = next) {
        uint64_t begin = places->items[i].begin, end = places->items[i].end;
        for (next = i + 1; next < places->count && places->items[next].begin <= end; next++)
            if (places->items[next].end > end)
                end = places->items[next].end;
        if (!meets_interval(set, size, begin, end))
            continue;
        if (intervals++ == INTERVALS_MAX)
            return builder->always;
        meets = expr_or(builder->pool, meets, in_interval(builder, address, size, begin, end));
    }
    return meets;
}
