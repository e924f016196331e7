// Shapes: what tensormaps say of their tensors besides where these are (PTX ISA 5.5.8), as far as
// threads change it by tensormap.replace and tensormap.cp_fenceproxy (9.7.9.28, 9.7.13.16).
//
// Each shape that some map of the test may have has a number, from 1 on. A map whose shape may
// change has that number above the address of its tensor, in the eight bytes that a test has of it:
// so who reads a map finds an address and a shape that belong together, those of one write. Which
// shapes there are is known before the program is built: its threads are run, maps get the shapes
// that are written to them, and this again until there is no new one.
//
// A thread that alone writes to a map, in the generic proxy, reads what it has written there last.
// So where it replaces one field after the other, each replacement finds but one shape. What is
// read in the tensormap proxy, or where several threads write, may be of any shape of the map.

#include "program/thread/shapes.h"
#include "program/builder.h"
#include "program/thread/threads.h"

#include <assert.h>

enum { FIRST_BIT = PROGRAM_MAP_ADDRESS_BITS, NUMBER_BITS = 8, SEVERAL = -1 };

// A map in memory: the thread that writes to it, and 1, or SEVERAL; the shapes that it may have.
struct map_object {
    int writer;
    shape_set found;
};

struct map_shapes {
    struct arena *arena;
    struct map_shape items[SHAPES_MAX];
    unsigned count;
    struct map_object *objects; // by object; NULL until a thread is run
    bool *vary;                 // by variable: the shape of one of its objects may change
    bool may_change;            // the test has threads that change shapes
    bool changed;               // by the threads that are being run
};

// A write of a thread to a map, on a path: the shapes that it may leave there.
struct map_write {
    int object;
    const struct expr *active;
    shape_set set;
    struct map_write *before;
};

// --- Sets --------------------------------------------------------------------------------------

unsigned shapes_count(shape_set set) {
    return (unsigned)__builtin_popcountll(set);
}

static unsigned index_in(shape_set set, unsigned place) {
    for (; place > 0; place--)
        set &= set - 1;
    assert(set != 0);
    return (unsigned)__builtin_ctzll(set);
}

// --- The table ---------------------------------------------------------------------------------

struct map_shapes *shapes_new(struct arena *arena, const struct test *test, bool may_change) {
    struct map_shapes *shapes = ARENA_NEW(arena, struct map_shapes);
    shapes->arena = arena;
    shapes->may_change = may_change;
    shapes->vary = ARENA_ARRAY(arena, bool, test->variable_count + 1);
    return shapes;
}

// Those of the program; where it is run for another purpose, those that are met on the way.
static struct map_shapes *table_of(const struct thread_builder *thread) {
    struct builder *builder = thread->builder;
    if (builder->shapes == NULL)
        builder->shapes = shapes_new(builder->arena, builder->test, false);
    if (builder->shapes->objects == NULL)
        builder->shapes->objects = ARENA_ARRAY(builder->shapes->arena, struct map_object,
                                               builder->program->memory.object_count + 1);
    return builder->shapes;
}

static bool same_shape(const struct map_shape *a, const struct map_shape *b) {
    const struct tensor *x = &a->tensor, *y = &b->tensor;
    bool same = a->type == b->type && x->rank == y->rank && x->element_size == y->element_size &&
                x->im2col == y->im2col && x->channels == y->channels && x->pixels == y->pixels;
    for (unsigned i = 0; i < x->rank && same; i++)
        same = x->extents[i] == y->extents[i] && x->strides[i] == y->strides[i] &&
               x->box[i] == y->box[i];
    for (unsigned i = 0; i + 2 < x->rank && x->im2col && same; i++)
        same = x->lower[i] == y->lower[i] && x->upper[i] == y->upper[i];
    return same;
}

const struct map_shape *shapes_get(const struct thread_builder *thread, shape_set set,
                                   unsigned place) {
    return &table_of(thread)->items[index_in(set, place)];
}

shape_set shapes_of(struct thread_builder *thread, const struct map_shape *shape,
                    struct span span) {
    struct map_shapes *shapes = table_of(thread);
    unsigned i = 0;
    while (i < shapes->count && !same_shape(&shapes->items[i], shape))
        i++;
    if (i == SHAPES_MAX) {
        diag_error(thread->builder->diagnostics, span,
                   "the tensormaps of the test may describe more than %d kinds of tensors",
                   (int)SHAPES_MAX);
        return 0;
    }
    if (i == shapes->count) {
        shapes->items[shapes->count++] = *shape;
        shapes->changed = true;
    }
    return (shape_set)1 << i;
}

// The number that .elemtype has for a type (table 33); negative where it has none.
static int64_t number_of_type(enum scalar_type type) {
    static const enum scalar_type bits[][2] = {
        {TYPE_B8, TYPE_U8}, {TYPE_B16, TYPE_U16}, {TYPE_B32, TYPE_U32}, {TYPE_B64, TYPE_U64}};
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
        if (type == bits[i][0])
            type = bits[i][1];
    for (unsigned i = 0; i < MAP_TYPES; i++)
        if (shapes_type(i) == type)
            return i;
    return -1;
}

enum scalar_type shapes_type(uint64_t number) {
    static const enum scalar_type types[MAP_TYPES] = {TYPE_U8,   TYPE_U16, TYPE_U32, TYPE_S32,
                                                      TYPE_U64,  TYPE_S64, TYPE_F16, TYPE_F32,
                                                      TYPE_NONE, TYPE_F64, TYPE_BF16};
    return number < MAP_TYPES ? types[number] : TYPE_NONE;
}

// The shape that a map is declared to have.
static shape_set declared(struct thread_builder *thread, const struct map_place *map) {
    const struct variable *base =
        &thread->builder->test->variables[map->variable->initial[0].variable];
    struct map_shape shape = {*map->variable->tensor, number_of_type(base->type)};
    return shapes_of(thread, &shape, map->variable->span);
}

// --- Maps --------------------------------------------------------------------------------------

static struct map_object *object_of(const struct thread_builder *thread,
                                    const struct map_place *map) {
    return &table_of(thread)->objects[map->object];
}

static bool *varies(const struct thread_builder *thread, const struct map_place *map) {
    const struct test *test = thread->builder->test;
    return &table_of(thread)->vary[map->variable - test->variables];
}

shape_set shapes_ever(struct thread_builder *thread, const struct map_place *map) {
    shape_set first = declared(thread, map);
    return map->object < 0 ? first : first | object_of(thread, map)->found;
}

shape_set shapes_here(struct thread_builder *thread, const struct map_place *map) {
    struct expr_pool *pool = thread->builder->pool;
    shape_set set = 0;
    if (map->object < 0 || object_of(thread, map)->writer != thread->index + 1)
        return shapes_ever(thread, map);
    for (const struct map_write *write = thread->map_writes; write; write = write->before) {
        if (write->object != map->object ||
            expr_implies(pool, thread->active, expr_not(pool, write->active)))
            continue;
        set |= write->set;
        if (expr_implies(pool, thread->active, write->active))
            return set;
    }
    return set | declared(thread, map);
}

void shapes_write(struct thread_builder *thread, const struct map_place *map, shape_set set) {
    assert(map->object >= 0);
    struct map_shapes *shapes = table_of(thread);
    struct map_object *object = object_of(thread, map);
    struct map_object before = *object;
    struct map_write *write = ARENA_NEW(thread->builder->arena, struct map_write);
    *write = (struct map_write){map->object, thread->active, set, thread->map_writes};
    thread->map_writes = write;
    if (object->writer != thread->index + 1)
        object->writer = object->writer == 0 ? thread->index + 1 : SEVERAL;
    object->found |= set;
    bool *vary = varies(thread, map);
    bool more = !*vary && shapes_count(shapes_ever(thread, map)) > 1;
    *vary = *vary || more;
    if (more || object->found != before.found || object->writer != before.writer)
        shapes->changed = true;
}

// --- What is in memory -------------------------------------------------------------------------

// Whether a map has a number above its address.
static bool has_number(const struct thread_builder *thread, const struct map_place *map) {
    return map->object >= 0 && *varies(thread, map);
}

const struct expr *shapes_address(const struct thread_builder *thread, const struct map_place *map,
                                  const struct expr *held) {
    const struct builder *builder = thread->builder;
    if (map->object < 0)
        return held;
    return shapes_shown(builder, (int)(map->variable - builder->test->variables), held);
}

const struct expr *shapes_number(const struct thread_builder *thread, const struct map_place *map,
                                 shape_set shape) {
    uint64_t number = index_in(shape, 0) + 1;
    return expr_const_u64(thread->builder->pool, 64,
                          has_number(thread, map) ? number << FIRST_BIT : 0);
}

const struct expr *shapes_is(const struct thread_builder *thread, const struct map_place *map,
                             const struct expr *held, shape_set set, unsigned place) {
    struct expr_pool *pool = thread->builder->pool;
    if (!has_number(thread, map))
        return thread->builder->always;
    return expr_eq(pool, expr_extract(pool, held, FIRST_BIT, NUMBER_BITS),
                   expr_const_u64(pool, NUMBER_BITS, index_in(set, place) + 1));
}

const struct expr *shapes_shown(const struct builder *builder, int variable,
                                const struct expr *held) {
    if (builder->shapes == NULL || !builder->shapes->vary[variable])
        return held;
    return expr_binary(builder->pool, EXPR_AND, held,
                       expr_const_u64(builder->pool, 64, (UINT64_C(1) << FIRST_BIT) - 1));
}

uint64_t shapes_initial(const struct builder *builder, int variable) {
    const struct map_shapes *shapes = builder->shapes;
    const struct test *test = builder->test;
    if (shapes == NULL || !shapes->vary[variable])
        return 0;
    const struct variable *map = &test->variables[variable];
    struct map_shape shape = {*map->tensor,
                              number_of_type(test->variables[map->initial[0].variable].type)};
    for (unsigned i = 0; i < shapes->count; i++)
        if (same_shape(&shapes->items[i], &shape))
            return (uint64_t)(i + 1) << FIRST_BIT;
    return 0;
}

bool shapes_may_change(const struct thread_builder *thread) {
    return table_of(thread)->may_change;
}

bool shapes_end_run(struct map_shapes *shapes) {
    bool changed = shapes->changed;
    shapes->changed = false;
    return changed;
}

const struct tensor **shapes_tensors(const struct map_shapes *shapes) {
    const struct tensor **tensors = ARENA_ARRAY(shapes->arena, const struct tensor *, SHAPES_MAX);
    for (unsigned i = 0; i < shapes->count; i++)
        tensors[i] = &shapes->items[i].tensor;
    return tensors;
}
