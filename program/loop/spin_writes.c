// Spin loops that write in each turn: whether the turns that are left out are not needed.
//
// 1. The exch of a lock writes whenever it is tried. A turn that is repeated is left out with
// its write (loop/spin.c). What is left is an execution of the program, with the same values, if
// no read that is kept takes its value from such a write, and no final value is one: relations
// between the events that are kept are the same or smaller. A read that is known to return another
// constant, since its own loop is left on that, does not.
//
// 2. A polling atom.add of 0 writes what it has read, and others may read it there: they read the
// write before it instead, of the same value. Where all accesses of the place are morally strong to
// each other, no write has come between the two (atomicity), so that the reader is before the same
// writes (fr) as it was, and what it observed through the atom it observes still. So all relations
// but rf are the same or smaller, and what the new pairs of rf lead to the old ones led to, in two
// steps more. The final value is the same. An exch of 0 does so, too, in a turn that is repeated
// since it has not read 1, where no other values than 0 and 1 are ever there.
//
// 3. What a turn stores to memory that its thread alone has (.local) only that thread can read. It
// does not if each of its reads from the turn on takes its value from a later store than the
// turn's beginning: that of the last turn, which represents all of them. Nor does it matter what a
// turn stores there if it leaves the memory as it has found it (private_is_restored): then the next
// turn finds the same.
//
// 4. The cas of a CTA's wait, which takes a flag back, writes only if it finds the flag set, and a
// round that finds it set is the last one (waits_store_is_last): no round that is left out writes.

#include "program/expr/internal.h"
#include "program/builder.h"
#include "program/loop/loops.h"
#include "program/memory/memory.h"

#include <assert.h>

static bool writes_constant(const struct event *write) {
    return write->access->rmw >= 0 && expr_is_const(write->access->value) &&
           expr_is_false(write->access->undef);
}

// Whether an atomic operation that reads something of which `known` (one bit) is true leaves what
// it has read whenever it writes in an iteration that is repeated.
static bool writes_same(struct builder *builder, const struct event *write,
                        const struct expr *again, const struct expr *known) {
    struct expr_pool *pool = builder->pool;
    if (write->access->rmw < 0)
        return false;
    const struct event *read = &builder->program->events[write->access->rmw];
    const struct expr *differs =
        expr_not(pool, expr_eq(pool, write->access->value, read->access->value));
    const struct expr *writes = expr_and(pool, again, builder->reaches[write->id]);
    return excludes(builder, expr_and(pool, writes, known), differs);
}

static bool is_private(const struct builder *builder, const struct event *write) {
    return builder->alone.source[write->id] == (int)write->id;
}

bool spin_may_leave_out(struct builder *builder, const struct event *write,
                        const struct expr *again, bool of_cta) {
    if (event_is_detached(write))
        return false;
    return (of_cta && write->access->rmw < 0) || writes_constant(write) ||
           writes_same(builder, write, again, builder->always) || is_private(builder, write);
}

static void note_constant(const struct program *program, const struct expr *equation) {
    for (unsigned i = 0; i < 2; i++) {
        const struct expr *a = equation->args[i], *b = equation->args[1 - i];
        if (a->op == EXPR_READ && expr_is_const(b))
            program->assumed_values[a->index] = b;
    }
}

// The assumption is a conjunction: a list, as deep as the threads have spin loops, of which each
// item may be one itself.
static void find_constants(const struct program *program, const struct expr *assumed) {
    for (; assumed->op == EXPR_AND; assumed = assumed->args[0])
        find_constants(program, assumed->args[1]);
    if (assumed->op == EXPR_EQ)
        note_constant(program, assumed);
}

void spin_find_assumed_values(struct builder *builder) {
    struct program *program = builder->program;
    program->assumed_values =
        ARENA_ARRAY(builder->arena, const struct expr *, program->event_count);
    find_constants(program, program->assumption);
}

// Whether two events access the same cells, in every execution in which both are executed.
static bool are_at_one_place(const struct event *a, const struct event *b) {
    return a->candidate_count == 1 && b->candidate_count == 1 &&
           a->candidates[0].first_cell == b->candidates[0].first_cell &&
           a->candidates[0].cell_count == b->candidates[0].cell_count;
}

// Whether two constants are the same in the bytes of some cell of an access.
static bool agree_in_a_cell(const struct program *program, const struct candidate *at,
                            const struct expr *a, const struct expr *b) {
    uint128 differing = bits_to_wide(a->value) ^ bits_to_wide(b->value);
    for (unsigned i = 0; i < at->cell_count; i++) {
        const struct cell *cell = &program->memory.cells[at->first_cell + i];
        if ((differing >> 8 * (cell->offset - at->offset) & bits_mask(8 * cell->size)) == 0)
            return true;
    }
    return false;
}

// What an alternative of which one holds says of a read that executes.
struct alternatives {
    const struct builder *builder;
    const struct event *read;
    const struct expr *constant; // one of them: it returns this
    bool others;                 // there are others that may hold
};

static void look_at(struct alternatives *found, const struct expr *expr, bool negated) {
    struct expr_pool *pool = found->builder->pool;
    if (expr->op == EXPR_NOT) {
        look_at(found, expr->args[0], !negated);
    } else if (expr->width == 1 && expr->op == (negated ? EXPR_AND : EXPR_OR)) {
        look_at(found, expr->args[0], negated);
        look_at(found, expr->args[1], negated);
    } else if (!negated && found->constant == NULL && expr->op == EXPR_EQ &&
               expr->args[0] == found->read->access->value && expr_is_const(expr->args[1])) {
        found->constant = expr->args[1];
    } else {
        const struct expr *holds = negated ? expr_not(pool, expr) : expr;
        const struct expr *reaches = found->builder->reaches[found->read->id];
        found->others |= !expr_is_false(expr_and(pool, reaches, holds));
    }
}

// The constant that a read returns if it executes, in all executions that count: a loop that ends
// with it may be on one path only. NULL where the assumption says none.
static const struct expr *assumed_value(const struct builder *builder, const struct event *read) {
    const struct program *program = builder->program;
    const struct expr *assumed = program->assumption;
    if (program->assumed_values[read->id] != NULL)
        return program->assumed_values[read->id];
    for (bool more = true; more; assumed = assumed->args[0]) {
        more = assumed->op == EXPR_AND;
        struct alternatives found = {.builder = builder, .read = read};
        look_at(&found, more ? assumed->args[1] : assumed, false);
        if (found.constant != NULL && !found.others)
            return found.constant;
    }
    return NULL;
}

// Whether a read that is kept may take its value, or a piece of it, from a write that is left out.
static bool may_read(const struct builder *builder, const struct event *read,
                     const struct event *write) {
    assert(read->kind == EVENT_READ);
    const struct program *program = builder->program;
    const struct expr *assumed = assumed_value(builder, read);
    if (!cells_may_overlap(read, write))
        return false;
    return !are_at_one_place(read, write) || assumed == NULL ||
           agree_in_a_cell(program, &read->candidates[0], assumed, write->access->value);
}

static bool may_write(const struct event *event, unsigned cell) {
    for (size_t i = 0; i < event->candidate_count; i++)
        if (cell >= event->candidates[i].first_cell &&
            cell - event->candidates[i].first_cell < event->candidates[i].cell_count)
            return true;
    return false;
}

// Whether the test asks for the final value of something that the write touches.
static bool may_be_final(const struct program *program, const struct event *write) {
    for (unsigned id = 0; id < expr_pool_count(program->pool); id++) {
        const struct expr *expr = expr_at(program->pool, id);
        if ((expr->op == EXPR_FINAL || expr->op == EXPR_FINAL_UNDEF) &&
            may_write(write, expr->index))
            return true;
    }
    return false;
}

static bool is_unread(const struct builder *builder, const struct event *write) {
    const struct program *program = builder->program;
    for (size_t i = program->init_count; i < program->event_count; i++)
        if (program->events[i].kind == EVENT_READ && may_read(builder, &program->events[i], write))
            return false;
    return !may_be_final(program, write);
}

// --- Writes of what was read -------------------------------------------------------------------

static bool reaches(const struct program *program, const struct event *from,
                    const struct event *to) {
    const struct thread *threads = program->test->threads;
    return test_scope_contains(from->scope, &threads[from->thread].place,
                               &threads[to->thread].place);
}

bool spin_are_morally_strong(const struct program *program, const struct event *a,
                             const struct event *b) {
    bool same = are_at_one_place(a, b) && a->size == b->size && a->proxy == b->proxy &&
                a->candidates[0].range == b->candidates[0].range;
    return same && (event_same_thread(a, b) || (reaches(program, a, b) && reaches(program, b, a)));
}

// Whether all accesses of a write's place are morally strong to each other.
static bool is_place_strong(const struct program *program, const struct event *write) {
    enum { ACCESSES_MAX = 256 };
    const struct event *accesses[ACCESSES_MAX];
    size_t count = 0;
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *event = &program->events[i];
        if ((event->kind != EVENT_READ && event->kind != EVENT_WRITE) ||
            !cells_may_overlap(event, write))
            continue;
        if (count == ACCESSES_MAX)
            return false;
        accesses[count++] = event;
        for (size_t k = 0; k < count; k++)
            if (!spin_are_morally_strong(program, event, accesses[k]))
                return false;
    }
    return true;
}

// What is known of the value that an atomic operation reads, in an iteration that is left out, too:
// those do what the one that is kept does, so that they read and write no other values.
static const struct expr *known_values(struct builder *builder, const struct event *write) {
    struct expr_pool *pool = builder->pool;
    const struct expr *value = builder->program->events[write->access->rmw].access->value;
    const struct value_set *set = values_find(builder, &value, 1);
    const struct expr *known = set->any ? builder->always : builder->never;
    for (unsigned i = 0; !set->any && i < set->count; i++)
        known = expr_or(
            pool, known,
            expr_eq(pool, value, expr_const(pool, value->width, bits_from_wide(set->values[i]))));
    return known;
}

static bool keeps_what_it_reads(struct builder *builder, const struct left_write *left) {
    const struct event *write = &builder->program->events[left->event];
    if (write->access->rmw < 0 || !is_place_strong(builder->program, write))
        return false;
    return writes_same(builder, write, left->again, builder->always) ||
           writes_same(builder, write, left->again, known_values(builder, write));
}

// --- Private memory ----------------------------------------------------------------------------

static bool is_overwritten(const struct builder *builder, const struct left_write *left) {
    const struct program *program = builder->program;
    const struct event *write = &program->events[left->event];
    for (size_t i = program->init_count; i < program->event_count; i++) {
        const struct event *read = &program->events[i];
        bool before = read->thread == write->thread && i < left->first_event;
        if (read->kind == EVENT_READ && !before && cells_may_overlap(read, write) &&
            (read->thread != write->thread || builder->alone.source[i] < (int)left->first_event))
            return false;
    }
    return !may_be_final(program, write);
}

// --- All ---------------------------------------------------------------------------------------

static bool is_missed(struct builder *builder, const struct left_write *left) {
    const struct program *program = builder->program;
    const struct event *write = &program->events[left->event];
    if (left->wait != NULL && waits_store_is_last(builder, left->wait, write))
        return false;
    if (writes_constant(write) && is_unread(builder, write))
        return false;
    if (keeps_what_it_reads(builder, left))
        return false;
    if (is_private(builder, write) && is_overwritten(builder, left))
        return false;
    return left->wait == NULL || may_be_final(program, write) ||
           !waits_store_is_repeated(builder, left->wait, write);
}

bool spin_writes_are_unread(struct builder *builder, bool of_cta) {
    const struct left_write *left = builder->others.writes;
    while (left != NULL && ((left->wait != NULL) != of_cta || !is_missed(builder, left)))
        left = left->next;
    excludes_end(builder);
    return left == NULL;
}
