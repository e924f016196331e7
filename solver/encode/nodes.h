// The nodes of the model, as literals, and its axioms.
#ifndef PTXLITMUS_SOLVER_ENCODE_NODES_H
#define PTXLITMUS_SOLVER_ENCODE_NODES_H

#include "solver/encode/gates.h"

// --- Nodes of the model (encode/nodes.c) -------------------------------------------------------

// Whether a pair is in the relation of a node.
literal node_pair(struct encoder *encoder, unsigned node, unsigned a, unsigned b,
                  enum polarity polarity);

// Whether an event is in the set of a node.
literal node_event(struct encoder *encoder, unsigned node, unsigned a, enum polarity polarity);

// Whether an event is related to itself, for asserting that it is not (over-approximated): as
// node_pair, but a cycle whose steps are all of one strict order is left out, for there is none.
literal node_loop(struct encoder *encoder, unsigned node, unsigned event);

// Adds to `out`, for each event, a literal for "the event is on a cycle of the node's relation",
// under-approximated.
void closure_under_diagonal(struct encoder *encoder, unsigned node, struct disjunction *out);

// How the paths of a closure r+ or r* may be taken (encode/steps.c).
struct closure_steps {
    bool
        alternate; // after a step of `order` alone comes one of another member; else no more is set
    unsigned order;         // the node of a member of r that is a strict order in every execution
    struct relation others; // what the other members may hold
    struct relation after;  // the pairs that a path may lead between which begins with one of these
    unsigned *members;      // nodes of them all
    size_t member_count;
    bool *hubs;           // by event: those that the order relates; NULL unless it is the closure's
                          // order between them, by what the model requires
    struct relation free; // the pairs that a path may lead between which has no step of the order,
                          // and no hub on its way
};

// Returns how the paths of a closure may be taken; the encoder's arena owns it.
const struct closure_steps *closure_steps(struct encoder *encoder, unsigned closure);

// Encodes what node_pair and node_event have deferred.
void nodes_finish(struct encoder *encoder);

// Frees what nodes own outside the encoder's arena.
void nodes_free(struct encoder *encoder);

// --- Axioms (encode/axioms.c) ------------------------------------------------------------------

// Asserts that an axiom holds where the guard does.
void axiom_require(struct encoder *encoder, const struct model_axiom *axiom, literal guard);

// Asserts that a graph of `count` vertices has no cycle where the guard holds (encode/acyclic.c).
// edges[a * count + b] is the literal of the edge from vertex a to b, 0 where there is none; there
// is none from a vertex to itself. `events` name the vertices in dumps.
void acyclic_require(struct encoder *encoder, const unsigned *events, size_t count,
                     const literal *edges, literal guard);

#endif
