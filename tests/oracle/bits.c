// Operators on relations of at most 64 events.
#include "tests/oracle/bits.h"

struct rel rel_empty(unsigned n) {
    struct rel r = {.n = n};
    return r;
}

struct rel rel_identity(unsigned n, uint64_t set) {
    struct rel r = rel_empty(n);
    for (unsigned a = 0; a < n; a++)
        r.row[a] = set & bit(a);
    return r;
}

struct rel rel_product(unsigned n, uint64_t from, uint64_t to) {
    struct rel r = rel_empty(n);
    for (unsigned a = 0; a < n; a++)
        r.row[a] = from & bit(a) ? to : 0;
    return r;
}

struct rel rel_or(struct rel a, struct rel b) {
    for (unsigned i = 0; i < a.n; i++)
        a.row[i] |= b.row[i];
    return a;
}

struct rel rel_and(struct rel a, struct rel b) {
    for (unsigned i = 0; i < a.n; i++)
        a.row[i] &= b.row[i];
    return a;
}

struct rel rel_minus(struct rel a, struct rel b) {
    for (unsigned i = 0; i < a.n; i++)
        a.row[i] &= ~b.row[i];
    return a;
}

struct rel rel_seq(struct rel a, struct rel b) {
    struct rel r = rel_empty(a.n);
    for (unsigned i = 0; i < a.n; i++)
        for (uint64_t middle = a.row[i]; middle; middle &= middle - 1)
            r.row[i] |= b.row[__builtin_ctzll(middle)];
    return r;
}

struct rel rel_inverse(struct rel a) {
    struct rel r = rel_empty(a.n);
    for (unsigned i = 0; i < a.n; i++)
        for (uint64_t to = a.row[i]; to; to &= to - 1)
            rel_add(&r, (unsigned)__builtin_ctzll(to), i);
    return r;
}

// Warshall's algorithm, a row at a time.
struct rel rel_closure(struct rel a) {
    for (unsigned middle = 0; middle < a.n; middle++)
        for (unsigned i = 0; i < a.n; i++)
            if (rel_has(&a, i, middle))
                a.row[i] |= a.row[middle];
    return a;
}

struct rel rel_optional(struct rel a) {
    for (unsigned i = 0; i < a.n; i++)
        a.row[i] |= bit(i);
    return a;
}

struct rel rel_within(struct rel a, uint64_t from, uint64_t to) {
    for (unsigned i = 0; i < a.n; i++)
        a.row[i] &= from & bit(i) ? to : 0;
    return a;
}

bool rel_is_empty(struct rel a) {
    for (unsigned i = 0; i < a.n; i++)
        if (a.row[i])
            return false;
    return true;
}

bool rel_is_irreflexive(struct rel a) {
    for (unsigned i = 0; i < a.n; i++)
        if (rel_has(&a, i, i))
            return false;
    return true;
}

bool rel_is_acyclic(struct rel a) {
    return rel_is_irreflexive(rel_closure(a));
}

bool rel_equal(struct rel a, struct rel b) {
    for (unsigned i = 0; i < a.n; i++)
        if (a.row[i] != b.row[i])
            return false;
    return true;
}

bool rel_includes(struct rel a, struct rel b) {
    for (unsigned i = 0; i < a.n; i++)
        if (b.row[i] & ~a.row[i])
            return false;
    return true;
}
