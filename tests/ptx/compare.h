// Comparing our reading of PTX with ptxas, NVIDIA's assembler: statements are made from the
// instruction table, right and wrong ones, and both are asked whether they are PTX.
#ifndef PTXLITMUS_TESTS_PTX_COMPARE_H
#define PTXLITMUS_TESTS_PTX_COMPARE_H

#include "litmus/source/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum verdict {
    VERDICT_ACCEPTED,
    VERDICT_REFUSED,
    VERDICT_OUTSIDE, // ours alone: PTX that is not read
};

struct statement_case {
    const char *text;
    enum verdict ours;
    const char *message; // our first error, or ""
    enum verdict ptxas;
    const char *error; // its first error, or ""
};

struct case_list {
    struct arena *arena;
    struct statement_case *items;
    size_t count;
};

// --- generate.c --------------------------------------------------------------------------------

// Adds a statement for each alternative of each slot of each form that is read.
void generate_all_forms(struct case_list *list);

// Adds `count` random statements, about half of them with a mistake.
void generate_random(struct case_list *list, uint64_t seed, size_t count);

// --- judge.c -----------------------------------------------------------------------------------

// Declarations that the statements use, in PTX; the litmus test has the same.
extern const char *const declared_registers;

// Fills `ours` and `message`.
void judge_ourselves(struct case_list *list);

// Fills `ptxas` and `error`. Returns false when ptxas cannot be run.
bool judge_by_ptxas(struct case_list *list, const char *ptxas);

// The path of ptxas, owned by the arena: $PTXAS, on the PATH, in $CUDA_HOME/bin, or where CUDA is
// installed by default; NULL when there is none.
const char *find_ptxas(struct arena *arena);

#endif
