// Random cat texts: well-typed expressions of every operator, recursive definitions, axioms, flags.
#ifndef PTXLITMUS_TEST_SOLVER_RANDOM_CAT_H
#define PTXLITMUS_TEST_SOLVER_RANDOM_CAT_H

#include <stdint.h>

struct arena;

const char *random_cat(struct arena *arena, uint64_t *seed);

#endif
