// Tensormaps that threads change. What is in them is in their bytes (map_fields.c), and which
// generic accesses to these are ordered is found as for other memory. Copies read them in a proxy
// of their own: a change comes before such a read if a release of that proxy follows the change, in
// its CTA, an acquire of this map follows the release, in the CTA of the copy, and the copy follows
// that; the two have scopes that contain the other's thread, or are of one thread. (ptx-9.1.cat:
// `one-way`) A later change comes after a copy that is known to be complete (`map-is-read`).
//
// A release and an acquire that are ordered by other accesses to memory between them
// (`tensormap-sync`), and by nothing else, are not followed: the run gives up there.
#include "launch/tensormap.h"
#include "launch/cluster.h"
#include "launch/races.h"

#include "litmus/source/arena.h"
#include "program/thread/async.h"

#include <string.h>

enum { MAP_ALIGNMENT = 64 };

// A fence of the tensormap proxy.
struct map_fence {
    struct map_fence *next;
    uint32_t actor, time;
    int thread;
    enum scope scope;
};

// A write to a map in the generic proxy, the releases after it, and the acquires after these.
struct map_change {
    struct map_change *next;
    struct shadow_access touch;
    struct map_fence *released, *acquired;
};

// A read of a map by a copy.
struct map_reading {
    struct map_reading *next;
    struct shadow_access touch;
};

struct changed_map {
    struct changed_map *next;
    unsigned object;
    uint64_t offset;
    struct map_change *changes; // that others have not taken the place of, the last one first
    struct map_reading *readings;
    bool plain[TENSOR_MAP_BYTES]; // by byte: a thread has stored something else there since
    struct map_fence *acquired;   // fences that are for it
    bool is_odd;                  // written in another way than by threads in the generic proxy
};

// How many threads of a warp have come to a tensormap.cp_fenceproxy.
struct warp_visits {
    struct warp_visits *next;
    const struct block *block;
    unsigned warp, count;
    const struct instruction *instruction;
};

struct changed_maps {
    struct changed_map *places;
    struct warp_visits *visits;
    bool *are_in; // by object: some place is in it
};

// Whether an instruction is a tensormap.cp_fenceproxy.
static bool is_copy(const struct instruction *instruction) {
    return opcode_family(instruction->opcode) == FAMILY_TENSORMAP &&
           (opcode_effects(instruction->opcode) & EFFECT_READS) != 0;
}

// --- Places --------------------------------------------------------------------------------------

static struct changed_map *find(const struct machine *machine, unsigned object, uint64_t offset) {
    for (struct changed_map *place = machine->maps.changed->places; place; place = place->next)
        if (place->object == object && place->offset == offset)
            return place;
    return NULL;
}

static struct changed_map *add(struct machine *machine, unsigned object, uint64_t offset) {
    struct changed_map *place = ARENA_NEW(machine->scratch, struct changed_map);
    *place = (struct changed_map){
        .next = machine->maps.changed->places, .object = object, .offset = offset};
    machine->maps.changed->are_in[object] = true;
    return machine->maps.changed->places = place;
}

// The first place that may be in an object.
static struct changed_map *first_in(const struct machine *machine, unsigned object) {
    return machine->maps.changed->are_in[object] ? machine->maps.changed->places : NULL;
}

static bool overlaps(const struct changed_map *place, unsigned object, uint64_t offset,
                     unsigned size) {
    return place->object == object && offset < place->offset + TENSOR_MAP_BYTES &&
           place->offset < offset + size;
}

bool tensormap_is_at(const struct machine *machine, unsigned object, uint64_t offset,
                     unsigned size) {
    for (struct changed_map *place = first_in(machine, object); place; place = place->next)
        if (overlaps(place, object, offset, size))
            return true;
    return false;
}

bool tensormap_is_opaque(const struct machine *machine, unsigned object, uint64_t offset,
                         unsigned size) {
    for (struct changed_map *place = first_in(machine, object); place; place = place->next)
        for (unsigned i = 0; overlaps(place, object, offset, size) && i < TENSOR_MAP_BYTES; i++) {
            uint64_t at = place->offset + i;
            if (at >= offset && at < offset + size && !place->plain[i])
                return true;
        }
    return false;
}

// The place at which an instruction writes a map, which is new if need be; NULL after giving up,
// where it overlaps another one. What was written before to global memory that is not a map is not
// known here.
static struct changed_map *place_at(struct machine *machine, const struct instruction *instruction,
                                    unsigned object, uint64_t offset, bool is_whole) {
    struct changed_map *place = find(machine, object, offset);
    bool is_shared = stepper_memory(machine->stepper)->objects[object].space == SPACE_SHARED;
    if (place == NULL &&
        (tensormap_is_at(machine, object, offset, TENSOR_MAP_BYTES) || (!is_shared && !is_whole)))
        run_give_up(machine, instruction,
                    "what is at a place that becomes a tensormap is not known");
    return place != NULL || machine->is_over ? place : add(machine, object, offset);
}

static bool changes_map(const struct instruction *instruction) {
    return opcode_family(instruction->opcode) == FAMILY_TENSORMAP;
}

void tensormaps_start(struct machine *machine) {
    const struct program_memory *memory = stepper_memory(machine->stepper);
    machine->maps.changed = ARENA_NEW(machine->scratch, struct changed_maps);
    *machine->maps.changed = (struct changed_maps){
        .are_in = ARENA_ARRAY(machine->scratch, bool, memory->object_count + 1)};
    bool are_changed = test_has_instruction(machine->test, changes_map);
    for (unsigned i = 0; i < memory->object_count && are_changed; i++) {
        const struct tensor *tensor = machine->test->variables[memory->objects[i].variable].tensor;
        bool is_writable =
            memory->objects[i].space == SPACE_GLOBAL || memory->objects[i].space == SPACE_SHARED;
        if (tensor == NULL || tensor->im2col || !is_writable)
            continue;
        struct step_value address = stepper_initial(machine->stepper, i, 0, 8);
        map_fields_write(machine->shadow, i, 0, tensor, address.bits.low);
        add(machine, i, 0);
    }
}

// --- Order ---------------------------------------------------------------------------------------

static const struct place *place_of(const struct machine *machine, int thread) {
    return &machine->test->threads[thread].place;
}

static bool have_one_cta(const struct machine *machine, int a, int b) {
    return test_same_cta(place_of(machine, a), place_of(machine, b));
}

static bool has_heard(const struct lane *lane, uint32_t actor, uint32_t time) {
    return moment_heard(&lane->at, actor, time);
}

static struct map_fence *add_fence(struct machine *machine, const struct lane *lane,
                                   enum scope scope, struct map_fence *before) {
    for (struct map_fence *fence = before; fence; fence = fence->next)
        if (fence->thread == lane->index && fence->scope == scope)
            return before; // an earlier one orders more
    struct map_fence *fence = ARENA_NEW(machine->scratch, struct map_fence);
    *fence = (struct map_fence){before, lane->at.actor, lane->at.time, lane->index, scope};
    return fence;
}

static void release(struct machine *machine, const struct lane *lane, enum scope scope,
                    struct changed_map *place) {
    for (struct map_change *change = place->changes; change; change = change->next)
        if (has_heard(lane, change->touch.actor, change->touch.time) &&
            have_one_cta(machine, change->touch.thread, lane->index))
            change->released = add_fence(machine, lane, scope, change->released);
}

// Whether two fences can be a pair, whatever is ordered.
static bool are_pair(const struct machine *machine, const struct map_fence *a, int thread,
                     enum scope scope) {
    const struct place *there = place_of(machine, a->thread), *here = place_of(machine, thread);
    return a->thread == thread ||
           (test_scope_contains(a->scope, there, here) && test_scope_contains(scope, here, there));
}

// Whether some acquire of a map can be a pair with a release after a change.
static bool may_be_found(const struct machine *machine, const struct changed_map *place,
                         const struct map_change *change) {
    for (const struct map_fence *a = change->released; a; a = a->next)
        for (const struct map_fence *b = place->acquired; b; b = b->next)
            if (are_pair(machine, a, b->thread, b->scope))
                return true;
    return false;
}

static void acquire(struct machine *machine, const struct lane *lane, enum scope scope,
                    struct changed_map *place) {
    place->acquired = add_fence(machine, lane, scope, place->acquired);
    for (struct map_change *change = place->changes; change; change = change->next)
        for (const struct map_fence *fence = change->released; fence; fence = fence->next)
            if (has_heard(lane, fence->actor, fence->time) &&
                are_pair(machine, fence, lane->index, scope)) {
                change->acquired = add_fence(machine, lane, scope, change->acquired);
                break;
            }
}

static void race(struct machine *machine, const struct shadow_access *earlier,
                 const struct shadow_access *later, unsigned object) {
    races_note(machine->arena, &machine->races, &machine->result, earlier, later,
               stepper_memory(machine->stepper)->objects[object].variable);
}

// Whether what was done at a time is before a write: of a tensormap.cp_fenceproxy, before what each
// thread of the warp does next.
static bool is_before(const struct lane *lane, const struct instruction *instruction,
                      uint32_t actor, uint32_t time) {
    bool all = has_heard(lane, actor, time);
    for (unsigned k = 0; k < lane->block->count && is_copy(instruction); k++) {
        const struct lane *other = lane->block->lanes[k];
        if (other->number / LANES_OF_WARP == lane->number / LANES_OF_WARP)
            all &= has_heard(other, actor, time);
    }
    return all;
}

// Checks that a write comes after the copies that have read the map, and forgets them then: what
// comes after it does so, too.
static void meet_readings(struct machine *machine, struct changed_map *place,
                          const struct shadow_access *touch) {
    const struct lane *lane = &machine->lanes[touch->thread];
    struct map_reading **link = &place->readings;
    while (*link != NULL) {
        const struct shadow_access *read = &(*link)->touch;
        if (!has_heard(lane, read->actor, read->time)) {
            // A wait for a bulk group shows that the map of a load was read, too.
            if (machine->lanes[read->thread].bulk.group_count > 0)
                run_give_up(machine, touch->instruction,
                            "whether a copy has read a tensormap that is changed is not known");
            else
                race(machine, read, touch, place->object);
        }
        if (is_before(lane, touch->instruction, read->actor, read->time))
            *link = (*link)->next;
        else
            link = &(*link)->next;
    }
}

// Notes a write of a thread to a map.
static void change(struct machine *machine, struct changed_map *place,
                   const struct shadow_access *touch) {
    const struct lane *lane = &machine->lanes[touch->thread];
    meet_readings(machine, place, touch);
    struct map_change **link = &place->changes;
    while (*link != NULL) {
        const struct shadow_access *old = &(*link)->touch;
        if (has_heard(lane, old->actor, old->time) &&
            have_one_cta(machine, old->thread, touch->thread))
            *link = (*link)->next; // what is after this one is after that
        else
            link = &(*link)->next;
    }
    struct map_change *added = ARENA_NEW(machine->scratch, struct map_change);
    *added = (struct map_change){.next = place->changes, .touch = *touch};
    place->changes = added;
}

void tensormap_overwrite(struct machine *machine, const struct shadow_access *touch,
                         unsigned object) {
    for (struct changed_map *place = first_in(machine, object); place; place = place->next) {
        if (!overlaps(place, object, touch->offset, touch->size))
            continue;
        place->is_odd |= touch->proxy != PROXY_GENERIC || touch->actor != (uint32_t)touch->thread;
        for (unsigned i = 0; i < TENSOR_MAP_BYTES; i++) {
            uint64_t at = place->offset + i;
            place->plain[i] |= at >= touch->offset && at < touch->offset + (uint64_t)touch->size;
        }
        change(machine, place, touch);
    }
}

// Whether a copy of a thread comes after a change.
static bool is_found(const struct machine *machine, const struct lane *lane,
                     const struct map_change *change) {
    for (const struct map_fence *fence = change->acquired; fence; fence = fence->next)
        if (has_heard(lane, fence->actor, fence->time) &&
            have_one_cta(machine, fence->thread, lane->index))
            return true;
    return false;
}

// Checks that a copy finds all changes of a map.
static void check_changes(struct machine *machine, const struct lane *lane,
                          const struct changed_map *place, const struct shadow_access *read) {
    if (place->is_odd)
        run_give_up(machine, read->instruction, "a tensormap is written through another proxy");
    for (const struct map_change *change = place->changes; change; change = change->next) {
        if (is_found(machine, lane, change))
            continue;
        if (may_be_found(machine, place, change))
            run_give_up(machine, read->instruction,
                        "whether a copy finds a tensormap as it was changed is not known");
        else
            race(machine, &change->touch, read, place->object);
    }
}

void tensormap_note_read(struct machine *machine, struct changed_map *map,
                         const struct shadow_access *read) {
    if (map == NULL)
        return;
    struct map_reading *reading = ARENA_NEW(machine->scratch, struct map_reading);
    *reading = (struct map_reading){map->readings, *read};
    reading->touch.offset = (uint32_t)map->offset;
    reading->touch.size = TENSOR_MAP_BYTES;
    reading->touch.writes = false;
    reading->touch.proxy = PROXY_TENSORMAP;
    map->readings = reading;
}

// --- Instructions --------------------------------------------------------------------------------

// Writes to a map, which is a weak operation on all of it.
static void write_map(struct machine *machine, struct lane *lane,
                      const struct instruction *instruction, struct changed_map *place) {
    const struct shadow_access touch =
        lane_touch(lane, instruction, place->offset, TENSOR_MAP_BYTES, true);
    shadow_touch(machine->shadow, place->object, &touch, &lane->at);
    order_overwrite(machine, &touch, place->object, (struct step_value){{0, 0}, UNKNOWN_CONTENTS});
    change(machine, place, &touch);
    memset(place->plain, 0, sizeof place->plain);
    lane->block->changes++;
}

// tensormap.replace.tile.field [a], {ordinal,} value
static bool replace(struct machine *machine, struct lane *lane,
                    const struct instruction *instruction) {
    const struct operand *value = &instruction->operands[instruction->operand_count - 1];
    unsigned ordinal =
        instruction->operand_count > 2 ? (unsigned)instruction->operands[1].immediate.low : 0;
    unsigned size, object;
    uint64_t offset;
    unsigned at = map_field_at(instruction->map_field, ordinal, &size);
    if (!run_find_place(machine, lane, instruction, &instruction->operands[0], instruction->space,
                        TENSOR_MAP_BYTES, MAP_ALIGNMENT, &object, &offset))
        return false;
    struct changed_map *place = place_at(machine, instruction, object, offset, false);
    if (place == NULL)
        return false;
    struct step_value word =
        stepper_value(machine->stepper, lane->index, lane->registers, value, 8 * size, false);
    write_map(machine, lane, instruction, place);
    shadow_write(machine->shadow, object, offset + at, size, word);
    return !machine->is_over;
}

static void visit(struct machine *machine, const struct lane *lane,
                  const struct instruction *instruction) {
    struct warp_visits *visits = machine->maps.changed->visits;
    unsigned warp = lane->number / LANES_OF_WARP;
    while (visits != NULL && (visits->block != lane->block || visits->warp != warp ||
                              visits->instruction != instruction))
        visits = visits->next;
    if (visits == NULL) {
        visits = ARENA_NEW(machine->scratch, struct warp_visits);
        *visits =
            (struct warp_visits){machine->maps.changed->visits, lane->block, warp, 0, instruction};
        machine->maps.changed->visits = visits;
    }
    visits->count++;
}

// tensormap.cp_fenceproxy [d], [s], 128: a copy, and a release of what is at `d`. The threads of a
// warp copy once, and which of them does is not said: what comes before or after the copy has to do
// so for each of them.
static bool copy(struct machine *machine, struct lane *lane,
                 const struct instruction *instruction) {
    unsigned from, to;
    uint64_t source, target;
    if (!run_find_place(machine, lane, instruction, &instruction->operands[1], SPACE_SHARED,
                        TENSOR_MAP_BYTES, MAP_ALIGNMENT, &from, &source) ||
        !run_find_place(machine, lane, instruction, &instruction->operands[0], SPACE_GLOBAL,
                        TENSOR_MAP_BYTES, MAP_ALIGNMENT, &to, &target))
        return false;
    struct changed_map *place = place_at(machine, instruction, to, target, true);
    if (place == NULL || place_at(machine, instruction, from, source, true) == NULL)
        return false;
    const struct shadow_access read =
        lane_touch(lane, instruction, source, TENSOR_MAP_BYTES, false);
    shadow_touch(machine->shadow, from, &read, &lane->at);
    write_map(machine, lane, instruction, place);
    shadow_copy(machine->shadow, from, source, to, target, TENSOR_MAP_BYTES);
    release(machine, lane, instruction->scope, place);
    visit(machine, lane, instruction);
    return !machine->is_over;
}

bool tensormap_is_one_copy(const struct machine *machine, const struct shadow_access *a,
                           const struct shadow_access *b) {
    const struct lane *x = &machine->lanes[a->thread], *y = &machine->lanes[b->thread];
    return is_copy(a->instruction) && a->instruction == b->instruction && x->block == y->block &&
           x->number / LANES_OF_WARP == y->number / LANES_OF_WARP;
}

bool run_tensormap(struct machine *machine, struct lane *lane,
                   const struct instruction *instruction) {
    if (machine->test->grid_order_count > 0)
        return run_give_up(machine, instruction,
                           "tensormaps are changed in launches that come after each other");
    bool is_fine = is_copy(instruction) ? copy(machine, lane, instruction)
                                        : replace(machine, lane, instruction);
    lane->pc++;
    return is_fine;
}

// fence.proxy.tensormap::generic.release.scope, and .acquire.scope [a], 128
bool run_tensormap_fence(struct machine *machine, struct lane *lane,
                         const struct instruction *instruction) {
    unsigned object;
    uint64_t offset;
    lane->pc++;
    if (instruction->fence.order == ORDER_RELEASE) {
        for (struct changed_map *place = machine->maps.changed->places; place; place = place->next)
            release(machine, lane, instruction->scope, place);
        return true;
    }
    if (!run_find_place(machine, lane, instruction, &instruction->operands[0], SPACE_GENERIC,
                        TENSOR_MAP_BYTES, MAP_ALIGNMENT, &object, &offset))
        return false;
    enum state_space space = stepper_memory(machine->stepper)->objects[object].space;
    if (state_space_is_shared(space) || space == SPACE_LOCAL || space == SPACE_CONST)
        return run_give_up(machine, instruction, "a fence is for what is not in global memory");
    struct changed_map *place = find(machine, object, offset);
    if (place == NULL && tensormap_is_at(machine, object, offset, TENSOR_MAP_BYTES))
        return run_give_up(machine, instruction, "a fence is for a part of a tensormap");
    if (place != NULL)
        acquire(machine, lane, instruction->scope, place);
    return true;
}

void tensormaps_end(struct machine *machine) {
    for (const struct warp_visits *visits = machine->maps.changed->visits; visits;
         visits = visits->next) {
        unsigned first = visits->warp * LANES_OF_WARP, left = visits->block->count - first;
        if (visits->count % (left < LANES_OF_WARP ? left : LANES_OF_WARP) != 0)
            run_give_up(machine, visits->instruction, "not all threads of its warp come to it");
    }
}

// --- Tiles ---------------------------------------------------------------------------------------

bool tensormap_address(struct machine *machine, const struct lane *lane,
                       const struct instruction *instruction, unsigned *object, uint64_t *offset) {
    const struct operand *operand = &instruction->operands[async_is_load(instruction) ? 1 : 0];
    struct step_value address =
        stepper_address(machine->stepper, lane->index, lane->registers, operand, SPACE_GENERIC);
    return address.knowledge == KNOWN &&
           shadow_find(machine->shadow, address.bits.low, TENSOR_MAP_BYTES, object, offset);
}

bool tensormap_coordinates(struct machine *machine, struct lane *lane,
                           const struct instruction *instruction, int64_t *begin) {
    bool loads = async_is_load(instruction);
    const struct operand *coordinates = &instruction->operands[loads ? 2 : 1];
    for (size_t i = 0; i < coordinates->element_count && i < TENSOR_RANK_MAX; i++) {
        uint32_t number;
        if (!run_number(machine, lane, instruction, &coordinates->elements[i], "a coordinate",
                        &number))
            return false;
        begin[i] = (int32_t)number;
        if (begin[i] < 0 && !loads)
            return run_give_up(machine, instruction,
                               "a tile that is stored to begins at coordinates that are not "
                               "negative (PTX ISA 9.7.9.26.5.1 of PTX 9.3)");
    }
    return true;
}

// Finds the rows of a tile, all in the object that the tensor begins in.
static bool find_rows(struct machine *machine, struct lane *lane,
                      const struct instruction *instruction, struct arena *arena,
                      const struct found_map *map, struct step_tile *tile) {
    const struct operand *coordinates = &instruction->operands[async_is_load(instruction) ? 2 : 1];
    int64_t begin[TENSOR_RANK_MAX];
    uint64_t base;
    if (coordinates->kind != OPERAND_VECTOR || coordinates->element_count != map->tensor.rank)
        return run_give_up(machine, instruction,
                           "a tensormap has another number of dimensions than the copy");
    if (!tensormap_coordinates(machine, lane, instruction, begin))
        return false;
    *tile = (struct step_tile){.map = -1, .is_permuted = map->is_swizzled};
    if (!shadow_find(machine->shadow, map->address, 1, &tile->object, &base) ||
        stepper_memory(machine->stepper)->objects[tile->object].space != SPACE_GLOBAL)
        return run_give_up(machine, instruction, "a tensor is not in global memory");
    stepper_tile_of(arena, &map->tensor, begin, base, tile);
    for (size_t i = 0; i < tile->row_count; i++)
        if (!tile->rows[i].is_outside && !run_reach(machine, instruction, tile->object,
                                                    tile->rows[i].offset + tile->rows[i].size))
            return false;
    return true;
}

struct changed_map *tensormap_tile(struct machine *machine, struct lane *lane,
                                   const struct instruction *instruction, struct arena *arena,
                                   struct step_tile *tile) {
    unsigned object;
    uint64_t offset;
    struct found_map map;
    struct changed_map *place = tensormap_address(machine, lane, instruction, &object, &offset)
                                    ? find(machine, object, offset)
                                    : NULL;
    if (place == NULL)
        return NULL;
    struct shadow_access read = lane_touch(lane, instruction, offset, TENSOR_MAP_BYTES, false);
    read.proxy = PROXY_TENSORMAP;
    check_changes(machine, lane, place, &read);
    const char *why = map_fields_read(machine->shadow, object, offset, &map);
    if (why != NULL)
        run_give_up(machine, instruction, why);
    return machine->is_over || !find_rows(machine, lane, instruction, arena, &map, tile) ? NULL
                                                                                         : place;
}
