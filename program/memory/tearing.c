// Torn accesses: which bytes of a location may come from different writes.
//
// A read takes each byte from some write (memory-model section 2), and the axiom of single copies
// lets it mix the bytes of two writes only where one is not morally strong to it. So every byte
// could be a cell. That cost is worth paying only where the difference can be seen; there are two
// reasons why it cannot.
//
// - All accesses are morally strong to the writes, and so these to each other. Then they are in
//   coherence order, and a read that takes a byte from one takes none from another before it.
// - The values that the writes leave differ in one byte only. Take an execution in which a read
//   mixes two writes, and let it take all bytes from the write that it has that byte from: it
//   returns the same value, and rf and fr get smaller. No axiom is violated by that, since what
//   axioms forbid only grows with rf and fr, and no flag is lost, since races only shrink with
//   them. So the same holds for pieces of a cell of which each has one byte that varies.
#include "program/builder.h"
#include "program/memory/memory.h"

// --- Accesses by cell --------------------------------------------------------------------------

struct touch_lists {
    size_t *first; // by cell, and one more: where its touches begin
    struct cell_access *touches;
};

// Counts (`lists->touches` is NULL) or fills in the touches of an access; `next` is by cell.
static void add_touches(struct touch_lists *lists, const struct event *event, size_t *next) {
    for (size_t k = 0; k < event->candidate_count; k++) {
        const struct candidate *at = &event->candidates[k];
        for (unsigned cell = at->first_cell; cell < at->first_cell + at->cell_count; cell++) {
            if (lists->touches != NULL)
                lists->touches[next[cell]] = (struct cell_access){event, at};
            next[cell]++;
        }
    }
}

static void add_all_touches(const struct program *program, struct touch_lists *lists,
                            size_t *next) {
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (event_is_access(&program->events[i]))
            add_touches(lists, &program->events[i], next);
}

static struct touch_lists list_touches(struct builder *builder) {
    const struct program *program = builder->program;
    struct touch_lists lists = {ARENA_ARRAY(builder->arena, size_t, program->memory.cell_count + 1),
                                NULL};
    size_t *next = ARENA_ARRAY(builder->arena, size_t, program->memory.cell_count);
    add_all_touches(program, &lists, next);
    for (size_t cell = 0; cell < program->memory.cell_count; cell++) {
        lists.first[cell + 1] = lists.first[cell] + next[cell];
        next[cell] = lists.first[cell];
    }
    lists.touches =
        ARENA_ARRAY(builder->arena, struct cell_access, lists.first[program->memory.cell_count]);
    add_all_touches(program, &lists, next);
    return lists;
}

// --- Bytes that vary ---------------------------------------------------------------------------

// The bits that differ between the initial value of a cell, `start`, and what a write may leave
// there. All of them where somebody may see whether the value is unknown.
static uint128 varying_bits(struct cell_access touch, struct value_set stored,
                            const struct cell *cell, uint128 start) {
    unsigned shift = 8 * (unsigned)(cell->offset - touch.at->offset);
    bool is_known = expr_is_false(touch.event->access->undef) && (stored.any || stored.count != 0);
    uint128 some = stored.any || !is_known ? 0 : stored.values[0] >> shift;
    uint128 varying = is_known ? value_set_varying(stored) >> shift | (some ^ start) : ~(uint128)0;
    return varying & bits_mask(8 * cell->size);
}

// A tensormap is opaque: it has no bytes that a test could see (PTX ISA 5.5.8).
static bool is_opaque(const struct builder *builder, const struct cell *cell) {
    const struct object *object = &builder->program->memory.objects[cell->object];
    return builder->test->variables[object->variable].tensor != NULL;
}

// The cuts of a cell that some accesses may mix.
static unsigned cuts_of(struct builder *builder, const struct cell *cell,
                        const struct cell_access *touches, size_t count,
                        const struct value_set *stored) {
    struct bits128 start;
    uint128 varying = 0;
    unsigned cuts = 0, varying_bytes = 0;
    if (cells_initial_bits(builder, cell->object, cell->offset, cell->size, &start)) {
        for (size_t i = 0; i < count; i++)
            if (touches[i].event->kind == EVENT_WRITE)
                varying |= varying_bits(touches[i], stored[touches[i].event->id], cell,
                                        bits_to_wide(start));
    } else {
        varying = ~(uint128)0;
    }
    for (unsigned at = 0; at < cell->size; at++)
        if ((varying >> 8 * at & 0xff) != 0 && varying_bytes++ != 0)
            cuts |= 1u << at;
    return cuts;
}

static bool has_write(const struct cell_access *touches, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (touches[i].event->kind == EVENT_WRITE)
            return true;
    return false;
}

bool tearing_find_cuts(struct builder *builder, unsigned *cuts) {
    const struct program *program = builder->program;
    struct touch_lists lists = list_touches(builder);
    struct value_set *stored = NULL; // what writes store, by event
    bool any = false;
    for (size_t i = 0; i < program->memory.cell_count; i++) {
        const struct cell_access *touches = &lists.touches[lists.first[i]];
        size_t count = lists.first[i + 1] - lists.first[i];
        if (program->memory.cells[i].size == 1 || is_opaque(builder, &program->memory.cells[i]) ||
            !has_write(touches, count) || !tearing_may_mix(builder, touches, count))
            continue;
        if (stored == NULL)
            stored = stored_values_find(builder);
        cuts[i] = cuts_of(builder, &program->memory.cells[i], touches, count, stored);
        any = any || cuts[i] != 0;
    }
    return any;
}
