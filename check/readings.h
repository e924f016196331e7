// Where the ISA can be read in two ways (docs/readings.md): the reading that decides a test, and
// whether the other one decides it differently.
#ifndef PTXLITMUS_CHECK_READINGS_H
#define PTXLITMUS_CHECK_READINGS_H

#include "check/options.h"
#include "model/cat/model.h"
#include "model/targets/targets.h"
#include "solver/solver.h"

struct arena;
struct diagnostics;
struct other_readings; // readings.c

// The number of rules that have two readings, each a row of the table in readings.c.
enum { READING_COUNT = 10 };

// A model by name or path, in the readings that the options choose.
struct readings {
    const struct model *model;
    struct other_readings *others; // the models of the readings that they do not choose
};

// Loads a model in these readings into `arena`, with the further axioms of the target (NULL: none).
// `model` of the result is NULL after errors in `diagnostics`. A built-in model is loaded in other
// readings when a test first asks for them, into the same arena, which along with `options` and
// `target` has to live as long as the result.
struct readings readings_load(struct arena *arena, const char *name, const struct target *target,
                              const struct check_options *options, struct diagnostics *diagnostics);

// Adds the flags of the other readings that can matter to a program to `outcomes`, as undecided.
void readings_list(const struct readings *readings, struct arena *arena,
                   const struct program *program, struct outcomes *outcomes);

// Decides a program in the readings that the options choose, and then again under each other
// reading that can matter to it. A reading's flag in the outcomes holds when both verdicts are
// known and differ, does not hold when they are known and agree, and is undecided otherwise, for
// the reason in the outcomes. `check`, and accesses of 128 bits, are compared by their races, too.
// Each further run has the limits of the first. `begun` is when the time of the test began, in
// seconds of watchdog_now_ms's clock: the time limit is for the whole test. Returns NULL after
// errors in `diagnostics`; the outcomes live in `arena`.
struct outcomes *readings_decide(const struct readings *readings,
                                 const struct solver_options *options, double begun,
                                 struct solver *solver, struct arena *arena,
                                 const struct program *program, struct diagnostics *diagnostics);

#endif
