// Whether two conditions of a round never hold together: that the round is followed by another one,
// and that it writes, say. Where their structure does not show it, the truth table of both does
// (dependency/influence.h), within a bound on the work for all questions about one program.

#include "program/builder.h"
#include "program/dependency/influence.h"
#include "program/loop/loops.h"

#include <assert.h>

struct excluder {
    struct arena *arena;
    struct influences *influences;
};

static struct excluder *excluder_of(struct builder *builder) {
    if (builder->loops.excluder != NULL)
        return builder->loops.excluder;
    struct arena *arena = arena_new();
    builder->loops.excluder = ARENA_NEW(arena, struct excluder);
    *builder->loops.excluder = (struct excluder){arena, influences_new(arena, builder->pool)};
    return builder->loops.excluder;
}

bool excludes(struct builder *builder, const struct expr *a, const struct expr *b) {
    assert(a->width == 1 && b->width == 1);
    const struct expr *both = expr_and(builder->pool, a, b);
    if (expr_is_const(both))
        return expr_is_false(both);
    return influence_is_never(excluder_of(builder)->influences, both);
}

void excludes_end(struct builder *builder) {
    if (builder->loops.excluder == NULL)
        return;
    struct arena *arena = builder->loops.excluder->arena;
    influences_free(builder->loops.excluder->influences);
    builder->loops.excluder = NULL;
    arena_free(arena);
}
