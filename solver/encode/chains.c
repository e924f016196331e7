// Chains of sections: proves them, and asserts what follows.
//
// The solver is asked, within a number of conflicts, whether the sections can fail to be a chain;
// only when it proves that they cannot, whatever the model is, clauses are added. They are
// consequences of what is asserted, so that they change no outcome. What they save is that each
// proof about the n-th section repeats those about all sections before it.

#include "solver/encode/chains.h"
#include "solver/encode/gates.h"
#include "solver/encode/memory.h"
#include "solver/encode/turns.h"
#include "solver/encode/nodes.h"

// Tries, with more and more conflicts for each question about FIRST_PAIRS pairs, and as many more
// for as many more pairs: one chain may depend on another.
static const unsigned conflict_limits[] = {5000, 10000};

// Each question costs the engine time that grows with the problem, whatever is asked: so what
// follows an easy one is about GROWTH times as many pairs.
enum { LINK_CONFLICTS = 3000, FIRST_PAIRS = 15, GROWTH = 8, SHRINKING = 4 };

// --- Proving a chain ---------------------------------------------------------------------------

// Two sections, or a single one.
struct pair {
    size_t first, second;
};

// Two literals that do not both hold in a chain: a section, or two, and the write that it reads
// from.
struct exclusion {
    struct pair pair;
    unsigned source;
    literal a, b;
    bool torn; // a section that takes another cell from the write, and not the first one
};

typedef void visitor(struct encoder *encoder, struct chain *chain, struct disjunction *d,
                     struct exclusion exclusion);

// All pairs have numbers, so that a part of them is an interval.
static size_t pair_count(const struct chain *chain) {
    return chain->count * (chain->count + 1) / 2;
}

static struct pair pair_at(size_t number) {
    struct pair pair = {0, number};
    while (pair.second > pair.first)
        pair.second -= ++pair.first;
    return pair;
}

static const struct origins *origins_of(const struct encoder *encoder, const struct event *read) {
    return &encoder->events[read->id].reads[0];
}

// Of a section: it takes another cell from a write that it does not take the first one from.
static void each_torn(struct encoder *encoder, struct chain *chain, size_t section, visitor *visit,
                      struct disjunction *d) {
    const struct origins *cells = origins_of(encoder, chain->reads[section]);
    for (unsigned i = 1; i < chain->cell_count; i++)
        for (size_t a = 0; a < cells[i].count; a++) {
            unsigned source = cells[i].items[a].write;
            literal first = encode_source(encoder, chain->reads[section]->id, chain->cell, source);
            visit(encoder, chain, d,
                  (struct exclusion){
                      {section, section}, source, cells[i].items[a].taken, -first, true});
        }
}

// Of two sections: they read from one write. Of one: it reads from a write that is not co-before
// its own, or from two.
static void each_exclusion(struct encoder *encoder, struct chain *chain, struct pair pair,
                           visitor *visit, struct disjunction *d) {
    const struct origins *p = origins_of(encoder, chain->reads[pair.first]);
    const struct origins *q = origins_of(encoder, chain->reads[pair.second]);
    if (pair.first == pair.second)
        each_torn(encoder, chain, pair.first, visit, d);
    for (size_t a = 0; a < p->count; a++) {
        unsigned source = p->items[a].write;
        literal other = LITERAL_FALSE;
        if (pair.first == pair.second)
            other = -encode_co(encoder, source, chain->writes[pair.first]);
        for (size_t b = 0; b < q->count && pair.first != pair.second; b++)
            if (q->items[b].write == source)
                other = q->items[b].taken;
        if (other != LITERAL_FALSE)
            visit(encoder, chain, d,
                  (struct exclusion){pair, source, p->items[a].taken, other, false});
    }
}

// Whether a few cases show it, without the solver. One failure is enough to ask the solver about
// all that is left.
static bool is_shown_by_cases(struct chain *chain, const struct exclusion *exclusion) {
    struct pair pair = exclusion->pair;
    if (chain->memo == NULL)
        return false;
    bool shown = exclusion->torn ? chains_reads_whole(chain, pair.first, exclusion->source)
                 : pair.first == pair.second
                     ? chains_must_follow(chain, pair.first, exclusion->source)
                     : chains_cannot_share(chain, pair.first, pair.second, exclusion->source);
    if (!shown)
        chain->memo = NULL;
    return shown;
}

static void forbid_both(struct encoder *encoder, struct chain *chain, struct disjunction *d,
                        struct exclusion exclusion) {
    (void)chain;
    (void)d;
    clause2(encoder, -exclusion.a, -exclusion.b);
}

static void add_both(struct encoder *encoder, struct chain *chain, struct disjunction *d,
                     struct exclusion exclusion) {
    if (is_shown_by_cases(chain, &exclusion))
        forbid_both(encoder, chain, d, exclusion);
    else
        disjunction_add2(d, exclusion.a, exclusion.b);
}

// Closes a disjunction, and asks whether it can hold.
static enum answer ask(struct encoder *encoder, struct disjunction *d, const struct chain *chain,
                       unsigned conflicts) {
    literal broken = disjunction_close(encoder, d, UNDER, "broken", chain->cell, 0);
    encode_finish(encoder);
    return broken == LITERAL_FALSE ? ANSWER_UNSAT
                                   : backend_check_briefly(encoder->backend, &broken, 1, conflicts);
}

// Different values come from different writes.
static bool is_plain(const struct chain *chain, struct pair pair) {
    return chain->differ && pair.first != pair.second;
}

// Tries to exclude the next pairs of the chain, `size` of them.
static enum answer exclude(struct encoder *encoder, struct chain *chain, size_t size,
                           unsigned conflicts) {
    struct disjunction d = {0};
    for (size_t i = 0; i < size; i++)
        if (!is_plain(chain, pair_at(chain->excluded + i)))
            each_exclusion(encoder, chain, pair_at(chain->excluded + i), add_both, &d);
    unsigned limit = conflicts * (unsigned)(1 + size / FIRST_PAIRS);
    enum answer answer = ask(encoder, &d, chain, limit);
    for (size_t i = 0; i < size && answer == ANSWER_UNSAT; i++)
        each_exclusion(encoder, chain, pair_at(chain->excluded + i), forbid_both, NULL);
    return answer;
}

// Tries to prove a chain: some pairs at a time, more where that was easy and fewer where it was too
// much.
static void prove(struct encoder *encoder, struct chain *chain, unsigned conflicts) {
    size_t all = pair_count(chain), size = FIRST_PAIRS;
    while (chain->excluded < all && size > 0 && !backend_failed(encoder->backend)) {
        size = size < all - chain->excluded ? size : all - chain->excluded;
        enum answer answer = exclude(encoder, chain, size, conflicts);
        switch (answer) {
        case ANSWER_SAT: chain->state = CHAIN_BROKEN; return;
        case ANSWER_UNSAT:
            chain->excluded += size;
            size *= GROWTH;
            break;
        case ANSWER_UNKNOWN: size /= SHRINKING; break;
        }
    }
    if (chain->excluded == all)
        chain->state = CHAIN_PROVEN;
}

// --- Order and links ---------------------------------------------------------------------------

static void assert_order(struct encoder *encoder, const struct chain *chain) {
    if (encoder->turns->has_cell[chain->cell])
        return;
    for (size_t i = 0; i < chain->count; i++)
        for (size_t k = 0; k < i; k++)
            clause2(encoder, encode_co(encoder, chain->writes[i], chain->writes[k]),
                    encode_co(encoder, chain->writes[k], chain->writes[i]));
}

// Whether the sections are in a transitive relation: each read with its write, and the write, as
// the solver proves, with the read that takes it. It is not asked where no such pair can be in the
// relation.
static bool is_linked(struct encoder *encoder, const struct chain *chain, unsigned node) {
    struct disjunction d = {0};
    for (size_t i = 0; i < chain->count; i++)
        if (!relation_has(&encoder->bounds->nodes[node].must, chain->reads[i]->id,
                          chain->writes[i]))
            return false;
    for (size_t i = 0; i < chain->count; i++) {
        unsigned read = chain->reads[i]->id;
        const struct origins *origins = origins_of(encoder, chain->reads[i]);
        for (size_t a = 0; a < origins->count; a++) {
            unsigned source = origins->items[a].write;
            const struct event *write = &encoder->program->events[source];
            if (write->kind == EVENT_INIT || write == chain->start)
                continue;
            if (!relation_has(&encoder->bounds->nodes[node].may, source, read)) {
                disjunction_drop(&d);
                return false;
            }
            disjunction_add2(&d, origins->items[a].taken,
                             -node_pair(encoder, node, source, read, OVER));
        }
    }
    return ask(encoder, &d, chain, LINK_CONFLICTS) == ANSWER_UNSAT;
}

// Whether an event is certain to be before a section's write, and not already before the write of
// an earlier section; whether it is after its read, and not yet after that of a later one.
static bool is_before_end(const struct chain *chain, const struct bound *bound, unsigned event,
                          size_t section) {
    for (size_t i = 0; i < chain->count; i++)
        if (i != section && chains_is_before(bound, event, chain->writes[i]) &&
            relation_has(&bound->must, chain->writes[i], chain->writes[section]))
            return false;
    return chains_is_before(bound, event, chain->writes[section]);
}

static bool is_after_begin(const struct chain *chain, const struct bound *bound, unsigned event,
                           size_t section) {
    for (size_t i = 0; i < chain->count; i++)
        if (i != section && chains_is_before(bound, chain->reads[i]->id, event) &&
            relation_has(&bound->must, chain->reads[section]->id, chain->reads[i]->id))
            return false;
    return chains_is_before(bound, chain->reads[section]->id, event);
}

// Then a section is in the relation with all later ones, and so is what is before the end of the
// one with what is after the beginning of the other. Every solution has to have that: the pairs
// that a OVER literal must hold for are at least those of the relation.
static void assert_link(struct encoder *encoder, const struct chain *chain, size_t first,
                        size_t second, unsigned node) {
    const struct bound *bound = &encoder->bounds->nodes[node];
    literal before = encode_co(encoder, chain->writes[first], chain->writes[second]);
    for (unsigned a = 0; a < encoder->n; a++)
        for (unsigned b = 0; b < encoder->n && is_before_end(chain, bound, a, first); b++)
            if (is_after_begin(chain, bound, b, second))
                clause4(encoder, -before, -encode_executes(encoder, a),
                        -encode_executes(encoder, b), node_pair(encoder, node, a, b, OVER));
}

static void assert_links(struct encoder *encoder, const struct chain *chain, unsigned node) {
    for (size_t i = 0; i < chain->count; i++)
        for (size_t k = 0; k < chain->count; k++)
            if (i != k)
                assert_link(encoder, chain, i, k, node);
}

static void assert_chain(struct encoder *encoder, struct chain *chain) {
    assert_order(encoder, chain);
    chains_count(encoder, chain);
    chain->linked = ARENA_ARRAY(encoder->arena, unsigned, encoder->model->node_count);
    for (unsigned node = 0; node < encoder->model->node_count; node++)
        if (encoder->model->nodes[node].op == NODE_PLUS && encoder->nodes[0][node] != NULL &&
            is_linked(encoder, chain, node)) {
            assert_links(encoder, chain, node);
            chain->linked[chain->linked_count++] = node;
        }
}

// --- All ---------------------------------------------------------------------------------------

// Reads that return what the reads of a counter do return different values.
static bool differs(const struct encoder *encoder, const struct chains *chains,
                    const struct chain *chain) {
    for (size_t i = 0; i < chains->count; i++) {
        const struct chain *other = &chains->items[i];
        if (other->state == CHAIN_PROVEN && other->kind != CHAIN_LOCK &&
            chains_agree(encoder, chains, chain, other))
            return true;
    }
    return false;
}

// The easiest first: what a lock protects takes very long to prove before the lock is proven.
enum { EASIEST, WITH_TICKETS, HARDEST, EFFORTS };

static int effort(const struct chain *chain) {
    if (chain->kind != CHAIN_COUNTER)
        return EASIEST;
    return chain->differ ? WITH_TICKETS : HARDEST;
}

// Whether its operations are found to take turns, so that there is nothing to prove.
static bool takes_turns(const struct encoder *encoder, const struct chain *chain) {
    return chain->kind == CHAIN_ATOMICS && chain->cell_count == 1 &&
           encoder->turns->has_cell[chain->cell];
}

// Tries the open chains that take this effort; returns how many it has proven.
static size_t prove_open(struct encoder *encoder, struct chains *chains, int of_effort,
                         unsigned conflicts) {
    size_t proven = 0;
    for (size_t i = 0; i < chains->count && !backend_failed(encoder->backend); i++) {
        struct chain *chain = &chains->items[i];
        chain->differ = differs(encoder, chains, chain);
        if (chain->state != CHAIN_OPEN || effort(chain) != of_effort)
            continue;
        chain->guard = chains_guard(encoder, chains, chain);
        bool turns = chain->kind == CHAIN_ATOMICS && chain->cell_count == 1;
        bool by_cases = turns || chain->guard.lock != NULL;
        chain->memo = by_cases ? chains_case_memo(encoder, chain->count) : NULL;
        if (takes_turns(encoder, chain))
            chain->state = CHAIN_PROVEN;
        else
            prove(encoder, chain, conflicts);
        if (chain->state == CHAIN_PROVEN) {
            assert_chain(encoder, chain);
            proven++;
        }
    }
    return proven;
}

void encode_counters(struct encoder *encoder, unsigned least) {
    struct chains *chains = chains_find(encoder, least);
    for (size_t i = 0; i < chains->count && !backend_failed(encoder->backend); i++) {
        struct chain *chain = &chains->items[i];
        if (takes_turns(encoder, chain)) {
            chain->state = CHAIN_PROVEN;
            assert_chain(encoder, chain);
        }
    }
}

size_t encode_chains(struct encoder *encoder, unsigned least) {
    struct chains *chains = chains_find(encoder, least);
    size_t proven = 0, tries = 0;
    while (tries < sizeof conflict_limits / sizeof *conflict_limits &&
           !backend_failed(encoder->backend)) {
        size_t more = 0;
        for (int of_effort = EASIEST; of_effort < EFFORTS; of_effort++)
            more += prove_open(encoder, chains, of_effort, conflict_limits[tries]);
        proven += more;
        tries += more == 0; // a chain may be easy once another one is known
    }
    return proven;
}
