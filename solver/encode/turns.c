// Cells that only atomic operations write, one after the other.
//
// Where the axioms say of any two of the operations that co orders their writes, and of each that
// its write comes right after the one that it reads from, they make up a chain from the initial
// write on: co is a total order, each operation reads from its immediate predecessor, and no two
// from one write. That is found before the axioms are encoded (chains_take_turns), and asserted in
// n * n clauses. What else the model says of such operations then follows from co alone: fr from an
// operation to the write of another is co between the writes, and so is every path of rf from
// operation to operation. These literals are used in place of what would define them, which takes
// n * n * n clauses and more.

#include "solver/encode/chains.h"

#include "litmus/source/allocate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS_MIN = 4 }; // for fewer operations there is little to save

// Two writes of one cell in co.
struct co_pair {
    unsigned a, b;
};

struct turns {
    struct chain *cells;
    size_t count;
    unsigned *cell_of;     // by event: 1 more than the index of its cell in `cells`, 0 without one
    unsigned *section;     // by event of such a cell
    struct co_pair *pairs; // by variable, from `first_variable` on
    literal first_variable;
    size_t pair_count;
    signed char **closures; // by cell, node and polarity: whether follows_rf; -1 not known yet
};

// --- Finding them ------------------------------------------------------------------------------

static bool is_always_at(const struct encoder *encoder, unsigned event, unsigned cell) {
    const struct event *e = &encoder->program->events[event];
    return e->candidate_count == 1 && e->candidates[0].first_cell == cell &&
           e->candidates[0].cell_count == 1 && event_set_has(&encoder->facts->always, event);
}

// Takes the operations of a cell. False when something else may write there.
static bool find_operations(const struct encoder *encoder, struct chain *chain) {
    for (unsigned e = 0; e < encoder->n; e++) {
        const struct event *event = &encoder->program->events[e];
        if (event->kind != EVENT_WRITE || !memory_may_touch(encoder, e, chain->cell))
            continue;
        if (event->access->rmw < 0 || !is_always_at(encoder, e, chain->cell) ||
            !is_always_at(encoder, (unsigned)event->access->rmw, chain->cell))
            return false;
        chain->reads[chain->count] = &encoder->program->events[event->access->rmw];
        chain->writes[chain->count++] = e;
    }
    return true;
}

static void add_cell(struct encoder *encoder, struct turns *turns) {
    const struct chain *chain = &turns->cells[turns->count++];
    for (size_t i = 0; i < chain->count; i++) {
        unsigned read = chain->reads[i]->id, write = chain->writes[i];
        turns->cell_of[read] = turns->cell_of[write] = (unsigned)turns->count;
        turns->section[read] = turns->section[write] = (unsigned)i;
    }
    size_t nodes = encoder->model->node_count;
    turns->closures[turns->count - 1] = ARENA_ARRAY(encoder->arena, signed char, 2 * nodes);
    memset(turns->closures[turns->count - 1], -1, 2 * nodes);
}

void turns_find(struct encoder *encoder, unsigned least) {
    size_t cells = encoder->program->cell_count;
    struct turns *turns = encoder->turns = ARENA_NEW(encoder->arena, struct turns);
    turns->cells = ARENA_ARRAY(encoder->arena, struct chain, cells);
    turns->closures = ARENA_ARRAY(encoder->arena, signed char *, cells);
    turns->cell_of = ARENA_ARRAY(encoder->arena, unsigned, encoder->n);
    turns->section = ARENA_ARRAY(encoder->arena, unsigned, encoder->n);
    for (unsigned cell = 0; cell < encoder->program->cell_count; cell++) {
        struct chain *chain = &turns->cells[turns->count];
        *chain = (struct chain){.kind = CHAIN_ATOMICS, .cell = cell};
        chain->reads = ARENA_ARRAY(encoder->arena, const struct event *, encoder->n);
        chain->writes = ARENA_ARRAY(encoder->arena, unsigned, encoder->n);
        if (find_operations(encoder, chain) &&
            chain->count >= (least != 0 ? least : (unsigned)TURNS_MIN) &&
            chains_take_turns(encoder, chains_case_memo(encoder), chain)) {
            chains_values(encoder, chain);
            add_cell(encoder, turns);
        }
    }
}

// --- Values ------------------------------------------------------------------------------------

// How many sections are before this one for sure, or after it.
static size_t count_before(const struct encoder *encoder, const struct chain *chain,
                           size_t section) {
    size_t count = 0;
    for (size_t i = 0; i < chain->count; i++)
        count += relation_has(&encoder->facts->must[BASE_REL_CO], chain->writes[i],
                              chain->writes[section]);
    return count;
}

static size_t count_after(const struct encoder *encoder, const struct chain *chain,
                          size_t section) {
    size_t count = 0;
    for (size_t i = 0; i < chain->count; i++)
        count += relation_has(&encoder->facts->must[BASE_REL_CO], chain->writes[section],
                              chain->writes[i]);
    return count;
}

struct domain turns_domain(const struct encoder *encoder, unsigned read) {
    const struct turns *turns = encoder->turns;
    if (turns->cell_of[read] == 0)
        return (struct domain){0};
    const struct chain *chain = &turns->cells[turns->cell_of[read] - 1];
    size_t section = turns->section[read];
    if (chain->values == NULL)
        return (struct domain){0};
    size_t first = count_before(encoder, chain, section);
    size_t count = chain->count - first - count_after(encoder, chain, section);
    if (count > VALUE_CASES_MAX)
        return (struct domain){0};
    return (struct domain){.count = (unsigned)count, .values = chain->values + first};
}

// --- co ----------------------------------------------------------------------------------------

bool turns_share(const struct encoder *encoder, unsigned a, unsigned b) {
    assert(a < encoder->n);
    assert(b < encoder->n);
    const unsigned *cell_of = encoder->turns->cell_of;
    return cell_of[a] != 0 && cell_of[a] == cell_of[b];
}

bool turns_has_cell(const struct encoder *encoder, unsigned cell) {
    for (size_t i = 0; i < encoder->turns->count; i++)
        if (encoder->turns->cells[i].cell == cell)
            return true;
    return false;
}

literal turns_co_variable(struct encoder *encoder, unsigned a, unsigned b) {
    struct turns *turns = encoder->turns;
    literal variable = backend_variable(encoder->backend, "co", a, b);
    if (backend_failed(encoder->backend))
        return variable;
    if (turns->pair_count == 0)
        turns->first_variable = variable;
    size_t at = (size_t)(variable - turns->first_variable), size = sizeof *turns->pairs;
    if (at >= turns->pair_count) {
        size_t count = at * 2 + 64;
        struct co_pair *pairs = ARENA_ARRAY(encoder->arena, struct co_pair, count);
        if (turns->pair_count != 0)
            memcpy(pairs, turns->pairs, turns->pair_count * size);
        turns->pairs = pairs;
        turns->pair_count = count;
    }
    turns->pairs[at] = (struct co_pair){a, b};
    return variable;
}

// Whether a literal says that one write of such a cell is co-before another.
static bool is_co(const struct encoder *encoder, literal l, struct co_pair *pair) {
    const struct turns *turns = encoder->turns;
    literal variable = l < 0 ? -l : l;
    if (turns->pair_count == 0 || variable < turns->first_variable ||
        (size_t)(variable - turns->first_variable) >= turns->pair_count)
        return false;
    const struct co_pair *found = &turns->pairs[variable - turns->first_variable];
    *pair = l < 0 ? (struct co_pair){found->b, found->a} : *found;
    return found->a != found->b; // the variables in between are of something else
}

// The write of an event's operation.
static unsigned write_of(const struct encoder *encoder, unsigned event) {
    const struct turns *turns = encoder->turns;
    return turns->cells[turns->cell_of[event] - 1].writes[turns->section[event]];
}

static bool is_read(const struct encoder *encoder, unsigned event) {
    return encoder->program->events[event].kind == EVENT_READ;
}

// Whether the operation of a is before that of b.
static literal before(struct encoder *encoder, unsigned a, unsigned b) {
    unsigned x = write_of(encoder, a), y = write_of(encoder, b);
    return x == y ? LITERAL_FALSE : encode_co(encoder, x, y);
}

literal turns_fr(struct encoder *encoder, unsigned read, unsigned write) {
    if (!turns_share(encoder, read, write))
        return 0;
    return write_of(encoder, read) == write ? LITERAL_TRUE : before(encoder, read, write);
}

// --- What is asserted --------------------------------------------------------------------------

static const struct origins *origins_of(const struct encoder *encoder, unsigned read) {
    return &encoder->events[read].reads[0];
}

// Each operation reads from a write before its own.
static void assert_follows(struct encoder *encoder, unsigned read) {
    const struct origins *origins = origins_of(encoder, read);
    for (size_t i = 0; i < origins->count; i++)
        if (turns_share(encoder, origins->items[i].write, read))
            clause2(encoder, -origins->items[i].taken,
                    before(encoder, origins->items[i].write, read));
}

// No two read from one write.
static void assert_differ(struct encoder *encoder, const struct chain *chain) {
    literal *taken = allocate(chain->count, sizeof *taken);
    for (unsigned w = 0; w < encoder->n; w++) {
        size_t count = 0;
        for (size_t i = 0; i < chain->count; i++) {
            literal l = encode_source(encoder, chain->reads[i]->id, chain->cell, w);
            if (l != LITERAL_FALSE)
                taken[count++] = l;
        }
        if (count > 1)
            exactly_one_if(encoder, LITERAL_FALSE, taken, count);
    }
    free(taken);
}

void turns_constrain(struct encoder *encoder) {
    const struct turns *turns = encoder->turns;
    for (size_t i = 0; i < turns->count && !backend_failed(encoder->backend); i++) {
        for (size_t k = 0; k < turns->cells[i].count; k++)
            assert_follows(encoder, turns->cells[i].reads[k]->id);
        assert_differ(encoder, &turns->cells[i]);
    }
}

// --- Paths -------------------------------------------------------------------------------------

// Whether r leads from one operation's read to another's where this takes what the first one has
// written, and nowhere else; and to the reads from nowhere else.
static bool follows_rf(struct encoder *encoder, const struct chain *chain, unsigned node,
                       enum polarity polarity) {
    const struct relation *may = &encoder->bounds->nodes[node].may;
    for (size_t k = 0; k < chain->count; k++) {
        unsigned read = chain->reads[k]->id;
        for (unsigned x = 0; x < encoder->n; x++)
            if (relation_has(may, x, read) &&
                (!turns_share(encoder, x, read) || !is_read(encoder, x)))
                return false;
    }
    for (size_t i = 0; i < chain->count; i++)
        for (size_t k = 0; k < chain->count; k++)
            if (i != k &&
                node_pair(encoder, node, chain->reads[i]->id, chain->reads[k]->id, polarity) !=
                    encode_source(encoder, chain->reads[k]->id, chain->cell, chain->writes[i]))
                return false;
    return true;
}

literal turns_path(struct encoder *encoder, unsigned closure, unsigned a, unsigned b,
                   enum polarity polarity) {
    if (a == b || !turns_share(encoder, a, b) || !is_read(encoder, a) || !is_read(encoder, b))
        return 0;
    struct turns *turns = encoder->turns;
    unsigned cell = turns->cell_of[a] - 1, step = encoder->model->nodes[closure].left;
    signed char *known = &turns->closures[cell][2 * closure + (polarity != OVER)];
    if (encoder->bounds->nodes[closure].group != 0)
        return 0;
    if (*known < 0) {
        *known = 0;
        *known = follows_rf(encoder, &turns->cells[cell], step, polarity);
    }
    return *known != 0 ? before(encoder, a, b) : 0;
}

// Whether the step from the write a to an operation's read is rf, and the rest of the way to the
// read b is from operation to operation.
static bool is_way(struct encoder *encoder, const struct model_node *sequence, unsigned a,
                   unsigned middle, unsigned b, enum polarity polarity) {
    unsigned cell = encoder->turns->cells[encoder->turns->cell_of[a] - 1].cell;
    return turns_share(encoder, middle, a) && is_read(encoder, middle) &&
           node_pair(encoder, sequence->left, a, middle, polarity) ==
               encode_source(encoder, middle, cell, a) &&
           node_pair(encoder, sequence->right, middle, b, polarity) ==
               (middle == b ? LITERAL_TRUE : before(encoder, middle, b));
}

literal turns_sequence(struct encoder *encoder, unsigned node, unsigned a, unsigned b,
                       enum polarity polarity) {
    const struct model_node *sequence = &encoder->model->nodes[node];
    const struct bound *nodes = encoder->bounds->nodes;
    if (nodes[node].group != 0 || !turns_share(encoder, a, b) || is_read(encoder, a) ||
        !is_read(encoder, b) || write_of(encoder, b) == a)
        return 0;
    const struct chain *chain = &encoder->turns->cells[encoder->turns->cell_of[a] - 1];
    for (unsigned c = 0; c < encoder->n; c++)
        if (relation_has(&nodes[sequence->left].may, a, c) &&
            relation_has(&nodes[sequence->right].may, c, b) &&
            !is_way(encoder, sequence, a, c, b, polarity))
            return 0;
    for (size_t i = 0; i < chain->count; i++) { // no way is missing
        unsigned c = chain->reads[i]->id;
        bool there = relation_has(&nodes[sequence->left].may, a, c) &&
                     relation_has(&nodes[sequence->right].may, c, b);
        if (!there && encode_source(encoder, c, chain->cell, a) != LITERAL_FALSE &&
            (c == b || before(encoder, c, b) != LITERAL_FALSE))
            return 0;
    }
    return before(encoder, a, b);
}

// --- What follows from co ----------------------------------------------------------------------

// Whether the one pair is in co only if the other is.
static bool pair_implies(const struct encoder *encoder, struct co_pair p, struct co_pair q) {
    const struct relation *must = &encoder->facts->must[BASE_REL_CO];
    return (p.a == q.a || relation_has(must, q.a, p.a)) &&
           (p.b == q.b || relation_has(must, p.b, q.b));
}

void turns_shorten(struct encoder *encoder, struct disjunction *d) {
    if (encoder->turns->pair_count == 0 || d->holds || d->count < 2)
        return;
    struct co_pair *pairs = allocate(d->count, sizeof *pairs);
    bool *is_pair = allocate(d->count, sizeof *is_pair);
    for (size_t i = 0; i < d->count; i++) {
        size_t start = i == 0 ? 0 : d->ends[i - 1];
        is_pair[i] = d->ends[i] == start + 1 && is_co(encoder, d->literals[start], &pairs[i]);
    }
    size_t kept = 0, literals = 0, start = 0;
    for (size_t i = 0; i < d->count; i++) {
        size_t end = d->ends[i];
        bool dropped = false;
        for (size_t k = 0; is_pair[i] && k < d->count && !dropped; k++)
            dropped = k != i && is_pair[k] && pair_implies(encoder, pairs[i], pairs[k]);
        is_pair[i] = is_pair[i] && !dropped; // nothing else is dropped for what is dropped itself
        for (size_t k = start; k < end && !dropped; k++)
            d->literals[literals++] = d->literals[k];
        if (!dropped)
            d->ends[kept++] = literals;
        start = end;
    }
    d->count = kept;
    d->literal_count = literals;
    free(pairs);
    free(is_pair);
}

// Whether an edge leads from an operation to a later one, or from its read to its write.
static bool is_forward(struct encoder *encoder, unsigned a, unsigned b, literal edge) {
    if (!turns_share(encoder, a, b))
        return false;
    unsigned x = write_of(encoder, a), y = write_of(encoder, b);
    unsigned cell = encoder->turns->cells[encoder->turns->cell_of[a] - 1].cell;
    if (x == y)
        return is_read(encoder, a) && !is_read(encoder, b);
    if (edge == LITERAL_TRUE)
        return relation_has(&encoder->facts->must[BASE_REL_CO], x, y);
    return edge == encode_co(encoder, x, y) || (!is_read(encoder, a) && is_read(encoder, b) &&
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
