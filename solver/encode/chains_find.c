// Finds chains of sections in a program: counters, where every write applies the same function to
// what its thread has read there (atomic additions, the two words of a ticket lock, what a lock
// protects), and the words of spin locks.

#include "solver/encode/chains.h"
#include "solver/encode/values.h"
#include "solver/encode/memory.h"
#include "solver/encode/turns.h"

#include "litmus/source/allocate.h"

#include <assert.h>
#include <stdlib.h>

// For fewer sections the proofs cost more than they save. Those of atomic operations are short, and
// where these take turns (encode/turns.c) there is nothing left to prove.
enum { ATOMICS_MIN = 4, OTHERS_MIN = 6, SECTIONS_MAX = 100 };

// Whether the event accesses just the cells of the chain, in every execution.
static bool is_always_at(const struct encoder *encoder, const struct event *event,
                         const struct chain *chain) {
    return event->candidate_count == 1 && event->candidates[0].first_cell == chain->cell &&
           event->candidates[0].cell_count == chain->cell_count &&
           event_set_has(&encoder->facts->always, event->id);
}

// Whether a write may touch a cell of the chain.
static bool may_touch(const struct encoder *encoder, const struct event *event,
                      const struct chain *chain) {
    bool may = false;
    for (unsigned i = 0; event->kind == EVENT_WRITE && i < chain->cell_count; i++)
        may = may || memory_may_touch(encoder, event->id, chain->cell + i);
    return may;
}

// --- What is assumed ---------------------------------------------------------------------------

// A spin loop is left when what it reads is what its thread waits for. Such equations are in the
// program's assumption, a conjunction.
static size_t collect_equations(const struct expr *assumed, const struct expr **equations) {
    size_t count = 0;
    if (assumed->op == EXPR_AND) {
        count = collect_equations(assumed->args[0], equations);
        return count +
               collect_equations(assumed->args[1], equations == NULL ? NULL : equations + count);
    }
    if (assumed->op == EXPR_EQ && equations != NULL)
        equations[0] = assumed;
    return assumed->op == EXPR_EQ;
}

static bool is_read(const struct expr *value, unsigned read) {
    return value->op == EXPR_READ && value->index == read;
}

// The other side of an equation, when one side is the read; else NULL.
static const struct expr *other_side(const struct expr *equation, unsigned read) {
    return is_read(equation->args[0], read)   ? equation->args[1]
           : is_read(equation->args[1], read) ? equation->args[0]
                                              : NULL;
}

// A read of a chain's cells that equals another read; NULL when there is none.
static const struct event *equal_read(const struct encoder *encoder, const struct chains *chains,
                                      unsigned read, const struct chain *chain) {
    for (size_t i = 0; i < chains->equation_count; i++) {
        const struct expr *other = other_side(chains->equations[i], read);
        if (other != NULL && other->op == EXPR_READ &&
            is_always_at(encoder, &encoder->program->events[other->index], chain))
            return &encoder->program->events[other->index];
    }
    return NULL;
}

// Whether a read returns the constant in every execution.
static bool is_assumed(const struct encoder *encoder, const struct event *read,
                       struct bits128 constant) {
    assert(read->kind == EVENT_READ);
    const struct expr *value = encoder->program->assumed_values[read->id];
    return value != NULL && bits_equal(value->value, constant);
}

// --- Counters ----------------------------------------------------------------------------------

// The leaves of an expression, without constants and what the ISA leaves open.
struct leaves {
    const struct expr *read;
    bool has_more; // another read, or something else
};

static void find_leaf(void *context, const struct expr *expr) {
    struct leaves *leaves = context;
    if (expr->args[0] != NULL || expr->op == EXPR_CONST || expr->op == EXPR_UNKNOWN)
        return;
    leaves->has_more = leaves->has_more || leaves->read != NULL || expr->op != EXPR_READ;
    leaves->read = expr;
}

// The read of the chain's cells that a value is a function of, or NULL.
static const struct event *only_read(const struct encoder *encoder, const struct chains *chains,
                                     const struct expr *value, const struct chain *chain) {
    struct leaves leaves = {NULL, false};
    bool *seen = allocate((size_t)value->id + 1, sizeof *seen);
    walk_expr(value, seen, find_leaf, &leaves);
    free(seen);
    if (leaves.read == NULL || leaves.has_more)
        return NULL;
    const struct event *read = &encoder->program->events[leaves.read->index];
    return is_always_at(encoder, read, chain) ? read : equal_read(encoder, chains, read->id, chain);
}

// The section that begins with a read, or -1.
static int section_of(const struct chain *chain, unsigned read) {
    for (size_t i = 0; i < chain->count; i++)
        if (chain->reads[i]->id == read)
            return (int)i;
    return -1;
}

static void add_section(struct chain *chain, const struct event *read, unsigned write) {
    assert(read->kind == EVENT_READ);
    chain->reads[chain->count] = read;
    chain->writes[chain->count++] = write;
}

// Takes a write into the counter. False when it is not a function of a read.
static bool take_update(const struct encoder *encoder, const struct chains *chains,
                        struct chain *chain, const struct event *write) {
    if (!is_always_at(encoder, write, chain) ||
        (chain->count >= SECTIONS_MAX && !encoder->turns->has_cell[chain->cell]))
        return false;
    const struct event *read = only_read(encoder, chains, write->access->value, chain);
    if (read == NULL || section_of(chain, read->id) >= 0)
        return false;
    if (write->access->rmw != (int)read->id)
        chain->kind = CHAIN_COUNTER;
    add_section(chain, read, write->id);
    return true;
}

// An evaluation for one value of the read. What the ISA leaves open, such as the bits of a NaN, has
// no result; nor has what depends on it.
struct section_evaluation {
    struct encoder *encoder;
    struct bits128 read;
    struct bits128 *results; // by expression
    bool *has_result;
};

static void evaluate_operation(struct section_evaluation *evaluation, const struct expr *expr) {
    struct bits128 operands[3];
    for (unsigned i = 0; i < 3 && expr->args[i] != NULL; i++) {
        if (!evaluation->has_result[expr->args[i]->id])
            return;
        operands[i] = evaluation->results[expr->args[i]->id];
    }
    evaluation->results[expr->id] = fold_operation(evaluation->encoder->folder, expr, operands);
    evaluation->has_result[expr->id] = true;
}

static void evaluate(void *context, const struct expr *expr) {
    struct section_evaluation *evaluation = context;
    bool *has_result = evaluation->has_result;
    struct bits128 *results = evaluation->results;
    if (expr->op == EXPR_ITE && has_result[expr->args[0]->id]) {
        bool holds = !bits_is_zero(results[expr->args[0]->id]);
        unsigned chosen = expr->args[holds ? 1 : 2]->id;
        has_result[expr->id] = has_result[chosen];
        results[expr->id] = results[chosen];
    } else if (expr->args[0] != NULL) {
        evaluate_operation(evaluation, expr);
    } else if (expr->op == EXPR_CONST || expr->op == EXPR_READ) {
        has_result[expr->id] = true;
        results[expr->id] = expr->op == EXPR_CONST ? expr->value : evaluation->read;
    }
}

// What a section writes when it reads the value. False when that is open.
static bool find_written(struct encoder *encoder, const struct chain *chain, size_t section,
                         struct bits128 read, struct bits128 *written) {
    const struct expr *expr = encoder->program->events[chain->writes[section]].access->value;
    size_t count = (size_t)expr->id + 1;
    struct section_evaluation evaluation = {encoder, read,
                                            allocate(count, sizeof *evaluation.results),
                                            allocate(count, sizeof *evaluation.has_result)};
    bool *seen = allocate(count, sizeof *seen);
    walk_expr(expr, seen, evaluate, &evaluation);
    bool found = evaluation.has_result[expr->id];
    *written = evaluation.results[expr->id];
    free(seen);
    free(evaluation.has_result);
    free(evaluation.results);
    return found;
}

static bool has_value(const struct chain *chain, size_t count, struct bits128 value) {
    for (size_t i = 0; i < count; i++)
        if (bits_equal(chain->values[i], value))
            return true;
    return false;
}

// Finds what the sections read one after another; these values must not depend on which section
// comes when, and be different.
static bool find_values(struct encoder *encoder, struct chain *chain) {
    for (size_t step = 0; step + 1 < chain->count; step++) {
        struct bits128 next, other;
        if (!find_written(encoder, chain, 0, chain->values[step], &next))
            return false;
        for (size_t i = 1; i < chain->count; i++)
            if (!find_written(encoder, chain, i, chain->values[step], &other) ||
                !bits_equal(next, other))
                return false;
        if (has_value(chain, step + 1, next))
            return false;
        chain->values[step + 1] = next;
    }
    return true;
}

// Makes room for the values, and finds the first. False where it is unknown.
static bool start_values(struct encoder *encoder, struct chain *chain) {
    const struct program *program = encoder->program;
    const struct event *write = chain->start;
    if (write != NULL &&
        (!expr_is_const(write->access->value) || !expr_is_false(write->access->undef)))
        return false;
    uint128 first = write != NULL ? bits_to_wide(write->access->value->value) : 0;
    for (unsigned i = 0; write == NULL && i < chain->cell_count; i++) {
        unsigned cell = chain->cell + i;
        const struct expr *start = program_initial_value(program, cell);
        if (!expr_is_const(start) || !expr_is_false(program_initial_undef(program, cell)))
            return false;
        first |= bits_to_wide(start->value) << 8 * (program->memory.cells[cell].offset -
                                                    program->memory.cells[chain->cell].offset);
    }
    chain->values = ARENA_ARRAY(encoder->arena, struct bits128, encoder->n + 1);
    chain->values[0] = bits_from_wide(first);
    return true;
}

void chains_values(struct encoder *encoder, struct chain *chain) {
    static const struct chains none;
    bool found = start_values(encoder, chain);
    for (size_t i = 0; i < chain->count && found; i++) {
        const struct event *write = &encoder->program->events[chain->writes[i]];
        found = only_read(encoder, &none, write->access->value, chain) == chain->reads[i];
    }
    if (!found || !find_values(encoder, chain))
        chain->values = NULL;
}

static bool find_counter(struct encoder *encoder, const struct chains *chains,
                         struct chain *chain) {
    chain->kind = CHAIN_ATOMICS;
    for (unsigned e = 0; e < encoder->n; e++) {
        const struct event *event = &encoder->program->events[e];
        if (event != chain->start && may_touch(encoder, event, chain) &&
            !take_update(encoder, chains, chain, event))
            return false;
    }
    return find_values(encoder, chain);
}

// --- Locks -------------------------------------------------------------------------------------

// Takes a write to a lock. One that puts back what was there at the start ends the section that
// `open` has begun; any other begins one, with the read of its atomic operation. False when the
// write is neither.
static bool take_lock_write(const struct encoder *encoder, struct chain *chain,
                            const struct event *write, const struct event **open) {
    const struct event *events = encoder->program->events;
    if (*open != NULL && (*open)->thread != write->thread)
        return false;
    if (write->access->value->op != EXPR_CONST)
        return false;
    if (bits_equal(write->access->value->value, chain->values[0])) {
        if (*open == NULL || !is_always_at(encoder, write, chain))
            return false;
        add_section(chain, *open, write->id);
        *open = NULL;
        return true;
    }
    if (*open != NULL || write->access->rmw < 0 ||
        !is_always_at(encoder, &events[write->access->rmw], chain) ||
        !is_assumed(encoder, &events[write->access->rmw], chain->values[0]))
        return false;
    *open = &events[write->access->rmw];
    return true;
}

static bool find_lock(const struct encoder *encoder, struct chain *chain) {
    const struct event *open = NULL;
    chain->kind = CHAIN_LOCK;
    for (unsigned e = 0; e < encoder->n; e++) {
        const struct event *event = &encoder->program->events[e];
        if (may_touch(encoder, event, chain) && !take_lock_write(encoder, chain, event, &open))
            return false;
    }
    return open == NULL;
}

// --- All ---------------------------------------------------------------------------------------

// How many cells the accesses take that begin at this one: as the first does, of up to 128 bits.
static unsigned width_of_accesses(const struct encoder *encoder, unsigned cell) {
    for (unsigned e = 0; e < encoder->n; e++) {
        const struct event *event = &encoder->program->events[e];
        if (event->kind == EVENT_WRITE && event->candidate_count == 1 &&
            event->candidates[0].first_cell == cell)
            return 8 * event->size <= BITS_MAX ? event->candidates[0].cell_count : 1;
    }
    return 1;
}

static bool find_chain(struct encoder *encoder, const struct chains *chains, unsigned cell,
                       struct chain *chain) {
    assert(cell < encoder->program->memory.cell_count);
    *chain = (struct chain){.cell = cell, .cell_count = width_of_accesses(encoder, cell)};
    if (encoder->turns->has_cell[cell])
        chain->start = encoder->turns->starts[cell];
    if (!start_values(encoder, chain))
        return false;
    chain->reads = ARENA_ARRAY(encoder->arena, const struct event *, encoder->n);
    chain->writes = ARENA_ARRAY(encoder->arena, unsigned, encoder->n);
    bool found = find_counter(encoder, chains, chain);
    if (!found && chain->cell_count == 1 && chain->start == NULL) {
        chain->count = 0;
        found = find_lock(encoder, chain);
    }
    return found;
}

static bool pays(const struct chain *chain, unsigned least) {
    if (least != 0)
        return chain->count >= least;
    return chain->count >= (chain->kind == CHAIN_ATOMICS ? ATOMICS_MIN : OTHERS_MIN);
}

struct chains *chains_find(struct encoder *encoder, unsigned least) {
    const struct program *program = encoder->program;
    struct chains *chains = ARENA_NEW(encoder->arena, struct chains);
    chains->items = ARENA_ARRAY(encoder->arena, struct chain, program->memory.cell_count);
    chains->equation_count = collect_equations(program->assumption, NULL);
    chains->equations = ARENA_ARRAY(encoder->arena, const struct expr *, chains->equation_count);
    collect_equations(program->assumption, chains->equations);
    for (unsigned cell = 0; cell < program->memory.cell_count; cell++) {
        struct chain *chain = &chains->items[chains->count];
        chains->count += find_chain(encoder, chains, cell, chain) && pays(chain, least);
    }
    return chains;
}

// --- Equal reads -------------------------------------------------------------------------------

bool chains_agree(const struct encoder *encoder, const struct chains *chains,
                  const struct chain *chain, const struct chain *other) {
    bool *used = ARENA_ARRAY(encoder->arena, bool, other->count);
    for (size_t i = 0; i < chain->count; i++) {
        const struct event *read = equal_read(encoder, chains, chain->reads[i]->id, other);
        int section = read == NULL ? -1 : section_of(other, read->id);
        if (section < 0 || used[section])
            return false;
        used[section] = true;
    }
    return true;
}
