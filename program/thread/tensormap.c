// Tensormaps: tensormap.replace and tensormap.cp_fenceproxy (PTX ISA 9.7.9.28, 9.7.13.16). What a
// test has of the opaque object is the address of the tensor, in its first 8 bytes, and where
// threads change others of its fields, a number for its shape above that (shapes.c).

#include "program/thread/access.h"
#include "program/builder.h"
#include "program/memory/memory.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"
#include "program/thread/async.h"

#include "litmus/source/arena.h"

#include <assert.h>

// The object is opaque, and its address is what a test has of it: in its first 8 bytes, which each
// access of it touches.
static struct access_shape map_shape(struct thread_builder *thread,
                                     const struct instruction *instruction,
                                     const struct operand *address, enum state_space space) {
    return (struct access_shape){
        .instruction = instruction, .address = access_address(thread, address, space), .bits = 64};
}

// --- Which map it is -----------------------------------------------------------------------------

// The map at an offset in a struct, as a variable; NULL where there is none.
static const struct variable *part_at(const struct builder *builder, const struct variable *whole,
                                      uint64_t offset) {
    const struct tensor_part *part = whole->parts;
    while (part != NULL && part->offset != offset)
        part = part->next;
    if (part == NULL)
        return NULL;
    struct variable *map = ARENA_NEW(builder->arena, struct variable);
    map->name = whole->name;
    map->space = whole->space;
    map->tensor = part->tensor;
    map->initial = ARENA_NEW(builder->arena, struct initial_element);
    map->initial->variable = part->base;
    return map;
}

// The variable that begins at an address, if it is a map that the thread can name.
static bool map_at(const struct thread_builder *thread, uint64_t address, struct map_place *map) {
    const struct builder *builder = thread->builder;
    const struct program *program = builder->program;
    const struct virtual_range *range = places_range_of(&program->memory, address, 1);
    if (range == NULL)
        return false;
    const struct variable *variable = &builder->test->variables[range->variable];
    int instance = program->memory.objects[range->object].instance;
    bool own = instance < 0 || instance == thread->index ||
               (variable->space == SPACE_SHARED && instance == builder->cta_leader[thread->index]);
    *map = (struct map_place){variable, (int)range->object};
    if (range->address != address || variable->tensor == NULL)
        *map = (struct map_place){part_at(builder, variable, address - range->address), -1};
    return own && map->variable != NULL;
}

bool tensormap_find(struct thread_builder *thread, const struct operand *operand,
                    enum state_space space, struct map_place *map) {
    const struct builder *builder = thread->builder;
    if (operand->variable >= 0) {
        unsigned range = memory_range(thread->builder, thread->index, operand->variable);
        *map = (struct map_place){&builder->test->variables[operand->variable],
                                  (int)builder->program->memory.virtual_ranges[range].object};
        return operand->offset == 0;
    }
    const struct expr *address = access_address(thread, operand, space).bits;
    if (expr_is_const(address) && map_at(thread, address->value.low, map))
        return true;
    diag_error(builder->diagnostics, operand->span,
               expr_is_const(address) ? "no tensormap begins at this address"
                                      : "which tensormap this is must not depend on memory");
    return false;
}

// --- Fields --------------------------------------------------------------------------------------

// A replacement of another field than the address.
struct map_replacement {
    const struct instruction *instruction;
    const struct operand *operand; // of the new value
    uint64_t ordinal, value;
};

// Why a field cannot have a value in any test; NULL if it can.
static const char *error_of_value(const struct map_replacement *change) {
    uint64_t value = change->value;
    switch (change->instruction->map_field) {
    case MAP_BOX_DIM:
        return value == 0 || value > 256 ? "a box has 1 to 256 elements in each dimension" : NULL;
    case MAP_GLOBAL_DIM:
        return value == 0 ? "a dimension of a tensor has at least one element" : NULL;
    case MAP_GLOBAL_STRIDE:
        return value % 16 != 0 || value >> 40 != 0
                   ? "a stride is a multiple of 16 bytes, and less than 2^40"
                   : NULL;
    case MAP_ELEMENT_STRIDE:
        return value != 1 ? "a test has no tensor of which elements are left out: this field may "
                            "only be replaced by 1"
                          : NULL;
    case MAP_ELEMENT_TYPE:
        return shapes_type(value) == TYPE_NONE ? "no variable of a test has elements of this type"
                                               : NULL;
    case MAP_RANK: return NULL;
    default:
        return value != 0 ? "a test has no tensors that are interleaved, swizzled or filled with "
                            "other values than zeros: this field may only be replaced by 0"
                          : NULL;
    }
}

// Makes the shape what it is after a replacement. Returns false where it does not have the field.
static bool replace_in(struct map_shape *shape, const struct map_replacement *change) {
    struct tensor *tensor = &shape->tensor;
    uint64_t ordinal = change->ordinal;
    enum map_field field = change->instruction->map_field;
    bool ordered = field == MAP_BOX_DIM || field == MAP_GLOBAL_DIM || field == MAP_ELEMENT_STRIDE;
    if ((ordered && ordinal >= tensor->rank) ||
        (field == MAP_GLOBAL_STRIDE && ordinal + 1 >= tensor->rank))
        return false;
    if (field == MAP_BOX_DIM)
        tensor->box[ordinal] = (unsigned)change->value;
    if (field == MAP_GLOBAL_DIM)
        tensor->extents[ordinal] = (unsigned)change->value;
    if (field == MAP_GLOBAL_STRIDE)
        tensor->strides[ordinal + 1] = change->value;
    if (field == MAP_ELEMENT_TYPE) {
        shape->type = (int64_t)change->value;
        tensor->element_size = scalar_type_bits(shapes_type(change->value)) / 8;
        tensor->strides[0] = tensor->element_size;
    }
    return true;
}

// The shape at a place of a set after a replacement; the empty set after an error.
static shape_set replaced(struct thread_builder *thread, const struct map_place *map,
                          const struct map_replacement *change, shape_set set, unsigned place) {
    struct diagnostics *diagnostics = thread->builder->diagnostics;
    struct map_shape shape = *shapes_get(thread, set, place);
    if (!replace_in(&shape, change)) {
        diag_error(diagnostics, change->operand->span, "the tensor of '%s' has no such field",
                   map->variable->name);
        return 0;
    }
    if (change->instruction->map_field == MAP_RANK && change->value + 1 != shape.tensor.rank) {
        diag_error(diagnostics, change->operand->span,
                   "the tensor of '%s' has %u dimension%s, as its copies say, so that this field "
                   "may only be replaced by %u",
                   map->variable->name, shape.tensor.rank, shape.tensor.rank == 1 ? "" : "s",
                   shape.tensor.rank - 1);
        return 0;
    }
    return shapes_of(thread, &shape, change->operand->span);
}

// Finds the new value of a field. Returns false after an error.
static bool find_replacement(struct thread_builder *thread, const struct instruction *instruction,
                             struct map_replacement *change) {
    unsigned width = scalar_type_bits(instruction->type);
    *change = (struct map_replacement){
        .instruction = instruction,
        .operand = &instruction->operands[instruction->operand_count - 1],
        .ordinal = instruction->operand_count > 2 ? instruction->operands[1].immediate.low : 0};
    if (!thread_constant(thread, change->operand, width,
                         "what a tensormap says of its tensor besides its address must not depend "
                         "on memory",
                         &change->value))
        return false;
    const char *message = error_of_value(change);
    if (message != NULL)
        diag_error(thread->builder->diagnostics, change->operand->span, "%s", message);
    return message == NULL;
}

// --- Writes --------------------------------------------------------------------------------------

// What a map is to hold: an address, and of the shapes `to` the one at the place in `set` of the
// shape that `held`, as it was read of the map `from`, says.
static struct value hold(struct thread_builder *thread, const struct map_place *map,
                         struct value address, const struct map_place *from, struct value held,
                         shape_set set, const shape_set *to) {
    struct builder *builder = thread->builder;
    unsigned count = shapes_count(set);
    const struct expr *number = shapes_number(thread, map, to[count - 1]);
    for (unsigned i = count - 1; i-- > 0;)
        number = expr_ite(builder->pool, shapes_is(thread, from, held.bits, set, i),
                          shapes_number(thread, map, to[i]), number);
    address.bits = expr_binary(builder->pool, EXPR_OR, address.bits, number);
    return expr_is_const(number) ? address : program_value_of(builder, address.bits, address, held);
}

static shape_set all_of(const shape_set *sets, unsigned count) {
    shape_set all = 0;
    for (unsigned i = 0; i < count; i++)
        all |= sets[i];
    return all;
}

// tensormap.replace has .tile alone.
static bool check_tiled(struct thread_builder *thread, const struct instruction *instruction,
                        const struct map_place *map) {
    if (!map->variable->tensor->im2col)
        return true;
    diag_error(thread->builder->diagnostics, instruction->operands[0].span,
               "'%s' is a tensormap in im2col mode, and 'tensormap.replace' changes those in tiled "
               "mode",
               map->variable->name);
    return false;
}

// "Treated as a weak memory operation, on the entire 1024-bit opaque tensor-map object" (PTX ISA
// 9.7.9.28): a read and a write, but where threads change nothing but addresses.
void tensormap_replace(struct thread_builder *thread, const struct instruction *instruction) {
    struct program *program = thread->builder->program;
    struct access_shape shape =
        map_shape(thread, instruction, &instruction->operands[0], instruction->space);
    bool of_address = instruction->map_field == MAP_ADDRESS;
    shape_set to[SHAPES_MAX];
    struct map_place map;
    struct map_replacement change = {0};
    if (!tensormap_find(thread, &instruction->operands[0], instruction->space, &map) ||
        (!of_address && !find_replacement(thread, instruction, &change)))
        return;
    shape_set set = shapes_here(thread, &map);
    if (set == 0 || !check_tiled(thread, instruction, &map))
        return;
    for (unsigned i = 0; i < shapes_count(set); i++) {
        to[i] = of_address ? shapes_of(thread, shapes_get(thread, set, i), map.variable->span)
                           : replaced(thread, &map, &change, set, i);
        if (to[i] == 0)
            return;
    }
    size_t first = program->event_count;
    struct value held = {0}, address;
    if (!of_address || shapes_may_change(thread))
        held = access_add_load(thread, &shape, (struct access){0, 1});
    thread->position += first < program->event_count;
    if (of_address)
        address = thread_operand(thread, &instruction->operands[1], 64, false);
    else
        address = held;
    address.bits = shapes_address(thread, &map, address.bits);
    shapes_write(thread, &map, all_of(to, shapes_count(set)));
    access_add_write(thread, &shape, (struct access){0, 1},
                     hold(thread, &map, address, &map, held, set, to));
    thread->position++;
}

// --- Copies --------------------------------------------------------------------------------------

// The copy, "in the generic proxy", is weak; its order and scope are those of the fence.
static void make_generic(struct program *program, size_t first) {
    for (size_t i = first; i < program->event_count; i++) {
        program->events[i].order = ORDER_WEAK;
        program->events[i].scope = SCOPE_NONE;
        program->events[i].proxy = PROXY_GENERIC;
    }
}

// Whether a copy of one map to another leaves what its own copies say of it: in im2col mode the
// tensors have to be alike.
static bool check_copied(struct thread_builder *thread, const struct operand *operands,
                         const struct map_place *to, const struct map_place *from) {
    const struct tensor *a = to->variable->tensor, *b = from->variable->tensor;
    if (a->rank == b->rank && a->im2col == b->im2col &&
        (!a->im2col || shapes_ever(thread, to) == shapes_ever(thread, from)))
        return true;
    diag_error(
        thread->builder->diagnostics, operands[1].span,
        a->im2col && b->im2col
            ? "the tensors of '%s' and '%s' are not alike, as those in im2col mode have to be"
            : "the tensors of '%s' and '%s' have other dimensions or are in other modes",
        from->variable->name, to->variable->name);
    return false;
}

// tensormap.cp_fenceproxy: a copy, then "a uni-directional proxy release pattern on the ordering
// from the copy operation to the subsequent access performed in the tensormap proxy on the address
// dst" (PTX ISA 9.7.13.16).
void tensormap_copy(struct thread_builder *thread, const struct instruction *instruction) {
    struct program *program = thread->builder->program;
    const struct operand *operands = instruction->operands;
    size_t first = program->event_count;
    struct map_place target, source;
    shape_set same[SHAPES_MAX];
    if (!tensormap_find(thread, &operands[0], SPACE_GLOBAL, &target) ||
        !tensormap_find(thread, &operands[1], SPACE_SHARED, &source) ||
        !check_copied(thread, operands, &target, &source))
        return;
    shape_set set = shapes_here(thread, &source);
    if (set == 0)
        return;
    for (unsigned i = 0; i < shapes_count(set); i++)
        same[i] = shapes_of(thread, shapes_get(thread, set, i), operands[1].span);
    struct access_shape from = map_shape(thread, instruction, &operands[1], SPACE_SHARED);
    struct access_shape to = map_shape(thread, instruction, &operands[0], SPACE_GLOBAL);
    struct value value = access_add_load(thread, &from, (struct access){0, 1});
    if (first < program->event_count)
        program->events[first].from_source = true;
    thread->position++;
    struct value address = value;
    address.bits = shapes_address(thread, &source, value.bits);
    shapes_write(thread, &target, set);
    access_add_write(thread, &to, (struct access){0, 1},
                     hold(thread, &target, address, &source, value, set, same));
    make_generic(program, first);
    thread->position++;
    struct event *fence = thread_add_event(thread, EVENT_PROXY_FENCE, instruction);
    if (fence != NULL) {
        fence->order = ORDER_RELEASE;
        fence->proxy = PROXY_TENSORMAP;
        fence->space = SPACE_GENERIC;
        fence->size = TENSOR_MAP_BYTES;
        fence->address = to.address.bits;
        fence->addr = to.address.dependencies;
        thread->builder->accesses[fence->id] = (struct access){0, 1};
    }
    thread->position++;
}
