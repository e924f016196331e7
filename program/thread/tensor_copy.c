// Copies of tiles of tensors: cp.async.bulk.tensor and cp.reduce.async.bulk.tensor (PTX ISA
// 9.7.9.25.5). The tensormap is read first, in its proxy. What the copy does then depends on the
// shape that it finds there: so it has its events once for each shape that the map may have at any
// time, on the condition that the read has found this one.

#include "program/thread/async.h"
#include "program/builder.h"
#include "program/dependency/dependencies.h"
#include "program/thread/access.h"
#include "program/thread/others.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"

#include <string.h>

// The coordinates and the size of a tile. Returns false after an error.
static bool start_tile(struct copy *copy, struct tile *tile, const struct operand *coordinates) {
    if (!tile_begin(copy->thread, copy->instruction, tile, coordinates))
        return false;
    copy->size = copy->taken = tile_bytes(tile);
    copy->aligned = 128; // in shared memory
    if (!async_check_alignment(
            copy, &copy->instruction->operands[async_is_load(copy->instruction) ? 0 : 2]))
        return false;
    copy->aligned = 16;
    copy->part = async_part_of(copy);
    return true;
}

// What is wrong with a shape that threads have given to a map; NULL for nothing. "The first
// dimension of a box is a multiple of 16 bytes" (PTX ISA 5.5.3.1), as that of a tensor.
static const char *error_of_shape(const struct map_shape *shape,
                                  const struct instruction *instruction) {
    const struct tensor *tensor = &shape->tensor;
    if (!tensor->im2col && (uint64_t)tensor->box[0] * tensor->element_size % 16 != 0)
        return "the first dimension of its box is not a multiple of 16 bytes";
    if (instruction->copy.four_rows && tensor->box[1] != 1)
        return "its box has not one row";
    return NULL;
}

// Whether a copy may be by a map of each of these shapes.
static bool check_shapes(struct thread_builder *thread, const struct instruction *instruction,
                         const struct operand *map, const struct map_place *place, shape_set set) {
    struct diagnostics *diagnostics = thread->builder->diagnostics;
    for (unsigned i = 0; i < shapes_count(set); i++) {
        const struct map_shape *shape = shapes_get(thread, set, i);
        const char *message = error_of_shape(shape, instruction);
        if (message == NULL && instruction->atomic != ATOMIC_NONE && shapes_count(set) > 1 &&
            shape->type != shapes_get(thread, set, 0)->type)
            message = "this reduction is of elements of one type";
        if (message == NULL)
            continue;
        diag_error(diagnostics, map->span,
                   "a thread replaces fields of '%s' so that the copy may find a map that is not "
                   "right: %s",
                   place->variable->name, message);
        return false;
    }
    if (shapes_count(set) <= SHAPES_OF_COPY_MAX)
        return true;
    diag_error(
        diagnostics, map->span,
        "the copy may find '%s' to describe any of %u kinds of tensors, of which %d are read",
        place->variable->name, shapes_count(set), (int)SHAPES_OF_COPY_MAX);
    return false;
}

// The map of a tensor copy, which fits it, and its shapes. The coordinates follow it. Returns false
// after an error.
static bool find_map(struct thread_builder *thread, const struct instruction *instruction,
                     const struct operand *map, struct map_place *place, shape_set *set) {
    struct diagnostics *diagnostics = thread->builder->diagnostics;
    const struct test *test = thread->builder->test;
    unsigned dimensions = instruction->copy.four_rows ? 2 : (unsigned)map[1].element_count;
    if (!tensormap_find(thread, map, SPACE_GENERIC, place) ||
        !tensor_fits_copy(diagnostics, map->span, place->variable, instruction, dimensions))
        return false;
    *set = shapes_ever(thread, place);
    if (instruction->atomic == ATOMIC_NONE ||
        instruction->type == test->variables[place->variable->initial[0].variable].type)
        return *set != 0 && check_shapes(thread, instruction, map, place, *set);
    diag_error(diagnostics, map->span, "the elements of the tensor of '%s' are not of .%s",
               place->variable->name, scalar_type_name(instruction->type));
    return false;
}

// --- Copies --------------------------------------------------------------------------------------

// Makes the events from `first` on those of one of several copies that this may be.
static void depend_on(struct builder *builder, size_t first, struct dependency_list decides) {
    struct program *program = builder->program;
    for (size_t i = first; i < program->event_count; i++) {
        struct event *event = &program->events[i];
        event->async->of_shape = true;
        struct dependency_list *by = event_is_access(event) ? &event->addr : &event->ctrl;
        *by = dependencies_union(builder, *by, decides);
    }
}

// A tensor copy that is being added: the map that it reads, and what is there.
struct tensor_copy {
    struct copy copy;
    struct map_place map;
    shape_set shapes;
    struct value held, base;
    struct tile_coordinates coordinates;
    const struct operand *operand; // of the coordinates
    bool several;                  // the copy may be one of several
};

// What a copy does where its map has a shape, and its coordinates are these.
static bool add_copy(struct tensor_copy *tensor, struct tile *tile, unsigned shape) {
    struct copy *copy = &tensor->copy;
    struct builder *builder = copy->thread->builder;
    size_t first = builder->program->event_count;
    tile->tensor = &shapes_get(copy->thread, tensor->shapes, shape)->tensor;
    tile->base = tensor->base;
    copy->tile = tile;
    copy->target = 0;
    if (!start_tile(copy, tile, tensor->operand))
        return false;
    async_transfer(copy);
    struct dependency_list decides = tensor->held.dependencies;
    for (unsigned i = 0; i < tensor->coordinates.count; i++)
        decides = dependencies_union(builder, decides, tensor->coordinates.values[i].dependencies);
    if (tensor->several)
        depend_on(builder, first, decides);
    return true;
}

// Whether PTX has no store to a tile that begins at these coordinates: of the direction
// .global.shared::cta, "starting co-ordinates for Bounding Box (tensorCoords) must be non-negative"
// (9.7.9.26.5.1 of PTX ISA 9.3), except "for sm_107f", where they "can be negative for
// .tile::scatter4 mode" (9.7.10.28.5.1 of PTX ISA 9.4). An error where the copy has no others.
static bool begins_before(const struct tensor_copy *tensor, const struct tile *tile) {
    const struct copy *copy = &tensor->copy;
    const char *target = copy->thread->builder->test->directives.target;
    bool is_of_107 =
        target != NULL && (strcmp(target, "sm_107f") == 0 || strcmp(target, "sm_107a") == 0);
    if (copy->instruction->copy.four_rows && is_of_107)
        return false;
    for (unsigned i = 0; i < tensor->coordinates.count; i++) {
        if (async_is_load(copy->instruction) || tile->begin[i] >= 0)
            continue;
        if (tensor->coordinates.choices == 1)
            diag_error(copy->thread->builder->diagnostics, tensor->operand->elements[i].span,
                       "a tile that is stored to begins at coordinates that are not negative (PTX "
                       "ISA 9.7.9.26.5.1 of PTX 9.3), and this one is %lld",
                       (long long)tile->begin[i]);
        return true;
    }
    return false;
}

// Adds the copy for each shape, of which the read of the map finds one, and each choice of its
// coordinates. An execution with another one is outside of what is known.
static void add_copies(struct tensor_copy *tensor) {
    struct thread_builder *thread = tensor->copy.thread;
    struct builder *builder = thread->builder;
    struct program *program = builder->program;
    const struct expr *active = thread->active, *none = active;
    unsigned shapes = shapes_count(tensor->shapes), count = shapes * tensor->coordinates.choices;
    bool fine = true;
    for (unsigned i = 0; i < tensor->coordinates.count; i++)
        tensor->several |= !expr_is_const(tensor->coordinates.values[i].bits);
    tensor->several |= count > 1;
    for (unsigned i = 0; i < count && fine; i++) {
        struct tile tile = {0};
        const struct expr *is_this =
            shapes_is(thread, &tensor->map, tensor->held.bits, tensor->shapes, i % shapes);
        is_this = expr_and(builder->pool, is_this,
                           coordinates_choose(thread, &tensor->coordinates, i / shapes, &tile));
        if (begins_before(tensor, &tile))
            continue;
        none = expr_and(builder->pool, none, expr_not(builder->pool, is_this));
        thread->active = expr_and(builder->pool, active, is_this);
        fine = add_copy(tensor, &tile, i % shapes);
    }
    thread->active = active;
    if (tensor->several)
        program->limits.out_of_bounds = expr_or(builder->pool, program->limits.out_of_bounds,
                                                expr_and(builder->pool, none, thread->unblocked));
}

void async_tensor(struct thread_builder *thread, const struct instruction *instruction) {
    struct program *program = thread->builder->program;
    const struct operand *map = &instruction->operands[async_is_load(instruction) ? 1 : 0];
    struct tensor_copy tensor = {.copy = {.thread = thread, .instruction = instruction},
                                 .operand = map + 1};
    if (!find_map(thread, instruction, map, &tensor.map, &tensor.shapes) ||
        !async_check_thread(thread, instruction) ||
        !coordinates_find(thread, map + 1, &tensor.coordinates))
        return;
    enum state_space space = map->variable < 0 ? SPACE_GENERIC : tensor.map.variable->space;
    tensor.copy.issue = async_add_event(thread, instruction, EVENT_ISSUE, ASYNC_ISSUE,
                                        thread->commits[ASYNC_OF_BULK]);
    size_t first = program->event_count;
    struct access_shape shape = {
        .instruction = instruction, .address = access_address(thread, map, space), .bits = 64};
    if (others_may_store_at(thread->builder, shape.address.bits->value.low, TENSOR_MAP_BYTES))
        diag_error(thread->builder->diagnostics, map->span,
                   "threads that the launch leaves out may change this tensormap");
    tensor.held = access_add_read(thread, &shape, (struct access){0, 1});
    async_mark(&tensor.copy, first, ASYNC_MAP, space);
    tensor.base = tensor.held;
    tensor.base.bits = shapes_address(thread, &tensor.map, tensor.held.bits);
    add_copies(&tensor);
    thread->position++;
}
