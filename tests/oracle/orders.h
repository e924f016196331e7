// Enumeration of the orders that a candidate execution chooses: sc and co.
#ifndef PTXLITMUS_ORACLE_ORDERS_H
#define PTXLITMUS_ORACLE_ORDERS_H

#include "tests/oracle/bits.h"

// Called for each order; returns whether to go on.
struct order_visitor {
    bool (*visit)(void *context, struct rel order);
    void *context;
};

// Visits every least transitive and irreflexive relation that includes `base` and relates each pair
// of `must` one way or the other: one for each way to orient the pairs that `base` leaves open,
// without cycles. Visits no order when `base` has a cycle. Returns false when the visitor stopped.
bool orders_orient(struct rel base, struct rel must, const struct order_visitor *visitor);

// Visits every transitive and irreflexive relation that includes `base`, relates each pair of
// `must` and may relate each pair of `may`; pairs outside `may` are related only as transitivity
// demands. The relations are told apart by their part in `may`, which must include `must`.
bool orders_partial(struct rel base, struct rel must, struct rel may,
                    const struct order_visitor *visitor);

// Visits every strict total order on `set`.
bool orders_total(unsigned n, uint64_t set, const struct order_visitor *visitor);

#endif
