// Random tests whose condition is a cycle of accesses: each thread accesses two variables, of which
// its neighbours access one each, and the condition asks whether every access comes before the next
// one. Most of them take changes in two places or more.
#ifndef PTXLITMUS_TEST_REPAIR_CYCLES_H
#define PTXLITMUS_TEST_REPAIR_CYCLES_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

// Returns the next number of a sequence, which `*seed` determines.
uint32_t cycle_random(uint64_t *seed);

// Returns the text of the test of a seed, which the arena owns. `strong`: its orders, scopes and
// fences are mostly strong ones, so that its condition is often forbidden.
const char *cycle_text(struct arena *arena, uint64_t seed, bool strong);

#endif
