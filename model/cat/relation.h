// Sets of events and relations between them as bit matrices, for bounds and concrete evaluation.
#ifndef PTXLITMUS_RELATION_H
#define PTXLITMUS_RELATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

// A relation on events 0 .. n-1, or a set (held as a subset of the identity's diagonal: row 0
// only).
struct relation {
    unsigned n;
    unsigned words; // 64-bit words of a row
    uint64_t *rows; // n * words; bits at n and above are zero
};

struct event_set {
    unsigned n;
    unsigned words;
    uint64_t *bits;
};

// Returns an empty relation on n events, whose rows the arena owns.
struct relation relation_new(struct arena *arena, unsigned n);

// Returns an empty set of n events, whose bits the arena owns.
struct event_set event_set_new(struct arena *arena, unsigned n);

// Whether a pair is in a relation; both events are below n.
static inline bool relation_has(const struct relation *r, unsigned a, unsigned b) {
    return (r->rows[(size_t)a * r->words + b / 64] >> (b % 64)) & 1;
}

// Adds a pair to a relation.
static inline void relation_add(struct relation *r, unsigned a, unsigned b) {
    r->rows[(size_t)a * r->words + b / 64] |= (uint64_t)1 << (b % 64);
}

// Whether an event is in a set.
static inline bool event_set_has(const struct event_set *s, unsigned a) {
    return (s->bits[a / 64] >> (a % 64)) & 1;
}

// Adds an event to a set.
static inline void event_set_add(struct event_set *s, unsigned a) {
    s->bits[a / 64] |= (uint64_t)1 << (a % 64);
}

// --- Operations --------------------------------------------------------------------------------
//
// Results go into `out`, which has the size of the operands. It may be one of the operands in the
// first five functions, and must not be in the others.

// The pairs in `a` or `b`.
void relation_union(struct relation *out, const struct relation *a, const struct relation *b);

// The pairs in `a` and `b`.
void relation_intersection(struct relation *out, const struct relation *a,
                           const struct relation *b);

// The pairs in `a` and not in `b`.
void relation_difference(struct relation *out, const struct relation *a, const struct relation *b);

// The pairs of events that are not in `a`.
void relation_complement(struct relation *out, const struct relation *a);

// The pairs in `a`.
void relation_copy(struct relation *out, const struct relation *a);

// `a ; b`: the pairs (x, z) with some y such that `a` has (x, y) and `b` has (y, z).
void relation_sequence(struct relation *out, const struct relation *a, const struct relation *b);

// The pairs of `a`, turned round.
void relation_inverse(struct relation *out, const struct relation *a);

// `a * b`: the pairs of an event of `a` and one of `b`.
void relation_product(struct relation *out, const struct event_set *a, const struct event_set *b);

// `[a]`: each event of `a` with itself.
void relation_identity(struct relation *out, const struct event_set *a);

// Makes a relation its transitive closure, in place.
void relation_close(struct relation *r);

// Adds each event with itself to a relation, in place.
void relation_reflexive(struct relation *r);

// --- Questions ---------------------------------------------------------------------------------

// Whether a relation has no pair.
bool relation_is_empty(const struct relation *r);

// Whether no event is related to itself.
bool relation_is_irreflexive(const struct relation *r);

// Whether a relation has no cycle.
bool relation_is_acyclic(const struct relation *r);

// Whether two relations of one size have the same pairs.
bool relation_equal(const struct relation *a, const struct relation *b);

// Returns how many pairs a relation has.
size_t relation_count(const struct relation *r);

#endif
