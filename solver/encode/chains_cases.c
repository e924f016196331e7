// What the axioms say of two sections at once, found without a search.
//
// That two atomic operations do not read from one write takes a few cases: the one write is before
// the other in co, or after it, or neither. In each of them some axiom is broken by the events of
// the two sections alone, whatever else the execution does. Where that is so for all cases, no
// solver has to be asked: of n sections there are n * n * n such questions. Of sections that are in
// those of a lock, the one or the other comes first: these are cases, too.

#include "solver/encode/chains.h"
#include "solver/encode/memory.h"

#include <assert.h>

enum { EVENTS_MAX = 5, FACTS_MAX = 5, ORDERS_MAX = 3 };

// A pair of events in rf or co.
struct known_pair {
    enum base_relation base;
    unsigned a, b;
};

// A case: what is assumed of an execution. Its events execute, and access one cell, or all of them
// the same cells.
struct chain_case {
    const struct encoder *encoder;
    const struct chain *chain;
    struct case_memo *memo; // of the chain
    unsigned events[EVENTS_MAX];
    size_t event_count;
    struct known_pair holds[FACTS_MAX];
    size_t hold_count;
    const struct known_pair *unordered; // two writes that co does not order, or NULL
    struct lock_order {                 // of the lock, the one section is before the other
        size_t first, second;
    } orders[ORDERS_MAX];
    size_t order_count;
};

// What has been found of a node and two of the case's events; the numbers of cases tell whether the
// entries are of this case.
struct case_memo {
    const struct encoder *encoder;
    unsigned number;
    unsigned *known, *holds; // by node and pair of events
    size_t hint;             // the axiom that was broken last
    unsigned char
        *whole; // by section and source: 1 if it reads nothing else (chains_reads_whole), 2 if not
};

static bool surely(const struct chain_case *c, unsigned node, size_t a, size_t b);

// --- Base relations ----------------------------------------------------------------------------

static bool is_assumed(const struct chain_case *c, enum base_relation base, unsigned a,
                       unsigned b) {
    for (size_t i = 0; i < c->hold_count; i++)
        if (c->holds[i].base == base && c->holds[i].a == a && c->holds[i].b == b)
            return true;
    return false;
}

static bool is_in_co(const struct chain_case *c, unsigned a, unsigned b) {
    return relation_has(&c->encoder->facts->must[BASE_REL_CO], a, b) ||
           is_assumed(c, BASE_REL_CO, a, b);
}

// co has no cycles.
static bool is_not_in_co(const struct chain_case *c, unsigned a, unsigned b) {
    const struct known_pair *unordered = c->unordered;
    return is_in_co(c, b, a) || (unordered != NULL && ((unordered->a == a && unordered->b == b) ||
                                                       (unordered->a == b && unordered->b == a)));
}

// A read that takes some cell from a write is in fr with what is co-after that, since all of the
// case's events access the same cells.
static bool is_in_fr(const struct chain_case *c, unsigned read, unsigned write) {
    if (is_assumed(c, BASE_REL_FR, read, write))
        return true;
    for (size_t i = 0; i < c->hold_count; i++)
        if (c->holds[i].base == BASE_REL_RF && c->holds[i].b == read &&
            is_in_co(c, c->holds[i].a, write))
            return true;
    return false;
}

static bool is_base(const struct chain_case *c, unsigned base, unsigned a, unsigned b) {
    switch (base) {
    case BASE_REL_RF: return is_assumed(c, BASE_REL_RF, a, b);
    case BASE_REL_CO: return is_in_co(c, a, b);
    case BASE_REL_FR: return is_in_fr(c, a, b);
    default: return false;
    }
}

// --- Nodes -------------------------------------------------------------------------------------

// Whether the pair may be in the node in some execution of the case.
static bool possibly(const struct chain_case *c, unsigned node, size_t a, size_t b) {
    const struct model_node *n = &c->encoder->model->nodes[node];
    unsigned x = c->events[a], y = c->events[b];
    if (!relation_has(&c->encoder->bounds->nodes[node].may, x, y))
        return false;
    switch (n->op) {
    case NODE_UNION: return possibly(c, n->left, a, b) || possibly(c, n->right, a, b);
    case NODE_INTERSECTION: return possibly(c, n->left, a, b) && possibly(c, n->right, a, b);
    case NODE_INVERSE: return possibly(c, n->left, b, a);
    case NODE_BASE_RELATION: return n->base != BASE_REL_CO || !is_not_in_co(c, x, y);
    default: return true;
    }
}

// Whether two events are in a transitive relation by the order of the lock's sections.
static bool is_over_lock(const struct chain_case *c, unsigned node, unsigned a, unsigned b) {
    for (size_t i = 0; i < c->order_count; i++)
        if (chains_is_linked(c->encoder, c->chain->guard.lock, node, c->orders[i].first,
                             c->orders[i].second, a, b))
            return true;
    return false;
}

static bool is_sequence(const struct chain_case *c, const struct model_node *n, size_t a,
                        size_t b) {
    for (size_t middle = 0; middle < c->event_count; middle++)
        if (surely(c, n->left, a, middle) && surely(c, n->right, middle, b))
            return true;
    return false;
}

// Whether steps of a node lead from one of the events to another one, by way of the others.
static bool is_path(const struct chain_case *c, unsigned node, size_t a, size_t b) {
    bool reached[EVENTS_MAX] = {false};
    size_t stack[EVENTS_MAX], depth = 0;
    for (stack[depth++] = a; depth > 0;) {
        size_t from = stack[--depth];
        for (size_t to = 0; to < c->event_count; to++)
            if (!reached[to] && surely(c, node, from, to)) {
                reached[to] = true;
                stack[depth++] = to;
            }
    }
    return reached[b];
}

static bool find_surely(const struct chain_case *c, unsigned node, size_t a, size_t b) {
    const struct model_node *n = &c->encoder->model->nodes[node];
    const struct bound *bound = &c->encoder->bounds->nodes[node];
    unsigned x = c->events[a], y = c->events[b];
    if (relation_has(&bound->must, x, y) || !relation_has(&bound->may, x, y))
        return relation_has(&bound->must, x, y);
    switch (n->op) {
    case NODE_BASE_RELATION: return is_base(c, n->base, x, y);
    case NODE_UNION: return surely(c, n->left, a, b) || surely(c, n->right, a, b);
    case NODE_INTERSECTION: return surely(c, n->left, a, b) && surely(c, n->right, a, b);
    case NODE_DIFFERENCE: return surely(c, n->left, a, b) && !possibly(c, n->right, a, b);
    case NODE_INVERSE: return surely(c, n->left, b, a);
    case NODE_PLUS: return is_over_lock(c, node, x, y) || is_path(c, n->left, a, b);
    case NODE_OPTION:
    case NODE_STAR: return surely(c, n->left, a, b);
    case NODE_SEQUENCE: return is_sequence(c, n, a, b);
    default: return false;
    }
}

// Whether the pair is in the node in every execution of the case.
static bool surely(const struct chain_case *c, unsigned node, size_t a, size_t b) {
    size_t place = ((size_t)node * EVENTS_MAX + a) * EVENTS_MAX + b;
    if (c->encoder->bounds->nodes[node].group != 0)
        return relation_has(&c->encoder->bounds->nodes[node].must, c->events[a], c->events[b]);
    if (c->memo->known[place] != c->memo->number) {
        c->memo->known[place] = c->memo->number;
        c->memo->holds[place] = find_surely(c, node, a, b);
    }
    return c->memo->holds[place] != 0;
}

// --- Axioms ------------------------------------------------------------------------------------

static bool has_cycle(const struct chain_case *c, unsigned node) {
    bool paths[EVENTS_MAX][EVENTS_MAX] = {{false}};
    for (size_t a = 0; a < c->event_count; a++)
        for (size_t b = 0; b < c->event_count; b++)
            paths[a][b] = surely(c, node, a, b);
    for (size_t k = 0; k < c->event_count; k++)
        for (size_t a = 0; a < c->event_count; a++)
            for (size_t b = 0; b < c->event_count; b++)
                paths[a][b] = paths[a][b] || (paths[a][k] && paths[k][b]);
    for (size_t a = 0; a < c->event_count; a++)
        if (paths[a][a])
            return true;
    return false;
}

static bool is_broken(const struct chain_case *c, const struct model_axiom *axiom) {
    if (axiom->use != AXIOM_REQUIRED || c->encoder->model->nodes[axiom->node].is_set)
        return false;
    if (axiom->kind == AXIOM_ACYCLIC)
        return has_cycle(c, axiom->node);
    for (size_t a = 0; a < c->event_count; a++)
        for (size_t b = 0; b < c->event_count; b++)
            if ((a == b || axiom->kind == AXIOM_EMPTY) && surely(c, axiom->node, a, b))
                return true;
    return false;
}

// --- Excluding a case --------------------------------------------------------------------------

// Whether no execution that the model allows is of this case.
static bool is_excluded(const struct chain_case *c) {
    const struct model *model = c->encoder->model;
    c->memo->number++;
    if (c->memo->hint < model->axiom_count && is_broken(c, &model->axioms[c->memo->hint]))
        return true;
    for (size_t i = 0; i < model->axiom_count; i++)
        if (i != c->memo->hint && is_broken(c, &model->axioms[i])) {
            c->memo->hint = i;
            return true;
        }
    return false;
}

// The same where co orders two writes one way: which is not a case where it cannot.
static bool is_excluded_with(struct chain_case c, unsigned a, unsigned b) {
    assert(c.hold_count < FACTS_MAX);
    if (!relation_has(&c.encoder->facts->may[BASE_REL_CO], a, b))
        return true;
    c.holds[c.hold_count++] = (struct known_pair){BASE_REL_CO, a, b};
    return is_excluded(&c);
}

// The same where co does not order them.
static bool is_excluded_without(struct chain_case c, unsigned a, unsigned b) {
    const struct relation *must = &c.encoder->facts->must[BASE_REL_CO];
    struct known_pair unordered = {BASE_REL_CO, a, b};
    c.unordered = &unordered;
    return relation_has(must, a, b) || relation_has(must, b, a) || is_excluded(&c);
}

// --- Sections ----------------------------------------------------------------------------------

struct case_memo *chains_case_memo(struct encoder *encoder, size_t sections) {
    struct case_memo *memo = ARENA_NEW(encoder->arena, struct case_memo);
    size_t places = encoder->model->node_count * EVENTS_MAX * EVENTS_MAX;
    memo->encoder = encoder;
    memo->known = ARENA_ARRAY(encoder->arena, unsigned, places);
    memo->holds = ARENA_ARRAY(encoder->arena, unsigned, places);
    memo->whole = ARENA_ARRAY(encoder->arena, unsigned char, sections * encoder->n);
    return memo;
}

// The case of a chain of which nothing is assumed yet.
static struct chain_case new_case(const struct chain *chain) {
    return (struct chain_case){
        .encoder = chain->memo->encoder, .chain = chain, .memo = chain->memo};
}

static void add_event(struct chain_case *c, unsigned event) {
    for (size_t i = 0; i < c->event_count; i++)
        if (c->events[i] == event)
            return;
    assert(c->event_count < EVENTS_MAX);
    c->events[c->event_count++] = event;
}

static void add_section(struct chain_case *c, size_t section, unsigned source) {
    unsigned read = c->chain->reads[section]->id;
    add_event(c, source);
    add_event(c, read);
    add_event(c, c->chain->writes[section]);
    c->holds[c->hold_count++] = (struct known_pair){BASE_REL_RF, source, read};
}

static bool always(const struct chain *chain, size_t section) {
    const struct event_set *events = &chain->memo->encoder->facts->always;
    return event_set_has(events, chain->reads[section]->id) &&
           event_set_has(events, chain->writes[section]);
}

// The section that a write is of, or one more than there are.
static size_t section_of(const struct chain *chain, unsigned write) {
    size_t section = 0;
    while (section < chain->count && chain->writes[section] != write)
        section++;
    return section;
}

// Whether two sections are in different ones of a lock.
static bool are_guarded(const struct chain *chain, size_t first, size_t second) {
    return chain->guard.lock != NULL && first < chain->count && second < chain->count &&
           chain->guard.sections[first] != chain->guard.sections[second];
}

// The case in which one section comes before the other one in the lock that guards both.
static struct chain_case in_order(struct chain_case c, size_t first, size_t second) {
    const size_t *sections = c.chain->guard.sections;
    assert(c.order_count < ORDERS_MAX);
    c.orders[c.order_count++] = (struct lock_order){sections[first], sections[second]};
    return c;
}

// Whether a write is co-before another one in all executions of the case.
static bool is_co_before(struct chain_case c, unsigned a, unsigned b) {
    return is_excluded_with(c, b, a) && is_excluded_without(c, b, a);
}

bool chains_must_follow(const struct chain *chain, size_t section, unsigned source) {
    struct chain_case c = new_case(chain);
    unsigned write = chain->writes[section];
    size_t other = section_of(chain, source);
    if (!always(chain, section))
        return false;
    add_section(&c, section, source);
    if (source == write)
        return is_excluded(&c);
    if (!are_guarded(chain, section, other))
        return is_co_before(c, source, write);
    return is_co_before(in_order(c, section, other), source, write) &&
           is_co_before(in_order(c, other, section), source, write);
}

// Whether there is no execution of the case, whether co orders two writes or not.
static bool is_excluded_in_co(struct chain_case c, unsigned a, unsigned b) {
    return is_excluded_with(c, a, b) && is_excluded_with(c, b, a) && is_excluded_without(c, a, b);
}

// Whether there is no execution of the case, in whichever order two sections come.
static bool is_excluded_either_way(struct chain_case c, size_t first, size_t second) {
    struct chain_case forth = in_order(c, first, second);
    struct chain_case back = in_order(c, second, first);
    return is_excluded(&forth) && is_excluded(&back);
}

bool chains_cannot_share(const struct chain *chain, size_t first, size_t second, unsigned source) {
    assert(first != second);
    struct chain_case c = new_case(chain);
    unsigned a = chain->writes[first], b = chain->writes[second];
    if (!chains_must_follow(chain, first, source) || !chains_must_follow(chain, second, source))
        return false;
    add_section(&c, first, source);
    add_section(&c, second, source);
    c.holds[c.hold_count++] = (struct known_pair){BASE_REL_CO, source, a};
    c.holds[c.hold_count++] = (struct known_pair){BASE_REL_CO, source, b};
    if (are_guarded(chain, first, second))
        return is_excluded_either_way(c, first, second);
    return is_excluded_in_co(c, a, b);
}

// --- Sections that may be torn -----------------------------------------------------------------

// Whether a section of a guarded chain reads from a write only if its section is before this one in
// the lock.
static bool reads_earlier(const struct chain *chain, size_t section, unsigned source) {
    struct chain_case c = new_case(chain);
    size_t other = section_of(chain, source);
    add_section(&c, section, source);
    if (!are_guarded(chain, section, other))
        return c.encoder->program->events[source].kind == EVENT_INIT || is_excluded(&c);
    c = in_order(c, section, other);
    return is_excluded(&c);
}

// Whether a section does not read from two writes, each of which it reads from only if that comes
// earlier.
static bool cannot_mix(const struct chain *chain, size_t section, unsigned a, unsigned b) {
    struct chain_case c = new_case(chain);
    size_t of_a = section_of(chain, a), of_b = section_of(chain, b);
    add_section(&c, section, a);
    add_section(&c, section, b);
    if (are_guarded(chain, section, of_a))
        c = in_order(c, of_a, section);
    if (are_guarded(chain, section, of_b))
        c = in_order(c, of_b, section);
    if (!are_guarded(chain, of_a, of_b))
        return is_excluded_in_co(c, a, b);
    return is_excluded_in_co(in_order(c, of_a, of_b), a, b) &&
           is_excluded_in_co(in_order(c, of_b, of_a), a, b);
}

static bool find_whole(const struct chain *chain, size_t section, unsigned source) {
    const struct encoder *encoder = chain->memo->encoder;
    const struct origins *origins = &encoder->events[chain->reads[section]->id].reads[0];
    if (!always(chain, section) || !reads_earlier(chain, section, source))
        return false;
    for (size_t i = 0; i < origins->count; i++) {
        unsigned other = origins->items[i].write;
        if (other != source &&
            (!reads_earlier(chain, section, other) || !cannot_mix(chain, section, source, other)))
            return false;
    }
    return true;
}

bool chains_reads_whole(const struct chain *chain, size_t section, unsigned source) {
    unsigned char *known = &chain->memo->whole[section * chain->memo->encoder->n + source];
    if (*known == 0)
        *known = find_whole(chain, section, source) ? 1 : 2;
    return *known == 1;
}

// --- Taking turns ------------------------------------------------------------------------------

// Whether co orders the writes of two sections.
static bool must_be_ordered(const struct chain *chain, size_t first, size_t second) {
    struct chain_case c = new_case(chain);
    add_event(&c, chain->writes[first]);
    add_event(&c, chain->writes[second]);
    return is_excluded_without(c, chain->writes[first], chain->writes[second]);
}

// Whether no write of another section comes between a section's read and its write.
static bool comes_first(const struct chain *chain, size_t section, size_t other) {
    struct chain_case c = new_case(chain);
    add_event(&c, chain->reads[section]->id);
    add_event(&c, chain->writes[section]);
    add_event(&c, chain->writes[other]);
    c.holds[c.hold_count++] =
        (struct known_pair){BASE_REL_FR, chain->reads[section]->id, chain->writes[other]};
    return is_excluded_with(c, chain->writes[other], chain->writes[section]);
}

// Whether the section reads only from what is co-before its own write.
static bool reads_before(const struct chain *chain, size_t section) {
    const struct encoder *encoder = chain->memo->encoder;
    for (unsigned w = 0; w < encoder->n; w++)
        if (relation_has(&encoder->facts->may[BASE_REL_RF], w, chain->reads[section]->id) &&
            !chains_must_follow(chain, section, w))
            return false;
    return true;
}

bool chains_take_turns(const struct chain *chain) {
    for (size_t i = 0; i < chain->count; i++) {
        if (!reads_before(chain, i))
            return false;
        for (size_t k = 0; k < chain->count; k++)
            if (k != i && (!must_be_ordered(chain, i, k) || !comes_first(chain, i, k)))
                return false;
    }
    return true;
}
