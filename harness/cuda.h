// Tests as CUDA sources.
#ifndef PTXLITMUS_HARNESS_CUDA_H
#define PTXLITMUS_HARNESS_CUDA_H

#include "harness/plan.h"

#include <stdio.h>

struct arena;

// A test of a file of CUDA.
struct harness_item {
    const char *name; // as logs have it
    struct harness_plan plan;
};

// Writes a file of CUDA that runs tests: for each of them its threads as functions with one asm
// statement each, a kernel, and its control; and a table of them all. It includes run.h.
void harness_write_cuda(struct arena *arena, FILE *out, const struct harness_item *items,
                        size_t count);

// Writes what the PTX of that file has to have once it is compiled: for each thread of each test a
// line "NAME P0: st.weak.u32 fence.sc.gpu", with the opcodes that touch memory, order or wait, as
// the test has them; and the same for controls, "NAME control P0: ...".
void harness_write_opcodes(struct arena *arena, FILE *out, const struct harness_item *items,
                           size_t count);

// Writes a condition of the plan's test as an expression of C++ over the values `v` of a state
// (harness/condition.c).
void harness_write_condition(FILE *out, const struct harness_plan *plan,
                             const struct condition *condition);

#endif
