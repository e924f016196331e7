// Where the ISA can be read in two ways (docs/readings.md): the reading that decides a test, and
// whether the other one decides it differently.
#ifndef PTXLITMUS_CLI_INPUT_READINGS_H
#define PTXLITMUS_CLI_INPUT_READINGS_H

#include "cli/options/options.h"
#include "model/cat/model.h"
#include "model/targets/targets.h"
#include "solver/solver.h"

struct arena;
struct diagnostics;

// The rules of which there are two readings, each a row of the table in readings.c.
enum { READING_COUNT = 3 };

// A model by name or path, in the readings that the options choose.
struct readings {
    const struct model *model;
    // By rule: the model for the other reading of that rule alone; NULL when the options chose one
    // of the two or the model has one only.
    const struct model *others[READING_COUNT];
};

// Loads all of them into `arena`, with the further axioms of the target (NULL: none); `model` is
// NULL after errors in `diagnostics`.
struct readings readings_load(struct arena *arena, const char *name, const struct target *target,
                              const struct options *options, struct diagnostics *diagnostics);

// Enters the flags of the other readings that can matter to a program into `outcomes`, undecided.
void readings_list(const struct readings *readings, struct arena *arena,
                   const struct program *program, struct outcomes *outcomes);

// Decides a program in the readings that the options choose, and then compares the others
// (readings_compare). `begun` is when the time of the test began, in seconds of watchdog_now_ms's
// clock: its limit is for all of it. Returns NULL after errors in `diagnostics`; the outcomes live
// in `arena`.
struct outcomes *readings_decide(const struct readings *readings,
                                 const struct solver_options *options, double begun,
                                 struct solver *solver, struct arena *arena,
                                 const struct program *program, struct diagnostics *diagnostics);

// Decides a test again under each other reading that can matter to it, and enters the reading's
// flag into `outcomes`: it holds when both verdicts are established and differ, it does not when
// they are established and do not, and else nobody knows; why stands in `outcomes` then. The limits
// of each further run are those of the first.
void readings_compare(const struct readings *readings, const struct solver_options *options,
                      struct solver *solver, struct arena *arena, const struct program *program,
                      struct outcomes *outcomes);

#endif
