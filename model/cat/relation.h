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

struct relation relation_new(struct arena *arena, unsigned n); // empty
struct event_set event_set_new(struct arena *arena, unsigned n);

static inline bool relation_has(const struct relation *r, unsigned a, unsigned b) {
    return (r->rows[(size_t)a * r->words + b / 64] >> (b % 64)) & 1;
}
static inline void relation_add(struct relation *r, unsigned a, unsigned b) {
    r->rows[(size_t)a * r->words + b / 64] |= (uint64_t)1 << (b % 64);
}
static inline bool event_set_has(const struct event_set *s, unsigned a) {
    return (s->bits[a / 64] >> (a % 64)) & 1;
}
static inline void event_set_add(struct event_set *s, unsigned a) {
    s->bits[a / 64] |= (uint64_t)1 << (a % 64);
}

// Results go into `out`, which has the size of the operands and may be one of them.
void relation_union(struct relation *out, const struct relation *a, const struct relation *b);
void relation_intersection(struct relation *out, const struct relation *a,
                           const struct relation *b);
void relation_difference(struct relation *out, const struct relation *a, const struct relation *b);
void relation_complement(struct relation *out, const struct relation *a);
void relation_copy(struct relation *out, const struct relation *a);
// These must not write onto an operand.
void relation_sequence(struct relation *out, const struct relation *a, const struct relation *b);
void relation_inverse(struct relation *out, const struct relation *a);
void relation_product(struct relation *out, const struct event_set *a, const struct event_set *b);
void relation_identity(struct relation *out, const struct event_set *a); // [S]
void relation_close(struct relation *r);     // transitive closure, in place
void relation_reflexive(struct relation *r); // adds the identity, in place

bool relation_is_empty(const struct relation *r);
bool relation_is_irreflexive(const struct relation *r);
bool relation_is_acyclic(const struct relation *r);
bool relation_equal(const struct relation *a, const struct relation *b);
size_t relation_count(const struct relation *r);

#endif
