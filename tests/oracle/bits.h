// Sets of at most 64 events as words, and relations between them as 64 rows of bits.
//
// Functions take and return relations by value, so that the axioms can be written the way
// memory-model writes them. All relations of one execution have the same `n`.
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

static inline struct rel rel_empty(unsigned n) {
    struct rel r = {.n = n};
    return r;
}

// The identity on a set
static inline struct rel rel_identity(unsigned n, uint64_t set) {
    struct rel r = rel_empty(n);
    for (unsigned a = 0; a < n; a++)
        r.row[a] = set & bit(a);
    return r;
}

// All pairs from one set to another
static inline struct rel rel_product(unsigned n, uint64_t from, uint64_t to) {
    struct rel r = rel_empty(n);
    for (unsigned a = 0; a < n; a++)
        r.row[a] = from & bit(a) ? to : 0;
    return r;
}

// a | b
static inline struct rel rel_or(struct rel a, struct rel b) {
    for (unsigned i = 0; i < a.n; i++)
        a.row[i] |= b.row[i];
    return a;
}

// a & b
static inline struct rel rel_and(struct rel a, struct rel b) {
    for (unsigned i = 0; i < a.n; i++)
        a.row[i] &= b.row[i];
    return a;
}

// a without b
static inline struct rel rel_minus(struct rel a, struct rel b) {
    for (unsigned i = 0; i < a.n; i++)
        a.row[i] &= ~b.row[i];
    return a;
}

// a ; b
static inline struct rel rel_seq(struct rel a, struct rel b) {
    struct rel r = rel_empty(a.n);
    for (unsigned i = 0; i < a.n; i++)
        for (uint64_t middle = a.row[i]; middle; middle &= middle - 1)
            r.row[i] |= b.row[__builtin_ctzll(middle)];
    return r;
}

// a^-1
static inline struct rel rel_inverse(struct rel a) {
    struct rel r = rel_empty(a.n);
    for (unsigned i = 0; i < a.n; i++)
        for (uint64_t to = a.row[i]; to; to &= to - 1)
            rel_add(&r, (unsigned)__builtin_ctzll(to), i);
    return r;
}

// a+, by Warshall's algorithm, a row at a time
static inline struct rel rel_closure(struct rel a) {
    for (unsigned middle = 0; middle < a.n; middle++)
        for (unsigned i = 0; i < a.n; i++)
            if (rel_has(&a, i, middle))
                a.row[i] |= a.row[middle];
    return a;
}

// a?, over all n events
static inline struct rel rel_optional(struct rel a) {
    for (unsigned i = 0; i < a.n; i++)
        a.row[i] |= bit(i);
    return a;
}

// [from] ; a ; [to]
static inline struct rel rel_within(struct rel a, uint64_t from, uint64_t to) {
    for (unsigned i = 0; i < a.n; i++)
        a.row[i] &= from & bit(i) ? to : 0;
    return a;
}

static inline bool rel_is_empty(struct rel a) {
    for (unsigned i = 0; i < a.n; i++)
        if (a.row[i])
            return false;
    return true;
}

static inline bool rel_is_irreflexive(struct rel a) {
    for (unsigned i = 0; i < a.n; i++)
        if (rel_has(&a, i, i))
            return false;
    return true;
}

static inline bool rel_is_acyclic(struct rel a) {
    return rel_is_irreflexive(rel_closure(a));
}

static inline bool rel_equal(struct rel a, struct rel b) {
    for (unsigned i = 0; i < a.n; i++)
        if (a.row[i] != b.row[i])
            return false;
    return true;
}

// every pair of b is in a
static inline bool rel_includes(struct rel a, struct rel b) {
    for (unsigned i = 0; i < a.n; i++)
        if (b.row[i] & ~a.row[i])
            return false;
    return true;
}

#endif
