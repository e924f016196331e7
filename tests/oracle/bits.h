// Sets of at most 64 events as words, and relations between them as 64 rows of bits.
//
// Functions take and return relations by value, so that the axioms can be written the way
// memory-model.md writes them. All relations of one execution have the same `n`.
#ifndef PTXLITMUS_ORACLE_BITS_H
#define PTXLITMUS_ORACLE_BITS_H

#include <stdbool.h>
#include <stdint.h>

enum { EVENTS_MAX = 64 };

struct rel {
    unsigned n;               // events are 0 .. n-1
    uint64_t row[EVENTS_MAX]; // bit b of row[a]: a is related to b
};

static inline uint64_t bit(unsigned event) {
    return (uint64_t)1 << event;
}

static inline bool rel_has(const struct rel *r, unsigned a, unsigned b) {
    return (r->row[a] >> b) & 1;
}

static inline void rel_add(struct rel *r, unsigned a, unsigned b) {
    r->row[a] |= bit(b);
}

struct rel rel_empty(unsigned n);
struct rel rel_identity(unsigned n, uint64_t set);               // [set]
struct rel rel_product(unsigned n, uint64_t from, uint64_t to);  // from * to
struct rel rel_or(struct rel a, struct rel b);                   // a | b
struct rel rel_and(struct rel a, struct rel b);                  // a & b
struct rel rel_minus(struct rel a, struct rel b);                // a without b
struct rel rel_seq(struct rel a, struct rel b);                  // a ; b
struct rel rel_inverse(struct rel a);                            // a^-1
struct rel rel_closure(struct rel a);                            // a+
struct rel rel_optional(struct rel a);                           // a?, over all n events
struct rel rel_within(struct rel a, uint64_t from, uint64_t to); // [from] ; a ; [to]

bool rel_is_empty(struct rel a);
bool rel_is_irreflexive(struct rel a);
bool rel_is_acyclic(struct rel a);
bool rel_equal(struct rel a, struct rel b);
bool rel_includes(struct rel a, struct rel b); // every pair of b is in a

#endif
