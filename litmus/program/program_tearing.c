// Torn accesses: which bytes of a location may come from different writes.
//
// A read takes each byte from some write (memory-model.md section 2), and the axiom of single
// copies lets it mix the bytes of two writes only where one is not morally strong to it (D41). So a
// cell would be a byte. That is paid for only where it can be seen; there are two reasons why it
// cannot.
//
// - All accesses are morally strong to the writes, and so these to each other. Then they are in
//   coherence order, and a read that takes a byte from one takes none from another before it.
// - The values that the writes leave differ in one byte only. Take an execution in which a read
//   mixes two writes, and let it take all bytes from the write that it has that byte from: it
//   returns the same value, and rf and fr get smaller. No axiom breaks by that, and no flag gets
//   lost, since all of them only grow with rf and fr, races only shrink. So the same holds for
//   pieces of a cell of which each has one byte that varies.
//
// Moral strength is that of the models that are built in. A model that calls fewer accesses morally
// strong is read as if it had their axiom of single copies.

#include "litmus/program/program_tearing.h"

#include "litmus/program/program_pointers.h"

// --- Moral strength ----------------------------------------------------------------------------

// Whether the scope contains the threads of both places (memory-model.md D14, D15).
static bool scope_contains(enum scope scope, const struct place *a, const struct place *b) {
    switch (scope) {
    case SCOPE_CTA: return test_same_cta(a, b);
    case SCOPE_CLUSTER: return test_same_cluster(a, b);
    case SCOPE_GPU: return test_same_gpu(a, b);
    case SCOPE_SYS: return true;
    default: return false; // a weak access
    }
}

static bool are_morally_strong(const struct builder *builder, struct touch a, struct touch b) {
    const struct thread *threads = builder->test->threads;
    const struct event *x = a.event, *y = b.event;
    if (a.at->range != b.at->range || a.at->offset != b.at->offset || x->size != y->size ||
        x->proxy != y->proxy)
        return false;
    const struct place *p = &threads[x->thread].place, *q = &threads[y->thread].place;
    return x->thread == y->thread ||
           (!event_is_wide(x) && scope_contains(x->scope, p, q) && scope_contains(y->scope, p, q));
}

bool tearing_may_mix(const struct builder *builder, const struct touch *touches, size_t count) {
    for (size_t w = 0; w < count; w++)
        for (size_t i = 0; touches[w].event->kind == EVENT_WRITE && i < count; i++)
            if (touches[i].event != touches[w].event &&
                !are_morally_strong(builder, touches[w], touches[i]))
                return true;
    return false;
}

static bool touches_memory(const struct event *event) {
    return event->kind == EVENT_READ || event->kind == EVENT_WRITE;
}

// The accesses to some bytes, into `touches`; NULL: just their number.
static size_t find_touches(const struct program *program, unsigned object, uint64_t offset,
                           unsigned size, struct touch *touches) {
    size_t count = 0;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        for (size_t k = 0; touches_memory(event) && k < event->candidate_count; k++) {
            const struct candidate *at = &event->candidates[k];
            if (at->object != object || at->offset >= offset + size ||
                offset >= at->offset + event->size)
                continue;
            if (touches != NULL)
                touches[count] = (struct touch){event, at};
            count++;
        }
    }
    return count;
}

bool tearing_may_mix_at(const struct builder *builder, unsigned object, uint64_t offset,
                        unsigned size) {
    const struct program *program = builder->program;
    size_t count = find_touches(program, object, offset, size, NULL);
    struct touch *touches = ARENA_ARRAY(builder->arena, struct touch, count);
    find_touches(program, object, offset, size, touches);
    return tearing_may_mix(builder, touches, count);
}

// --- Accesses by cell --------------------------------------------------------------------------

struct touch_lists {
    size_t *first; // by cell, and one more: where its touches begin
    struct touch *touches;
};

// Counts (`lists->touches` is NULL) or fills in the touches of an access; `next` is by cell.
static void add_touches(struct touch_lists *lists, const struct event *event, size_t *next) {
    for (size_t k = 0; k < event->candidate_count; k++) {
        const struct candidate *at = &event->candidates[k];
        for (unsigned cell = at->first_cell; cell < at->first_cell + at->cell_count; cell++) {
            if (lists->touches != NULL)
                lists->touches[next[cell]] = (struct touch){event, at};
            next[cell]++;
        }
    }
}

static void add_all_touches(const struct program *program, struct touch_lists *lists,
                            size_t *next) {
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (touches_memory(&program->events[i]))
            add_touches(lists, &program->events[i], next);
}

static struct touch_lists list_touches(struct builder *builder) {
    const struct program *program = builder->program;
    struct touch_lists lists = {ARENA_ARRAY(builder->arena, size_t, program->cell_count + 1), NULL};
    size_t *next = ARENA_ARRAY(builder->arena, size_t, program->cell_count);
    add_all_touches(program, &lists, next);
    for (size_t cell = 0; cell < program->cell_count; cell++) {
        lists.first[cell + 1] = lists.first[cell] + next[cell];
        next[cell] = lists.first[cell];
    }
    lists.touches = ARENA_ARRAY(builder->arena, struct touch, lists.first[program->cell_count]);
    add_all_touches(program, &lists, next);
    return lists;
}

// --- Bytes that vary ---------------------------------------------------------------------------

// The bits that differ between the initial value of a cell, `start`, and what a write may leave
// there. All of them where somebody may see whether the value is unknown.
static wide varying_bits(struct touch touch, struct value_set stored, const struct cell *cell,
                         wide start) {
    unsigned shift = 8 * (unsigned)(cell->offset - touch.at->offset);
    bool is_known = expr_is_false(touch.event->undef) && (stored.any || stored.count != 0);
    wide some = stored.any || !is_known ? 0 : stored.values[0] >> shift;
    wide varying = is_known ? value_set_varying(stored) >> shift | (some ^ start) : ~(wide)0;
    return varying & bits_mask(8 * cell->size);
}

// The cuts of a cell that some accesses may mix.
static unsigned cuts_of(struct builder *builder, const struct cell *cell,
                        const struct touch *touches, size_t count, const struct value_set *stored) {
    struct bits128 start;
    wide varying = 0;
    unsigned cuts = 0, varying_bytes = 0;
    if (cells_initial_bits(builder, cell->object, cell->offset, cell->size, &start)) {
        for (size_t i = 0; i < count; i++)
            if (touches[i].event->kind == EVENT_WRITE)
                varying |= varying_bits(touches[i], stored[touches[i].event->id], cell,
                                        bits_to_wide(start));
    } else {
        varying = ~(wide)0;
    }
    for (unsigned at = 0; at < cell->size; at++)
        if ((varying >> 8 * at & 0xff) != 0 && varying_bytes++ != 0)
            cuts |= 1u << at;
    return cuts;
}

static bool has_write(const struct touch *touches, size_t count) {
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
    for (size_t i = 0; i < program->cell_count; i++) {
        const struct touch *touches = &lists.touches[lists.first[i]];
        size_t count = lists.first[i + 1] - lists.first[i];
        if (program->cells[i].size == 1 || !has_write(touches, count) ||
            !tearing_may_mix(builder, touches, count))
            continue;
        if (stored == NULL)
            stored = stored_values_find(builder);
        cuts[i] = cuts_of(builder, &program->cells[i], touches, count, stored);
        any = any || cuts[i] != 0;
    }
    return any;
}
