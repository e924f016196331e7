// Helpers of the solver room's tests: from texts to outcomes.
#ifndef PTXLITMUS_TEST_SOLVER_SUPPORT_H
#define PTXLITMUS_TEST_SOLVER_SUPPORT_H

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "solver/solver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// The program of a test's text, which must be right.
struct program *program_of(struct arena *arena, const char *text);

// The same with accesses that may be torn.
struct program *torn_program_of(struct arena *arena, const char *text);

// A built-in model by its name, or one by its text (anything with a line break).
struct model *model_of(struct arena *arena, const char *name_or_text);

// What the solver says of a test under a model; `options` may be NULL. The test fails when there
// are errors.
struct outcomes *outcomes_of(struct solver *solver, struct arena *arena, const char *text,
                             const char *model, const struct solver_options *options);

// The states, values with spaces between and states with semicolons: "0 1; 1 ?". A '*' follows
// states that satisfy the condition, '!' those that violate it (both for unknown values).
const char *states_of(struct arena *arena, const struct outcomes *outcomes, size_t width);

// What a run says of a flag of the model, which must have it.
enum truth model_flag(const struct outcomes *outcomes, const char *name);

// Runs a test with a solver of its own and compares all states and the verdict.
void assert_outcomes(const char *text, const char *model, const char *states, enum verdict verdict);

// A generator of random numbers, the same on every machine.
uint32_t random_next(uint64_t *state);
static inline uint32_t random_below(uint64_t *state, uint32_t bound) {
    return random_next(state) % bound;
}

// Returns how many of so many random programs are tried: a share of them where PTXLITMUS_TEST_SHARE
// says so (4: a quarter), as under sanitizers.
unsigned share_of(unsigned count);

#endif
