// The part of the pool that one expression consists of, and its bits as diagrams.
#ifndef PTXLITMUS_PROGRAM_DEPENDENCY_CONE_H
#define PTXLITMUS_PROGRAM_DEPENDENCY_CONE_H

#include "program/dependency/diagram.h"
#include "program/expr/expr.h"

#include <stddef.h>

struct arena;

// An expression and all below it, each once: operands come before their users, the root is last.
struct cone {
    const struct expr **items;
    size_t count;
    size_t *leaves; // the places of the leaves that are not constants, ascending
    size_t leaf_count;
    const unsigned *place; // by id of an expression of the cone: its place
};

// What is kept from one cone to the next.
struct cones;

// Returns what cones of a pool need; `arena` owns it.
struct cones *cones_new(struct arena *arena, const struct expr_pool *pool);

// Returns the cone of an expression, made in `scratch`; its `place` is valid until the next call.
struct cone cone_of(struct cones *cones, struct arena *scratch, const struct expr *root);

// The order of the diagrams' variables: bit 0 of all leaves, bit 1 of all leaves, and so on, which
// suits sums and comparisons of leaves; or leaf by leaf, which suits conditions on each.
enum cone_order { CONE_BIT_BY_BIT, CONE_LEAF_BY_LEAF };

// Finds out exactly on which leaves the root's value depends: sets `depends`, which is by leaf, as
// cone.leaves is. Returns false when that takes more than `steps` steps (see diagram.h) or an
// operator has no diagrams.
bool cone_depends(struct arena *scratch, struct diagrams *diagrams, const struct cone *cone,
                  enum cone_order order, unsigned steps, bool *depends);

#endif
