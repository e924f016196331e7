// Tensormaps: tensormap.replace and tensormap.cp_fenceproxy (PTX ISA 9.7.9.28, 9.7.13.16). What a
// test has of the opaque object is the address of the tensor, in its first 8 bytes.

#include "litmus/program/thread/access.h"
#include "litmus/program/thread/async.h"

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
static const struct variable *map_at(const struct thread_builder *thread, uint64_t address) {
    const struct builder *builder = thread->builder;
    const struct program *program = builder->program;
    for (size_t i = 0; i < program->virtual_range_count; i++) {
        const struct virtual_range *range = &program->virtual_ranges[i];
        const struct variable *variable = &builder->test->variables[range->variable];
        int instance = program->objects[range->object].instance;
        bool own = instance < 0 || instance == (int)thread->index ||
                   (variable->space == SPACE_SHARED &&
                    instance == (int)builder->cta_leader[thread->index]);
        if (range->address == address && variable->tensor != NULL && own)
            return variable;
        if (variable->parts != NULL && own && address >= range->address &&
            part_at(builder, variable, address - range->address) != NULL)
            return part_at(builder, variable, address - range->address);
    }
    return NULL;
}

const struct variable *tensormap_find(struct thread_builder *thread, const struct operand *map,
                                      enum state_space space) {
    const struct variable *variables = thread->builder->test->variables;
    if (map->variable >= 0)
        return map->offset == 0 ? &variables[map->variable] : NULL;
    const struct expr *address = access_address(thread, map, space).bits;
    const struct variable *found =
        expr_is_const(address) ? map_at(thread, address->value.low) : NULL;
    if (found == NULL)
        diag_error(thread->builder->diagnostics, map->span,
                   expr_is_const(address) ? "no tensormap begins at this address"
                                          : "which tensormap this is must not depend on memory");
    return found;
}

// --- Fields --------------------------------------------------------------------------------------

// The number that .elemtype has for a type; negative where it has none.
static int64_t number_of_type(enum scalar_type type) {
    static const enum scalar_type types[] = {TYPE_U8,   TYPE_U16, TYPE_U32, TYPE_S32,
                                             TYPE_U64,  TYPE_S64, TYPE_F16, TYPE_F32,
                                             TYPE_NONE, TYPE_F64, TYPE_BF16};
    static const enum scalar_type bits[][2] = {
        {TYPE_B8, TYPE_U8}, {TYPE_B16, TYPE_U16}, {TYPE_B32, TYPE_U32}, {TYPE_B64, TYPE_U64}};
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
        if (type == bits[i][0])
            type = bits[i][1];
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i] == type)
            return (int64_t)i;
    return -1;
}

// What a field holds, in a map as a test declares it; negative where the map does not have it. The
// stride of a dimension is that of the next one, in bytes.
static int64_t present_value(const struct test *test, const struct variable *map,
                             enum map_field field, uint64_t ordinal) {
    const struct tensor *tensor = map->tensor;
    int64_t stride = tensor->element_size;
    bool strides = field == MAP_GLOBAL_STRIDE;
    bool ordered =
        strides || field == MAP_BOX_DIM || field == MAP_GLOBAL_DIM || field == MAP_ELEMENT_STRIDE;
    if (ordered && ordinal + (strides ? 1 : 0) >= tensor->rank)
        return -1;
    switch (field) {
    case MAP_RANK: return tensor->rank - 1;
    case MAP_BOX_DIM: return tensor->box[ordinal];
    case MAP_GLOBAL_DIM: return tensor->extents[ordinal];
    case MAP_ELEMENT_STRIDE: return 1;
    case MAP_ELEMENT_TYPE: return number_of_type(test->variables[map->initial[0].variable].type);
    case MAP_GLOBAL_STRIDE:
        for (uint64_t i = 0; i <= ordinal; i++)
            stride *= tensor->extents[i];
        return stride;
    default: return 0; // neither interleaved nor swizzled, and filled with zeros
    }
}

// Whether an instruction leaves a field as it is: a test has no tensors but those that it declares.
static bool leaves_field(struct thread_builder *thread, const struct instruction *instruction) {
    const struct test *test = thread->builder->test;
    const struct operand *map = &instruction->operands[0];
    const struct operand *last = &instruction->operands[instruction->operand_count - 1];
    struct diagnostics *diagnostics = thread->builder->diagnostics;
    unsigned width = scalar_type_bits(instruction->type);
    const struct expr *bits = thread_operand(thread, last, width, false).bits;
    uint64_t ordinal = instruction->operand_count > 2 ? instruction->operands[1].immediate.low : 0;
    const struct variable *variable = tensormap_find(thread, map, instruction->space);
    if (variable == NULL)
        return false;
    int64_t present = present_value(test, variable, instruction->map_field, ordinal);
    if (expr_is_const(bits) && present >= 0 && bits->value.low == (uint64_t)present)
        return true;
    if (present < 0)
        diag_error(diagnostics, last->span, "the tensor of '%s' has no such field", variable->name);
    else
        diag_error(diagnostics, last->span,
                   "the tensor of '%s' is as it is declared, so that this field may only be "
                   "replaced by what it is: %lld",
                   variable->name, (long long)present);
    return false;
}

// "Treated as a weak memory operation, on the entire 1024-bit opaque tensor-map object" (PTX ISA
// 9.7.9.28). Where it replaces another field than the address, that is what it was.
void tensormap_replace(struct thread_builder *thread, const struct instruction *instruction) {
    struct program *program = thread->builder->program;
    struct access_shape shape =
        map_shape(thread, instruction, &instruction->operands[0], instruction->space);
    bool of_address = instruction->map_field == MAP_ADDRESS;
    if (!of_address && !leaves_field(thread, instruction))
        return;
    size_t first = program->event_count;
    struct value value = of_address ? thread_operand(thread, &instruction->operands[1], 64, false)
                                    : access_add_read(thread, &shape, (struct access){0, 1});
    thread->position += first < program->event_count;
    access_add_write(thread, &shape, (struct access){0, 1}, value);
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

static bool same_numbers(const unsigned *a, const unsigned *b, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

// Whether two maps differ in nothing but where their tensors are.
static bool look_alike(const struct test *test, const struct variable *one,
                       const struct variable *other) {
    const struct tensor *a = one->tensor, *b = other->tensor;
    bool alike = a->rank == b->rank && a->im2col == b->im2col && a->channels == b->channels &&
                 a->pixels == b->pixels &&
                 number_of_type(test->variables[one->initial[0].variable].type) ==
                     number_of_type(test->variables[other->initial[0].variable].type) &&
                 same_numbers(a->extents, b->extents, a->rank) &&
                 same_numbers(a->box, b->box, a->rank);
    for (unsigned i = 0; a->im2col && i + 2 < a->rank && alike; i++)
        alike = a->lower[i] == b->lower[i] && a->upper[i] == b->upper[i];
    return alike;
}

// Whether a copy of one map to another leaves what the test knows of the other one.
static bool check_copied(struct thread_builder *thread, const struct instruction *instruction) {
    const struct operand *operands = instruction->operands;
    const struct variable *to = tensormap_find(thread, &operands[0], SPACE_GLOBAL);
    const struct variable *from = tensormap_find(thread, &operands[1], SPACE_SHARED);
    if (to == NULL || from == NULL)
        return false;
    if (look_alike(thread->builder->test, to, from))
        return true;
    diag_error(thread->builder->diagnostics, operands[1].span,
               "the tensors of '%s' and '%s' are not alike, and the tensor of a map is as it is "
               "declared, but for its address",
               from->name, to->name);
    return false;
}

// tensormap.cp_fenceproxy: a copy, then "a uni-directional proxy release pattern on the ordering
// from the copy operation to the subsequent access performed in the tensormap proxy on the address
// dst" (PTX ISA 9.7.13.16).
void tensormap_copy(struct thread_builder *thread, const struct instruction *instruction) {
    struct program *program = thread->builder->program;
    const struct operand *operands = instruction->operands;
    size_t first = program->event_count;
    if (!check_copied(thread, instruction))
        return;
    struct access_shape from = map_shape(thread, instruction, &operands[1], SPACE_SHARED);
    struct access_shape to = map_shape(thread, instruction, &operands[0], SPACE_GLOBAL);
    struct value value = access_add_read(thread, &from, (struct access){0, 1});
    if (first < program->event_count)
        program->events[first].from_source = true;
    thread->position++;
    access_add_write(thread, &to, (struct access){0, 1}, value);
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
