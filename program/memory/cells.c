// Cells: each object cut so that every access covers whole cells, as coarsely as possible, and
// bytes that may come from different writes are told apart (memory-model: torn accesses); and the
// initial value of each. What the test shows is covered by cells, and makes no cuts.

#include "program/builder.h"
#include "program/memory/memory.h"
#include "program/thread/values.h"

#include <assert.h>
#include <stdlib.h>

// Bytes of an object that an access touches, or that are shown.
struct extent {
    unsigned object;
    uint64_t begin, end;
    bool is_access;
};

struct cutter {
    struct builder *builder;
    struct extent *extents;
    size_t count;
};

// --- Extents -----------------------------------------------------------------------------------

static void count_term(void *context, const struct term *term) {
    struct cutter *cutter = context;
    cutter->count += term->kind == TERM_LOCATION;
}

static void add_extent(struct cutter *cutter, unsigned object, uint64_t offset, uint64_t size,
                       bool is_access) {
    cutter->extents[cutter->count++] = (struct extent){object, offset, offset + size, is_access};
}

static void add_term(void *context, const struct term *term) {
    struct cutter *cutter = context;
    struct builder *builder = cutter->builder;
    if (term->kind != TERM_LOCATION)
        return;
    const struct virtual_range *range = memory_term_range(builder, term);
    unsigned size = memory_element_size(&builder->test->variables[term->variable]);
    if (range != NULL)
        add_extent(cutter, range->object, term->element * size, size, false);
}

static int compare_extents(const void *left, const void *right) {
    const struct extent *a = left, *b = right;
    if (a->object != b->object)
        return a->object < b->object ? -1 : 1;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return (a->end > b->end) - (a->end < b->end);
}

static void collect_extents(struct cutter *cutter) {
    struct builder *builder = cutter->builder;
    const struct program *program = builder->program;
    test_visit_terms(builder->test, count_term, cutter);
    for (size_t i = program->init_count; i < program->event_count; i++)
        cutter->count += program->events[i].candidate_count;
    cutter->extents = ARENA_ARRAY(builder->arena, struct extent, cutter->count);
    cutter->count = 0;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (event->kind == EVENT_PROXY_FENCE)
            continue; // names bytes, and touches none
        for (size_t k = 0; k < event->candidate_count; k++)
            add_extent(cutter, event->candidates[k].object, event->candidates[k].offset,
                       event->size, true);
    }
    test_visit_terms(builder->test, add_term, cutter);
    if (cutter->count != 0)
        qsort(cutter->extents, cutter->count, sizeof *cutter->extents, compare_extents);
}

// --- Cells -------------------------------------------------------------------------------------

// Where an extent begins or ends.
struct cell_bound {
    uint64_t offset;
    bool is_access;
};

static int compare_bounds(const void *left, const void *right) {
    const struct cell_bound *a = left, *b = right;
    return (a->offset > b->offset) - (a->offset < b->offset);
}

// The bounds of the extents of one object, sorted, each once.
static size_t sorted_bounds(const struct extent *extents, size_t count, struct cell_bound *bounds) {
    for (size_t i = 0; i < count; i++) {
        bounds[2 * i] = (struct cell_bound){extents[i].begin, extents[i].is_access};
        bounds[2 * i + 1] = (struct cell_bound){extents[i].end, extents[i].is_access};
    }
    qsort(bounds, 2 * count, sizeof *bounds, compare_bounds);
    size_t kept = 0;
    for (size_t i = 1; i < 2 * count; i++)
        if (bounds[i].offset != bounds[kept].offset)
            bounds[++kept] = bounds[i];
        else
            bounds[kept].is_access |= bounds[i].is_access;
    return kept + 1;
}

// Leaves out bounds of what is shown in the middle of an access. `extents` are sorted by where they
// begin.
static size_t drop_shown_bounds(const struct extent *extents, size_t count,
                                struct cell_bound *bounds, size_t bound_count) {
    size_t kept = 0, next = 0;
    uint64_t accessed = 0; // up to here by the accesses that begin before the bound
    for (size_t i = 0; i < bound_count; i++) {
        for (; next < count && extents[next].begin < bounds[i].offset; next++)
            if (extents[next].is_access && extents[next].end > accessed)
                accessed = extents[next].end;
        if (bounds[i].is_access || accessed <= bounds[i].offset)
            bounds[kept++] = bounds[i];
    }
    return kept;
}

// Cuts one object at its bounds; what is between two bounds and in no extent is not a cell.
static void cut_object(struct program *program, const struct extent *extents, size_t count,
                       struct cell_bound *bounds) {
    size_t bound_count = sorted_bounds(extents, count, bounds), next = 0;
    uint64_t covered = 0; // up to here by the extents that begin before or at the bound
    bound_count = drop_shown_bounds(extents, count, bounds, bound_count);
    for (size_t i = 0; i + 1 < bound_count; i++) {
        for (; next < count && extents[next].begin <= bounds[i].offset; next++)
            if (extents[next].end > covered)
                covered = extents[next].end;
        if (bounds[i].offset < covered)
            program->memory.cells[program->memory.cell_count++] =
                (struct cell){.object = extents[0].object,
                              .offset = bounds[i].offset,
                              .size = (unsigned)(bounds[i + 1].offset - bounds[i].offset)};
    }
}

static void cut_objects(struct cutter *cutter) {
    struct program *program = cutter->builder->program;
    struct cell_bound *bounds =
        ARENA_ARRAY(cutter->builder->arena, struct cell_bound, 2 * cutter->count);
    program->memory.cells = ARENA_ARRAY(cutter->builder->arena, struct cell, 2 * cutter->count);
    size_t first = 0;
    while (first < cutter->count) {
        size_t count = 1;
        while (first + count < cutter->count &&
               cutter->extents[first + count].object == cutter->extents[first].object)
            count++;
        cut_object(program, &cutter->extents[first], count, bounds);
        first += count;
    }
}

// Cuts cells where their bytes may come from different writes, as `cuts` says.
static void split_cells(struct builder *builder, const unsigned *cuts) {
    struct program *program = builder->program;
    size_t count = 0, pieces = 0;
    for (size_t i = 0; i < program->memory.cell_count; i++)
        pieces += 1 + (size_t)__builtin_popcount(cuts[i]);
    struct cell *cells = ARENA_ARRAY(builder->arena, struct cell, pieces);
    for (size_t i = 0; i < program->memory.cell_count; i++) {
        struct cell cell = program->memory.cells[i];
        for (unsigned rest = cuts[i], at = 0; at < cell.size; rest &= rest - 1) {
            unsigned end = rest == 0 ? cell.size : (unsigned)__builtin_ctz(rest);
            cells[count++] = (struct cell){cell.object, cell.offset + at, end - at};
            at = end;
        }
    }
    program->memory.cells = cells;
    program->memory.cell_count = count;
}

unsigned cells_find(const struct program *program, unsigned object, uint64_t offset) {
    assert(object < program->memory.object_count);
    size_t low = 0, high = program->memory.cell_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct cell *cell = &program->memory.cells[middle];
        if (cell->object < object || (cell->object == object && cell->offset < offset))
            low = middle + 1;
        else
            high = middle;
    }
    return (unsigned)low;
}

unsigned cells_find_with(const struct program *program, unsigned object, uint64_t offset) {
    assert(object < program->memory.object_count);
    unsigned after = cells_find(program, object, offset + 1); // the first one after it
    return after - 1;
}

unsigned cells_count(const struct program *program, unsigned first, unsigned object, uint64_t end) {
    assert(object < program->memory.object_count);
    unsigned count = 0;
    while (first + count < program->memory.cell_count &&
           program->memory.cells[first + count].object == object &&
           program->memory.cells[first + count].offset < end)
        count++;
    return count;
}

static void fill_candidates(struct program *program) {
    for (size_t i = 0; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        for (size_t k = 0; k < event->candidate_count; k++) {
            struct candidate *candidate = &event->candidates[k];
            uint64_t end = event->kind == EVENT_INIT
                               ? program->memory.objects[candidate->object].size
                               : candidate->offset + event->size;
            candidate->first_cell = cells_find(program, candidate->object, candidate->offset);
            candidate->cell_count =
                cells_count(program, candidate->first_cell, candidate->object, end);
        }
    }
}

static bool overlap(const struct candidate *a, const struct candidate *b) {
    return a->first_cell < b->first_cell + b->cell_count &&
           b->first_cell < a->first_cell + a->cell_count;
}

bool cells_may_overlap(const struct event *a, const struct event *b) {
    for (size_t i = 0; i < a->candidate_count; i++)
        for (size_t k = 0; k < b->candidate_count; k++)
            if (overlap(&a->candidates[i], &b->candidates[k]))
                return true;
    return false;
}

// --- Initial values ----------------------------------------------------------------------------

static void fill_initial_values(struct builder *builder) {
    struct program *program = builder->program;
    program->memory.initial_values =
        ARENA_ARRAY(builder->arena, const struct expr *, program->memory.cell_count);
    program->memory.initial_undefs =
        ARENA_ARRAY(builder->arena, const struct expr *, program->memory.cell_count);
    for (size_t i = 0; i < program->memory.cell_count; i++) {
        const struct cell *cell = &program->memory.cells[i];
        struct bits128 bits;
        bool known = cells_initial_bits(builder, cell->object, cell->offset, cell->size, &bits);
        struct value value = known ? program_value_const(builder, 8 * cell->size, bits)
                                   : program_value_unknown(builder, 8 * cell->size);
        program->memory.initial_values[i] = value.bits;
        program->memory.initial_undefs[i] = value.undef;
    }
}

static bool is_read_in_pieces(const struct event *event) {
    for (size_t k = 0; event->kind == EVENT_READ && k < event->candidate_count; k++)
        if (event->candidates[k].cell_count > 1)
            return true;
    return false;
}

// Whether it can matter that accesses are read as whole: some read is of several cells, whatever
// they were cut for, or an access is of more than 64 bits (torn accesses).
static bool may_be_torn(const struct program *program) {
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (event_is_wide(&program->events[i]) || is_read_in_pieces(&program->events[i]))
            return true;
    return false;
}

void cells_build(struct builder *builder) {
    struct cutter cutter = {.builder = builder};
    struct program *program = builder->program;
    collect_extents(&cutter);
    cut_objects(&cutter);
    fill_candidates(program);
    unsigned *cuts = ARENA_ARRAY(builder->arena, unsigned, program->memory.cell_count);
    bool may_tear = !builder->plan->options->whole_accesses;
    program->memory.tears = may_tear && may_be_torn(program);
    if (may_tear && tearing_find_cuts(builder, cuts)) {
        program->memory.tears = true; // without a read, too: the last value may be a mix
        split_cells(builder, cuts);
        fill_candidates(program);
    }
    fill_initial_values(builder);
}
