// Orders by backtracking over pairs: orient one, close transitively, go on.
#include "tests/oracle/orders.h"

// The first pair a < b of `pairs`, from (*a, *b) on in lexicographic order, that `order` does not
// relate. Returns false when there is none.
static bool next_open_pair(const struct rel *pairs, const struct rel *order, unsigned *a,
                           unsigned *b) {
    for (; *a < pairs->n; (*a)++, *b = *a + 1)
        for (; *b < pairs->n; (*b)++) {
            bool wanted = rel_has(pairs, *a, *b) || rel_has(pairs, *b, *a);
            if (wanted && !rel_has(order, *a, *b) && !rel_has(order, *b, *a))
                return true;
        }
    return false;
}

// `order` is closed and irreflexive, and a and b are unrelated in it: so is the result.
static struct rel with_pair(struct rel order, unsigned a, unsigned b) {
    uint64_t after = order.row[b] | bit(b);
    for (unsigned e = 0; e < order.n; e++)
        if (e == a || rel_has(&order, e, a))
            order.row[e] |= after;
    return order;
}

static bool orient(struct rel order, const struct rel *must, unsigned a, unsigned b,
                   const struct order_visitor *visitor) {
    if (!next_open_pair(must, &order, &a, &b))
        return visitor->visit(visitor->context, order);
    return orient(with_pair(order, a, b), must, a, b, visitor) &&
           orient(with_pair(order, b, a), must, a, b, visitor);
}

bool orders_orient(struct rel base, struct rel must, const struct order_visitor *visitor) {
    struct rel order = rel_closure(base);
    return !rel_is_irreflexive(order) || orient(order, &must, 0, 1, visitor);
}

struct partial_search {
    struct rel must, may;
    const struct order_visitor *visitor;
};

// `apart` holds the pairs that were decided to stay unrelated; a branch in which transitivity
// relates one of them after all is another branch's relation, and is given up.
static bool partial(const struct partial_search *search, struct rel order, struct rel apart,
                    unsigned a, unsigned b) {
    if (!rel_is_empty(rel_and(order, apart)))
        return true;
    if (!next_open_pair(&search->may, &order, &a, &b))
        return search->visitor->visit(search->visitor->context, order);
    if (!partial(search, with_pair(order, a, b), apart, a, b + 1) ||
        !partial(search, with_pair(order, b, a), apart, a, b + 1))
        return false;
    if (rel_has(&search->must, a, b) || rel_has(&search->must, b, a))
        return true;
    rel_add(&apart, a, b);
    rel_add(&apart, b, a);
    return partial(search, order, apart, a, b + 1);
}

bool orders_partial(struct rel base, struct rel must, struct rel may,
                    const struct order_visitor *visitor) {
    struct partial_search search = {.must = must, .may = may, .visitor = visitor};
    struct rel order = rel_closure(base);
    return !rel_is_irreflexive(order) || partial(&search, order, rel_empty(base.n), 0, 1);
}

static bool total(struct rel order, uint64_t placed, uint64_t rest,
                  const struct order_visitor *visitor) {
    if (!rest)
        return visitor->visit(visitor->context, order);
    for (uint64_t choice = rest; choice; choice &= choice - 1) {
        uint64_t next = choice & -choice;
        struct rel longer = rel_or(order, rel_product(order.n, placed, next));
        if (!total(longer, placed | next, rest & ~next, visitor))
            return false;
    }
    return true;
}

bool orders_total(unsigned n, uint64_t set, const struct order_visitor *visitor) {
    return total(rel_empty(n), 0, set, visitor);
}
