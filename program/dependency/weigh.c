// Which of the syntactic dependencies count (memory-model: semantic dependencies): an event depends
// on a read whose value can still change whether the event executes, where, or what it writes.
//
// The lists that the other files make say on which reads an event depends as written, and on which
// path. Entries that have no influence are dropped. The values of those that are left still
// determine the event: what is left of a set that determines a function, without variables that the
// function does not depend on, determines it too. So a value that depends on itself by no entry
// that is left follows from others, and no further value comes out of thin air.

#include "program/dependency/influence.h"
#include "program/builder.h"
#include "program/dependency/dependencies.h"

#include <stdlib.h>

enum kind { KIND_ADDR, KIND_DATA, KIND_CTRL, KIND_COUNT };

// By event: the number of the event that it was noted for last. Numbers begin at 1.
struct notes {
    unsigned *certain, *open;
};

struct weigher {
    struct builder *builder;
    struct influences *influences;
    struct passed_values *passed; // NULL where no expression is over such values
    struct notes notes[KIND_COUNT], narrow[KIND_COUNT]; // reads
    unsigned number;                                    // of the event that is looked at
    unsigned *written;        // by read: the number of the event that depends on it as written
    const struct expr **when; // by read: and on which path
    unsigned *reads;          // these reads
    size_t read_count;
    struct dependency *kept[KIND_COUNT]; // of the event that is looked at
    size_t kept_count[KIND_COUNT];
};

// --- As written --------------------------------------------------------------------------------

static int compare_numbers(const void *left, const void *right) {
    unsigned a = *(const unsigned *)left, b = *(const unsigned *)right;
    return a < b ? -1 : a > b;
}

static void add_written(struct weigher *weigher, const struct dependency_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        unsigned read = list->items[i].event;
        const struct expr *when = list->items[i].condition;
        if (weigher->written[read] == weigher->number) {
            when = expr_or(weigher->builder->pool, weigher->when[read], when);
        } else {
            weigher->written[read] = weigher->number;
            weigher->reads[weigher->read_count++] = read;
        }
        weigher->when[read] = when;
    }
}

static bool is_ascending(const unsigned *numbers, size_t count) {
    for (size_t i = 1; i < count; i++)
        if (numbers[i - 1] > numbers[i])
            return false;
    return true;
}

// Collects the reads that an event depends on as written. What a branch decides goes into values
// and addresses too, so the three lists count together.
static void collect_written(struct weigher *weigher, const struct event *event) {
    weigher->read_count = 0;
    add_written(weigher, &event->ctrl);
    add_written(weigher, &event->addr);
    add_written(weigher, &event->data);
    if (!is_ascending(weigher->reads, weigher->read_count))
        qsort(weigher->reads, weigher->read_count, sizeof *weigher->reads, compare_numbers);
}

// --- Influence ---------------------------------------------------------------------------------

// Notes the reads among leaves.
static void note_leaves(struct weigher *weigher, unsigned *note, const struct leaf_list *leaves) {
    for (size_t i = 0; i < leaves->count; i++)
        if (leaves->items[i]->op == EXPR_READ)
            note[leaves->items[i]->index] = weigher->number;
}

// Notes the reads that have influence on an expression, of whatever thread.
static void note_influence(struct weigher *weigher, const struct notes *notes,
                           const struct expr *expr) {
    const struct influence *influence =
        influence_of(weigher->influences, passed_values_in(weigher->passed, expr));
    note_leaves(weigher, notes->certain, &influence->certain);
    note_leaves(weigher, notes->open, &influence->open);
}

// The condition under which an event comes to execute: loops that wait for something have ended.
static const struct expr *execution(const struct weigher *weigher, const struct event *event) {
    const struct builder *builder = weigher->builder;
    return expr_and(builder->pool, event->executes, builder->loops.left[event->id]);
}

static const struct expr *expr_of(const struct weigher *weigher, const struct event *event,
                                  enum kind kind) {
    switch (kind) {
    case KIND_ADDR: return event->address;
    case KIND_DATA: return event->kind == EVENT_WRITE ? event->access->value : NULL;
    default: return execution(weigher, event);
    }
}

// Notes the influence on an address or a value where the event executes. It is that of all cases
// unless the condition to execute has to do with it.
static void note_narrow(struct weigher *weigher, const struct event *event, enum kind kind) {
    struct builder *builder = weigher->builder;
    const struct expr *expr = expr_of(weigher, event, kind);
    if (expr == NULL || expr_is_const(expr))
        return;
    const struct expr *zero = expr_const_u64(builder->pool, expr->width, 0);
    const struct expr *part = influence_part(weigher->influences, execution(weigher, event), expr);
    note_influence(weigher, &weigher->narrow[kind], expr_ite(builder->pool, part, expr, zero));
}

static bool is_noted(const struct weigher *weigher, const unsigned *notes, unsigned read) {
    return notes[read] == weigher->number;
}

// --- What is left ------------------------------------------------------------------------------

// Notes the influence of reads on everything about an event; on one that never executes, none has.
static void note_event(struct weigher *weigher, const struct event *event) {
    bool is_certain = expr_is_true(execution(weigher, event));
    if (influence_is_never(weigher->influences, execution(weigher, event)))
        return;
    for (enum kind kind = 0; kind < KIND_COUNT; kind++) {
        const struct expr *expr = expr_of(weigher, event, kind);
        if (expr != NULL)
            note_influence(weigher, &weigher->notes[kind], expr);
    }
    for (enum kind kind = 0; kind < KIND_CTRL && !is_certain; kind++)
        note_narrow(weigher, event, kind);
}

// Whether a read has influence on the event by this kind. One that decides whether the event
// executes counts in all cases, another one where the event executes.
static bool has_influence(struct weigher *weigher, const struct event *event, enum kind kind,
                          unsigned read, bool *is_open) {
    const struct notes *notes = &weigher->notes[kind];
    bool decides = is_noted(weigher, weigher->notes[KIND_CTRL].certain, read);
    bool is_certain = expr_is_true(execution(weigher, event));
    if (kind != KIND_CTRL && !decides && !is_certain)
        notes = &weigher->narrow[kind];
    *is_open |= is_noted(weigher, notes->open, read);
    return is_noted(weigher, notes->certain, read);
}

static void weigh_read(struct weigher *weigher, const struct event *event, unsigned read) {
    bool is_open = false, is_kept = false;
    for (enum kind kind = 0; kind < KIND_COUNT; kind++) {
        if (!has_influence(weigher, event, kind, read, &is_open))
            continue;
        weigher->kept[kind][weigher->kept_count[kind]++] =
            (struct dependency){read, weigher->when[read]};
        is_kept = true;
    }
    if (is_kept)
        return;
    struct left_out *left = ARENA_NEW(weigher->builder->arena, struct left_out);
    *left = (struct left_out){read, event->id, weigher->builder->left_out};
    weigher->builder->left_out = left;
    weigher->builder->program->dependencies.open |= is_open;
}

static bool same_list(const struct dependency *a, const struct dependency *b, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (a[i].event != b[i].event || a[i].condition != b[i].condition)
            return false;
    return true;
}

// The list of what is left; where that is all, the one that there was, which others may share.
static struct dependency_list kept_list(struct weigher *weigher, struct dependency_list before,
                                        enum kind kind) {
    size_t count = weigher->kept_count[kind];
    const struct dependency *kept = weigher->kept[kind];
    if (count <= before.count && same_list(kept, before.items, count))
        return (struct dependency_list){before.items, count};
    struct arena *arena = weigher->builder->arena;
    return (struct dependency_list){arena_copy(arena, kept, count, sizeof *kept), count};
}

// --- Expressions without it --------------------------------------------------------------------

// Puts 0 in the place of a read that has no influence on an expression that it occurs in.
struct pruning {
    struct expr_pool *pool;
    const struct influence *influence;
};

static const struct expr *prune_leaf(void *context, const struct expr *leaf) {
    const struct pruning *pruning = context;
    if (leaf->op != EXPR_READ || leaf_list_has(&pruning->influence->certain, leaf) ||
        leaf_list_has(&pruning->influence->open, leaf))
        return leaf;
    return expr_const_u64(pruning->pool, leaf->width, 0);
}

// The same expression without reads that have no influence on it, so that it is not taken for one
// that needs them.
static const struct expr *prune(struct weigher *weigher, const struct expr *expr) {
    struct pruning pruning = {.pool = weigher->builder->pool,
                              .influence = influence_of(weigher->influences, expr)};
    return influence_replace(weigher->influences, expr, prune_leaf, &pruning);
}

static bool has_value_of(const struct leaf_list *list, const struct expr *undef) {
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i]->op == EXPR_READ && list->items[i]->index == undef->index)
            return true;
    return false;
}

static bool influences(struct weigher *weigher, const struct expr *undef, const struct expr *expr) {
    const struct influence *influence = influence_of(weigher->influences, expr);
    return has_value_of(&influence->certain, undef) || has_value_of(&influence->open, undef);
}

// A write, and whose influences are asked for.
struct unknown_pruning {
    struct weigher *weigher;
    const struct event *event;
};

static const struct expr *prune_undef_leaf(void *context, const struct expr *leaf) {
    const struct unknown_pruning *pruning = context;
    const struct event *event = pruning->event;
    if (leaf->op != EXPR_READ_UNDEF || influences(pruning->weigher, leaf, event->access->value) ||
        influences(pruning->weigher, leaf, event->address) ||
        influences(pruning->weigher, leaf, event->executes))
        return leaf;
    return expr_const_u64(pruning->weigher->builder->pool, 1, 0);
}

// An unknown value that is read makes no write unknown on which it has no influence. Else such
// values could come out of thin air, over a read on which nothing depends.
static const struct expr *prune_undef(struct weigher *weigher, const struct event *event) {
    struct unknown_pruning pruning = {weigher, event};
    return influence_replace(weigher->influences, event->access->undef, prune_undef_leaf, &pruning);
}

static void prune_event(struct weigher *weigher, struct event *event) {
    if (event->kind == EVENT_WRITE)
        event->access->undef = prune_undef(weigher, event);
    event->executes = prune(weigher, event->executes);
    if (event->address != NULL)
        event->address = prune(weigher, event->address);
    if (event->kind == EVENT_WRITE)
        event->access->value = prune(weigher, event->access->value);
}

// --- All events --------------------------------------------------------------------------------

#ifndef NDEBUG
// What has influence is there as written: a read of the thread that is missing there would be lost.
// (Of what threads pass to each other, ways that lead round in a circle are not followed.)
static void check_written(const struct weigher *weigher, const struct event *event) {
    const struct program *program = weigher->builder->program;
    for (enum kind kind = 0; kind < KIND_COUNT; kind++)
        for (unsigned i = 0; i < program->event_count; i++)
            if (program->events[i].kind == EVENT_READ && weigher->passed == NULL &&
                is_noted(weigher, weigher->notes[kind].certain, i) &&
                weigher->written[i] != weigher->number)
                bug("event %u depends on read %u, but not as written", event->id, i);
}
#endif

static void weigh_event(struct weigher *weigher, struct event *event) {
    weigher->number++;
    for (enum kind kind = 0; kind < KIND_COUNT; kind++)
        weigher->kept_count[kind] = 0;
    collect_written(weigher, event);
    note_event(weigher, event);
#ifndef NDEBUG
    check_written(weigher, event);
#endif
    for (size_t i = 0; i < weigher->read_count; i++)
        weigh_read(weigher, event, weigher->reads[i]);
    event->addr = kept_list(weigher, event->addr, KIND_ADDR);
    event->data = kept_list(weigher, event->data, KIND_DATA);
    event->ctrl = kept_list(weigher, event->ctrl, KIND_CTRL);
    prune_event(weigher, event);
}

static struct notes new_notes(struct arena *arena, size_t count) {
    return (struct notes){ARENA_ARRAY(arena, unsigned, count), ARENA_ARRAY(arena, unsigned, count)};
}

void dependencies_weigh(struct builder *builder) {
    struct program *program = builder->program;
    struct arena *scratch = arena_new();
    size_t count = program->event_count;
    struct weigher weigher = {.builder = builder,
                              .influences = influences_new(scratch, builder->pool),
                              .written = ARENA_ARRAY(scratch, unsigned, count),
                              .when = ARENA_ARRAY(scratch, const struct expr *, count),
                              .reads = ARENA_ARRAY(scratch, unsigned, count)};
    weigher.passed = passed_values_new(scratch, builder, weigher.influences);
    for (enum kind kind = 0; kind < KIND_COUNT; kind++) {
        weigher.notes[kind] = new_notes(scratch, count);
        weigher.narrow[kind] = new_notes(scratch, count);
        weigher.kept[kind] = ARENA_ARRAY(scratch, struct dependency, count);
    }
    for (size_t i = program->init_count; i < count; i++)
        if (!unreached_has(builder, (unsigned)i))
            weigh_event(&weigher, &program->events[i]);
    influences_free(weigher.influences);
    arena_free(scratch);
}
