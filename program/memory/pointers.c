// Which values an address may have, or a write may store: a fixed point over the values that writes
// store and reads return, starting from none.
//
// A read may return the initial value or what any write of the same extent stores, whatever the
// order or the thread, or each byte of another one where accesses may be torn (memory/tearing.c);
// a write that overlaps it in part makes it anything. That is coarse, but it is enough to tell
// pointers to a few variables from arbitrary numbers.
//
// Where no value comes out of thin air (memory-model section 4), a value passes through each
// read at most once on its way, so that no more rounds are needed than there are reads.

#include "program/builder.h"
#include "program/memory/memory.h"

#include "program/expr/internal.h"

#include <limits.h>
#include <stdlib.h>

// After so many rounds a set that still grows becomes everything up to its largest value; after
// more (for addresses, of which bounds say little, at once) anything.
enum { WIDEN_AFTER = 16, GIVE_UP_AFTER = 400, MAX_ACCESS = 16 };

// The values that writes store to an extent, all writes together.
struct stored {
    unsigned object;
    uint64_t offset;
    unsigned size;
    struct value_set values;
    bool has_mixes; // the values hold all mixes of theirs that may be read
};

struct analysis {
    struct builder *builder;
    struct arena *scratch;   // of one round
    bool *needed;            // by expression: an address or stored value, or below one
    struct value_set *sets;  // by expression, of this round
    struct value_set *reads; // by event: what it may return
    struct stored *stored;   // sorted, of this round
    size_t stored_count;
    unsigned round, last_round;
    bool changed;
    bool is_resolved;                 // the candidates are found already
    const struct expr *const *wanted; // the expressions that were asked for, or NULL
    size_t wanted_count;
};

// --- Expressions -------------------------------------------------------------------------------

static void mark_needed(struct analysis *analysis) {
    const struct builder *builder = analysis->builder;
    const struct program *program = builder->program;
    unsigned count = expr_pool_count(builder->pool);
    analysis->needed = ARENA_ARRAY(builder->arena, bool, count);
    for (size_t i = 0; i < analysis->wanted_count; i++)
        analysis->needed[analysis->wanted[i]->id] = true;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (!places_has_address(event))
            continue;
        analysis->needed[event->address->id] |= !analysis->is_resolved;
        if (event->kind == EVENT_WRITE)
            analysis->needed[event->access->value->id] = true;
    }
    expr_mark_parts(builder->pool, count, analysis->needed);
}

static struct value_set set_of_expr(struct analysis *analysis, const struct expr *expr) {
    struct value_set operands[3] = {0};
    if (expr->op == EXPR_READ)
        return analysis->reads[expr->index];
    if (expr_is_leaf(expr))
        return value_set_any(expr->width);
    for (unsigned i = 0; i < expr_arity(expr->op); i++)
        operands[i] = analysis->sets[expr->args[i]->id];
    return value_set_apply(analysis->scratch, expr, operands);
}

static void evaluate_all(struct analysis *analysis, unsigned count) {
    analysis->sets = ARENA_ARRAY(analysis->scratch, struct value_set, count);
    for (unsigned id = 0; id < count; id++)
        if (analysis->needed[id])
            analysis->sets[id] = set_of_expr(analysis, expr_at(analysis->builder->pool, id));
}

// --- Memory ------------------------------------------------------------------------------------

static int compare_stored(const void *left, const void *right) {
    const struct stored *a = left, *b = right;
    if (a->object != b->object)
        return a->object < b->object ? -1 : 1;
    if (a->offset != b->offset)
        return a->offset < b->offset ? -1 : 1;
    return (a->size > b->size) - (a->size < b->size);
}

static void store(struct analysis *analysis, const struct event *event,
                  const struct candidate *candidate, struct value_set values) {
    analysis->stored = arena_grow(analysis->scratch, analysis->stored, analysis->stored_count,
                                  sizeof *analysis->stored);
    analysis->stored[analysis->stored_count++] =
        (struct stored){candidate->object, candidate->offset, event->size, values, false};
}

// Sorts what writes store and joins the values of each extent.
static void merge_stored(struct analysis *analysis) {
    struct stored *stored = analysis->stored;
    size_t kept = 0;
    if (analysis->stored_count == 0)
        return;
    qsort(stored, analysis->stored_count, sizeof *stored, compare_stored);
    for (size_t i = 1; i < analysis->stored_count; i++)
        if (compare_stored(&stored[kept], &stored[i]) == 0)
            stored[kept].values =
                value_set_union(analysis->scratch, stored[kept].values, stored[i].values);
        else
            stored[++kept] = stored[i];
    analysis->stored_count = kept + 1;
}

static size_t first_stored(const struct analysis *analysis, const struct stored *wanted) {
    size_t low = 0, high = analysis->stored_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (compare_stored(&analysis->stored[middle], wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct value_set initial_set(const struct analysis *analysis, const struct event *event,
                                    const struct candidate *candidate) {
    struct bits128 bits;
    if (!cells_initial_bits(analysis->builder, candidate->object, candidate->offset, event->size,
                            &bits))
        return value_set_any(8 * event->size);
    return value_set_of(analysis->scratch, bits_to_wide(bits));
}

// Adds to the values of an extent, the initial one among them, what can be read where bytes come
// from different writes.
static void add_mixes(const struct analysis *analysis, struct stored *stored,
                      struct value_set initial) {
    struct value_set all = value_set_union(analysis->scratch, stored->values, initial);
    struct value_set mixes = value_set_mixes(analysis->scratch, all, stored->size);
    if (!value_set_equal(all, mixes) &&
        tearing_may_mix_at(analysis->builder, stored->object, stored->offset, stored->size))
        all = mixes;
    stored->values = all;
    stored->has_mixes = true;
}

// What a read may return at one place.
static struct value_set loaded(const struct analysis *analysis, const struct event *event,
                               const struct candidate *candidate) {
    struct value_set initial = initial_set(analysis, event, candidate), set = initial;
    uint64_t from = candidate->offset < MAX_ACCESS ? 0 : candidate->offset - MAX_ACCESS;
    uint64_t end = candidate->offset + event->size;
    struct stored wanted = {.object = candidate->object, .offset = from};
    for (size_t i = first_stored(analysis, &wanted); i < analysis->stored_count; i++) {
        struct stored *stored = &analysis->stored[i];
        bool is_same = stored->offset == candidate->offset && stored->size == event->size;
        if (stored->object != candidate->object || stored->offset >= end)
            break;
        if (is_same && !stored->has_mixes && !analysis->builder->plan->options->whole_accesses)
            add_mixes(analysis, stored, initial);
        if (is_same)
            set = value_set_union(analysis->scratch, set, stored->values);
        else if (stored->offset + stored->size > candidate->offset)
            return value_set_any(8 * event->size);
    }
    return set;
}

// --- Rounds ------------------------------------------------------------------------------------

// Finds the candidates of accesses through registers again, and collects what writes store.
static void run_writes(struct analysis *analysis) {
    struct program *program = analysis->builder->program;
    analysis->stored = NULL;
    analysis->stored_count = 0;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        struct event *event = &program->events[i];
        if (!places_has_address(event))
            continue;
        if (!expr_is_const(event->address) && !analysis->is_resolved)
            places_find(analysis->builder, analysis->scratch, event,
                        analysis->sets[event->address->id]);
        for (size_t k = 0; event->kind == EVENT_WRITE && k < event->candidate_count; k++)
            store(analysis, event, &event->candidates[k], analysis->sets[event->access->value->id]);
    }
    merge_stored(analysis);
}

static void update_read(struct analysis *analysis, unsigned id, struct value_set set) {
    struct value_set *old = &analysis->reads[id];
    if (value_set_equal(*old, set))
        return;
    analysis->changed = true;
    if (analysis->round > (analysis->is_resolved ? GIVE_UP_AFTER : WIDEN_AFTER))
        set = value_set_any(8 * analysis->builder->program->events[id].size);
    else if (analysis->round > WIDEN_AFTER)
        set = value_set_up_to(set);
    *old = value_set_copy(analysis->builder->arena, set);
}

static void run_reads(struct analysis *analysis) {
    const struct program *program = analysis->builder->program;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (event->kind != EVENT_READ || !analysis->needed[event->access->value->id])
            continue;
        struct value_set set = analysis->reads[i];
        for (size_t k = 0; k < event->candidate_count; k++)
            set = value_set_union(analysis->scratch, set,
                                  loaded(analysis, event, &event->candidates[k]));
        update_read(analysis, (unsigned)i, set);
    }
}

// Copies the sets of what the events store (or of their addresses), which last no longer than the
// round.
static void keep_sets(struct analysis *analysis, bool are_stored, struct value_set *kept) {
    const struct program *program = analysis->builder->program;
    struct arena *arena = analysis->builder->arena;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if (!places_has_address(event) || (are_stored && event->kind != EVENT_WRITE))
            continue;
        unsigned id = are_stored ? event->access->value->id : event->address->id;
        kept[i] = value_set_copy(arena, analysis->sets[id]);
    }
}

// The same for those that were asked for.
static void keep_wanted(struct analysis *analysis, struct value_set *kept) {
    for (size_t i = 0; i < analysis->wanted_count; i++)
        kept[i] = value_set_copy(analysis->builder->arena, analysis->sets[analysis->wanted[i]->id]);
}

// Where building gives up, no program is made of the values that are known by then.
static struct value_set *analyse(struct analysis *analysis) {
    struct builder *builder = analysis->builder;
    size_t events = builder->program->event_count + analysis->wanted_count;
    struct value_set *kept = ARENA_ARRAY(builder->arena, struct value_set, events);
    unsigned count = expr_pool_count(builder->pool);
    analysis->changed = true;
    for (; analysis->changed && !builder_is_late(builder); analysis->round++) {
        analysis->changed = false;
        analysis->scratch = arena_new();
        evaluate_all(analysis, count);
        if (analysis->round < analysis->last_round) {
            run_writes(analysis);
            run_reads(analysis);
        }
        if (!analysis->changed && analysis->wanted != NULL)
            keep_wanted(analysis, kept);
        else if (!analysis->changed)
            keep_sets(analysis, analysis->is_resolved, kept);
        arena_free(analysis->scratch);
    }
    return kept;
}

static struct analysis start(struct builder *builder, bool is_resolved,
                             const struct expr *const *wanted, size_t count) {
    struct analysis analysis = {
        .builder = builder, .is_resolved = is_resolved, .wanted = wanted, .wanted_count = count};
    size_t events = builder->program->event_count;
    analysis.last_round = UINT_MAX;
    analysis.reads = ARENA_ARRAY(builder->arena, struct value_set, events);
    mark_needed(&analysis);
    return analysis;
}

struct value_set *pointers_find(struct builder *builder) {
    struct analysis analysis = start(builder, false, NULL, 0);
    return analyse(&analysis);
}

// How many rounds the values of reads can need, that of the read that is last on the way included.
static unsigned count_rounds(const struct analysis *analysis) {
    const struct program *program = analysis->builder->program;
    unsigned rounds = 1;
    for (size_t i = program->init_count; i < program->event_count; i++)
        rounds += program->events[i].kind == EVENT_READ &&
                  analysis->needed[program->events[i].access->value->id];
    return rounds;
}

static struct value_set *find_values(struct builder *builder, const struct expr *const *wanted,
                                     size_t wanted_count) {
    struct analysis analysis = start(builder, true, wanted, wanted_count);
    const struct program *program = builder->program;
    bool no_thin_air = builder->plan->options->no_thin_air && !program->dependencies.open;
    if (no_thin_air)
        analysis.last_round = count_rounds(&analysis);
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (program->events[i].kind == EVENT_READ && !no_thin_air)
            analysis.reads[i] = value_set_any(8 * program->events[i].size);
    return analyse(&analysis);
}

struct value_set *stored_values_find(struct builder *builder) {
    return find_values(builder, NULL, 0);
}

struct value_set *values_find(struct builder *builder, const struct expr *const *wanted,
                              size_t count) {
    return find_values(builder, wanted, count);
}
