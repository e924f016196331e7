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
    if (builder->excluder != NULL)
        return builder->excluder;
    struct arena *arena = arena_new();
    builder->excluder = ARENA_NEW(arena, struct excluder);
    *builder->excluder = (struct excluder){arena, influences_new(arena, builder->pool)};
    return builder->excluder;
}

bool excludes(struct builder *builder, const struct expr *a, const struct expr *b) {
    assert(a->width == 1 && b->width == 1);
    const struct expr *both = expr_and(builder->pool, a, b);
    if (expr_is_const(both))
        return expr_is_false(both);
    return influence_is_never(excluder_of(builder)->influences, both);
}

void excludes_end(struct builder *builder) {
    if (builder->excluder == NULL)
        return;
    struct arena *arena = builder->excluder->arena;
    influences_free(builder->excluder->influences);
    builder->excluder = NULL;
    arena_free(arena);
}
