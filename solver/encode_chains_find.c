// Finds chains of sections in a program: counters, to which every write adds the same constant to
// what its thread has read there (atomic additions, the two words of a ticket lock, what a lock
// protects), and the words of spin locks.

#include "solver/encode_chains.h"

// For fewer sections the proofs cost more than they save. Those of atomic operations are short.
enum { ATOMICS_MIN = 4, OTHERS_MIN = 6 };

// Whether the event accesses just this cell, in every execution.
static bool is_always_at(const struct encoder *encoder, const struct event *event, unsigned cell) {
    return event->candidate_count == 1 && event->candidates[0].first_cell == cell &&
           event->candidates[0].cell_count == 1 &&
           event_set_has(&encoder->facts->always, event->id);
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

// A read of the cell that equals another read; NULL when there is none.
static const struct event *equal_read(const struct encoder *encoder, const struct chains *chains,
                                      unsigned read, unsigned cell) {
    for (size_t i = 0; i < chains->equation_count; i++) {
        const struct expr *other = other_side(chains->equations[i], read);
        if (other != NULL && other->op == EXPR_READ &&
            is_always_at(encoder, &encoder->program->events[other->index], cell))
            return &encoder->program->events[other->index];
    }
    return NULL;
}

// Whether a read returns the constant in every execution.
static bool is_assumed(const struct chains *chains, const struct event *read,
                       struct bits128 constant) {
    for (size_t i = 0; i < chains->equation_count; i++) {
        const struct expr *other = other_side(chains->equations[i], read->id);
        if (other != NULL && other->op == EXPR_CONST && bits128_equal(other->value, constant))
            return true;
    }
    return false;
}

// --- Counters ----------------------------------------------------------------------------------

// The read of the cell in READ + constant, in either order; NULL when the value is something else.
static const struct event *added_read(const struct encoder *encoder, const struct chains *chains,
                                      const struct expr *value, unsigned cell,
                                      struct bits128 *step) {
    if (value->op != EXPR_ADD)
        return NULL;
    const struct expr *a = value->args[0], *b = value->args[1];
    if (a->op == EXPR_CONST) {
        a = value->args[1];
        b = value->args[0];
    }
    if (a->op != EXPR_READ || b->op != EXPR_CONST)
        return NULL;
    *step = b->value;
    const struct event *read = &encoder->program->events[a->index];
    return is_always_at(encoder, read, cell) ? read : equal_read(encoder, chains, a->index, cell);
}

// The section that begins with a read, or -1.
static int section_of(const struct chain *chain, unsigned read) {
    for (size_t i = 0; i < chain->count; i++)
        if (chain->reads[i]->id == read)
            return (int)i;
    return -1;
}

static void add_section(struct chain *chain, const struct event *read, unsigned write) {
    chain->reads[chain->count] = read;
    chain->writes[chain->count++] = write;
}

// Takes a write into the counter. False when it is no addition like the others.
static bool take_addition(const struct encoder *encoder, const struct chains *chains,
                          struct chain *chain, const struct event *write) {
    struct bits128 step = {0, 0};
    const struct event *read = added_read(encoder, chains, write->value, chain->cell, &step);
    if (read == NULL || !is_always_at(encoder, write, chain->cell) ||
        section_of(chain, read->id) >= 0)
        return false;
    if (chain->count != 0 && !bits128_equal(chain->step, step))
        return false;
    chain->step = step;
    if (write->rmw != (int)read->id)
        chain->kind = CHAIN_COUNTER;
    add_section(chain, read, write->id);
    return true;
}

// Whether the values of n additions are different: start + n * step fits into the cell.
static bool has_room(const struct encoder *encoder, const struct chain *chain) {
    unsigned bits = 8 * encoder->program->cells[chain->cell].size;
    uint64_t most = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    if (chain->start.high != 0 || chain->step.high != 0 || chain->step.low == 0)
        return false;
    return (most - chain->start.low) / chain->step.low >= chain->count;
}

static bool find_counter(const struct encoder *encoder, const struct chains *chains,
                         struct chain *chain) {
    chain->kind = CHAIN_ATOMICS;
    for (unsigned e = 0; e < encoder->n; e++) {
        const struct event *event = &encoder->program->events[e];
        if (event->kind == EVENT_WRITE && memory_touch_index(encoder, e, chain->cell) >= 0 &&
            !take_addition(encoder, chains, chain, event))
            return false;
    }
    return has_room(encoder, chain);
}

// --- Locks -------------------------------------------------------------------------------------

// Takes a write to a lock. One that puts back what was there at the start ends the section that
// `open` has begun; any other begins one, with the read of its atomic operation. False when the
// write is neither.
static bool take_lock_write(const struct encoder *encoder, const struct chains *chains,
                            struct chain *chain, const struct event *write,
                            const struct event **open) {
    const struct event *events = encoder->program->events;
    if (*open != NULL && (*open)->thread != write->thread)
        return false;
    if (write->value->op != EXPR_CONST)
        return false;
    if (bits128_equal(write->value->value, chain->start)) {
        if (*open == NULL || !is_always_at(encoder, write, chain->cell))
            return false;
        add_section(chain, *open, write->id);
        *open = NULL;
        return true;
    }
    if (*open != NULL || write->rmw < 0 ||
        !is_always_at(encoder, &events[write->rmw], chain->cell) ||
        !is_assumed(chains, &events[write->rmw], chain->start))
        return false;
    *open = &events[write->rmw];
    return true;
}

static bool find_lock(const struct encoder *encoder, const struct chains *chains,
                      struct chain *chain) {
    const struct event *open = NULL;
    chain->kind = CHAIN_LOCK;
    for (unsigned e = 0; e < encoder->n; e++) {
        const struct event *event = &encoder->program->events[e];
        if (event->kind == EVENT_WRITE && memory_touch_index(encoder, e, chain->cell) >= 0 &&
            !take_lock_write(encoder, chains, chain, event, &open))
            return false;
    }
    return open == NULL;
}

// --- All ---------------------------------------------------------------------------------------

static bool find_chain(struct encoder *encoder, const struct chains *chains, unsigned cell,
                       struct chain *chain) {
    const struct program *program = encoder->program;
    const struct expr *start = program_initial_value(program, cell);
    *chain = (struct chain){.cell = cell};
    if (!expr_is_const(start) || !expr_is_false(program_initial_undef(program, cell)))
        return false;
    chain->start = start->value;
    chain->reads = ARENA_ARRAY(encoder->arena, const struct event *, encoder->n);
    chain->writes = ARENA_ARRAY(encoder->arena, unsigned, encoder->n);
    bool found = find_counter(encoder, chains, chain);
    if (!found) {
        chain->count = 0;
        found = find_lock(encoder, chains, chain);
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
    chains->items = ARENA_ARRAY(encoder->arena, struct chain, program->cell_count);
    chains->equation_count = collect_equations(program->assumption, NULL);
    chains->equations = ARENA_ARRAY(encoder->arena, const struct expr *, chains->equation_count);
    collect_equations(program->assumption, chains->equations);
    for (unsigned cell = 0; cell < program->cell_count; cell++) {
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
        const struct event *read = equal_read(encoder, chains, chain->reads[i]->id, other->cell);
        int section = read == NULL ? -1 : section_of(other, read->id);
        if (section < 0 || used[section])
            return false;
        used[section] = true;
    }
    return true;
}
