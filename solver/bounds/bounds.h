// Bounds of every node of a model, before any variable exists: the pairs that may be in a relation
// in some execution, and those that are in it whenever both events execute (solver/bounds/facts.h).
#ifndef PTXLITMUS_SOLVER_BOUNDS_BOUNDS_H
#define PTXLITMUS_SOLVER_BOUNDS_BOUNDS_H

#include "model/cat/model.h"
#include "solver/bounds/facts.h"

struct arena;
struct watchdog;

// One node's bounds: relations, or sets for nodes that are sets.
struct bound {
    bool needed; // some axiom depends on the node; if not, all else is empty
    struct relation may, must;
    struct event_set may_set, must_set;
    // Nodes of one recursive definition share a number above 0 (the first such node's index + 1).
    unsigned group;
};

struct bounds {
    const struct facts *facts;
    const struct model *model;
    struct bound *nodes; // by node of the model
    bool *transitive;    // by node: it is in every execution of this program
};

// Computes the bounds of all nodes that axioms depend on. Returns NULL when the watchdog ends the
// run, or after an error in `diagnostics` (a definition that uses its own complement).
struct bounds *bounds_new(struct arena *arena, const struct facts *facts, const struct model *model,
                          struct watchdog *watchdog, struct diagnostics *diagnostics);

// Whether a closure (NODE_PLUS, NODE_STAR) has no pairs but those of its operand, and the identity,
// in every execution of the program: the operand is transitive.
bool bounds_is_closed(const struct bounds *bounds, unsigned closure);

// Returns how many bytes bounds_new needs, roughly.
size_t bounds_memory(const struct model *model, size_t event_count);

// Computes all bounds again after base relations in the facts were narrowed; `arena` is that of the
// bounds.
void bounds_update(struct arena *arena, struct bounds *bounds);

// Narrows rf and co in the facts of the bounds to what the required axioms of their model leave,
// and the bounds with them: from then on they hold for the executions that the model allows
// (bounds/narrow.c). `arena` is that of the bounds.
void bounds_narrow(struct arena *arena, struct facts *facts, struct bounds *bounds);

#endif
