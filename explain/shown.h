// What is shown of an execution: who reads from whom, the orders of writes and fences, and what
// synchronises.
#ifndef PTXLITMUS_EXPLAIN_SHOWN_H
#define PTXLITMUS_EXPLAIN_SHOWN_H

#include "model/cat/model.h"
#include "solver/search.h"

#include <stddef.h>

struct arena;

struct shown_edge {
    const char *relation; // its name in the model: "rf"
    unsigned a, b;
};

struct shown_edges {
    struct shown_edge *items;
    size_t count;
};

// Returns the edges of an execution: rf; co and sc without what follows from other edges and from
// initial writes coming first; and each pair of "sync" and the like, where the model is built in,
// and of barriers. The arena owns them.
struct shown_edges shown_edges_of(struct arena *arena, const struct model *model,
                                  const struct found_execution *execution);

#endif
