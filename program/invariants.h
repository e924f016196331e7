// What program.h and its parts say of every program, as assertions: what the solver and the oracle
// may assume.
#ifndef PTXLITMUS_PROGRAM_INVARIANTS_H
#define PTXLITMUS_PROGRAM_INVARIANTS_H

struct program;

// Asserts all of it of a program that was built without errors; nothing in builds without
// assertions. Linear in the program, its cells and its pairs.
void program_assert(const struct program *program);

#endif
