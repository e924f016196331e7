// Finds tensormaps that a test does not give. What an mbarrier expects in a phase is what the
// copies move that complete there: the run leaves them out, and goes on until its threads wait for
// them. Then each such phase is an equation. Those of one map give its number of bytes. Of several
// maps they are divided where each tile can end just where the next place begins, and that is all
// of them.
//
// How many bytes a store moves is said nowhere. It is taken to move what threads have stored where
// it reads, or what a copy by a known map has written there.
#include "launch/maps.h"
#include "launch/mbarrier.h"
#include "launch/tensormap.h"

#include "litmus/source/arena.h"
#include "program/thread/async.h"

enum { TILE_ALIGNMENT = 16, TILE_BYTES_MAX = 1 << 18 };

// A copy at hand that completes on an mbarrier, and is left out.
struct skipped_copy {
    size_t map;
    const struct mbarrier *m;
    uint64_t phase;
};

struct map_finder {
    struct arena *arena;
    struct launch_map *items;
    size_t count;
    size_t at;    // the map of the copy at hand
    bool is_done; // the last run has found no more
    // Of the run at hand:
    struct map_copy *copies;
    size_t copy_count;
    struct skipped_copy *left;
    size_t left_count;
};

struct map_finder *maps_new(struct arena *arena, const struct launch_maps *known) {
    struct map_finder *finder = ARENA_NEW(arena, struct map_finder);
    *finder = (struct map_finder){.arena = arena};
    for (size_t i = 0; i < known->count; i++) {
        finder->items = arena_grow(arena, finder->items, finder->count, sizeof *finder->items);
        finder->items[finder->count++] = known->items[i];
    }
    return finder;
}

// --- Copies --------------------------------------------------------------------------------------

static bool has_part(const struct variable *variable, uint64_t offset) {
    for (const struct tensor_part *part = variable->parts; part != NULL; part = part->next)
        if (part->offset == offset)
            return true;
    return false;
}

bool maps_is_lacking(struct machine *machine, const struct lane *lane,
                     const struct instruction *instruction, unsigned *object, uint64_t *offset) {
    if (!tensormap_address(machine, lane, instruction, object, offset))
        return false;
    unsigned index = stepper_memory(machine->stepper)->objects[*object].variable;
    const struct variable *variable = &machine->test->variables[index];
    return variable->space == SPACE_PARAM && variable->tensor == NULL &&
           !has_part(variable, *offset);
}

// The map of a copy, which is added if it is new.
static size_t map_at(struct map_finder *finder, unsigned variable, uint64_t offset, unsigned rank) {
    size_t i = 0;
    while (i < finder->count &&
           (finder->items[i].variable != variable || finder->items[i].offset != offset))
        i++;
    if (i == finder->count) {
        finder->items =
            arena_grow(finder->arena, finder->items, finder->count, sizeof *finder->items);
        finder->items[finder->count++] =
            (struct launch_map){.variable = variable, .offset = offset, .rank = rank};
    }
    return i;
}

// How many bytes from a place on threads have stored.
static uint64_t stored_from(const struct machine *machine, unsigned object, uint64_t offset) {
    uint64_t end = offset, size = stepper_memory(machine->stepper)->objects[object].size;
    uint64_t next = mbarrier_next(machine, object, offset);
    while (end + TILE_ALIGNMENT <= size && end + TILE_ALIGNMENT <= next &&
           end - offset < TILE_BYTES_MAX && shadow_is_stored(machine->shadow, object, end))
        end += TILE_ALIGNMENT;
    return end - offset;
}

static bool note_copy(struct machine *machine, struct lane *lane,
                      const struct instruction *instruction, size_t map) {
    struct map_finder *finder = machine->maps.finder;
    bool loads = async_is_load(instruction);
    struct map_copy copy = {.map = map, .loads = loads};
    if (!run_find_place(machine, lane, instruction, &instruction->operands[loads ? 0 : 2],
                        loads ? instruction->space : instruction->copy.source_space, TILE_ALIGNMENT,
                        TILE_ALIGNMENT, &copy.object, &copy.offset))
        return false;
    if (!tensormap_coordinates(machine, lane, instruction, copy.at))
        return false;
    if (!loads)
        copy.stored = stored_from(machine, copy.object, copy.offset);
    finder->copies =
        arena_grow(finder->arena, finder->copies, finder->copy_count, sizeof *finder->copies);
    finder->copies[finder->copy_count++] = copy;
    return true;
}

bool maps_tile(struct machine *machine, struct lane *lane, const struct instruction *instruction,
               struct arena *arena, struct step_tile *tile) {
    struct map_finder *finder = machine->maps.finder;
    const struct operand *map = &instruction->operands[async_is_load(instruction) ? 1 : 0];
    unsigned object;
    uint64_t offset;
    if (!maps_is_lacking(machine, lane, instruction, &object, &offset) ||
        map[1].kind != OPERAND_VECTOR || map[1].element_count > TENSOR_RANK_MAX)
        return run_give_up(machine, instruction, "which tile a tensor copy is of is not known");
    unsigned variable = stepper_memory(machine->stepper)->objects[object].variable;
    finder->at = map_at(finder, variable, offset, (unsigned)map[1].element_count);
    uint64_t bytes = finder->items[finder->at].bytes;
    finder->items[finder->at].is_reduced |= instruction->atomic != ATOMIC_NONE;
    *tile = (struct step_tile){.map = -1, .bytes = bytes, .row_count = bytes > 0};
    tile->rows = ARENA_NEW(arena, struct step_row);
    *tile->rows = (struct step_row){.size = (uint32_t)bytes, .is_outside = true};
    return note_copy(machine, lane, instruction, finder->at);
}

void maps_deliver(struct machine *machine, const struct mbarrier *m) {
    struct map_finder *finder = machine->maps.finder;
    finder->left =
        arena_grow(finder->arena, finder->left, finder->left_count, sizeof *finder->left);
    finder->left[finder->left_count++] =
        (struct skipped_copy){finder->at, m, mbarrier_now(m).number};
}

// --- What is expected ----------------------------------------------------------------------------

// What a phase says: so many bytes are those of copies by these maps, each so often.
struct map_equation {
    uint64_t bytes;
    unsigned *times;  // by map
    unsigned unknown; // how many maps of which the bytes are not known
};

// Returns the equation of a phase in which copies were left out; of no bytes where not all arrivals
// have come.
static struct map_equation equation_of(const struct map_finder *finder, struct arena *arena,
                                       const struct skipped_copy *left) {
    struct mbarrier_phase now = mbarrier_now(left->m);
    struct map_equation equation = {.times = ARENA_ARRAY(arena, unsigned, finder->count + 1)};
    if (now.number != left->phase || now.pending > 0 || now.transactions <= 0)
        return equation;
    equation.bytes = (uint64_t)now.transactions;
    for (size_t i = 0; i < finder->left_count; i++) {
        const struct skipped_copy *other = &finder->left[i];
        uint64_t bytes = finder->items[other->map].bytes;
        if (other->m != left->m || other->phase != left->phase)
            continue;
        if (bytes == 0)
            equation.unknown += equation.times[other->map]++ == 0;
        else if (bytes <= equation.bytes)
            equation.bytes -= bytes;
        else
            return (struct map_equation){0};
    }
    return equation;
}

static bool is_size(uint64_t bytes) {
    return bytes > 0 && bytes % TILE_ALIGNMENT == 0 && bytes <= TILE_BYTES_MAX;
}

// The most bytes that each copy of a map can move if no tile reaches into the place of another one.
static uint64_t most_of(const struct machine *machine, size_t map) {
    const struct map_finder *finder = machine->maps.finder;
    uint64_t most = UINT64_MAX;
    for (size_t i = 0; i < finder->copy_count; i++) {
        const struct map_copy *copy = &finder->copies[i];
        if (copy->map != map)
            continue;
        uint64_t end = stepper_memory(machine->stepper)->objects[copy->object].size;
        uint64_t next = mbarrier_next(machine, copy->object, copy->offset);
        end = next < end ? next : end;
        for (size_t k = 0; k < finder->copy_count; k++) {
            const struct map_copy *other = &finder->copies[k];
            bool is_after = other->object == copy->object && other->offset > copy->offset;
            end = other->loads && is_after && other->offset < end ? other->offset : end;
        }
        most = end - copy->offset < most ? end - copy->offset : most;
    }
    return most;
}

// Divides the bytes of an equation among its maps.
static bool divide(struct machine *machine, const struct map_equation *equation) {
    struct map_finder *finder = machine->maps.finder;
    uint64_t all = 0;
    for (size_t i = 0; i < finder->count; i++)
        if (equation->times[i] > 0) {
            uint64_t most = most_of(machine, i);
            if (!is_size(most))
                return false;
            all += equation->times[i] * most;
        }
    if (all != equation->bytes)
        return false;
    for (size_t i = 0; i < finder->count; i++)
        if (equation->times[i] > 0) {
            finder->items[i].bytes = most_of(machine, i);
            finder->items[i].source = LAUNCH_MAP_DIVIDED;
        }
    return true;
}

// Solves an equation with one map that is not known.
static bool solve_single(struct map_finder *finder, const struct map_equation *equation) {
    for (size_t i = 0; i < finder->count; i++) {
        if (equation->times[i] == 0)
            continue;
        uint64_t bytes = equation->bytes / equation->times[i];
        if (bytes * equation->times[i] != equation->bytes || !is_size(bytes))
            return false;
        finder->items[i].bytes = bytes;
        finder->items[i].source = LAUNCH_MAP_EXPECTED;
        return true;
    }
    return false;
}

// Goes through all equations with one map that is not known, or with several.
static bool solve(struct machine *machine, bool of_several) {
    struct map_finder *finder = machine->maps.finder;
    bool has_found = false;
    for (size_t i = 0; i < finder->left_count; i++) {
        struct map_equation equation = equation_of(finder, machine->scratch, &finder->left[i]);
        if (equation.bytes > 0 && equation.unknown > 0 && (equation.unknown > 1) == of_several)
            has_found |= of_several ? divide(machine, &equation) : solve_single(finder, &equation);
    }
    return has_found;
}

// --- Stores --------------------------------------------------------------------------------------

// The bytes that a copy to global memory is taken to move; 0: not known.
static uint64_t bytes_of_store(const struct map_finder *finder, const struct map_copy *copy,
                               enum launch_map_source *source) {
    uint64_t bytes = copy->stored;
    *source = LAUNCH_MAP_STORED;
    for (size_t i = 0; i < finder->copy_count; i++) {
        const struct map_copy *other = &finder->copies[i];
        if (other->object != copy->object)
            continue;
        if (other->loads && other->offset == copy->offset && copy->stored == 0) {
            *source = LAUNCH_MAP_LOADED;
            return finder->items[other->map].bytes;
        }
        if (!other->loads && other->offset > copy->offset && other->offset - copy->offset < bytes)
            bytes = other->offset - copy->offset;
    }
    return bytes;
}

// Finds how many bytes each copy to global memory by a map moves, if it is the same for all.
static bool find_stores(struct map_finder *finder, size_t map) {
    uint64_t bytes = 0;
    enum launch_map_source source = LAUNCH_MAP_UNKNOWN;
    for (size_t i = 0; i < finder->copy_count; i++) {
        const struct map_copy *copy = &finder->copies[i];
        if (copy->map != map)
            continue;
        if (copy->loads)
            return false;
        enum launch_map_source of_this;
        uint64_t own = bytes_of_store(finder, copy, &of_this);
        if (!is_size(own) || (bytes > 0 && own != bytes))
            return false;
        source = source == LAUNCH_MAP_UNKNOWN || of_this == LAUNCH_MAP_STORED ? of_this : source;
        bytes = own;
    }
    finder->items[map].bytes = bytes;
    finder->items[map].source = bytes > 0 ? source : LAUNCH_MAP_UNKNOWN;
    return bytes > 0;
}

// --- All -----------------------------------------------------------------------------------------

static bool have_ended(const struct machine *machine) {
    for (size_t i = 0; i < machine->test->thread_count; i++)
        if (machine->lanes[i].state != LANE_ENDED)
            return false;
    return true;
}

void maps_conclude(struct machine *machine) {
    struct map_finder *finder = machine->maps.finder;
    // Where a run was given up, copies may be missing that go with others.
    bool is_whole = !machine->is_over || have_ended(machine);
    bool has_found = is_whole && (solve(machine, false) || solve(machine, true));
    for (size_t i = 0; i < finder->count && is_whole && !has_found; i++)
        if (finder->items[i].bytes == 0)
            has_found = find_stores(finder, i);
    if (!has_found)
        for (size_t i = 0; i < finder->count; i++)
            map_shape(&finder->items[i], finder->copies, finder->copy_count, i);
    finder->copy_count = finder->left_count = 0;
    finder->copies = NULL;
    finder->left = NULL;
    finder->is_done = !has_found;
}

bool maps_is_done(const struct map_finder *finder) {
    return finder->is_done;
}

struct launch_maps maps_found(struct map_finder *finder) {
    return (struct launch_maps){finder->items, finder->count};
}
