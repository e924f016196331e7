// Sets and relations as bit matrices. A row is `words` words of 64 events; every operation works a
// word at a time.
#include "model/cat/relation.h"

#include "litmus/source/arena.h"

#include <assert.h>
#include <string.h>

static unsigned words_for(unsigned n) {
    return (n + 63) / 64;
}

static size_t total_words(const struct relation *r) {
    return (size_t)r->n * r->words;
}

static uint64_t *row(const struct relation *r, unsigned a) {
    return r->rows + (size_t)a * r->words;
}

// The bits of events that exist in the last word of a row.
static uint64_t last_word_mask(unsigned n) {
    return n % 64 == 0 ? ~(uint64_t)0 : ((uint64_t)1 << (n % 64)) - 1;
}

struct relation relation_new(struct arena *arena, unsigned n) {
    struct relation r = {.n = n, .words = words_for(n)};
    r.rows = ARENA_ARRAY(arena, uint64_t, total_words(&r));
    return r;
}

struct event_set event_set_new(struct arena *arena, unsigned n) {
    struct event_set s = {.n = n, .words = words_for(n)};
    s.bits = ARENA_ARRAY(arena, uint64_t, s.words);
    return s;
}

void relation_union(struct relation *out, const struct relation *a, const struct relation *b) {
    assert(out->n == a->n);
    assert(out->n == b->n);
    for (size_t i = 0; i < total_words(a); i++)
        out->rows[i] = a->rows[i] | b->rows[i];
}

void relation_intersection(struct relation *out, const struct relation *a,
                           const struct relation *b) {
    assert(out->n == a->n);
    assert(out->n == b->n);
    for (size_t i = 0; i < total_words(a); i++)
        out->rows[i] = a->rows[i] & b->rows[i];
}

void relation_difference(struct relation *out, const struct relation *a, const struct relation *b) {
    assert(out->n == a->n);
    assert(out->n == b->n);
    for (size_t i = 0; i < total_words(a); i++)
        out->rows[i] = a->rows[i] & ~b->rows[i];
}

void relation_complement(struct relation *out, const struct relation *a) {
    assert(out->n == a->n);
    for (unsigned i = 0; i < a->n; i++) {
        for (unsigned w = 0; w < a->words; w++)
            row(out, i)[w] = ~row(a, i)[w];
        row(out, i)[a->words - 1] &= last_word_mask(a->n);
    }
}

void relation_copy(struct relation *out, const struct relation *a) {
    assert(out->n == a->n);
    if (out->rows != a->rows && total_words(a) > 0)
        memcpy(out->rows, a->rows, total_words(a) * sizeof(uint64_t));
}

static void row_union(uint64_t *into, const uint64_t *from, unsigned words) {
    for (unsigned w = 0; w < words; w++)
        into[w] |= from[w];
}

void relation_sequence(struct relation *out, const struct relation *a, const struct relation *b) {
    assert(out->n == a->n);
    assert(out->n == b->n);
    memset(out->rows, 0, total_words(a) * sizeof(uint64_t));
    for (unsigned i = 0; i < a->n; i++)
        for (unsigned w = 0; w < a->words; w++)
            for (uint64_t rest = row(a, i)[w]; rest != 0; rest &= rest - 1)
                row_union(row(out, i), row(b, w * 64 + (unsigned)__builtin_ctzll(rest)), a->words);
}

void relation_inverse(struct relation *out, const struct relation *a) {
    assert(out->n == a->n);
    memset(out->rows, 0, total_words(a) * sizeof(uint64_t));
    for (unsigned i = 0; i < a->n; i++)
        for (unsigned w = 0; w < a->words; w++)
            for (uint64_t rest = row(a, i)[w]; rest != 0; rest &= rest - 1)
                relation_add(out, w * 64 + (unsigned)__builtin_ctzll(rest), i);
}

void relation_product(struct relation *out, const struct event_set *a, const struct event_set *b) {
    for (unsigned i = 0; i < a->n; i++)
        for (unsigned w = 0; w < a->words; w++)
            row(out, i)[w] = event_set_has(a, i) ? b->bits[w] : 0;
}

void relation_identity(struct relation *out, const struct event_set *a) {
    memset(out->rows, 0, total_words(out) * sizeof(uint64_t));
    for (unsigned i = 0; i < a->n; i++)
        if (event_set_has(a, i))
            relation_add(out, i, i);
}

// Warshall's algorithm, a row at a time: after step k, paths through events 0 .. k are edges.
void relation_close(struct relation *r) {
    for (unsigned k = 0; k < r->n; k++)
        for (unsigned i = 0; i < r->n; i++)
            if (relation_has(r, i, k))
                row_union(row(r, i), row(r, k), r->words);
}

void relation_reflexive(struct relation *r) {
    for (unsigned i = 0; i < r->n; i++)
        relation_add(r, i, i);
}

bool relation_is_empty(const struct relation *r) {
    for (size_t i = 0; i < total_words(r); i++)
        if (r->rows[i] != 0)
            return false;
    return true;
}

bool relation_is_irreflexive(const struct relation *r) {
    for (unsigned i = 0; i < r->n; i++)
        if (relation_has(r, i, i))
            return false;
    return true;
}

// Whether event `a` has no successor in `alive`.
static bool is_sink(const struct relation *r, unsigned a, const uint64_t *alive) {
    for (unsigned w = 0; w < r->words; w++)
        if ((row(r, a)[w] & alive[w]) != 0)
            return false;
    return true;
}

// Takes away events without successors for as long as there are any; what is left, if anything,
// has a cycle. `alive` holds all events at first.
static bool sinks_take_all(const struct relation *r, uint64_t *alive) {
    unsigned left = r->n;
    bool progress = true;
    while (left > 0 && progress) {
        progress = false;
        for (unsigned a = r->n; a-- > 0;) {
            uint64_t bit = (uint64_t)1 << (a % 64);
            if ((alive[a / 64] & bit) != 0 && is_sink(r, a, alive)) {
                alive[a / 64] &= ~bit;
                left--;
                progress = true;
            }
        }
    }
    return left == 0;
}

bool relation_is_acyclic(const struct relation *r) {
    enum { SMALL = 16 }; // words: 1024 events need no allocation
    if (r->words <= SMALL) {
        uint64_t alive[SMALL];
        memset(alive, 0xff, sizeof alive);
        return sinks_take_all(r, alive);
    }
    struct arena *scratch = arena_new();
    uint64_t *alive = ARENA_ARRAY(scratch, uint64_t, r->words);
    memset(alive, 0xff, r->words * sizeof *alive);
    bool acyclic = sinks_take_all(r, alive);
    arena_free(scratch);
    return acyclic;
}

bool relation_equal(const struct relation *a, const struct relation *b) {
    return a->n == b->n && (total_words(a) == 0 ||
                            memcmp(a->rows, b->rows, total_words(a) * sizeof(uint64_t)) == 0);
}

size_t relation_count(const struct relation *r) {
    size_t count = 0;
    for (size_t i = 0; i < total_words(r); i++)
        count += (size_t)__builtin_popcountll(r->rows[i]);
    return count;
}
