// What is said of facts, bounds and outcomes in their headers, as assertions: what each step may
// assume of the one before it.
#ifndef PTXLITMUS_SOLVER_INVARIANTS_H
#define PTXLITMUS_SOLVER_INVARIANTS_H

struct arena;
struct bounds;
struct facts;
struct outcomes;
struct program;

// Asserts that what must hold may hold, and what sets and relations say of each other, whatever the
// program; nothing in builds without assertions. Takes memory for a relation from the arena.
void facts_assert(struct arena *arena, const struct facts *facts);

// Asserts that of every node of the model what must hold may hold; nothing in builds without
// assertions. Takes memory for a relation from the arena.
void bounds_assert(struct arena *arena, const struct bounds *bounds);

// Asserts that a result is sorted, and that its verdict is that of its states; nothing in builds
// without assertions.
void outcomes_assert(const struct program *program, const struct outcomes *outcomes);

#endif
