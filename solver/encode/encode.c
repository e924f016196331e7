// The encoder as a whole: what is asserted for every problem.

#include "solver/encode/encode.h"

#include "solver/encode/barriers.h"
#include "solver/encode/gates.h"
#include "solver/encode/memory.h"
#include "solver/encode/nodes.h"
#include "solver/encode/turns.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void allocate(struct encoder *encoder) {
    size_t nodes = encoder->model->node_count;
    encoder->folder = expr_pool_new(encoder->arena);
    encoder->both = pair_table_new(encoder);
    for (unsigned side = 0; side < 2; side++)
        encoder->nodes[side] = ARENA_ARRAY(encoder->arena, struct pair_table *, nodes);
    encoder->steps = ARENA_ARRAY(encoder->arena, struct closure_steps *, nodes);
    encoder->group_pairs = ARENA_ARRAY(encoder->arena, size_t, nodes + 1);
    encoder->must_closed = ARENA_ARRAY(encoder->arena, signed char, nodes);
    memset(encoder->must_closed, -1, nodes);
}

struct encoder *encoder_new(struct arena *arena, struct backend *backend,
                            const struct program *program, struct bounds *bounds,
                            unsigned chain_min, struct diagnostics *diagnostics) {
    struct encoder *encoder = ARENA_NEW(arena, struct encoder);
    encoder->arena = arena;
    encoder->backend = backend;
    encoder->program = program;
    encoder->bounds = bounds;
    encoder->model = bounds->model;
    encoder->facts = bounds->facts;
    encoder->diagnostics = diagnostics;
    encoder->n = bounds->facts->n;
    allocate(encoder);
    barriers_prepare(encoder);
    memory_prepare(encoder);
    turns_find(encoder, chain_min);
    orders_prepare(encoder);
    memory_constrain(encoder);
    turns_constrain(encoder);
    barriers_constrain(encoder);
    if (!expr_is_true(program->assumption)) // spin loops are left
        clause1(encoder, encode_condition(encoder, program->assumption));
    if (!expr_is_true(program->given))
        clause1(encoder, encode_condition(encoder, program->given));
    encode_stays(encoder);
    for (size_t i = 0; i < encoder->model->axiom_count; i++)
        if (encoder->model->axioms[i].use == AXIOM_REQUIRED)
            axiom_require(encoder, &encoder->model->axioms[i], LITERAL_TRUE);
    encode_finish(encoder);
    return encoder;
}

void encoder_free(struct encoder *encoder) {
    if (encoder != NULL)
        nodes_free(encoder);
}

bool encoder_failed(const struct encoder *encoder) {
    return encoder->failed;
}

bool encode_is_readable(const struct encoder *encoder) {
    return !backend_failed(encoder->backend);
}

bool encode_holds_in_model(struct encoder *encoder, const struct expr *condition) {
    assert(condition->width == 1);
    return encode_value_in_model(encoder, encode_expr(encoder, condition)).low == 1;
}

void encode_finish(struct encoder *encoder) {
    nodes_finish(encoder);
    orders_finish(encoder);
}

void encode_count_pairs(const struct encoder *encoder, size_t *may, size_t *must) {
    *may = *must = 0;
    for (size_t i = 0; i < encoder->model->node_count; i++) {
        const struct bound *bound = &encoder->bounds->nodes[i];
        if (!bound->needed || encoder->model->nodes[i].is_set)
            continue;
        *may += relation_count(&bound->may);
        *must += relation_count(&bound->must);
    }
}
