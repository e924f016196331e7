// What follows from a proven chain of additions: they count. Without it, a proof that n additions
// leave n times the constant takes time exponential in n (the pigeonhole principle).

#include "solver/encode/chains.h"
#include "solver/encode/gates.h"
#include "solver/encode/memory.h"
#include "solver/encode/turns.h"

#include "litmus/source/allocate.h"

#include <stdlib.h>

// Whether an addition is the step-th of the chain.
static literal is_step(struct encoder *encoder, const struct chain *chain, size_t addition,
                       size_t step) {
    return encode_value_is(encoder, reads_value(encoder, chain->reads[addition]->id),
                           chain->values[step]);
}

// Each value is read exactly once.
static void assert_permutation(struct encoder *encoder, const struct chain *chain) {
    literal *reads = allocate(chain->count + 1, sizeof *reads);
    for (size_t step = 0; step < chain->count; step++) {
        for (size_t i = 0; i < chain->count; i++)
            reads[i] = is_step(encoder, chain, i, step);
        exactly_one_if(encoder, LITERAL_TRUE, reads, chain->count);
    }
    free(reads);
}

// What is co-before another addition is an earlier step.
static void assert_order(struct encoder *encoder, const struct chain *chain, size_t addition) {
    literal later = LITERAL_FALSE; // this addition comes after the step
    size_t first = 0;
    while (first + 1 < chain->count && is_step(encoder, chain, addition, first) == LITERAL_FALSE)
        first++;
    for (size_t step = chain->count; step-- > first;) {
        for (size_t i = 0; i < chain->count; i++)
            if (i != addition)
                clause3(encoder, later, -is_step(encoder, chain, i, step),
                        -encode_co(encoder, chain->writes[i], chain->writes[addition]));
        later = gate_or(encoder, later, is_step(encoder, chain, addition, step), EXACT);
    }
}

// Whether the values are functions of co: then the rest follows from that.
static bool is_by_place(struct encoder *encoder, const struct chain *chain) {
    bool all = true;
    for (size_t i = 0; i < chain->count; i++) {
        reads_value(encoder, chain->reads[i]->id);
        all = all && encoder->turns->by_place[chain->reads[i]->id];
    }
    return all;
}

void chains_count(struct encoder *encoder, const struct chain *chain) {
    if (chain->kind == CHAIN_LOCK || is_by_place(encoder, chain))
        return;
    assert_permutation(encoder, chain);
    for (size_t i = 0; i < chain->count; i++) {
        assert_order(encoder, chain, i);
        literal last = is_step(encoder, chain, i, chain->count - 1);
        for (unsigned k = 0; k < chain->cell_count; k++)
            clause2(encoder, -finals_taken(encoder, chain->cell + k, chain->writes[i]), last);
    }
}
