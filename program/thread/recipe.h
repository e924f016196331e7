// What an instruction computes of the registers that it reads, as code that is made once and run by
// every thread of a launch that comes to it. Single steps (program/step.h) take it where they can.
#ifndef PTXLITMUS_PROGRAM_THREAD_RECIPE_H
#define PTXLITMUS_PROGRAM_THREAD_RECIPE_H

#include "program/step.h"
#include "program/thread/threads.h"

struct recipe;

// Returns the recipe of an instruction of the family FAMILY_COMPUTE, made by running it once on
// registers of unknown values; NULL where what it computes depends on more than its registers. The
// registers of the thread are overwritten. The recipe lives in `arena`.
const struct recipe *recipe_new(struct arena *arena, struct thread_builder *thread,
                                const struct instruction *instruction);

// Runs a recipe, or does nothing and returns false where only the instruction itself says what it
// computes of these values.
bool recipe_run(const struct recipe *recipe, struct step_value *registers);

#endif
