// Cells that only atomic operations write, one after the other; before all of them, a store may
// have initialised the cell.
//
// Where the axioms say of any two of the operations that co orders their writes, and of each that
// its write comes right after the one that it reads from, they make up a chain from the initial
// write on: co is a total order, each operation reads from its immediate predecessor, and no two
// from one write. That is found before the axioms are encoded (chains_take_turns), and asserted in
// n * n clauses. What else the model says of such operations then follows from co alone: fr from an
// operation to the write of another is co between the writes, and so is every path of rf from
// operation to operation. These literals are used in place of what would define them, which takes
// n * n * n clauses and more.

#include "solver/encode/turns.h"

#include "solver/encode/chains.h"
#include "solver/encode/gates.h"
#include "solver/encode/memory.h"
#include "solver/encode/values.h"

#include "litmus/source/allocate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS_MIN = 4 }; // for fewer operations there is little to save

// --- Finding them ------------------------------------------------------------------------------

static bool is_always_at(const struct encoder *encoder, unsigned event, unsigned cell) {
    const struct event *e = &encoder->program->events[event];
    return e->candidate_count == 1 && e->candidates[0].first_cell == cell &&
           e->candidates[0].cell_count == 1 && event_set_has(&encoder->facts->always, event);
}

// Whether the write that the chain starts with, if it has one, is co-before all operations, so that
// each reads from it or from another operation, and not from what was there before.
static bool begins_with_start(const struct encoder *encoder, const struct chain *chain) {
    const struct relation *may_rf = &encoder->facts->may[BASE_REL_RF];
    for (size_t i = 0; i < chain->count && chain->start != NULL; i++) {
        if (!relation_has(&encoder->facts->must[BASE_REL_CO], chain->start->id, chain->writes[i]))
            return false;
        for (unsigned w = 0; w < encoder->n; w++)
            if (encoder->program->events[w].kind == EVENT_INIT &&
                relation_has(may_rf, w, chain->reads[i]->id))
                return false;
    }
    return true;
}

// Takes the operations of a cell, and one write that is before them. False when something else may
// write there.
static bool find_operations(const struct encoder *encoder, struct chain *chain) {
    chain->start = NULL;
    for (unsigned e = 0; e < encoder->n; e++) {
        const struct event *event = &encoder->program->events[e];
        if (event->kind != EVENT_WRITE || !memory_may_touch(encoder, e, chain->cell))
            continue;
        if (event->access->rmw < 0 && chain->start == NULL &&
            is_always_at(encoder, e, chain->cell)) {
            chain->start = event;
            continue;
        }
        if (event->access->rmw < 0 || !is_always_at(encoder, e, chain->cell) ||
            !is_always_at(encoder, (unsigned)event->access->rmw, chain->cell))
            return false;
        chain->reads[chain->count] = &encoder->program->events[event->access->rmw];
        chain->writes[chain->count++] = e;
    }
    return begins_with_start(encoder, chain);
}

// What a section reads: of a counter, one of the values that are left where those before this one
// for sure, and those after it, have read theirs.
static struct domain domain_of(const struct encoder *encoder, const struct chain *chain,
                               size_t section) {
    if (chain->values == NULL)
        return (struct domain){0};
    const struct relation *must = &encoder->facts->must[BASE_REL_CO];
    size_t first = 0, count = chain->count;
    for (size_t i = 0; i < chain->count; i++) {
        bool before = relation_has(must, chain->writes[i], chain->writes[section]);
        bool after = relation_has(must, chain->writes[section], chain->writes[i]);
        first += before;
        count -= (size_t)before + after;
    }
    if (count > VALUE_CASES_MAX)
        return (struct domain){0};
    return (struct domain){.count = (unsigned)count, .values = chain->values + first};
}

static void add_chain(struct encoder *encoder, const struct chain *chain) {
    struct turns *turns = encoder->turns;
    turns->has_cell[chain->cell] = true;
    turns->starts[chain->cell] = chain->start;
    for (size_t i = 0; i < chain->count; i++) {
        unsigned read = chain->reads[i]->id, write = chain->writes[i];
        turns->cell_of[read] = turns->cell_of[write] = chain->cell + 1;
        turns->write_of[read] = turns->write_of[write] = write;
        turns->domains[read] = domain_of(encoder, chain, i);
    }
    size_t nodes = encoder->model->node_count;
    turns->closures[chain->cell] = ARENA_ARRAY(encoder->arena, signed char, 2 * nodes);
    memset(turns->closures[chain->cell], -1, 2 * nodes);
}

void turns_find(struct encoder *encoder, unsigned least) {
    size_t cells = encoder->program->memory.cell_count;
    struct turns *turns = encoder->turns = ARENA_NEW(encoder->arena, struct turns);
    turns->has_cell = ARENA_ARRAY(encoder->arena, bool, cells);
    turns->starts = ARENA_ARRAY(encoder->arena, const struct event *, cells);
    turns->closures = ARENA_ARRAY(encoder->arena, signed char *, cells);
    turns->cell_of = ARENA_ARRAY(encoder->arena, unsigned, encoder->n);
    turns->write_of = ARENA_ARRAY(encoder->arena, unsigned, encoder->n);
    turns->domains = ARENA_ARRAY(encoder->arena, struct domain, encoder->n);
    turns->by_place = ARENA_ARRAY(encoder->arena, bool, encoder->n);
    struct chain chain = {.kind = CHAIN_ATOMICS, .cell_count = 1};
    chain.reads = ARENA_ARRAY(encoder->arena, const struct event *, encoder->n);
    chain.writes = ARENA_ARRAY(encoder->arena, unsigned, encoder->n);
    for (; chain.cell < encoder->program->memory.cell_count; chain.cell++) {
        chain.count = 0;
        if (!find_operations(encoder, &chain) ||
            chain.count < (least != 0 ? least : (unsigned)TURNS_MIN))
            continue;
        chain.memo = chains_case_memo(encoder, 0);
        if (!chains_take_turns(&chain))
            continue;
        chains_values(encoder, &chain);
        add_chain(encoder, &chain);
    }
}

// --- What is asserted --------------------------------------------------------------------------

// A cell's operations, by their writes; the immediate neighbours among those that are ordered for
// sure.
struct turn_line {
    struct relation next; // a write, and one that comes after it for sure, with none in between
    unsigned *writes;
    size_t count;
};

static struct turn_line line_new(struct encoder *encoder, struct arena *arena, unsigned cell) {
    const struct relation *must = &encoder->facts->must[BASE_REL_CO];
    struct turn_line line = {relation_new(arena, encoder->n),
                             ARENA_ARRAY(arena, unsigned, encoder->n), 0};
    for (unsigned w = 0; w < encoder->n; w++)
        if (encoder->turns->cell_of[w] == cell + 1 && !turns_is_read(encoder, w))
            line.writes[line.count++] = w;
    for (size_t a = 0; a < line.count; a++)
        for (size_t b = 0; b < line.count; b++) {
            bool is_next = relation_has(must, line.writes[a], line.writes[b]);
            for (size_t c = 0; c < line.count && is_next; c++)
                is_next = !relation_has(must, line.writes[a], line.writes[c]) ||
                          !relation_has(must, line.writes[c], line.writes[b]);
            if (is_next)
                relation_add(&line.next, line.writes[a], line.writes[b]);
        }
    return line;
}

// An operation reads from a write before its own, and no other one comes between the two. Of those
// that are ordered with one of the two for sure, its neighbours are enough; where the two are
// ordered themselves, or one is the initial write, all are looked at.
static void assert_source(struct encoder *encoder, const struct turn_line *line, unsigned read,
                          const struct origin *origin) {
    unsigned source = origin->write, write = turns_write(encoder, read);
    bool is_start = !turns_share(encoder, source, read);
    if (!is_start)
        clause2(encoder, -origin->taken, orders_turn(encoder, source, read));
    bool all = is_start || relation_has(&encoder->facts->must[BASE_REL_CO], source, write);
    for (size_t i = 0; i < line->count; i++) {
        unsigned other = line->writes[i];
        if (other == source || other == write)
            continue;
        if (all || relation_has(&line->next, source, other) ||
            relation_has(&line->next, other, write))
            clause3(encoder, -origin->taken,
                    is_start ? LITERAL_FALSE : encode_co(encoder, other, source),
                    encode_co(encoder, write, other));
    }
}

static void assert_follows(struct encoder *encoder, unsigned cell) {
    struct arena *arena = arena_new();
    struct turn_line line = line_new(encoder, arena, cell);
    for (unsigned e = 0; e < encoder->n && !backend_failed(encoder->backend); e++)
        if (encoder->turns->cell_of[e] == cell + 1 && turns_is_read(encoder, e)) {
            const struct origins *origins = &encoder->events[e].reads[0];
            for (size_t i = 0; i < origins->count; i++)
                assert_source(encoder, &line, e, &origins->items[i]);
        }
    arena_free(arena);
}

// No two read from one write.
static void assert_differ(struct encoder *encoder, unsigned cell) {
    literal *taken = allocate(encoder->n, sizeof *taken);
    for (unsigned w = 0; w < encoder->n; w++) {
        size_t count = 0;
        for (unsigned r = 0; r < encoder->n; r++) {
            literal l = encoder->turns->cell_of[r] == cell + 1 && turns_is_read(encoder, r)
                            ? encode_source(encoder, r, cell, w)
                            : LITERAL_FALSE;
            if (l != LITERAL_FALSE)
                taken[count++] = l;
        }
        if (count > 1)
            exactly_one_if(encoder, LITERAL_FALSE, taken, count);
    }
    free(taken);
}

void turns_constrain(struct encoder *encoder) {
    for (unsigned cell = 0; cell < encoder->program->memory.cell_count; cell++)
        if (encoder->turns->has_cell[cell]) {
            assert_follows(encoder, cell);
            assert_differ(encoder, cell);
        }
}

// --- Cycles ------------------------------------------------------------------------------------

// Whether an edge leads from an operation to a later one, or from its read to its write.
static bool is_forward(struct encoder *encoder, unsigned a, unsigned b, literal edge) {
    if (!turns_share(encoder, a, b))
        return false;
    unsigned x = turns_write(encoder, a), y = turns_write(encoder, b);
    unsigned cell = encoder->turns->cell_of[a] - 1;
    if (x == y)
        return turns_is_read(encoder, a) && !turns_is_read(encoder, b);
    if (edge == LITERAL_TRUE)
        return relation_has(&encoder->facts->must[BASE_REL_CO], x, y);
    return edge == encode_co(encoder, x, y) ||
           (!turns_is_read(encoder, a) && turns_is_read(encoder, b) &&
            edge == encode_source(encoder, b, cell, a));
}

bool turns_order(struct encoder *encoder, const unsigned *events, size_t count,
                 const literal *edges) {
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < count; b++)
            if (edges[a * count + b] != 0 &&
                !is_forward(encoder, events[a], events[b], edges[a * count + b]))
                return false;
    return true;
}
