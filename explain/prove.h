// Why a pair of events is in a relation of the model in one execution: the cheapest of the proofs
// that the model's text allows.
#ifndef PTXLITMUS_EXPLAIN_PROVE_H
#define PTXLITMUS_EXPLAIN_PROVE_H

#include "explain/costs.h"
#include "model/cat/model.h"
#include "solver/search.h"

#include <stdbool.h>
#include <stdint.h>

struct arena;

// A pair that is in the relation of a node (or, where a and b are one event, an event in a set),
// and the pairs of its operands from which that follows. What follows from the absence of a pair
// (the right of a difference, a complement) has no operand for it.
struct proof {
    unsigned node;
    unsigned a, b;
    uint64_t cost;
    struct proof **operands; // in the order of the text; the steps of a closure along its path
    size_t operand_count;
};

struct prover;

// Starts proving in an execution; all arguments are borrowed. The prover lives in `arena`.
struct prover *prover_new(struct arena *arena, const struct model *model,
                          const struct found_execution *execution);

// Returns what a proof of a pair costs: communication between threads a lot, program order little,
// what the text of the test says nothing; COST_NEVER when the pair is not in the relation.
uint64_t prover_cost(struct prover *prover, unsigned node, unsigned a, unsigned b);

// Returns the proof of a pair, which must be in the relation; it lives in the prover's arena.
struct proof *prover_pair(struct prover *prover, unsigned node, unsigned a, unsigned b);

// Finds the cheapest cycle of a relation, or event that is related to itself. Returns the proofs of
// its pairs, in its order, and how many in `*count`; 0 when there is none.
struct proof **prover_cycle(struct prover *prover, unsigned node, size_t *count);

// Returns the cheapest pair of a relation, or member of a set; NULL when there is none.
struct proof *prover_any(struct prover *prover, unsigned node);

#endif
