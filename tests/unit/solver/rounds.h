// Waiting loops against the same loops with their rounds written out.
#ifndef PTXLITMUS_TEST_ROUNDS_H
#define PTXLITMUS_TEST_ROUNDS_H

#include "support.h"

// Returns a random program with loops (rounds 0), or the same one with this many rounds written
// out, after which its threads stay for ever. The arena owns the text.
typedef const char *rounds_program(struct arena *arena, uint64_t seed, unsigned rounds);

// Returns one of the texts.
const char *rounds_pick(const char *const *texts, unsigned count, uint64_t *seed);

// The main function of a test: compares outcomes, verdict and races of programs that have waiting
// loops with those of two and of three rounds. `programs` are tried; the arguments are COUNT SKIP
// SECONDS: that many in place of them, after the first SKIP, each in a process of its own that is
// stopped when it takes longer. Returns the exit status.
int rounds_main(int argc, char **argv, rounds_program *program, unsigned programs);

#endif
