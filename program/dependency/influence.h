// Which leaves of an expression can change its value (memory-model: semantic dependencies).
//
// A leaf has influence on an expression when two of its values, with all other leaves the same,
// give the expression two values. This is decided exactly, from the expression's truth tables in a
// compact form (diagram.h), or by two values that were found to differ; where neither comes to an
// end within a bound on the work, the leaf is `open`.
#ifndef PTXLITMUS_PROGRAM_DEPENDENCY_INFLUENCE_H
#define PTXLITMUS_PROGRAM_DEPENDENCY_INFLUENCE_H

#include "program/expr/expr.h"

#include <stddef.h>

struct arena;

struct leaf_list {
    const struct expr **items; // ascending by id
    size_t count;
};

struct influence {
    struct leaf_list certain; // leaves that have influence
    struct leaf_list open;    // leaves for which it is not known. All others have none
};

// What was found, kept for later questions.
struct influences;

// Returns an empty store, which the caller frees with influences_free; results live in `arena`.
struct influences *influences_new(struct arena *arena, struct expr_pool *pool);

// Frees a store; its results stay.
void influences_free(struct influences *influences);

// Returns the influence on an expression of the pool, owned by the arena. May add to the pool.
const struct influence *influence_of(struct influences *influences, const struct expr *expr);

// Whether a condition of one bit is known never to hold.
bool influence_is_never(struct influences *influences, const struct expr *condition);

// Takes a condition of one bit as a conjunction and returns the conjunction of those of its parts
// that depend on a leaf of `with`, directly or through other parts; the constant 1 when none does.
const struct expr *influence_part(struct influences *influences, const struct expr *condition,
                                  const struct expr *with);

// Whether a leaf is in a list.
bool leaf_list_has(const struct leaf_list *list, const struct expr *leaf);

// Returns the expression with its leaves replaced: `replacement` returns that of a leaf, or the
// leaf itself.
const struct expr *influence_replace(struct influences *influences, const struct expr *expr,
                                     const struct expr *(*replacement)(void *context,
                                                                       const struct expr *leaf),
                                     void *context);

#endif
