// Cells: each object cut so that every access and every location of the condition covers whole
// cells, as coarsely as possible; and the initial value of each.

#include "litmus/program/program_internal.h"

#include <stdlib.h>

// Bytes of an object that are always touched together.
struct extent {
    unsigned object;
    uint64_t begin, end;
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

static void add_extent(struct cutter *cutter, unsigned object, uint64_t offset, uint64_t size) {
    cutter->extents[cutter->count++] = (struct extent){object, offset, offset + size};
}

static void add_term(void *context, const struct term *term) {
    struct cutter *cutter = context;
    struct builder *builder = cutter->builder;
    if (term->kind != TERM_LOCATION)
        return;
    const struct virtual_range *range = memory_term_range(builder, term);
    unsigned size = memory_element_size(&builder->test->variables[term->variable]);
    if (range != NULL)
        add_extent(cutter, range->object, term->element * size, size);
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
    condition_visit_terms(builder->test, count_term, cutter);
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
                       event->size);
    }
    condition_visit_terms(builder->test, add_term, cutter);
    if (cutter->count != 0)
        qsort(cutter->extents, cutter->count, sizeof *cutter->extents, compare_extents);
}

// --- Cells -------------------------------------------------------------------------------------

static int compare_offsets(const void *left, const void *right) {
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

// The ends of the extents of one object, sorted, each once.
static size_t sorted_bounds(const struct extent *extents, size_t count, uint64_t *bounds) {
    for (size_t i = 0; i < count; i++) {
        bounds[2 * i] = extents[i].begin;
        bounds[2 * i + 1] = extents[i].end;
    }
    qsort(bounds, 2 * count, sizeof *bounds, compare_offsets);
    size_t kept = 1;
    for (size_t i = 1; i < 2 * count; i++)
        if (bounds[i] != bounds[kept - 1])
            bounds[kept++] = bounds[i];
    return kept;
}

// Cuts one object at all bounds; what lies between two bounds in no extent is no cell.
static void cut_object(struct program *program, const struct extent *extents, size_t count,
                       uint64_t *bounds) {
    size_t bound_count = sorted_bounds(extents, count, bounds), next = 0;
    uint64_t covered = 0; // up to here by the extents that begin before or at the bound
    for (size_t i = 0; i + 1 < bound_count; i++) {
        for (; next < count && extents[next].begin <= bounds[i]; next++)
            if (extents[next].end > covered)
                covered = extents[next].end;
        if (bounds[i] < covered)
            program->cells[program->cell_count++] =
                (struct cell){.object = extents[0].object,
                              .offset = bounds[i],
                              .size = (unsigned)(bounds[i + 1] - bounds[i])};
    }
}

static void cut_objects(struct cutter *cutter) {
    struct program *program = cutter->builder->program;
    uint64_t *bounds = ARENA_ARRAY(cutter->builder->arena, uint64_t, 2 * cutter->count);
    program->cells = ARENA_ARRAY(cutter->builder->arena, struct cell, 2 * cutter->count);
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

unsigned cells_find(const struct program *program, unsigned object, uint64_t offset) {
    size_t low = 0, high = program->cell_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct cell *cell = &program->cells[middle];
        if (cell->object < object || (cell->object == object && cell->offset < offset))
            low = middle + 1;
        else
            high = middle;
    }
    return (unsigned)low;
}

unsigned cells_count(const struct program *program, unsigned first, unsigned object, uint64_t end) {
    unsigned count = 0;
    while (first + count < program->cell_count && program->cells[first + count].object == object &&
           program->cells[first + count].offset < end)
        count++;
    return count;
}

static void fill_candidates(struct program *program) {
    for (size_t i = 0; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        for (size_t k = 0; k < event->candidate_count; k++) {
            struct candidate *candidate = &event->candidates[k];
            uint64_t end = event->kind == EVENT_INIT ? program->objects[candidate->object].size
                                                     : candidate->offset + event->size;
            candidate->first_cell = cells_find(program, candidate->object, candidate->offset);
            candidate->cell_count =
                cells_count(program, candidate->first_cell, candidate->object, end);
        }
    }
}

// --- Initial values ----------------------------------------------------------------------------

// An element's initial value; a variable's name stands for its address.
static wide element_value(const struct builder *builder, const struct variable *variable,
                          size_t element) {
    const struct initial_element *initial = &variable->initial[element];
    wide value = bits_to_wide(initial->value);
    if (initial->variable >= 0) {
        int range = builder->first_range[memory_virtual(builder->test, initial->variable)];
        const struct virtual_range *r = &builder->program->virtual_ranges[range];
        value += r->address;
        if (!initial->is_generic)
            value -= program_window(builder->program->objects[r->object].space);
    }
    return value;
}

bool cells_initial_bits(const struct builder *builder, unsigned object, uint64_t offset,
                        unsigned size, struct bits128 *bits) {
    const struct variable *variable =
        &builder->test->variables[builder->program->objects[object].variable];
    unsigned element_size = memory_element_size(variable);
    wide value = 0;
    for (unsigned i = size; variable->has_initial && i-- > 0;) {
        uint64_t byte = offset + i;
        wide element = element_value(builder, variable, byte / element_size);
        value = value << 8 | (element >> 8 * (byte % element_size) & 0xff);
    }
    *bits = bits_from_wide(value);
    return !memory_is_unknown(variable);
}

static void fill_initial_values(struct builder *builder) {
    struct program *program = builder->program;
    program->initial_values = ARENA_ARRAY(builder->arena, const struct expr *, program->cell_count);
    program->initial_undefs = ARENA_ARRAY(builder->arena, const struct expr *, program->cell_count);
    for (size_t i = 0; i < program->cell_count; i++) {
        const struct cell *cell = &program->cells[i];
        struct bits128 bits;
        bool known = cells_initial_bits(builder, cell->object, cell->offset, cell->size, &bits);
        struct value value = known ? program_value_const(builder, 8 * cell->size, bits)
                                   : program_value_unknown(builder, 8 * cell->size);
        program->initial_values[i] = value.bits;
        program->initial_undefs[i] = value.undef;
    }
}

void cells_build(struct builder *builder) {
    struct cutter cutter = {.builder = builder};
    collect_extents(&cutter);
    cut_objects(&cutter);
    fill_candidates(builder->program);
    fill_initial_values(builder);
}
