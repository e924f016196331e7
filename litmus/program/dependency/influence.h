// Which leaves of an expression can change its value (memory-model.md D42).
//
// A leaf has influence on an expression when two of its values, with all other leaves the same,
// give the expression two values. This is decided exactly, from the expression's truth tables in a
// compact form (diagram.h), or by two values that were found to differ; where neither comes to an
// end within a bound on the work, the leaf is `open`.
#ifndef PTXLITMUS_LITMUS_PROGRAM_DEPENDENCY_INFLUENCE_H
#define PTXLITMUS_LITMUS_PROGRAM_DEPENDENCY_INFLUENCE_H

#include "litmus/program/expr/expr.h"

#include <stddef.h>

struct arena;

struct leaf_list {
    const struct expr **items; // ascending by id
    size_t count;
};

struct influence {
    struct leaf_list certain; // leaves that have influence
    struct leaf_list open;    // leaves of which it is not known. All others have none
};

// Remembers what was found. Release with influences_free; the results are the arena's.
struct influences;
struct influences *influences_new(struct arena *arena, struct expr_pool *pool);
void influences_free(struct influences *influences);

// The influence on an expression of the pool. Borrowed until arena_free. May add to the pool.
const struct influence *influence_of(struct influences *influences, const struct expr *expr);

// Whether a condition of one bit is known never to hold.
bool influence_is_never(struct influences *influences, const struct expr *condition);

// Of a condition of one bit: the conjunction of those of its parts (as it is a conjunction) that
// have to do with a leaf of `with`, be it through other parts; the constant 1 where none has.
const struct expr *influence_part(struct influences *influences, const struct expr *condition,
                                  const struct expr *with);

bool leaf_list_has(const struct leaf_list *list, const struct expr *leaf);

// The expression with leaves replaced: `replacement` returns that of a leaf, or the leaf itself.
const struct expr *influence_replace(struct influences *influences, const struct expr *expr,
                                     const struct expr *(*replacement)(void *context,
                                                                       const struct expr *leaf),
                                     void *context);

#endif
